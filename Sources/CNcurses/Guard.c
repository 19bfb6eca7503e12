#define _GNU_SOURCE

#include "CNcurses.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    int terminal;
    struct termios modes;
    uint8_t leave[512];
    size_t length;
} guarded;
static atomic_int armed;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};

// A terminal that has stopped reading gets 100 ms; then what it has not read is thrown away to make room.
static void write_leave(void) {
    size_t done = 0;
    for (int tries = 0; done < guarded.length && tries < 8; tries++) {
        ssize_t count = write(guarded.terminal, guarded.leave + done, guarded.length - done);
        if (count > 0) {
            done += (size_t)count;
        } else if (errno == EAGAIN) {
            struct pollfd room = {.fd = guarded.terminal, .events = POLLOUT};
            if (poll(&room, 1, 100) <= 0) tcflush(guarded.terminal, TCOFLUSH);
        } else if (errno != EINTR) {
            return;
        }
    }
}

void pl_guard_leave(void) {
    if (!atomic_exchange(&armed, 0)) return;
    int before = errno;
    signal(SIGTTOU, SIG_IGN);
    // The modes first: they must come back even when nobody reads what we write.
    tcsetattr(guarded.terminal, TCSANOW, &guarded.modes);
    write_leave();
    errno = before;
}

void pl_guard_exit(int status) {
    pl_guard_leave();
    _exit(status);
}

static void crashed(int number, siginfo_t *info, void *context) {
    (void)context;
    pl_guard_leave();
    signal(number, SIG_DFL);
    // A fault happens again on return and then ends us; a signal somebody sent has to be sent again.
    if (info->si_code <= 0) raise(number);
}

void pl_guard_install(void) {
    static uint8_t stack[32768];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigaction(crashes[i], &action, NULL);
    atexit(pl_guard_leave);
}

void pl_guard_arm(int terminal, const struct termios *modes, const uint8_t *leave, size_t length) {
    atomic_store(&armed, 0);
    guarded.terminal = terminal;
    guarded.modes = *modes;
    guarded.length = length < sizeof guarded.leave ? length : sizeof guarded.leave;
    memcpy(guarded.leave, leave, guarded.length);
    atomic_store(&armed, 1);
}

void pl_guard_disarm(void) { atomic_store(&armed, 0); }
