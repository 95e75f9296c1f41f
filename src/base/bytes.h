/* Strings with a length. Text of a document may contain any byte, NUL too, and is not NUL-terminated. */
#ifndef DRAWBRIDGE_BASE_BYTES_H
#define DRAWBRIDGE_BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct bytes {
    const char *data; /* not owned; NULL only where length is 0 */
    uint32_t length;  /* bytes */
};

/* A string literal as a constant, for static initialisers. */
#define BYTES(literal) { (literal), sizeof(literal) - 1 }

static inline struct bytes bytes_of(const char *text)
{
    return (struct bytes){ text, (uint32_t)strlen(text) };
}

static inline bool bytes_equal(struct bytes a, struct bytes b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

/* Compares byte for byte, as strcmp does: below 0, 0 or above 0 when a sorts before b, equals it or sorts after it. */
static inline int bytes_compare(struct bytes a, struct bytes b)
{
    uint32_t common = a.length < b.length ? a.length : b.length;
    int order = common ? memcmp(a.data, b.data, common) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

/* Takes the next line off a text, without its line feed. */
static inline struct bytes bytes_take_line(struct bytes *text)
{
    const char *end = text->length ? (const char *)memchr(text->data, '\n', text->length) : NULL;
    struct bytes line = { text->data, end ? (uint32_t)(end - text->data) : text->length };
    uint32_t taken = line.length + (end != NULL);
    *text = (struct bytes){ text->data + taken, text->length - taken };
    return line;
}

static inline bool bytes_equal_text(struct bytes a, const char *text)
{
    return bytes_equal(a, bytes_of(text));
}

#endif
