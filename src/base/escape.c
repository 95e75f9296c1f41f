#include "base/escape.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* The text so far, NUL-terminated. */
struct output {
    char *text;
    size_t length, room;
};

/* The letter of an escape, and its hexadecimal digits. */
static void add_number(struct output *output, char letter, int digits, uint32_t number)
{
    output->length += (size_t)snprintf(output->text + output->length, output->room - output->length, "\\%c%0*x", letter, digits, number);
}

static void add_bytes(struct output *output, const char *bytes, size_t length)
{
    memcpy(output->text + output->length, bytes, length);
    output->length += length;
    output->text[output->length] = '\0';
}

/* Adds the `length` bytes at `at`, escaped, at most four bytes for each. */
static void add_escaped(struct output *output, const char *at, size_t length)
{
    while (length) {
        uint32_t code = 0;
        unsigned size = utf8_decode((const unsigned char *)at, length, &code);
        if (size == 0 || (size == 1 && utf8_unsafe(code))) {
            add_number(output, 'x', 2, (unsigned char)*at);
            size = 1;
        } else if (utf8_unsafe(code)) {
            add_number(output, code > 0xFFFF ? 'U' : 'u', code > 0xFFFF ? 8 : 4, code);
        } else {
            add_bytes(output, at, size);
        }
        at += size;
        length -= size;
    }
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

struct escaped escape_text(const char *text)
{
    struct escaped escaped = { "" };
    struct output output = { escaped.text, 0, sizeof escaped.text };
    size_t length = strlen(text);
    if (length <= LIMIT_QUOTE_BYTES) {
        add_escaped(&output, text, length);
        return escaped;
    }
    size_t head = LIMIT_QUOTE_BYTES / 3, tail = length - (LIMIT_QUOTE_BYTES - head);
    while (head && is_continuation(text[head]))
        head--;
    while (tail < length && is_continuation(text[tail]))
        tail++;
    add_escaped(&output, text, head);
    add_bytes(&output, "...", 3);
    add_escaped(&output, text + tail, length - tail);
    return escaped;
}
