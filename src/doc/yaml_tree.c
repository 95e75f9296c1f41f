#include "doc/yaml_reader.h"

struct doc_node *yaml_make_node(struct yaml_reader *r, struct yaml_span span)
{
    if (r->nodes == LIMIT_NODES) {
        yaml_fail(r, FAILURE_LIMIT, span.offset, "too many values");
        return NULL;
    }
    struct doc_node *node = arena_alloc(r->input->arena, sizeof *node);
    if (!node) {
        yaml_fail_memory(r, span.offset);
        return NULL;
    }
    *node = (struct doc_node){ .offset = span.offset, .size = span.end - span.offset, .field = DOC_NO_FIELD };
    r->total.nodes++;
    r->nodes++;
    return node;
}

static void append(struct doc_node *container, struct doc_node **last, struct doc_node *node)
{
    if (*last)
        (*last)->next = node;
    else
        container->first = node;
    *last = node;
    container->count++;
}

static void set_name(struct doc_node *node, struct bytes name, uint32_t offset)
{
    node->name = name.data;
    node->name_length = name.length;
    node->name_offset = offset;
}

struct doc_node *yaml_add_node(struct yaml_reader *r, struct yaml_span span)
{
    struct yaml_level *level = yaml_top(r);
    struct doc_node *node = yaml_make_node(r, span);
    if (!node)
        return NULL;
    if (!level) {
        r->root = node;
        return node;
    }
    append(level->node, &level->last, node);
    if (level->node->type == DOC_OBJECT)
        set_name(node, level->name, level->name_offset);
    return node;
}

/* Recursion is at most LIMIT_DEPTH deep, as the tree is. */
bool yaml_copy_children(struct yaml_reader *r, const struct doc_node *from, struct doc_node *to, struct doc_node **last)
{
    doc_each(from, child) {
        struct doc_node *copy = yaml_make_node(r, (struct yaml_span){ child->offset, child->offset + child->size });
        if (!copy)
            return false;
        *copy = *child;
        copy->next = NULL;
        append(to, last, copy);
        if (child->type != DOC_ARRAY && child->type != DOC_OBJECT)
            continue;
        struct doc_node *inner = NULL;
        copy->first = NULL;
        copy->count = 0;
        if (!yaml_copy_children(r, child, copy, &inner))
            return false;
    }
    return true;
}

/* ---- merging ---- */

/* In a list of mappings to merge, the object is the level around the list. */
struct yaml_level *yaml_merge_target(struct yaml_reader *r)
{
    struct yaml_level *level = yaml_top(r);
    return level->role == YAML_MERGED_LIST ? level - 1 : level;
}

bool yaml_merge(struct yaml_reader *r, const struct doc_node *mapping, unsigned height)
{
    struct yaml_level *target = yaml_merge_target(r);
    if (height > target->height)
        target->height = (uint8_t)height;
    return yaml_copy_children(r, mapping, target->node, &target->last);
}

/* ---- repeated names ---- */

static bool within(const struct yaml_level *level, const struct doc_node *member)
{
    return member->name_offset >= level->node->offset && member->name_offset < level->end;
}

/* Reports the later of two equal names; or, if a merge has copied that one from elsewhere, the earlier one or the merge key. */
static bool fail_duplicate(struct yaml_reader *r, const struct yaml_level *level, const struct doc_node *first,
                           const struct doc_node *second)
{
    uint32_t offset = within(level, second) ? second->name_offset : within(level, first) ? first->name_offset : level->merge_offset;
    if (within(level, first) && within(level, second)) {
        yaml_fail_stricter(r, offset, "duplicate key: two keys of this object give the same member name");
        r->error->first = first->name_offset;
        r->error->has_first = true;
        return false;
    }
    return yaml_fail_stricter(r, offset, "duplicate key: a merge (<<) brings the same member name into this object");
}

/* A few names are compared with each other; more of them go into a map. */
bool yaml_check_names(struct yaml_reader *r, const struct yaml_level *level)
{
    enum { FEW = 8 };
    struct map map = { 0 };
    bool many = level->node->count > FEW;
    if (many && map_init(&map, r->input->arena, level->node->count, r->input->key) != FAILURE_NONE)
        return yaml_fail_memory(r, level->node->offset);
    doc_each(level->node, member) {
        const struct doc_node *equal = many ? map_add(&map, doc_name(member), member) : level->node->first;
        while (!many && equal != member && !bytes_equal(doc_name(equal), doc_name(member)))
            equal = equal->next;
        if (equal && equal != member)
            return fail_duplicate(r, level, equal, member);
    }
    if (many)
        arena_take_back(r->input->arena, map.slots); /* nothing was allocated after it */
    return true;
}
