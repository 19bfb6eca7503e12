#ifndef PINGLINE_CCURL_H
#define PINGLINE_CCURL_H

#include <stddef.h>
#include <stdint.h>

#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

// Swift cannot call variadic functions: one typed door for each kind of argument.

typedef size_t (*pl_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*pl_curl_seek_callback)(void *context, curl_off_t offset, int origin);
typedef int (*pl_curl_progress_callback)(
    void *context, curl_off_t toDownload, curl_off_t downloaded, curl_off_t toUpload, curl_off_t uploaded);

CURLcode pl_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode pl_curl_set_offset(CURL *easy, CURLoption option, int64_t value);
CURLcode pl_curl_set_string(CURL *easy, CURLoption option, const char *value);  // copied by libcurl
CURLcode pl_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode pl_curl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count);  // copied by libcurl
CURLcode pl_curl_set_context_callback(CURL *easy, curl_ssl_ctx_callback callback);
CURLcode pl_curl_set_headers(CURL *easy, struct curl_slist *headers);  // not copied
CURLcode pl_curl_set_url(CURL *easy, CURLU *url);                      // not copied
CURLcode pl_curl_set_data_callback(CURL *easy, CURLoption option, pl_curl_data_callback callback);
CURLcode pl_curl_set_seek_callback(CURL *easy, pl_curl_seek_callback callback);
CURLcode pl_curl_set_progress_callback(CURL *easy, pl_curl_progress_callback callback);

/// Gives every socket keep-alive probes and an end for bytes nobody acknowledges, so that a connection whose
/// path died unnoticed is taken down by the kernel and never used again.
CURLcode pl_curl_set_socket_options(CURL *easy);

CURLcode pl_curl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode pl_curl_get_socket(CURL *easy, curl_socket_t *value);
/// Text that belongs to the handle; null where libcurl has none.
CURLcode pl_curl_get_string(CURL *easy, CURLINFO info, const char **value);

CURLMcode pl_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);

/// Takes the next finished transfer: 1 and its handle, result and the private pointer set on it, or 0.
int pl_curl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result, void **context);

// What was wrong with a peer's certificate. All texts are the peer's: bytes that may hold anything.

typedef struct pl_certificate_watch pl_certificate_watch;

/// Null without memory, and where libcurl has another library of TLS than OpenSSL.
pl_certificate_watch *pl_certificate_watch_new(void);
/// Connections under way keep it alive.
void pl_certificate_watch_release(pl_certificate_watch *watch);
/// Reports the certificates of connections that the handle makes. Changes no verdict.
void pl_curl_watch_certificate(CURL *easy, pl_certificate_watch *watch);

/// Whether a certificate came at all; the functions below want one.
int pl_certificate_is_known(const pl_certificate_watch *watch);
/// OpenSSL's first verdict, X509_V_ERR_…; 0 when it had nothing against the chain.
int pl_certificate_verdict(const pl_certificate_watch *watch);
/// The end or the beginning of its time, in seconds since 1970; INT64_MIN when it cannot be read.
int64_t pl_certificate_time(const pl_certificate_watch *watch, int is_end);
/// Who signed it. Returns how many bytes of UTF-8 were written to `room`, without an end mark.
size_t pl_certificate_issuer(const pl_certificate_watch *watch, int is_organization, char *room, size_t size);
/// The name or address number `index` that it is for; 0 behind the last.
size_t pl_certificate_host(const pl_certificate_watch *watch, int index, char *room, size_t size);

#endif
