/* Puts rows into words: what a check asks for and when, in English clauses. */
#ifndef DRAWBRIDGE_SCHEMA_WORDS_H
#define DRAWBRIDGE_SCHEMA_WORDS_H

#include "base/text.h"
#include "schema/shape.h"

/* What the check asks for, without its DETAIL: "must be one of a, b". */
void words_add_check(struct text *text, const struct check *check);

/* A condition: "spec.x is set"; negated: the contrary. Nothing for TRAIT, which the kind decides. */
void words_add_predicate(struct text *text, const struct predicate *predicate, bool negated);

/* The maximum length of a text of that format; 0 where the format does not say. */
int64_t words_format_bytes(enum format format);

#endif
