/* Folding lines changes white space only. So the characters that are none stand in the text in the order in which they are written, and
 * counting them finds the place, whatever the style of the scalar. */
#include "doc/origin.h"

#include "base/utf8.h"

/* A walk over what is written of a string. */
struct walk {
    const char *data;  /* of the source */
    uint32_t at, end;  /* in the source: the next character, and the end of the text */
    char quote;        /* '"', '\'' or 0 */
    bool is_yaml;      /* in which U+0085 is a line break */
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The first character after the line that begins a block scalar. */
static uint32_t after_header(const struct walk *walk)
{
    uint32_t at = walk->at;
    while (at < walk->end && walk->data[at] != '\n' && walk->data[at] != '\r')
        at++;
    return at;
}

static struct walk begin(const struct document *document, const struct doc_node *node)
{
    struct walk walk = { document->source.data, node->offset, node->offset + node->size, 0, document->is_yaml };
    char first = node->size ? walk.data[walk.at] : 0;
    if (first == '"' || first == '\'') {
        walk.quote = first;
        walk.at++;
        walk.end -= node->size > 1;
    } else if (first == '|' || first == '>') {
        walk.at = after_header(&walk);
    }
    return walk;
}

static unsigned hex_value(const struct walk *walk, uint32_t at, unsigned digits, uint32_t *code)
{
    *code = 0;
    for (unsigned i = 0; i < digits; i++) {
        char c = at + i < walk->end ? walk->data[at + i] : 0;
        unsigned value = c >= '0' && c <= '9'                 ? (unsigned)(c - '0')
                         : (c | 32) >= 'a' && (c | 32) <= 'f' ? (unsigned)((c | 32) - 'a' + 10)
                                                              : 16;
        if (value == 16)
            return i;
        *code = *code * 16 + value;
    }
    return digits;
}

/* What an escape at walk->at, a backslash, stands for: bytes that are no white space. Sets its length in the source. */
static unsigned escape_bytes(const struct walk *walk, uint32_t *length)
{
    char c = walk->at + 1 < walk->end ? walk->data[walk->at + 1] : 0, encoded[UTF8_MAX_BYTES];
    unsigned digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    uint32_t code = 0, low = 0;
    *length = 2 + hex_value(walk, walk->at + 2, digits, &code);
    if (digits == 0)
        return c == 'n' || c == 't' || c == 'r' || is_space(c) ? 0 : c == 'N' || c == '_' ? 2 : c == 'L' || c == 'P' ? 3 : 1;
    if (code >= 0xD800 && code < 0xDC00 && walk->at + 12 <= walk->end && walk->data[walk->at + 6] == '\\' &&
        walk->data[walk->at + 7] == 'u' && hex_value(walk, walk->at + 8, 4, &low) == 4 && low >= 0xDC00 && low < 0xE000) {
        *length = 12;
        return 4;
    }
    if (code < 128)
        return !is_space((char)code);
    return code >= 0xD800 && code < 0xE000 ? 3 : utf8_encode(code, encoded);
}

/* The next part of what is written: how many bytes of the text come from it that are no white space, and its length in the source. */
static unsigned next(const struct walk *walk, uint32_t *length)
{
    char c = walk->data[walk->at];
    *length = 1;
    if (walk->is_yaml && c == '\xC2' && walk->at + 1 < walk->end && walk->data[walk->at + 1] == '\x85') {
        *length = 2;
        return 0;
    }
    if (walk->quote == '"' && c == '\\')
        return escape_bytes(walk, length);
    if (walk->quote == '\'' && c == '\'')
        *length = walk->at + 1 < walk->end && walk->data[walk->at + 1] == '\'' ? 2 : 1;
    return !is_space(c);
}

/* Passes over that many bytes of text that are no white space. */
static void pass(struct walk *walk, uint32_t bytes)
{
    while (bytes > 0 && walk->at < walk->end) {
        uint32_t length;
        unsigned from = next(walk, &length);
        if (from > bytes)
            return; /* in the middle of an escape */
        bytes -= from;
        walk->at += length;
    }
}

/* Passes over white space of this line: so many characters at most. */
static void pass_space(struct walk *walk, uint32_t characters)
{
    for (uint32_t length; characters > 0 && walk->at < walk->end; characters--, walk->at += length)
        if (walk->data[walk->at] == '\n' || walk->data[walk->at] == '\r' || next(walk, &length) != 0)
            return;
}

/* Passes over all white space. */
static void pass_lines(struct walk *walk)
{
    for (uint32_t length; walk->at < walk->end && next(walk, &length) == 0;)
        walk->at += length;
}

/* Goes to the place of byte `at`. */
static void go_to(struct walk *walk, struct bytes text, uint32_t at)
{
    uint32_t solid = 0, spaces = 0; /* spaces: just before `at` */
    for (uint32_t i = 0; i < at && i < text.length; i++) {
        solid += !is_space(text.data[i]);
        spaces = is_space(text.data[i]) ? spaces + 1 : 0;
    }
    pass(walk, solid);
    if (at < text.length && !is_space(text.data[at]))
        pass_lines(walk);
    else
        pass_space(walk, spaces);
    if (walk->at > walk->end)
        walk->at = walk->end;
}

uint32_t doc_origin(const struct document *document, const struct doc_node *node, uint32_t at)
{
    struct walk walk = begin(document, node);
    go_to(&walk, doc_text(node), at);
    return walk.at;
}

uint32_t doc_origin_end(const struct document *document, const struct doc_node *node, uint32_t at)
{
    struct walk walk = begin(document, node);
    uint32_t length = 1;
    go_to(&walk, doc_text(node), at);
    if (walk.at < walk.end)
        (void)next(&walk, &length);
    return length < walk.end - walk.at ? walk.at + length : walk.end;
}

void doc_origins(const struct document *document, const struct doc_node *node, uint32_t *starts)
{
    struct walk walk = begin(document, node);
    const struct bytes text = doc_text(node);
    uint32_t passed = 0, from = 0, length = 0; /* bytes of the text that come from the part before, which began at `from` */
    for (uint32_t i = 0; i < text.length; i++) {
        if (is_space(text.data[i])) {
            starts[i] = walk.at;
            pass_space(&walk, 1);
            continue;
        }
        if (!passed) {
            pass_lines(&walk);
            from = walk.at;
            passed = walk.at < walk.end ? next(&walk, &length) : 1;
            walk.at += walk.at < walk.end ? length : 0;
        }
        starts[i] = from;
        passed--;
    }
    starts[text.length] = walk.at < walk.end ? walk.at : walk.end;
}

uint32_t doc_origin_after(const struct document *document, const struct doc_node *node, uint32_t start)
{
    struct walk walk = begin(document, node);
    uint32_t length = 0;
    walk.at = start;
    if (start < walk.end)
        (void)next(&walk, &length);
    return start + length;
}
