#include "check/run.h"

void *run_alloc(struct run *run, size_t bytes)
{
    void *memory = run->failure ? NULL : arena_alloc(&run->worker->arena, bytes);
    if (!memory && !run->failure)
        run->failure = run->worker->arena.failure;
    return memory;
}

const char *run_text(struct run *run, struct text *text)
{
    const char *end = text_end(text);
    if (!end)
        run->failure = run->worker->arena.failure;
    return end;
}

bool run_set(struct run *run, struct set *set, uint32_t capacity)
{
    if (!run->failure)
        run->failure = set_init(set, &run->worker->arena, capacity, run->worker->context->key);
    return !run->failure;
}

bool run_format(struct run *run, enum format format, struct bytes text, unsigned *broken)
{
    if (!run->failure)
        run->failure = format_check(run->worker->context->formats, run->worker->matcher, format, text, broken);
    return !run->failure;
}
