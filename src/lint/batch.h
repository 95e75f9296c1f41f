/* Texts that are judged together: new ones, and older ones with which they are paired. */
#ifndef DRAWBRIDGE_LINT_BATCH_H
#define DRAWBRIDGE_LINT_BATCH_H

#include "lint/judge.h"

struct batch {
    const struct context *context; /* not owned, outlives the batch */
    struct judge_settings settings;
    struct arena arena, old_arena; /* of the sources; of older ones, and of names in their index */
    struct source_list {
        struct source *first, *last;
        uint32_t count;
    } sources, old;
    struct pairs pairs;
    struct objects *objects;
    uint64_t bytes;                /* of the texts and their trees, but for older ones */
    bool apart;                    /* there are too many objects: they are not held against each other any more */
    uint32_t paired;               /* older sources of which the objects are paired */
    uint32_t twice;                /* older objects that are there already: the first one counts */
};

/* An empty batch. batch_done is due in every case. */
void batch_init(struct batch *batch, const struct context *context, const struct judge_settings *settings);
void batch_done(struct batch *batch);

/* Reads `text` (at most LIMIT_BODY_BYTES; it and `name` outlive the batch) as one more source, or as an older one. Failures are those of
 * source_read, and leave the batch as it was. */
enum failure batch_add(struct batch *batch, const char *name, struct bytes text, struct source **source) MUST_USE;
enum failure batch_add_old(struct batch *batch, const char *name, struct bytes text, struct source **source) MUST_USE;

/* Forgets the source that was added last, or all but the older ones. */
void batch_forget_last(struct batch *batch);
void batch_clear(struct batch *batch);

/* Pairs objects with the older ones: after the last of these and before the first object is judged. */
enum failure batch_pair(struct batch *batch) MUST_USE;

/* Brings the objects of all sources together: after the last of them. */
enum failure batch_prepare(struct batch *batch) MUST_USE;

/* Judges one of the sources, together with all others, or by itself where batch_prepare was not called yet; sets
 * apart when the objects are too many for that. The report lives in the
 * worker's arena until its next clear. */
enum failure batch_judge(struct batch *batch, struct worker *worker, const struct source *source, struct report *report) MUST_USE;

#endif
