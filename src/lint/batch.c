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
    if (!made) {
        enum failure failure = arena->failure;
        arena->failure = FAILURE_NONE; /* the batch stays as it was, and may be tried again */
        return failure;
    }
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
    batch->bytes += failure ? 0 : (*source)->text.length + (*source)->arena.taken;
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
    batch->bytes -= last->text.length + last->arena.taken;
    source_done(last);
}

/* ---- together ---- */

enum failure batch_pair(struct batch *batch)
{
    uint32_t count = 0, twice = 0;
    if (batch->paired == batch->old.count)
        return FAILURE_NONE;
    for (const struct source *source = batch->old.first; source; source = source->next)
        count += pairs_count(source);
    enum failure failure = pairs_init(&batch->pairs, &batch->old_arena, count, batch->context->key);
    for (const struct source *source = batch->old.first; source && !failure; source = source->next)
        failure = pairs_add(&batch->pairs, source, &twice);
    batch->old_arena.failure = FAILURE_NONE;
    if (failure)
        return failure;
    batch->paired = batch->old.count;
    batch->twice = twice;
    return FAILURE_NONE;
}

enum failure batch_prepare(struct batch *batch)
{
    uint32_t count = 0;
    for (const struct source *source = batch->sources.first; source; source = source->next)
        for (const struct item *item = source->first; item; item = item->next)
            count += item->kind != NULL;
    objects_free(batch->objects);
    batch->objects = NULL;
    batch->apart = false;
    size_t bytes = LIMIT_ARENA_BYTES + 2 * (size_t)batch->bytes;
    enum failure failure = objects_new(batch->context, batch->settings.version, count, bytes, &batch->objects);
    if (failure)
        return failure;
    for (struct source *source = batch->sources.first; source; source = source->next)
        for (struct item *item = source->first; item; item = item->next)
            if (item->kind)
                item->object = objects_add(batch->objects, &(struct object){ .kind = item->kind, .document = item->document, .node = item->node, .owner = item });
    return FAILURE_NONE;
}

enum failure batch_judge(struct batch *batch, struct worker *worker, const struct source *source, struct report *report)
{
    const struct pairs *pairs = batch->old.first ? &batch->pairs : NULL;
    enum failure failure = source_judge(worker, &batch->settings, source, pairs, batch->apart ? NULL : batch->objects, report);
    if (failure != FAILURE_LIMIT || batch->apart || !batch->objects || objects_failure(batch->objects) != FAILURE_LIMIT)
        return failure;
    batch->apart = true; /* this source and what follows can still be judged by themselves */
    worker_clear(worker);
    return source_judge(worker, &batch->settings, source, pairs, NULL, report);
}
