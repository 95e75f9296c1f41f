/* The steps of a search for those who print them: they outlive the attempt. */
#ifndef DRAWBRIDGE_ALLOCATE_STEPS_WORDS_H
#define DRAWBRIDGE_ALLOCATE_STEPS_WORDS_H

#include "allocate/attempt.h"

struct allocate_told {
    uint32_t depth;      /* devices that are taken already */
    uint32_t count;      /* devices one after the other with which the same happens; 1 without a device, too */
    const char *request; /* "gpu", "gpu/large", or "claim.gpu" if there are several claims; NULL: it is about a pool */
    const char *device;  /* the first of them, by driver, pool and name; NULL: it is about the request */
    const char *move;    /* see allocate_move_name() */
    const char *refused; /* see allocate_refused_name(); NULL: nothing is refused */
    const char *text;    /* all of it in words */
};

struct allocate_story {
    const struct allocate_told *list;
    uint32_t count;
    uint64_t more; /* steps that are not in the list */
};

/* The steps that the attempt has told, in words that the arena owns. */
enum failure allocate_steps_describe(const struct allocate_attempt *attempt, const struct allocate_steps *steps, struct arena *arena,
                                     struct allocate_story *story) MUST_USE;

#endif
