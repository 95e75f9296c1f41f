/* API versions that an API server has, but does not serve by default: lint says so once for each. */
#ifndef DRAWBRIDGE_CLI_SERVED_H
#define DRAWBRIDGE_CLI_SERVED_H

#include "schema/gate.h"
#include "schema/kind.h"

enum { SERVED_NOTES = 16 }; /* more API versions in one run are not named */

struct served_notes {
    const struct kind *kinds[SERVED_NOTES]; /* the first of each API version */
    unsigned count;
};

/* Takes note of an object's kind, if the API server of that version serves no API version of it by default. */
void served_note(struct served_notes *notes, const struct kind *kind, minor version);

/* Prints a line for each API version on standard error. */
void served_print(const struct served_notes *notes, const struct gate_settings *gates, minor version);

#endif
