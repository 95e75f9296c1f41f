/* Did you mean …: finds the name that a typing error was meant to be. */
#ifndef DRAWBRIDGE_BASE_NEAR_H
#define DRAWBRIDGE_BASE_NEAR_H

#include "base/text.h"

enum {
    NEAR_EDITS = 2,  /* inserted, removed, changed or exchanged characters between a typing error and the name that was meant */
    NEAR_BYTES = 64, /* of a name; longer ones are near to nothing, so a comparison takes at most 64 * 64 steps */
};

/* The nearest candidate so far. Every edit needs three characters of the candidate, so a short name is near to nothing. */
struct nearest {
    struct bytes wanted, found; /* found.data is NULL while no candidate was near */
    unsigned distance;          /* edits, case ignored */
};

/* Takes the candidate if it is nearer than those before it. */
void near_consider(struct nearest *nearest, struct bytes candidate);

/* Adds 'did you mean "x"?': the one wording of it where there is an arena. */
void near_add_words(struct text *text, struct bytes meant);

/* Whether one text may be a typing error of the other: equal, or at most NEAR_EDITS edits away, case ignored. */
bool near_is_typo(struct bytes a, struct bytes b);

/* Whether the name of an object is a typing error of another name that is given, rather than the name of another object. */
bool near_is_name_typo(struct bytes name, struct bytes given);

/* An ASCII letter in lower case; any other character as it is. */
char near_lower(char c);

#endif
