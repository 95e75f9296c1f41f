/* What cel-go refuses when it plans an evaluation: conversions of constants that fail, patterns that are none, types that are no values. */
#ifndef DRAWBRIDGE_CEL_PLAN_H
#define DRAWBRIDGE_CEL_PLAN_H

#include "cel/library.h"
#include "cel/parse.h"
#include "cel/pattern.h"

/* For a tree without errors. *error is set to cel-go's words, in the arena or for ever, or to NULL: it can be evaluated. */
enum failure cel_plan(const struct cel_tree *tree, const struct cel_library *library, struct cel_patterns *patterns, struct arena *arena,
                      const char **error) MUST_USE;

#endif
