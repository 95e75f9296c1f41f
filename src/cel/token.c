#include <stddef.h>

#include "cel/limits.h"
#include "cel/token.h"

/* The readings of what stands at one place. The longest counts, and the first of those that are equally long. */
struct readings {
    const char *start, *limit;
    const char *end;          /* of the longest token; NULL: none yet */
    enum cel_token_kind kind; /* of that */
    const char *stopped;      /* the farthest character at which one went wrong */
};

static const char *const names[] = {
#define CEL_TOKEN_ROW(id, name) name,
    CEL_TOKEN_ROWS(CEL_TOKEN_ROW)
#undef CEL_TOKEN_ROW
};

const char *cel_token_name(enum cel_token_kind kind)
{
    return names[kind];
}

static void accept(struct readings *readings, const char *end, enum cel_token_kind kind)
{
    if (readings->end && end <= readings->end)
        return;
    readings->end = end;
    readings->kind = kind;
}

static void stop(struct readings *readings, const char *at)
{
    if (at > readings->stopped)
        readings->stopped = at;
}

/* ---- characters ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_escaped_word(char c)
{
    return is_word(c) || c == '.' || c == '-' || c == '/' || c == ' ';
}

/* Either case of a small letter. */
static bool is_letter(const struct readings *readings, const char *at, char letter)
{
    return at < readings->limit && (*at == letter || *at == letter - 'a' + 'A');
}

static bool is_at(const struct readings *readings, const char *at, char c)
{
    return at < readings->limit && *at == c;
}

/* The end of the characters of a class from `at` on; of `count` of them at most. */
static const char *skip(const struct readings *readings, const char *at, size_t count, bool (*belongs)(char))
{
    while (count-- && at < readings->limit && belongs(*at))
        at++;
    return at;
}

/* ---- numbers ---- */

static void read_integer(struct readings *readings, const char *end)
{
    accept(readings, end, CEL_TOKEN_INT);
    if (is_letter(readings, end, 'u'))
        accept(readings, end + 1, CEL_TOKEN_UINT);
}

/* From the end of the digits on. */
static void read_exponent(struct readings *readings, const char *at)
{
    if (!is_letter(readings, at, 'e'))
        return;
    const char *digits = at + 1;
    if (is_at(readings, digits, '+') || is_at(readings, digits, '-'))
        digits++;
    const char *end = skip(readings, digits, SIZE_MAX, is_digit);
    if (end > digits)
        accept(readings, end, CEL_TOKEN_FLOAT);
}

/* A number may be part of a longer one that goes wrong later: 0x is 0 and a name, 1e+ is 1, a name and a plus, 5. is 5 and a dot. */
static void read_number(struct readings *readings)
{
    const char *start = readings->start, *point = skip(readings, start, SIZE_MAX, is_digit);
    if (point > start) {
        read_integer(readings, point);
        read_exponent(readings, point);
    }
    if (*start == '0' && is_at(readings, start + 1, 'x')) {
        const char *end = skip(readings, start + 2, SIZE_MAX, is_hex);
        if (end > start + 2)
            read_integer(readings, end);
    }
    if (is_at(readings, point, '.')) {
        const char *end = skip(readings, point + 1, SIZE_MAX, is_digit);
        if (end == point + 1)
            return;
        accept(readings, end, CEL_TOKEN_FLOAT);
        read_exponent(readings, end);
    }
}

/* ---- strings ---- */

/* From a backslash on. Moves *at to the end of the escape; where it is wrong, to the character that is, and returns false. */
static bool read_escape(const struct readings *readings, const char **at)
{
    static const char plain[] = { 'a', 'b', 'f', 'n', 'r', 't', 'v', '"', '\'', '\\', '?', '`' };
    const char *code = ++*at;
    if (code == readings->limit)
        return false;
    bool hex = *code == 'x' || *code == 'X' || *code == 'u' || *code == 'U', octal = *code >= '0' && *code <= '3';
    if (!hex && !octal && !memchr(plain, *code, sizeof plain))
        return false;
    ptrdiff_t digits = octal ? 2 : !hex ? 0 : *code == 'U' ? 8 : *code == 'u' ? 4 : 2;
    *at = skip(readings, code + 1, (size_t)digits, octal ? is_octal : is_hex);
    return *at - (code + 1) == digits;
}

