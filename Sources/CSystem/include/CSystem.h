#ifndef PINGLINE_CSYSTEM_H
#define PINGLINE_CSYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A program to start. Arguments and environment end with NULL; a limit of 0 leaves the system's.
typedef struct {
    const char *path;
    char *const *arguments;
    char *const *environment;
    int input;   // becomes its descriptor 0
    int output;  // 1
    int errors;  // 2
    uint64_t memory;       // bytes of address space
    uint64_t cpu_seconds;
    uint64_t file_size;    // bytes of the largest file it may write
    uint64_t open_files;
} pl_program;

/// Starts a program as the leader of a process group of its own, with every signal as if nobody had touched
/// it, no descriptor but the three, and no core dump. Returns 0 and the process id, or an errno value, also
/// when only the exec failed.
int pl_spawn(const pl_program *program, pid_t *process);

/// Starts a program of the user's own on our terminal: in our process group, with our descriptors 0 to 2 and
/// no other, and every signal as if nobody had touched it. Returns 0 and the process id, or an errno value.
int pl_spawn_on_terminal(
    const char *path, char *const *arguments, char *const *environment, pid_t *process);

/// The same, but away from the terminal: its descriptors 0 to 2 are /dev/null.
int pl_spawn_apart(
    const char *path, char *const *arguments, char *const *environment, pid_t *process);

/// A descriptor that turns readable when the process ends; -1 where the kernel has none.
int pl_process_descriptor(pid_t process);

/// Whether the process has ended and waits to be collected.
int pl_has_ended(pid_t process);

enum { PL_EXITED = 1, PL_KILLED = 2, PL_LOST = 3 };

/// Waits for the process to end and collects it. PL_EXITED puts its exit status, PL_KILLED its signal into
/// `value`. PL_LOST: there is no such child (any more).
int pl_collect(pid_t process, int *value);

/// A pipe that programs started meanwhile do not inherit; ends are read, write. Returns 0 or an errno value.
int pl_pipe(int ends[2]);
int pl_set_nonblocking(int descriptor);

/// A file in memory holding `bytes`, to be read from its beginning. Returns the descriptor, or -1 with errno.
int pl_memory_file(const void *bytes, size_t count);

/// A descriptor that turns readable whenever the kernel tells of a change to an interface, an address or a route.
/// -1 where there is none to be had.
int pl_network_watch(void);

/// A descriptor that turns readable when the wall clock is set, and when the machine wakes from a sleep, which
/// sets it. -1 where there is none to be had. `pl_clock_rearm` waits for the next time.
int pl_clock_watch(void);
void pl_clock_rearm(int descriptor);

/// Reads and drops all that a watch has to say.
void pl_drain(int descriptor);

/// A number for the ways out of this machine as they are now: the interfaces that run, loopback apart, their
/// addresses, and where the default routes lead.
uint64_t pl_network_ways(void);

/// A moment on the local calendar.
typedef struct {
    int year;
    int month;  // 1...12
    int day;
    int hour;
    int minute;
    int second;
    int weekday;  // 0 is Sunday
    int year_day;  // 0 is the first of January
    int offset;  // seconds east of UTC
} pl_local_time;

/// Returns 1, or 0 when the moment has no place on the calendar.
int pl_to_local(int64_t seconds, pl_local_time *out);

/// `strftime` of the moment, without the final NUL. Returns the bytes written; 0 when they do not fit or are
/// none.
size_t pl_format_local(int64_t seconds, const char *format, char *out, size_t capacity);

/// Reads TZ again.
void pl_reload_time_zone(void);

#endif
