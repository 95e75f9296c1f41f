#include "validate/source_set.h"

#include "base/limits.h"
#include "validate/limits.h"
#include "validate/range.h"

void source_set_init(struct source_set *source_set, const struct context *context, const struct validate_settings *settings)
{
    *source_set = (struct source_set){ .context = context, .settings = *settings };
    arena_init(&source_set->arena, context->memory, LIMIT_ARENA_BYTES);
    arena_init(&source_set->old_arena, context->memory, LIMIT_ARENA_BYTES);
    arena_init(&source_set->pairs_arena, context->memory, LIMIT_ARENA_BYTES);
    arena_init(&source_set->reports, context->memory, LIMIT_ARENA_BYTES);
    arena_init(&source_set->ranges, context->memory, LIMIT_RANGES_BYTES);
    arena_init(&source_set->names, context->memory, LIMIT_INDEX_BYTES);
}

static void sources_done(struct source *first)
{
    for (struct source *source = first; source; source = source->next)
        source_done(source);
}

struct source *source_set_first(const struct source_set *source_set)
{
    return source_set->last_reference ? source_set->last_reference->next : source_set->sources.first;
}

void source_set_clear(struct source_set *source_set)
{
    struct source *reference = source_set->last_reference;
    object_set_free(source_set->objects);
    source_set->objects = NULL;
    sources_done(source_set_first(source_set));
    if (reference)
        reference->next = NULL;
    source_set->sources = (struct source_list){
        .first = reference ? source_set->sources.first : NULL, .last = reference, .count = reference ? reference->ordinal : 0,
    };
    arena_clear(&source_set->names);
    arena_clear(&source_set->arena);
    arena_clear(&source_set->ranges);
    source_set->bytes = 0;
}

void source_set_done(struct source_set *source_set)
{
    source_set_clear(source_set);
    sources_done(source_set->old.first);
    arena_done(&source_set->arena);
    arena_done(&source_set->old_arena);
    arena_done(&source_set->pairs_arena);
    arena_done(&source_set->reports);
    arena_done(&source_set->ranges);
    arena_done(&source_set->names);
}

static void append(struct source_list *list, struct source *source)
{
    source->before = list->last;
    if (list->last)
        list->last->next = source;
    else
        list->first = source;
    list->last = source;
    source->ordinal = ++list->count;
}

static struct source_options options_of(const struct source_set *source_set)
{
    const struct validate_settings *settings = &source_set->settings;
    return (struct source_options){ settings->version, settings->as, settings->inside_configmaps };
}

static enum failure add(struct source_set *source_set, struct source_list *list, struct arena *arena, const char *name, struct bytes text,
                        struct source **result)
{
    struct source *source = arena_alloc(arena, sizeof *source);
    if (!source) {
        enum failure failure = arena->failure;
        arena->failure = FAILURE_NONE; /* the source_set is unchanged, and the caller may try again */
        return failure;
    }
    const struct source_options options = options_of(source_set);
    enum failure failure = source_read(source, source_set->context, name, text, &options);
    if (failure) {
        source_done(source);
        return failure;
    }
    append(list, source);
    *result = source;
    return FAILURE_NONE;
}

enum failure source_set_add(struct source_set *source_set, const char *name, struct bytes text, struct source **source)
{
    enum failure failure = add(source_set, &source_set->sources, &source_set->arena, name, text, source);
    if (!failure) {
        (*source)->bytes = (*source)->text.length + (*source)->arena.taken;
        source_set->bytes += (*source)->bytes;
    }
    return failure;
}

void source_set_take(struct source_set *source_set, struct source *source, size_t bytes)
{
    append(&source_set->sources, source);
    source->bytes = bytes;
    source_set->bytes += bytes;
}

void source_set_refer(struct source_set *source_set, struct source *source, size_t bytes)
{
    source->next = source->before = NULL; /* of another set */
    append(&source_set->sources, source);
    source_bind(source, source_set->settings.version);
    source_set->last_reference = source;
    source_set->reference_bytes += bytes;
}

enum failure source_set_add_old(struct source_set *source_set, const char *name, struct bytes text, struct source **source)
{
    return add(source_set, &source_set->old, &source_set->old_arena, name, text, source);
}

