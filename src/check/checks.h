/* Inside check/: the checks of relations.c, for the table in checks.c; and what they stand on. */
#ifndef DRAWBRIDGE_CHECK_CHECKS_H
#define DRAWBRIDGE_CHECK_CHECKS_H

#include "check/run.h"

typedef bool check_function(struct run *run, struct place *place, const struct check *check);

check_function check_sorted, check_unique_numbers, check_holds, check_compare, check_on_grid, check_disjoint, check_exact_items, check_sum_items, check_matches,
    check_reference, check_json_object, check_json_pair, check_names_object, check_whole, check_also_in;

/* ---- index.c: what can be named, built once for each judgement ---- */

struct index {
    const struct index *next;
    const void *what;         /* the row that asks */
    struct set set;
};

/* The names that a reference allows; NULL with a sticky failure. */
const struct index *index_of_names(struct run *run, const struct place *place, const struct reference *reference);

/* The objects of the list at `path` from the root, by the texts of some members. */
const struct index *index_of_objects(struct run *run, const struct place *place, const char *path, const char *const *members);

/* The texts of these members, so that no two different ones are alike; unset is "". */
struct bytes index_key(struct run *run, const struct shape *shape, const struct doc_node *object, const char *const *members);

#endif
