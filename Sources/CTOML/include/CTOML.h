#ifndef PINGLINE_CTOML_H
#define PINGLINE_CTOML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What an item is. A date or a time of day is PL_TOML_OTHER.
enum {
    PL_TOML_TABLE = 0,
    PL_TOML_ARRAY = 1,
    PL_TOML_STRING = 2,
    PL_TOML_INTEGER = 3,
    PL_TOML_REAL = 4,
    PL_TOML_BOOLEAN = 5,
    PL_TOML_OTHER = 6
};

/// Why a text is no TOML. The library's own words are kept back: they may quote the text.
enum { PL_TOML_MALFORMED = 1, PL_TOML_DUPLICATE = 2, PL_TOML_ENCODING = 3, PL_TOML_NO_MEMORY = 4 };

/// One node of the document. Parents come before their children; the root is the first item and its own
/// parent. Lines and columns count from 1; 0 says the library does not know.
typedef struct {
    size_t parent;
    int kind;
    uint32_t line;
    uint32_t column;
    const char *key;  // not terminated; NULL in an array and for the root
    size_t key_count;
    const char *text;  // of a string; not terminated
    size_t text_count;
    int64_t integer;  // of an integer, and 0 or 1 of a boolean
    double real;
} pl_toml_item;

typedef struct {
    int reason;
    uint32_t line;
    uint32_t column;
} pl_toml_error;

typedef struct pl_toml_document pl_toml_document;

/// Reads a whole text. NULL on failure, with `error` filled. Free the document with pl_toml_free; its items
/// live as long as it does.
pl_toml_document *pl_toml_parse(const char *text, size_t count, pl_toml_error *error);
size_t pl_toml_count(const pl_toml_document *document);
const pl_toml_item *pl_toml_items(const pl_toml_document *document);
void pl_toml_free(pl_toml_document *document);

#ifdef __cplusplus
}
#endif

#endif
