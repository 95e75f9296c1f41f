#include "check/context.h"

#include "base/limits.h"
#include "check/limits.h"

enum failure workspace_init(struct workspace *workspace, const struct context *context)
{
    *workspace = (struct workspace){ .context = context };
    arena_init(&workspace->arena, context->memory, LIMIT_ARENA_BYTES);
    arena_init(&workspace->scratch, context->memory, LIMIT_SCRATCH_BYTES);
    arena_init(&workspace->expressions, context->memory, LIMIT_EXPRESSION_BYTES);
    return matcher_new(context->memory, &workspace->matcher);
}

void workspace_clear(struct workspace *workspace)
{
    arena_clear(&workspace->arena);
    arena_clear(&workspace->scratch);
    arena_clear(&workspace->expressions);
    workspace->compiled = NULL;
}

void workspace_done(struct workspace *workspace)
{
    arena_done(&workspace->arena);
    arena_done(&workspace->scratch);
    arena_done(&workspace->expressions);
    matcher_free(workspace->matcher);
    workspace->matcher = NULL;
}
