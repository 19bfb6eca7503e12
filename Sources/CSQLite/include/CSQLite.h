// Facade over SQLite: what Swift cannot see (SQLITE_TRANSIENT, variadic configuration, extended codes).
#ifndef PINGLINE_CSQLITE_H
#define PINGLINE_CSQLITE_H

#include <sqlite3.h>

// Copies the bytes before it returns, so Swift may free its buffer at once.
static inline int pl_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int pl_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline void pl_sqlite_result_text(sqlite3_context *call, const char *bytes, sqlite3_uint64 count) {
    sqlite3_result_text64(call, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void pl_sqlite_result_blob(sqlite3_context *call, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_blob64(call, bytes, count, SQLITE_TRANSIENT);
}

// Foreign keys on, double-quoted strings off, schema treated as untrusted.
int pl_sqlite_harden(sqlite3 *database);

#endif
