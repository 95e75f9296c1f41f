#include "validate/report.h"

#include <stdlib.h>

#include "base/text.h"
#include "check/others.h"
#include "doc/place.h"
#include "validate/fix.h"
#include "validate/hint.h"
#include "validate/limits.h"
#include "validate/naming.h"
#include "validate/rewrite.h"
#include "validate/stored.h"
#include "validate/stored_version.h"

/* ---- pairs ---- */

/* Group, kind, namespace and name as one key, with NUL after each part but the last: no part can contain one. */
static struct bytes identity(struct arena *arena, const struct item *item)
{
    static const struct bytes end = { "", 1 }, default_namespace = BYTES("default");
    struct text text;
    text_init(&text, arena);
    text_add_bytes(&text, item->kind->group);
    text_add_bytes(&text, end);
    text_add_bytes(&text, item->kind->kind);
    text_add_bytes(&text, end);
    if (item->kind->traits & KIND_NAMESPACED) /* other kinds have no namespace, whatever is written */
        text_add_bytes(&text, item->space.length ? item->space : default_namespace);
    text_add_bytes(&text, end);
    text_add_bytes(&text, item->name);
    return text_end(&text) ? (struct bytes){ text.data, (uint32_t)text.length } : (struct bytes){ NULL, 0 };
}

static bool can_be_paired(const struct item *item)
{
    return item->type == ITEM_OBJECT && item->name.length && !item->is_inner;
}

uint32_t pairs_count(const struct source *source)
{
    uint32_t count = 0;
    for (const struct item *item = source->first; item; item = item->next)
        count += can_be_paired(item);
    return count;
}

enum failure pairs_init(struct pairs *pairs, struct arena *arena, uint32_t capacity, struct map_key key)
{
    pairs->arena = arena;
    return map_init(&pairs->map, arena, capacity, key);
}

enum failure pairs_add(struct pairs *pairs, struct source *source, uint32_t *twice)
{
    for (struct item *item = source->first; item; item = item->next) {
        if (!can_be_paired(item))
            continue;
        struct bytes name = identity(pairs->arena, item);
        if (!name.data)
            return pairs->arena->failure;
        item->same = map_add(&pairs->map, name, item);
        *twice += item->same != NULL;
    }
    return FAILURE_NONE;
}

static struct item *counterpart(const struct pairs *old, const struct item *item, struct arena *arena)
{
    if (!old || !can_be_paired(item))
        return NULL;
    struct bytes name = identity(arena, item);
    return name.data ? map_find(&old->map, name) : NULL;
}

/* ---- problems ---- */

struct validation {
    struct workspace *workspace;
    const struct validate_settings *settings;
    const struct pairs *old;
    struct others *others;
    struct arena *arena; /* of the report */
    struct report *report;
    uint32_t capacity;
};

/* Adds a problem for the caller to set. Returns NULL when there are LIMIT_PROBLEMS, or no memory. The array doubles when it is full, so all
 * copies together are about one copy of it. */
static struct problem *add_problem(struct validation *validation)
{
    struct report *report = validation->report;
    if (report->count == LIMIT_PROBLEMS)
        return NULL;
    if (report->count == validation->capacity) {
        uint32_t more = validation->capacity ? 2 * validation->capacity : 8;
        struct problem *grown = arena_alloc(validation->arena, more * sizeof *grown);
        if (!grown)
            return NULL;
        if (report->count)
            memcpy(grown, report->problems, report->count * sizeof *grown);
        report->problems = grown;
        validation->capacity = more;
    }
    return &report->problems[report->count++];
}

/* A copy of a text in the report's arena, because the object's findings are freed first. Returns NULL for NULL. */
static const char *kept_text(struct validation *validation, const char *text)
{
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy = text ? arena_text(validation->arena, size) : NULL;
    return copy ? memcpy(copy, text, size) : NULL;
}

/* ---- one object ---- */

static const struct finding_mark *kept_marks(struct validation *validation, const struct finding *finding)
{
    size_t size = finding->mark_count * sizeof *finding->marks;
    struct finding_mark *copy = size ? arena_alloc(validation->arena, size) : NULL;
    return copy ? memcpy(copy, finding->marks, size) : NULL;
}

