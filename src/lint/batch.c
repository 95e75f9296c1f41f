#include "lint/batch.h"

#include "base/limits.h"

void batch_init(struct batch *batch, const struct context *context, const struct judge_settings *settings)
{
    *batch = (struct batch){ .context = context, .settings = *settings };
    arena_init(&batch->arena, context->memory, LIMIT_ARENA_BYTES);
    arena_init(&batch->old_arena, context->memory, LIMIT_ARENA_BYTES);
}

static void sources_done(struct source_list *list)
{
    for (struct source *source = list->first; source; source = source->next)
        source_done(source);
    *list = (struct source_list){ .first = NULL };
}

void batch_clear(struct batch *batch)
{
    objects_free(batch->objects);
    batch->objects = NULL;
    sources_done(&batch->sources);
    arena_clear(&batch->arena);
    batch->bytes = 0;
}

void batch_done(struct batch *batch)
{
    batch_clear(batch);
    sources_done(&batch->old);
    arena_done(&batch->arena);
    arena_done(&batch->old_arena);
}

static enum failure add(struct batch *batch, struct source_list *list, struct arena *arena, const char *name, struct bytes text, struct source **source)
{
    struct source *made = arena_alloc(arena, sizeof *made);
    if (!made)
        return arena->failure;
    enum failure failure = source_read(made, batch->context, name, text, batch->settings.version, batch->settings.as);
    if (failure) {
        source_done(made);
        return failure;
    }
    made->before = list->last;
    if (list->last)
        list->last->next = made;
    else
        list->first = made;
    list->last = made;
    made->ordinal = ++list->count;
    *source = made;
    return FAILURE_NONE;
}

enum failure batch_add(struct batch *batch, const char *name, struct bytes text, struct source **source)
{
    enum failure failure = add(batch, &batch->sources, &batch->arena, name, text, source);
    batch->bytes += failure ? 0 : text.length;
    return failure;
}

enum failure batch_add_old(struct batch *batch, const char *name, struct bytes text, struct source **source)
{
    return add(batch, &batch->old, &batch->old_arena, name, text, source);
}

void batch_forget_last(struct batch *batch)
{
    struct source *last = batch->sources.last;
    batch->sources.last = last->before;
    if (last->before)
        last->before->next = NULL;
    else
        batch->sources.first = NULL;
    batch->bytes -= last->text.length;
    source_done(last);
}

/* ---- together ---- */

enum failure batch_pair(struct batch *batch)
{
    uint32_t count = 0;
    if (batch->paired == batch->old.count)
        return FAILURE_NONE;
    batch->paired = batch->old.count;
    batch->twice = 0;
    for (const struct source *source = batch->old.first; source; source = source->next)
        count += pairs_count(source);
    enum failure failure = pairs_init(&batch->pairs, &batch->old_arena, count, batch->context->key);
    for (const struct source *source = batch->old.first; source && !failure; source = source->next)
        failure = pairs_add(&batch->pairs, source, &batch->twice);
    return failure;
}

enum failure batch_prepare(struct batch *batch)
{
    uint32_t count = 0;
    for (const struct source *source = batch->sources.first; source; source = source->next)
        for (const struct item *item = source->first; item; item = item->next)
            count += item->kind != NULL;
    objects_free(batch->objects);
    batch->objects = NULL;
    enum failure failure = objects_new(batch->context, batch->settings.version, count, &batch->objects);
    if (failure)
        return failure;
    for (struct source *source = batch->sources.first; source; source = source->next)
        for (struct item *item = source->first; item; item = item->next)
            if (item->kind)
                item->object = objects_add(batch->objects, &(struct object){ item->kind, item->document, item->node, item });
    return FAILURE_NONE;
}

enum failure batch_judge(struct batch *batch, struct worker *worker, const struct source *source, struct report *report)
{
    return source_judge(worker, &batch->settings, source, batch->old.first ? &batch->pairs : NULL, batch->objects, report);
}
