#include "validate/upgrade.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "doc/json.h"
#include "schema/lifecycle.h"
#include "validate/limits.h"

static const struct {
    const char *id, *label, *words;
} changes[] = {
#define UPGRADE_ROW(id, program, label, words) [UPGRADE_##id] = { program, label, words },
    UPGRADE_CHANGES(UPGRADE_ROW)
#undef UPGRADE_ROW
};

const char *upgrade_words(enum upgrade_change change)
{
    return changes[change].words;
}

/* ---- findings of both versions ---- */

struct upgrading {
    struct upgrade *upgrade;
    struct arena *arena;
    const struct context *context;
    const struct report *found; /* in both versions */
    struct report *report;
    uint32_t capacity;
};

static void add(struct upgrading *upgrading, enum upgrade_change change, const struct problem *problem)
{
    struct report *report = upgrading->report;
    upgrading->upgrade->counts[change]++;
    counts_add_finding(&report->counts, problem->severity);
    if (report->count == upgrading->capacity)
        return;
    struct problem *added = &report->problems[report->count++];
    *added = *problem;
    added->label = changes[change].label;
    added->change = changes[change].id;
    added->versions = 0;
}

static bool is_in(const struct problem *problem, minor version)
{
    return !problem->versions || (problem->versions & version_bit(version));
}

/* What is refused only by the older version. */
static bool is_gone(const struct upgrade *upgrade, const struct problem *problem)
{
    return problem->severity == SEVERITY_ERROR && !is_in(problem, upgrade->to);
}

static bool is_new(const struct upgrade *upgrade, const struct problem *problem)
{
    return problem->severity == SEVERITY_ERROR && !is_in(problem, upgrade->from);
}

static bool is_dropped(const struct problem *problem)
{
    return problem->rule == RULE_UNKNOWN_FIELD || problem->rule == RULE_FEATURE_GATE;
}

/* The problem by which the other version drops the same field: it stands at the name in one of them, at the value in the other, so there is
 * little between them. NULL: none. */
static const struct problem *dropped_by_other(const struct report *report, const struct problem *problem)
{
    enum { NEAR = 8 };
    const struct problem *first = report->problems, *end = first + report->count;
    const struct problem *from = problem - first > NEAR ? problem - NEAR : first, *to = end - problem > NEAR ? problem + NEAR : end;
    for (const struct problem *other = from; other < to; other++)
        if (is_dropped(problem) && is_dropped(other) && other->rule != problem->rule && other->item == problem->item &&
            strcmp(other->path, problem->path) == 0)
            return other;
    return NULL;
}

static bool is_api_version(const struct problem *problem)
{
    return strcmp(problem->path, "apiVersion") == 0 && (problem->rule == RULE_SERVED || problem->rule == RULE_DEPRECATED);
}

/* What the older version says; of another rule, with its id. */
static const char *said_before(struct upgrading *upgrading, const struct problem *before, enum rule rule)
{
    struct text text;
    text_init(&text, upgrading->arena);
    text_add(&text, "1.");
    text_add_integer(&text, upgrading->upgrade->from);
    text_add(&text, " says: ");
    text_add(&text, before->message);
    if (before->rule != rule) {
        text_add(&text, " [");
        text_add(&text, rule_info(before->rule)->id);
        text_add(&text, "]");
    }
    return text_end(&text);
}

/* A finding that the newer version has. `before` is an error of the older version only, at the same field; NULL: there is none. */
static void add_of_newer(struct upgrading *upgrading, const struct problem *problem, const struct problem *before)
{
    bool both = is_in(problem, upgrading->upgrade->from) || dropped_by_other(upgrading->found, problem);
    if (is_api_version(problem)) {
        add(upgrading, UPGRADE_API_VERSION, problem);
    } else if (is_dropped(problem)) {
        add(upgrading, both ? UPGRADE_DROPPED_ALREADY : UPGRADE_DROPPED, problem);
    } else if (problem->severity == SEVERITY_ERROR && !both && before) {
        struct problem otherwise = *problem;
        otherwise.hint = said_before(upgrading, before, problem->rule);
        add(upgrading, UPGRADE_REFUSED_ELSE, &otherwise);
    } else if (problem->severity == SEVERITY_ERROR) {
        add(upgrading, both ? UPGRADE_REFUSED_ALREADY : UPGRADE_REFUSED, problem);
    } else if (problem->severity == SEVERITY_WARNING && !both) {
        add(upgrading, UPGRADE_WARNED, problem);
    }
}

