/* Values as they count for the checks: null, absence, zero values, defaults, and what an operation drops or keeps. */
#include "base/utf8.h"
#include "check/run.h"

#include <assert.h>

#include "value/time.h"

#define ZERO(doc_type) { .type = (doc_type), .flags = DOC_IMPLIED, .text = "" }

static const struct doc_node zeros[SHAPE_TYPES] = {
    [SHAPE_STRING] = ZERO(DOC_STRING), [SHAPE_BOOL] = ZERO(DOC_FALSE),
    [SHAPE_INT32] = { .type = DOC_NUMBER, .flags = DOC_IMPLIED, .text = "0", .count = 1 },
    [SHAPE_INT64] = { .type = DOC_NUMBER, .flags = DOC_IMPLIED, .text = "0", .count = 1 },
    [SHAPE_QUANTITY] = { .type = DOC_NUMBER, .flags = DOC_IMPLIED, .text = "0", .count = 1 },
    [SHAPE_TIME] = ZERO(DOC_NULL), [SHAPE_RAW] = ZERO(DOC_NULL),
    [SHAPE_OBJECT] = { .type = DOC_OBJECT, .flags = DOC_IMPLIED },
    [SHAPE_LIST] = { .type = DOC_ARRAY, .flags = DOC_IMPLIED | DOC_NIL },
    [SHAPE_MAP] = { .type = DOC_OBJECT, .flags = DOC_IMPLIED | DOC_NIL },
};

/* The zero value where a null is written: at the place of that null. */
static const struct doc_node *zero_at(struct run *run, const struct shape *shape, const struct doc_node *null)
{
    struct doc_node *zero = run_alloc(run, sizeof *zero);
    if (!zero)
        return &zeros[shape->type];
    *zero = zeros[shape->type];
    zero->flags &= (uint8_t)~DOC_IMPLIED;
    zero->next = null->next;
    zero->name = null->name;
    zero->name_length = null->name_length;
    zero->name_offset = null->name_offset;
    zero->offset = null->offset;
    zero->size = null->size;
    return zero;
}

static const struct doc_node *value_of(struct run *run, const struct field *field, const struct shape *shape, const struct doc_node *raw, bool defaults)
{
    bool null = !raw || raw->type == DOC_NULL;
    if (defaults && field && field->standard && (null || !place_is_set(field, raw)))
        return field->standard;
    if (!null)
        return raw;
    if (shape->type == SHAPE_RAW)
        return raw && !field ? raw : NULL;
    if (field && field->pointer)
        return NULL;
    return raw ? zero_at(run, shape, raw) : &zeros[shape->type];
}

const struct doc_node *place_value(struct run *run, const struct field *field, const struct shape *shape, const struct doc_node *raw)
{
    return value_of(run, field, shape, raw, true);
}

/* Whether field i of the object has its default, as earlier members have it; only texts of siblings are asked for. */
static bool has_default(const struct shape *shape, const struct doc_node *node, const struct doc_node *const *members, uint16_t i)
{
    if (node->flags & DOC_BARE)
        return false;
    for (const struct predicate *predicate = shape->fields[i].standard_if; predicate && predicate->op != PREDICATE_END; predicate++) {
        const struct doc_node *sibling = members[place_field(shape, predicate->member)];
        if (!sibling || sibling->type != DOC_STRING || !bytes_equal_text(doc_text(sibling), predicate->names[0]))
            return false;
    }
    return true;
}

bool place_knows(const struct run *run, const struct field *field)
{
    return versions_include(field->versions, run->request->version);
}

/* The year 1: what Go has where there is no time. */
static bool is_zero_time(const struct doc_node *node)
{
    struct instant instant;
    return node->type == DOC_STRING && instant_read(doc_text(node), &instant) && instant_is_zero(&instant);
}

bool place_is_set(const struct field *field, const struct doc_node *node)
{
    if (!node)
        return false;
    if (field && field->shape->type == SHAPE_RAW)
        return node->type != DOC_NULL;
    if (field && field->shape->type == SHAPE_TIME)
        return node->type == DOC_STRING && !is_zero_time(node);
    if (field && field->pointer)
        return true;
    int64_t number;
    switch ((enum doc_type)node->type) {
    case DOC_NULL:
    case DOC_FALSE: return false;
    case DOC_TRUE:
    case DOC_SKIPPED: return true;
    case DOC_NUMBER: return !doc_integer(node, INT64_MIN, INT64_MAX, &number) || number != 0;
    case DOC_STRING:
    case DOC_ARRAY:
    case DOC_OBJECT: return node->count != 0;
    }
    return true;
}

