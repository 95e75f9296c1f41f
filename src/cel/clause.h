/* "%d of %s", what format() fills: its clauses, as the API server checks and as an evaluation uses them. */
#ifndef DRAWBRIDGE_CEL_CLAUSE_H
#define DRAWBRIDGE_CEL_CLAUSE_H

#include "base/text.h"
#include "cel/type.h"

/* What a clause can print, by the kind of the value. */
struct cel_clause {
    char letter;
    unsigned kinds; /* bits 1 << enum cel_type_kind */
    const char *words;
};

struct cel_format {
    struct bytes text;
    uint32_t at;    /* what is left begins here */
    uint32_t count; /* elements to fill it with */
    uint32_t used;
    /* The last clause: of the element `used` - 1. */
    const struct cel_clause *clause;
    int64_t precision; /* of %.3f; -1: none */
};

enum cel_format_step { CEL_FORMAT_CLAUSE, CEL_FORMAT_END, CEL_FORMAT_BAD };

/* Goes to the next clause. Appends the text before it to `text`, if that is not NULL, and what is wrong to `error`, in cel-go's words. */
enum cel_format_step cel_format_next(struct cel_format *format, struct text *text, struct text *error);

static inline bool cel_clause_takes(const struct cel_clause *clause, enum cel_type_kind kind)
{
    return clause->kinds >> kind & 1;
}

/* Appends what is wrong where it does not. */
void cel_clause_refuse(const struct cel_clause *clause, struct bytes type, struct text *error);

#endif
