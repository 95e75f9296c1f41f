#include "check/cross_call.h"
#include "check/equal.h"
#include "check/limits.h"
#include "check/name_index.h"
#include "check/others.h"
#include "check/report.h"
#include "value/quantity.h"

const struct doc_node *cross_value(const struct cross *cross)
{
    return cross->cursor->node;
}

const char *cross_argument(const struct cross *cross)
{
    return cross->check->name;
}

bool cross_found(const struct cross *cross)
{
    return cross->broken;
}

const struct shape *cross_shape(const struct cross *cross)
{
    return cross->cursor->shape;
}

const struct doc_node *cross_member(struct cross *cross, const struct shape *shape, const struct doc_node *object, const char *name)
{
    return cursor_element_member(cross->eval, shape, object, name);
}

const struct shape *cross_member_shape(const struct shape *shape, const char *name)
{
    return shape->fields[shape_field_index(shape, name)].shape;
}

const struct doc_node *cross_sibling(const struct cross *cross, const char *name, bool old)
{
    const struct doc_node *const *members = old ? cross->cursor->old_members : cross->cursor->members;
    return members ? members[evaluation_field(cross->eval, cross->cursor->shape, name)] : NULL;
}

const struct doc_node *cross_beside(const struct cross *cross, const char *name)
{
    return cursor_sibling(cross->eval, cross->cursor, name);
}

int cross_compare_quantities(struct cross *cross, const struct doc_node *a, const struct doc_node *b)
{
    struct quantity first, second;
    enum failure failure = FAILURE_NONE;
    if (!a || !b)
        return 0;
    failure = quantity_read(doc_text(a), cross_arena(cross), &first);
    if (!failure)
        failure = quantity_read(doc_text(b), cross_arena(cross), &second);
    if (failure)
        cross_fail(cross, failure);
    return failure ? 0 : quantity_compare(&first, &second);
}

static int64_t as_int64(struct cross *cross, const struct doc_node *node)
{
    int64_t value = 0;
    enum failure failure = quantity_int64(doc_text(node), quantity_is_big(doc_text(node)), cross_arena(cross), &value);
    if (failure)
        cross_fail(cross, failure);
    return value;
}

bool cross_on_grid(struct cross *cross, const struct doc_node *value, const struct doc_node *base, const struct doc_node *step)
{
    if (!value || !base || !step)
        return true;
    int64_t width = as_int64(cross, step);
    uint64_t distance = (uint64_t)as_int64(cross, value) - (uint64_t)as_int64(cross, base);
    return width == 0 || width == -1 || (int64_t)distance % width == 0;
}

struct bytes cross_texts(struct cross *cross, const struct shape *shape, const struct doc_node *object, const char *const *members)
{
    return name_index_key(cross->eval, shape, object, members);
}

struct bytes cross_join(struct cross *cross, const struct bytes *texts, unsigned count)
{
    struct text text;
    size_t length = 0;
    for (unsigned i = 0; i < count; i++)
        length += texts[i].length;
    if (length > LIMIT_KEY_BYTES)
        return (struct bytes){ NULL, 0 };
    text_init(&text, cross->index_add ? cross_arena(cross) : cross_scratch(cross));
    for (unsigned i = 0; i < count; i++) {
        text_add_integer(&text, texts[i].length);
        text_add(&text, ":");
        text_add_bytes(&text, texts[i]);
    }
    const char *joined = cross_words(cross, &text);
    return (struct bytes){ joined, joined ? (uint32_t)text.length : 0 };
}

struct arena *cross_scratch(struct cross *cross)
{
    return &cross->eval->workspace->scratch;
}

const char *cross_words(struct cross *cross, struct text *text)
{
    const char *words = text_end(text);
    if (!words)
        cross_fail(cross, text->arena->failure);
    return words;
}

bool cross_equal(struct cross *cross, const struct shape *shape, const struct doc_node *a, const struct doc_node *b)
{
    cross->eval->foreign = true;
    bool equal = equal_values(cross->eval, shape, a, b, false);
    cross->eval->foreign = false;
    return equal;
}

bool cross_failed(const struct cross *cross)
{
    return cross->eval->failure != FAILURE_NONE;
}

struct arena *cross_arena(const struct cross *cross)
{
    return &cross->eval->workspace->arena;
}

void cross_fail(struct cross *cross, enum failure failure)
{
    cross->eval->failure = failure;
}

bool cross_map(struct cross *cross, struct map *map, struct arena *arena, uint32_t count)
{
    enum failure failure = map_init(map, arena, count, cross->eval->workspace->context->key);
    if (failure)
        cross_fail(cross, failure);
    return !failure;
}

