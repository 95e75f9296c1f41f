#include "doc/json.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/limits.h"
#include "base/utf8.h"
#include "doc/repeated.h"

/* Kept out of line, so that what is called for every value needs few registers and little stack. */
#define RARE __attribute__((noinline))

/* An array or object whose end has not been read yet. */
struct level {
    struct doc_node *node;
    struct doc_node *last;  /* newest element or member */
    const void *state;      /* the guide's; NULL: it knows nothing of what is inside */
    const void *each;       /* the guide's for all that is inside; NULL: it must be asked */
    uint64_t seen;          /* fields met so far, one bit each */
    uint32_t unbound;       /* members that the guide gave no field */
    uint16_t field;         /* of the newest member */
    unsigned char close;    /* bracket that ends it */
};

struct reader {
    const unsigned char *start, *at, *end; /* source, next byte, behind the last byte */
    const struct json_input *input;
    struct document *document;
    struct doc_error *error;
    enum failure failure;
    uint32_t nodes;
    unsigned depth;
    struct level levels[LIMIT_DEPTH];
};

_Static_assert(LIMIT_FIELDS <= 64, "level.seen has 64 bits");

/* ---- failing ---- */

static bool fail(struct reader *r, enum failure failure, const unsigned char *where, const char *message)
{
    r->failure = failure;
    *r->error = (struct doc_error){ .message = message, .offset = (uint32_t)(where - r->start) };
    return false;
}

static bool fail_syntax(struct reader *r, const char *message)
{
    if (r->at < r->end)
        return fail(r, FAILURE_SYNTAX, r->at, message);
    fail(r, FAILURE_SYNTAX, r->end, "the text ends too early");
    r->error->truncated = true;
    return false;
}

static bool fail_memory(struct reader *r)
{
    return fail(r, r->input->arena->failure, r->at, failure_text(r->input->arena->failure));
}

/* ---- tokens ---- */

RARE static void skip_some_space(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
}

static inline void skip_space(struct reader *r)
{
    if (r->at < r->end && *r->at <= ' ') /* programs write none */
        skip_some_space(r);
}

static bool is_digit(const unsigned char *at, const unsigned char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static bool read_digits(struct reader *r)
{
    if (!is_digit(r->at, r->end))
        return fail_syntax(r, "a digit is missing");
    while (is_digit(r->at, r->end))
        r->at++;
    return true;
}

static bool read_number(struct reader *r)
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

static bool read_word(struct reader *r, const char *word)
{
    for (; *word; word++, r->at++)
        if (r->at >= r->end || *r->at != (unsigned char)*word)
            return fail_syntax(r, "a value must be an object, array, string, number, true, false or null");
    return true;
}

#ifdef __SSE2__
/* One bit for each of 16 bytes: a quote, a backslash, or, as signed numbers below a space, a control character or not ASCII. */
static unsigned special_bytes(const unsigned char *at)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    __m128i others = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), others));
}
#endif

/* The first byte at or after `at` that is a quote, a backslash, a control character or not ASCII. */
static inline const unsigned char *scan_plain(const unsigned char *at, const unsigned char *end)
{
#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        unsigned special = special_bytes(at);
        if (special)
            return at + __builtin_ctz(special);
    }
#endif
    while (at < end && *at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\')
        at++;
    return at;
}

/* Four hexadecimal digits. On failure r->at is at the first byte that is none. */
static bool read_hex(struct reader *r, uint32_t *unit)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        unsigned char byte = r->at < r->end ? *r->at : 0, letter = byte | 0x20;
        if (byte >= '0' && byte <= '9')
            value = value << 4 | (uint32_t)(byte - '0');
        else if (letter >= 'a' && letter <= 'f')
            value = value << 4 | (uint32_t)(letter - 'a' + 10);
        else
            return fail_syntax(r, "\\u needs four hexadecimal digits");
    }
    *unit = value;
    return true;
}

static bool is_surrogate(uint32_t unit, uint32_t first)
{
    return (unit & ~0x3FFu) == first;
}

/* What follows \u. A high surrogate takes an escaped low one with it; alone it is U+FFFD, or refused when `strict`. */
static bool read_unicode_escape(struct reader *r, bool strict, uint32_t *code)
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
        r->at = second; /* an escape of its own */
    }
    if (!is_surrogate(*code, 0xD800) && !is_surrogate(*code, 0xDC00))
        return true;
    bool cut = r->at == r->end || (r->end - r->at == 1 && *r->at == '\\');
    if (strict && is_surrogate(*code, 0xD800) && cut) {
        r->at = r->end;
        return fail_syntax(r, "");
    }
    if (strict)
        return fail(r, FAILURE_SYNTAX, backslash, "half of a surrogate pair");
    *code = 0xFFFD;
    return true;
}

