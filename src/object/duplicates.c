/* Merges repeated members as the API server's decoder does: it decodes each later one over the earlier ones. So objects and elements of
 * lists merge, and entries of maps are replaced. Null unsets pointers, lists, maps, quantities and times, and changes nothing else. Every
 * node is visited once, however often a name is repeated. */
#include "base/map.h"
#include "doc/limits.h"
#include "object/object.h"

/* The values of one member, in the order in which they are decoded over each other. */
struct layer {
    const struct doc_node *node;
    struct layer *next;
};

struct layers {
    struct layer *first, *last;
};

static void add_layer(struct evaluation *eval, struct layers *layers, const struct doc_node *node)
{
    struct layer *layer = evaluation_alloc(eval, sizeof *layer);
    if (!layer)
        return;
    *layer = (struct layer){ node, NULL };
    if (layers->last)
        layers->last->next = layer;
    else
        layers->first = layer;
    layers->last = layer;
}

static const struct doc_node *merge_layers(struct evaluation *eval, const struct field *field, const struct shape *shape,
                                           struct layers layers);

/* Appends a copy of `node`, unless it is NULL. Returns the copy, or NULL. */
static const struct doc_node *append(struct evaluation *eval, struct doc_builder *builder, const struct doc_node *node)
{
    const struct doc_node *copy = node ? doc_append(builder, &eval->workspace->arena, node) : NULL;
    if (node && !copy)
        eval->failure = eval->workspace->arena.failure;
    return copy;
}

static void merge_members(struct evaluation *eval, const struct shape *shape, struct layers layers, struct doc_builder *builder)
{
    struct layers fields[LIMIT_FIELDS] = { { NULL, NULL } };
    for (const struct layer *layer = layers.first; layer; layer = layer->next)
        doc_each(layer->node, member)
            if (member->field < shape->field_count)
                add_layer(eval, &fields[member->field], member);
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (fields[i].first)
            (void)append(eval, builder, merge_layers(eval, &shape->fields[i], shape->fields[i].shape, fields[i]));
}

/* An element is decoded over the earlier elements with the same index, even if a shorter list came between them: Go keeps what is in the
 * slice beyond its length. */
static void merge_elements(struct evaluation *eval, const struct shape *shape, struct layers layers, struct doc_builder *builder)
{
    uint32_t max = 0;
    for (const struct layer *layer = layers.first; layer; layer = layer->next)
        if (layer->node->count > max)
            max = layer->node->count;
    struct layers *elements = evaluation_alloc(eval, (max + 1) * sizeof *elements);
    if (!elements)
        return;
    memset(elements, 0, (max + 1) * sizeof *elements);
    for (const struct layer *layer = layers.first; layer; layer = layer->next) {
        uint32_t i = 0;
        doc_each(layer->node, element)
            add_layer(eval, &elements[i++], element);
    }
    for (uint32_t i = 0; i < layers.last->node->count && !eval->failure; i++)
        (void)append(eval, builder, merge_layers(eval, NULL, shape->of, elements[i]));
}

/* The decoded value of an entry: a container may have repeated members itself. */
static const struct doc_node *merge_value(struct evaluation *eval, const struct shape *shape, const struct doc_node *source)
{
    struct layers layers = { NULL, NULL };
    if (shape->type != SHAPE_OBJECT && shape->type != SHAPE_LIST && shape->type != SHAPE_MAP)
        return source;
    add_layer(eval, &layers, source);
    return layers.first ? merge_layers(eval, NULL, shape, layers) : NULL;
}

/* Replaces the earlier entry of the same name in the result. `map` finds the result's nodes by name. */
static void merge_entry(struct evaluation *eval, const struct shape *shape, const struct doc_node *source, struct map *map,
                        struct doc_builder *builder)
{
    const struct doc_node *value = merge_value(eval, shape->of, source);
    struct doc_node *earlier = map_find(map, doc_name(source));
    if (!value)
        return;
    if (earlier) {
        const struct doc_node *next = earlier->next;
        *earlier = *value;
        earlier->next = next;
        return;
    }
    const struct doc_node *copy = append(eval, builder, value);
    if (copy)
        (void)map_add(map, doc_name(source), copy);
}

static void merge_entries(struct evaluation *eval, const struct shape *shape, struct layers layers, struct doc_builder *builder)
{
    struct map map;
    uint32_t count = 0;
    for (const struct layer *layer = layers.first; layer; layer = layer->next)
        count += layer->node->count;
    if (!evaluation_map(eval, &map, count))
        return;
    for (const struct layer *layer = layers.first; layer; layer = layer->next)
        for (const struct doc_node *entry = layer->node->first; entry && !eval->failure; entry = entry->next)
            merge_entry(eval, shape, entry, &map, builder);
}

/* Whether null makes a value unset. It does so for pointers, lists and maps of Go, and for types that decode null themselves (quantities
 * and times). Strings, numbers, booleans, objects and values of any type keep the earlier value. */
static bool null_unsets(const struct field *field, const struct shape *shape)
{
    if (field && field->pointer && !field->empty_is_unset) /* Go has no pointer for EMPTY_IS_UNSET */
        return true;
    switch (shape->type) {
    case SHAPE_STRING:
    case SHAPE_BOOL:
    case SHAPE_INT32:
    case SHAPE_INT64:
    case SHAPE_RAW:
    case SHAPE_OBJECT:   return false;
    case SHAPE_QUANTITY:
    case SHAPE_TIME:
    case SHAPE_LIST:
    case SHAPE_MAP:
    case SHAPE_TYPES:    break;
    }
    return true;
}

/* The layers that have an effect: those after the last null that unsets the value, or the last empty list; without other nulls. */
static struct layers effective_layers(struct evaluation *eval, const struct field *field, const struct shape *shape, struct layers layers)
{
    struct layers kept = { NULL, NULL };
    for (const struct layer *layer = layers.first; layer; layer = layer->next) {
        bool null = layer->node->type == DOC_NULL;
        if (null ? null_unsets(field, shape) : shape->type == SHAPE_LIST && layer->node->count == 0)
            kept = (struct layers){ NULL, NULL };
        if (!null)
            add_layer(eval, &kept, layer->node);
    }
    return kept;
}

static const struct doc_node *merge_layers(struct evaluation *eval, const struct field *field, const struct shape *shape,
                                           struct layers layers)
{
    const struct doc_node *newest = layers.last->node;
    layers = effective_layers(eval, field, shape, layers);
    if (eval->failure || !layers.last)
        return newest; /* null */
    newest = layers.last->node;
    if (shape->type != SHAPE_OBJECT && shape->type != SHAPE_LIST && shape->type != SHAPE_MAP)
        return newest;
    struct doc_builder builder = doc_build(&eval->workspace->arena, newest);
    if (!builder.container) {
        eval->failure = eval->workspace->arena.failure;
        return newest;
    }
    if (shape->type == SHAPE_OBJECT)
        merge_members(eval, shape, layers, &builder);
    else if (shape->type == SHAPE_LIST)
        merge_elements(eval, shape, layers, &builder);
    else
        merge_entries(eval, shape, layers, &builder);
    return builder.container;
}

const struct doc_node *object_merge_duplicates(struct evaluation *eval, const struct shape *shape, const struct doc_node *node)
{
    struct layers layers = { NULL, NULL };
    const struct document *document = eval->request->document, *old = eval->request->old_document;
    if (!document->has_duplicates && !(old && old->has_duplicates))
        return node;
    add_layer(eval, &layers, node);
    return layers.last ? merge_layers(eval, NULL, shape, layers) : node;
}
