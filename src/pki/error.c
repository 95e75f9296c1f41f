/* Errors as texts for people. What is quoted from outside, paths above all, is cut and escaped before. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <openssl/err.h>

#include "base/utf8.h"
#include "pki/pki.h"

bool pki_fail(struct pki_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    ERR_clear_error();
    return false;
}

bool pki_fail_openssl(struct pki_error *error, const char *doing)
{
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    return pki_fail(error, "cannot %s: %s", doing, reason ? reason : "out of memory");
}

bool pki_out_of_memory(void)
{
    bool found = false;
    for (unsigned long code; (code = ERR_get_error());)
        found = found || ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
    return found;
}

/* Appends `length` bytes at `at`, escaped, four bytes for each at most. Returns the end, where the NUL is. */
static char *add_shown(char *out, const char *at, size_t length)
{
    while (length) {
        uint32_t code = 0;
        unsigned size = utf8_decode((const unsigned char *)at, length, &code);
        if (size == 0 || (size == 1 && utf8_unsafe(code))) {
            out += sprintf(out, "\\x%02x", (unsigned char)*at);
            size = 1;
        } else if (utf8_unsafe(code)) {
            out += sprintf(out, code > 0xFFFF ? "\\U%08x" : "\\u%04x", code);
        } else {
            memcpy(out, at, size);
            out += size;
        }
        at += size;
        length -= size;
    }
    *out = '\0';
    return out;
}

static bool inside_character(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* A path begins and ends with what tells it from others, so both ends stay; the end gets two thirds. */
struct pki_shown pki_show(const char *text)
{
    struct pki_shown shown;
    size_t length = strlen(text);
    if (length <= LIMIT_ECHO_BYTES) {
        add_shown(shown.text, text, length);
        return shown;
    }
    size_t head = LIMIT_ECHO_BYTES / 3, tail = length - (LIMIT_ECHO_BYTES - head);
    while (head && inside_character(text[head]))
        head--;
    while (tail < length && inside_character(text[tail]))
        tail++;
    char *out = add_shown(shown.text, text, head);
    add_shown(stpcpy(out, "..."), text + tail, length - tail);
    return shown;
}
