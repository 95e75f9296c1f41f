#include "validate/hint_names.h"

#include "base/limits.h"
#include "base/near.h"
#include "check/equal.h"
#include "doc/place.h"
#include "doc/quote.h"
#include "validate/limits.h"

/* ---- references ---- */

struct names {
    struct guess *guess;
    struct nearest nearest;
    struct text list;
    uint32_t count, compared;
};

static void add_name(struct names *names, struct bytes name)
{
    if (!name.length || names->compared++ >= LIMIT_NAMES_COMPARED)
        return;
    near_consider(&names->nearest, name);
    if (names->count++ >= LIMIT_NAMES_SAID)
        return;
    text_add(&names->list, names->count > 1 ? ", " : "");
    text_add_quoted(&names->list, name, LIMIT_QUOTE_BYTES);
}

static void add_joined(struct names *names, struct bytes first, struct bytes second)
{
    struct text text;
    text_init(&text, &names->guess->eval->workspace->arena);
    text_add_bytes(&text, first);
    text_add(&text, "/");
    text_add_bytes(&text, second);
    const char *joined = text_end(&text);
    if (joined)
        add_name(names, bytes_of(joined));
}

/* The name of an element, and those below it. */
static void add_element(struct names *names, const struct shape *shape, const struct doc_node *element, const struct reference *reference)
{
    struct evaluation *eval = names->guess->eval;
    const struct doc_node *name = cursor_element_member(eval, shape, element, reference->name);
    if (!name)
        return;
    add_name(names, doc_text(name));
    const struct doc_node *inner = reference->below ? cursor_element_member(eval, shape, element, reference->below) : NULL;
    const struct shape *of = inner ? shape->fields[evaluation_field(eval, shape, reference->below)].shape->of : NULL;
    doc_each(inner, child) {
        const struct doc_node *below = cursor_element_member(eval, of, child, reference->below_name);
        if (names->compared >= LIMIT_NAMES_COMPARED)
            return;
        if (below && below->count)
            add_joined(names, doc_text(name), doc_text(below));
    }
}

bool hint_reference(struct guess *guess, const struct reference *reference, const struct doc_node *value)
{
    struct names names = { .guess = guess, .nearest = { .wanted = doc_text(value) } };
    struct found_value list = { NULL, NULL, NULL };
    text_init(&names.list, &guess->eval->workspace->arena);
    for (const char *const *path = reference->paths; *path && !list.shape; path++)
        list = cursor_find(guess->eval, guess->about->cursor, *path, false);
    doc_each(list.node, element) {
        if (names.compared >= LIMIT_NAMES_COMPARED)
            break;
        add_element(&names, list.shape->of, element, reference);
    }
    const char *said = text_end(&names.list);
    if (!names.count || !said)
        return false;
    if (names.nearest.found.data) {
        near_add_words(&guess->text, names.nearest.found);
        return true;
    }
    text_add(&guess->text, names.count > 1 ? "what may be named: " : "only this may be named: ");
    text_add(&guess->text, said);
    text_add(&guess->text, names.count > LIMIT_NAMES_SAID ? ", and others" : "");
    return true;
}

/* ---- changes ---- */

/* A walk over an old and a new value side by side. */
struct changes {
    struct guess *guess;
    struct finding *finding;
    uint32_t count;
};

/* Whether the value is written, or a default that says something. */
static bool is_said(const struct doc_node *node)
{
    return node && (!(node->flags & DOC_IMPLIED) || member_is_set(NULL, node));
}

static void add_change(struct changes *changes, const char *path, const struct doc_node *node, const struct doc_node *old)
{
    struct text *text = &changes->guess->text;
    bool is_set = is_said(node), was_set = is_said(old);
    if (changes->count++ >= LIMIT_CHANGES_SAID)
        return;
    text_add(text, changes->count > 1 ? ", " : "");
    text_add_escaped(text, bytes_of(path), LIMIT_PATH_SAID_BYTES);
    text_add(text, was_set && is_set ? ": " : was_set ? " is removed: " : " is added");
    if (was_set)
        doc_quote(text, old, LIMIT_QUOTE_BYTES);
    if (was_set && is_set) {
        text_add(text, " -> ");
        doc_quote(text, node, LIMIT_QUOTE_BYTES);
    }
    if (!was_set || (old->flags & DOC_IMPLIED) || changes->finding->was)
        return;
    struct doc_place place = doc_place(changes->guess->eval->request->old_document, old);
    changes->finding->was = "the old value is here";
    changes->finding->other_offset = place.offset;
    changes->finding->other_size = place.size;
}

