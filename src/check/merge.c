/* Repeated members, as the API server's decoder takes them: each later one is decoded over what the earlier ones left. So
 * objects and elements of lists merge, entries of maps are replaced, null resets pointers, lists and maps and leaves plain
 * values alone. Every node is visited once, however often a name is repeated. */
#include "check/run.h"

/* Values that are decoded one over the other, in order. */
struct layer {
    const struct doc_node *node;
    struct layer *next;
};

struct layers {
    struct layer *first, *last;
};

static void add_layer(struct run *run, struct layers *layers, const struct doc_node *node)
{
    struct layer *layer = run_alloc(run, sizeof *layer);
    if (!layer)
        return;
    *layer = (struct layer){ node, NULL };
    if (layers->last)
        layers->last->next = layer;
    else
        layers->first = layer;
    layers->last = layer;
}

static const struct doc_node *merge_layers(struct run *run, const struct field *field, const struct shape *shape, struct layers layers);

/* The copy in the container, or NULL. */
static const struct doc_node *append(struct run *run, struct doc_builder *builder, const struct doc_node *node)
{
    const struct doc_node *copy = node ? doc_append(builder, &run->worker->arena, node) : NULL;
    if (node && !copy)
        run->failure = run->worker->arena.failure;
    return copy;
}

static void merge_members(struct run *run, const struct shape *shape, struct layers layers, struct doc_builder *builder)
{
    struct layers fields[LIMIT_FIELDS] = { { NULL, NULL } };
    for (const struct layer *layer = layers.first; layer; layer = layer->next)
        doc_each(layer->node, member)
            if (member->field < shape->field_count)
                add_layer(run, &fields[member->field], member);
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (fields[i].first)
            (void)append(run, builder, merge_layers(run, &shape->fields[i], shape->fields[i].shape, fields[i]));
}

/* An element is decoded over whatever stood at its index, even if a shorter list came in between. */
static void merge_elements(struct run *run, const struct shape *shape, struct layers layers, struct doc_builder *builder)
{
    uint32_t most = 0;
    for (const struct layer *layer = layers.first; layer; layer = layer->next)
        if (layer->node->count > most)
            most = layer->node->count;
    struct layers *elements = run_alloc(run, (most + 1) * sizeof *elements);
    if (!elements)
        return;
    memset(elements, 0, (most + 1) * sizeof *elements);
    for (const struct layer *layer = layers.first; layer; layer = layer->next) {
        uint32_t i = 0;
        doc_each(layer->node, element)
            add_layer(run, &elements[i++], element);
    }
    for (uint32_t i = 0; i < layers.last->node->count && !run->failure; i++)
        (void)append(run, builder, merge_layers(run, NULL, shape->of, elements[i]));
}

/* What an entry is decoded to. A plain value is what it is; only of an object may a part be repeated. */
static const struct doc_node *merge_value(struct run *run, const struct shape *shape, const struct doc_node *source)
{
    struct layers layers = { NULL, NULL };
    if (shape->type != SHAPE_OBJECT && shape->type != SHAPE_LIST && shape->type != SHAPE_MAP)
        return source;
    add_layer(run, &layers, source);
    return layers.first ? merge_layers(run, NULL, shape, layers) : NULL;
}

/* A later entry takes the place of the earlier one in the result; the set knows the result's nodes. */
static void merge_entry(struct run *run, const struct shape *shape, const struct doc_node *source, struct set *set, struct doc_builder *builder)
{
    const struct doc_node *value = merge_value(run, shape->of, source);
    struct doc_node *known = (struct doc_node *)(uintptr_t)set_find(set, doc_name(source));
    if (!value)
        return;
    if (known) {
        const struct doc_node *next = known->next;
        *known = *value;
        known->next = next;
        return;
    }
    const struct doc_node *copy = append(run, builder, value);
    if (copy)
        (void)set_add(set, doc_name(source), copy);
}

static void merge_entries(struct run *run, const struct shape *shape, struct layers layers, struct doc_builder *builder)
{
    struct set set;
    uint32_t count = 0;
    for (const struct layer *layer = layers.first; layer; layer = layer->next)
        count += layer->node->count;
    if (!run_set(run, &set, count))
        return;
    for (const struct layer *layer = layers.first; layer; layer = layer->next)
        for (const struct doc_node *entry = layer->node->first; entry && !run->failure; entry = entry->next)
            merge_entry(run, shape, entry, &set, builder);
}

/* Whether null makes a value unset; a plain text, number, boolean or object keeps what it had. */
static bool resets(const struct field *field, const struct shape *shape)
{
    if (field && field->pointer)
        return true;
    switch (shape->type) {
    case SHAPE_STRING:
    case SHAPE_BOOL:
    case SHAPE_INT32:
    case SHAPE_INT64:
    case SHAPE_OBJECT:   return false;
    case SHAPE_QUANTITY:
    case SHAPE_TIME:
    case SHAPE_RAW:
    case SHAPE_LIST:
    case SHAPE_MAP:
    case SHAPE_TYPES:    break;
    }
    return true;
}

/* The layers that still count: those behind the last null that resets (or empty list), without nulls that do not. */
static struct layers effective(struct run *run, const struct field *field, const struct shape *shape, struct layers layers)
{
    struct layers kept = { NULL, NULL };
    for (const struct layer *layer = layers.first; layer; layer = layer->next) {
        bool null = layer->node->type == DOC_NULL;
        if (null ? resets(field, shape) : shape->type == SHAPE_LIST && layer->node->count == 0)
            kept = (struct layers){ NULL, NULL };
        if (!null)
            add_layer(run, &kept, layer->node);
    }
    return kept;
}

static const struct doc_node *merge_layers(struct run *run, const struct field *field, const struct shape *shape, struct layers layers)
{
    const struct doc_node *newest = layers.last->node;
    layers = effective(run, field, shape, layers);
    if (run->failure || !layers.last)
        return newest; /* null */
    newest = layers.last->node;
    if (shape->type != SHAPE_OBJECT && shape->type != SHAPE_LIST && shape->type != SHAPE_MAP)
        return newest;
    struct doc_builder builder = doc_build(&run->worker->arena, newest);
    if (!builder.container) {
        run->failure = run->worker->arena.failure;
        return newest;
    }
    if (shape->type == SHAPE_OBJECT)
        merge_members(run, shape, layers, &builder);
    else if (shape->type == SHAPE_LIST)
        merge_elements(run, shape, layers, &builder);
    else
        merge_entries(run, shape, layers, &builder);
    return builder.container;
}

const struct doc_node *merge_object(struct run *run, const struct shape *shape, const struct doc_node *node)
{
    struct layers layers = { NULL, NULL };
    if (!run->request->document->has_duplicates)
        return node;
    add_layer(run, &layers, node);
    return layers.last ? merge_layers(run, NULL, shape, layers) : node;
}
