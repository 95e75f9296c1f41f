#include "validate/upgrade.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "validate/limits.h"
#include "validate/stored_version.h"

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

/* By which an object was stored. */
static bool is_stored_version(const struct problem *problem)
{
    return stored_version_path(problem->path) && (problem->rule == RULE_SERVED || problem->rule == RULE_DEPRECATED);
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
    } else if (is_stored_version(problem)) {
        add(upgrading, UPGRADE_STORED_VERSION, problem);
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

enum failure upgrade_report(struct upgrade *upgrade, const struct report *report, struct arena *arena, struct report *result)
{
    *result = (struct report){ .problems = arena_alloc(arena, (size_t)LIMIT_PROBLEMS * sizeof *result->problems) };
    struct upgrading upgrading = { upgrade, arena, report, result, LIMIT_PROBLEMS };
    if (!result->problems)
        return arena->failure;
    for (uint32_t i = 0, next; i < report->count; i = next) {
        for (next = i + 1; next < report->count && same_field(&report->problems[i], &report->problems[next]);)
            next++;
        if (report->problems[i].item->type != ITEM_UNREADABLE) /* that is no matter of versions */
            add_field(&upgrading, &report->problems[i], next - i);
    }
    if (result->count)
        qsort(result->problems, result->count, sizeof *result->problems, by_place);
    count_objects(upgrade, result);
    return arena->failure;
}
