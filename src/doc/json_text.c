/* The cold path of the JSON reader: strings with special bytes, numbers, words, and values of which only the grammar is checked. */
#include "doc/json_reader.h"

#include "base/utf8.h"

/* ---- failing ---- */

bool json_fail(struct json_reader *r, enum failure failure, const unsigned char *where, const char *message)
{
    r->failure = failure;
    *r->error = (struct doc_error){ .message = message, .offset = (uint32_t)(where - r->start) };
    return false;
}

bool json_fail_syntax(struct json_reader *r, const unsigned char *where, const char *message)
{
    r->at = where;
    if (where < r->end)
        return json_fail(r, FAILURE_SYNTAX, where, message);
    json_fail(r, FAILURE_SYNTAX, r->end, "the text ends too early");
    r->error->truncated = true;
    return false;
}

static bool fail_here(struct json_reader *r, const char *message)
{
    return json_fail_syntax(r, r->at, message);
}

/* ---- tokens ---- */

unsigned char json_skip_space(struct json_reader *r, const unsigned char *at)
{
    while (at < r->end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    r->at = at;
    return at < r->end ? *at : 0;
}

static bool is_digit(const unsigned char *at, const unsigned char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static bool read_digits(struct json_reader *r)
{
    if (!is_digit(r->at, r->end))
        return fail_here(r, "a digit is missing");
    while (is_digit(r->at, r->end))
        r->at++;
    return true;
}

static bool read_number(struct json_reader *r)
{
    if (*r->at == '-')
        r->at++;
    if (r->at < r->end && *r->at == '0')
        r->at++;
    else if (!read_digits(r))
        return false;
    if (r->at < r->end && *r->at == '.') {
        r->at++;
        if (!read_digits(r))
            return false;
    }
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
            r->at++;
        return read_digits(r);
    }
    return true;
}

static bool read_word(struct json_reader *r, const char *word)
{
    for (; *word; word++, r->at++)
        if (r->at >= r->end || *r->at != (unsigned char)*word)
            return fail_here(r, "a value must be an object, array, string, number, true, false or null");
    return true;
}

/* Reads four hexadecimal digits. On failure r->at is at the first byte that is not one. */
static bool read_hex(struct json_reader *r, uint32_t *unit)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        unsigned char byte = r->at < r->end ? *r->at : 0, letter = byte | 0x20;
        if (byte >= '0' && byte <= '9')
            value = value << 4 | (uint32_t)(byte - '0');
        else if (letter >= 'a' && letter <= 'f')
            value = value << 4 | (uint32_t)(letter - 'a' + 10);
        else
            return fail_here(r, "\\u needs four hexadecimal digits");
    }
    *unit = value;
    return true;
}

static bool is_surrogate(uint32_t unit, uint32_t first)
{
    return (unit & ~0x3FFu) == first;
}

/* Reads what follows \u, and after a high surrogate the escape of its low one. An unpaired surrogate is U+FFFD; if `strict`, an error. */
static bool read_unicode_escape(struct json_reader *r, bool strict, uint32_t *code)
{
    const unsigned char *backslash = r->at - 2;
    if (!read_hex(r, code))
        return false;
    if (is_surrogate(*code, 0xD800) && r->end - r->at >= 2 && r->at[0] == '\\' && r->at[1] == 'u') {
        const unsigned char *second = r->at;
        uint32_t low;
        r->at += 2;
        if (!read_hex(r, &low))
            return false;
        if (is_surrogate(low, 0xDC00)) {
            *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
            return true;
        }
        r->at = second; /* not the low half: it is read as the next character */
    }
    if (!is_surrogate(*code, 0xD800) && !is_surrogate(*code, 0xDC00))
        return true;
    bool truncated = r->at == r->end || (r->end - r->at == 1 && *r->at == '\\');
    if (strict && is_surrogate(*code, 0xD800) && truncated) {
        r->at = r->end;
        return fail_here(r, "");
    }
    if (strict)
        return json_fail(r, FAILURE_SYNTAX, backslash, "half of a surrogate pair");
    *code = 0xFFFD;
    return true;
}

static bool read_escape(struct json_reader *r, bool strict, uint32_t *code)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    r->at++;
    if (r->at < r->end && *r->at == 'u') {
        r->at++;
        return read_unicode_escape(r, strict, code);
    }
    const char *letter = r->at < r->end && *r->at ? strchr(letters, *r->at) : NULL;
    if (!letter)
        return fail_here(r, "unknown escape in a string");
    *code = (unsigned char)values[letter - letters];
    r->at++;
    return true;
}

/* Reads the next character of a string. Sets *changed when its text differs from its source. */
static bool read_character(struct json_reader *r, bool strict, uint32_t *code, bool *changed)
{
    if (r->at >= r->end || *r->at < 0x20)
        return fail_here(r, "control characters must be escaped in a string");
    if (*r->at == '\\') {
        *changed = true;
        return read_escape(r, strict, code);
    }
    size_t left = (size_t)(r->end - r->at);
    unsigned length = utf8_decode(r->at, left, code);
    if (length == 0 && strict) {
        if (!utf8_truncated(r->at, left))
            return json_fail(r, FAILURE_SYNTAX, r->at, "not UTF-8");
        r->at = r->end;
        return fail_here(r, "");
    }
    if (length == 0) {
        *changed = true;
        *code = 0xFFFD;
        length = 1;
    }
    r->at += length;
    return true;
}

/* Moves r->at to the next byte that is not plain. Returns the number of bytes before it. */
static size_t skip_plain(struct json_reader *r)
{
    const unsigned char *from = r->at;
    r->at = json_scan_plain(from, r->end);
    return (size_t)(r->at - from);
}

