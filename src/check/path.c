#include "check/path.h"

#include "base/utf8.h"
#include "check/limits.h"

/* Text of a document, in valid UTF-8: invalid bytes (of a character that was cut, too) become U+FFFD, and U+0000 becomes an escape. */
static void add_raw(struct text *text, struct bytes bytes)
{
    for (uint32_t at = 0, length; at < bytes.length; at += length) {
        uint32_t code = 0;
        unsigned character = utf8_decode((const unsigned char *)bytes.data + at, bytes.length - at, &code);
        length = character ? character : 1;
        if (character && code)
            text_add_bytes(text, (struct bytes){ bytes.data + at, length });
        else
            text_add(text, character ? "\\u0000" : UTF8_REPLACEMENT);
    }
}

static void add_name(struct text *text, struct bytes name)
{
    bool cut = name.length > LIMIT_PATH_KEY_BYTES;
    add_raw(text, (struct bytes){ name.data, cut ? LIMIT_PATH_KEY_BYTES : name.length });
    text_add(text, cut ? "..." : "");
}

/* A key of a map. If it is longer than `max` bytes, its middle is left out, as the API server does; max 0: never. */
static void add_key(struct text *text, struct bytes key, uint16_t max)
{
    if (!max || key.length <= max) {
        add_name(text, key);
        return;
    }
    uint32_t kept = max - 3u, head = kept - kept / 2, tail = kept / 2;
    add_raw(text, (struct bytes){ key.data, head });
    text_add(text, "...");
    add_raw(text, (struct bytes){ key.data + key.length - tail, tail });
}

/* The field in which a flattened member is written. */
static void add_flattened(struct text *text, const struct cursor *cursor)
{
    if (!cursor->up->shape->flattened_from)
        return;
    text_add(text, text->length ? "." : "");
    text_add(text, cursor->up->shape->flattened_from);
}

static void add_segment(struct text *text, const struct cursor *cursor, minor version)
{
    if (cursor->field && cursor->node && cursor->node->flags & DOC_INLINED)
        return; /* its members are written in the object around it */
    if (cursor->field) {
        if (cursor->node && cursor->node->flags & DOC_FLATTENED)
            add_flattened(text, cursor);
        if (text->length)
            text_add(text, ".");
        text_add(text, cursor->field->segment ? cursor->field->segment : cursor->field->name.data);
    } else if (cursor->is_key || cursor->up->shape->type == SHAPE_MAP) {
        text_add(text, "[");
        add_key(text, cursor->is_key ? doc_text(cursor->node) : doc_name(cursor->node), cursor->up->shape->key_bytes);
        text_add(text, "]");
    } else if (version > cursor->up->shape->unindexed_until) {
        text_add(text, "[");
        text_add_integer(text, cursor->index);
        text_add(text, "]");
    }
}

static void add_path(struct text *text, const struct cursor *cursor, minor version)
{
    if (!cursor->up)
        return;
    add_path(text, cursor->up, version); /* recursion is as deep as shapes nest */
    add_segment(text, cursor, version);
}

/* As Go's JSON decoder writes paths: fields with their names in JSON, and keys of maps like fields. */
static void add_decoded_path(struct text *text, const struct cursor *cursor)
{
    if (!cursor->up)
        return;
    add_decoded_path(text, cursor->up); /* recursion is as deep as shapes nest */
    if (cursor->up->shape->type == SHAPE_LIST) {
        text_add(text, "[");
        text_add_integer(text, cursor->index);
        text_add(text, "]");
        return;
    }
    text_add(text, text->length ? "." : "");
    add_name(text, cursor->field ? cursor->field->name : doc_name(cursor->node));
}

const char *path_of_json(struct evaluation *eval, const struct cursor *cursor)
{
    struct text text;
    text_init(&text, &eval->workspace->arena);
    add_decoded_path(&text, cursor);
    return evaluation_text(eval, &text);
}

static void add_field_path(struct text *text, const struct cursor *cursor, minor version)
{
    if (!cursor->up)
        return;
    add_field_path(text, cursor->up, version); /* recursion is as deep as shapes nest */
    if (!cursor->field || (cursor->node && cursor->node->flags & DOC_INLINED))
        return;
    if (cursor->node && cursor->node->flags & DOC_FLATTENED)
        add_flattened(text, cursor);
    text_add(text, text->length ? "." : "");
    text_add(text, cursor->field->name.data);
}

typedef void add_path_function(struct text *text, const struct cursor *cursor, minor version);

/* The path of the cursor after `up` segments up and `below` down. */
static void add_moved(struct text *text, add_path_function *add, const struct cursor *cursor, minor version, unsigned up,
                      struct bytes below)
{
    for (; up && cursor->up; up--)
        cursor = cursor->up;
    add(text, cursor, version);
    text_add(text, below.length && text->length ? "." : "");
    text_add_bytes(text, below);
}

void path_add(struct text *text, const struct cursor *cursor, minor version, unsigned up, const char *below)
{
    add_moved(text, add_path, cursor, version, up, bytes_of(below ? below : ""));
}

const char *path_of(struct evaluation *eval, const struct cursor *cursor, unsigned up, const char *below)
{
    struct text text;
    text_init(&text, &eval->workspace->arena);
    path_add(&text, cursor, eval->request->version, up, below);
    return evaluation_text(eval, &text);
}

const char *path_of_field(struct evaluation *eval, const struct cursor *cursor, unsigned up, const char *below)
{
    struct bytes name = { below, below ? (uint32_t)strcspn(below, "[") : 0 }; /* without the key of a map, which a row may append */
    struct text text;
    text_init(&text, &eval->workspace->arena);
    add_moved(&text, add_field_path, cursor, eval->request->version, up, name);
    return evaluation_text(eval, &text);
}
