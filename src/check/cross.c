#include "check/checks.h"
#include "value/quantity.h"

const struct doc_node *cross_value(const struct cross *cross)
{
    return cross->place->node;
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
    return cross->place->shape;
}

const struct doc_node *cross_member(struct cross *cross, const struct shape *shape, const struct doc_node *object, const char *name)
{
    return place_element_member(cross->run, shape, object, name);
}

const struct shape *cross_member_shape(const struct shape *shape, const char *name)
{
    return shape->fields[place_field(shape, name)].shape;
}

const struct doc_node *cross_sibling(const struct cross *cross, const char *name, bool old)
{
    const struct doc_node *const *members = old ? cross->place->old_members : cross->place->members;
    return members ? members[place_field(cross->place->shape, name)] : NULL;
}

const struct doc_node *cross_beside(const struct cross *cross, const char *name)
{
    return place_sibling(cross->place, name);
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
    return index_key(cross->run, shape, object, members);
}

struct bytes cross_join(struct cross *cross, const struct bytes *texts, unsigned count)
{
    struct text text;
    size_t length = 0;
    for (unsigned i = 0; i < count; i++)
        length += texts[i].length;
    if (length > LIMIT_KEY_BYTES)
        return (struct bytes){ NULL, 0 };
    text_init(&text, cross->gatherer ? cross_arena(cross) : cross_scratch(cross));
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
    return &cross->run->worker->scratch;
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
    cross->run->apart = true;
    bool equal = equal_values(cross->run, shape, a, b, false);
    cross->run->apart = false;
    return equal;
}

bool cross_failed(const struct cross *cross)
{
    return cross->run->failure != FAILURE_NONE;
}

struct arena *cross_arena(const struct cross *cross)
{
    return &cross->run->worker->arena;
}

void cross_fail(struct cross *cross, enum failure failure)
{
    cross->run->failure = failure;
}

bool cross_set(struct cross *cross, struct set *set, struct arena *arena, uint32_t count)
{
    enum failure failure = set_init(set, arena, count, cross->run->worker->context->key);
    if (failure)
        cross_fail(cross, failure);
    return !failure;
}

bool cross_names(struct cross *cross, const struct doc_node *map, struct set *names)
{
    if (!cross_set(cross, names, cross_scratch(cross), map ? map->count : 0))
        return false;
    doc_each(map, entry)
        (void)set_add(names, doc_name(entry), entry);
    return true;
}

static const struct place *root_place(const struct cross *cross)
{
    const struct place *place = cross->place;
    while (place->up)
        place = place->up;
    return place;
}

const struct doc_node *cross_root(const struct cross *cross)
{
    return root_place(cross)->node;
}

const struct shape *cross_root_shape(const struct cross *cross)
{
    return root_place(cross)->shape;
}

/* In the object that is being judged, what its members count as: some are kept from the old one. */
const struct doc_node *cross_at(struct cross *cross, const struct shape *shape, const struct doc_node *root, const char *path)
{
    const struct place other = { .shape = shape, .node = root }, *own = root_place(cross);
    return place_find(cross->run, own->node == root ? own : &other, path, false).node;
}

struct bytes cross_text_at(struct cross *cross, const struct shape *shape, const struct doc_node *root, const char *path)
{
    const struct doc_node *text = cross_at(cross, shape, root, path);
    return text && text->type == DOC_STRING ? doc_text(text) : (struct bytes){ "", 0 };
}

/* ---- the other objects ---- */

/* Takes over a failure of the set, and keeps one that the run has already. */
static void take_failure(struct cross *cross, enum failure failure)
{
    if (!cross->run->failure)
        cross->run->failure = failure;
}

struct gathered *cross_find(struct cross *cross, const struct gathering *what, struct bytes key)
{
    struct objects *objects = cross->run->request->objects;
    struct gathered *found = objects_find(objects, what, key);
    take_failure(cross, objects_failure(objects));
    return found;
}

struct gathered *cross_named(struct cross *cross, const char *group, const char *kind, struct bytes name)
{
    struct objects *objects = cross->run->request->objects;
    struct gathered *found = objects_named(objects, group, kind, name);
    take_failure(cross, objects_failure(objects));
    return found;
}

uint32_t cross_count(struct cross *cross, const char *group, const char *kind)
{
    uint32_t count = objects_count(cross->run->request->objects, group, kind);
    take_failure(cross, objects_failure(cross->run->request->objects));
    return count;
}

struct arena *cross_kept_arena(struct cross *cross)
{
    return objects_arena(cross->run->request->objects);
}

void *cross_keep(struct cross *cross, size_t bytes)
{
    struct arena *arena = objects_arena(cross->run->request->objects);
    void *kept = arena_alloc(arena, bytes);
    take_failure(cross, arena->failure);
    return kept;
}

bool cross_is_own(const struct cross *cross, const struct gathered *value)
{
    return value->object == cross->run->request->self;
}

struct bytes cross_name(const struct gathered *value)
{
    return value->object->name;
}

bool cross_is_same(const struct cross *cross, const struct gathered *value)
{
    const struct object *a = value->object, *b = cross->run->request->self;
    return a == b || (a->name.length && kind_same(a->kind, b->kind) && bytes_equal(a->name, b->name) && bytes_equal(a->space, b->space));
}

/* ---- findings ---- */

void cross_report(struct cross *cross, const struct cross_report *about)
{
    struct place element = { .up = cross->place, .shape = cross->place->shape->of, .node = about->element, .index = about->index };
    const struct place *place = about->element ? &element : cross->place;
    struct check check = *cross->check;
    struct place member = { .up = place };
    if (about->beside) {
        const struct place *around = cross->place->up;
        member = (struct place){ .up = around, .field = &around->shape->fields[place_field(around->shape, about->beside)] };
        member.shape = member.field->shape;
        member.node = place_sibling(cross->place, about->beside);
        place = &member;
    } else if (about->below) {
        member.field = &place->shape->fields[place_field(place->shape, about->below)];
        member.shape = member.field->shape;
        member.node = place_element_member(cross->run, place->shape, place->node, about->below);
        place = &member;
    }
    check.detail = NULL;
    report_clash(cross->run, place, &check, about->value, about->detail, about->other);
    cross->broken = true;
}
