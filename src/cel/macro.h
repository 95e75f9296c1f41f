/* Macros: calls that become something else before anything is checked. */
#ifndef DRAWBRIDGE_CEL_MACRO_H
#define DRAWBRIDGE_CEL_MACRO_H

#include "cel/build.h"

/* A call as it is written: its name, what it is called on (NULL: nothing), its arguments, the place of its parenthesis. */
struct cel_written_call {
    struct bytes name;
    struct cel_node *receiver;
    struct cel_node **arguments;
    uint32_t count, offset;
};

/* What a call expands to, if it is a macro's: a new node, or the error that its arguments are. NULL: it is an ordinary call. */
struct cel_node *cel_macro_expand(struct cel_builder *b, const struct cel_written_call *call);

#endif
