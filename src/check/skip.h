/* Inside check/: fast paths that skip values which break no row. -DNO_FAST_PATHS turns them off. */
#ifndef DRAWBRIDGE_CHECK_SKIP_H
#define DRAWBRIDGE_CHECK_SKIP_H

#include "check/evaluation.h"

/* True when the value certainly breaks no check of the shape, nor any below. False proves nothing: then the walk runs the checks. */
bool skip_value(struct evaluation *eval, const struct shape *shape, const struct doc_node *node);

/* The same for these checks only. */
bool skip_checks(const struct evaluation *eval, const struct shape *shape, const struct check *checks, const struct doc_node *node);

/* True when two values of one shape are certainly the same, so that a check gives the same result for both. False for values with objects
 * or lists further down. */
bool skip_same(const struct doc_node *a, const struct doc_node *b);

static inline struct last_clean *last_clean_slot(struct evaluation *eval, const void *row)
{
    return &eval->last_clean[(uintptr_t)row / 32 % LAST_CLEAN_SLOTS]; /* compilers align large constants to 32 bytes */
}

/* Remembers a list or map in which the row found nothing wrong. */
static inline void last_clean_keep(struct evaluation *eval, const void *row, const struct doc_node *container)
{
    if (container && container->count)
        *last_clean_slot(eval, row) = (struct last_clean){ row, container };
}

/* The first element of the last list or map in which the row found nothing wrong; NULL: there is none. */
static inline const struct doc_node *last_clean_first(struct evaluation *eval, const void *row)
{
    const struct last_clean *last = last_clean_slot(eval, row);
    return last->row == row ? last->container->first : NULL;
}

/* The element after that one. */
static inline const struct doc_node *last_clean_next(const struct doc_node *element)
{
    return element ? element->next : NULL;
}

#endif
