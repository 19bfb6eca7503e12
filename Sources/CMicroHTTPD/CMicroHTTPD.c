#include "include/CMicroHTTPD.h"
#include "Loading.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct pl_httpd {
    struct MHD_Daemon *daemon;
    MHD_socket quiesced;
    pl_httpd_events events;
};

struct pl_httpd_request {
    pl_httpd *owner;
    struct MHD_Connection *connection;
    char *target;
    char *method;
    char peer[INET6_ADDRSTRLEN];
    void *token;
    struct MHD_Response *response;
    unsigned status;
    int began;
    int completed;
    _Atomic int paused;
};

static void *open_request(void *context, const char *uri, struct MHD_Connection *connection) {
    pl_httpd_request *request = calloc(1, sizeof *request);
    if (request == NULL) return NULL;
    request->owner = context;
    request->connection = connection;
    request->target = strdup(uri);
    return request;
}

static void note_peer(pl_httpd_request *request) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info == NULL || info->client_addr == NULL) return;
    const struct sockaddr *address = info->client_addr;
    const void *bytes = address->sa_family == AF_INET
                            ? (const void *)&((const struct sockaddr_in *)address)->sin_addr
                            : (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr;
    inet_ntop(address->sa_family, bytes, request->peer, sizeof request->peer);
}

static enum MHD_Result queue_answer(pl_httpd_request *request) {
    enum MHD_Result result = MHD_queue_response(request->connection, request->status, request->response);
    MHD_destroy_response(request->response);
    request->response = NULL;
    return result;
}

static enum MHD_Result access_request(void *context, struct MHD_Connection *connection, const char *url,
                                      const char *method, const char *version, const char *upload,
                                      size_t *upload_size, void **request_context) {
    (void)url;
    (void)version;
    pl_httpd *owner = context;
    pl_httpd_request *request = *request_context;
    if (request == NULL || request->target == NULL) return MHD_NO;
    if (!request->began) {
        request->began = 1;
        request->method = strdup(method);
        if (request->method == NULL) return MHD_NO;
        note_peer(request);
        if (owner->events.began(owner->events.context, request)) return MHD_YES;
        return request->response == NULL ? MHD_NO : queue_answer(request);
    }
    if (*upload_size > 0) {
        // A chunked body is handed over chunk by chunk, whether the connection was suspended in between or not.
        if (request->paused) return MHD_YES;
        int goes_on = owner->events.received(owner->events.context, request, (const uint8_t *)upload, *upload_size);
        *upload_size = 0;
        return goes_on ? MHD_YES : MHD_NO;
    }
    if (!request->completed) {
        request->completed = 1;
        MHD_suspend_connection(connection);
        owner->events.completed(owner->events.context, request);
        return MHD_YES;
    }
    return request->response == NULL ? MHD_NO : queue_answer(request);
}

static void close_request(void *context, struct MHD_Connection *connection, void **request_context,
                          enum MHD_RequestTerminationCode code) {
    (void)connection;
    (void)code;
    pl_httpd *owner = context;
    pl_httpd_request *request = *request_context;
    *request_context = NULL;
    if (request == NULL) return;
    if (request->began) owner->events.finished(owner->events.context, request);
    if (request->response != NULL) MHD_destroy_response(request->response);
    free(request->target);
    free(request->method);
    free(request);
}

static void hand_over(void *context, struct MHD_Connection *connection, void *request_context, const char *extra,
                      size_t count, MHD_socket socket, struct MHD_UpgradeResponseHandle *upgrade) {
    (void)connection;
    (void)request_context;
    pl_httpd_request *request = context;
    pl_httpd *owner = request->owner;
    owner->events.upgraded(owner->events.context, request, socket, (const uint8_t *)extra, count, upgrade);
}

static int read_address(const char *text, uint16_t port, struct sockaddr_storage *storage) {
    struct sockaddr_in *four = (struct sockaddr_in *)storage;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)storage;
    memset(storage, 0, sizeof *storage);
    if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(port);
        return AF_INET;
    }
    if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons(port);
        return AF_INET6;
    }
    return 0;
}

static int why_not(int error) {
    switch (error) {
    case EADDRINUSE:
        return PL_HTTPD_TAKEN;
    case EACCES:
    case EPERM:
        return PL_HTTPD_NOT_ALLOWED;
    case EADDRNOTAVAIL:
        return PL_HTTPD_NOT_HERE;
    default:
        return PL_HTTPD_CANNOT_LISTEN;
    }
}