bool cross_names(struct cross *cross, const struct doc_node *map, struct map *names)
{
    if (!cross_map(cross, names, cross_scratch(cross), map ? map->count : 0))
        return false;
    doc_each(map, entry)
        (void)map_add(names, doc_name(entry), entry);
    return true;
}

static const struct cursor *root_cursor(const struct cross *cross)
{
    const struct cursor *cursor = cross->cursor;
    while (cursor->up)
        cursor = cursor->up;
    return cursor;
}

const struct doc_node *cross_root(const struct cross *cross)
{
    return root_cursor(cross)->node;
}

const struct shape *cross_root_shape(const struct cross *cross)
{
    return root_cursor(cross)->shape;
}

/* In the object that is being judged, what its members count as: some are kept from the old one. */
const struct doc_node *cross_at(struct cross *cross, const struct shape *shape, const struct doc_node *root, const char *path)
{
    const struct cursor other = { .shape = shape, .node = root }, *own = root_cursor(cross);
    return cursor_find(cross->eval, own->node == root ? own : &other, path, false).node;
}

struct bytes cross_text_at(struct cross *cross, const struct shape *shape, const struct doc_node *root, const char *path)
{
    const struct doc_node *text = cross_at(cross, shape, root, path);
    return text && text->type == DOC_STRING ? doc_text(text) : (struct bytes){ "", 0 };
}

/* ---- the other objects ---- */

/* Takes over a failure of the set, and keeps one that the evaluation has already. */
static void take_failure(struct cross *cross, enum failure failure)
{
    if (!cross->eval->failure)
        cross->eval->failure = failure;
}

struct indexed *cross_find(struct cross *cross, const struct index_definition *definition, struct bytes key)
{
    struct others *others = cross->eval->request->others;
    struct indexed *found = others->find(others, definition, key);
    take_failure(cross, others->failure(others));
    return found;
}

struct indexed *cross_named(struct cross *cross, const char *group, const char *kind, struct bytes name)
{
    struct others *others = cross->eval->request->others;
    struct indexed *found = others->named(others, group, kind, name);
    take_failure(cross, others->failure(others));
    return found;
}

uint32_t cross_count(struct cross *cross, const char *group, const char *kind)
{
    struct others *others = cross->eval->request->others;
    uint32_t count = others->count(others, group, kind);
    take_failure(cross, others->failure(others));
    return count;
}

void cross_index_add(struct cross *cross, struct bytes key, const struct doc_node *node)
{
    cross->index_add(cross, key, node);
}

struct arena *cross_kept_arena(struct cross *cross)
{
    return cross->eval->request->others->arena;
}

void *cross_keep(struct cross *cross, size_t bytes)
{
    struct arena *arena = cross_kept_arena(cross);
    void *kept = arena_alloc(arena, bytes);
    take_failure(cross, arena->failure);
    return kept;
}

bool cross_is_own(const struct cross *cross, const struct indexed *value)
{
    return value->object == cross->eval->request->self;
}

struct bytes cross_name(const struct indexed *value)
{
    return value->object->name;
}

bool cross_is_same(const struct cross *cross, const struct indexed *value)
{
    const struct object *a = value->object, *b = cross->eval->request->self;
    return a == b || (a->name.length && kind_same(a->kind, b->kind) && bytes_equal(a->name, b->name) && bytes_equal(a->name_space, b->name_space));
}

/* ---- findings ---- */

void cross_report(struct cross *cross, const struct cross_report *about)
{
    struct cursor element = { .up = cross->cursor, .shape = cross->cursor->shape->of, .node = about->element, .index = about->index };
    const struct cursor *cursor = about->element ? &element : cross->cursor;
    struct check check = *cross->check;
    struct cursor member = { .up = cursor };
    if (about->beside) {
        const struct cursor *around = cross->cursor->up;
        member = (struct cursor){ .up = around, .field = &around->shape->fields[evaluation_field(cross->eval, around->shape, about->beside)] };
        member.shape = member.field->shape;
        member.node = cursor_sibling(cross->eval, cross->cursor, about->beside);
        cursor = &member;
    } else if (about->below) {
        member.field = &cursor->shape->fields[evaluation_field(cross->eval, cursor->shape, about->below)];
        member.shape = member.field->shape;
        member.node = cursor_element_member(cross->eval, cursor->shape, cursor->node, about->below);
        cursor = &member;
    }
    check.detail = NULL;
    report_conflict(cross->eval, cursor, &check, about->value, about->detail, about->other);
    cross->broken = true;
}
