#ifndef PINGLINE_CCRYPTO_H
#define PINGLINE_CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// Digests by libcrypto. Every function returns 1 on success and 0 when the library refused (no memory, or a
/// policy that forbids the algorithm).
int pl_sha1(const void *bytes, size_t count, uint8_t out[20]);
int pl_sha256(const void *bytes, size_t count, uint8_t out[32]);

/// A SHA-256 fed in parts. Free it with pl_sha256_free; NULL when there is no memory.
typedef struct pl_sha256_state pl_sha256_state;
pl_sha256_state *pl_sha256_new(void);
int pl_sha256_update(pl_sha256_state *state, const void *bytes, size_t count);
int pl_sha256_finish(pl_sha256_state *state, uint8_t out[32]);
void pl_sha256_free(pl_sha256_state *state);

#endif
