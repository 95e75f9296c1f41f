#include "cel/literal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"

/* ---- numbers ---- */

static unsigned digit_of(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

/* Digits, hexadecimal ones after 0x. False: too many for 64 bits. */
static bool read_whole(struct bytes text, uint64_t *value)
{
    bool hex = text.length > 2 && text.data[1] == 'x';
    *value = 0;
    for (uint32_t i = hex ? 2 : 0; i < text.length; i++)
        if (__builtin_mul_overflow(*value, hex ? 16u : 10u, value) || __builtin_add_overflow(*value, digit_of(text.data[i]), value))
            return false;
    return true;
}

static const char *read_int(struct bytes text, bool negative, int64_t *value)
{
    uint64_t magnitude;
    if (!read_whole(text, &magnitude) || magnitude > (uint64_t)INT64_MAX + negative)
        return "invalid int literal";
    *value = (int64_t)(negative ? -magnitude : magnitude);
    return NULL;
}

static const char *read_uint(struct bytes text, uint64_t *value)
{
    return read_whole((struct bytes){ text.data, text.length - 1 }, value) ? NULL : "invalid uint literal";
}

/* strtod() gets the number without its point, which is another one in other locales: 1.25e3 as 125e1. */
static const char *read_double(struct bytes text, bool negative, struct arena *arena, double *value)
{
    enum { EXPONENT_ROOM = 32, EXPONENT_MAX = 1000000 };
    char *plain = arena_text(arena, text.length + EXPONENT_ROOM);
    uint32_t length = 0, i = 0;
    int64_t exponent = 0, written = 0;
    bool fraction = false;
    *value = 0;
    if (!plain)
        return NULL;
    for (; i < text.length && (text.data[i] | 0x20) != 'e'; i++) {
        if (text.data[i] != '.')
            plain[length++] = text.data[i];
        exponent -= fraction;
        fraction = fraction || text.data[i] == '.';
    }
    bool minus = i + 1 < text.length && text.data[i + 1] == '-';
    for (i += minus || (i + 1 < text.length && text.data[i + 1] == '+') ? 2 : 1; i < text.length; i++)
        written = written < EXPONENT_MAX ? written * 10 + (int64_t)digit_of(text.data[i]) : written;
    snprintf(plain + length, EXPONENT_ROOM, "e%" PRId64, exponent + (minus ? -written : written));
    *value = strtod(plain, NULL);
    arena_take_back(arena, plain);
    if (isinf(*value))
        return "invalid double literal";
    if (negative)
        *value = -*value;
    return NULL;
}

/* ---- texts ---- */

/* The character that a letter stands for after a backslash, or 0. */
static char simple_escape(char c)
{
    switch (c) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    case '\\': case '\'': case '"': case '`': case '?': return c;
    }
    return 0;
}

/* What is in the quotes. */
static struct bytes inner_text(struct bytes text, bool *raw)
{
    while (text.data[0] != '"' && text.data[0] != '\'') { /* prefixes */
        *raw = (text.data[0] | 0x20) == 'r';
        text = (struct bytes){ text.data + 1, text.length - 1 };
    }
    uint32_t quotes = text.length >= 6 && text.data[1] == text.data[0] && text.data[2] == text.data[0] ? 3 : 1;
    return (struct bytes){ text.data + quotes, text.length - 2 * quotes };
}

/* Writes the character of an escape that is a number at `out`. *at is after the backslash, and then after the escape. */
static const char *read_numeric_escape(struct bytes text, uint32_t *at, bool bytes, char **out)
{
    char c = text.data[*at];
    bool octal = c >= '0' && c <= '3', byte = octal || (c | 0x20) == 'x';
    uint32_t digits = octal ? 3 : byte ? 2 : c == 'u' ? 4 : 8, code = 0;
    if (bytes && !byte)
        return "unable to unescape string";
    for (*at += !octal; digits; digits--)
        code = code * (octal ? 8 : 16) + digit_of(text.data[(*at)++]);
    if (bytes)
        *(*out)++ = (char)code;
    else if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return "invalid unicode code point";
    else
        *out += utf8_encode(code, *out);
    return NULL;
}

/* Line ends become line feeds, escapes what they stand for. No escape is shorter than what it stands for. */
static const char *unescape(struct bytes text, bool raw, bool bytes, char *out, struct bytes *value)
{
    char *start = out;
    for (uint32_t i = 0; i < text.length;) {
        char c = text.data[i++];
        if (c == '\r') {
            *out++ = '\n';
            i += i < text.length && text.data[i] == '\n';
        } else if (c != '\\' || raw) {
            *out++ = c;
        } else if (simple_escape(text.data[i])) {
            *out++ = simple_escape(text.data[i++]);
        } else {
            const char *wrong = read_numeric_escape(text, &i, bytes, &out);
            if (wrong)
                return wrong;
        }
    }
    *value = (struct bytes){ start, (uint32_t)(out - start) };
    return NULL;
}

static const char *read_text(struct bytes text, bool bytes, struct arena *arena, struct bytes *value)
{
    bool raw = false;
    *value = inner_text(text, &raw);
    bool plain = !value->length || (!memchr(value->data, '\r', value->length) && (raw || !memchr(value->data, '\\', value->length)));
    char *out = plain ? NULL : arena_text(arena, value->length);
    return out ? unescape(*value, raw, bytes, out, value) : NULL;
}

const char *cel_literal_read(enum cel_token_type type, struct bytes text, bool negative, struct arena *arena, struct cel_literal *literal)
{
    switch (type) {
    case CEL_TOKEN_TRUE:
    case CEL_TOKEN_FALSE:
        *literal = (struct cel_literal){ .type = CEL_BOOL, .boolean = type == CEL_TOKEN_TRUE };
        return NULL;
    case CEL_TOKEN_INT:
        literal->type = CEL_INT;
        return read_int(text, negative, &literal->integer);
    case CEL_TOKEN_UINT:
        literal->type = CEL_UINT;
        return read_uint(text, &literal->unsigned_integer);
    case CEL_TOKEN_FLOAT:
        literal->type = CEL_DOUBLE;
        return read_double(text, negative, arena, &literal->number);
    case CEL_TOKEN_STRING:
    case CEL_TOKEN_BYTES:
        literal->type = type == CEL_TOKEN_BYTES ? CEL_BYTES : CEL_STRING;
        return read_text(text, type == CEL_TOKEN_BYTES, arena, &literal->text);
    default:
        literal->type = CEL_NULL;
        return NULL;
    }
}