/* Whether `width` quotes stand there. */
static bool is_quote(const struct readings *readings, const char *at, char quote, int width)
{
    return is_at(readings, at, quote) && (width == 1 || (is_at(readings, at + 1, quote) && is_at(readings, at + 2, quote)));
}

/* From the quote on, of which there are one or three: only between three there may be ends of lines. */
static void read_quoted(struct readings *readings, enum cel_token_kind kind, const char *quote, int width, bool raw)
{
    const char *at = quote + width;
    bool good = true;
    while (good && at < readings->limit && !is_quote(readings, at, *quote, width)) {
        if (width == 1 && (*at == '\n' || *at == '\r'))
            good = false;
        else if (raw || *at != '\\')
            at++;
        else
            good = read_escape(readings, &at);
    }
    if (good && at < readings->limit)
        accept(readings, at + width, kind);
    else
        stop(readings, at);
}

/* b and r may stand before the quote, in this order. If they are part of no string, they are a name. */
static void read_string(struct readings *readings)
{
    const char *at = readings->start;
    bool bytes = is_letter(readings, at, 'b');
    at += bytes;
    bool raw = is_letter(readings, at, 'r');
    at += raw;
    if (!is_at(readings, at, '"') && !is_at(readings, at, '\''))
        return;
    read_quoted(readings, bytes ? CEL_TOKEN_BYTES : CEL_TOKEN_STRING, at, 1, raw);
    if (is_quote(readings, at, *at, 3))
        read_quoted(readings, bytes ? CEL_TOKEN_BYTES : CEL_TOKEN_STRING, at, 3, raw);
}

/* How many bytes stand before the quotes, and how many quotes. */
static uint32_t prefix_length(struct cel_token token)
{
    uint32_t length = 0;
    while (token.text.data[length] != '"' && token.text.data[length] != '\'')
        length++;
    return length;
}

struct bytes cel_token_quoted(struct cel_token token)
{
    uint32_t prefix = prefix_length(token), length = token.text.length - prefix;
    const char *quotes = token.text.data + prefix;
    uint32_t width = length >= 6 && quotes[1] == *quotes && quotes[2] == *quotes ? 3 : 1;
    return (struct bytes){ quotes + width, length - 2 * width };
}

bool cel_token_is_raw(struct cel_token token)
{
    uint32_t prefix = prefix_length(token);
    return prefix && (token.text.data[prefix - 1] == 'r' || token.text.data[prefix - 1] == 'R');
}

/* ---- words and signs ---- */

/* Signs of one character, by that; 0, which is no such sign, where there is none. */
static const uint8_t signs[128] = {
    ['<'] = CEL_TOKEN_LESS,         ['>'] = CEL_TOKEN_GREATER,       ['['] = CEL_TOKEN_LEFT_BRACKET,     [']'] = CEL_TOKEN_RIGHT_BRACKET,
    ['{'] = CEL_TOKEN_LEFT_BRACE,   ['}'] = CEL_TOKEN_RIGHT_BRACE,   ['('] = CEL_TOKEN_LEFT_PARENTHESIS, [')'] = CEL_TOKEN_RIGHT_PARENTHESIS,
    ['.'] = CEL_TOKEN_DOT,          [','] = CEL_TOKEN_COMMA,         ['-'] = CEL_TOKEN_MINUS,            ['!'] = CEL_TOKEN_NOT,
    ['?'] = CEL_TOKEN_QUESTION,     [':'] = CEL_TOKEN_COLON,         ['+'] = CEL_TOKEN_PLUS,             ['*'] = CEL_TOKEN_STAR,
    ['/'] = CEL_TOKEN_SLASH,        ['%'] = CEL_TOKEN_PERCENT,
};

