#include "cel/build.h"

#include "cel/limits.h"

void cel_build_stop(struct cel_builder *b, enum failure failure)
{
    b->stopped = true;
    if (!b->errors->failure)
        b->errors->failure = failure;
}

struct cel_node *cel_build_node(struct cel_builder *b, enum cel_node_kind kind, uint32_t offset)
{
    struct cel_node *node = &b->spare;
    if (b->count == LIMIT_CEL_NODES)
        cel_build_stop(b, FAILURE_LIMIT);
    else if (!b->stopped && !(node = cel_build_array(b, 1, sizeof *node)))
        node = &b->spare;
    *node = (struct cel_node){ .kind = kind, .number = b->count, .offset = offset };
    b->count += node != &b->spare;
    return node;
}

void *cel_build_array(struct cel_builder *b, uint32_t count, size_t size)
{
    if (!count || b->stopped)
        return NULL;
    void *array = arena_alloc(b->errors->arena, count * size);
    if (!array)
        cel_build_stop(b, b->errors->arena->failure);
    return array;
}

struct cel_node *cel_build_error(struct cel_builder *b, uint32_t offset, const char *text)
{
    if (!b->stopped)
        cel_error_add(b->errors, CEL_ERROR_OTHER, offset, text);
    return cel_build_node(b, CEL_NODE_ABSENT, offset);
}

struct cel_node *cel_build_error_about(struct cel_builder *b, uint32_t offset, const char *words, struct bytes about)
{
    struct text text;
    text_init(&text, b->errors->arena);
    text_add(&text, words);
    text_add_bytes(&text, about);
    return cel_build_error(b, offset, text_end(&text));
}
