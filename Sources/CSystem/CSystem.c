#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The child of a threaded process may only make system calls until exec: no allocation, no lock.

static int limit(int resource, uint64_t value) {
    struct rlimit wanted = {(rlim_t)value, (rlim_t)value};
    struct rlimit held;  // RLIM_INFINITY is the greatest of values
    if (getrlimit(resource, &held) == 0 && held.rlim_max < wanted.rlim_max) {
        wanted.rlim_cur = wanted.rlim_max = held.rlim_max;  // only downwards
    }
    return setrlimit(resource, &wanted);
}

static int apply_limits(const pl_program *program) {
    if (limit(RLIMIT_CORE, 0) != 0) { return -1; }
    if (program->memory != 0 && limit(RLIMIT_AS, program->memory) != 0) { return -1; }
    if (program->cpu_seconds != 0 && limit(RLIMIT_CPU, program->cpu_seconds) != 0) { return -1; }
    if (program->file_size != 0 && limit(RLIMIT_FSIZE, program->file_size) != 0) { return -1; }
    if (program->open_files != 0 && limit(RLIMIT_NOFILE, program->open_files) != 0) { return -1; }
    return 0;
}

// Past the C library, which keeps its two signals (32, 33) to itself: who started us may ignore those.
static void reset_signals(void) {
    const uint64_t standard[8] = {0};  // SIG_DFL, no flags, an empty mask
    for (int number = 1; number <= 64; number++) {
        (void)syscall(SYS_rt_sigaction, number, standard, NULL, (size_t)8);
    }
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

// Moves the descriptors above 2 first, so that setting one does not overwrite another.
static int place_descriptors(const pl_program *program) {
    int wanted[3] = {program->input, program->output, program->errors};
    for (int index = 0; index < 3; index++) {
        wanted[index] = fcntl(wanted[index], F_DUPFD_CLOEXEC, 3);
        if (wanted[index] < 0) { return -1; }
    }
    for (int index = 0; index < 3; index++) {
        if (dup2(wanted[index], index) < 0) { return -1; }
    }
    if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) {
        for (int index = 3; index < 4096; index++) { (void)fcntl(index, F_SETFD, FD_CLOEXEC); }
    }
    return 0;
}

static void become(const pl_program *program, int report) {
    (void)setpgid(0, 0);
    reset_signals();
    int moved = fcntl(report, F_DUPFD_CLOEXEC, 3);
    if (moved >= 0 && place_descriptors(program) == 0 && apply_limits(program) == 0) {
        (void)execve(program->path, program->arguments, program->environment);
    }
    int code = errno;
    (void)!write(moved >= 0 ? moved : report, &code, sizeof code);
    _exit(127);
}

// Reads what the child had to report: nothing once exec has closed its end.
static int report_from(int descriptor) {
    int code = 0;
    ssize_t count;
    do { count = read(descriptor, &code, sizeof code); } while (count < 0 && errno == EINTR);
    return count == (ssize_t)sizeof code ? code : 0;
}

int pl_spawn(const pl_program *program, pid_t *process) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) { return errno; }
    // A signal that came between fork and reset would run our handlers in the child.
    sigset_t all, before;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    int code = child < 0 ? errno : 0;
    if (child == 0) { become(program, report[1]); }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)close(report[1]);
    if (child > 0) {
        (void)setpgid(child, child);  // whichever of the two is first
        code = report_from(report[0]);
        if (code != 0) { while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {} }
    }
    (void)close(report[0]);
    *process = child;
    return code;
}

int pl_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int pl_has_ended(pid_t process) {
    siginfo_t found = {.si_pid = 0};
    return waitid(P_PID, (id_t)process, &found, WEXITED | WNOHANG | WNOWAIT) == 0 ? found.si_pid != 0 : 1;
}

int pl_collect(pid_t process, int *value) {
    int status = 0;
    pid_t found;
    do { found = waitpid(process, &status, 0); } while (found < 0 && errno == EINTR);
    if (found < 0) { return PL_LOST; }
    if (WIFSIGNALED(status)) {
        *value = WTERMSIG(status);
        return PL_KILLED;
    }
    *value = WEXITSTATUS(status);
    return PL_EXITED;
}

int pl_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

int pl_set_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

int pl_memory_file(const void *bytes, size_t count) {
    int descriptor = memfd_create("input", MFD_CLOEXEC);
    if (descriptor < 0) { return -1; }
    size_t done = 0;
    while (done < count) {
        ssize_t written = pwrite(descriptor, (const char *)bytes + done, count - done, (off_t)done);
        if (written < 0 && errno == EINTR) { continue; }
        if (written <= 0) {
            int code = errno;
            (void)close(descriptor);
            errno = code;
            return -1;
        }
        done += (size_t)written;
    }
    return descriptor;
}

int pl_to_local(int64_t seconds, pl_local_time *out) {
    time_t moment = (time_t)seconds;
    struct tm civil;
    if (localtime_r(&moment, &civil) == NULL) { return 0; }
    *out = (pl_local_time){
        .year = civil.tm_year + 1900,
        .month = civil.tm_mon + 1,
        .day = civil.tm_mday,
        .hour = civil.tm_hour,
        .minute = civil.tm_min,
        .second = civil.tm_sec,
        .weekday = civil.tm_wday,
        .year_day = civil.tm_yday,
        .offset = (int)civil.tm_gmtoff,
    };
    return 1;
}

// The format comes from our own code, but not as a literal here.
#pragma clang diagnostic ignored "-Wformat-nonliteral"
size_t pl_format_local(int64_t seconds, const char *format, char *out, size_t capacity) {
    time_t moment = (time_t)seconds;
    struct tm civil;
    if (localtime_r(&moment, &civil) == NULL) { return 0; }
    return strftime(out, capacity, format, &civil);
}

void pl_reload_time_zone(void) { tzset(); }
