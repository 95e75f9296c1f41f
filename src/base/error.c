#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"

bool error_set(struct error *error, enum failure code, const char *format, ...)
{
    va_list arguments;
    error->code = code;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool error_set_system(struct error *error, const char *path, int number)
{
    return error_set(error, number == ENOMEM ? FAILURE_MEMORY : FAILURE_INPUT, "%s: %s", escape_text(path).text, strerror(number));
}
