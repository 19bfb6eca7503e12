// Remembers what OpenSSL found in a peer's certificate, for the words that tell people about it. Nothing here
// decides anything: every verdict is handed on as it came.
//
// OpenSSL is reached through libcurl, whose library of TLS it is; where that is another one there is nothing to
// remember, and no harm.
#define _GNU_SOURCE
#include "CCurl.h"
#include "Loading.h"

#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct pl_certificate_watch {
    atomic_int owners;  // who made it, and each TLS context that reports to it
    int verdict;
    X509 *leaf;     // the peer's own
    X509 *culprit;  // the one in its chain that the verdict is about
};

#define FUNCTIONS(F) \
    F(CRYPTO_free) F(CRYPTO_get_ex_new_index) F(SSL_CTX_get_ex_data) F(SSL_CTX_set_ex_data) \
    F(SSL_CTX_get_verify_mode) F(SSL_CTX_set_verify) F(SSL_get_SSL_CTX) F(SSL_get_ex_data_X509_STORE_CTX_idx) \
    F(X509_STORE_CTX_get_ex_data) F(X509_STORE_CTX_get_error) F(X509_STORE_CTX_get_current_cert) \
    F(X509_STORE_CTX_get0_cert) F(X509_up_ref) F(X509_free) F(X509_get0_notBefore) F(X509_get0_notAfter) \
    F(ASN1_TIME_to_tm) F(X509_get_issuer_name) F(X509_NAME_get_index_by_NID) F(X509_NAME_get_entry) \
    F(X509_NAME_ENTRY_get_data) F(ASN1_STRING_to_UTF8) F(ASN1_STRING_get0_data) F(ASN1_STRING_length) \
    F(X509_get_ext_d2i) F(OPENSSL_sk_num) F(OPENSSL_sk_value) F(GENERAL_NAMES_free)

static struct {
#define MEMBER(name) __typeof__(&name) name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} tls;
static int place = -1;  // of the watch in a TLS context
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void context_freed(void *parent, void *watch, CRYPTO_EX_DATA *data, int index, long number, void *pointer) {
    (void)parent, (void)data, (void)index, (void)number, (void)pointer;
    if (watch) { pl_certificate_watch_release(watch); }
}

static void find_functions(void) {
#define FIND(name) \
    tls.name = (__typeof__(&name))pl_curl_find(#name); \
    if (!tls.name) { return; }
    FUNCTIONS(FIND)
#undef FIND
    place = tls.CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, NULL, NULL, NULL, context_freed);
}

static void keep(X509 **kept, X509 *certificate) {
    if (*kept || !certificate || tls.X509_up_ref(certificate) != 1) { return; }
    *kept = certificate;
}

static void forget(pl_certificate_watch *watch) {
    if (watch->leaf) { tls.X509_free(watch->leaf); }
    if (watch->culprit) { tls.X509_free(watch->culprit); }
    watch->leaf = watch->culprit = NULL;
    watch->verdict = 0;
}

// Called for each certificate of a chain, and once more for each thing that is wrong.
static int verified(int is_fine, X509_STORE_CTX *store) {
    SSL *connection = tls.X509_STORE_CTX_get_ex_data(store, tls.SSL_get_ex_data_X509_STORE_CTX_idx());
    SSL_CTX *context = connection ? tls.SSL_get_SSL_CTX(connection) : NULL;
    pl_certificate_watch *watch = context ? tls.SSL_CTX_get_ex_data(context, place) : NULL;
    if (watch) {
        keep(&watch->leaf, tls.X509_STORE_CTX_get0_cert(store));
        if (!is_fine && watch->verdict == 0) {
            watch->verdict = tls.X509_STORE_CTX_get_error(store);
            keep(&watch->culprit, tls.X509_STORE_CTX_get_current_cert(store));
        }
    }
    return is_fine;
}

// libcurl made a TLS context for a new connection and has set it up already.
static CURLcode context_made(CURL *easy, void *context, void *data) {
    (void)easy;
    pl_certificate_watch *watch = data;
    forget(watch);  // of a connection before, which libcurl replaces
    if (tls.SSL_CTX_set_ex_data(context, place, watch) != 1) { return CURLE_OK; }
    atomic_fetch_add(&watch->owners, 1);
    tls.SSL_CTX_set_verify(context, tls.SSL_CTX_get_verify_mode(context), verified);
    return CURLE_OK;
}

pl_certificate_watch *pl_certificate_watch_new(void) {
    pthread_once(&once, find_functions);
    if (place < 0) { return NULL; }
    pl_certificate_watch *watch = calloc(1, sizeof *watch);
    if (watch) { atomic_init(&watch->owners, 1); }
    return watch;
}

void pl_certificate_watch_release(pl_certificate_watch *watch) {
    if (!watch || atomic_fetch_sub(&watch->owners, 1) > 1) { return; }
    forget(watch);
    free(watch);
}

void pl_curl_watch_certificate(CURL *easy, pl_certificate_watch *watch) {
    if (!watch || pl_curl_set_pointer(easy, CURLOPT_SSL_CTX_DATA, watch) != CURLE_OK) { return; }
    pl_curl_set_context_callback(easy, context_made);
}

int pl_certificate_is_known(const pl_certificate_watch *watch) { return watch && watch->leaf; }

int pl_certificate_verdict(const pl_certificate_watch *watch) { return watch ? watch->verdict : 0; }

int64_t pl_certificate_time(const pl_certificate_watch *watch, int is_end) {
    const X509 *certificate = watch->culprit ? watch->culprit : watch->leaf;
    const ASN1_TIME *time = certificate == NULL ? NULL
        : is_end                                ? tls.X509_get0_notAfter(certificate)
                                                : tls.X509_get0_notBefore(certificate);
    struct tm parts;
    return time && tls.ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t)timegm(&parts) : INT64_MIN;
}

