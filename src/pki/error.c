/* Words for failures. What is quoted from outside, paths above all, is cut and escaped before. */
#include <stdarg.h>
#include <stdio.h>

#include <openssl/err.h>

#include "pki/pki.h"

bool pki_fail(struct error *error, const char *format, ...)
{
    va_list arguments;
    error->code = FAILURE_INPUT;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    ERR_clear_error();
    return false;
}

bool pki_fail_memory(struct error *error, const char *doing, const char *file)
{
    (void)pki_fail(error, "cannot %s %s: out of memory", doing, escape_text(file).text);
    error->code = FAILURE_MEMORY;
    return false;
}

bool pki_fail_openssl(struct error *error, const char *doing)
{
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    (void)pki_fail(error, "cannot %s: %s", doing, reason ? reason : "out of memory");
    error->code = reason ? FAILURE_INPUT : FAILURE_MEMORY;
    return false;
}

bool pki_out_of_memory(void)
{
    bool found = false;
    for (unsigned long code; (code = ERR_get_error());)
        found = found || ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
    return found;
}
