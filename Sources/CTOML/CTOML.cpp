#include "CTOML.h"

#include <exception>

namespace {

/// The library met what it was sure not to meet.
struct given_up : std::exception {};

[[noreturn]] void give_up() { throw given_up(); }

}  // namespace

// Some files (`[[[`) break what the library asserts. It would end the program then or, built without assertions, go on
// as if it were so; here it gives the file up.
#undef NDEBUG
#define TOML_ASSERT(expr) ((expr) ? static_cast<void>(0) : give_up())
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <memory>
#include <string_view>
#include <vector>

struct pl_toml_document {
    toml::table root;
    std::vector<pl_toml_item> items;
};

namespace {

void append(std::vector<pl_toml_item> &items, size_t parent, const toml::key *key, const toml::node &node) {
    const size_t own = items.size();
    pl_toml_item item{};
    item.parent = parent;
    item.kind = PL_TOML_OTHER;
    // A value is best looked for where its key stands: a table's own place may be another header.
    const auto place = key != nullptr ? key->source().begin : node.source().begin;
    item.line = place.line;
    item.column = place.column;
    if (key != nullptr) {
        item.key = key->str().data();
        item.key_count = key->str().size();
    }
    if (const auto *string = node.as_string()) {
        item.kind = PL_TOML_STRING;
        item.text = string->get().data();
        item.text_count = string->get().size();
    } else if (const auto *integer = node.as_integer()) {
        item.kind = PL_TOML_INTEGER;
        item.integer = integer->get();
    } else if (const auto *real = node.as_floating_point()) {
        item.kind = PL_TOML_REAL;
        item.real = real->get();
    } else if (const auto *boolean = node.as_boolean()) {
        item.kind = PL_TOML_BOOLEAN;
        item.integer = boolean->get() ? 1 : 0;
    } else if (node.is_table()) {
        item.kind = PL_TOML_TABLE;
    } else if (node.is_array()) {
        item.kind = PL_TOML_ARRAY;
    }
    items.push_back(item);
    if (const auto *table = node.as_table()) {
        for (const auto &entry : *table) { append(items, own, &entry.first, entry.second); }
    } else if (const auto *array = node.as_array()) {
        for (const auto &element : *array) { append(items, own, nullptr, element); }
    }
}

int reason(std::string_view description) {
    if (description.find("redefine") != std::string_view::npos) { return PL_TOML_DUPLICATE; }
    if (description.find("utf-8") != std::string_view::npos) { return PL_TOML_ENCODING; }
    return PL_TOML_MALFORMED;
}

bool is_given_up(std::string_view text) {
    try {
        (void)toml::parse(text);
        return false;
    } catch (const given_up &) { return true; }
}

/// The line, from 1, with which the library gives up: it reads from the front, so halves tell.
uint32_t fault_line(std::string_view text) {
    std::vector<size_t> ends;
    for (size_t index = 0; index < text.size(); index++) {
        if (text[index] == '\n') { ends.push_back(index + 1); }
    }
    ends.push_back(text.size());
    size_t first = 0, last = ends.size() - 1;
    while (first < last) {
        const size_t middle = (first + last) / 2;
        if (is_given_up(text.substr(0, ends[middle]))) { last = middle; } else { first = middle + 1; }
    }
    return static_cast<uint32_t>(first + 1);
}

}  // namespace

static pl_toml_document *parse(const char *text, size_t count, pl_toml_error *error) {
    auto parsed = toml::parse(std::string_view(text, count));
    if (!parsed) {
        const auto &place = parsed.error().source().begin;
        *error = {reason(parsed.error().description()), place.line, place.column};
        return nullptr;
    }
    auto made = std::make_unique<pl_toml_document>();
    made->root = std::move(parsed).table();
    append(made->items, 0, nullptr, made->root);
    return made.release();
}

pl_toml_document *pl_toml_parse(const char *text, size_t count, pl_toml_error *error) {
    try {
        return parse(text, count, error);
    } catch (const given_up &) {
        *error = {PL_TOML_MALFORMED, fault_line(std::string_view(text, count)), 1};
        return nullptr;
    } catch (const std::exception &) {  // nothing may be thrown into C and Swift
        *error = {PL_TOML_NO_MEMORY, 0, 0};
        return nullptr;
    }
}

size_t pl_toml_count(const pl_toml_document *document) { return document->items.size(); }
const pl_toml_item *pl_toml_items(const pl_toml_document *document) { return document->items.data(); }
void pl_toml_free(pl_toml_document *document) { delete document; }
