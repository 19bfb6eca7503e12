#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

static int spawn_for_user(
    const char *path, char *const *arguments, char *const *environment, int apart, pid_t *process) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int code = posix_spawnattr_init(&attributes);
    if (code != 0) return code;
    code = posix_spawn_file_actions_init(&actions);
    if (code == 0) {
        code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        if (code == 0) code = posix_spawnattr_setsigdefault(&attributes, &all);
        if (code == 0) code = posix_spawnattr_setsigmask(&attributes, &none);
        for (int end = 0; apart && code == 0 && end < 3; end++) {
            code = posix_spawn_file_actions_addopen(&actions, end, "/dev/null", O_RDWR, 0);
        }
        if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
        if (code == 0) code = posix_spawn(process, path, &actions, &attributes, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return code;
}

int pl_spawn_on_terminal(
    const char *path, char *const *arguments, char *const *environment, pid_t *process) {
    return spawn_for_user(path, arguments, environment, 0, process);
}

int pl_spawn_apart(
    const char *path, char *const *arguments, char *const *environment, pid_t *process) {
    return spawn_for_user(path, arguments, environment, 1, process);
}