enum failure source_set_replace(struct source_set *source_set, struct source *source, struct bytes text)
{
    struct source *next = source->next, *before = source->before;
    const char *name = source->name;
    uint32_t ordinal = source->ordinal;
    object_set_free(source_set->objects); /* it knows the objects that end here */
    source_set->objects = NULL;
    source_set->bytes -= source->bytes;
    source_done(source);
    const struct source_options options = options_of(source_set);
    enum failure failure = source_read(source, source_set->context, name, text, &options);
    if (failure) {
        source_done(source);
        *source = (struct source){ .name = name, .version = source_set->settings.version };
        arena_init(&source->arena, source_set->context->memory, LIMIT_SOURCE_BYTES);
        lines_init(&source->lines, source_set->context->memory, source->text);
    }
    source->next = next;
    source->before = before;
    source->ordinal = ordinal;
    source->bytes = source->text.length + source->arena.taken;
    source_set->bytes += source->bytes;
    return failure;
}

void source_set_forget_last(struct source_set *source_set)
{
    struct source *last = source_set->sources.last;
    source_set->sources.last = last->before;
    if (last->before)
        last->before->next = NULL;
    else
        source_set->sources.first = NULL;
    source_set->bytes -= last->bytes;
    source_done(last);
}

/* ---- validation ---- */

static enum failure pair(struct source_set *source_set)
{
    uint32_t count = 0, twice = 0;
    source_set->paired = 0;
    arena_clear(&source_set->pairs_arena);
    for (const struct source *source = source_set->old.first; source; source = source->next)
        count += pairs_count(source);
    enum failure failure = pairs_init(&source_set->pairs, &source_set->pairs_arena, count, source_set->context->key);
    for (struct source *source = source_set->old.first; source && !failure; source = source->next)
        failure = pairs_add(&source_set->pairs, source, &twice);
    if (failure)
        return failure;
    source_set->paired = source_set->old.count;
    source_set->twice = twice;
    return FAILURE_NONE;
}

enum failure source_set_pair(struct source_set *source_set)
{
    return source_set->paired == source_set->old.count ? FAILURE_NONE : pair(source_set);
}

static void add_objects(struct object_set *objects, struct source *source)
{
    for (struct item *item = source->first; item; item = item->next) {
        const struct object object = { .kind = item->kind, .document = item->document, .node = item->node, .owner = item };
        item->object = item->kind ? object_set_add(objects, &object) : NULL;
    }
}

/* An object that is given to be validated, too, is in the set once. */
static void drop_twins(struct source *reference)
{
    for (struct item *item = reference->first; item; item = item->next) {
        if (item->same) {
            item->type = ITEM_OTHER_KIND;
            item->kind = NULL;
        }
    }
}

/* Finds objects that are there twice. Where that takes too much memory, none is found. */
static enum failure find_twins(struct source_set *source_set)
{
    struct source *const own = source_set_first(source_set);
    struct pairs names;
    uint32_t count = 0, twice = 0;
    arena_clear(&source_set->names);
    for (struct source *source = source_set->sources.first; source; source = source->next) {
        for (struct item *item = source->first; item; item = item->next)
            item->same = NULL;
        count += pairs_count(source);
    }
    enum failure failure = pairs_init(&names, &source_set->names, count, source_set->context->key);
    for (struct source *source = own; source && !failure; source = source->next)
        failure = pairs_add(&names, source, &twice);
    for (struct source *source = source_set->sources.first; source != own && !failure; source = source->next) {
        failure = pairs_add(&names, source, &twice);
        drop_twins(source);
    }
    return failure == FAILURE_LIMIT ? FAILURE_NONE : failure;
}

static enum failure prepare(struct source_set *source_set)
{
    uint32_t count = 0;
    object_set_free(source_set->objects);
    source_set->objects = NULL;
    enum failure failure = find_twins(source_set);
    if (failure)
        return failure;
    for (const struct source *source = source_set->sources.first; source; source = source->next)
        for (const struct item *item = source->first; item; item = item->next)
            count += item->kind != NULL;
    size_t bytes = LIMIT_ARENA_BYTES + 2 * (size_t)(source_set->bytes + source_set->reference_bytes);
    bytes = bytes < LIMIT_INDEX_BYTES ? bytes : LIMIT_INDEX_BYTES;
    failure = object_set_new(source_set->context, source_set->settings.version, count, bytes, &source_set->objects);
    if (failure)
        return failure;
    for (struct source *source = source_set->sources.first; source; source = source->next)
        add_objects(source_set->objects, source);
    const struct matcher *matcher = source_set->settings.matcher;
    return matcher ? object_set_use(source_set->objects, matcher, source_set->sources.first) : FAILURE_NONE;
}

