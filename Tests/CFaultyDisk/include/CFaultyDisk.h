// Facade over SQLite's own entry: statements fail where a program says so.
#ifndef PINGLINE_CFAULTYDISK_H
#define PINGLINE_CFAULTYDISK_H

typedef struct {
    int code;       // what the statement fails with, an SQLite code; 0 lets it run
    int ends_all;   // whether the open transaction is rolled back by itself, as SQLite does after some failures
} pl_disk_fault;

/// Asked before each step of a statement of the program from now on, with the path of its database and whether it only
/// reads. The
/// ends of transactions that undo them are not asked about: they need no disk. NULL: nothing fails.
void pl_fail_disks(pl_disk_fault (*judge)(const char *path, int reads));

#endif
