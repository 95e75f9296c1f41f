/* From byte offsets to lines and columns, for people. */
#ifndef DRAWBRIDGE_DOC_LINES_H
#define DRAWBRIDGE_DOC_LINES_H

#include "base/bytes.h"
#include "base/failure.h"
#include "base/memory.h"

/* Where the lines of a text begin. Lines end at LF. */
struct lines {
    const struct memory *memory; /* not owned */
    struct bytes source;         /* not owned */
    uint32_t *starts;            /* of every line; NULL until the first question */
    uint32_t count;
    struct lines_mark *marks;    /* one for each MARK_BYTES of the source, so that no column is counted from far away */
};

struct position {
    uint32_t line;      /* from 1 */
    uint32_t column;    /* from 1, in characters; a byte that is not UTF-8 counts one */
    struct bytes text;  /* of the line, without its end */
    uint32_t at;        /* bytes from the start of the line */
};

void lines_init(struct lines *lines, const struct memory *memory, struct bytes source);

/* The place of byte `offset`, where a character begins, or the source's length. Questions in rising order cost together one pass. */
enum failure lines_find(struct lines *lines, uint32_t offset, struct position *position) MUST_USE;

void lines_done(struct lines *lines);

#endif
