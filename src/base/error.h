/* Why something failed, in words for people. A function that others call because people wait for it fills a struct error; below it, an
 * enum failure is enough. */
#ifndef DRAWBRIDGE_BASE_ERROR_H
#define DRAWBRIDGE_BASE_ERROR_H

#include <stdbool.h>

#include "base/failure.h"
#include "base/limits.h"

/* Set only when the function says that it failed. */
struct error {
    enum failure code;
    char text[LIMIT_ERROR_BYTES]; /* English, without a full stop, safe to print; it names the file or option that it is about */
};

/* Sets *error, cut to its room, and returns false. What is quoted from outside goes through escape_text (base/escape.h) before. */
bool error_set(struct error *error, enum failure code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
