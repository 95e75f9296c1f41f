#include "validate/fix.h"

#include "base/limits.h"
#include "doc/scalar.h"
#include "validate/limits.h"

/* ---- what may be changed ---- */

/* Whether a tag or an anchor stands before that place: the value is not only what is written there. */
static bool has_property(struct bytes source, uint32_t at)
{
    uint32_t bound = at > LIMIT_PROPERTY_BYTES ? at - LIMIT_PROPERTY_BYTES : 0;
    while (at > bound && strchr(" \t\r\n", source.data[at - 1]))
        at--;
    while (at > bound && !strchr(" \t\r\n", source.data[at - 1]))
        at--;
    return source.data[at] == '!' || source.data[at] == '&';
}

/* Whether the text can stand between any quotes as it is. */
static bool is_simple(struct bytes text)
{
    for (uint32_t i = 0; i < text.length; i++)
        if (text.data[i] < ' ' || text.data[i] > '~' || strchr("\"'\\", text.data[i]))
            return false;
    return text.length != 0;
}

/* Whether YAML reads the text as that string without quotes, wherever it stands. */
static bool is_plain(struct bytes text)
{
    struct scalar scalar;
    for (uint32_t i = 0; i < text.length; i++) {
        char c = text.data[i], lower = (char)(c | 32);
        bool word = (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
        if (!word && !(i && c && strchr("-._/", c)))
            return false;
    }
    return scalar_resolve(text, SCALAR_PLAIN, &scalar) && scalar.type == SCALAR_STRING;
}

/* Where a text is written, and in which quotes. */
struct written {
    uint32_t from, to; /* with the quotes */
    char quote;        /* 0: none */
};

/* Finds a string or name that is written in one line and without escapes; false: it is written in another way, or elsewhere. */
static bool find_written(const struct document *document, uint32_t from, struct bytes text, struct written *written)
{
    struct bytes source = document->source;
    char first = from < source.length ? source.data[from] : 0;
    *written = (struct written){ .from = from, .quote = first == '"' || first == '\'' ? first : 0 };
    uint32_t quotes = written->quote != 0, left = source.length - from;
    if (!first || !is_simple(text) || text.length + 2 * quotes > left || has_property(source, from))
        return false;
    written->to = from + text.length + 2 * quotes;
    bool same = memcmp(source.data + from + quotes, text.data, text.length) == 0;
    bool closed = !quotes || source.data[written->to - 1] == first;
    return same && closed && !doc_is_shared(document, from, written->to);
}

bool fix_is_possible(const struct guess *guess)
{
    if (!guess->eval->request->fixes || guess->eval->reads_old || guess->eval->request->document->has_duplicates)
        return false;
    for (const struct cursor *cursor = guess->about->cursor; cursor; cursor = cursor->up)
        if (cursor->is_kept || cursor->is_key)
            return false;
    return true;
}

/* ---- making one ---- */

static const struct problem_fix *make(struct arena *arena, const char *verb, const struct written *written, struct bytes meant, bool quoted)
{
    struct problem_fix *fix = arena_alloc(arena, sizeof *fix);
    struct edit *edit = arena_alloc(arena, sizeof *edit);
    struct text words, text;
    const char quote[2] = { quoted ? (written->quote ? written->quote : '"') : 0, 0 };
    text_init(&text, arena);
    text_add(&text, quote);
    text_add_bytes(&text, meant);
    text_add(&text, quote);
    text_init(&words, arena);
    text_add(&words, verb);
    text_add_bytes(&words, meant.length <= LIMIT_QUOTE_BYTES ? meant : bytes_of("it"));
    const char *fresh = text_end(&text), *end = text_end(&words);
    if (!fix || !edit || !fresh || !end)
        return NULL;
    *edit = (struct edit){ written->from, written->to, { fresh, (uint32_t)text.length } };
    *fix = (struct problem_fix){ .words = end, .edits = edit, .count = 1 };
    return fix;
}

/* In the quotes that are there; new ones only where it needs them. */
static const struct problem_fix *write_string(struct arena *arena, const struct document *document, const struct written *written,
                                              const char *verb, struct bytes meant)
{
    bool quoted = written->quote || !document->is_yaml || !is_plain(meant);
    return is_simple(meant) ? make(arena, verb, written, meant, quoted) : NULL;
}

const struct problem_fix *fix_of_string(struct arena *arena, const struct document *document, const struct doc_node *string,
                                        struct bytes meant)
{
    struct written written;
    bool found = string->type == DOC_STRING && !(string->flags & DOC_IMPLIED) &&
                 find_written(document, string->offset, doc_text(string), &written) && written.to == string->offset + string->size;
    return found ? write_string(arena, document, &written, "write ", meant) : NULL;
}

void fix_string(struct guess *guess, const struct doc_node *string, struct bytes meant)
{
    if (fix_is_possible(guess))
        guess->fix = fix_of_string(&guess->eval->workspace->arena, guess->eval->request->document, string, meant);
}

void fix_unquote(struct guess *guess, const struct doc_node *string, struct bytes meant)
{
    struct written written;
    if (fix_is_possible(guess) && find_written(guess->eval->request->document, string->offset, doc_text(string), &written) &&
        written.to == string->offset + string->size)
        guess->fix = make(&guess->eval->workspace->arena, "write without quotes: ", &written, meant, false);
}

void fix_quote(struct guess *guess, const struct doc_node *value)
{
    struct written written;
    const struct document *document = guess->eval->request->document;
    struct bytes token = doc_source(document, value);
    if (fix_is_possible(guess) && find_written(document, value->offset, token, &written) && !written.quote)
        guess->fix = make(&guess->eval->workspace->arena, "write in quotes: ", &written, token, true);
}

void fix_name(struct guess *guess, const struct doc_node *member, struct bytes name)
{
    struct written written;
    const struct document *document = guess->eval->request->document;
    if (fix_is_possible(guess) && find_written(document, member->name_offset, doc_name(member), &written))
        guess->fix = write_string(&guess->eval->workspace->arena, document, &written, "rename it to ", name);
}

bool fix_has_no_room(const struct arena *arena)
{
    return arena->taken > arena->limit / 2; /* the rest is more than an object may have */
}

/* ---- copies ---- */

const struct problem_fix *fix_copy(struct arena *arena, const struct problem_fix *fix)
{
    struct problem_fix *copy = fix ? arena_alloc(arena, sizeof *copy) : NULL;
    struct edit *edits = copy ? arena_alloc(arena, fix->count * sizeof *edits) : NULL;
    struct text words;
    if (!edits)
        return NULL;
    for (uint32_t i = 0; i < fix->count; i++) {
        struct bytes text = fix->edits[i].text;
        char *data = arena_text(arena, text.length + 1);
        if (!data)
            return NULL;
        if (text.length)
            memcpy(data, text.data, text.length);
        edits[i] = (struct edit){ fix->edits[i].from, fix->edits[i].to, { data, text.length } };
    }
    text_init(&words, arena);
    text_add(&words, fix->words);
    *copy = (struct problem_fix){ .words = text_end(&words), .edits = edits, .count = fix->count, .moves = fix->moves };
    return copy->words ? copy : NULL;
}

bool fix_equal(const struct problem_fix *a, const struct problem_fix *b)
{
    if (!a || !b || a->count != b->count)
        return a == b;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->edits[i].from != b->edits[i].from || a->edits[i].to != b->edits[i].to || !bytes_equal(a->edits[i].text, b->edits[i].text))
            return false;
    return true;
}
