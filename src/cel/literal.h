/* Literals: their values, or what is wrong with them. */
#ifndef DRAWBRIDGE_CEL_LITERAL_H
#define DRAWBRIDGE_CEL_LITERAL_H

#include "base/arena.h"
#include "cel/node.h"
#include "cel/token.h"

/* Reads a token that is a literal, with a minus before it or not. Texts are those of the expression, or in the arena. Returns NULL, or what
 * is wrong in cel-go's words. Without memory the value is none, and the arena has failed. */
const char *cel_literal_read(enum cel_token_type type, struct bytes text, bool negative, struct arena *arena, struct cel_literal *literal);

#endif