static void add_finding(struct validation *validation, const struct item *item, const struct item *old, const struct finding *finding)
{
    struct problem *problem = add_problem(validation);
    if (!problem)
        return;
    *problem = (struct problem){
        .source = finding->in_old && old ? old->source : item->source,
        .item = item,
        .rule = finding->rule,
        .reason = finding->reason,
        .severity = finding->severity,
        .offset = finding->offset,
        .size = finding->size,
        .path = kept_text(validation, finding->path),
        .message = kept_text(validation, finding->message),
        .hint = kept_text(validation, finding->hint),
        .source_of_rule = finding->source,
        .fix = fix_has_no_room(validation->arena) ? NULL : fix_copy(validation->arena, finding->fix),
        .marks = kept_marks(validation, finding),
        .other = finding->other ? finding->other->owner : finding->was ? old : NULL,
        .note = kept_text(validation, finding->was),
        .other_offset = finding->other_offset,
        .other_size = finding->other_size,
    };
    problem->mark_count = problem->marks ? finding->mark_count : 0;
}

static void add_findings(struct validation *validation, const struct item *item, const struct item *old, const struct findings *findings)
{
    const struct counts counts = { .errors = findings->errors, .warnings = findings->warnings, .infos = findings->infos };
    struct counts *all = &validation->report->counts;
    counts_add(all, &counts);
    for (const struct finding *finding = findings->first; finding; finding = finding->next) {
        if (validation->settings->skip_templates && finding->of_template) {
            counts_take_finding(all, finding->severity);
            all->templated++;
        } else {
            add_finding(validation, item, old, finding);
        }
    }
}

static struct check_request request_of(const struct validation *validation, const struct item *item)
{
    const struct validate_settings *settings = validation->settings;
    return (struct check_request){
        .operation = CREATE,
        .version = settings->version,
        .several_versions = settings->versions != 0,
        .kind = item->kind,
        .document = item->document,
        .object = item->node,
        .unknown_fields = settings->unknown_fields,
        .gates_off = gates_off(&settings->gates, settings->version),
        .expression_gates_off = gates_off_in_expressions(&settings->gates, settings->version),
        .hint = hint_add,
        .fixes = settings->fixes && !item->is_inner,
        .beyond_types = true,
        .others = validation->others,
        .self = item->object,
        .drivers = settings->drivers,
        .trace = settings->trace,
        .workspace = validation->workspace,
    };
}

/* As an update of an older object. old NULL: of the same one, before it had a status. */
static void update_of(struct check_request *request, const struct item *item, const struct item *old, enum operation operation)
{
    request->operation = operation;
    request->old_kind = old ? old->kind : item->kind;
    request->old_document = old ? old->document : item->document;
    request->old = old ? old->node : stored_without_status(&request->workspace->arena, item->node);
}

/* The status of an object that an API server has stored: as the update that has set it. */
static enum failure validate_stored_status(struct validation *validation, const struct item *item)
{
    struct check_request request = request_of(validation, item);
    struct check_result result;
    if (!stored_has_status(item->kind->shape, item->node, request.version))
        return FAILURE_NONE;
    update_of(&request, item, NULL, STATUS);
    request.unknown_fields = UNKNOWN_IGNORED; /* they are known already, as is what is traced */
    request.trace = NULL;
    enum failure failure = request.workspace->arena.failure ? request.workspace->arena.failure : validate_object(&request, &result);
    if (failure)
        return failure;
    stored_keep_status(&result.findings);
    add_findings(validation, item, NULL, &result.findings);
    return FAILURE_NONE;
}

