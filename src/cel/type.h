/* Types of CEL. */
#ifndef DRAWBRIDGE_CEL_TYPE_H
#define DRAWBRIDGE_CEL_TYPE_H

#include "base/text.h"

enum cel_type_kind {
    CEL_ERROR, /* of a node with an error; compatible with everything, so that errors do not follow from errors */
    CEL_DYN,   /* known when the expression is evaluated */
    CEL_ANY,   /* google.protobuf.Any: as dyn, and still another type */
    CEL_BOOL, CEL_INT, CEL_UINT, CEL_DOUBLE, CEL_STRING, CEL_BYTES, CEL_NULL, CEL_TIMESTAMP, CEL_DURATION,
    CEL_LIST,      /* of parameter 0 */
    CEL_MAP,       /* from parameter 0 to parameter 1 */
    CEL_TYPE,      /* the type of a type; parameter 0, if any, is that */
    CEL_OPTIONAL,  /* of parameter 0 */
    CEL_WRAPPER,   /* parameter 0 or null */
    CEL_OPAQUE,    /* by name, without fields: net.IP */
    CEL_STRUCT,    /* by name, perhaps with fields: kubernetes.Quantity */
    CEL_VARIABLE,  /* of a function's type, or of what is not known yet; by number */
};

struct cel_type {
    enum cel_type_kind kind;
    bool open;             /* there is a variable in it */
    uint32_t variable;     /* of CEL_VARIABLE: in a row its letter, in an expression its number */
    const char *name;      /* of CEL_OPAQUE and CEL_STRUCT: an address of a row, so that equal names may be different addresses. Of
                            * CEL_DYN, open then: a letter that stands for any type for ever, as in the type that a name has */
    const struct cel_type *parameters[2]; /* NULL: none */
};

/* How many parameters types of that kind have. CEL_TYPE: one at most. */
unsigned cel_type_parameters(enum cel_type_kind kind);

/* Appends the type as errors of the checker write it (any, duration, null), or as results are written (google.protobuf.Any,
 * google.protobuf.Duration, null_type). Stops after LIMIT_CEL_TYPE_TEXT bytes with "...". */
void cel_type_text(struct text *text, const struct cel_type *type, bool result);

#endif