pl_httpd *pl_httpd_start(const char *address, uint16_t port, unsigned connection_limit, unsigned idle_seconds,
                         const pl_httpd_events *events, int *problem) {
    struct sockaddr_storage storage;
    int family = read_address(address, port, &storage);
    if (family == 0) {
        *problem = PL_HTTPD_BAD_ADDRESS;
        return NULL;
    }
    *problem = PL_HTTPD_NO_LIBRARY;
    if (!pl_httpd_load()) return NULL;
    *problem = PL_HTTPD_CANNOT_LISTEN;
    errno = 0;
    pl_httpd *owner = calloc(1, sizeof *owner);
    if (owner == NULL) return NULL;
    owner->events = *events;
    owner->quiesced = MHD_INVALID_SOCKET;
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_UPGRADE | MHD_ALLOW_SUSPEND_RESUME;
    if (family == AF_INET6) flags |= MHD_USE_IPv6;
    owner->daemon = MHD_start_daemon(
        flags, port, NULL, NULL, access_request, owner,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&storage,
        MHD_OPTION_URI_LOG_CALLBACK, open_request, owner,
        MHD_OPTION_NOTIFY_COMPLETED, close_request, owner,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(64 * 1024),
        MHD_OPTION_END);
    if (owner->daemon == NULL) {
        *problem = why_not(errno);
        free(owner);
        return NULL;
    }
    *problem = 0;
    return owner;
}

uint16_t pl_httpd_port(const pl_httpd *owner) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(owner->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

void pl_httpd_quiesce(pl_httpd *owner) {
    owner->quiesced = MHD_quiesce_daemon(owner->daemon);
    // Refuses new connections at once; the thread may still be in accept(), so the descriptor stays until it ended.
    if (owner->quiesced != MHD_INVALID_SOCKET) shutdown(owner->quiesced, SHUT_RDWR);
}

void pl_httpd_stop(pl_httpd *owner) {
    MHD_stop_daemon(owner->daemon);
    if (owner->quiesced != MHD_INVALID_SOCKET) close(owner->quiesced);
    free(owner);
}

int pl_httpd_is_loopback(const char *address) {
    struct sockaddr_storage storage;
    switch (read_address(address, 0, &storage)) {
    case AF_INET:
        return (ntohl(((struct sockaddr_in *)&storage)->sin_addr.s_addr) >> 24) == 127;
    case AF_INET6:
        return IN6_IS_ADDR_LOOPBACK(&((struct sockaddr_in6 *)&storage)->sin6_addr);
    default:
        return -1;
    }
}

const char *pl_httpd_method(const pl_httpd_request *request) { return request->method; }
const char *pl_httpd_target(const pl_httpd_request *request) { return request->target; }
const char *pl_httpd_peer(const pl_httpd_request *request) { return request->peer; }
void pl_httpd_set_token(pl_httpd_request *request, void *token) { request->token = token; }
void *pl_httpd_token(const pl_httpd_request *request) { return request->token; }

typedef struct {
    void *context;
    void (*visit)(void *context, const char *name, const char *value);
} header_visit;

static enum MHD_Result visit_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    (void)kind;
    header_visit *visit = context;
    visit->visit(visit->context, name, value == NULL ? "" : value);
    return MHD_YES;
}

void pl_httpd_each_header(pl_httpd_request *request, void *context,
                          void (*visit)(void *context, const char *name, const char *value)) {
    header_visit both = {context, visit};
    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, visit_header, &both);
}

static void add_headers(struct MHD_Response *response, const char *const *headers) {
    if (response == NULL) return;
    for (; headers[0] != NULL; headers += 2) MHD_add_response_header(response, headers[0], headers[1]);
}

static struct MHD_Response *from_bytes(const char *const *headers, const void *body, size_t count) {
    struct MHD_Response *response =
        MHD_create_response_from_buffer(count, (void *)(count == 0 ? "" : body), MHD_RESPMEM_MUST_COPY);
    add_headers(response, headers);
    return response;
}

void pl_httpd_refuse(pl_httpd_request *request, int status, const char *const *headers, const void *body,
                     size_t count) {
    request->status = (unsigned)status;
    request->response = from_bytes(headers, body, count);
    if (request->response != NULL) MHD_add_response_header(request->response, "Connection", "close");
}

void pl_httpd_pause(pl_httpd_request *request) {
    request->paused = 1;
    MHD_suspend_connection(request->connection);
}

void pl_httpd_resume(pl_httpd_request *request) {
    request->paused = 0;
    MHD_resume_connection(request->connection);
}

static void give(pl_httpd_request *request, struct MHD_Response *response, int status) {
    request->status = (unsigned)status;
    request->response = response;
    MHD_resume_connection(request->connection);
}

void pl_httpd_answer(pl_httpd_request *request, int status, const char *const *headers, const void *body,
                     size_t count) {
    give(request, from_bytes(headers, body, count), status);
}

void pl_httpd_answer_file(pl_httpd_request *request, int status, const char *const *headers, int file,
                          uint64_t offset, uint64_t count) {
    struct MHD_Response *response = MHD_create_response_from_fd_at_offset64(count, file, offset);
    if (response == NULL) close(file);
    add_headers(response, headers);
    give(request, response, status);
}

void pl_httpd_answer_upgrade(pl_httpd_request *request, const char *accept) {
    struct MHD_Response *response = MHD_create_response_for_upgrade(hand_over, request);
    if (response != NULL) {
        MHD_add_response_header(response, MHD_HTTP_HEADER_UPGRADE, "websocket");
        MHD_add_response_header(response, "Sec-WebSocket-Accept", accept);
    }
    give(request, response, MHD_HTTP_SWITCHING_PROTOCOLS);
}

void pl_httpd_close_upgraded(void *upgrade) { MHD_upgrade_action(upgrade, MHD_UPGRADE_ACTION_CLOSE); }
