#include "check/name_index.h"

#include "base/near.h"
#include "check/limits.h"

static const struct name_index *find_index(const struct evaluation *eval, const void *row)
{
    for (const struct name_index *index = eval->indexes; index; index = index->next)
        if (index->row == row)
            return index;
    return NULL;
}

static struct name_index *make_index(struct evaluation *eval, const void *row, uint32_t capacity)
{
    struct name_index *index = evaluation_alloc(eval, sizeof *index);
    if (!index || !evaluation_map(eval, &index->map, capacity))
        return NULL;
    index->row = row;
    index->next = eval->indexes;
    eval->indexes = index;
    return index;
}

/* ---- objects by their texts ---- */

struct bytes name_index_key(struct evaluation *eval, const struct shape *shape, const struct doc_node *object,
                            const char *const *members)
{
    struct text text;
    text_init(&text, &eval->workspace->arena);
    for (; *members; members++) {
        const struct doc_node *member = cursor_element_member(eval, shape, object, *members);
        struct bytes part = member ? doc_text(member) : (struct bytes){ "", 0 };
        text_add_integer(&text, part.length);
        text_add(&text, ":");
        text_add_bytes(&text, part);
    }
    const char *key = evaluation_text(eval, &text);
    return (struct bytes){ key, key ? (uint32_t)text.length : 0 };
}

const struct name_index *name_index_of_texts(struct evaluation *eval, const struct cursor *cursor, const char *path,
                                             const char *const *members)
{
    const struct name_index *earlier = find_index(eval, path);
    if (earlier)
        return earlier;
    struct found_value list = cursor_find(eval, cursor, path, false);
    struct name_index *index = make_index(eval, path, list.node ? list.node->count : 0);
    if (!index || !list.node)
        return index;
    const struct shape *of = list.shape->of;
    doc_each(list.node, object)
        (void)map_add(&index->map, name_index_key(eval, of, cursor_value(eval, NULL, of, object), members), object);
    return index;
}

/* ---- names ---- */

static struct found_value list_of(struct evaluation *eval, const struct cursor *cursor, const struct reference *reference)
{
    struct found_value list = { NULL, NULL, NULL };
    for (const char *const *path = reference->paths; *path && !list.shape; path++)
        list = cursor_find(eval, cursor, *path, false);
    return list;
}

/* The list in `element` whose objects can be named too; NULL: none. */
static const struct doc_node *inner_list(struct evaluation *eval, const struct shape *shape, const struct doc_node *element,
                                         const struct reference *reference)
{
    return reference->below ? cursor_element_member(eval, shape, element, reference->below) : NULL;
}

/* Where names are joined by a slash, one that has a slash itself is never found: a reference is cut there. */
static bool is_found(const struct reference *reference, struct bytes name)
{
    return !reference->below || !name.length || !memchr(name.data, '/', name.length);
}

/* Adds the name `first/second`. */
static void add_joined(struct evaluation *eval, struct map *map, struct bytes first, struct bytes second, const void *value)
{
    struct text text;
    text_init(&text, &eval->workspace->arena);
    text_add_bytes(&text, first);
    text_add(&text, "/");
    text_add_bytes(&text, second);
    if (evaluation_text(eval, &text))
        (void)map_add(map, (struct bytes){ text.data, (uint32_t)text.length }, value);
}

/* Adds the names below one element. */
static void add_inner_names(struct evaluation *eval, struct map *map, const struct shape *shape, const struct doc_node *element,
                            const struct reference *reference)
{
    const struct doc_node *name = cursor_element_member(eval, shape, element, reference->name);
    const struct doc_node *inner = inner_list(eval, shape, element, reference);
    const struct shape *of = inner ? shape->fields[evaluation_field(eval, shape, reference->below)].shape->of : NULL;
    doc_each(inner, child) {
        struct bytes below = doc_text(cursor_element_member(eval, of, child, reference->below_name));
        if (is_found(reference, doc_text(name)) && is_found(reference, below))
            add_joined(eval, map, doc_text(name), below, child);
    }
}

/* Adds the names of the elements, and the names below them. Of several elements with one name only the last one's names below it count. */
static void add_names(struct evaluation *eval, struct map *map, const struct shape *list, const struct doc_node *elements,
                      const struct reference *reference)
{
    struct map last;
    if (!elements || !evaluation_map(eval, &last, elements->count))
        return;
    const struct doc_node **owners = evaluation_alloc(eval, (elements->count + 1) * sizeof *owners);
    if (!owners)
        return;
    uint32_t count = 0;
    doc_each(elements, element) {
        const struct doc_node *name = cursor_element_member(eval, list->of, element, reference->name);
        const struct doc_node **owner = map_add(&last, doc_text(name), &owners[count]);
        if (is_found(reference, doc_text(name)))
            (void)map_add(map, doc_text(name), element);
        if (owner)
            *owner = element;
        else
            owners[count++] = element;
    }
    for (uint32_t i = 0; i < count; i++)
        add_inner_names(eval, map, list->of, owners[i], reference);
}

const struct name_index *name_index_of(struct evaluation *eval, const struct cursor *cursor, const struct reference *reference)
{
    const struct name_index *earlier = find_index(eval, reference);
    if (earlier)
        return earlier;
    struct found_value list = list_of(eval, cursor, reference);
    uint32_t names = 0;
    if (list.node)
        doc_each(list.node, element) {
            const struct doc_node *inner = inner_list(eval, list.shape->of, element, reference);
            names += 1 + (inner ? inner->count : 0);
        }
    struct name_index *index = make_index(eval, reference, names);
    if (index)
        add_names(eval, &index->map, list.shape, list.node, reference);
    return index;
}

struct bytes name_index_near(struct evaluation *eval, const struct cursor *cursor, const struct reference *reference, struct bytes name)
{
    struct nearest nearest = { .wanted = name };
    struct found_value list = list_of(eval, cursor, reference);
    const struct doc_node *element = list.node ? list.node->first : NULL;
    for (uint32_t i = 0; element && i < LIMIT_NEAR_NAMES; element = element->next, i++) {
        const struct doc_node *candidate = cursor_element_member(eval, list.shape->of, element, reference->name);
        if (candidate && candidate->count)
            near_consider(&nearest, doc_text(candidate));
    }
    return nearest.found;
}
