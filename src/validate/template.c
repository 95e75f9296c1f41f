#include "validate/template.h"

#include <ctype.h>

#include "base/utf8.h"
#include "validate/limits.h"

/* ---- strings ---- */

static bool is_name_character(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

/* The first of these characters after `at`, or the length. */
static uint32_t find_any(struct bytes text, uint32_t at, const char *characters)
{
    while (at < text.length && (!text.data[at] || !strchr(characters, text.data[at])))
        at++;
    return at;
}

/* Whether that character follows within LIMIT_TEMPLATE_BYTES: what begins again and again may not end. */
static bool closes(struct bytes text, uint32_t at, char end)
{
    uint32_t left = at < text.length ? text.length - at : 0;
    return left && memchr(text.data + at, end, left < LIMIT_TEMPLATE_BYTES ? left : LIMIT_TEMPLATE_BYTES) != NULL;
}

/* Whether ${NAME}, ${NAME:-other}, ${{NAME}} or $(NAME) begins there; not ${a.b}. */
static bool is_reference(struct bytes text, uint32_t at)
{
    uint32_t start = at + 2, end = start;
    if (start >= text.length || text.data[at] != '$' || (text.data[at + 1] != '{' && text.data[at + 1] != '('))
        return false;
    if (text.data[start] == '{')
        return closes(text, start, '}');
    while (end < text.length && is_name_character(text.data[end]))
        end++;
    return end > start && end < text.length && text.data[end] != '.' &&
           closes(text, end, text.data[at + 1] == '{' ? '}' : ')');
}

static bool is_action(struct bytes text, uint32_t at)
{
    return text.length - at > 3 && text.data[at] == '{' && text.data[at + 1] == '{' && closes(text, at + 2, '}');
}

/* $NAME and nothing else, as envsubst has it; ($…) as Chainsaw has it. */
static bool is_all_reference(struct bytes text)
{
    if (text.length > 3 && text.data[0] == '(' && text.data[1] == '$' && text.data[text.length - 1] == ')')
        return true;
    uint32_t end = 1;
    while (end < text.length && is_name_character(text.data[end]))
        end++;
    return text.length > 1 && text.data[0] == '$' && end == text.length && isupper((unsigned char)text.data[1]);
}

bool template_in_string(struct bytes text)
{
    if (text.length > LIMIT_TEMPLATE_BYTES)
        text.length = LIMIT_TEMPLATE_BYTES;
    for (uint32_t at = find_any(text, 0, "{$"); at < text.length; at = find_any(text, at + 1, "{$"))
        if (is_action(text, at) || is_reference(text, at))
            return true;
    return is_all_reference(text);
}

/* ---- text that cannot be read ---- */

/* Reads lines. */
struct lines_reader {
    struct bytes rest;
    uint32_t block;  /* columns of the line that a block of text belongs to, and 1; 0: none */
};

static struct bytes next_line(struct lines_reader *reader)
{
    struct bytes line = bytes_take_line(&reader->rest);
    while (line.length && strchr(" \t\r", line.data[line.length - 1]))
        line.length--;
    return line;
}

/* The column at which a line's value or first name begins, after spaces and the hyphens of lists. */
static uint32_t first_column(struct bytes line)
{
    uint32_t at = 0;
    while (at < line.length && (line.data[at] == ' ' || line.data[at] == '\t' ||
                                (line.data[at] == '-' && at + 1 < line.length && line.data[at + 1] == ' ')))
        at++;
    return at;
}

/* Whether the line is one of a block of text, or empty in it. Ends the block otherwise. */
static bool is_in_block(struct lines_reader *reader, struct bytes line)
{
    uint32_t column = 0;
    while (column < line.length && line.data[column] == ' ')
        column++;
    if (reader->block && column < line.length && column < reader->block)
        reader->block = 0;
    return reader->block != 0;
}

/* Whether the line ends with | or >, and perhaps + - or a digit: a block of text follows. */
static bool opens_block(struct bytes line, uint32_t end)
{
    while (end && line.data[end - 1] == ' ')
        end--;
    for (int i = 0; i < 2 && end && memchr("+-123456789", line.data[end - 1], 11); i++)
        end--;
    return end && (line.data[end - 1] == '|' || line.data[end - 1] == '>') && (end == 1 || line.data[end - 2] == ' ');
}

/* What a line is seen to be so far. */
struct line_scan {
    struct bytes line;
    uint32_t at;
    char quote;      /* the string at `at` is in such quotes; '\0': none */
    bool at_value;   /* a value or name may begin here */
    bool in_brackets;
    bool has_ends;   /* what {{ begins may end: there is }} in the text */
};

/* Whether {{ in the middle of a string keeps the line from being read all the same. */
static bool breaks_string(struct bytes line, uint32_t at)
{
    for (uint32_t i = at; i + 1 < line.length && i - at < LIMIT_TEMPLATE_BYTES; i++) {
        if (line.data[i] == '}' && line.data[i + 1] == '}')
            return false;
        if ((line.data[i] == ':' && line.data[i + 1] == ' ') || (line.data[i] == ' ' && line.data[i + 1] == '#'))
            return true;
    }
    return true;
}

static bool has_bare_template(const struct line_scan *scan)
{
    const struct bytes line = scan->line;
    const char *at = line.data + scan->at;
    const uint32_t left = line.length - scan->at;
    if (left < 2)
        return false;
    if (at[0] == '{' && ((at[1] == '{' && scan->has_ends) || at[1] == '%'))
        return scan->at_value || scan->in_brackets || breaks_string(line, scan->at + 2);
    if (at[0] != '$' || !is_reference(line, scan->at))
        return false;
    return scan->in_brackets || (memchr(at, '}', left) == line.data + line.length - 1 && scan->at == first_column(line));
}

/* Goes one character on. */
static void step(struct line_scan *scan)
{
    const char c = scan->line.data[scan->at++];
    if (scan->quote) {
        scan->at += scan->quote == '"' && c == '\\';
        scan->quote = c == scan->quote ? '\0' : scan->quote;
        return;
    }
    if (scan->at_value && (c == '"' || c == '\'')) {
        scan->quote = c;
        scan->at_value = false;
        return;
    }
    scan->in_brackets |= c == '{' || c == '[';
    bool ends_name = (c == ':' || c == '-' || c == '?') && scan->at < scan->line.length && scan->line.data[scan->at] == ' ';
    if (memchr("{[,", c, 3) || ends_name)
        scan->at_value = true;
    else if (c != ' ' && c != '\t')
        scan->at_value = false;
}

/* Whether the line has a template outside strings and comments. *end is where a comment begins, or the line ends. */
static bool scan_line(struct bytes line, bool in_brackets, bool has_ends, uint32_t *end)
{
    struct line_scan scan = { .line = line, .at_value = true, .in_brackets = in_brackets, .has_ends = has_ends };
    while (scan.at < line.length) {
        bool begins_word = scan.at == 0 || line.data[scan.at - 1] == ' ' || line.data[scan.at - 1] == '\t';
        if (!scan.quote && line.data[scan.at] == '#' && begins_word)
            break;
        if (!scan.quote && has_bare_template(&scan))
            return true;
        step(&scan);
    }
    *end = scan.at < line.length ? scan.at : line.length;
    return false;
}

/* Garbage may have anything in it. */
static bool is_text(struct bytes text)
{
    return text.length && !memchr(text.data, '\0', text.length) && utf8_is_valid(text);
}

bool template_in_text(struct bytes text)
{
    struct lines_reader reader = { .rest = text };
    uint32_t first = 0;
    if (!is_text(text))
        return false;
    while (first < text.length && memchr(" \t\r\n", text.data[first], 4))
        first++;
    const bool has_ends = memmem(text.data, text.length, "}}", 2);
    const bool is_json = text.length - first > 1 && text.data[first] == '{' && text.data[first + 1] != '{';
    while (reader.rest.length) {
        uint32_t end = 0;
        struct bytes line = next_line(&reader);
        if (is_in_block(&reader, line))
            continue;
        if (scan_line(line, is_json, has_ends, &end))
            return true;
        if (opens_block(line, end))
            reader.block = first_column(line) + 1;
    }
    return false;
}