/* Something that the older version refuses or drops, and the newer one does not. */
static void add_allowed(struct upgrading *upgrading, const struct problem *problem)
{
    struct problem allowed = *problem;
    allowed.severity = SEVERITY_INFO;
    allowed.message = said_before(upgrading, problem, problem->rule);
    allowed.hint = NULL;
    add(upgrading, UPGRADE_ALLOWED, &allowed);
}

/* Problems at one field. */
static void add_field(struct upgrading *upgrading, const struct problem *problems, uint32_t count)
{
    const struct upgrade *upgrade = upgrading->upgrade;
    const struct problem *before = NULL;
    bool fresh = false;
    for (uint32_t i = 0; i < count; i++) {
        before = !before && is_gone(upgrade, &problems[i]) && !is_dropped(&problems[i]) ? &problems[i] : before;
        fresh |= is_new(upgrade, &problems[i]) && !is_dropped(&problems[i]);
        fresh |= is_api_version(&problems[i]) && is_in(&problems[i], upgrade->to);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct problem *problem = &problems[i];
        bool gone = is_gone(upgrade, problem) || (is_dropped(problem) && !is_in(problem, upgrade->to));
        if (is_in(problem, upgrade->to))
            add_of_newer(upgrading, problem, before);
        else if (gone && !dropped_by_other(upgrading->found, problem) && (is_dropped(problem) || !fresh))
            add_allowed(upgrading, problem);
    }
}

static bool same_field(const struct problem *a, const struct problem *b)
{
    return a->source == b->source && a->item == b->item && a->offset == b->offset && strcmp(a->path, b->path) == 0;
}

/* ---- API versions by which objects were stored ---- */

static const char last_applied[] = "kubectl.kubernetes.io/last-applied-configuration";

/* What becomes of an API version in the newer Kubernetes; SEVERITY_ERROR: nothing that is to be said. */
static enum severity fate_of(const struct upgrading *upgrading, const struct item *item, struct bytes api_version)
{
    const minor to = upgrading->upgrade->to;
    struct api_version api = api_version_split(api_version);
    const struct kind *kind = kind_find(api.group, api.version, item->kind->kind);
    const struct api_end *end = api_end_find(api.group, api.version, item->kind->kind);
    bool served = kind ? versions_include(kind->served, to) : !end || !end->last || to <= end->last;
    if (!bytes_equal(api.group, item->kind->group) || (kind && kind->successor))
        return SEVERITY_ERROR;
    if (!served)
        return SEVERITY_WARNING;
    return end && end->deprecated && to >= end->deprecated ? SEVERITY_INFO : SEVERITY_ERROR;
}

/* The API version of a manager of fields, or of what kubectl applied last. */
struct stored_version {
    const struct item *item;
    const struct doc_node *at; /* the place */
    struct bytes api_version;
    const char *path, *consequence;
};

static void add_stored(struct upgrading *upgrading, const struct stored_version *stored)
{
    enum severity severity = fate_of(upgrading, stored->item, stored->api_version);
    struct text text;
    if (severity == SEVERITY_ERROR)
        return;
    text_init(&text, upgrading->arena);
    text_add_quoted(&text, stored->api_version, LIMIT_QUOTE_BYTES);
    text_add(&text, severity == SEVERITY_WARNING ? " is not served by Kubernetes 1." : " is deprecated in Kubernetes 1.");
    text_add_integer(&text, upgrading->upgrade->to);
    text_add(&text, severity == SEVERITY_WARNING ? stored->consequence : "");
    const struct problem problem = {
        .source = stored->item->source,
        .item = stored->item,
        .rule = severity == SEVERITY_WARNING ? RULE_SERVED : RULE_DEPRECATED,
        .reason = REASON_INVALID,
        .severity = severity,
        .offset = stored->at->offset,
        .size = stored->at->size,
        .path = stored->path,
        .message = text_end(&text),
    };
    if (problem.message && problem.path)
        add(upgrading, UPGRADE_STORED_VERSION, &problem);
}

