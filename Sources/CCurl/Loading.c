// libcurl is loaded by the first call of one of its functions, all of which are below.
//
// Linked in the usual way, it and the thirty libraries it needs would be loaded before the first screen is drawn,
// and take longer than all the rest of the start. Where it is missing, every function fails as if out of memory.
#define _GNU_SOURCE
#include "CCurl.h"
#include "Loading.h"

#include <dlfcn.h>
#include <pthread.h>

static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) { library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL); }

void *pl_curl_find(const char *name) {
    pthread_once(&once, load);
    return library ? dlsym(library, name) : NULL;
}

#define FORWARD(type, name, parameters, arguments, failure) \
    type name parameters { \
        static _Atomic(__typeof__(&name)) found; \
        __typeof__(&name) real = found; \
        if (!real) found = real = (__typeof__(&name))pl_curl_find(#name); \
        return real ? real arguments : failure; \
    }

#define FORWARD_VOID(name, parameters, arguments) \
    void name parameters { \
        static _Atomic(__typeof__(&name)) found; \
        __typeof__(&name) real = found; \
        if (!real) found = real = (__typeof__(&name))pl_curl_find(#name); \
        if (real) real arguments; \
    }

FORWARD(CURLcode, curl_global_init, (long flags), (flags), CURLE_FAILED_INIT)
FORWARD_VOID(curl_free, (void *memory), (memory))
FORWARD(CURL *, curl_easy_init, (void), (), NULL)
FORWARD_VOID(curl_easy_cleanup, (CURL *easy), (easy))
FORWARD_VOID(curl_easy_reset, (CURL *easy), (easy))
FORWARD(
    CURLcode, curl_easy_recv, (CURL *easy, void *bytes, size_t size, size_t *count), (easy, bytes, size, count),
    CURLE_FAILED_INIT)
FORWARD(
    CURLcode, curl_easy_send, (CURL *easy, const void *bytes, size_t size, size_t *count),
    (easy, bytes, size, count), CURLE_FAILED_INIT)
FORWARD(CURLM *, curl_multi_init, (void), (), NULL)
FORWARD(CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi), CURLM_INTERNAL_ERROR)
FORWARD(CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *easy), (multi, easy), CURLM_INTERNAL_ERROR)
FORWARD(CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *easy), (multi, easy), CURLM_INTERNAL_ERROR)
FORWARD(CURLMcode, curl_multi_perform, (CURLM *multi, int *running), (multi, running), CURLM_INTERNAL_ERROR)
FORWARD(
    CURLMcode, curl_multi_poll,
    (CURLM *multi, struct curl_waitfd *others, unsigned int count, int milliseconds, int *ready),
    (multi, others, count, milliseconds, ready), CURLM_INTERNAL_ERROR)
FORWARD(CURLMcode, curl_multi_wakeup, (CURLM *multi), (multi), CURLM_INTERNAL_ERROR)
FORWARD(CURLMsg *, curl_multi_info_read, (CURLM *multi, int *left), (multi, left), NULL)
FORWARD(
    struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text), NULL)
FORWARD_VOID(curl_slist_free_all, (struct curl_slist *list), (list))
FORWARD(CURLU *, curl_url, (void), (), NULL)
FORWARD_VOID(curl_url_cleanup, (CURLU *url), (url))
FORWARD(
    CURLUcode, curl_url_get, (CURLU *url, CURLUPart part, char **text, unsigned int flags),
    (url, part, text, flags), CURLUE_OUT_OF_MEMORY)
FORWARD(
    CURLUcode, curl_url_set, (CURLU *url, CURLUPart part, const char *text, unsigned int flags),
    (url, part, text, flags), CURLUE_OUT_OF_MEMORY)
