/* Which types fit which, with variables for what is not known yet: an empty list has elements of some type, which its use decides. */
#ifndef DRAWBRIDGE_CEL_UNIFY_H
#define DRAWBRIDGE_CEL_UNIFY_H

#include "cel/type.h"

/* What is known of the variables of one expression. */
struct cel_bindings {
    struct arena *arena;
    const struct cel_type **bound; /* by number; NULL: nothing is known */
    uint32_t count, capacity;
    struct cel_change *changes; /* of the bindings, so that a failed test leaves none */
    uint32_t change_count, change_capacity;
    uint32_t steps;       /* LIMIT_CEL_TYPE_STEPS */
    enum failure failure; /* sticky: no memory or a limit; answers are of no use then */
};

void cel_bindings_init(struct cel_bindings *bindings, struct arena *arena);

/* A new variable. */
const struct cel_type *cel_type_unknown(struct cel_bindings *bindings);

/* A type with parameters. */
const struct cel_type *cel_type_of(struct cel_bindings *bindings, enum cel_type_kind kind, const struct cel_type *first,
                                   const struct cel_type *second);

/* The types of a row with variables in place of its letters; `letters` holds those of this use, NULL at first. */
#define CEL_LETTERS 5
const struct cel_type *cel_type_of_row(struct cel_bindings *bindings, const struct cel_type *row,
                                       const struct cel_type *letters[CEL_LETTERS]);

/* The type with what is known of its variables; with `settled`, dyn for what is not known. */
const struct cel_type *cel_type_known(struct cel_bindings *bindings, const struct cel_type *type, bool settled);

/* Whether each of the types `from` can be used as its counterpart in `to`. If so, what follows for the variables is kept. */
bool cel_assignable(struct cel_bindings *bindings, const struct cel_type *const *from, const struct cel_type *const *to, unsigned count);

/* Whether `a` is `b` or more general. */
bool cel_more_general(struct cel_bindings *bindings, const struct cel_type *a, const struct cel_type *b);

/* Whether the types are the same. */
bool cel_type_same(struct cel_bindings *bindings, const struct cel_type *a, const struct cel_type *b);

/* Says that a variable is of that type. */
void cel_bind(struct cel_bindings *bindings, const struct cel_type *variable, const struct cel_type *type);

#endif
