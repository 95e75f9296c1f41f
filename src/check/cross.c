#include "check/cross.h"

#include "check/cross_call.h"
#include "check/expression.h"
#include "check/limits.h"
#include "check/others.h"
#include "check/report.h"
#include "doc/place.h"

/* ---- memory and failures ---- */

struct arena *cross_scratch(struct cross *cross)
{
    return &cross->eval->workspace->scratch;
}

const struct drivers *cross_drivers(const struct cross *cross)
{
    return cross->eval->request->drivers;
}

bool cross_matches_pattern(struct cross *cross, const char *pattern, struct bytes text)
{
    struct workspace *workspace = cross->eval->workspace;
    const struct pattern *compiled;
    bool matches = true;
    enum failure failure = workspace_pattern(workspace, pattern, &compiled);
    if (!failure)
        failure = pattern_match(workspace->matcher, compiled, text, &matches);
    cross_fail(cross, failure == FAILURE_PATTERN ? FAILURE_NONE : failure);
    return matches;
}

const struct cel_expression *cross_expression(struct cross *cross, const struct cel_library *library, struct bytes text)
{
    return expression_compiled(cross->eval, library, text);
}

struct arena *cross_arena(struct cross *cross)
{
    return &cross->eval->workspace->arena;
}

struct arena *cross_kept_arena(struct cross *cross)
{
    return cross->eval->request->others->arena;
}

bool cross_failed(const struct cross *cross)
{
    return cross->eval->failure != FAILURE_NONE;
}

/* The first failure counts; FAILURE_NONE is none. */
void cross_fail(struct cross *cross, enum failure failure)
{
    if (!cross->eval->failure)
        cross->eval->failure = failure;
}

void *cross_alloc(struct cross *cross, struct arena *arena, size_t bytes)
{
    void *memory = arena_alloc(arena, bytes);
    if (memory)
        memset(memory, 0, bytes);
    else
        cross_fail(cross, arena->failure);
    return memory;
}

bool cross_map(struct cross *cross, struct map *map, struct arena *arena, uint32_t count)
{
    enum failure failure = map_init(map, arena, count, cross->eval->workspace->context->key);
    if (failure)
        cross_fail(cross, failure);
    return !failure;
}

struct text cross_text(struct cross *cross)
{
    struct text text;
    text_init(&text, cross_scratch(cross));
    return text;
}

const char *cross_end_text(struct cross *cross, struct text *text)
{
    const char *end = text_end(text);
    if (!end)
        cross_fail(cross, text->arena->failure);
    return end;
}

/* Each text with its length before it. */
struct bytes cross_join(struct cross *cross, const struct bytes *texts, size_t count)
{
    struct arena *arena = cross->index_add ? cross_arena(cross) : cross_scratch(cross); /* keys in an index last */
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += texts[i].length;
    if (length > LIMIT_KEY_BYTES)
        return (struct bytes){ NULL, 0 };
    length += count * sizeof(uint16_t);
    char *joined = arena_text(arena, length), *at = joined;
    if (!joined) {
        cross_fail(cross, arena->failure);
        return (struct bytes){ NULL, 0 };
    }
    for (size_t i = 0; i < count; i++) {
        const uint16_t size = (uint16_t)texts[i].length;
        memcpy(at, &size, sizeof size);
        if (size)
            memcpy(at + sizeof size, texts[i].data, size);
        at += sizeof size + size;
    }
    return (struct bytes){ joined, (uint32_t)length };
}

_Static_assert(LIMIT_KEY_BYTES <= UINT16_MAX, "keys have lengths of two bytes in them");

/* ---- the other objects ---- */

void cross_index_add(struct cross *cross, struct bytes key, struct value value)
{
    cross->index_add(cross, key, value);
}

struct indexed *cross_find(struct cross *cross, const struct index_definition *definition, struct bytes key)
{
    struct others *others = cross->eval->request->others;
    if (!others)
        return NULL;
    struct indexed *found = others->find(others, definition, key);
    cross_fail(cross, others->failure(others));
    return found;
}

struct indexed *cross_named(struct cross *cross, const char *group, const char *kind, struct bytes name)
{
    struct others *others = cross->eval->request->others;
    struct indexed *found = others->named(others, group, kind, name);
    cross_fail(cross, others->failure(others));
    return found;
}

struct indexed *cross_beside(struct cross *cross, const char *group, const char *kind, struct bytes name)
{
    struct others *others = cross->eval->request->others;
    const struct doc_node *space = cursor_find(cross->eval, cross->cursor, "metadata.namespace", false).node;
    const struct wanted wanted = { .group = group, .kind = kind, .name = name, .space = space ? doc_text(space) : (struct bytes){ "", 0 } };
    struct indexed *found = others->beside(others, &wanted);
    cross_fail(cross, others->failure(others));
    return found;
}

