#include "check/checks.h"

static struct index *known(struct run *run, const void *what)
{
    for (struct index *index = run->indexes; index; index = (struct index *)(uintptr_t)index->next)
        if (index->what == what)
            return index;
    return NULL;
}

static struct index *make(struct run *run, const void *what, uint32_t capacity)
{
    struct index *index = run_alloc(run, sizeof *index);
    if (!index || !run_set(run, &index->set, capacity))
        return NULL;
    index->what = what;
    index->next = run->indexes;
    run->indexes = index;
    return index;
}

/* ---- objects by their texts ---- */

struct bytes index_key(struct run *run, const struct shape *shape, const struct doc_node *object, const char *const *members)
{
    struct text text;
    text_init(&text, &run->worker->arena);
    for (; *members; members++) {
        const struct doc_node *member = place_element_member(run, shape, object, *members);
        struct bytes part = member ? doc_text(member) : (struct bytes){ "", 0 };
        text_add_integer(&text, part.length);
        text_add(&text, ":");
        text_add_bytes(&text, part);
    }
    const char *key = run_text(run, &text);
    return (struct bytes){ key, key ? (uint32_t)text.length : 0 };
}

const struct index *index_of_objects(struct run *run, const struct place *place, const char *path, const char *const *members)
{
    struct index *index = known(run, path);
    if (index)
        return index;
    struct place_found list = place_find(run, place, path, false);
    index = make(run, path, list.node ? list.node->count : 0);
    if (index && list.node)
        doc_each(list.node, object)
            (void)set_add(&index->set, index_key(run, list.shape->of, place_value(run, NULL, list.shape->of, object), members), object);
    return index;
}

/* ---- names ---- */

static struct place_found list_of(struct run *run, const struct place *place, const struct reference *reference)
{
    struct place_found list = { NULL, NULL, NULL };
    for (const char *const *path = reference->paths; *path && !list.shape; path++)
        list = place_find(run, place, *path, false);
    return list;
}

static const struct doc_node *below(struct run *run, const struct shape *shape, const struct doc_node *element, const struct reference *reference)
{
    return reference->below ? place_element_member(run, shape, element, reference->below) : NULL;
}

static void add_joined(struct run *run, struct set *set, struct bytes first, struct bytes second, const void *value)
{
    struct text text;
    text_init(&text, &run->worker->arena);
    text_add_bytes(&text, first);
    text_add(&text, "/");
    text_add_bytes(&text, second);
    if (run_text(run, &text))
        (void)set_add(set, (struct bytes){ text.data, (uint32_t)text.length }, value);
}

/* Of two elements of one name the last one has the names below it. */
static void add_names(struct run *run, struct set *set, const struct shape *list, const struct doc_node *elements, const struct reference *reference)
{
    struct set last;
    if (!elements || !run_set(run, &last, elements->count))
        return;
    const struct doc_node **owners = run_alloc(run, (elements->count + 1) * sizeof *owners);
    if (!owners)
        return;
    uint32_t count = 0;
    doc_each(elements, element) {
        const struct doc_node *name = place_element_member(run, list->of, element, reference->name);
        const struct doc_node *const *owner = set_add(&last, doc_text(name), &owners[count]);
        (void)set_add(set, doc_text(name), element);
        if (owner)
            owners[owner - (const struct doc_node *const *)owners] = element;
        else
            owners[count++] = element;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct doc_node *name = place_element_member(run, list->of, owners[i], reference->name);
        const struct doc_node *inner = below(run, list->of, owners[i], reference);
        const struct shape *of = inner ? list->of->fields[place_field(list->of, reference->below)].shape->of : NULL;
        doc_each(inner, child)
            add_joined(run, set, doc_text(name), doc_text(place_element_member(run, of, child, reference->below_name)), child);
    }
}

const struct index *index_of_names(struct run *run, const struct place *place, const struct reference *reference)
{
    struct index *index = known(run, reference);
    if (index)
        return index;
    struct place_found list = list_of(run, place, reference);
    uint32_t names = 0;
    if (list.node)
        doc_each(list.node, element) {
            const struct doc_node *inner = below(run, list.shape->of, element, reference);
            names += 1 + (inner ? inner->count : 0);
        }
    index = make(run, reference, names);
    if (index)
        add_names(run, &index->set, list.shape, list.node, reference);
    return index;
}
