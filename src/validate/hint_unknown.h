/* Inside validate/: the part of hint.c about unknown fields. */
#ifndef DRAWBRIDGE_VALIDATE_HINT_UNKNOWN_H
#define DRAWBRIDGE_VALIDATE_HINT_UNKNOWN_H

#include "validate/fix.h"

/* Adds what is known of an unknown field. Returns whether anything is. */
bool hint_unknown_field(struct guess *guess);

#endif
