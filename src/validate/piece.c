#include "validate/piece.h"

#include "base/limits.h"
#include "doc/json.h"
#include "doc/yaml.h"
#include "validate/limits.h"

/* The first byte that is no white space, or the length of the text. */
static size_t after_space(const struct cutter *cutter, size_t at)
{
    const char *data = cutter->text.data;
    while (at < cutter->text.length && (data[at] == ' ' || data[at] == '\t' || data[at] == '\r' || data[at] == '\n'))
        at++;
    return at;
}

void cutter_init(struct cutter *cutter, const struct context *context, const char *data, size_t length,
                 void (*passed)(void *self, size_t to), void *self)
{
    *cutter = (struct cutter){ .text = { .data = data, .length = length, .passed = passed, .self = self }, .context = context };
    arena_init(&cutter->arena, context->memory, LIMIT_ARENA_BYTES);
    size_t at = after_space(cutter, 0);
    cutter->json = at < length && data[at] == '{';
}

void cutter_done(struct cutter *cutter)
{
    arena_done(&cutter->arena);
}

/* ---- lists ---- */

/* What is around the items, with none between. The arena failed: { NULL, 0 }. */
static struct bytes around(struct cutter *cutter, const struct cut_list *list)
{
    static const char none[] = " []\n";
    bool json = cutter->json;
    size_t before = list->start - list->from - !json, middle = json ? 0 : sizeof none - 1, after = list->after - list->end;
    char *data = arena_text(&cutter->arena, before + middle + after);
    if (!data)
        return (struct bytes){ NULL, 0 };
    memcpy(data, cutter->text.data + list->from, before);
    memcpy(data + before, none, middle);
    memcpy(data + before + middle, cutter->text.data + list->end, after);
    return (struct bytes){ data, (uint32_t)(before + middle + after) };
}

/* Whether it is a List for those who read it whole: sets the heading of its items. What is wrong with it is said when it is read whole. */
static bool is_list(struct cutter *cutter, const struct cut_list *list)
{
    struct document document;
    struct doc_error error;
    uint32_t end;
    const struct bytes text = around(cutter, list);
    const struct map_key key = cutter->context->key;
    const struct json_input json = { .source = text, .alone = true, .profile = JSON_STRICT, .arena = &cutter->arena, .key = key };
    const struct yaml_input yaml = { .source = text, .end = text.length, .arena = &cutter->arena, .key = key };
    if (!text.data || (cutter->json ? json_read(&json, &document, &end, &error) : yaml_read(&yaml, &document, &error)))
        return false;
    return source_is_list(document.root, &cutter->heading);
}

/* ---- pieces ---- */

/* A piece from `at` to `end`. What is too long to be read is cut off after that length, for its reader to see. */
static bool give(struct cutter *cutter, size_t end, struct piece *piece)
{
    size_t length = end - cutter->at;
    if (length > LIMIT_FILE_BYTES)
        length = LIMIT_FILE_BYTES + 1;
    *piece = (struct piece){
        .text = { cutter->text.data + cutter->at, (uint32_t)length },
        .before = cutter->before,
        .mode = cutter->at == 0 && !cutter->items ? MANIFEST_START : cutter->json ? MANIFEST_JSON : MANIFEST_YAML,
        .items = cutter->items,
        .ends = cutter->items && end == cutter->list.end,
        .heading = cutter->heading,
    };
    cutter->uncut |= !cutter->items && length > LIMIT_UNCUT_BYTES;
    lines_pass(&cutter->before, piece->text);
    cutter->at += length;
    if (cutter->at < end)
        cutter->at = cutter->text.length; /* its rest is no document */
    return true;
}

static bool give_items(struct cutter *cutter, struct piece *piece)
{
    size_t (*find)(struct cut_text *, const struct cut_list *, size_t, size_t) = cutter->json ? cut_json_items : cut_yaml_items;
    give(cutter, find(&cutter->text, &cutter->list, cutter->at, LIMIT_PIECE_BYTES), piece);
    if (!piece->ends)
        return true;
    const size_t after = cutter->list.after;
    lines_pass(&cutter->before, (struct bytes){ cutter->text.data + cutter->at, (uint32_t)(after - cutter->at) });
    cutter->at = after;
    cutter->items = false;
    return true;
}

/* Begins with the items of a List, which is the next document. */
static bool begin_items(struct cutter *cutter, const struct cut_list *list, struct piece *piece)
{
    lines_pass(&cutter->before, (struct bytes){ cutter->text.data + cutter->at, (uint32_t)(list->start - cutter->at) });
    cutter->at = list->start;
    cutter->list = *list;
    cutter->items = true;
    return give_items(cutter, piece);
}

/* The end of the document at `at`, and its List; false: it has no end. */
static bool find_document(struct cutter *cutter, size_t at, struct cut_list *list)
{
    if (cutter->json)
        return strchr("{[", cutter->text.data[at]) && cut_json_value(&cutter->text, at, list);
    *list = (struct cut_list){ .from = at, .after = cut_yaml_document(&cutter->text, at) };
    return true;
}

static bool is_cut(struct cutter *cutter, struct cut_list *list)
{
    bool found = cutter->json ? list->start != 0 : cut_yaml_list(&cutter->text, list->from, list->after, list);
    return found && is_list(cutter, list);
}

bool cutter_next(struct cutter *cutter, struct piece *piece)
{
    size_t at = cutter->at;
    if (cutter->items)
        return give_items(cutter, piece);
    for (;;) {
        struct cut_list list;
        size_t next = cutter->json ? after_space(cutter, at) : at;
        if (next >= cutter->text.length || at - cutter->at >= LIMIT_PIECE_BYTES)
            return at > cutter->at && give(cutter, at, piece);
        if (!find_document(cutter, next, &list))
            return give(cutter, cutter->text.length, piece);
        bool large = list.after - list.from > LIMIT_PIECE_BYTES;
        if (large && at > cutter->at)
            return give(cutter, at, piece); /* those before it */
        if (large && is_cut(cutter, &list))
            return begin_items(cutter, &list, piece);
        at = list.after;
        if (large)
            return give(cutter, at, piece);
    }
}