static const struct {
    char text[2];
    enum cel_token_kind kind;
} pairs[] = {
    { { '=', '=' }, CEL_TOKEN_EQUAL },         { { '!', '=' }, CEL_TOKEN_NOT_EQUAL }, { { '<', '=' }, CEL_TOKEN_LESS_EQUAL },
    { { '>', '=' }, CEL_TOKEN_GREATER_EQUAL }, { { '&', '&' }, CEL_TOKEN_AND },       { { '|', '|' }, CEL_TOKEN_OR },
};

/* A single =, & or | is none, and takes the character after it along: that is where it went wrong. */
static void read_sign(struct readings *readings)
{
    unsigned char first = (unsigned char)*readings->start;
    if (first < sizeof signs && signs[first])
        accept(readings, readings->start + 1, signs[first]);
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (first == pairs[i].text[0] && is_at(readings, readings->start + 1, pairs[i].text[1]))
            accept(readings, readings->start + 2, pairs[i].kind);
    if (first == '=' || first == '&' || first == '|')
        stop(readings, readings->start + 1);
}

static const struct {
    struct bytes text;
    enum cel_token_kind kind;
} keywords[] = {
    { BYTES("in"), CEL_TOKEN_IN }, { BYTES("true"), CEL_TOKEN_TRUE }, { BYTES("false"), CEL_TOKEN_FALSE }, { BYTES("null"), CEL_TOKEN_NULL },
};

static void read_word(struct readings *readings)
{
    const char *end = skip(readings, readings->start, SIZE_MAX, is_word);
    struct bytes word = { readings->start, (uint32_t)(end - readings->start) };
    for (unsigned i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (bytes_equal(word, keywords[i].text))
            accept(readings, end, keywords[i].kind);
    accept(readings, end, CEL_TOKEN_IDENTIFIER);
}

static void read_escaped_word(struct readings *readings)
{
    const char *end = skip(readings, readings->start + 1, SIZE_MAX, is_escaped_word);
    if (end > readings->start + 1 && is_at(readings, end, '`'))
        accept(readings, end + 1, CEL_TOKEN_ESCAPED_IDENTIFIER);
    else
        stop(readings, end);
}

/* ---- the lexer ---- */

struct cel_lexer cel_lexer(struct bytes expression)
{
    uint32_t length = expression.length <= LIMIT_CEL_BYTES ? expression.length : 0;
    return (struct cel_lexer){ expression.data, expression.data + length };
}

static void skip_space(struct cel_lexer *lexer)
{
    static const char space[] = { ' ', '\t', '\r', '\n', '\f' };
    while (lexer->at < lexer->end) {
        if (memchr(space, *lexer->at, sizeof space))
            lexer->at++;
        else if (lexer->end - lexer->at > 1 && lexer->at[0] == '/' && lexer->at[1] == '/')
            while (lexer->at < lexer->end && *lexer->at != '\n')
                lexer->at++;
        else
            return;
    }
}

/* The end of the character at `at`: bytes of UTF-8 that continue it belong to it. */
static const char *character_end(const char *at, const char *end)
{
    if (at < end)
        at++;
    while (at < end && ((unsigned char)*at & 0xC0) == 0x80)
        at++;
    return at;
}

struct cel_token cel_token_next(struct cel_lexer *lexer)
{
    skip_space(lexer);
    struct readings readings = { .start = lexer->at, .limit = lexer->end, .kind = CEL_TOKEN_ERROR, .stopped = lexer->at };
    if (lexer->at == lexer->end)
        return (struct cel_token){ CEL_TOKEN_END, { lexer->at, 0 } };
    char first = *lexer->at;
    if (is_digit(first) || first == '.')
        read_number(&readings);
    else if (is_word(first))
        read_word(&readings);
    else if (first == '`')
        read_escaped_word(&readings);
    if (is_letter(&readings, lexer->at, 'b') || is_letter(&readings, lexer->at, 'r') || first == '"' || first == '\'')
        read_string(&readings);
    if (!readings.end)
        read_sign(&readings);
    lexer->at = readings.end ? readings.end : character_end(readings.stopped, lexer->end);
    return (struct cel_token){ readings.kind, { readings.start, (uint32_t)(lexer->at - readings.start) } };
}
