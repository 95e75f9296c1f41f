#include "validate/range.h"

#include <stdlib.h>
#include <string.h>

#include "validate/fix.h"
#include "validate/limits.h"

/* ---- order ---- */

static int compare(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

/* As problems of a report are sorted, and on: only the same problem is equal. */
static int order(const struct problem *a, const struct problem *b)
{
    bool older_a = a->source != a->item->source, older_b = b->source != b->item->source;
    int result = compare(older_a, older_b);
    result = result ? result : compare(a->source->ordinal, b->source->ordinal);
    result = result ? result : compare(a->offset, b->offset);
    result = result ? result : strcmp(a->path, b->path);
    result = result ? result : compare(a->rule, b->rule);
    result = result ? result : compare(a->severity, b->severity);
    result = result ? result : compare(a->reason, b->reason);
    result = result ? result : strcmp(a->message, b->message);
    result = result ? result : compare(a->item->node ? a->item->node->offset : 0, b->item->node ? b->item->node->offset : 0);
    result = result ? result : compare(a->other ? a->other->source->ordinal : 0, b->other ? b->other->source->ordinal : 0);
    return result ? result : compare(a->other_offset, b->other_offset);
}

static int by_order(const void *left, const void *right)
{
    return order(left, right);
}

/* ---- merging ---- */

static const char *copy_text(struct arena *arena, const char *text)
{
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy = text ? arena_text(arena, size) : NULL;
    return copy ? memcpy(copy, text, size) : NULL;
}

/* The problem with its own texts, because those of one version's report are freed. */
static struct problem copy_problem(struct arena *arena, const struct problem *problem)
{
    struct problem copy = *problem;
    size_t size = problem->mark_count * sizeof *problem->marks;
    struct finding_mark *marks = size ? arena_alloc(arena, size) : NULL;
    copy.path = copy_text(arena, problem->path);
    copy.message = copy_text(arena, problem->message);
    copy.hint = copy_text(arena, problem->hint);
    copy.note = copy_text(arena, problem->note);
    copy.fix = fix_has_no_room(arena) ? NULL : fix_copy(arena, problem->fix);
    copy.marks = marks ? memcpy(marks, problem->marks, size) : NULL;
    copy.mark_count = marks ? problem->mark_count : 0;
    return copy;
}

/* How many problems of a report are not known yet. Both lists are sorted, so one pass finds them; those that are known get the bit. */
static uint32_t mark_known(struct report *known, const struct report *report, version_set bit)
{
    uint32_t left = 0, right = 0, fresh = 0;
    while (right < report->count) {
        int first = left == known->count ? 1 : order(&known->problems[left], &report->problems[right]);
        if (!first) {
            struct problem *problem = &known->problems[left];
            problem->versions |= bit;
            if (!fix_equal(problem->fix, report->problems[right].fix)) /* what is right in one version is not in another */
                problem->fix = NULL;
        }
        fresh += first > 0;
        left += first <= 0;
        right += first >= 0;
    }
    return fresh;
}

/* Those that are known, and copies of the others. */
static void merge(const struct report *known, const struct report *report, version_set bit, struct arena *arena, struct report *merged)
{
    uint32_t left = 0, right = 0;
    while (merged->count < LIMIT_PROBLEMS && (left < known->count || right < report->count) && !arena->failure) {
        struct problem *added = &merged->problems[merged->count++];
        int first = left == known->count     ? 1
                    : right == report->count ? -1
                                             : order(&known->problems[left], &report->problems[right]);
        *added = first <= 0 ? known->problems[left++] : copy_problem(arena, &report->problems[right]);
        added->versions |= first > 0 ? bit : 0;
        right += first >= 0;
    }
}

enum failure range_report_add(struct range_report *range, struct report *report, minor version, struct arena *arena)
{
    struct report merged = { .problems = NULL };
    range->versions |= version_bit(version);
    range->counts[version - MINOR_OLDEST] = report->counts;
    if (report->count)
        qsort(report->problems, report->count, sizeof *report->problems, by_order);
    const uint32_t fresh = mark_known(&range->report, report, version_bit(version));
    if (!fresh)
        return FAILURE_NONE;
    uint32_t room = range->report.count + fresh;
    room = room < LIMIT_PROBLEMS ? room : LIMIT_PROBLEMS;
    merged.problems = arena_alloc(arena, room * sizeof *merged.problems);
    if (!merged.problems)
        return arena->failure;
    merge(&range->report, report, version_bit(version), arena, &merged);
    range->report = merged;
    return arena->failure;
}

/* ---- counts ---- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* What of a version's counts is in the list. */
static struct counts listed_in(const struct report *report, version_set versions)
{
    struct counts counts = { .errors = 0 };
    for (uint32_t i = 0; i < report->count; i++)
        if (report->problems[i].versions & versions)
            counts_add_finding(&counts, report->problems[i].severity);
    return counts;
}

void range_report_end(struct range_report *range)
{
    struct counts unlisted = { .errors = 0 };
    for (int i = 0; i < RANGE_VERSIONS; i++) {
        const struct counts *counts = &range->counts[i], listed = listed_in(&range->report, (version_set)1 << i);
        unlisted.errors = larger(unlisted.errors, counts->errors - listed.errors);
        unlisted.warnings = larger(unlisted.warnings, counts->warnings - listed.warnings);
        unlisted.infos = larger(unlisted.infos, counts->infos - listed.infos);
        unlisted.validated = larger(unlisted.validated, counts->validated);
        unlisted.updates = larger(unlisted.updates, counts->updates);
        unlisted.other_kinds = larger(unlisted.other_kinds, counts->other_kinds);
        unlisted.no_objects = larger(unlisted.no_objects, counts->no_objects);
        unlisted.templates = larger(unlisted.templates, counts->templates);
        unlisted.templated = larger(unlisted.templated, counts->templated);
    }
    range->report.counts = listed_in(&range->report, range->versions);
    counts_add(&range->report.counts, &unlisted);
    for (uint32_t i = 0; i < range->report.count; i++)
        if (range->report.problems[i].versions == range->versions)
            range->report.problems[i].versions = 0;
        else
            range->report.problems[i].fix = NULL; /* the other versions allow what is there */
}