static const char *manager_path(struct arena *arena, uint32_t index)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, "metadata.managedFields[");
    text_add_integer(&text, index);
    text_add(&text, "].apiVersion");
    return text_end(&text);
}

/* Of managers in a row with one API version, the first is reported. */
static void add_managers(struct upgrading *upgrading, const struct item *item, const struct doc_node *metadata)
{
    struct bytes before = { NULL, 0 };
    uint32_t index = 0;
    doc_each(doc_member(metadata, "managedFields"), manager) {
        const struct doc_node *at = doc_member(manager, "apiVersion");
        struct bytes api_version = doc_member_text(manager, "apiVersion");
        uint32_t number = index++;
        if (!at || !api_version.length || (before.data && bytes_equal(before, api_version)))
            continue;
        before = api_version;
        add_stored(upgrading, &(struct stored_version){
            item, at, api_version, manager_path(upgrading->arena, number), ": the API server forgets which fields this manager has set",
        });
    }
}

static void add_last_applied(struct upgrading *upgrading, const struct item *item, const struct doc_node *metadata)
{
    const struct doc_node *annotations = doc_member(metadata, "annotations"), *at = doc_member(annotations, last_applied);
    const struct json_input input = {
        .source = doc_member_text(annotations, last_applied), .alone = false, .profile = JSON_STRICT,
        .arena = upgrading->arena, .key = upgrading->context->key,
    };
    struct document document;
    struct doc_error error;
    uint32_t end;
    if (!at || !input.source.length || json_read(&input, &document, &end, &error))
        return; /* what kubectl cannot read there, it ignores */
    add_stored(upgrading, &(struct stored_version){
        item, at, doc_member_text(document.root, "apiVersion"), "metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]",
        ": kubectl apply compares with an object of that API version",
    });
}

/* ---- reports ---- */

static int by_place(const void *left, const void *right)
{
    const struct problem *a = left, *b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    int paths = strcmp(a->path, b->path);
    return paths ? paths : (int)a->rule - (int)b->rule;
}

static void count_objects(struct upgrade *upgrade, const struct report *report)
{
    for (uint32_t i = 0; i < report->count; i++)
        upgrade->objects += !i || report->problems[i].item != report->problems[i - 1].item;
}

enum failure upgrade_report(struct upgrade *upgrade, const struct source *source, const struct report *report,
                            const struct context *context, struct arena *arena, struct report *result)
{
    *result = (struct report){ .problems = arena_alloc(arena, (size_t)LIMIT_PROBLEMS * sizeof *result->problems) };
    struct upgrading upgrading = { upgrade, arena, context, report, result, LIMIT_PROBLEMS };
    if (!result->problems)
        return arena->failure;
    for (uint32_t i = 0, next; i < report->count; i = next) {
        for (next = i + 1; next < report->count && same_field(&report->problems[i], &report->problems[next]);)
            next++;
        if (report->problems[i].item->type != ITEM_UNREADABLE) /* that is no matter of versions */
            add_field(&upgrading, &report->problems[i], next - i);
    }
    for (const struct item *item = source->first; item; item = item->next) {
        const struct doc_node *metadata = item->type == ITEM_OBJECT ? doc_member(item->node, "metadata") : NULL;
        add_managers(&upgrading, item, metadata);
        add_last_applied(&upgrading, item, metadata);
    }
    if (result->count)
        qsort(result->problems, result->count, sizeof *result->problems, by_place);
    count_objects(upgrade, result);
    return arena->failure;
}
