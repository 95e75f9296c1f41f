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

/* ---- classes with names ---- */

struct ascii_class {
    const char *name;
    struct range ranges[4];
    uint32_t count;
};

static const struct ascii_class ascii_classes[] = {
    { "d", { { '0', '9' } }, 1 },
    { "s", { { '\t', '\n' }, { '\f', '\r' }, { ' ', ' ' } }, 3 },
    { "w", { { '0', '9' }, { 'A', 'Z' }, { '_', '_' }, { 'a', 'z' } }, 4 },
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

enum { ASCII_CLASSES = sizeof ascii_classes / sizeof *ascii_classes, PERL_CLASSES = 3 /* of them: the first */ };

enum { NEGATED = 1, FOLDED = 2, VARIANTS = 4 };

struct regexp_class {
    struct ranges set;
    uint32_t bracket; /* the last one to which it was added */
};

void cel_regexp_classes_init(struct cel_regexp_classes *classes, enum cel_regexp_dialect dialect, struct arena *arena)
{
    *classes = (struct cel_regexp_classes){ .arena = arena, .dialect = dialect };
    ranges_init(&classes->builder, arena);
}

/* Class `number`: those of ASCII come first, then those of Unicode. NULL: no memory. */
static struct regexp_class *new_class(struct cel_regexp_classes *classes, uint32_t number, unsigned variant)
{
    struct ranges_builder *builder = &classes->builder;
    struct ranges plain;
    struct regexp_class *class = arena_alloc(classes->arena, sizeof *class);
    if (!class)
        return NULL;
    if (number < ASCII_CLASSES)
        ranges_add_set(builder, (struct ranges){ ascii_classes[number].ranges, ascii_classes[number].count });
    else
        unicode_add_class(builder, number - ASCII_CLASSES, classes->dialect);
    if (variant & FOLDED && ranges_finish(builder, &plain))
        unicode_add_folded(builder, plain);
    if (variant & NEGATED)
        ranges_negate(builder);
    *class = (struct regexp_class){ .bracket = 0 };
    return ranges_finish(builder, &class->set) ? class : NULL;
}

/* With (?i) a class has what is the same but for case, too. NULL: no memory. */
static struct regexp_class *find_class(struct regexp_parser *parser, uint32_t number, bool negated)
{
    struct cel_regexp_classes *classes = parser->classes;
    bool folds = parser->flags & REGEXP_FOLD && (number < ASCII_CLASSES || unicode_class_folds(number - ASCII_CLASSES, classes->dialect));
    unsigned variant = (negated ? NEGATED : 0) | (folds ? FOLDED : 0);
    size_t bytes = (ASCII_CLASSES + unicode_classes) * VARIANTS * sizeof *classes->list;
    if (!classes->list) {
        classes->list = arena_alloc(classes->arena, bytes);
        if (!regexp_memory(parser, classes->list))
            return NULL;
        memset(classes->list, 0, bytes);
    }
    struct regexp_class **class = &classes->list[number * VARIANTS + variant];
    if (!*class)
        *class = new_class(classes, number, variant);
    (void)regexp_memory(parser, *class);
    return *class;
}

/* [:name:] at *at. *class stays NULL where there is none. */
static bool read_posix_class(struct regexp_parser *parser, const char **at, struct regexp_class **class)
{
    const char *begin = *at, *name = begin + 2;
    if (parser->end - begin <= 2 || begin[0] != '[' || begin[1] != ':')
        return true;
    const char *colon = memmem(name, (size_t)(parser->end - name), ":]", 2);
    if (!colon)
        return true;
    bool negated = *name == '^';
    struct bytes bare = { name + negated, (uint32_t)(colon - name - negated) };
    for (uint32_t i = PERL_CLASSES; i < ASCII_CLASSES; i++)
        if (bytes_equal_text(bare, ascii_classes[i].name)) {
            *at = colon + 2;
            return (*class = find_class(parser, i, negated)) != NULL;
        }
    return regexp_refuse(parser, "invalid character class range", begin, colon + 2);
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

static bool read_unicode_class(struct regexp_parser *parser, const char **at, struct regexp_class **class)
{
    const char *begin = *at;
    bool negated = begin[1] == 'P';
    struct bytes name;
    *at += 2;
    if (!read_class_name(parser, begin, at, &name))
        return false;
    if (name.length && *name.data == '^') {
        negated = !negated;
        name = (struct bytes){ name.data + 1, name.length - 1 };
    }
    uint32_t number = unicode_class(name, parser->classes->dialect);
    if (number == UNICODE_NO_CLASS)
        return regexp_refuse(parser, "invalid character class range", begin, *at);
    return (*class = find_class(parser, ASCII_CLASSES + number, negated)) != NULL;
}

/* \p{name}, \pN, \d and the like at *at. *class stays NULL where there is none. */
static bool read_escaped_class(struct regexp_parser *parser, const char **at, struct regexp_class **class)
{
    const char *begin = *at;
    if (parser->end - begin < 2 || *begin != '\\')
        return true;
    if (begin[1] == 'p' || begin[1] == 'P')
        return read_unicode_class(parser, at, class);
    for (uint32_t i = 0; i < PERL_CLASSES; i++) {
        char letter = *ascii_classes[i].name;
        if (begin[1] != letter && begin[1] != letter - 'a' + 'A')
            continue;
        *at += 2;
        return (*class = find_class(parser, i, begin[1] != letter)) != NULL;
    }
    return true;
}

bool regexp_escaped_class(struct regexp_parser *parser, const char **at, bool *found, struct ranges *set)
{
    struct regexp_class *class = NULL;
    if (!read_escaped_class(parser, at, &class))
        return false;
    *found = class;
    if (class)
        *set = class->set;
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
    ranges_add(&parser->loose, low, high);
    return true;
}

static bool read_class_item(struct regexp_parser *parser, const char **at)
{
    struct regexp_class *class = NULL;
    if (!read_posix_class(parser, at, &class) || (!class && !read_escaped_class(parser, at, &class)))
        return false;
    if (!class)
        return read_class_range(parser, at);
    if (class->bracket != parser->classes->brackets)
        ranges_add_set(&parser->builder, class->set);
    class->bracket = parser->classes->brackets;
    return true;
}

/* Adds the single characters and ranges of a bracket; what is the same but for case is looked for once for all of them. */
static void add_loose(struct regexp_parser *parser)
{
    struct ranges loose = ranges_look(&parser->loose);
    if (parser->flags & REGEXP_FOLD)
        unicode_add_folded(&parser->builder, loose);
    else
        ranges_add_set(&parser->builder, loose);
    parser->builder.failed |= parser->loose.failed;
    ranges_clear(&parser->loose);
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
    parser->classes->brackets++;
    for (bool first = true; first || at == parser->end || *at != ']'; first = false)
        if (!read_class_item(parser, &at))
            return false;
    add_loose(parser);
    if (negated)
        ranges_negate(&parser->builder);
    if (!regexp_memory(parser, ranges_finish(&parser->builder, &node->set)))
        return false;
    parser->at = at + 1;
    return regexp_push(parser, node);
}
