/* Escapes and classes of regular expressions. */
#include "base/utf8.h"
#include "cel/regexp_node.h"

#define NO_CHARACTER 0xFFFDu /* what the end of the text is taken for; no escape, name or number has it */

bool regexp_next(struct regexp_parser *parser, const char **at, const char *end, uint32_t *code)
{
    *code = NO_CHARACTER;
    if (*at == end)
        return true;
    unsigned length = utf8_decode((const unsigned char *)*at, (size_t)(end - *at), code);
    if (length == 0)
        return regexp_refuse(parser, "invalid UTF-8", *at, end);
    *at += length;
    return true;
}

/* ---- escapes ---- */

static bool is_octal(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '7';
}

static int hex_value(uint32_t code)
{
    if (code >= '0' && code <= '9')
        return (int)(code - '0');
    if (code >= 'a' && code <= 'f')
        return (int)(code - 'a' + 10);
    return code >= 'A' && code <= 'F' ? (int)(code - 'A' + 10) : -1;
}

enum escape { ESCAPE_GOOD, ESCAPE_BAD, ESCAPE_STOPPED }; /* stopped: the parser has an error */

/* Of \x{123}, what is after the first brace. */
static enum escape read_long_hex(struct regexp_parser *parser, const char **at, uint32_t *code)
{
    uint32_t value = 0, next;
    for (unsigned digits = 0; *at < parser->end; digits++) {
        if (!regexp_next(parser, at, parser->end, &next))
            return ESCAPE_STOPPED;
        if (next == '}') {
            *code = value;
            return digits ? ESCAPE_GOOD : ESCAPE_BAD;
        }
        int digit = hex_value(next);
        if (digit < 0)
            return ESCAPE_BAD;
        value = value * 16 + (uint32_t)digit;
        if (value > UNICODE_MAX)
            return ESCAPE_BAD;
    }
    return ESCAPE_BAD;
}

/* Of \x12, what is after the x. */
static enum escape read_hex(struct regexp_parser *parser, const char **at, uint32_t *code)
{
    uint32_t first, second;
    if (*at == parser->end)
        return ESCAPE_BAD;
    if (!regexp_next(parser, at, parser->end, &first))
        return ESCAPE_STOPPED;
    if (first == '{')
        return read_long_hex(parser, at, code);
    if (!regexp_next(parser, at, parser->end, &second))
        return ESCAPE_STOPPED;
    if (hex_value(first) < 0 || hex_value(second) < 0)
        return ESCAPE_BAD;
    *code = (uint32_t)(hex_value(first) * 16 + hex_value(second));
    return ESCAPE_GOOD;
}

/* What a backslash and `letter` stand for; *at is after the letter. */
static enum escape read_escape(struct regexp_parser *parser, const char **at, uint32_t letter, uint32_t *code)
{
    static const char letters[] = "afnrtv", values[] = "\a\f\n\r\t\v";
    if (letter == 'x')
        return read_hex(parser, at, code);
    if (letter == '0' || (letter >= '1' && letter <= '7' && is_octal(*at, parser->end))) {
        *code = letter - '0';
        for (unsigned i = 1; i < 3 && is_octal(*at, parser->end); i++)
            *code = *code * 8 + (uint32_t)(*(*at)++ - '0');
        return ESCAPE_GOOD;
    }
    bool alphanumeric = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
    const char *found = letter && letter < 0x80 ? strchr(letters, (int)letter) : NULL;
    *code = found ? (uint32_t)values[found - letters] : letter;
    return found || (letter < 0x80 && !alphanumeric) ? ESCAPE_GOOD : ESCAPE_BAD;
}

bool regexp_escape(struct regexp_parser *parser, const char **at, uint32_t *code)
{
    const char *backslash = *at;
    uint32_t letter;
    (*at)++;
    if (*at == parser->end)
        return regexp_refuse(parser, "trailing backslash at end of expression", *at, *at);
    if (!regexp_next(parser, at, parser->end, &letter))
        return false;
    enum escape escape = read_escape(parser, at, letter, code);
    if (escape == ESCAPE_BAD)
        return regexp_refuse(parser, "invalid escape sequence", backslash, *at);
    return escape == ESCAPE_GOOD;
}

/* ---- classes of ASCII ---- */

struct ascii_class {
    const char *name;
    struct range ranges[4];
    uint32_t count;
};

static const struct ascii_class perl_classes[] = {
    { "d", { { '0', '9' } }, 1 },
    { "s", { { '\t', '\n' }, { '\f', '\r' }, { ' ', ' ' } }, 3 },
    { "w", { { '0', '9' }, { 'A', 'Z' }, { '_', '_' }, { 'a', 'z' } }, 4 },
};

