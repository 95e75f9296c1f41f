#include "lint/judge.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/text.h"
#include "lint/naming.h"

/* ---- pairs ---- */

/* What two objects must have in common to be the same; NUL can be in none of the parts. */
static struct bytes identity(struct arena *arena, const struct item *item)
{
    static const struct bytes end = { "", 1 }, usual = BYTES("default");
    struct text text;
    text_init(&text, arena);
    text_add_bytes(&text, item->kind->group);
    text_add_bytes(&text, end);
    text_add_bytes(&text, item->kind->kind);
    text_add_bytes(&text, end);
    if (item->kind->traits & KIND_NAMESPACED) /* others have none, whatever is written */
        text_add_bytes(&text, item->space.length ? item->space : usual);
    text_add_bytes(&text, end);
    text_add_bytes(&text, item->name);
    return text_end(&text) ? (struct bytes){ text.data, (uint32_t)text.length } : (struct bytes){ NULL, 0 };
}

static bool can_be_paired(const struct item *item)
{
    return item->type == ITEM_OBJECT && item->name.length;
}

uint32_t pairs_count(const struct source *source)
{
    uint32_t count = 0;
    for (const struct item *item = source->first; item; item = item->next)
        count += can_be_paired(item);
    return count;
}

enum failure pairs_init(struct pairs *pairs, struct arena *arena, uint32_t capacity, struct set_key key)
{
    pairs->arena = arena;
    return set_init(&pairs->set, arena, capacity, key);
}

enum failure pairs_add(struct pairs *pairs, const struct source *source, uint32_t *twice)
{
    for (const struct item *item = source->first; item; item = item->next) {
        if (!can_be_paired(item))
            continue;
        struct bytes name = identity(pairs->arena, item);
        if (!name.data)
            return pairs->arena->failure;
        *twice += set_add(&pairs->set, name, item) != NULL;
    }
    return FAILURE_NONE;
}

static const struct item *counterpart(const struct pairs *old, const struct item *item, struct arena *arena)
{
    if (!old || !can_be_paired(item))
        return NULL;
    struct bytes name = identity(arena, item);
    return name.data ? set_find(&old->set, name) : NULL;
}

/* ---- problems ---- */

/* Room for one more; NULL when no more are kept, or memory is short. Doubles, so that all copies together are one. */
static struct problem *add_problem(struct arena *arena, struct report *report, uint32_t *capacity)
{
    if (report->count == LIMIT_PROBLEMS)
        return NULL;
    if (report->count == *capacity) {
        uint32_t more = *capacity ? 2 * *capacity : 8;
        struct problem *grown = arena_alloc(arena, more * sizeof *grown);
        if (!grown)
            return NULL;
        if (report->count)
            memcpy(grown, report->problems, report->count * sizeof *grown);
        report->problems = grown;
        *capacity = more;
    }
    return &report->problems[report->count++];
}

struct judging {
    struct worker *worker;
    const struct judge_settings *settings;
    const struct pairs *old;
    struct objects *objects;
    struct report *report;
    uint32_t capacity;
};

/* ---- one object ---- */

/* The object without its status: what a status update starts from where no older object is known. What is no object has none. */
static const struct doc_node *without_status(struct arena *arena, const struct doc_node *object)
{
    if (object->type != DOC_OBJECT)
        return object;
    struct doc_builder builder = doc_build(arena, object);
    if (!builder.container)
        return NULL;
    doc_each(object, member)
        if (!bytes_equal_text(doc_name(member), "status") && !doc_append(&builder, arena, member))
            return NULL;
    return builder.container;
}

static void keep(struct judging *judging, const struct item *item, const struct item *old, const struct check_result *result)
{
    struct report *report = judging->report;
    report->errors += result->findings.errors;
    report->warnings += result->findings.warnings;
    report->infos += result->findings.infos;
    for (const struct finding *finding = result->findings.first; finding; finding = finding->next) {
        struct problem *problem = add_problem(&judging->worker->arena, report, &judging->capacity);
        if (problem)
            *problem = (struct problem){
                .source = finding->in_old && old ? old->source : item->source, .item = item, .rule = finding->rule, .reason = finding->reason, .severity = finding->severity,
                .offset = finding->offset, .size = finding->size, .path = finding->path, .message = finding->message, .hint = finding->hint,
                .other = finding->other ? finding->other->owner : NULL, .other_offset = finding->other_offset, .other_size = finding->other_size,
            };
    }
}

