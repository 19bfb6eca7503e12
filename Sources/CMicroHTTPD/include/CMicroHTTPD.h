// Facade over libmicrohttpd, with plain ints only: its enums would arrive in Swift as closed ones.
//
// One daemon, one thread. A request is announced when its headers are in, takes its body in pieces, is suspended
// when it is whole, and lives until it was answered and its connection let it go. Answers may come from any thread.
#ifndef PINGLINE_CMICROHTTPD_H
#define PINGLINE_CMICROHTTPD_H

#include <stddef.h>
#include <stdint.h>

typedef struct pl_httpd pl_httpd;
typedef struct pl_httpd_request pl_httpd_request;

typedef struct {
    void *context;
    // Headers are in. Returns 1 to go on, or 0 after `pl_httpd_refuse`: then the body is not read.
    int (*began)(void *context, pl_httpd_request *request);
    // A piece of the body. Returns 0 to break the connection off. After `pl_httpd_pause` there is no other piece, and
    // `completed` does not come, before `pl_httpd_resume`.
    int (*received)(void *context, pl_httpd_request *request, const uint8_t *bytes, size_t count);
    // The request is whole and suspended; it must be answered exactly once.
    void (*completed)(void *context, pl_httpd_request *request);
    // The request is gone: answered, or its connection broke before it was whole.
    void (*finished)(void *context, pl_httpd_request *request);
    // The connection became a plain socket after `pl_httpd_answer_upgrade`. `extra` are bytes that came behind the
    // request. The socket belongs to `upgrade` and is closed by `pl_httpd_close_upgraded` only.
    void (*upgraded)(void *context, pl_httpd_request *request, int socket, const uint8_t *extra, size_t count,
                     void *upgrade);
} pl_httpd_events;

static const int PL_HTTPD_BAD_ADDRESS = -1;
static const int PL_HTTPD_CANNOT_LISTEN = -2;
static const int PL_HTTPD_TAKEN = -3;
static const int PL_HTTPD_NOT_ALLOWED = -4;
static const int PL_HTTPD_NOT_HERE = -5;
// libmicrohttpd is not on this machine.
static const int PL_HTTPD_NO_LIBRARY = -6;

// `address` is a numeric IPv4 or IPv6 address. On failure answers NULL and sets `problem` to one of the above.
pl_httpd *pl_httpd_start(const char *address, uint16_t port, unsigned connection_limit, unsigned idle_seconds,
                         const pl_httpd_events *events, int *problem);
uint16_t pl_httpd_port(const pl_httpd *daemon);
// Stops accepting. Requests that run may still be answered.
void pl_httpd_quiesce(pl_httpd *daemon);
// Ends the thread. Every request must be answered and every upgraded socket closed before.
void pl_httpd_stop(pl_httpd *daemon);

// 1 loopback, 0 another numeric address, -1 no numeric address.
int pl_httpd_is_loopback(const char *address);

// Valid while the request lives.
const char *pl_httpd_method(const pl_httpd_request *request);
const char *pl_httpd_target(const pl_httpd_request *request);
// Numeric address of the peer; valid while the request lives.
const char *pl_httpd_peer(const pl_httpd_request *request);
// Only inside `began`.
void pl_httpd_each_header(pl_httpd_request *request, void *context,
                          void (*visit)(void *context, const char *name, const char *value));
void pl_httpd_set_token(pl_httpd_request *request, void *token);
void *pl_httpd_token(const pl_httpd_request *request);

// Only inside `began`, which then returns 0. The connection is closed after the answer. All is copied.
void pl_httpd_refuse(pl_httpd_request *request, int status, const char *const *headers, const void *body,
                     size_t count);
// Only inside `received`.
void pl_httpd_pause(pl_httpd_request *request);
// Once for each pause, from any thread.
void pl_httpd_resume(pl_httpd_request *request);

// `headers` are name, value, name, value... NULL. All is copied.
void pl_httpd_answer(pl_httpd_request *request, int status, const char *const *headers, const void *body,
                     size_t count);
// Sends `count` bytes of the open file `file` from `offset` on, and closes it, whatever comes of it.
void pl_httpd_answer_file(pl_httpd_request *request, int status, const char *const *headers, int file,
                          uint64_t offset, uint64_t count);
void pl_httpd_answer_upgrade(pl_httpd_request *request, const char *accept);
void pl_httpd_close_upgraded(void *upgrade);

#endif
