#include "base/show.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

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

struct shown show_text(const char *text)
{
    struct shown shown;
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