/* The path of a part: path.name, path[key] or path[index]. */
static const char *join(struct changes *changes, const char *path, const struct shape *container, struct bytes name, uint32_t index)
{
    struct text text;
    text_init(&text, &changes->guess->eval->workspace->arena);
    text_add(&text, path);
    text_add(&text, container->type == SHAPE_OBJECT ? "." : "[");
    if (container->type == SHAPE_LIST)
        text_add_integer(&text, index);
    else
        text_add_bytes(&text, name);
    text_add(&text, container->type == SHAPE_OBJECT ? "" : "]");
    const char *joined = text_end(&text);
    return joined ? joined : path;
}

static void compare(struct changes *changes, const struct shape *shape, const char *path, const struct doc_node *node,
                    const struct doc_node *old);

static void compare_objects(struct changes *changes, const struct shape *shape, const char *path, const struct doc_node *node,
                            const struct doc_node *old)
{
    struct evaluation *eval = changes->guess->eval;
    for (uint16_t i = 0; i < shape->field_count && changes->count <= LIMIT_CHANGES_SAID; i++) {
        const struct doc_node *fresh = cursor_element_field(eval, shape, node, i), *stored = cursor_element_field(eval, shape, old, i);
        const struct field *field = &shape->fields[i];
        if (!equal_values(eval, field->shape, fresh, stored, false))
            compare(changes, field->shape, join(changes, path, shape, field->name, 0), fresh, stored);
    }
}

static void compare_lists(struct changes *changes, const struct shape *shape, const char *path, const struct doc_node *node,
                          const struct doc_node *old)
{
    const struct doc_node *fresh = node->first, *stored = old->first;
    for (uint32_t i = 0; (fresh || stored) && changes->count <= LIMIT_CHANGES_SAID; i++) {
        if (!fresh || !stored || !equal_values(changes->guess->eval, shape->of, fresh, stored, false))
            compare(changes, shape->of, join(changes, path, shape, (struct bytes){ "", 0 }, i), fresh, stored);
        fresh = fresh ? fresh->next : NULL;
        stored = stored ? stored->next : NULL;
    }
}

/* Entries of `others` by their names; false: no memory. */
static bool index_entries(struct changes *changes, const struct doc_node *entries, struct map *map)
{
    if (!evaluation_map(changes->guess->eval, map, entries->count))
        return false;
    doc_each(entries, entry)
        (void)map_add(map, doc_name(entry), entry);
    return true;
}

static void compare_maps(struct changes *changes, const struct shape *shape, const char *path, const struct doc_node *node,
                         const struct doc_node *old)
{
    struct map fresh, stored;
    if (!index_entries(changes, node, &fresh) || !index_entries(changes, old, &stored))
        return;
    doc_each(node, entry) {
        const struct doc_node *before = map_find(&stored, doc_name(entry));
        if (!before || !equal_values(changes->guess->eval, shape->of, entry, before, false))
            compare(changes, shape->of, join(changes, path, shape, doc_name(entry), 0), entry, before);
        if (changes->count > LIMIT_CHANGES_SAID)
            return;
    }
    doc_each(old, entry)
        if (changes->count <= LIMIT_CHANGES_SAID && !map_find(&fresh, doc_name(entry)))
            compare(changes, shape->of, join(changes, path, shape, doc_name(entry), 0), NULL, entry);
}

/* Recursion is as deep as shapes nest. */
static void compare(struct changes *changes, const struct shape *shape, const char *path, const struct doc_node *node,
                    const struct doc_node *old)
{
    const enum doc_type type = shape->type == SHAPE_LIST ? DOC_ARRAY : DOC_OBJECT;
    bool container = shape->type == SHAPE_LIST || shape->type == SHAPE_MAP || shape->type == SHAPE_OBJECT;
    bool both = node && old && node->type == type && old->type == type && !((node->flags | old->flags) & DOC_IMPLIED);
    if (!container || !both)
        add_change(changes, path, node, old);
    else if (shape->type == SHAPE_OBJECT)
        compare_objects(changes, shape, path, node, old);
    else if (shape->type == SHAPE_LIST)
        compare_lists(changes, shape, path, node, old);
    else
        compare_maps(changes, shape, path, node, old);
}

void hint_changes(struct guess *guess, struct finding *finding)
{
    const struct cursor *cursor = guess->about->cursor;
    struct changes changes = { .guess = guess, .finding = finding };
    compare(&changes, cursor->shape, finding->path, cursor->node, cursor->old);
    text_add(&guess->text, changes.count > LIMIT_CHANGES_SAID ? ", and more" : "");
    text_add(&guess->text, changes.count ? "; " : "");
}