uint32_t cross_count(struct cross *cross, const char *group, const char *kind)
{
    struct others *others = cross->eval->request->others;
    uint32_t count = others->count(others, group, kind);
    cross_fail(cross, others->failure(others));
    return count;
}

bool cross_matched(struct cross *cross, struct bytes request, struct bytes choice, struct matched *matched)
{
    struct others *others = cross->eval->request->others;
    bool known = others->matched(others, cross->eval->request->self, request, choice, matched);
    cross_fail(cross, others->failure(others));
    return known && !cross_failed(cross);
}

struct value indexed_value(const struct indexed *indexed)
{
    return indexed ? indexed->value : (struct value){ .shape = NULL };
}

struct value indexed_root(const struct indexed *indexed)
{
    return indexed ? indexed->object->root : (struct value){ .shape = NULL };
}

struct bytes indexed_name(const struct indexed *indexed)
{
    return indexed ? indexed->object->name : (struct bytes)BYTES("");
}

bool cross_is_own(const struct cross *cross, const struct indexed *indexed)
{
    return indexed && indexed->object == cross->eval->request->self;
}

bool cross_is_same(const struct cross *cross, const struct indexed *indexed)
{
    if (!indexed || cross_is_own(cross, indexed))
        return indexed;
    const struct object *a = indexed->object, *b = cross->eval->request->self;
    return a->name.length && kind_same(a->kind, b->kind) && bytes_equal(a->name, b->name) && bytes_equal(a->name_space, b->name_space);
}

/* ---- findings ---- */

bool cross_gate_is_on(const struct cross *cross, const char *gate)
{
    return !(cross->eval->request->gates_off & gate_bit(gate));
}

const char *cross_argument(const struct cross *cross)
{
    return cross->check->name;
}

bool cross_found(const struct cross *cross)
{
    return cross->broken;
}

bool cross_is_reported(const struct cross *cross)
{
    const struct doc_node *node = cross->cursor->node;
    const struct doc_place place = node ? doc_place(cross->eval->request->document, node) : (struct doc_place){ 0, 0 };
    for (const struct finding *finding = cross->eval->findings->first; node && finding; finding = finding->next)
        if (finding->offset == place.offset && finding->size == place.size)
            return true;
    return false;
}

/* The cursor at member `name` of the object at `around`; its node is for the caller to set. */
static struct cursor cursor_below(struct cross *cross, const struct cursor *around, const char *name)
{
    const struct field *field = &around->shape->fields[evaluation_field(cross->eval, around->shape, name)];
    return (struct cursor){ .up = around, .field = field, .shape = field->shape };
}

/* The cursor at an element or entry of the value at the row's place, at an entry's key, or somewhere in a value that may be anything. */
static struct cursor cursor_in(struct cross *cross, const struct cross_report *about, struct doc_node *text)
{
    struct cursor inside = *cross->cursor;
    inside.node = about->at.node;
    if (about->inside)
        return inside;
    if (about->at_key)
        return cursor_key(cross->cursor, about->at.node, text);
    return (struct cursor){ .up = cross->cursor, .shape = about->at.shape, .node = about->at.node, .index = about->at.index };
}

void cross_report(struct cross *cross, struct cross_report about)
{
    struct check check = *cross->check;
    const char *detail = about.text ? cross_end_text(cross, about.text) : about.detail;
    struct doc_node missing = { .type = DOC_NULL, .flags = DOC_IMPLIED, .name = about.key.data, .name_length = about.key.length }, text;
    struct cursor element, member = *cross->cursor, inner;
    const struct cursor *cursor = cross->cursor;
    check.below = about.inside ? about.inside : check.below;
    if (value_is_set(about.at)) {
        element = cursor_in(cross, &about, &text);
        cursor = &element;
    }
    if (about.beside) {
        member = cursor_below(cross, cross->cursor->up, about.beside);
        member.node = cursor_sibling(cross->eval, cross->cursor, about.beside);
        cursor = &member;
    } else if (about.below) {
        member = cursor_below(cross, cursor, about.below);
        member.node = cursor_element_member(cross->eval, cursor->shape, cursor->node, about.below);
        cursor = &member;
        if (about.inner) {
            inner = cursor_below(cross, &member, about.inner);
            inner.node = cursor_element_member(cross->eval, member.shape, member.node, about.inner);
            cursor = &inner;
        }
    }
    if (about.key.data) {
        inner = (struct cursor){ .up = &member, .shape = member.shape->of, .node = &missing };
        cursor = &inner;
    }
    if (detail)
        check.detail = NULL; /* the function knows more than the row */
    report_conflict(cross->eval, cursor, &check, about.quoted ? cursor->node : NULL, detail, about.other);
    cross->broken = true;
}