static enum failure validate_item(struct validation *validation, const struct item *item)
{
    struct workspace *workspace = validation->workspace;
    struct item *old = counterpart(validation->old, item, &workspace->arena);
    const struct validate_settings *settings = validation->settings;
    struct check_request request = request_of(validation, item);
    struct check_result result;
    if (old || settings->as_status)
        update_of(&request, item, old, settings->as_status ? STATUS : UPDATE);
    enum failure failure = workspace->arena.failure ? workspace->arena.failure : validate_object(&request, &result);
    if (failure)
        return failure;
    validation->report->counts.validated++;
    validation->report->counts.updates += old != NULL;
    if (old)
        old->is_paired = true;
    add_findings(validation, item, old, &result.findings);
    workspace_clear(workspace);
    if (!settings->as_status && !result.undecodable) {
        failure = validate_stored_status(validation, item);
        workspace_clear(workspace);
    }
    return failure ? failure : validation->arena->failure;
}

/* ---- whole sources ---- */

/* The object in the API version to use instead; NULL: it need not be, or cannot be, written in another one. */
static const struct problem_fix *fix_api_version(struct validation *validation, const struct item *item)
{
    struct edits edits = { .arena = validation->arena };
    struct text words;
    const struct kind *meant;
    if (fix_has_no_room(validation->arena) || !rewrite_object(item, validation->settings->version, validation->workspace, &edits, &meant))
        return NULL;
    struct problem_fix *fix = arena_alloc(validation->arena, sizeof *fix);
    text_init(&words, validation->arena);
    text_add(&words, "write it in ");
    text_add_bytes(&words, meant->group);
    text_add(&words, "/");
    text_add_bytes(&words, meant->version);
    const char *end = text_end(&words);
    if (!fix || !end)
        return NULL;
    *fix = (struct problem_fix){ .words = end, .edits = edits.list, .count = edits.count, .moves = true };
    return fix;
}

/* The node of the object's name, which is written. */
static const struct doc_node *name_of(const struct item *item)
{
    return doc_member(doc_member(item->node, "metadata"), "name");
}

/* Reports a wrong apiVersion or kind. Returns whether that is an error. */
static bool add_naming(struct validation *validation, const struct item *item)
{
    struct problem problem;
    if (!naming_problem(item, validation->settings, validation->arena, &problem))
        return false;
    struct problem *added = add_problem(validation);
    if (item->is_inner)
        problem.fix = NULL;
    else if (validation->settings->fixes && !problem.fix && strcmp(problem.path, "apiVersion") == 0)
        problem.fix = fix_api_version(validation, item);
    counts_add_finding(&validation->report->counts, problem.severity);
    if (added)
        *added = problem;
    return problem.severity == SEVERITY_ERROR;
}

static void add_stored_version(void *self, const struct problem *problem)
{
    struct validation *validation = self;
    struct problem *added = add_problem(validation);
    counts_add_finding(&validation->report->counts, problem->severity);
    if (added)
        *added = *problem;
}

/* Of an object whose own API version is fine or not: what was written by others may be older. */
static enum failure add_stored_versions(struct validation *validation, const struct item *item)
{
    struct workspace *workspace = validation->workspace;
    stored_versions_report(&(struct stored_versions){
        .item = item, .version = validation->settings->version, .arena = validation->arena, .scratch = &workspace->arena,
        .key = workspace->context->key, .add = add_stored_version, .self = validation,
    });
    enum failure failure = workspace->arena.failure;
    workspace_clear(workspace);
    return failure;
}

/* Whether both are one object, of a file that was named twice. */
static bool is_read_twice(const struct item *a, const struct item *b)
{
    return a->source != b->source && a->node->offset == b->node->offset && strcmp(a->source->name, b->source->name) == 0;
}

/* An object that is given a second time, in whatever API version. */
static void add_duplicate(struct validation *validation, const struct item *item)
{
    const struct item *same = item->same && (validation->settings->parts || !is_read_twice(item, item->same)) ? item->same : NULL;
    struct problem *problem = same ? add_problem(validation) : NULL;
    struct text message;
    if (same)
        counts_add_finding(&validation->report->counts, SEVERITY_WARNING);
    if (!problem)
        return;
    struct doc_place place = doc_place(item->document, name_of(item)), other = doc_place(same->document, name_of(same));
    text_init(&message, validation->arena);
    text_add_quoted(&message, item->name, LIMIT_NAME_BYTES);
    text_add(&message, " is the name of another ");
    text_add_bytes(&message, item->kind->kind);
    text_add(&message, item->kind->traits & KIND_NAMESPACED ? " of its namespace" : "");
    text_add(&message, ", too: the one that is applied last counts");
    *problem = (struct problem){
        .source = item->source,
        .item = item,
        .rule = RULE_DUPLICATE_OBJECT,
        .reason = rule_info(RULE_DUPLICATE_OBJECT)->reason,
        .severity = SEVERITY_WARNING,
        .offset = place.offset,
        .size = place.size,
        .other = same,
        .other_offset = other.offset,
        .other_size = other.size,
        .path = "metadata.name",
        .message = text_end(&message),
    };
}

