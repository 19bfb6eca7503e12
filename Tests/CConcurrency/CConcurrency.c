#define _GNU_SOURCE
#include "CConcurrency.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// The runtime's own declarations are C++ headers that no toolchain installs; these are the parts that compiled Swift
// code calls, too.
#define SWIFT_CALL __attribute__((swiftcall))
#define ASYNC_CALL __attribute__((swiftasynccall))
#define ASYNC_CONTEXT __attribute__((swift_async_context))

typedef struct {
    void *identity;  // NULL: no actor
    uintptr_t implementation;
} executor;

typedef ASYNC_CALL void (*resumption)(ASYNC_CONTEXT void *context);
typedef ASYNC_CALL void (*actor_switch)(ASYNC_CONTEXT void *context, resumption resume, executor target);

SWIFT_CALL void swift_job_run(void *job, executor on);
SWIFT_CALL bool swift_task_isCurrentExecutorWithFlags(executor target, uintptr_t flags);
SWIFT_CALL void *swift_continuation_init(void *continuation, uintptr_t flags);
SWIFT_CALL void swift_continuation_resume(void *task);
ASYNC_CALL void swift_continuation_await(void *continuation);

static void (*take_work)(void *work, pl_work_kind kind);
static int (*stops_task)(void);

static SWIFT_CALL void enqueue(void *job, void *original) {
    (void)original;
    take_work(job, PL_JOB);
}

static SWIFT_CALL executor main_executor(void *original) {
    (void)original;
    return (executor){NULL, 0};
}

static _Noreturn void refuse(const char *what) {
    fprintf(stderr, "not simulated: %s\n", what);
    abort();
}

static SWIFT_CALL void enqueue_later(unsigned long long delay, void *job, void *original) {
    (void)delay, (void)job, (void)original;
    refuse("a sleep on the system's clock");
}

static SWIFT_CALL void enqueue_at(
    long long seconds, long long nanoseconds, long long slack, long long slack_nanoseconds, int clock, void *job,
    void *original) {
    (void)seconds, (void)nanoseconds, (void)slack, (void)slack_nanoseconds, (void)clock, (void)job, (void)original;
    refuse("a sleep on the system's clock");
}

// Asked where the runtime does not know itself whether a task is where it should be; on one thread it always is.
static bool was_asked;

static SWIFT_CALL void check_isolated(executor target, void *original) {
    (void)target, (void)original;
    was_asked = true;
}

static bool is_current(executor target) {
    if (target.identity == NULL) return false;
    was_asked = false;
    return swift_task_isCurrentExecutorWithFlags(target, 0) && !was_asked;
}

// The runtime reads its own variables even where the program has copies of them: they are found by name.
static bool hook(const char *name, void *function) {
    void **variable = dlsym(RTLD_DEFAULT, name);
    if (variable != NULL) *variable = function;
    return variable != NULL;
}

int pl_take_over(void (*take)(void *work, pl_work_kind kind), int (*stops)(void)) {
    take_work = take;
    stops_task = stops;
    if (!hook("swift_task_enqueueGlobal_hook", enqueue)) return 1;
    if (!hook("swift_task_getMainExecutor_hook", main_executor)) return 2;
    if (!hook("swift_task_checkIsolated_hook", check_isolated)) return 3;
    if (!hook("swift_task_enqueueGlobalWithDelay_hook", enqueue_later)) return 4;
    if (!hook("swift_task_enqueueGlobalWithDeadline_hook", enqueue_at)) return 5;
    return 0;
}

void pl_run(void *work, pl_work_kind kind) {
    switch (kind) {
    case PL_JOB: swift_job_run(work, (executor){NULL, 0}); break;
    case PL_PARKED: swift_continuation_resume(work); break;
    }
}

void pl_hash_alike(void) {
    // What the variable SWIFT_DETERMINISTIC_HASHING does before `main`.
    struct {
        uint64_t seed0, seed1;
        bool deterministic;
    } *parameters = dlsym(RTLD_DEFAULT, "_swift_stdlib_Hashing_parameters");
    if (parameters == NULL) refuse("hashing without its parameters");
    parameters->seed0 = 0;
    parameters->seed1 = 0;
    parameters->deterministic = true;
}

// A continuation as the compiler lays it out, and behind it where the task was going.
typedef struct {
    void *parent;
    resumption resume_parent;
    uintptr_t flags;
    uintptr_t synchronization;
    void *error;
    void *result;
    executor resume_to;
    void *runtimes_own[4];
    void *context;
    resumption resume;
} stopped_task;

enum { RESUMES_ON_GIVEN_EXECUTOR = 1 << 1 };

static ASYNC_CALL void go_on(ASYNC_CONTEXT void *continuation) {
    stopped_task *stopped = continuation;
    void *context = stopped->context;
    resumption resume = stopped->resume;
    free(stopped);
    __attribute__((musttail)) return resume(context);
}

// Stands in for the runtime's function in all code that is linked into this program.
ASYNC_CALL void swift_task_switch(ASYNC_CONTEXT void *context, resumption resume, executor target) {
    static actor_switch original;
    if (original == NULL) original = (actor_switch)dlsym(RTLD_NEXT, "swift_task_switch");
    if (stops_task == NULL || is_current(target) || !stops_task()) {
        __attribute__((musttail)) return original(context, resume, target);
    }
    stopped_task *stopped = aligned_alloc(16, sizeof(stopped_task));
    if (stopped == NULL) abort();
    *stopped = (stopped_task){
        .parent = context, .resume_parent = go_on, .resume_to = target, .context = context, .resume = resume};
    void *task = swift_continuation_init(stopped, RESUMES_ON_GIVEN_EXECUTOR);
    take_work(task, PL_PARKED);
    swift_continuation_await(stopped);
}