static bool read_escape(struct reader *r, bool strict, uint32_t *code)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    r->at++;
    if (r->at < r->end && *r->at == 'u') {
        r->at++;
        return read_unicode_escape(r, strict, code);
    }
    const char *letter = r->at < r->end && *r->at ? strchr(letters, *r->at) : NULL;
    if (!letter)
        return fail_syntax(r, "unknown escape in a string");
    *code = (unsigned char)values[letter - letters];
    r->at++;
    return true;
}

/* The next character of a string, in any spelling. *changed: its text is not its source. */
static bool read_character(struct reader *r, bool strict, uint32_t *code, bool *changed)
{
    if (r->at >= r->end || *r->at < 0x20)
        return fail_syntax(r, "control characters must be escaped in a string");
    if (*r->at == '\\') {
        *changed = true;
        return read_escape(r, strict, code);
    }
    size_t left = (size_t)(r->end - r->at);
    unsigned length = utf8_decode(r->at, left, code);
    if (length == 0 && strict) {
        if (!utf8_truncated(r->at, left))
            return fail(r, FAILURE_SYNTAX, r->at, "not UTF-8");
        r->at = r->end;
        return fail_syntax(r, "");
    }
    if (length == 0) {
        *changed = true;
        *code = 0xFFFD;
        length = 1;
    }
    r->at += length;
    return true;
}

/* A string with characters that need a closer look, from r->at on; what stands between `start` and there is plain. Goes through
 * it once to check and measure it, and once more to write it, if its text is not its source. */
RARE static struct bytes read_hard_string(struct reader *r, const unsigned char *start, uint8_t *flags)
{
    bool strict = r->input->profile == JSON_STRICT, changed = false;
    size_t length = (size_t)(r->at - start);
    uint32_t code = 0;
    char buffer[UTF8_MAX_BYTES];
    const struct bytes failed = { NULL, 0 };
    while (r->at >= r->end || *r->at != '"') {
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
        fail_memory(r);
        return failed;
    }
    const struct bytes text = { out, (uint32_t)length };
    for (r->at = start; r->at < quote;) {
        if (!read_character(r, strict, &code, &changed))
            return failed;
        out += utf8_encode(code, out);
    }
    r->at++;
    return text;
}

/* A string, r->at at its opening quote and then behind its closing one. Without data when it failed. */
static inline struct bytes read_string(struct reader *r, uint8_t *flags)
{
    const unsigned char *start = r->at + 1, *at = scan_plain(start, r->end);
    r->at = at;
    if (at >= r->end || *at != '"')
        return read_hard_string(r, start, flags);
    r->at++;
    return (struct bytes){ (const char *)start, (uint32_t)(at - start) };
}

/* ---- values that are only checked ---- */

