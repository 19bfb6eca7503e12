#include "CCrypto.h"

#include <openssl/evp.h>

int pl_sha1(const void *bytes, size_t count, uint8_t out[20]) {
    return EVP_Digest(bytes, count, out, NULL, EVP_sha1(), NULL) == 1;
}

int pl_sha256(const void *bytes, size_t count, uint8_t out[32]) {
    return EVP_Digest(bytes, count, out, NULL, EVP_sha256(), NULL) == 1;
}

static EVP_MD_CTX *context(pl_sha256_state *state) { return (EVP_MD_CTX *)state; }

pl_sha256_state *pl_sha256_new(void) {
    EVP_MD_CTX *made = EVP_MD_CTX_new();
    if (made == NULL) { return NULL; }
    if (EVP_DigestInit_ex(made, EVP_sha256(), NULL) != 1) {
        EVP_MD_CTX_free(made);
        return NULL;
    }
    return (pl_sha256_state *)made;
}

int pl_sha256_update(pl_sha256_state *state, const void *bytes, size_t count) {
    return EVP_DigestUpdate(context(state), bytes, count) == 1;
}

int pl_sha256_finish(pl_sha256_state *state, uint8_t out[32]) {
    return EVP_DigestFinal_ex(context(state), out, NULL) == 1;
}

void pl_sha256_free(pl_sha256_state *state) { EVP_MD_CTX_free(context(state)); }
