#include "validate/context.h"

#include "schema/kind.h"

enum failure context_init(struct context *context, const struct memory *memory)
{
    *context = (struct context){ .memory = memory };
    if (!map_key_random(&context->key))
        return FAILURE_LIMIT;
    enum failure failure = shape_summaries_init(&context->shape_summaries, kinds, kind_count, memory);
    if (failure)
        return failure;
    failure = formats_new(memory, &context->formats);
    if (failure)
        shape_summaries_done(&context->shape_summaries, memory);
    return failure;
}

void context_done(struct context *context)
{
    shape_summaries_done(&context->shape_summaries, context->memory);
    formats_free(context->formats);
    context->formats = NULL;
}
