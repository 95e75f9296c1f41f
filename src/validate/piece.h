/* Cuts a large text of manifests into pieces, each of which is read as a source: documents, or some of the items of a List. So what is read
 * of it can be given back piece by piece. */
#ifndef DRAWBRIDGE_VALIDATE_PIECE_H
#define DRAWBRIDGE_VALIDATE_PIECE_H

#include "doc/cut.h"
#include "doc/lines.h"
#include "doc/manifest.h"
#include "validate/source.h"

struct cutter {
    struct cut_text text;
    size_t at;                   /* of the next piece */
    struct lines_before before;  /* of it */
    const struct context *context; /* not owned */
    bool json, items;            /* what is at `at` */
    struct cut_list list;        /* with `items`: whose they are */
    struct heading heading;      /* of them, in the arena */
    struct arena arena;
    bool uncut;                  /* a piece has more than LIMIT_PIECE_BYTES, because it could not be cut */
};

/* The text outlives the cutter and the pieces. `passed` is as in struct cut_text. Pieces live as long as the cutter. */
void cutter_init(struct cutter *cutter, const struct context *context, const char *data, size_t length,
                 void (*passed)(void *self, size_t to), void *self);
void cutter_done(struct cutter *cutter);

/* Sets *piece to the next one. False: there is none. */
bool cutter_next(struct cutter *cutter, struct piece *piece);

#endif
