#include "doc/doc.h"

const char doc_skip[1] = { 0 };

struct bytes doc_source(const struct document *document, const struct doc_node *node)
{
    return (struct bytes){ document->source.data + node->offset, node->size };
}

bool doc_is_shared(const struct document *document, uint32_t from, uint32_t to)
{
    for (uint8_t i = 0; i < document->shared_count; i++)
        if (document->shared[i].from <= to && from <= document->shared[i].to)
            return true;
    return false;
}

const struct doc_node *doc_member_named(const struct doc_node *object, struct bytes name)
{
    const struct doc_node *found = NULL;
    if (!object || object->type != DOC_OBJECT)
        return NULL;
    for (const struct doc_node *member = object->first; member; member = member->next)
        if (bytes_equal(doc_name(member), name))
            found = member;
    return found;
}

struct bytes doc_member_text(const struct doc_node *object, const char *name)
{
    const struct doc_node *found = NULL;
    struct bytes wanted = bytes_of(name);
    doc_each(object && object->type == DOC_OBJECT ? object : NULL, member)
        if (member->type != DOC_NULL && bytes_equal(doc_name(member), wanted))
            found = member;
    return found && found->type == DOC_STRING ? doc_text(found) : (struct bytes){ NULL, 0 };
}

struct doc_builder doc_build(struct arena *arena, const struct doc_node *like)
{
    struct doc_builder builder = { arena_alloc(arena, sizeof *builder.container), NULL };
    if (builder.container) {
        *builder.container = *like;
        builder.container->next = NULL;
        builder.container->first = NULL;
        builder.container->count = 0;
    }
    return builder;
}

struct doc_node *doc_append(struct doc_builder *builder, struct arena *arena, const struct doc_node *node)
{
    struct doc_node *copy = arena_alloc(arena, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *node;
    copy->next = NULL;
    if (builder->last)
        builder->last->next = copy;
    else
        builder->container->first = copy;
    builder->last = copy;
    builder->container->count++;
    return copy;
}

bool doc_integer(const struct doc_node *number, int64_t low, int64_t high, int64_t *value)
{
    bool negative = number->count && number->text[0] == '-';
    uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX, magnitude = 0;
    if (number->count == negative)
        return false;
    for (uint32_t i = negative; i < number->count; i++) {
        unsigned digit = (unsigned)(number->text[i] - '0');
        if (digit > 9 || magnitude > (limit - digit) / 10)
            return false;
        magnitude = magnitude * 10 + digit;
    }
    int64_t result = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    if (result < low || result > high)
        return false;
    *value = result;
    return true;
}
