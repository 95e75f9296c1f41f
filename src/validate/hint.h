/* Hints: guesses what to write instead, for people. */
#ifndef DRAWBRIDGE_VALIDATE_HINT_H
#define DRAWBRIDGE_VALIDATE_HINT_H

#include "check/report.h"

/* A function for check_request.hint. Sets the hint and, if requested, the fix, in the workspace's arena; neither when there is no guess, or
 * the object has more than LIMIT_HINTS findings. */
void hint_add(struct evaluation *eval, const struct hint *about, struct finding *finding);

/* The hint at what a template stands for. */
extern const char hint_of_template[];

/* "message; hint", in the workspace's arena; "" where there is no memory. */
const char *hint_finding_words(struct workspace *workspace, const struct finding *finding);

#endif
