#include "doc/yaml_reader.h"

struct doc_node *yaml_make_node(struct yaml_reader *r, struct yaml_place place)
{
    if (r->total.nodes == LIMIT_NODES) {
        yaml_fail(r, FAILURE_LIMIT, place.offset, "too many values");
        return NULL;
    }
    struct doc_node *node = arena_alloc(r->input->arena, sizeof *node);
    if (!node) {
        yaml_fail_memory(r, place.offset);
        return NULL;
    }
    *node = (struct doc_node){ .offset = place.offset, .size = place.end - place.offset, .field = DOC_NO_FIELD };
    r->total.nodes++;
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

/* The next value: element, member with the name read before it, or root. */
struct doc_node *yaml_add_node(struct yaml_reader *r, struct yaml_place place)
{
    struct yaml_level *level = yaml_top(r);
    struct doc_node *node = yaml_make_node(r, place);
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

/* Everything below `from` once more, below `to`. As deep as the tree, LIMIT_DEPTH. */
bool yaml_copy_children(struct yaml_reader *r, const struct doc_node *from, struct doc_node *to, struct doc_node **last)
{
    doc_each(from, child) {
        struct doc_node *copy = yaml_make_node(r, (struct yaml_place){ child->offset, child->offset + child->size });
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

/* The object that a merge is for: around the list, if there is one. */
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

/* The later of two equal names; or, when a merge brought it from elsewhere, the earlier one or the merge key. */
static bool fail_duplicate(struct yaml_reader *r, const struct yaml_level *level, const struct doc_node *first, const struct doc_node *second)
{
    uint32_t offset = within(level, second) ? second->name_offset : within(level, first) ? first->name_offset : level->merge_offset;
    if (within(level, first) && within(level, second))
        return yaml_fail_stricter(r, offset, "duplicate key: two keys of this object meet in one member name");
    return yaml_fail_stricter(r, offset, "duplicate key: a merge (<<) brings the same member name into this object");
}

/* Few names are compared with each other; many go through a set. */
bool yaml_check_names(struct yaml_reader *r, const struct yaml_level *level)
{
    enum { FEW = 8 };
    struct set set = { 0 };
    bool many = level->node->count > FEW;
    if (many && set_init(&set, r->input->arena, level->node->count, r->input->key) != FAILURE_NONE)
        return yaml_fail_memory(r, level->node->offset);
    doc_each(level->node, member) {
        const struct doc_node *equal = many ? set_add(&set, doc_name(member), member) : level->node->first;
        while (!many && equal != member && !bytes_equal(doc_name(equal), doc_name(member)))
            equal = equal->next;
        if (equal && equal != member)
            return fail_duplicate(r, level, equal, member);
    }
    return true;
}