void place_members(struct run *run, const struct shape *shape, const struct doc_node *node, const struct doc_node *members[LIMIT_FIELDS])
{
    const struct outline *outline = outline_of(&run->worker->outlines, shape);
    uint64_t unset = outline->filled, null = 0;
    memset(members, 0, shape->field_count * sizeof *members);
    for (const struct doc_node *member = node->first; member; member = member->next) {
        if (member->field >= shape->field_count)
            continue;
        uint64_t bit = (uint64_t)1 << member->field;
        members[member->field] = member;
        unset &= ~bit;
        null = member->type == DOC_NULL ? null | bit : null & ~bit;
    }
    for (uint64_t left = unset | null | outline->defaulted; left; left &= left - 1) {
        uint16_t i = (uint16_t)__builtin_ctzll(left);
        const struct field *field = &shape->fields[i];
        members[i] = value_of(run, field, field->shape, members[i], field->standard && has_default(shape, node, members, i));
    }
}

static const struct doc_node *prepared(const struct field *field, enum prepare prepare, const struct doc_node *member, const struct doc_node *old)
{
    switch (prepare) {
    case PREPARE_NONE:      return member;
    case DROP:              return field->pointer ? NULL : &zeros[field->shape->type];
    case KEEP_OLD:          return old;
    case KEEP_OLD_IF_UNSET: return place_is_set(field, member) ? member : old;
    case KEEP_OLD_IF_SET:   return place_is_set(field, old) ? old : member;
    }
    return member;
}

/* Drops or keeps member i of the object at `place`, which has its members already. */
static void prepare_member(struct run *run, struct place *place, struct frame *frame, uint16_t i)
{
    const struct field *field = &place->shape->fields[i];
    enum prepare prepare = field->on[run->request->operation];
    bool has_old = place->old_members;
    if (field->prepare && run->request->operation == STATUS && has_old && frame->members[i]) {
        struct cross cross = { .run = run, .place = place };
        frame->members[i] = field->prepare(&cross, frame->members[i]);
    }
    if (prepare == DROP || (prepare != PREPARE_NONE && has_old))
        frame->members[i] = prepared(field, prepare, frame->members[i], has_old ? frame->old_members[i] : NULL);
}

void place_open(struct run *run, struct place *place, struct frame *frame)
{
    const struct shape *shape = place->shape;
    bool has_old = place->has_old && place->old;
    place_members(run, shape, place->node, frame->members);
    if (has_old)
        place_members(run, shape, place->old, frame->old_members);
    place->members = frame->members;
    place->old_members = has_old ? frame->old_members : NULL;
    for (uint64_t left = outline_of(&run->worker->outlines, shape)->prepared; left; left &= left - 1)
        prepare_member(run, place, frame, (uint16_t)__builtin_ctzll(left));
}

uint16_t place_field(const struct shape *shape, const char *name)
{
    uint16_t i = 0;
    for (const char *candidate; candidate = shape->fields[i].name.data, candidate != name; i++) { /* most often the very same literal */
        if (*candidate == *name && strcmp(candidate, name) == 0)
            break;
        assert(i + 1 < shape->field_count && "a row names a member that its object does not have");
    }
    return i;
}

const struct doc_node *place_element_member(struct run *run, const struct shape *element, const struct doc_node *node, const char *name)
{
    node = place_value(run, NULL, element, node);
    if (!name)
        return node;
    uint16_t i = place_field(element, name);
    const struct doc_node *found = NULL;
    for (const struct doc_node *member = node->first; member; member = member->next)
        if (member->field == i)
            found = member;
    return place_value(run, &element->fields[i], element->fields[i].shape, found);
}

struct place_found place_find(struct run *run, const struct place *place, const char *path, bool old)
{
    while (place->up)
        place = place->up;
    struct place_found found = { NULL, place->shape, old ? place->old : place->node };
    const struct doc_node *const *members = old ? NULL : place->members;
    while (*path) {
        struct bytes name = { path, (uint32_t)strcspn(path, ".") };
        uint16_t i = 0;
        while (i < found.shape->field_count && !bytes_equal(found.shape->fields[i].name, name))
            i++;
        if (i == found.shape->field_count)
            return (struct place_found){ NULL, NULL, NULL };
        found.field = &found.shape->fields[i];
        if (members)
            found.node = members[i];
        else if (found.node)
            found.node = place_element_member(run, found.shape, found.node, found.field->name.data);
        found.shape = found.field->shape;
        members = NULL; /* further down nothing is dropped or kept */
        path += name.length + (path[name.length] == '.');
    }
    return found;
}

