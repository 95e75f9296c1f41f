/* Writes the tree of a regular expression for PCRE2. */
#include <inttypes.h>
#include <stdio.h>

#include "base/map.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cel/limits.h"
#include "cel/regexp_node.h"

struct writer {
    struct text pattern;
    struct text shared; /* what is called by name, each in a group: (?<s1>...)(?<s2>...) */
    struct text class;  /* the class that is being written */
    struct map numbers; /* from the text of a group to the address of its number */
    uint32_t shared_count;
    uint32_t marks; /* how many there are */
    bool marked;    /* what is being written is in a loop with marks */
    bool too_long;
    struct ranges_builder first, second; /* for the steps of making a class */
};

/* How much a node must hold together where it stands. */
enum position {
    ALONE,      /* nothing is beside it */
    IN_SEQUENCE,
    REPEATED,
};

enum { FIRST_SURROGATE = 0xD800, LAST_SURROGATE = 0xDFFF };

static bool is_surrogate(uint32_t code)
{
    return code >= FIRST_SURROGATE && code <= LAST_SURROGATE;
}

static bool is_letter(uint32_t code)
{
    return (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
}

static void add_character(struct text *text, uint32_t code)
{
    char bytes[16];
    int length;
    if (code >= 0x80)
        length = (int)utf8_encode(code, bytes);
    else if (is_letter(code) || (code >= '0' && code <= '9') || code == '_')
        length = snprintf(bytes, sizeof bytes, "%c", (char)code);
    else if (code > ' ' && code < 0x7F)
        length = snprintf(bytes, sizeof bytes, "\\%c", (char)code);
    else
        length = snprintf(bytes, sizeof bytes, "\\x{%" PRIx32 "}", code);
    text_add_bytes(text, (struct bytes){ bytes, (uint32_t)length });
}

/* ---- groups that are called ---- */

static void add_name(struct text *text, const char *before, uint32_t number, const char *after)
{
    text_add(text, before);
    text_add_integer(text, number);
    text_add(text, after);
}

/* Makes a group of `text`. Returns the address of its number, or NULL: no memory. */
static const uint32_t *new_shared(struct writer *writer, struct bytes text)
{
    struct arena *arena = writer->pattern.arena;
    struct map_key key = { { 0, 0 } }; /* not secret: groups are few */
    uint32_t *number = arena_alloc(arena, sizeof *number);
    char *copy = arena_text(arena, text.length);
    if (!number || !copy || (writer->shared_count == 0 && map_init(&writer->numbers, arena, LIMIT_CEL_REGEXP_GROUPS, key)))
        return NULL;
    memcpy(copy, text.data, text.length);
    *number = ++writer->shared_count;
    (void)map_add(&writer->numbers, (struct bytes){ copy, text.length }, number);
    add_name(&writer->shared, "(?<s", *number, ">");
    text_add_bytes(&writer->shared, text);
    text_add(&writer->shared, ")");
    return number;
}

/* The number of a group that is `text`; 0 if there is none, and no translation. */
static uint32_t share(struct writer *writer, struct bytes text)
{
    const uint32_t *number = writer->shared_count ? map_find(&writer->numbers, text) : NULL;
    if (!number && writer->shared_count == LIMIT_CEL_REGEXP_GROUPS) {
        writer->too_long = true;
        return 0;
    }
    if (!number)
        number = new_shared(writer, text);
    writer->pattern.failed |= !number;
    return number ? *number : 0;
}

static void call(struct writer *writer, uint32_t number)
{
    add_name(&writer->pattern, "(?&s", number, ")");
}

/* ---- classes ---- */

/* The set without surrogates, which no text holds and PCRE2 does not take at the ends of ranges. */
static struct ranges without_surrogates(struct writer *writer, struct ranges set)
{
    for (uint32_t i = 0; i < set.count; i++) {
        struct range range = set.list[i];
        if (is_surrogate(range.low))
            range.low = LAST_SURROGATE + 1;
        if (is_surrogate(range.high))
            range.high = FIRST_SURROGATE - 1;
        if (range.low <= range.high)
            ranges_add(&writer->second, range.low, range.high);
    }
    struct ranges left = ranges_look(&writer->second);
    ranges_clear(&writer->second);
    return left;
}

static struct ranges complement(struct writer *writer, struct ranges set)
{
    ranges_add_set(&writer->first, set);
    ranges_negate(&writer->first);
    struct ranges rest = ranges_look(&writer->first);
    ranges_clear(&writer->first);
    return rest;
}

static void add_ranges(struct text *text, struct ranges set)
{
    for (uint32_t i = 0; i < set.count; i++) {
        add_character(text, set.list[i].low);
        if (set.list[i].low == set.list[i].high)
            continue;
        if (set.list[i].low + 1 < set.list[i].high)
            text_add(text, "-");
        add_character(text, set.list[i].high);
    }
}

static void write_class(struct writer *writer, struct ranges set)
{
    bool negated = set.count && set.list[set.count - 1].high == UNICODE_MAX;
    struct ranges shown = without_surrogates(writer, negated ? complement(writer, set) : set);
    if (shown.count == 0) {
        text_add(&writer->pattern, negated ? "." : "(?:(?!))");
        return;
    }
    writer->class.length = 0;
    text_add(&writer->class, negated ? "[^" : "[");
    add_ranges(&writer->class, shown);
    text_add(&writer->class, "]");
    if (writer->class.failed)
        writer->pattern.failed = true;
    else if (writer->class.length > LIMIT_CEL_REGEXP_COPIED)
        call(writer, share(writer, (struct bytes){ writer->class.data, (uint32_t)writer->class.length }));
    else
        text_add_bytes(&writer->pattern, (struct bytes){ writer->class.data, (uint32_t)writer->class.length });
}

/* ---- literals ---- */

/* A character that may be of either case: one for which PCRE2 need not know what that is. */
static void write_folded(struct writer *writer, uint32_t code)
{
    uint32_t all[UNICODE_FOLDED];
    struct range ranges[UNICODE_FOLDED];
    unsigned count = unicode_folded(code, all);
    for (unsigned i = 0; i < count; i++)
        ranges[i] = (struct range){ all[i], all[i] };
    if (count == 1 && !is_surrogate(code))
        add_character(&writer->pattern, code);
    else
        write_class(writer, (struct ranges){ ranges, count });
}

/* Every PCRE2 knows which characters are letters of ASCII but for case. */
static void write_letters(struct writer *writer, const uint32_t *codes, uint32_t count)
{
    text_add(&writer->pattern, "(?i:");
    for (uint32_t i = 0; i < count; i++)
        add_character(&writer->pattern, codes[i]);
    text_add(&writer->pattern, ")");
}

static void write_literal(struct writer *writer, const struct regexp_node *node, enum position place)
{
    bool fold = node->flags & REGEXP_FOLD, group = place == REPEATED && node->code_count > 1;
    text_add(&writer->pattern, group ? "(?:" : "");
    for (uint32_t i = 0; i < node->code_count; i++) {
        uint32_t code = node->codes[i], letters = 0;
        while (fold && i + letters < node->code_count && is_letter(node->codes[i + letters]))
            letters++;
        if (letters) {
            write_letters(writer, node->codes + i, letters);
            i += letters - 1;
        } else if (fold || is_surrogate(code)) {
            write_folded(writer, code);
        } else {
            add_character(&writer->pattern, code);
        }
    }
    text_add(&writer->pattern, group ? ")" : "");
}

/* ---- loops ---- */

/* What a node may match as the empty string. */
enum { EMPTY_UNKNOWN, EMPTY_NEVER, EMPTY_LAST /* only when nothing else of it matches */, EMPTY_EARLY };

static unsigned least_empty(const struct regexp_node *concat)
{
    unsigned empty = EMPTY_LAST;
    for (uint32_t i = 0; i < concat->below_count; i++) {
        if (concat->below[i]->empty == EMPTY_NEVER)
            return EMPTY_NEVER;
        if (concat->below[i]->empty == EMPTY_EARLY)
            empty = EMPTY_EARLY;
    }
    return empty;
}

static unsigned first_empty(const struct regexp_node *alternate)
{
    for (uint32_t i = 0; i < alternate->below_count; i++)
        if (alternate->below[i]->empty != EMPTY_NEVER)
            return i + 1 < alternate->below_count ? EMPTY_EARLY : alternate->below[i]->empty;
    return EMPTY_NEVER;
}

static unsigned repeated_empty(const struct regexp_node *node)
{
    unsigned once = node->below[0]->empty;
    bool optional = node->op == REGEXP_STAR || node->op == REGEXP_QUEST || (node->op == REGEXP_REPEAT && node->min == 0);
    if (once == EMPTY_EARLY)
        return EMPTY_EARLY;
    if (!optional && (once == EMPTY_NEVER || node->op == REGEXP_PLUS))
        return once;
    return node->flags & REGEXP_NON_GREEDY ? EMPTY_EARLY : EMPTY_LAST;
}

/* Sets node->empty, here and below. Recursion: as deep as the tree. */
static void find_empty(struct regexp_node *node)
{
    for (uint32_t i = 0; i < node->below_count; i++)
        find_empty(node->below[i]);
    if (node->op == REGEXP_CAPTURE)
        node->empty = node->below[0]->empty;
    else if (node->op == REGEXP_CONCAT)
        node->empty = least_empty(node);
    else if (node->op == REGEXP_ALTERNATE)
        node->empty = first_empty(node);
    else if (node->below_count)
        node->empty = repeated_empty(node);
    else
        node->empty = node->op == REGEXP_NOTHING || (node->op >= REGEXP_LITERAL && node->op <= REGEXP_ANY) ? EMPTY_NEVER : EMPTY_LAST;
}

/* The op of a repetition: some counts are other operators. */
static enum regexp_op loop_op(const struct regexp_node *node)
{
    if (node->op != REGEXP_REPEAT || node->max >= 0 || node->min > 1)
        return node->op;
    return node->min ? REGEXP_PLUS : REGEXP_STAR;
}

/* A loop of a loop of the same kind is one loop. */
static const struct regexp_node *innermost_loop(const struct regexp_node *node)
{
    for (;;) {
        enum regexp_op op = loop_op(node);
        if (op != REGEXP_STAR && op != REGEXP_PLUS)
            return node;
        const struct regexp_node *below = node->below[0];
        while (below->op == REGEXP_REPEAT && below->min == 1 && below->max == 1)
            below = below->below[0];
        if (loop_op(below) != op || (below->flags ^ node->flags) & REGEXP_NON_GREEDY)
            return node;
        node = below;
    }
}

/* Go goes on in several ways at once, and no way leads twice to the same place of the pattern at the same place of the text: it is cut off
 * where it comes back. PCRE2 tries one way after the other, and leaves a loop whose round matched the empty string. Where that is a
 * difference, the places of the pattern at which ways part are marked: a mark remembers the text that is left, and a way that comes back
 * with the same text left fails. `other`, unless 0, is a second mark of the same place. */
static void add_mark(struct writer *writer, uint32_t mark, uint32_t other)
{
    struct text *text = &writer->pattern;
    add_name(text, "(?!\\k<e", mark, ">\\z)");
    if (other)
        add_name(text, "(?!\\k<e", other, ">\\z)");
    add_name(text, "(?=(?<e", mark, ">.*+))");
}

static void add_new_mark(struct writer *writer)
{
    add_mark(writer, ++writer->marks, 0);
}

/* ---- the tree ---- */

static const char *plain_text(enum regexp_op op)
{
    switch (op) {
    case REGEXP_NOTHING:          return "(?!)";
    case REGEXP_EMPTY:            return "";
    case REGEXP_ANY_BUT_LINE_END: return "[^\\n]";
    case REGEXP_ANY:              return ".";
    case REGEXP_LINE_BEGIN:       return "(?<![^\\n])";
    case REGEXP_LINE_END:         return "(?![^\\n])";
    case REGEXP_TEXT_BEGIN:       return "\\A";
    case REGEXP_TEXT_END:         return "\\z";
    case REGEXP_WORD_BOUNDARY:    return "\\b";
    case REGEXP_NO_WORD_BOUNDARY: return "\\B";
    default:                      return NULL;
    }
}

/* The operator, after what it repeats. */
static void write_operator(struct text *text, const struct regexp_node *node)
{
    if (node->op == REGEXP_REPEAT) {
        add_name(text, "{", (uint32_t)node->min, node->max == node->min ? "" : ",");
        if (node->max != node->min && node->max >= 0)
            text_add_integer(text, node->max);
        text_add(text, "}");
    } else {
        text_add(text, node->op == REGEXP_STAR ? "*" : node->op == REGEXP_PLUS ? "+" : "?");
    }
    if (node->flags & REGEXP_NON_GREEDY)
        text_add(text, "?");
}

static void write_node(struct writer *writer, const struct regexp_node *node, enum position place);

/* PCRE2 copies what is repeated as often as it is counted. It becomes a call where copies would be long; and where there are marks in it,
 * since a call forgets those that are made in it, and each copy has its own. */
static void write_repeated(struct writer *writer, const struct regexp_node *node)
{
    struct text *text = &writer->pattern;
    size_t start = text->length;
    uint32_t marks = writer->marks;
    int copies = node->op != REGEXP_REPEAT ? 1 : node->max < 0 ? node->min : node->max;
    write_node(writer, node->below[0], REPEATED);
    size_t length = text->length - start;
    bool shared = marks != writer->marks || length * (size_t)copies > LIMIT_CEL_REGEXP_COPIES;
    if (!text->failed && !writer->marked && copies > 1 && shared) {
        uint32_t group = share(writer, (struct bytes){ text->data + start, (uint32_t)length });
        text->length = start;
        call(writer, group);
    }
    write_operator(text, node);
}

/* A loop with marks. One that may end at once has a mark before it; each round ends at a mark. */
static void write_marked_loop(struct writer *writer, const struct regexp_node *node, enum regexp_op op)
{
    struct text *text = &writer->pattern;
    const struct regexp_node *below = node->below[0];
    const char *lazy = node->flags & REGEXP_NON_GREEDY ? "?" : "";
    bool optional = op == REGEXP_STAR, nullable = below->empty != EMPTY_NEVER;
    uint32_t first = writer->marks + 1, round = first + optional;
    writer->marks += optional ? 2 : 1;
    if (optional)
        add_mark(writer, first, nullable ? 0 : round);
    text_add(text, optional && nullable ? "(?:(?:" : "(?:");
    write_node(writer, below, IN_SEQUENCE);
    add_mark(writer, round, optional && !nullable ? first : 0);
    text_add(text, optional && !nullable ? ")*" : ")+");
    text_add(text, lazy);
    if (optional && nullable) {
        text_add(text, ")?");
        text_add(text, lazy);
    }
}

/* Counted copies with marks of their own: xx(x(x)?)? for x{2,4}, xx(x)+ for x{3,}. */
static void write_marked_copies(struct writer *writer, const struct regexp_node *node)
{
    struct text *text = &writer->pattern;
    int once = node->max < 0 ? node->min - 1 : node->min, open = 0;
    for (int i = 0; i < once && !writer->too_long; i++)
        write_node(writer, node->below[0], IN_SEQUENCE);
    if (node->max < 0)
        write_marked_loop(writer, node, REGEXP_PLUS);
    for (; node->min + open < node->max && !writer->too_long; open++) {
        add_new_mark(writer);
        text_add(text, "(?:");
        write_node(writer, node->below[0], IN_SEQUENCE);
    }
    while (open-- > 0)
        text_add(text, node->flags & REGEXP_NON_GREEDY ? ")?" "?" : ")?");
}

/* Anything that repeats or is left out, in a loop with marks. */
static void write_marked(struct writer *writer, const struct regexp_node *node)
{
    enum regexp_op op = loop_op(node);
    bool counted = op == REGEXP_REPEAT;
    if (op == REGEXP_STAR || op == REGEXP_PLUS) {
        write_marked_loop(writer, node, op);
    } else if (counted && (node->max < 0 || node->below[0]->empty != EMPTY_NEVER)) {
        write_marked_copies(writer, node);
    } else {
        if (!counted || node->min == 0)
            add_new_mark(writer);
        write_repeated(writer, node);
    }
}

/* A loop gets marks where PCRE2 would leave it too early, and then everything in it. */
static void write_repetition(struct writer *writer, const struct regexp_node *node)
{
    enum regexp_op op = loop_op(node);
    bool loop = op == REGEXP_STAR || op == REGEXP_PLUS || (op == REGEXP_REPEAT && node->max < 0);
    bool marked = writer->marked;
    writer->marked |= loop && node->below[0]->empty == EMPTY_EARLY;
    if (writer->marked)
        write_marked(writer, node);
    else
        write_repeated(writer, node);
    writer->marked = marked;
}

static void write_many(struct writer *writer, const struct regexp_node *node, enum position place)
{
    bool alternate = node->op == REGEXP_ALTERNATE, mark = alternate && writer->marked && node->empty != EMPTY_NEVER;
    bool group = alternate && (place != ALONE || mark);
    if (mark)
        add_new_mark(writer);
    text_add(&writer->pattern, group ? "(?:" : "");
    for (uint32_t i = 0; i < node->below_count; i++) {
        text_add(&writer->pattern, alternate && i ? "|" : "");
        write_node(writer, node->below[i], alternate ? ALONE : IN_SEQUENCE);
    }
    text_add(&writer->pattern, group ? ")" : "");
}

/* What a repetition may stand after. A capture is what is in it. */
static bool is_atom(enum regexp_op op)
{
    return (op >= REGEXP_LITERAL && op <= REGEXP_ANY) || op == REGEXP_CAPTURE;
}

/* Recursion: as deep as the tree, see LIMIT_CEL_REGEXP_HEIGHT. */
static void write_node(struct writer *writer, const struct regexp_node *node, enum position place)
{
    struct text *text = &writer->pattern;
    node = innermost_loop(node);
    bool group = place == REPEATED && !is_atom(node->op) && (node->op != REGEXP_ALTERNATE || writer->marked);
    const char *plain = node->op == REGEXP_REPEAT && node->max == 0 ? "" : plain_text(node->op);
    writer->too_long |= text->length + writer->shared.length > LIMIT_CEL_REGEXP_PATTERN;
    if (writer->too_long)
        return;
    text_add(text, group ? "(?:" : "");
    if (plain)
        text_add(text, plain);
    else if (node->op == REGEXP_LITERAL)
        write_literal(writer, node, place);
    else if (node->op == REGEXP_CLASS)
        write_class(writer, node->set);
    else if (node->op == REGEXP_CAPTURE)
        write_node(writer, node->below[0], place);
    else if (node->op == REGEXP_CONCAT || node->op == REGEXP_ALTERNATE)
        write_many(writer, node, group ? ALONE : place);
    else
        write_repetition(writer, node);
    text_add(text, group ? ")" : "");
}

enum failure cel_regexp_translate(const struct cel_regexp *regexp, struct arena *arena, struct bytes *pattern)
{
    struct writer writer = { .shared_count = 0 };
    struct text whole;
    text_init(&writer.pattern, arena);
    text_init(&writer.shared, arena);
    text_init(&writer.class, arena);
    text_init(&whole, arena);
    ranges_init(&writer.first, arena);
    ranges_init(&writer.second, arena);
    find_empty(regexp->root);
    write_node(&writer, regexp->root, ALONE);
    if (writer.too_long) {
        *pattern = (struct bytes){ NULL, 0 };
        return FAILURE_NONE;
    }
    text_add(&whole, "(*NO_START_OPT)");
    if (writer.shared_count) {
        text_add(&whole, "(?(DEFINE)");
        text_add_bytes(&whole, (struct bytes){ writer.shared.data, (uint32_t)writer.shared.length });
        text_add(&whole, ")");
    }
    text_add_bytes(&whole, (struct bytes){ writer.pattern.data, (uint32_t)writer.pattern.length });
    const char *end = text_end(&whole);
    if (!end || writer.pattern.failed || writer.shared.failed || writer.first.failed || writer.second.failed)
        return arena->failure ? arena->failure : FAILURE_MEMORY;
    *pattern = (struct bytes){ end, (uint32_t)whole.length };
    return FAILURE_NONE;
}
