/* What the estimate of costs knows while it goes through a tree. Sums saturate at CEL_UNKNOWN, which stands for "not known", too; factors
 * are taken in doubles, as cel-go does. */
#ifndef DRAWBRIDGE_CEL_ESTIMATOR_H
#define DRAWBRIDGE_CEL_ESTIMATOR_H

#include "cel/cost_numbers.h"
#include "cel/cost_path.h"
#include "cel/node.h"

struct cel_size {
    uint64_t min, max;
};

/* What is in a value: the sizes of its keys and values, or of its elements. */
struct cel_content {
    struct cel_size keys, values;
    bool list;
};

/* What is known of a node. */
struct cel_facts {
    bool sized, filled;
    struct cel_size size;
    struct cel_content content;
    struct cel_path *path; /* NULL: none */
};

struct cel_variable {
    struct bytes name;
    struct cel_path *path;
    bool sized, filled;
    struct cel_size size;
    struct cel_content content;
    const struct cel_variable *outer;
};

struct cel_estimator {
    const struct cel_library *library;
    struct arena *arena;
    struct cel_facts *facts;
    uint64_t *costs;
    const struct cel_variable *variables; /* innermost first */
    bool failed;                      /* no memory */
};

/* A call of one overload: what it is called with, and what is found out. */
struct cel_call {
    struct cel_estimator *estimator;
    const struct cel_node *node;
    const struct cel_node *arguments[CEL_ARGUMENTS_MAX];
    struct cel_size sizes[CEL_ARGUMENTS_MAX];
    unsigned count;
    bool sized;
    struct cel_size result;
};

/* ---- what is known ---- */

struct cel_facts *cel_facts_of(const struct cel_estimator *estimator, const struct cel_node *node);
const struct cel_variable *cel_variable_of(const struct cel_estimator *estimator, const struct cel_node *node);
struct cel_path *cel_path_of(const struct cel_estimator *estimator, const struct cel_node *node);
struct cel_path *cel_extended(struct cel_estimator *estimator, const struct cel_path *path, struct bytes part);
/* The content of a node; NULL: not known. */
const struct cel_content *cel_content_of(const struct cel_estimator *estimator, const struct cel_node *node);
void cel_keep_content(struct cel_estimator *estimator, const struct cel_node *node, const struct cel_content *content);
void cel_keep_size(struct cel_estimator *estimator, const struct cel_node *node, struct cel_size size);
struct cel_size cel_size_of(struct cel_estimator *estimator, const struct cel_node *node);
/* The most that an element of the list may have, by its path. */
uint64_t cel_element_size(struct cel_estimator *estimator, const struct cel_node *list);

/* What calling that overload costs. Sets call->result where the size of the result is known. */
uint64_t cel_cost_of_overload(struct cel_call *call, enum cel_cost cost);

/* ---- sizes ---- */

static inline struct cel_size cel_size_either(struct cel_size a, struct cel_size b)
{
    return (struct cel_size){ cel_smaller(a.min, b.min), cel_larger(a.max, b.max) };
}

static inline struct cel_size cel_size_sum(struct cel_size a, struct cel_size b)
{
    return (struct cel_size){ cel_sum(a.min, b.min), cel_sum(a.max, b.max) };
}

static inline struct cel_size cel_size_square(struct cel_size size)
{
    return (struct cel_size){ cel_product(size.min, size.min), cel_product(size.max, size.max) };
}

#endif
