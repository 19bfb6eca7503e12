#include "include/CSodium.h"

#include <sodium.h>

_Static_assert(PL_SODIUM_HASH_BYTES >= crypto_pwhash_STRBYTES, "room for a hash");
_Static_assert(PL_SODIUM_MAC_BYTES == crypto_auth_hmacsha256_BYTES, "room for a code");

int pl_sodium_start(void) { return sodium_init() < 0 ? -1 : 0; }

int pl_sodium_hash_password(char *hash, const char *password, size_t count, int cost) {
    unsigned long long passes =
        cost == PL_SODIUM_COST_LEAST ? crypto_pwhash_argon2id_OPSLIMIT_MIN : crypto_pwhash_OPSLIMIT_INTERACTIVE;
    size_t memory =
        cost == PL_SODIUM_COST_LEAST ? crypto_pwhash_argon2id_MEMLIMIT_MIN : crypto_pwhash_MEMLIMIT_INTERACTIVE;
    return crypto_pwhash_str_alg(hash, password, count, passes, memory, crypto_pwhash_ALG_ARGON2ID13);
}

int pl_sodium_password_matches(const char *hash, const char *password, size_t count) {
    return crypto_pwhash_str_verify(hash, password, count) == 0;
}

void pl_sodium_hmac_sha256(uint8_t *mac, const void *bytes, size_t count, const uint8_t *key, size_t key_count) {
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key, key_count);
    crypto_auth_hmacsha256_update(&state, bytes, count);
    crypto_auth_hmacsha256_final(&state, mac);
    sodium_memzero(&state, sizeof state);
}

int pl_sodium_equal(const void *one, const void *other, size_t count) {
    return sodium_memcmp(one, other, count) == 0;
}

void pl_sodium_random(void *bytes, size_t count) { randombytes_buf(bytes, count); }