struct problem problem_unreadable(const struct item *item)
{
    return (struct problem){
        .source = item->source,
        .item = item,
        .rule = item->error.in_yaml ? RULE_YAML_SYNTAX : RULE_JSON_SYNTAX,
        .reason = REASON_INVALID,
        .offset = item->error.offset,
        .path = "",
        .message = item->error.message,
    };
}

static void add_unreadable(struct validation *validation, const struct item *item)
{
    struct problem *problem = add_problem(validation);
    validation->report->counts.errors++;
    if (!problem)
        return;
    *problem = problem_unreadable(item);
    problem->hint = item->is_template ? hint_of_template : NULL;
    if (!item->error.has_first)
        return;
    problem->other = item;
    problem->other_offset = item->error.first;
    problem->note = "the first one is here";
}

static int by_position(const void *left, const void *right)
{
    const struct problem *a = left, *b = right;
    bool older_a = a->source != a->item->source, older_b = b->source != b->item->source;
    if (older_a != older_b) /* problems of older objects come last */
        return older_a ? 1 : -1;
    if (a->source->ordinal != b->source->ordinal)
        return a->source->ordinal < b->source->ordinal ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    int paths = strcmp(a->path, b->path);
    return paths ? paths : (int)a->rule - (int)b->rule;
}

void report_sort(struct report *report)
{
    if (report->count)
        qsort(report->problems, report->count, sizeof *report->problems, by_position);
}

enum failure report_hide(struct report *report, const struct problem *problem, struct arena *arena)
{
    if (report->hidden_count == report->hidden_room) {
        const uint32_t room = 2 * report->hidden_room + 4;
        struct problem *grown = arena_alloc(arena, room * sizeof *grown);
        if (!grown)
            return arena->failure;
        if (report->hidden_count)
            memcpy(grown, report->hidden, report->hidden_count * sizeof *grown);
        report->hidden = grown;
        report->hidden_room = room;
    }
    report->hidden[report->hidden_count++] = *problem;
    counts_remove_finding(&report->counts, problem->severity);
    return FAILURE_NONE;
}

enum failure source_validate(struct workspace *workspace, const struct validate_settings *settings, const struct source *source,
                             const struct pairs *old, struct others *others, struct arena *arena, struct report *report)
{
    struct validation validation = {
        .workspace = workspace,
        .settings = settings,
        .old = old,
        .others = others,
        .arena = arena,
        .report = report,
    };
    *report = (struct report){ .problems = NULL };
    for (const struct item *item = source->first; item; item = item->next) {
        enum failure failure = FAILURE_NONE;
        if (settings->skip_templates && item->is_template) {
            report->counts.templates++;
            continue;
        }
        switch (item->type) {
        case ITEM_OBJECT:
            (void)add_naming(&validation, item);
            add_duplicate(&validation, item);
            if (naming_is_later(item, settings))
                report->counts.other_kinds++;
            else
                failure = validate_item(&validation, item);
            if (!failure)
                failure = add_stored_versions(&validation, item);
            break;
        case ITEM_OTHER_KIND: report->counts.other_kinds += !add_naming(&validation, item); break;
        case ITEM_NO_OBJECT:  report->counts.no_objects += !add_naming(&validation, item); break;
        case ITEM_UNREADABLE: add_unreadable(&validation, item); break;
        }
        if (failure || arena->failure)
            return failure ? failure : arena->failure;
    }
    report_sort(report);
    return FAILURE_NONE;
}