static size_t copy(const void *bytes, int count, char *room, size_t size) {
    size_t fitting = count < 0 ? 0 : (size_t)count < size ? (size_t)count : size;
    if (fitting > 0) { memcpy(room, bytes, fitting); }
    return fitting;
}

static size_t part_of(const X509_NAME *name, int kind, char *room, size_t size) {
    int index = tls.X509_NAME_get_index_by_NID((X509_NAME *)name, kind, -1);
    if (index < 0) { return 0; }
    unsigned char *text = NULL;
    int count = tls.ASN1_STRING_to_UTF8(
        &text, tls.X509_NAME_ENTRY_get_data(tls.X509_NAME_get_entry((X509_NAME *)name, index)));
    size_t copied = copy(text, count, room, size);
    if (text) { tls.CRYPTO_free(text, __FILE__, __LINE__); }
    return copied;
}

size_t pl_certificate_issuer(const pl_certificate_watch *watch, int is_organization, char *room, size_t size) {
    const X509 *certificate = watch->culprit ? watch->culprit : watch->leaf;
    X509_NAME *issuer = certificate ? tls.X509_get_issuer_name(certificate) : NULL;
    return issuer ? part_of(issuer, is_organization ? NID_organizationName : NID_commonName, room, size) : 0;
}

static size_t host_of(const GENERAL_NAME *name, char *room, size_t size) {
    if (name->type == GEN_DNS) {
        return copy(tls.ASN1_STRING_get0_data(name->d.dNSName), tls.ASN1_STRING_length(name->d.dNSName), room, size);
    }
    if (name->type != GEN_IPADD) { return 0; }
    int count = tls.ASN1_STRING_length(name->d.iPAddress);
    char text[INET6_ADDRSTRLEN];
    const void *bytes = tls.ASN1_STRING_get0_data(name->d.iPAddress);
    if ((count != 4 && count != 16) || !inet_ntop(count == 4 ? AF_INET : AF_INET6, bytes, text, sizeof text)) {
        return 0;
    }
    return copy(text, (int)strlen(text), room, size);
}

size_t pl_certificate_host(const pl_certificate_watch *watch, int index, char *room, size_t size) {
    if (!watch->leaf) { return 0; }
    GENERAL_NAMES *names = tls.X509_get_ext_d2i(watch->leaf, NID_subject_alt_name, NULL, NULL);
    if (!names) { return 0; }
    size_t copied = 0;
    int count = tls.OPENSSL_sk_num((const OPENSSL_STACK *)names);
    for (int i = 0; i < count && copied == 0; i++) {
        copied = host_of(tls.OPENSSL_sk_value((const OPENSSL_STACK *)names, i), room, size);
        if (copied > 0 && index-- > 0) { copied = 0; }
    }
    tls.GENERAL_NAMES_free(names);
    return copied;
}
