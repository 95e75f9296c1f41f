/* Reads regular expressions: groups, flags, operators. Classes are read in regexp_class.c, the tree is built in regexp_stack.c. */
#include "cel/regexp.h"

#include "cel/limits.h"
#include "cel/regexp_node.h"

static bool looking_at(const struct regexp_parser *parser, const char *words)
{
    size_t length = strlen(words);
    return (size_t)(parser->end - parser->at) >= length && memcmp(parser->at, words, length) == 0;
}

/* ---- groups ---- */

/* At (?P<name> or (?<name>, with `skip` bytes before the name. */
static bool read_named_group(struct regexp_parser *parser, unsigned skip)
{
    const char *begin = parser->at, *name = begin + skip;
    const char *end = memchr(begin, '>', (size_t)(parser->end - begin));
    const char *checked = end ? name : begin;
    uint32_t code;
    bool good = end && end > name;
    while (checked < (end ? end : parser->end)) {
        if (!regexp_next(parser, &checked, end ? end : parser->end, &code))
            return false;
        good &= code == '_' || (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
    }
    if (!good)
        return regexp_refuse(parser, "invalid named capture", begin, end ? end + 1 : parser->end);
    parser->at = end + 1;
    return regexp_push_group(parser, true);
}

static unsigned flag_of(uint32_t letter)
{
    switch (letter) {
    case 'i': return REGEXP_FOLD;
    case 'm': return REGEXP_LINES;
    case 's': return REGEXP_DOT_ALL;
    case 'U': return REGEXP_NON_GREEDY;
    default:  return 0;
    }
}

/* At (?: or (?flags: or (?flags). */
static bool read_flags(struct regexp_parser *parser)
{
    const char *at = parser->at + 2;
    unsigned flags = parser->flags;
    bool off = false, complete = true; /* complete: flags follow the minus */
    while (at < parser->end) {
        uint32_t code;
        if (!regexp_next(parser, &at, parser->end, &code))
            return false;
        unsigned flag = flag_of(code);
        if (flag) {
            flags = off ? flags & ~flag : flags | flag;
            complete = true;
        } else if (code == '-' && !off) {
            off = true;
            complete = false;
        } else if ((code == ':' || code == ')') && complete) {
            if (code == ':' && !regexp_push_group(parser, false))
                return false;
            parser->flags = flags;
            parser->at = at;
            return true;
        } else {
            break;
        }
    }
    return regexp_refuse(parser, "invalid or unsupported Perl syntax", parser->at, at);
}

static bool read_group(struct regexp_parser *parser)
{
    ptrdiff_t left = parser->end - parser->at;
    if (left > 4 && looking_at(parser, "(?P<"))
        return read_named_group(parser, 4);
    if (left > 3 && looking_at(parser, "(?<"))
        return read_named_group(parser, 3);
    if (looking_at(parser, "(?"))
        return read_flags(parser);
    parser->at++;
    return regexp_push_group(parser, true);
}

/* ---- repetitions ---- */

enum { BAD_COUNT = -2, MANY = 100000000 };

/* Takes a number; BAD_COUNT if it is too large. Returns false if there is none; a number has no leading zeros. */
static bool read_count(const char **at, const char *end, int *count)
{
    const char *begin = *at, *digit = begin;
    while (digit < end && *digit >= '0' && *digit <= '9')
        digit++;
    if (digit == begin || (*begin == '0' && digit - begin > 1))
        return false;
    *count = 0;
    for (*at = digit; begin < digit; begin++) {
        if (*count >= MANY) {
            *count = BAD_COUNT;
            break;
        }
        *count = *count * 10 + (*begin - '0');
    }
    return true;
}

/* {min}, {min,} or {min,max} at *at. Returns false if there is none: the brace is a literal. */
static bool read_counts(const char **at, const char *end, int *min, int *max)
{
    const char *next = *at + 1;
    if (!read_count(&next, end, min) || next == end)
        return false;
    *max = *min;
    if (*next == ',') {
        next++;
        if (next == end)
            return false;
        *max = -1;
        if (*next != '}' && !read_count(&next, end, max))
            return false;
    }
    if (next == end || *next != '}')
        return false;
    *at = next + 1;
    return true;
}

/* An operator from parser->at to `after`. *last: where the operator before it begins if it directly follows one; then where this one
 * begins. */
static bool repeat(struct regexp_parser *parser, enum regexp_op op, int min, int max, const char *after, const char **last)
{
    const char *begin = parser->at;
    bool non_greedy = after < parser->end && *after == '?';
    after += non_greedy;
    if (*last)
        return regexp_refuse(parser, "invalid nested repetition operator", *last, after);
    *last = begin;
    parser->at = after;
    return regexp_push_repeat(parser, op, min, max, non_greedy, begin, after);
}

static bool read_brace(struct regexp_parser *parser, const char **last)
{
    const char *after = parser->at;
    int min, max;
    if (!read_counts(&after, parser->end, &min, &max)) {
        parser->at++;
        *last = NULL;
        return regexp_push_literal(parser, '{');
    }
    if (min == BAD_COUNT || max == BAD_COUNT || min > LIMIT_CEL_REGEXP_COUNT || max > LIMIT_CEL_REGEXP_COUNT || (max >= 0 && min > max))
        return regexp_refuse(parser, "invalid repeat count", parser->at, after);
    return repeat(parser, REGEXP_REPEAT, min, max, after, last);
}

static bool read_repetition(struct regexp_parser *parser, const char **last)
{
    switch (*parser->at) {
    case '*': return repeat(parser, REGEXP_STAR, 0, 0, parser->at + 1, last);
    case '+': return repeat(parser, REGEXP_PLUS, 0, 0, parser->at + 1, last);
    case '?': return repeat(parser, REGEXP_QUEST, 0, 0, parser->at + 1, last);
    default:  return read_brace(parser, last);
    }
}

/* ---- everything else ---- */

/* \Q...\E, or \Q and the rest: all of it is literal. */
static bool read_quoted(struct regexp_parser *parser)
{
    const char *at = parser->at + 2, *end = memmem(at, (size_t)(parser->end - at), "\\E", 2);
    parser->at = end ? end + 2 : parser->end;
    if (!end)
        end = parser->end;
    while (at < end) {
        uint32_t code;
        if (!regexp_next(parser, &at, end, &code) || !regexp_push_literal(parser, code))
            return false;
    }
    return true;
}

/* A class like \d or \pN, or one character. */
static bool read_escape(struct regexp_parser *parser)
{
    bool found;
    uint32_t code;
    struct regexp_node *node = regexp_node_new(parser, REGEXP_CLASS);
    if (!node || !regexp_escaped_class(parser, &parser->at, &found, &node->set))
        return false;
    if (found) {
        node->flags = parser->flags;
        return regexp_push(parser, node);
    }
    regexp_node_free(parser, node);
    return regexp_escape(parser, &parser->at, &code) && regexp_push_literal(parser, code);
}

static bool read_backslash(struct regexp_parser *parser)
{
    enum regexp_op op;
    switch (parser->end - parser->at >= 2 ? parser->at[1] : 0) {
    case 'A': op = REGEXP_TEXT_BEGIN;       break;
    case 'b': op = REGEXP_WORD_BOUNDARY;    break;
    case 'B': op = REGEXP_NO_WORD_BOUNDARY; break;
    case 'z': op = REGEXP_TEXT_END;         break;
    case 'C': return regexp_refuse(parser, "invalid escape sequence", parser->at, parser->at + 2);
    case 'Q': return read_quoted(parser);
    default:  return read_escape(parser);
    }
    parser->at += 2;
    return regexp_push_op(parser, op);
}

/* One character that stands for an op: parser->at is at it. */
static bool read_op(struct regexp_parser *parser, enum regexp_op op)
{
    parser->at++;
    return regexp_push_op(parser, op);
}

static bool read_bar(struct regexp_parser *parser)
{
    parser->at++;
    return regexp_vertical_bar(parser);
}

static bool read_right_paren(struct regexp_parser *parser)
{
    parser->at++;
    return regexp_right_paren(parser);
}

static bool read_literal(struct regexp_parser *parser)
{
    uint32_t code;
    return regexp_next(parser, &parser->at, parser->end, &code) && regexp_push_literal(parser, code);
}

static bool read_next(struct regexp_parser *parser)
{
    bool lines = parser->flags & REGEXP_LINES;
    switch (*parser->at) {
    case '(':  return read_group(parser);
    case '|':  return read_bar(parser);
    case ')':  return read_right_paren(parser);
    case '^':  return read_op(parser, lines ? REGEXP_LINE_BEGIN : REGEXP_TEXT_BEGIN);
    case '$':  return read_op(parser, lines ? REGEXP_LINE_END : REGEXP_TEXT_END);
    case '.':  return read_op(parser, parser->flags & REGEXP_DOT_ALL ? REGEXP_ANY : REGEXP_ANY_BUT_LINE_END);
    case '[':  return regexp_bracket(parser);
    case '\\': return read_backslash(parser);
    default:   return read_literal(parser);
    }
}

static bool read_all(struct regexp_parser *parser, struct regexp_node **root)
{
    const char *last = NULL; /* where a repetition begins that ends here */
    while (parser->at < parser->end) {
        bool repetition = strchr("*+?{", *parser->at) && *parser->at;
        if (!repetition)
            last = NULL;
        if (!(repetition ? read_repetition(parser, &last) : read_next(parser)))
            return false;
    }
    return regexp_end(parser, root);
}

enum cel_regexp_dialect cel_regexp_dialect(unsigned version)
{
    enum { LAST_OF_GO_1_24 = 34 }; /* the last one that is built with Go 1.24 or before */
    return version <= LAST_OF_GO_1_24 ? CEL_REGEXP_GO_1_24 : CEL_REGEXP_GO_1_25;
}

enum failure cel_regexp_read(struct bytes text, struct cel_regexp_classes *classes, struct arena *arena, struct cel_regexp *result)
{
    struct regexp_parser parser = { .arena = arena, .classes = classes, .text = text, .repeats = 1 };
    struct cel_regexp read = { .error = { 0 } };
    if (text.length > LIMIT_CEL_REGEXP_BYTES)
        return FAILURE_LIMIT;
    if (text.length == 0)
        parser.text.data = "";
    parser.at = parser.text.data;
    parser.end = parser.at + text.length;
    ranges_init(&parser.builder, arena);
    ranges_init(&parser.loose, arena);
    if (!read_all(&parser, &read.root) && parser.failure)
        return parser.failure;
    read.error = parser.error;
    *result = read;
    return FAILURE_NONE;
}
