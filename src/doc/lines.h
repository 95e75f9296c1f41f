/* Turns byte offsets into lines and columns. */
#ifndef DRAWBRIDGE_DOC_LINES_H
#define DRAWBRIDGE_DOC_LINES_H

#include "base/bytes.h"
#include "base/failure.h"
#include "base/memory.h"

/* What is before a text that is a part of another. */
struct lines_before {
    uint64_t bytes;
    uint32_t lines, characters; /* whole lines, and characters after them */
};

/* Where the lines of a text begin. Lines end at LF. */
struct lines {
    const struct memory *memory; /* not owned */
    struct bytes source;         /* not owned */
    struct lines_before before;
    uint32_t *starts;            /* offset of every line; NULL until the first lines_find */
    uint32_t count;
    struct lines_mark *marks;    /* one for each MARK_BYTES of the source, so that columns of a very long line are found quickly */
};

struct position {
    uint64_t offset;    /* from 0, in bytes; as lines and columns, in the text of which this is a part */
    uint32_t line;      /* from 1 */
    uint32_t column;    /* from 1, in characters; a byte that is not UTF-8 counts one */
    struct bytes text;  /* of the line, without its end */
    uint32_t at;        /* bytes from the start of the line */
};

void lines_init(struct lines *lines, const struct memory *memory, struct bytes source);

/* The line and column of byte `offset`, at which a character begins, or which is the source's length. The first call reads the whole
 * source; each further call is a binary search and counts characters in at most 2 * MARK_BYTES. */
enum failure lines_find(struct lines *lines, uint32_t offset, struct position *position) MUST_USE;

void lines_done(struct lines *lines);

/* Adds a text to what is before the next one. */
void lines_pass(struct lines_before *before, struct bytes text);

#endif