/* Reads the string twice: first to check and measure it; then, if its text differs from its source, to write the text. */
struct bytes json_read_special_string(struct json_reader *r, const unsigned char *at, const unsigned char *start, uint8_t *flags)
{
    bool strict = r->input->profile == JSON_STRICT, changed = false;
    size_t length = (size_t)(at - start);
    uint32_t code = 0;
    r->at = at;
    char buffer[UTF8_MAX_BYTES];
    const struct bytes failed = { NULL, 0 };
    for (; r->at >= r->end || *r->at != '"'; length += skip_plain(r)) {
        if (!read_character(r, strict, &code, &changed))
            return failed;
        length += utf8_encode(code, buffer);
    }
    const unsigned char *quote = r->at;
    if (!changed) {
        r->at++;
        return (struct bytes){ (const char *)start, (uint32_t)(quote - start) };
    }
    *flags |= DOC_ESCAPED;
    char *out = arena_text(r->input->arena, length);
    if (!out) {
        json_fail(r, r->input->arena->failure, r->at, failure_text(r->input->arena->failure));
        return failed;
    }
    const struct bytes text = { out, (uint32_t)length };
    for (r->at = start; r->at < quote; out += utf8_encode(code, out)) {
        const unsigned char *plain = r->at;
        size_t size = skip_plain(r);
        memcpy(out, plain, size);
        out += size;
        if (r->at == quote)
            break;
        if (!read_character(r, strict, &code, &changed))
            return failed;
    }
    r->at++;
    return text;
}

/* ---- values of which only the grammar is checked ---- */

bool json_skip_scalar(struct json_reader *r, const unsigned char *at, unsigned char next)
{
    r->at = at;
    switch (next) {
    case 't': return read_word(r, "true");
    case 'f': return read_word(r, "false");
    case 'n': return read_word(r, "null");
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        return read_number(r);
    default: return fail_here(r, "a value is missing");
    }
}

/* Skips the rest of a string, from a byte on that is not plain. */
static bool skip_special_string(struct json_reader *r, const unsigned char *at)
{
    for (r->at = at;; skip_plain(r)) {
        if (r->at >= r->end || *r->at < 0x20)
            return fail_here(r, "control characters must be escaped in a string");
        if (*r->at == '"') {
            r->at++;
            return true;
        }
        uint32_t code;
        if (*r->at != '\\')
            r->at++;
        else if (!read_escape(r, false, &code))
            return false;
    }
}

/* Skips a string. *at moves from its opening quote to after its closing one. */
JSON_HOT bool skip_string(struct json_reader *r, const unsigned char **at)
{
    const unsigned char *quote = json_scan_plain(*at + 1, r->end);
    if (quote < r->end && *quote == '"') {
        *at = quote + 1;
        return true;
    }
    bool skipped = skip_special_string(r, quote);
    *at = r->at;
    return skipped;
}

/* Skips a member's name and colon, and the white space around them. */
JSON_HOT bool skip_name(struct json_reader *r, const unsigned char **at)
{
    if (json_peek(r, at) != '"')
        return json_fail_syntax(r, *at, "a member name in double quotes is missing");
    if (!skip_string(r, at))
        return false;
    if (json_peek(r, at) != ':')
        return json_fail_syntax(r, *at, "a colon is missing");
    ++*at;
    return true;
}

/* The open brackets: a stack with one bit for each, set for { and clear for [. */
struct brackets {
    uint32_t count;
    bool object; /* the innermost one is { */
    uint64_t objects[LIMIT_SKIPPED_DEPTH / 64 + 1]; /* the others; bit n was `object` when bracket n + 1 was opened */
};

JSON_HOT void open_bracket(struct brackets *open, bool object)
{
    uint64_t bit = (uint64_t)1 << open->count % 64, *word = &open->objects[open->count / 64];
    *word = open->object ? *word | bit : *word & ~bit;
    open->object = object;
    open->count++;
}

JSON_HOT void close_bracket(struct brackets *open)
{
    open->count--;
    open->object = open->objects[open->count / 64] >> open->count % 64 & 1;
}

/* Skips a value that begins with `next`; of an array or object only the opening bracket. */
JSON_HOT bool skip_beginning(struct json_reader *r, const unsigned char **at, unsigned char next, struct brackets *open)
{
    if (next == '"')
        return skip_string(r, at);
    if (next == '{' || next == '[') {
        if (open->count == LIMIT_SKIPPED_DEPTH)
            return json_fail(r, FAILURE_LIMIT, *at, "nested too deep");
        open_bracket(open, next == '{');
        ++*at;
        return true;
    }
    bool skipped = json_skip_scalar(r, *at, next);
    *at = r->at;
    return skipped;
}

bool json_skip_value(struct json_reader *r, const unsigned char *at)
{
    struct brackets open;
    open.count = 0; /* open.objects is not cleared: its bits are set as brackets open */
    open.object = false;
    for (;;) {
        unsigned char next = json_peek(r, &at);
        bool opened = next == '{' || next == '[';
        if (!skip_beginning(r, &at, next, &open))
            return false;
        while (open.count && (next = json_peek(r, &at)) == (open.object ? '}' : ']')) {
            at++;
            close_bracket(&open);
            opened = false;
        }
        if (open.count == 0) {
            r->at = at;
            return true;
        }
        if (!opened && next != ',')
            return json_fail_syntax(r, at, open.object ? "a comma or } is missing" : "a comma or ] is missing");
        at += !opened;
        if (open.object && !skip_name(r, &at))
            return false;
    }
}
