#include "check/context.h"

#include "base/limits.h"

enum failure context_init(struct context *context, const struct memory *memory)
{
    *context = (struct context){ .memory = memory };
    if (!set_key_random(&context->key))
        return FAILURE_LIMIT;
    return formats_new(memory, &context->formats);
}

void context_done(struct context *context)
{
    formats_free(context->formats);
    context->formats = NULL;
}

enum failure worker_init(struct worker *worker, const struct context *context)
{
    *worker = (struct worker){ .context = context };
    arena_init(&worker->arena, context->memory, LIMIT_ARENA_BYTES);
    arena_init(&worker->scratch, context->memory, LIMIT_ARENA_BYTES);
    return matcher_new(context->memory, &worker->matcher);
}

void worker_clear(struct worker *worker)
{
    arena_clear(&worker->arena);
    arena_clear(&worker->scratch);
}

void worker_done(struct worker *worker)
{
    arena_done(&worker->arena);
    arena_done(&worker->scratch);
    matcher_free(worker->matcher);
    worker->matcher = NULL;
}
