/* From syntax to tree. */
#ifndef DRAWBRIDGE_CEL_TREE_H
#define DRAWBRIDGE_CEL_TREE_H

#include "cel/parse.h"
#include "cel/syntax.h"

/* Builds the tree of an expression that was read, perhaps with errors; adds the errors that cel-go's walk of it finds. */
void cel_tree_build(struct bytes text, const struct cel_token *tokens, const struct cel_macro *macros, unsigned version,
                    const struct cel_syntax *syntax, struct cel_errors *errors, struct cel_tree *tree);

#endif
