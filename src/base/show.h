/* Foreign text in a message: cut and escaped, without an arena. For what people typed, names of files above all. */
#ifndef DRAWBRIDGE_BASE_SHOW_H
#define DRAWBRIDGE_BASE_SHOW_H

#include "base/limits.h"

/* Four bytes for each byte that is shown ("\x07"), "..." and the NUL. */
struct shown {
    char text[4 * LIMIT_ECHO_BYTES + 4];
};

/* At most LIMIT_ECHO_BYTES of `text`: the middle is left out of a long one, as paths and names differ at their ends; characters
 * that could confuse a terminal or a log, and bytes that are not UTF-8, are escaped. */
struct shown show_text(const char *text);

#endif
