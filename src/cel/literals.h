/* What the API server asks of literals after the types are right: lists and maps of one type, texts that can be converted, regular
 * expressions, clauses of format(). */
#ifndef DRAWBRIDGE_CEL_LITERALS_H
#define DRAWBRIDGE_CEL_LITERALS_H

#include "cel/error.h"
#include "cel/parse.h"
#include "cel/pattern.h"

/* For a tree that was checked without an error. Adds errors with cel-go's words. Returns errors->failure. */
enum failure cel_check_literals(const struct cel_tree *tree, struct cel_patterns *patterns, struct cel_errors *errors) MUST_USE;

/* The same for the clauses of one call of format(): a text literal and a list literal. */
void cel_check_format(struct cel_errors *errors, const struct cel_node *call);

#endif
