#include "lint/suppression.h"

#include "base/limits.h"
#include "base/near.h"
#include "base/text.h"

static bool covers(const struct suppression *suppression, const struct source *source, const struct problem *problem)
{
    bool here = problem->source == source;
    switch (suppression->scope) {
    case SUPPRESSION_NOWHERE: return false;
    case SUPPRESSION_LINE:    return here && problem->offset >= suppression->from && problem->offset < suppression->to;
    case SUPPRESSION_FILE:    return true;
    case SUPPRESSION_OBJECT:  return suppression->item == problem->item;
    }
    return false;
}

/* Marks the problem if it is suppressed, and each suppression that names its rule there. */
static void consult(const struct suppressions *found, const struct source *source, const struct suppression_lock *lock,
                    struct problem *problem)
{
    bool asked = false, locked = false;
    for (uint32_t i = 0; i < found->count; i++) {
        struct suppression *suppression = &found->list[i];
        if (!(suppression->all || suppression->rules[problem->rule]) || !covers(suppression, source, problem))
            continue;
        locked = asked ? locked : lock->locks(lock->self, problem);
        asked = true;
        suppression->used[problem->rule] = true;
        suppression->locked[problem->rule] |= locked;
        if (!locked)
            problem->suppressed = suppression->reason;
    }
}

/* ---- problems about suppressions ---- */

struct complaints {
    const struct source *source;
    struct arena *arena;
    struct report *report; /* with room for them */
    uint32_t room;
};

/* The item around that byte, or the first one. */
static const struct item *item_at(const struct source *source, uint32_t offset)
{
    const struct item *found = source->first;
    for (const struct item *item = source->first; item; item = item->next)
        if (item->node && item->node->offset <= offset)
            found = item;
    return found;
}

static void complain(struct complaints *complaints, const struct suppression *suppression, enum rule rule, struct bytes what,
                     const char *why, struct bytes meant)
{
    struct text text;
    struct report *report = complaints->report;
    text_init(&text, complaints->arena);
    text_add_quoted(&text, what, LIMIT_QUOTE_BYTES);
    text_add(&text, " ");
    text_add(&text, why);
    if (meant.length) {
        text_add(&text, "; ");
        near_add_words(&text, meant);
    }
    const char *message = text_end(&text);
    if (!message || report->count == complaints->room)
        return;
    report->problems[report->count++] = (struct problem){
        .source = suppression->item ? suppression->item->source : item_at(complaints->source, 0)->source,
        .item = suppression->item ? suppression->item : item_at(complaints->source, suppression->offset),
        .rule = rule,
        .reason = REASON_INVALID,
        .severity = SEVERITY_WARNING,
        .offset = suppression->offset,
        .size = suppression->size,
        .path = "",
        .message = message,
    };
    counts_add_finding(&report->counts, SEVERITY_WARNING);
}

static void complain_about(struct complaints *complaints, const struct suppression *suppression, bool all_known)
{
    static const struct bytes none = { "", 0 };
    bool used = false;
    if (suppression->mistake)
        complain(complaints, suppression, RULE_SUPPRESSION, suppression->wrong, suppression->mistake, suppression->meant);
    for (int i = 0; i < RULE_COUNT; i++) {
        struct bytes id = bytes_of(rule_info((enum rule)i)->id);
        used |= suppression->used[i];
        if (suppression->locked[i])
            complain(complaints, suppression, RULE_SUPPRESSION, id, "cannot be ignored here: the configuration locks it", none);
        else if (suppression->rules[i] && !suppression->used[i] && all_known)
            complain(complaints, suppression, RULE_UNUSED_SUPPRESSION, id, "is not found here: there is nothing to ignore", none);
    }
    if (suppression->all && !used && all_known)
        complain(complaints, suppression, RULE_UNUSED_SUPPRESSION, bytes_of("all"), "is not needed: there is nothing to ignore", none);
}

/* At most so many are said of one source. */
static enum failure add_complaints(const struct source *source, const struct suppressions *found, bool all_known, struct arena *arena,
                                   struct report *report)
{
    const uint32_t more = 2 * LIMIT_SUPPRESSIONS;
    struct complaints complaints = { source, arena, report, report->count + more };
    struct problem *problems = arena_alloc(arena, complaints.room * sizeof *problems);
    if (!problems || !source->first)
        return problems ? FAILURE_NONE : arena->failure;
    if (report->count)
        memcpy(problems, report->problems, report->count * sizeof *problems);
    report->problems = problems;
    for (uint32_t i = 0; i < found->count; i++)
        complain_about(&complaints, &found->list[i], all_known);
    if (found->more)
        complain(&complaints, &found->list[found->count - 1], RULE_SUPPRESSION, bytes_of("drawbridge"),
                 "is written too often in this file: what comes after this one does not count", (struct bytes){ "", 0 });
    return arena->failure;
}

/* Whether all is found that there is: not beside a value of a wrong type or text that cannot be read, nor where some is only counted. */
static bool is_whole(const struct report *report)
{
    for (uint32_t i = 0; i < report->count; i++) {
        enum rule rule = report->problems[i].rule;
        if (rule == RULE_TYPE || rule == RULE_YAML_SYNTAX || rule == RULE_JSON_SYNTAX)
            return false;
    }
    return counts_findings(&report->counts) == report->count;
}

enum failure suppressions_apply(const struct source *source, const struct suppression_lock *lock, struct arena *arena,
                                struct report *report, size_t *count)
{
    struct suppressions found;
    uint32_t kept = 0;
    const bool all_known = is_whole(report);
    enum failure failure = suppressions_find(source, arena, &found);
    *count = 0;
    if (failure || !found.count)
        return failure;
    for (uint32_t i = 0; i < report->count && !failure; i++) {
        struct problem *problem = &report->problems[i];
        consult(&found, source, lock, problem);
        if (!problem->suppressed) {
            report->problems[kept++] = *problem;
            continue;
        }
        ++*count;
        failure = report_hide(report, problem, arena);
    }
    if (failure)
        return failure;
    report->count = kept;
    failure = add_complaints(source, &found, all_known, arena, report);
    report_sort(report);
    return failure;
}
