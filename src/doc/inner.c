#include "doc/inner.h"

#include <string.h>

#include "doc/origin.h"

uint32_t inner_place(const struct inner_text *text, uint32_t at)
{
    return text->starts[at < text->string->count ? at : text->string->count];
}

static struct doc_range place_range(const struct inner_text *text, uint32_t from, uint32_t size)
{
    const uint32_t start = inner_place(text, from);
    return (struct doc_range){
        start, size ? doc_origin_after(text->outer, text->string, inner_place(text, from + size - 1)) : start,
    };
}

/* Recursion is at most LIMIT_DEPTH deep, as the tree is. What aliases repeat is copied each time. */
static struct doc_node *copy(const struct inner_text *text, const struct doc_node *node, struct arena *arena)
{
    struct doc_node *made = arena_alloc(arena, sizeof *made);
    if (!made)
        return NULL;
    const struct doc_range place = place_range(text, node->offset, node->size);
    *made = *node;
    made->next = NULL;
    made->offset = place.from;
    made->size = place.to - place.from;
    made->name_offset = node->name ? inner_place(text, node->name_offset) : 0;
    const struct doc_node **end = &made->first;
    doc_each(node, child) {
        struct doc_node *copied = copy(text, child, arena);
        if (!copied)
            return NULL;
        *end = copied;
        end = &copied->next;
    }
    return made;
}

static const struct doc_range *copy_shared(const struct inner_text *text, const struct document *read, struct arena *arena)
{
    struct doc_range *made = arena_alloc(arena, (read->shared_count + 1u) * sizeof *made);
    for (uint8_t i = 0; made && i < read->shared_count; i++)
        made[i] = place_range(text, read->shared[i].from, read->shared[i].to - read->shared[i].from);
    return made;
}

const struct document *inner_document(const struct inner_text *text, const struct document *read, struct arena *arena)
{
    struct document *made = arena_alloc(arena, sizeof *made);
    const struct doc_node *root = made ? copy(text, read->root, arena) : NULL;
    const struct doc_range *shared = root ? copy_shared(text, read, arena) : NULL;
    if (!shared)
        return NULL;
    *made = *read;
    made->root = root;
    made->shared = shared;
    made->source = text->outer->source;
    return made;
}