static const struct ascii_class posix_classes[] = {
    { "alnum", { { '0', '9' }, { 'A', 'Z' }, { 'a', 'z' } }, 3 },
    { "alpha", { { 'A', 'Z' }, { 'a', 'z' } }, 2 },
    { "ascii", { { 0, 0x7F } }, 1 },
    { "blank", { { '\t', '\t' }, { ' ', ' ' } }, 2 },
    { "cntrl", { { 0, 0x1F }, { 0x7F, 0x7F } }, 2 },
    { "digit", { { '0', '9' } }, 1 },
    { "graph", { { '!', '~' } }, 1 },
    { "lower", { { 'a', 'z' } }, 1 },
    { "print", { { ' ', '~' } }, 1 },
    { "punct", { { '!', '/' }, { ':', '@' }, { '[', '`' }, { '{', '~' } }, 4 },
    { "space", { { '\t', '\r' }, { ' ', ' ' } }, 2 },
    { "upper", { { 'A', 'Z' } }, 1 },
    { "word", { { '0', '9' }, { 'A', 'Z' }, { '_', '_' }, { 'a', 'z' } }, 4 },
    { "xdigit", { { '0', '9' }, { 'A', 'F' }, { 'a', 'f' } }, 3 },
};

/* Adds `set`, or what is not in it, to the class that is being read; with (?i), and what is the same but for case. */
static void add_class(struct regexp_parser *parser, struct ranges set, bool negated)
{
    struct ranges_builder *folded = &parser->folded;
    bool fold = parser->flags & REGEXP_FOLD;
    if (!fold && !negated) {
        ranges_add_set(&parser->builder, set);
        return;
    }
    if (fold)
        unicode_add_folded(folded, set);
    else
        ranges_add_set(folded, set);
    if (negated)
        ranges_negate(folded);
    ranges_add_set(&parser->builder, ranges_look(folded));
    ranges_clear(folded);
}

static void add_ascii_class(struct regexp_parser *parser, const struct ascii_class *class, bool negated)
{
    add_class(parser, (struct ranges){ class->ranges, class->count }, negated);
}

/* [:name:] at *at, if there is one. */
static bool read_posix_class(struct regexp_parser *parser, const char **at, bool *found)
{
    const char *begin = *at, *name = begin + 2;
    *found = false;
    if (parser->end - begin <= 2 || begin[0] != '[' || begin[1] != ':')
        return true;
    const char *colon = memmem(name, (size_t)(parser->end - name), ":]", 2);
    if (!colon)
        return true;
    bool negated = *name == '^';
    struct bytes bare = { name + negated, (uint32_t)(colon - name - negated) };
    for (size_t i = 0; i < sizeof posix_classes / sizeof *posix_classes; i++)
        if (bytes_equal_text(bare, posix_classes[i].name)) {
            add_ascii_class(parser, &posix_classes[i], negated);
            *at = colon + 2;
            *found = true;
            return true;
        }
    return regexp_refuse(parser, "invalid character class range", begin, colon + 2);
}

/* ---- classes of Unicode ---- */

/* The characters of a class, made when they are first needed; with (?i), and what is the same but for case. */
static bool named_class(struct regexp_parser *parser, uint32_t number, struct ranges *set)
{
    struct ranges_builder *folded = &parser->folded;
    bool fold = parser->flags & REGEXP_FOLD && unicode_class_folds(number, parser->dialect);
    if (!parser->classes) {
        parser->classes = arena_alloc(parser->arena, 2 * unicode_classes * sizeof *parser->classes);
        if (!regexp_memory(parser, parser->classes))
            return false;
        memset(parser->classes, 0, 2 * unicode_classes * sizeof *parser->classes);
    }
    struct ranges *plain = &parser->classes[number], *known = fold ? plain + unicode_classes : plain;
    if (!plain->list) {
        unicode_add_class(folded, number, parser->dialect);
        if (!regexp_memory(parser, ranges_finish(folded, plain)))
            return false;
    }
    if (!known->list) {
        unicode_add_folded(folded, *plain);
        if (!regexp_memory(parser, ranges_finish(folded, known)))
            return false;
    }
    *set = *known;
    return true;
}

static bool is_utf8(struct regexp_parser *parser, const char *from, const char *to)
{
    uint32_t code;
    while (from < to)
        if (!regexp_next(parser, &from, to, &code))
            return false;
    return true;
}

