#define _GNU_SOURCE
#include "CFaultyDisk.h"

#include <dlfcn.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <strings.h>

typedef int (*stepper)(sqlite3_stmt *statement);
typedef int (*executor)(
    sqlite3 *database, const char *sql, int (*row)(void *, int, char **, char **), void *context, char **error);
typedef int (*preparer)(
    sqlite3 *database, const char *sql, int size, unsigned flags, sqlite3_stmt **statement, const char **rest);

static pl_disk_fault (*judge_step)(const char *path, int reads);
// What SQLite runs for itself, for its schema and the tables of its search index, is part of what the program runs.
static bool is_within;

void pl_fail_disks(pl_disk_fault (*judge)(const char *path, int reads)) { judge_step = judge; }

static bool undoes(const char *sql) {
    return sql != NULL && (strncasecmp(sql, "ROLLBACK", 8) == 0 || strncasecmp(sql, "RELEASE", 7) == 0);
}

static executor original_exec(void) {
    static executor original;
    if (original == NULL) original = (executor)dlsym(RTLD_NEXT, "sqlite3_exec");
    return original;
}

// 0, or what the statement fails with; then the transaction may be gone, too.
static int fail(sqlite3 *database, const char *sql, int reads) {
    if (judge_step == NULL || is_within || undoes(sql)) return SQLITE_OK;
    pl_disk_fault fault = judge_step(sqlite3_db_filename(database, "main"), reads);
    if (fault.code != SQLITE_OK && fault.ends_all && sqlite3_get_autocommit(database) == 0) {
        is_within = true;
        original_exec()(database, "ROLLBACK", NULL, NULL, NULL);
        is_within = false;
    }
    return fault.code;
}

// These stand in for SQLite's functions in everything that is linked into this program, and in SQLite itself.

int sqlite3_step(sqlite3_stmt *statement) {
    static stepper original;
    if (original == NULL) original = (stepper)dlsym(RTLD_NEXT, "sqlite3_step");
    int code = fail(sqlite3_db_handle(statement), sqlite3_sql(statement), sqlite3_stmt_readonly(statement));
    if (code != SQLITE_OK) return code;
    bool was_within = is_within;
    is_within = true;
    code = original(statement);
    is_within = was_within;
    return code;
}

int sqlite3_exec(
    sqlite3 *database, const char *sql, int (*row)(void *, int, char **, char **), void *context, char **error) {
    int code = fail(database, sql, 0);
    if (code != SQLITE_OK) return code;
    bool was_within = is_within;
    is_within = true;
    code = original_exec()(database, sql, row, context, error);
    is_within = was_within;
    return code;
}

int sqlite3_prepare_v3(
    sqlite3 *database, const char *sql, int size, unsigned flags, sqlite3_stmt **statement, const char **rest) {
    static preparer original;
    if (original == NULL) original = (preparer)dlsym(RTLD_NEXT, "sqlite3_prepare_v3");
    bool was_within = is_within;
    is_within = true;
    int code = original(database, sql, size, flags, statement, rest);
    is_within = was_within;
    return code;
}
