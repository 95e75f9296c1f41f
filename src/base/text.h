/* A string builder in an arena. Failure is sticky: append, append, check once at the end. */
#ifndef DRAWBRIDGE_BASE_TEXT_H
#define DRAWBRIDGE_BASE_TEXT_H

#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"

struct text {
    struct arena *arena; /* not owned */
    char *data;          /* in the arena */
    size_t length, capacity;
    bool failed; /* the arena failed; further text is ignored */
};

void text_init(struct text *text, struct arena *arena);
void text_add(struct text *text, const char *string);
void text_add_bytes(struct text *text, struct bytes bytes);
void text_add_integer(struct text *text, int64_t value);

/* Appends text from outside for people to read: at most `limit` bytes in whole characters, then "..." if something is left out. Characters
 * that could confuse a terminal or a log, and bytes that are not UTF-8, are escaped. */
void text_add_escaped(struct text *text, struct bytes bytes, size_t limit);

/* The same in double quotes, with quotes and backslashes escaped. */
void text_add_quoted(struct text *text, struct bytes bytes, size_t limit);

/* Appends a path as the path of a URI: percent-encoded, but for letters, digits and - . _ ~ / */
void text_add_uri_path(struct text *text, const char *path);

/* The text so far, NUL-terminated, owned by the arena. NULL when any step failed. */
const char *text_end(struct text *text) MUST_USE;

#endif
