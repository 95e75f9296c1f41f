/* Inside the JSON reader: where it stands, and the tokens that it meets most. Functions that fail say why by json_fail. */
#ifndef DRAWBRIDGE_DOC_JSON_READER_H
#define DRAWBRIDGE_DOC_JSON_READER_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/limits.h"
#include "doc/json.h"

/* An array or object whose end has not been read yet. */
struct json_level {
    struct doc_node *node;
    struct doc_node *last;  /* newest element or member */
    const void *state;      /* the guide's; NULL: it knows nothing of what is inside */
    const void *each;       /* the guide's for all that is inside; NULL: it must be asked */
    uint64_t seen;          /* fields met so far, one bit each */
    uint32_t unbound;       /* members that the guide gave no field */
    uint16_t field;         /* of the newest member */
    unsigned char close;    /* bracket that ends it */
    bool doubtful;          /* something inside may be of a wrong type */
};

struct json_reader {
    const unsigned char *start, *at, *end; /* source, next byte, behind the last byte */
    const struct json_input *input;
    struct document *document;
    struct doc_error *error;
    enum failure failure;
    uint32_t nodes;
    struct json_level *level;              /* the innermost one that is open; before the first: none */
    struct json_level levels[1 + LIMIT_DEPTH]; /* from 1 on */
};

_Static_assert(LIMIT_FIELDS <= 64, "level.seen has 64 bits");

/* What is done for nearly every token keeps the place in the text, *at, in a register: such functions are made one. */
#define JSON_OFTEN static inline __attribute__((always_inline))

/* ---- json_text.c: what is rare, or needs a closer look. Begins at r->at or `at`, and leaves r->at behind what it read ---- */

bool json_fail(struct json_reader *r, enum failure failure, const unsigned char *where, const char *message);

/* Where that is the end, the text ends too early. */
bool json_fail_syntax(struct json_reader *r, const unsigned char *where, const char *message);

/* White space. Returns the byte behind it; 0 at the end. */
unsigned char json_skip_space(struct json_reader *r, const unsigned char *at);

/* A string with characters that need a closer look, from `at` on; what stands between `start` and there is plain. Without data
 * when it failed. */
struct bytes json_hard_string(struct json_reader *r, const unsigned char *at, const unsigned char *start, uint8_t *flags);

/* A number or word that begins with `next`; a value of any depth up to LIMIT_SKIPPED_DEPTH. Only the grammar is checked. */
bool json_skip_scalar(struct json_reader *r, const unsigned char *at, unsigned char next);
bool json_skip_value(struct json_reader *r, const unsigned char *at);

/* The next byte that is no white space, where *at is then; 0 at the end, where no token is. */
JSON_OFTEN unsigned char json_peek(struct json_reader *r, const unsigned char **at)
{
    unsigned char next = *at < r->end ? **at : 0;
    if (next > ' ')
        return next;
    next = json_skip_space(r, *at); /* programs write none */
    *at = r->at;
    return next;
}

/* ---- strings ---- */

#ifdef __SSE2__
/* One bit for each of 16 bytes: a quote, a backslash, or, as signed numbers below a space, a control character or not ASCII. */
static inline unsigned json_special_bytes(const unsigned char *at)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    __m128i others = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), others));
}
#endif

/* The first byte at or after `at` that is a quote, a backslash, a control character or not ASCII. */
static inline const unsigned char *json_scan_plain(const unsigned char *at, const unsigned char *end)
{
#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        unsigned special = json_special_bytes(at);
        if (special)
            return at + __builtin_ctz(special);
    }
#endif
    while (at < end && *at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\')
        at++;
    return at;
}

#endif
