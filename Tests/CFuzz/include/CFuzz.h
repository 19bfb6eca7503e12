// How much was done so far, counted and not timed: comparisons of instrumented code, and bytes allocated.
#ifndef CFUZZ_H
#define CFUZZ_H
#include <stdint.h>

// From now on allocations count.
void pl_fuzz_count_allocations(void);
uint64_t pl_fuzz_work(void);

#endif
