/* Inside check/: fast paths that skip values which break no row. -DNO_FAST_PATHS turns them off. */
#ifndef DRAWBRIDGE_CHECK_SKIP_H
#define DRAWBRIDGE_CHECK_SKIP_H

#include "check/evaluation.h"

/* True when the value certainly breaks no check of the shape, nor any below. False proves nothing: then the walk runs the checks. */
bool skip_value(struct evaluation *eval, const struct shape *shape, const struct doc_node *node);

/* The same of a member that is no object, list or map: neither the checks of its field nor those of its shape. */
bool skip_member(const struct evaluation *eval, const struct field *field, const struct doc_node *member);

/* The same for these checks only. */
bool skip_checks(const struct evaluation *eval, const struct shape *shape, const struct check *checks, const struct doc_node *node);

#endif
