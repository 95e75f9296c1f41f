#include "cel/token.h"

static int peek(struct bytes text, uint32_t at)
{
    return at < text.length ? (unsigned char)text.data[at] : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(int c)
{
    return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

static bool is_letter(int c)
{
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
}

static bool is_part_of_identifier(int c)
{
    return is_letter(c) || is_digit(c);
}

static uint32_t behind_hidden(struct bytes text, uint32_t at)
{
    for (;;) {
        int c = peek(text, at);
        if (c == '/' && peek(text, at + 1) == '/') {
            while (at < text.length && text.data[at] != '\n')
                at++;
        } else if (c == ' ' || (c >= '\t' && c <= '\r' && c != '\v')) {
            at++;
        } else {
            return at;
        }
    }
}

static struct cel_token token_of(enum cel_token_type type, uint32_t start, uint32_t end)
{
    return (struct cel_token){ start, end - start, type };
}

/* Text from `start` to the character at `dead`, which fits no token. */
static struct cel_token error_to(struct bytes text, uint32_t start, uint32_t dead)
{
    uint32_t end = dead;
    if (end < text.length) {
        do
            end++;
        while ((peek(text, end) & 0xC0) == 0x80 && end < text.length);
    }
    return token_of(CEL_TOKEN_ERROR, start, end);
}

/* ---- words and numbers ---- */

static enum cel_token_type word_type(const char *word, uint32_t length)
{
    if (length == 2 && memcmp(word, "in", 2) == 0)
        return CEL_TOKEN_IN;
    if (length == 4 && memcmp(word, "true", 4) == 0)
        return CEL_TOKEN_TRUE;
    if (length == 4 && memcmp(word, "null", 4) == 0)
        return CEL_TOKEN_NULL;
    if (length == 5 && memcmp(word, "false", 5) == 0)
        return CEL_TOKEN_FALSE;
    return CEL_TOKEN_IDENTIFIER;
}

static uint32_t behind_digits(struct bytes text, uint32_t at)
{
    while (is_digit(peek(text, at)))
        at++;
    return at;
}

/* Behind an exponent, or where none begins. */
static uint32_t behind_exponent(struct bytes text, uint32_t at)
{
    if ((peek(text, at) | 0x20) != 'e')
        return at;
    int sign = peek(text, at + 1);
    uint32_t digits = at + 1 + (sign == '+' || sign == '-');
    return is_digit(peek(text, digits)) ? behind_digits(text, digits) : at;
}

static struct cel_token number(struct bytes text, uint32_t start)
{
    uint32_t at = start;
    if (peek(text, at) == '0' && peek(text, at + 1) == 'x' && is_hex(peek(text, at + 2))) {
        for (at += 2; is_hex(peek(text, at)); at++)
            ;
    } else {
        at = behind_digits(text, at);
        uint32_t whole = at;
        if (peek(text, at) == '.' && is_digit(peek(text, at + 1)))
            at = behind_digits(text, at + 1);
        at = behind_exponent(text, at);
        if (at > whole)
            return token_of(CEL_TOKEN_FLOAT, start, at);
    }
    if ((peek(text, at) | 0x20) == 'u')
        return token_of(CEL_TOKEN_UINT, start, at + 1);
    return token_of(CEL_TOKEN_INT, start, at);
}

/* ---- texts ---- */

/* Goes on over `count` digits. */
static bool skip_digits(struct bytes text, uint32_t *at, unsigned count, bool (*fits)(int))
{
    while (count--)
        if (!fits(peek(text, ++*at)))
            return false;
    return true;
}

static bool is_octal(int c)
{
    return c >= '0' && c <= '7';
}

/* Goes on to the last character of an escape, whose backslash is at *at. False: *at is the character that does not fit. */
static bool skip_escape(struct bytes text, uint32_t *at)
{
    int c = peek(text, ++*at);
    if (c >= '0' && c <= '3')
        return skip_digits(text, at, 2, is_octal);
    if (c == 'x' || c == 'X' || c == 'u' || c == 'U')
        return skip_digits(text, at, c == 'u' ? 4 : c == 'U' ? 8 : 2, is_hex);
    return c > 0 && strchr("abfnrtv\"'\\?`", c);
}

static bool is_triple(struct bytes text, uint32_t at)
{
    int quote = peek(text, at);
    return peek(text, at + 1) == quote && peek(text, at + 2) == quote;
}

/* The end of a text whose opening quote is at `at`. 0: it has none, and *dead is where it cannot go on. */
static uint32_t text_end_on_line(struct bytes text, uint32_t at, bool raw, uint32_t *dead)
{
    char quote = text.data[at++];
    for (; at < text.length; at++) {
        char c = text.data[at];
        if (c == quote)
            return at + 1;
        if (c == '\n' || c == '\r')
            break;
        if (c == '\\' && !raw && !skip_escape(text, &at))
            break;
    }
    *dead = at;
    return 0;
}

static uint32_t text_end_of_triple(struct bytes text, uint32_t at, bool raw)
{
    int quote = peek(text, at);
    for (at += 3; at < text.length; at++) {
        int c = peek(text, at);
        if (c == quote && is_triple(text, at))
            return at + 3;
        if (c == '\\' && !raw && !skip_escape(text, &at))
            break;
    }
    return 0;
}

/* Without its end, a text in triple quotes is an empty text, and something else. */
static uint32_t text_token_end(struct bytes text, uint32_t at, bool raw, uint32_t *dead)
{
    uint32_t end = is_triple(text, at) ? text_end_of_triple(text, at, raw) : 0;
    return end ? end : text_end_on_line(text, at, raw, dead);
}

/* An identifier, a word of the language, or a text with a prefix. */
static struct cel_token word(struct bytes text, uint32_t start)
{
    uint32_t at = start, dead;
    bool bytes = (peek(text, at) | 0x20) == 'b';
    at += bytes;
    bool raw = (peek(text, at) | 0x20) == 'r';
    at += raw;
    int quote = peek(text, at);
    if ((bytes || raw) && (quote == '"' || quote == '\'')) {
        uint32_t end = text_token_end(text, at, raw, &dead);
        if (end)
            return token_of(bytes ? CEL_TOKEN_BYTES : CEL_TOKEN_STRING, start, end);
    }
    while (at < text.length && is_part_of_identifier((unsigned char)text.data[at]))
        at++;
    return token_of(word_type(text.data + start, at - start), start, at);
}

static struct cel_token quoted_identifier(struct bytes text, uint32_t start)
{
    uint32_t at = start + 1;
    for (;; at++) {
        int c = peek(text, at);
        if (!is_part_of_identifier(c) && (c <= 0 || !strchr(".-/ ", c)))
            break;
    }
    if (peek(text, at) == '`' && at > start + 1)
        return token_of(CEL_TOKEN_QUOTED, start, at + 1);
    return error_to(text, start, at);
}

/* ---- operators ---- */

static enum cel_token_type operator_type(int c)
{
    switch (c) {
    case '[': return CEL_TOKEN_LEFT_BRACKET;
    case ']': return CEL_TOKEN_RIGHT_BRACKET;
    case '{': return CEL_TOKEN_LEFT_BRACE;
    case '}': return CEL_TOKEN_RIGHT_BRACE;
    case '(': return CEL_TOKEN_LEFT;
    case ')': return CEL_TOKEN_RIGHT;
    case '.': return CEL_TOKEN_DOT;
    case ',': return CEL_TOKEN_COMMA;
    case '-': return CEL_TOKEN_MINUS;
    case '!': return CEL_TOKEN_NOT;
    case '?': return CEL_TOKEN_QUESTION;
    case ':': return CEL_TOKEN_COLON;
    case '+': return CEL_TOKEN_PLUS;
    case '*': return CEL_TOKEN_STAR;
    case '/': return CEL_TOKEN_SLASH;
    case '%': return CEL_TOKEN_PERCENT;
    case '<': return CEL_TOKEN_LESS;
    case '>': return CEL_TOKEN_GREATER;
    }
    return CEL_TOKEN_ERROR;
}

static struct cel_token operator_token(struct bytes text, uint32_t at)
{
    int c = peek(text, at), next = peek(text, at + 1);
    if (next == '=' && (c == '=' || c == '!' || c == '<' || c == '>'))
        return token_of(c == '=' ? CEL_TOKEN_EQUALS : c == '!' ? CEL_TOKEN_NOT_EQUALS : c == '<' ? CEL_TOKEN_LESS_EQUALS :
                        CEL_TOKEN_GREATER_EQUALS, at, at + 2);
    if (c == next && (c == '&' || c == '|'))
        return token_of(c == '&' ? CEL_TOKEN_AND : CEL_TOKEN_OR, at, at + 2);
    enum cel_token_type type = operator_type(c);
    if (type != CEL_TOKEN_ERROR)
        return token_of(type, at, at + 1);
    return error_to(text, at, at + (c == '=' || c == '&' || c == '|'));
}

struct cel_token cel_token_next(struct bytes text, uint32_t at)
{
    at = behind_hidden(text, at);
    int c = peek(text, at);
    if (c < 0)
        return token_of(CEL_TOKEN_EOF, text.length, text.length);
    if (is_letter(c))
        return word(text, at);
    if (is_digit(c) || (c == '.' && is_digit(peek(text, at + 1))))
        return number(text, at);
    if (c == '"' || c == '\'') {
        uint32_t dead = 0, end = text_token_end(text, at, false, &dead);
        return end ? token_of(CEL_TOKEN_STRING, at, end) : error_to(text, at, dead);
    }
    return c == '`' ? quoted_identifier(text, at) : operator_token(text, at);
}