struct place place_key(const struct place *map, const struct doc_node *entry, struct doc_node *text)
{
    *text = (struct doc_node){ .type = DOC_STRING, .text = entry->name, .count = entry->name_length, .offset = entry->name_offset, .size = entry->offset - entry->name_offset };
    return (struct place){ .up = map, .shape = STRING, .node = text, .is_key = true, .options = map->options };
}

/* ---- paths ---- */

/* Text of a document as programs get it: what is not UTF-8 (a character may be cut) as U+FFFD, U+0000 as an escape. */
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

/* A key of a map; one that is longer than `most` bytes (0: any) is cut in the middle, as the API server does. */
static void add_key(struct text *text, struct bytes key, uint16_t most)
{
    if (!most || key.length <= most) {
        add_name(text, key);
        return;
    }
    uint32_t kept = most - 3u, head = kept - kept / 2, tail = kept / 2;
    add_raw(text, (struct bytes){ key.data, head });
    text_add(text, "...");
    add_raw(text, (struct bytes){ key.data + key.length - tail, tail });
}

/* The field of the written object that holds a lifted member. */
static void add_lifted(struct text *text, const struct place *place)
{
    if (!place->up->shape->lifted_from)
        return;
    text_add(text, text->length ? "." : "");
    text_add(text, place->up->shape->lifted_from);
}

static void add_segment(struct text *text, const struct place *place)
{
    if (place->field && place->node && place->node->flags & DOC_INLINED)
        return; /* written in the object around it */
    if (place->field) {
        if (place->node && place->node->flags & DOC_LIFTED)
            add_lifted(text, place);
        if (text->length)
            text_add(text, ".");
        text_add(text, place->field->segment ? place->field->segment : place->field->name.data);
    } else if (place->is_key || place->up->shape->type == SHAPE_MAP) {
        text_add(text, "[");
        add_key(text, place->is_key ? doc_text(place->node) : doc_name(place->node), place->up->shape->key_bytes);
        text_add(text, "]");
    } else if (!place->up->shape->unindexed) {
        text_add(text, "[");
        text_add_integer(text, place->index);
        text_add(text, "]");
    }
}

static void add_path(struct text *text, const struct place *place)
{
    if (!place->up)
        return;
    add_path(text, place->up); /* as deep as shapes nest */
    add_segment(text, place);
}

/* As a decoder names places: JSON's own names, and keys of maps like members. */
static void add_decoded_path(struct text *text, const struct place *place)
{
    if (!place->up)
        return;
    add_decoded_path(text, place->up); /* as deep as shapes nest */
    if (place->up->shape->type == SHAPE_LIST) {
        text_add(text, "[");
        text_add_integer(text, place->index);
        text_add(text, "]");
        return;
    }
    text_add(text, text->length ? "." : "");
    add_name(text, place->field ? place->field->name : doc_name(place->node));
}

const char *place_decoded_path(struct run *run, const struct place *place)
{
    struct text text;
    text_init(&text, &run->worker->arena);
    add_decoded_path(&text, place);
    return run_text(run, &text);
}

static void add_field_path(struct text *text, const struct place *place)
{
    if (!place->up)
        return;
    add_field_path(text, place->up); /* as deep as shapes nest */
    if (!place->field || (place->node && place->node->flags & DOC_INLINED))
        return;
    if (place->node && place->node->flags & DOC_LIFTED)
        add_lifted(text, place);
    text_add(text, text->length ? "." : "");
    text_add(text, place->field->name.data);
}

typedef void add_path_function(struct text *text, const struct place *place);

/* The path of `place` after going `up` segments up and adding `below`. */
static const char *moved_path(struct run *run, add_path_function *add, const struct place *place, unsigned up, struct bytes below)
{
    struct text text;
    text_init(&text, &run->worker->arena);
    for (; up && place->up; up--)
        place = place->up;
    add(&text, place);
    text_add(&text, below.length && text.length ? "." : "");
    text_add_bytes(&text, below);
    return run_text(run, &text);
}

const char *place_path(struct run *run, const struct place *place, unsigned up, const char *below)
{
    return moved_path(run, add_path, place, up, bytes_of(below ? below : ""));
}

const char *place_field_path(struct run *run, const struct place *place, unsigned up, const char *below)
{
    struct bytes name = { below, below ? (uint32_t)strcspn(below, "[") : 0 }; /* a row may add the key of a map */
    return moved_path(run, add_field_path, place, up, name);
}
