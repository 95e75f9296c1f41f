/* Answers to the rows of rules/cross/ that ask which devices of a set are for the requests of its claims. */
#ifndef DRAWBRIDGE_MATCH_IN_SET_H
#define DRAWBRIDGE_MATCH_IN_SET_H

#include "validate/matcher.h"

extern const struct matcher match_in_set;

#endif
