/* Validation of texts, and sets of texts that are validated together. */
#include "library/library.h"

#include "base/limits.h"
#include "lint/suppression.h"

/* What cannot be read in older sources. Nothing else would say so, and the new objects would pass as created. */
static enum failure add_unreadable_old(const struct source_set *source_set, struct drawbridge_report *made)
{
    enum failure failure = FAILURE_NONE;
    for (struct source *old = source_set->old.first; old && !failure; old = old->next)
        for (const struct item *item = old->first; item && !failure; item = item->next) {
            struct problem problem = problem_unreadable(item);
            const struct report report = { .problems = &problem, .count = 1, .counts = { .errors = 1 } };
            if (item->type == ITEM_UNREADABLE)
                failure = report_add(made, NULL, &report);
        }
    return failure;
}

/* A library has no policies, which lock findings. */
static bool locks_none(void *self, const struct problem *problem)
{
    (void)self;
    (void)problem;
    return false;
}

static enum failure suppress(struct source_set *source_set, const struct source *source, struct report *report)
{
    const struct suppression_lock lock = { locks_none, NULL };
    size_t count;
    return suppressions_apply(source, &lock, &source_set->reports, report, &count);
}

static enum failure validate_batch(struct source_set *source_set, bool suppressions, struct workspace *workspace,
                                   struct drawbridge_report *made)
{
    enum failure failure = source_set_pair(source_set);
    if (!failure)
        failure = source_set_prepare(source_set);
    for (struct source *source = source_set->sources.first; source && !failure; source = source->next) {
        struct report report;
        workspace_clear(workspace);
        failure = source_set_validate(source_set, workspace, source, &report);
        if (!failure && suppressions)
            failure = suppress(source_set, source, &report);
        if (!failure)
            failure = report_add(made, source, &report);
    }
    if (!failure)
        failure = add_unreadable_old(source_set, made);
    return failure;
}

/* Validates what is in the set, and makes a report of it. */
static enum drawbridge_result validate(struct source_set *source_set, bool suppressions, const struct memory *memory,
                                       struct drawbridge_report **report)
{
    struct workspace workspace;
    struct drawbridge_report *made = memory->allocate(sizeof *made, memory->data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    *made = (struct drawbridge_report){ .memory = *memory };
    arena_init(&made->arena, &made->memory, LIMIT_ARENA_BYTES);
    enum failure failure = workspace_init(&workspace, source_set->context);
    if (!failure) {
        failure = validate_batch(source_set, suppressions, &workspace, made);
        workspace_done(&workspace);
    }
    if (failure)
        drawbridge_report_free(made);
    else
        *report = made;
    return library_result(failure);
}

enum drawbridge_result drawbridge_validate(const struct drawbridge_context *context, const struct drawbridge_options *options,
                                           const struct drawbridge_text *text, const struct drawbridge_text *old_text,
                                           struct drawbridge_report **report)
{
    struct validate_settings settings;
    struct source_set source_set;
    struct source *source;
    struct bytes bytes, old_bytes;
    bool suppressions;
    if (!context || !text || !report)
        return DRAWBRIDGE_BAD_ARGUMENT;
    enum drawbridge_result result = library_options(options, &settings, &suppressions);
    if (!result)
        result = library_text(text, &bytes);
    if (!result && old_text)
        result = library_text(old_text, &old_bytes);
    if (result)
        return result;
    source_set_init(&source_set, &context->context, &settings);
    enum failure failure = source_set_add(&source_set, "", bytes, &source);
    if (!failure && old_text)
        failure = source_set_add_old(&source_set, "", old_bytes, &source);
    result = failure ? library_result(failure) : validate(&source_set, suppressions, &context->memory, report);
    source_set_done(&source_set);
    return result;
}

/* ---- sets ---- */

/* A text and its name, in one piece of memory. */
struct copied_text {
    struct copied_text *next;
    struct bytes text;
    char bytes[]; /* the name with its NUL, the text */
};

enum drawbridge_result drawbridge_set_new(const struct drawbridge_context *context, const struct drawbridge_options *options,
                                          struct drawbridge_set **set)
{
    struct validate_settings settings;
    bool suppressions;
    if (!context || !set)
        return DRAWBRIDGE_BAD_ARGUMENT;
    enum drawbridge_result result = library_options(options, &settings, &suppressions);
    if (result)
        return result;
    struct drawbridge_set *made = context->memory.allocate(sizeof *made, context->memory.data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    *made = (struct drawbridge_set){ .context = context, .suppressions = suppressions };
    source_set_init(&made->source_set, &context->context, &settings);
    *set = made;
    return DRAWBRIDGE_OK;
}

void drawbridge_set_free(struct drawbridge_set *set)
{
    if (!set)
        return;
    const struct memory *memory = &set->context->memory;
    source_set_done(&set->source_set);
    while (set->texts) {
        struct copied_text *copied = set->texts;
        set->texts = copied->next;
        memory->release(copied, memory->data);
    }
    memory->release(set, memory->data);
}

typedef enum failure adder(struct source_set *source_set, const char *name, struct bytes text, struct source **source);

/* Whether so many bytes more are within the limits of the set. */
static bool has_room(const struct drawbridge_set *set, size_t length)
{
    return set->source_set.bytes <= DRAWBRIDGE_MAX_SET_BYTES && length <= DRAWBRIDGE_MAX_SET_BYTES - set->bytes;
}

static enum drawbridge_result copy(const struct drawbridge_set *set, const char *name, struct bytes text, struct copied_text **copied)
{
    const struct memory *memory = &set->context->memory;
    size_t name_size = strlen(name) + 1;
    if (!has_room(set, text.length) || name_size > LIMIT_FILE_NAME_BYTES + 1)
        return DRAWBRIDGE_LIMIT;
    struct copied_text *made = memory->allocate(sizeof *made + name_size + text.length, memory->data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    memcpy(made->bytes, name, name_size);
    if (text.length)
        memcpy(made->bytes + name_size, text.data, text.length);
    made->text = (struct bytes){ made->bytes + name_size, text.length };
    *copied = made;
    return DRAWBRIDGE_OK;
}

static enum drawbridge_result add(struct drawbridge_set *set, adder *add_to, const char *name, const struct drawbridge_text *text)
{
    struct source *source;
    struct copied_text *copied;
    struct bytes bytes;
    if (!set || !text)
        return DRAWBRIDGE_BAD_ARGUMENT;
    enum drawbridge_result result = library_text(text, &bytes);
    if (!result)
        result = copy(set, name ? name : "", bytes, &copied);
    if (result)
        return result;
    enum failure failure = add_to(&set->source_set, copied->bytes, copied->text, &source);
    if (failure) {
        set->context->memory.release(copied, set->context->memory.data);
        return library_result(failure);
    }
    copied->next = set->texts;
    set->texts = copied;
    set->bytes += bytes.length;
    return DRAWBRIDGE_OK;
}

enum drawbridge_result drawbridge_set_add(struct drawbridge_set *set, const char *name, const struct drawbridge_text *text)
{
    return add(set, source_set_add, name, text);
}

enum drawbridge_result drawbridge_set_add_old(struct drawbridge_set *set, const char *name, const struct drawbridge_text *text)
{
    return add(set, source_set_add_old, name, text);
}

enum drawbridge_result drawbridge_set_validate(struct drawbridge_set *set, struct drawbridge_report **report)
{
    return set && report ? validate(&set->source_set, set->suppressions, &set->context->memory, report) : DRAWBRIDGE_BAD_ARGUMENT;
}