/* As an API server of settings.version, as which the sources are bound. */
static enum failure validate(struct source_set *source_set, struct workspace *workspace, const struct source *source, struct report *report)
{
    const struct pairs *pairs = source_set->old.first ? &source_set->pairs : NULL;
    struct others *others = object_set_others(source_set->apart ? NULL : source_set->objects);
    arena_clear(&source_set->reports);
    enum failure failure = source_validate(workspace, &source_set->settings, source, pairs, others, &source_set->reports, report);
    if (failure != FAILURE_LIMIT || !others || object_set_failure(source_set->objects) != FAILURE_LIMIT)
        return failure;
    source_set->apart = true; /* the objects of this source and of those after it can still be validated one by one */
    arena_clear(&source_set->reports);
    return source_validate(workspace, &source_set->settings, source, pairs, NULL, &source_set->reports, report);
}

/* ---- a range of versions ---- */

/* Adds to the source's report what is found in this version. A failure ends only this report. */
static void validate_in_version(struct source_set *source_set, struct workspace *workspace, struct source *source)
{
    struct range_report *range = source->range_report;
    struct report report;
    if (range->failure)
        return;
    workspace_clear(workspace);
    range->failure = validate(source_set, workspace, source, &report);
    if (!range->failure)
        range->failure = range_report_add(range, &report, source_set->settings.version, &source_set->ranges);
}

/* Each tree is there once, so its members are bound anew for each version; in the end as it was read, for the newest. */
static void bind(struct source_list *list, minor version)
{
    for (struct source *source = list->first; source; source = source->next)
        source_bind(source, version);
}

static enum failure validate_all_in_version(struct source_set *source_set, struct workspace *workspace)
{
    const minor version = source_set->settings.version;
    bind(&source_set->sources, version);
    bind(&source_set->old, version);
    source_set->apart = false;
    enum failure failure = source_set->old.count ? pair(source_set) : FAILURE_NONE;
    if (!failure)
        failure = prepare(source_set);
    for (struct source *source = source_set_first(source_set); source && !failure; source = source->next)
        validate_in_version(source_set, workspace, source);
    return failure;
}

static enum failure begin_range(struct source_set *source_set, struct source *source)
{
    source->range_report = arena_alloc(&source_set->ranges, sizeof *source->range_report);
    if (!source->range_report)
        return source_set->ranges.failure;
    *source->range_report = (struct range_report){ .failure = FAILURE_NONE };
    return FAILURE_NONE;
}

/* Together, in one version after the other: a set of objects is of one version. */
static enum failure validate_range(struct source_set *source_set)
{
    struct workspace workspace;
    const minor newest = source_set->settings.version;
    bool apart = false;
    arena_clear(&source_set->ranges);
    enum failure failure = workspace_init(&workspace, source_set->context);
    if (failure)
        return failure;
    for (struct source *source = source_set_first(source_set); source && !failure; source = source->next)
        failure = begin_range(source_set, source);
    for (minor version = MINOR_OLDEST; version <= newest && !failure; version++) {
        if (!(source_set->settings.versions & version_bit(version)))
            continue;
        source_set->settings.version = version;
        failure = validate_all_in_version(source_set, &workspace);
        apart |= source_set->apart;
    }
    for (struct source *source = source_set_first(source_set); source && !failure; source = source->next)
        range_report_end(source->range_report);
    source_set->settings.version = newest;
    source_set->apart = apart;
    workspace_done(&workspace);
    return failure;
}

/* The same for one source by itself, before the set is prepared. */
static enum failure validate_range_alone(struct source_set *source_set, struct workspace *workspace, struct source *source)
{
    const minor newest = source_set->settings.version;
    enum failure failure = begin_range(source_set, source);
    for (minor version = MINOR_OLDEST; version <= newest && !failure; version++) {
        if (!(source_set->settings.versions & version_bit(version)))
            continue;
        source_set->settings.version = version;
        source_bind(source, version);
        validate_in_version(source_set, workspace, source);
    }
    source_set->settings.version = newest;
    if (!failure)
        range_report_end(source->range_report);
    return failure;
}

enum failure source_set_prepare(struct source_set *source_set)
{
    source_set->apart = false;
    return source_set->settings.versions ? validate_range(source_set) : prepare(source_set);
}

enum failure source_set_validate(struct source_set *source_set, struct workspace *workspace, struct source *source, struct report *report)
{
    if (!source_set->settings.versions)
        return validate(source_set, workspace, source, report);
    enum failure failure = source->range_report ? FAILURE_NONE : validate_range_alone(source_set, workspace, source);
    if (failure || source->range_report->failure)
        return failure ? failure : source->range_report->failure;
    *report = source->range_report->report;
    return FAILURE_NONE;
}
