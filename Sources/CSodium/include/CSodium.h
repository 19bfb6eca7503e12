// Facade over libsodium: password hashes, HMAC-SHA256, random bytes. Ints and bytes only.
#ifndef PINGLINE_CSODIUM_H
#define PINGLINE_CSODIUM_H

#include <stddef.h>
#include <stdint.h>

enum { PL_SODIUM_HASH_BYTES = 128, PL_SODIUM_MAC_BYTES = 32 };
// How much work a password hash is: a floor for tests, and what an interactive sign-in can bear (64 MiB, argon2id).
enum { PL_SODIUM_COST_LEAST = 0, PL_SODIUM_COST_INTERACTIVE = 1 };

// 0 when the library is ready. May be called any number of times, from any thread.
int pl_sodium_start(void);
// Writes a NUL-terminated hash with its own salt and cost. 0 on success, -1 when memory is short.
int pl_sodium_hash_password(char *hash, const char *password, size_t count, int cost);
// 1 when the password is the one that was hashed.
int pl_sodium_password_matches(const char *hash, const char *password, size_t count);
void pl_sodium_hmac_sha256(uint8_t *mac, const void *bytes, size_t count, const uint8_t *key, size_t key_count);
// Compares in a time that tells nothing of where the difference is.
int pl_sodium_equal(const void *one, const void *other, size_t count);
void pl_sodium_random(void *bytes, size_t count);

#endif
