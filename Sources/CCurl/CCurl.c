#define _GNU_SOURCE
#include "CCurl.h"
#include "Loading.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

// The variadic functions, which cannot be forwarded. Whoever has a handle has libcurl.
#define VARIADIC(name) \
    static __typeof__(&name) find_##name(void) { \
        static _Atomic(__typeof__(&name)) found; \
        __typeof__(&name) real = found; \
        if (!real) found = real = (__typeof__(&name))pl_curl_find(#name); \
        return real; \
    }
VARIADIC(curl_easy_setopt)
VARIADIC(curl_easy_getinfo)
VARIADIC(curl_multi_setopt)
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#define curl_easy_setopt find_curl_easy_setopt()
#define curl_easy_getinfo find_curl_easy_getinfo()
#define curl_multi_setopt find_curl_multi_setopt()

CURLcode pl_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode pl_curl_set_offset(CURL *easy, CURLoption option, int64_t value) {
    return curl_easy_setopt(easy, option, (curl_off_t)value);
}

CURLcode pl_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode pl_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode pl_curl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

CURLcode pl_curl_set_context_callback(CURL *easy, curl_ssl_ctx_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, callback);
}

CURLcode pl_curl_set_headers(CURL *easy, struct curl_slist *headers) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

CURLcode pl_curl_set_url(CURL *easy, CURLU *url) { return curl_easy_setopt(easy, CURLOPT_CURLU, url); }

CURLcode pl_curl_set_data_callback(CURL *easy, CURLoption option, pl_curl_data_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

CURLcode pl_curl_set_seek_callback(CURL *easy, pl_curl_seek_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}

CURLcode pl_curl_set_progress_callback(CURL *easy, pl_curl_progress_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
}

static int prepare_socket(void *context, curl_socket_t socket, curlsocktype purpose) {
    (void)context;
    if (purpose != CURLSOCKTYPE_IPCXN) { return CURL_SOCKOPT_OK; }
    unsigned int unacknowledged = 20000;  // milliseconds
    // Only an improvement: where the kernel refuses, the callers' own deadlines still end the transfer.
    (void)setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged, sizeof unacknowledged);
    // Bytes in the kernel look like progress. On a slow link more than this would hide a stall for minutes.
    int unsent = 128 << 10;  // bytes; Linux doubles it
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &unsent, sizeof unsent);
    return CURL_SOCKOPT_OK;
}

CURLcode pl_curl_set_socket_options(CURL *easy) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, prepare_socket);
    if (result == CURLE_OK) { result = curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L); }
    if (result == CURLE_OK) { result = curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, 30L); }
    if (result == CURLE_OK) { result = curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, 10L); }
    return result;
}

CURLcode pl_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

CURLcode pl_curl_get_socket(CURL *easy, curl_socket_t *value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

CURLcode pl_curl_get_string(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, (char **)value);
}

CURLMcode pl_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

int pl_curl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result, void **context) {
    int left = 0;
    CURLMsg *message = curl_multi_info_read(multi, &left);
    while (message != NULL && message->msg != CURLMSG_DONE) { message = curl_multi_info_read(multi, &left); }
    if (message == NULL) { return 0; }
    *easy = message->easy_handle;
    *result = message->data.result;
    *context = NULL;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)context);
    return 1;
}
