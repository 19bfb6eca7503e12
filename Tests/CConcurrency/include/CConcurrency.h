// Facade over Swift's concurrency runtime: who runs what, and when, is decided by a program instead of by threads.
#ifndef PINGLINE_CCONCURRENCY_H
#define PINGLINE_CCONCURRENCY_H

typedef enum {
    PL_JOB = 0,     // of a task or an actor
    PL_PARKED = 1,  // a task that was stopped on its way from one actor to another
} pl_work_kind;

/// From now on nothing in this process runs by itself. What is ready goes to `take`, to be run by `pl_run`, once, on
/// the same thread. The main actor counts as no actor: its work is of one thread anyway.
///
/// Each time that a task is about to change actors, `stops` is asked: 0 lets it go on at once where the other actor
/// is free, as the system would, otherwise it stops and others may run first.
/// Returns 0, or the number of the first hook that this Swift does not have.
int pl_take_over(void (*take)(void *work, pl_work_kind kind), int (*stops)(void));

void pl_run(void *work, pl_work_kind kind);

/// Makes the order within sets and dictionaries the same in every run. To be called before the first one is made.
void pl_hash_alike(void);

#endif
