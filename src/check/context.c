#include "check/context.h"

#include "base/limits.h"
#include "value/pattern.h"

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
    for (uint32_t i = 0; i < LIMIT_KEPT_PATTERNS; i++) {
        pattern_free(workspace->patterns[i].compiled);
        workspace->patterns[i].compiled = NULL;
    }
}

enum failure workspace_pattern(struct workspace *workspace, const char *source, const struct pattern **pattern)
{
    for (uint32_t i = 0; i < LIMIT_KEPT_PATTERNS; i++)
        if (workspace->patterns[i].compiled && strcmp(workspace->patterns[i].source, source) == 0) {
            *pattern = workspace->patterns[i].compiled;
            return FAILURE_NONE;
        }
    struct workspace_pattern *slot = &workspace->patterns[workspace->next_pattern++ % LIMIT_KEPT_PATTERNS];
    size_t length = strlen(source);
    pattern_free(slot->compiled);
    slot->compiled = NULL;
    if (length >= sizeof slot->source)
        return FAILURE_LIMIT;
    memcpy(slot->source, source, length + 1);
    enum failure failure = pattern_new(source, false, workspace->context->memory, &slot->compiled);
    *pattern = slot->compiled;
    return failure;
}