/* Of \pN or \p{name}, what is after the p: the name, without braces. */
static bool read_class_name(struct regexp_parser *parser, const char *begin, const char **at, struct bytes *name)
{
    const char *from = *at;
    uint32_t first;
    if (!regexp_next(parser, at, parser->end, &first))
        return false;
    *name = (struct bytes){ from, (uint32_t)(*at - from) };
    if (first != '{')
        return true;
    const char *brace = memchr(from, '}', (size_t)(parser->end - from));
    if (!brace)
        return is_utf8(parser, begin, parser->end) && regexp_refuse(parser, "invalid character class range", begin, parser->end);
    *at = brace + 1;
    *name = (struct bytes){ from + 1, (uint32_t)(brace - from - 1) };
    return is_utf8(parser, from + 1, brace);
}

static bool read_unicode_class(struct regexp_parser *parser, const char **at)
{
    const char *begin = *at;
    bool negated = begin[1] == 'P';
    struct bytes name;
    struct ranges set;
    *at += 2;
    if (!read_class_name(parser, begin, at, &name))
        return false;
    if (name.length && *name.data == '^') {
        negated = !negated;
        name = (struct bytes){ name.data + 1, name.length - 1 };
    }
    uint32_t number = unicode_class(name, parser->dialect);
    if (number == UNICODE_NO_CLASS)
        return regexp_refuse(parser, "invalid character class range", begin, *at);
    if (!named_class(parser, number, &set))
        return false;
    if (!negated) {
        ranges_add_set(&parser->builder, set);
        return true;
    }
    ranges_add_set(&parser->folded, set);
    ranges_negate(&parser->folded);
    ranges_add_set(&parser->builder, ranges_look(&parser->folded));
    ranges_clear(&parser->folded);
    return true;
}

bool regexp_escaped_class(struct regexp_parser *parser, const char **at, bool *found)
{
    const char *begin = *at;
    *found = false;
    if (parser->end - begin < 2 || *begin != '\\')
        return true;
    *found = begin[1] == 'p' || begin[1] == 'P';
    if (*found)
        return read_unicode_class(parser, at);
    for (size_t i = 0; i < sizeof perl_classes / sizeof *perl_classes; i++) {
        char letter = *perl_classes[i].name;
        if (begin[1] != letter && begin[1] != letter - 'a' + 'A')
            continue;
        add_ascii_class(parser, &perl_classes[i], begin[1] != letter);
        *at += 2;
        *found = true;
        break;
    }
    return true;
}

/* ---- classes in brackets ---- */

static bool read_class_character(struct regexp_parser *parser, const char **at, uint32_t *code)
{
    if (*at == parser->end)
        return regexp_refuse(parser, "missing closing ]", parser->at, parser->end);
    return **at == '\\' ? regexp_escape(parser, at, code) : regexp_next(parser, at, parser->end, code);
}

/* A character, or a range of them. */
static bool read_class_range(struct regexp_parser *parser, const char **at)
{
    const char *begin = *at;
    uint32_t low, high;
    if (!read_class_character(parser, at, &low))
        return false;
    high = low;
    if (parser->end - *at >= 2 && **at == '-' && (*at)[1] != ']') {
        (*at)++;
        if (!read_class_character(parser, at, &high))
            return false;
        if (high < low)
            return regexp_refuse(parser, "invalid character class range", begin, *at);
    }
    if (parser->flags & REGEXP_FOLD) {
        struct range range = { low, high };
        unicode_add_folded(&parser->builder, (struct ranges){ &range, 1 });
    } else {
        ranges_add(&parser->builder, low, high);
    }
    return true;
}

static bool read_class_item(struct regexp_parser *parser, const char **at)
{
    bool found;
    if (!read_posix_class(parser, at, &found) || found)
        return found;
    if (!regexp_escaped_class(parser, at, &found))
        return false;
    return found || read_class_range(parser, at);
}

bool regexp_bracket(struct regexp_parser *parser)
{
    const char *at = parser->at + 1;
    struct regexp_node *node = regexp_node_new(parser, REGEXP_CLASS);
    if (!node)
        return false;
    node->flags = parser->flags;
    bool negated = at < parser->end && *at == '^';
    at += negated;
    for (bool first = true; first || at == parser->end || *at != ']'; first = false)
        if (!read_class_item(parser, &at))
            return false;
    if (negated)
        ranges_negate(&parser->builder);
    if (!regexp_memory(parser, ranges_finish(&parser->builder, &node->set)))
        return false;
    parser->at = at + 1;
    return regexp_push(parser, node);
}