static enum failure judge_object(struct judging *judging, const struct item *item)
{
    struct worker *worker = judging->worker;
    const struct item *old = counterpart(judging->old, item, &worker->arena);
    struct check_request request = {
        .operation = CREATE, .version = judging->settings->version, .kind = item->kind, .document = item->document, .object = item->node,
        .unknown_fields = judging->settings->unknown_fields, .default_gates = judging->settings->default_gates, .hints = true, .objects = judging->objects, .self = item->object, .worker = worker,
    };
    if (old || judging->settings->as_status) {
        request.operation = judging->settings->as_status ? STATUS : UPDATE;
        request.old_kind = old ? old->kind : item->kind;
        request.old_document = old ? old->document : item->document;
        request.old = old ? old->node : without_status(&worker->arena, item->node);
    }
    struct check_result result;
    enum failure failure = worker->arena.failure ? worker->arena.failure : check_object(&request, &result);
    if (failure)
        return failure;
    judging->report->judged++;
    judging->report->updates += old != NULL;
    keep(judging, item, old, &result);
    return worker->arena.failure;
}

/* ---- whole sources ---- */

/* Adds what is wrong with the names of the item's kind; returns whether something is. */
static bool add_naming(struct judging *judging, const struct item *item)
{
    struct problem problem;
    if (!naming_problem(item, judging->settings->version, &judging->worker->arena, &problem))
        return false;
    struct problem *added = add_problem(&judging->worker->arena, judging->report, &judging->capacity);
    judging->report->errors += problem.severity == SEVERITY_ERROR;
    judging->report->warnings += problem.severity == SEVERITY_WARNING;
    if (added)
        *added = problem;
    return true;
}

static void add_unreadable(struct judging *judging, const struct item *item)
{
    struct problem *problem = add_problem(&judging->worker->arena, judging->report, &judging->capacity);
    judging->report->errors++;
    if (!problem)
        return;
    *problem = (struct problem){
        .source = item->source, .item = item, .rule = item->error.in_yaml ? RULE_YAML_SYNTAX : RULE_JSON_SYNTAX, .reason = REASON_INVALID,
        .offset = item->error.offset, .path = "", .message = item->error.message,
        .hint = source_is_template(item->source, item->error.offset) ? "this looks like a template: lint what it renders to" : NULL,
    };
}

static int by_place(const void *left, const void *right)
{
    const struct problem *a = left, *b = right;
    bool older_a = a->source != a->item->source, older_b = b->source != b->item->source;
    if (older_a != older_b) /* what is wrong in older objects comes last */
        return older_a ? 1 : -1;
    if (a->source->ordinal != b->source->ordinal)
        return a->source->ordinal < b->source->ordinal ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    int paths = strcmp(a->path, b->path);
    return paths ? paths : (int)a->rule - (int)b->rule;
}

enum failure source_judge(struct worker *worker, const struct judge_settings *settings, const struct source *source, const struct pairs *old, struct objects *objects, struct report *report)
{
    struct judging judging = { .worker = worker, .settings = settings, .old = old, .objects = objects, .report = report };
    *report = (struct report){ .problems = NULL };
    for (const struct item *item = source->first; item; item = item->next) {
        enum failure failure = FAILURE_NONE;
        switch (item->type) {
        case ITEM_OBJECT:     (void)add_naming(&judging, item); failure = judge_object(&judging, item); break;
        case ITEM_OTHER_KIND: report->other_kinds += !add_naming(&judging, item); break;
        case ITEM_NO_OBJECT:  report->no_objects += !add_naming(&judging, item); break;
        case ITEM_UNREADABLE: add_unreadable(&judging, item); break;
        }
        if (failure || worker->arena.failure)
            return failure ? failure : worker->arena.failure;
    }
    if (report->count)
        qsort(report->problems, report->count, sizeof *report->problems, by_place);
    return FAILURE_NONE;
}
