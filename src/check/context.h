/* What judgements share, and what each thread has of its own. */
#ifndef DRAWBRIDGE_CHECK_CONTEXT_H
#define DRAWBRIDGE_CHECK_CONTEXT_H

#include "base/arena.h"
#include "base/set.h"
#include "check/outline.h"
#include "value/format.h"

/* Shared by all threads; does not change, but for patterns that are compiled when first needed. */
struct context {
    const struct memory *memory; /* not owned */
    struct formats *formats;
    struct set_key key;
};

/* One thread's working space. What a judgement returns lives in its arena, until the next worker_clear. */
struct worker {
    const struct context *context; /* not owned, outlives the worker */
    struct arena arena;
    struct arena scratch; /* of one check that asks about other objects; cleared after it */
    struct matcher *matcher;
    struct outlines outlines;
};

/* FAILURE_MEMORY; FAILURE_LIMIT when the system has no random numbers to give. Nothing needs freeing after a failure. */
enum failure context_init(struct context *context, const struct memory *memory) MUST_USE;
void context_done(struct context *context);

enum failure worker_init(struct worker *worker, const struct context *context) MUST_USE;
void worker_clear(struct worker *worker);
void worker_done(struct worker *worker);

#endif
