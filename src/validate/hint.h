/* Hints: guesses what to write instead, for people. */
#ifndef DRAWBRIDGE_VALIDATE_HINT_H
#define DRAWBRIDGE_VALIDATE_HINT_H

#include "check/report.h"

/* A function for check_request.hint. Returns the hint, in the workspace's arena; NULL when there is no guess, or the object has more than
 * LIMIT_HINTS findings. */
const char *hint_text(struct evaluation *eval, const struct hint *about);

/* "message; hint", in the workspace's arena; "" where there is no memory. */
const char *hint_finding_words(struct workspace *workspace, const struct finding *finding);

/* Whether a text looks like a template: it contains {{ or ${, or begins with $NAME. */
bool hint_is_template(struct bytes text);

#endif
