/* Text from outside, such as file names, for messages: cut and escaped, without an arena. */
#ifndef DRAWBRIDGE_BASE_ESCAPE_H
#define DRAWBRIDGE_BASE_ESCAPE_H

#include "base/limits.h"

/* Four bytes for each byte of the text ("\x07"), "..." and the NUL. */
struct escaped {
    char text[4 * LIMIT_QUOTE_BYTES + 4];
};

/* At most LIMIT_QUOTE_BYTES of `text`. A longer text loses its middle, because paths and names differ at their ends. Characters that could
 * confuse a terminal or a log, and bytes that are not UTF-8, are escaped. */
struct escaped escape_text(const char *text);

#endif