static bool skip_string(struct reader *r)
{
    r->at++;
    for (;;) {
        r->at = scan_plain(r->at, r->end);
        if (r->at >= r->end || *r->at < 0x20)
            return fail_syntax(r, "control characters must be escaped in a string");
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

static bool skip_scalar(struct reader *r)
{
    switch (r->at < r->end ? *r->at : 0) {
    case '"': return skip_string(r);
    case 't': return read_word(r, "true");
    case 'f': return read_word(r, "false");
    case 'n': return read_word(r, "null");
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        return read_number(r);
    default: return fail_syntax(r, "a value is missing");
    }
}

/* A member's name and colon, and the space around them. */
static bool skip_name(struct reader *r)
{
    skip_space(r);
    if (r->at >= r->end || *r->at != '"')
        return fail_syntax(r, "a member name in double quotes is missing");
    if (!skip_string(r))
        return false;
    skip_space(r);
    if (r->at >= r->end || *r->at != ':')
        return fail_syntax(r, "a colon is missing");
    r->at++;
    return true;
}

/* Checks the grammar of one value of any depth up to LIMIT_SKIPPED_DEPTH; a bit a level says whether it is an object. */
RARE static bool skip_value(struct reader *r)
{
    unsigned char objects[LIMIT_SKIPPED_DEPTH / 8 + 1];
    uint32_t depth = 0;
    for (;;) {
        skip_space(r);
        bool opened = r->at < r->end && (*r->at == '{' || *r->at == '[');
        if (opened) {
            if (depth == LIMIT_SKIPPED_DEPTH)
                return fail(r, FAILURE_LIMIT, r->at, "nested too deep");
            unsigned char bit = (unsigned char)(1u << depth % 8);
            objects[depth / 8] = (unsigned char)(*r->at == '{' ? objects[depth / 8] | bit : objects[depth / 8] & ~bit);
            depth++;
            r->at++;
        } else if (!skip_scalar(r)) {
            return false;
        }
        for (;; opened = false) {
            if (depth == 0)
                return true;
            bool object = objects[(depth - 1) / 8] >> (depth - 1) % 8 & 1;
            skip_space(r);
            if (r->at < r->end && *r->at == (object ? '}' : ']')) {
                r->at++;
                depth--;
                continue;
            }
            if (!opened && (r->at >= r->end || *r->at != ','))
                return fail_syntax(r, object ? "a comma or } is missing" : "a comma or ] is missing");
            if (!opened)
                r->at++;
            if (object && !skip_name(r))
                return false;
            break;
        }
    }
}

/* ---- the tree ---- */

static inline struct doc_node *add_node(struct reader *r, struct level *level)
{
    if (r->nodes == LIMIT_NODES) {
        fail(r, FAILURE_LIMIT, r->at, "too many values");
        return NULL;
    }
    struct doc_node *node = arena_alloc(r->input->arena, sizeof *node);
    if (!node) {
        fail_memory(r);
        return NULL;
    }
    *node = (struct doc_node){ .offset = (uint32_t)(r->at - r->start), .field = DOC_NO_FIELD };
    r->nodes++;
    if (level->last)
        level->last->next = node;
    else
        level->node->first = node;
    level->last = node;
    level->node->count++;
    return node;
}

static bool open_level(struct reader *r, struct doc_node *node, const void *state)
{
    const struct doc_guide *guide = r->input->guide;
    bool object = *r->at == '{';
    if (r->depth == LIMIT_DEPTH)
        return fail(r, FAILURE_LIMIT, r->at, "nested too deep");
    if (!guide || state == doc_skip)
        state = NULL;
    r->levels[r->depth++] = (struct level){
        .node = node, .state = state, .each = state ? guide->each(guide->self, state, object) : NULL, .field = DOC_NO_FIELD, .close = object ? '}' : ']',
    };
    node->type = object ? DOC_OBJECT : DOC_ARRAY;
    node->first = NULL;
    r->at++;
    return true;
}

static bool read_skipped(struct reader *r, struct doc_node *node)
{
    node->type = r->at < r->end && *r->at == 'n' ? DOC_NULL : DOC_SKIPPED; /* null is the one value whose sight matters */
    bool read = skip_value(r);
    node->size = (uint32_t)(r->at - r->start) - node->offset;
    return read;
}

static bool read_scalar(struct reader *r, struct doc_node *node)
{
    struct bytes text = { NULL, 0 };
    bool read;
    if (*r->at == '"') {
        node->type = DOC_STRING;
        text = read_string(r, &node->flags);
        read = text.data != NULL;
    } else if (*r->at == 't' || *r->at == 'f' || *r->at == 'n') {
        node->type = *r->at == 't' ? DOC_TRUE : *r->at == 'f' ? DOC_FALSE : DOC_NULL;
        read = skip_scalar(r);
    } else {
        node->type = DOC_NUMBER;
        text.data = (const char *)r->at;
        read = skip_scalar(r);
        text.length = (uint32_t)((const char *)r->at - text.data);
    }
    node->text = text.data;
    node->count = text.length;
    node->size = (uint32_t)(r->at - r->start) - node->offset;
    return read;
}

/* A value whose node stands in the tree already; an array or object is only opened. */
static inline bool read_node(struct reader *r, struct doc_node *node, const void *state)
{
    node->offset = (uint32_t)(r->at - r->start);
    if (state == doc_skip && r->input->profile == JSON_REVIEW)
        return read_skipped(r, node);
    if (r->at >= r->end)
        return fail_syntax(r, "");
    return *r->at == '{' || *r->at == '[' ? open_level(r, node, state) : read_scalar(r, node);
}

/* What a repeated name means depends on the profile. */
static bool meet_duplicate(struct reader *r, const struct doc_node *node)
{
    r->document->has_duplicates = true;
    if (r->input->profile == JSON_REVIEW)
        return true;
    return fail(r, FAILURE_SYNTAX, r->start + node->name_offset, "repeated member name");
}

/* A member's name, and the colon behind it. */
static inline bool read_name(struct reader *r, struct doc_node *node)
{
    uint8_t flags = 0;
    if (r->at >= r->end || *r->at != '"')
        return fail_syntax(r, "a member name in double quotes is missing");
    node->name_offset = (uint32_t)(r->at - r->start);
    struct bytes name = read_string(r, &flags);
    if (!name.data)
        return false;
    node->name = name.data;
    node->name_length = name.length;
    skip_space(r);
    if (r->at >= r->end || *r->at != ':')
        return fail_syntax(r, "a colon is missing");
    r->at++;
    skip_space(r);
    return true;
}

static bool read_member(struct reader *r, struct level *level)
{
    const struct doc_guide *guide = r->input->guide;
    const void *state = level->each;
    struct doc_node *node = add_node(r, level);
    if (!node || !read_name(r, node))
        return false;
    if (level->state && !state) {
        node->field = level->field;
        state = guide->member(guide->self, level->state, level->node, doc_name(node), &node->field);
    }
    if (node->field == DOC_NO_FIELD) {
        level->unbound += state != doc_skip || r->input->profile == JSON_STRICT;
    } else {
        uint64_t bit = (uint64_t)1 << node->field;
        if (level->seen & bit && !meet_duplicate(r, node))
            return false;
        level->seen |= bit;
        level->field = node->field;
    }
    return read_node(r, node, state);
}

static bool read_element(struct reader *r, struct level *level)
{
    struct doc_node *node = add_node(r, level);
    return node && read_node(r, node, level->each);
}

/* That names are unique; what a repeated one means depends on the profile. */
static bool find_duplicates(struct reader *r, struct level *level)
{
    const struct doc_node *repeated;
    if (repeated_name(level->node, level->unbound, r->input->arena, r->input->key, &repeated) != FAILURE_NONE)
        return fail_memory(r);
    return !repeated || meet_duplicate(r, repeated);
}

static bool close_level(struct reader *r, struct level *level)
{
    r->at++;
    level->node->size = (uint32_t)(r->at - r->start) - level->node->offset;
    r->depth--;
    return level->unbound < 2 || find_duplicates(r, level);
}

/* One more element or member of the innermost open value, or its end. */
static inline bool read_step(struct reader *r)
{
    struct level *level = &r->levels[r->depth - 1];
    bool object = level->close == '}';
    skip_space(r);
    if (r->at < r->end && *r->at == level->close)
        return close_level(r, level);
    if (level->last) {
        if (r->at >= r->end || *r->at != ',')
            return fail_syntax(r, object ? "a comma or } is missing" : "a comma or ] is missing");
        r->at++;
        skip_space(r);
    }
    return object ? read_member(r, level) : read_element(r, level);
}

/* What is wrong may stand behind a repeated name, in an object whose end will not come: then that name is the first mistake. */
static void look_back_for_duplicates(struct reader *r)
{
    bool unique = true;
    for (unsigned i = 0; i < r->depth && unique; i++)
        unique = r->levels[i].node->type != DOC_OBJECT || find_duplicates(r, &r->levels[i]);
}

static bool read_document(struct reader *r)
{
    if (r->input->source.length > LIMIT_BODY_BYTES)
        return fail(r, FAILURE_LIMIT, r->start + LIMIT_BODY_BYTES, "too long");
    skip_space(r);
    struct doc_node *root = arena_alloc(r->input->arena, sizeof *root);
    if (!root)
        return fail_memory(r);
    *root = (struct doc_node){ .field = DOC_NO_FIELD };
    r->document->root = root;
    r->nodes = 1;
    bool good = read_node(r, root, r->input->state);
    while (good && r->depth)
        good = read_step(r);
    if (!good || !r->input->alone)
        return good;
    skip_space(r);
    return r->at == r->end || fail_syntax(r, "only one value is allowed here");
}

enum failure json_read(const struct json_input *input, struct document *document, uint32_t *end, struct doc_error *error)
{
    const unsigned char *start = (const unsigned char *)(input->source.data ? input->source.data : "");
    struct document read = { .source = input->source };
    struct reader r; /* its levels are set as they open */
    r.start = start;
    r.at = start + input->start;
    r.end = start + input->source.length;
    r.input = input;
    r.document = &read;
    r.error = error;
    r.failure = FAILURE_NONE;
    r.nodes = 0;
    r.depth = 0;
    if (!read_document(&r)) {
        if (r.failure == FAILURE_SYNTAX && input->profile == JSON_STRICT)
            look_back_for_duplicates(&r);
        return r.failure;
    }
    *document = read;
    *end = (uint32_t)(r.at - r.start);
    return FAILURE_NONE;
}
