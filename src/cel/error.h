/* The errors of an expression, in the words of cel-go, as people search for them. */
#ifndef DRAWBRIDGE_CEL_ERROR_H
#define DRAWBRIDGE_CEL_ERROR_H

#include "base/text.h"

#define CEL_NO_PLACE (UINT32_MAX - 1) /* the place of an error without one: -1:0 */

enum cel_error_kind {
    CEL_ERROR_OTHER,
    CEL_ERROR_SYNTAX,     /* of the grammar: its text begins with "Syntax error: " */
    CEL_ERROR_UNDECLARED, /* a name of nothing */
    CEL_ERROR_FIELD,      /* a type has no such field */
    CEL_ERROR_OVERLOAD,   /* types that a function or operator does not take */
};

struct cel_node;
struct cel_type;

struct cel_error {
    enum cel_error_kind kind;
    uint32_t offset;             /* bytes into the expression, CEL_NOWHERE (1:0) or CEL_NO_PLACE */
    const struct cel_node *node; /* what it is about; NULL where the tree does not say */
    const char *text;            /* in the arena or for ever */
};

struct cel_errors {
    struct arena *arena;
    struct cel_error *list; /* in the order in which they were found; at most LIMIT_CEL_ERRORS */
    uint32_t count;
    enum failure failure; /* sticky: no memory, or a limit of the compiler */
};

void cel_errors_init(struct cel_errors *errors, struct arena *arena);

/* Adds an error; a text NULL (of text_end()) means that there was no memory. What is beyond LIMIT_CEL_ERRORS is left out. */
void cel_error_put(struct cel_errors *errors, struct cel_error error);
void cel_error_add(struct cel_errors *errors, enum cel_error_kind kind, uint32_t offset, const char *text);

/* The same about a node, at its place. */
void cel_error_add_node(struct cel_errors *errors, enum cel_error_kind kind, const struct cel_node *node, const char *text);

/* The same: "expected type 'bool' but found 'int'". */
void cel_error_add_mismatch(struct cel_errors *errors, const struct cel_node *node, const struct cel_type *expected,
                            const struct cel_type *found);

/* Sorts by line and column; errors at one place stay in their order. An error without a place comes first, then 1:0. */
void cel_errors_sort(struct cel_errors *errors);

/* Line and column of an offset, from 1 as they are printed: columns count characters. CEL_NOWHERE is 1:0, CEL_NO_PLACE -1:0. */
void cel_place(struct bytes expression, uint32_t offset, int *line, int *column);

#endif
