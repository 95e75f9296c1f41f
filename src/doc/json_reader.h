/* Shared by the two files of the JSON reader: its state, and the tokens of the hot path. Functions that fail say why by json_fail. */
#ifndef DRAWBRIDGE_DOC_JSON_READER_H
#define DRAWBRIDGE_DOC_JSON_READER_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "doc/json.h"
#include "doc/limits.h"

/* An array or object whose end has not been read yet. */
struct json_level {
    struct doc_node *node;
    struct doc_node *last; /* newest element or member */
    const void *state;     /* of the schema; NULL: nothing is known below */
    const void *each;      /* the state of every element or member; NULL: ask schema->member */
    const struct doc_node *model; /* the next child of its model; NULL: it has none. See json_model.h */
    const void *last_state; /* of `last`, where it may be a model; else NULL */
    uint64_t seen;         /* fields read so far, one bit each */
    uint32_t unbound;      /* members that the schema gave no field */
    uint16_t field;        /* of the newest member */
    unsigned char close;   /* the bracket that ends it */
    bool may_mismatch;     /* something inside may have a wrong type */
    bool model_mismatches;  /* the same of its model */
    bool in_step;          /* each member so far has the name of one of its model's, in their order */
    bool is_items;         /* an array with the objects of a List; LIMIT_NODES holds for each of them */
};

struct json_reader {
    const unsigned char *start, *at, *end; /* source, next byte, after the last byte */
    const struct json_input *input;
    struct document *document;
    struct doc_error *error;
    enum failure failure;
    bool shares;                           /* values may share nodes: see json_model.h */
    ptrdiff_t same_shift;                  /* the text from where this was set to same_until is the same so many bytes before */
    const unsigned char *same_until;
    uint32_t nodes;                        /* so far; in the items of a List, of the newest object */
    struct json_level *level;              /* the innermost open one; levels[0] when none is open */
    struct json_level levels[1 + LIMIT_DEPTH]; /* levels[0] stands for the outside of the root */
};

_Static_assert(LIMIT_FIELDS <= 64, "level.seen has 64 bits");

/* The hot path: these functions run for nearly every token. Inlined into one another, they keep the next byte, *at, in a register. */
#define JSON_HOT static inline __attribute__((always_inline))

/* ---- json_text.c: the cold path. These functions begin at r->at or `at`, and leave r->at after what they have read ---- */

bool json_fail(struct json_reader *r, enum failure failure, const unsigned char *where, const char *message);

/* The same with FAILURE_SYNTAX. If `where` is the end of the text, the message is that it ends too early. */
bool json_fail_syntax(struct json_reader *r, const unsigned char *where, const char *message);

/* Skips white space. Returns the byte after it; 0 at the end. */
unsigned char json_skip_space(struct json_reader *r, const unsigned char *at);

/* Reads a string that begins at `start` and is plain up to `at`, where an escape or another special byte is. Returns { NULL, 0 } when it
 * failed. */
struct bytes json_read_special_string(struct json_reader *r, const unsigned char *at, const unsigned char *start, uint8_t *flags);

/* Checks the grammar of a number or word that begins with `next`. */
bool json_skip_scalar(struct json_reader *r, const unsigned char *at, unsigned char next);

/* Checks the grammar of any value, nested up to LIMIT_SKIPPED_DEPTH. */
bool json_skip_value(struct json_reader *r, const unsigned char *at);

/* Moves *at to the next byte that is not white space, and returns that byte; 0 at the end. */
JSON_HOT unsigned char json_peek(struct json_reader *r, const unsigned char **at)
{
    unsigned char next = *at < r->end ? **at : 0;
    if (next > ' ')
        return next;
    next = json_skip_space(r, *at); /* rare: programs write no white space */
    *at = r->at;
    return next;
}

/* ---- strings ---- */

#ifdef __SSE2__
/* One bit for each of 16 bytes, set if it is a quote, a backslash, a control character or not ASCII. The last two are, as signed numbers,
 * below a space. */
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
