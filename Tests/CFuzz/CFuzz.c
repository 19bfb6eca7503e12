#include "CFuzz.h"
#include <stddef.h>

#define UNCOUNTED __attribute__((no_sanitize("coverage", "address")))

static uint64_t work;

UNCOUNTED uint64_t pl_fuzz_work(void) { return __atomic_load_n(&work, __ATOMIC_RELAXED); }

UNCOUNTED static void count(uint64_t steps) { __atomic_fetch_add(&work, steps, __ATOMIC_RELAXED); }

// Of the address sanitizer; it takes part in every allocation, also those of Swift's own library.
int __sanitizer_install_malloc_and_free_hooks(
    void (*on_malloc)(const volatile void *, size_t), void (*on_free)(const volatile void *));

UNCOUNTED static void on_malloc(const volatile void *memory, size_t size) {
    (void)memory;
    count(size);
}

UNCOUNTED static void on_free(const volatile void *memory) { (void)memory; }

void pl_fuzz_count_allocations(void) { __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free); }

// The compiler calls one of these before each comparison; the linker puts ours in between (`--wrap`).
#define COUNTED(name, type)                                                     \
    void __real___sanitizer_cov_trace_##name(type one, type other);            \
    void __wrap___sanitizer_cov_trace_##name(type one, type other);            \
    UNCOUNTED void __wrap___sanitizer_cov_trace_##name(type one, type other) { \
        count(1);                                                               \
        __real___sanitizer_cov_trace_##name(one, other);                       \
    }

COUNTED(cmp1, uint8_t)
COUNTED(cmp2, uint16_t)
COUNTED(cmp4, uint32_t)
COUNTED(cmp8, uint64_t)
COUNTED(const_cmp1, uint8_t)
COUNTED(const_cmp2, uint16_t)
COUNTED(const_cmp4, uint32_t)
COUNTED(const_cmp8, uint64_t)
