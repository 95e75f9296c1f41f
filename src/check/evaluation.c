#include "check/evaluation.h"

void *evaluation_alloc(struct evaluation *eval, size_t bytes)
{
    void *memory = eval->failure ? NULL : arena_alloc(&eval->workspace->arena, bytes);
    if (!memory && !eval->failure)
        eval->failure = eval->workspace->arena.failure;
    return memory;
}

uint16_t evaluation_field(struct evaluation *eval, const struct shape *shape, const char *name)
{
    uint16_t i = shape_field_index(shape, name);
    if (i < shape->field_count)
        return i;
    eval->failure = FAILURE_INTERNAL;
    return 0;
}

const char *evaluation_text(struct evaluation *eval, struct text *text)
{
    const char *end = text_end(text);
    if (!end)
        eval->failure = eval->workspace->arena.failure;
    return end;
}

bool evaluation_map(struct evaluation *eval, struct map *map, uint32_t capacity)
{
    if (!eval->failure)
        eval->failure = map_init(map, &eval->workspace->arena, capacity, eval->workspace->context->key);
    return !eval->failure;
}

bool evaluation_format(struct evaluation *eval, enum format format, struct bytes text, unsigned *broken)
{
    if (!eval->failure)
        eval->failure = format_check(eval->workspace->context->formats, eval->workspace->matcher, format, text, broken);
    return !eval->failure;
}
