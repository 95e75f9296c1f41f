#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"

void text_init(struct text *text, struct arena *arena)
{
    *text = (struct text){ .arena = arena };
}

static bool reserve(struct text *text, size_t more)
{
    if (text->failed)
        return false;
    if (more <= text->capacity - text->length)
        return true;
    size_t capacity = text->capacity * 2 + more + 64;
    char *data = arena_text(text->arena, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    if (text->length)
        memcpy(data, text->data, text->length);
    text->data = data;
    text->capacity = capacity;
    return true;
}

void text_add_bytes(struct text *text, struct bytes bytes)
{
    if (bytes.length == 0 || !reserve(text, bytes.length))
        return;
    memcpy(text->data + text->length, bytes.data, bytes.length);
    text->length += bytes.length;
}

void text_add(struct text *text, const char *string)
{
    text_add_bytes(text, bytes_of(string));
}

void text_add_integer(struct text *text, int64_t value)
{
    char digits[20], *end = digits + sizeof digits, *at = end; /* not by snprintf(), which takes many times as long */
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do
        *--at = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0)
        *--at = '-';
    text_add_bytes(text, (struct bytes){ at, (uint32_t)(end - at) });
}

/* A backslash, a letter, and `digits` hexadecimal digits. */
static void add_escape(struct text *text, char letter, int digits, uint32_t value)
{
    char escape[16];
    snprintf(escape, sizeof escape, "\\%c%0*" PRIx32, letter, digits, value);
    text_add(text, escape);
}

/* A character, escaped where needed. */
static void add_character(struct text *text, struct bytes character, uint32_t code, bool quoted)
{
    if (code == '\n')
        text_add(text, "\\n");
    else if (code == '\t')
        text_add(text, "\\t");
    else if (quoted && (code == '"' || code == '\\'))
        text_add(text, code == '"' ? "\\\"" : "\\\\");
    else if (utf8_unsafe(code))
        add_escape(text, code > 0xFFFF ? 'U' : 'u', code > 0xFFFF ? 8 : 4, code);
    else
        text_add_bytes(text, character);
}

static void add_safe(struct text *text, struct bytes bytes, size_t limit, bool quoted)
{
    const unsigned char *at = (const unsigned char *)bytes.data;
    size_t left = bytes.length, written = 0;
    while (left) {
        uint32_t code = 0;
        unsigned length = utf8_decode(at, left, &code);
        if (written + (length ? length : 1) > limit) {
            text_add(text, "...");
            return;
        }
        if (length == 0) {
            add_escape(text, 'x', 2, *at);
            length = 1;
        } else {
            add_character(text, (struct bytes){ (const char *)at, length }, code, quoted);
        }
        at += length;
        left -= length;
        written += length;
    }
}

void text_add_escaped(struct text *text, struct bytes bytes, size_t limit)
{
    add_safe(text, bytes, limit, false);
}

void text_add_quoted(struct text *text, struct bytes bytes, size_t limit)
{
    text_add(text, "\"");
    add_safe(text, bytes, limit, true);
    text_add(text, "\"");
}

void text_add_uri_path(struct text *text, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    for (; *path; path++) {
        char code[4];
        snprintf(code, sizeof code, "%%%02X", (unsigned char)*path);
        text_add_bytes(text, strchr(plain, *path) ? (struct bytes){ path, 1 } : bytes_of(code));
    }
}

const char *text_end(struct text *text)
{
    if (!reserve(text, 1))
        return NULL;
    text->data[text->length] = '\0';
    if (text->data + text->capacity == text->arena->at) { /* nothing came after it: its room is there for others */
        text->capacity = text->length + 1;
        text->arena->at = text->data + text->capacity;
    }
    return text->data;
}
