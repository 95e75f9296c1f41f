#include "base/escape.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Writes the `length` bytes at `at` to `out`, escaped, at most four bytes for each. Returns where the NUL is. */
static char *add_escaped(char *out, const char *at, size_t length)
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

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

struct escaped escape_text(const char *text)
{
    struct escaped escaped;
    size_t length = strlen(text);
    if (length <= LIMIT_QUOTE_BYTES) {
        add_escaped(escaped.text, text, length);
        return escaped;
    }
    size_t head = LIMIT_QUOTE_BYTES / 3, tail = length - (LIMIT_QUOTE_BYTES - head);
    while (head && is_continuation(text[head]))
        head--;
    while (tail < length && is_continuation(text[tail]))
        tail++;
    char *out = add_escaped(escaped.text, text, head);
    add_escaped(stpcpy(out, "..."), text + tail, length - tail);
    return escaped;
}
