#include "lint/selection.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/near.h"
#include "review/limits.h"
#include "schema/explain.h"

/* ---- the files of policies ---- */

/* The patterns of a policy, one a line. */
static bool read_paths(const struct policy *policy, const char *folder, struct ignore *paths, struct error *error)
{
    size_t size = 1, length = 0;
    for (uint32_t i = 0; i < policy->path_count; i++)
        size += policy->paths[i].length + 1u;
    char *lines = malloc(size);
    if (!lines)
        return error_set(error, FAILURE_MEMORY, "%s", failure_text(FAILURE_MEMORY));
    for (uint32_t i = 0; i < policy->path_count; i++) {
        memcpy(lines + length, policy->paths[i].data, policy->paths[i].length);
        length += policy->paths[i].length;
        lines[length++] = '\n';
    }
    bool good = ignore_read(paths, NULL, folder, (struct bytes){ lines, (uint32_t)length }, error);
    free(lines);
    return good;
}

bool selection_init(struct selection *selection, const struct policies *policies, const char *folder, struct error *error)
{
    *selection = (struct selection){ .policies = policies && policies->count ? policies : NULL };
    if (!selection->policies)
        return true;
    selection->paths = calloc(policies->count, sizeof *selection->paths);
    if (!selection->paths)
        return error_set(error, FAILURE_MEMORY, "%s", failure_text(FAILURE_MEMORY));
    for (uint32_t i = 0; i < policies->count; i++)
        if (policies->list[i].path_count && !read_paths(&policies->list[i], folder, &selection->paths[i], error))
            return false;
    return true;
}

void selection_done(struct selection *selection)
{
    for (uint32_t i = 0; selection->paths && i < selection->policies->count; i++)
        ignore_done(&selection->paths[i]);
    free(selection->paths);
    *selection = (struct selection){ .policies = NULL };
}

/* ---- which policies apply ---- */

/* The policies about one file. */
struct chosen {
    const struct policy *list[LIMIT_POLICIES];
    uint32_t count;
};

static void choose(const struct selection *selection, struct bytes file, struct chosen *chosen)
{
    chosen->count = 0;
    for (uint32_t i = 0; selection->policies && i < selection->policies->count; i++) {
        const struct policy *policy = &selection->policies->list[i];
        if ((policy->has_severity || policy->locked) && (!policy->path_count || ignore_covers_around(&selection->paths[i], file, false)))
            chosen->list[chosen->count++] = policy;
    }
}

static bool applies(const struct policy *policy, const struct problem *problem, const char *field)
{
    const struct kind *kind = problem->item->kind;
    return (!policy->rules || policy->rules[problem->rule]) && policy_matches_namespace(policy, problem->item->space) &&
           (kind ? policy_matches_kind(policy, kind) : !policy->kind_count) && policy_matches_field(policy, field);
}

static enum level milder(enum level a, enum level b)
{
    return a > b ? a : b;
}

/* The first policy with a severity decides, unless the first one that locks the finding asks for more. */
static enum level decide(const struct selection *selection, const struct chosen *chosen, const struct problem *problem, bool *locked)
{
    char field[LIMIT_EXPLAIN_PATH_BYTES];
    const struct policy *decides = NULL, *locks = NULL;
    const enum level own = (enum level)problem->severity;
    explain_plain_path(field, sizeof field, problem->path);
    for (uint32_t i = 0; i < chosen->count && !(decides && locks); i++) {
        const struct policy *policy = chosen->list[i];
        if (!applies(policy, problem, field))
            continue;
        decides = !decides && policy->has_severity ? policy : decides;
        locks = !locks && policy->locked ? policy : locks;
    }
    *locked = locks != NULL;
    enum level level = decides ? decides->severity : own, least = locks && locks->has_severity ? locks->severity : own;
    bool left_out = (selection->select && !selection->select[problem->rule]) || (selection->ignore && selection->ignore[problem->rule]);
    level = left_out ? milder(level, LEVEL_OFF) : level;
    return locks && level > least ? least : level;
}

bool selection_locks(const struct selection *selection, struct bytes file, const struct problem *problem)
{
    struct chosen chosen;
    bool locked;
    choose(selection, file, &chosen);
    (void)decide(selection, &chosen, problem, &locked);
    return locked;
}

/* ---- reports ---- */

/* Returns how many are left. counts NULL: they are not counted. */
static uint32_t apply(const struct selection *selection, const struct chosen *chosen, struct problem *problems, uint32_t count,
                      struct counts *counts)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct problem problem = problems[i];
        bool locked;
        enum level level = decide(selection, chosen, &problem, &locked);
        if (counts)
            counts_remove_finding(counts, problem.severity);
        if (level == LEVEL_OFF)
            continue;
        problem.severity = (enum severity)level;
        if (counts)
            counts_add_finding(counts, problem.severity);
        problems[kept++] = problem;
    }
    return kept;
}

void selection_apply(const struct selection *selection, struct bytes file, struct report *report)
{
    struct chosen chosen;
    choose(selection, file, &chosen);
    if (!chosen.count && !selection->select && !selection->ignore)
        return;
    report->count = apply(selection, &chosen, report->problems, report->count, &report->counts);
    report->hidden_count = apply(selection, &chosen, report->hidden, report->hidden_count, NULL);
}

/* ---- lists of rules ---- */

static bool refuse_rule(struct bytes id, struct error *error)
{
    char typed[NEAR_BYTES + 1], meant[NEAR_BYTES + 32] = "";
    struct nearest nearest = { .wanted = id };
    rules_consider(&nearest);
    snprintf(typed, sizeof typed, "%.*s", (int)id.length, id.data);
    if (nearest.found.data)
        snprintf(meant, sizeof meant, "; did you mean \"%.*s\"?", (int)nearest.found.length, nearest.found.data);
    return error_set(error, FAILURE_INPUT, "\"%s\" is no rule: 'drawbridge rules' lists them%s", escape_text(typed).text, meant);
}

bool selection_rules(const char *text, bool rules[RULE_COUNT], struct error *error)
{
    for (const char *at = text, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ",");
        while (*at == ' ')
            at++;
        struct bytes id = { at, (uint32_t)(end - at) };
        while (id.length && id.data[id.length - 1] == ' ')
            id.length--;
        enum rule rule = rule_find(id);
        if (bytes_equal_text(id, "all"))
            memset(rules, true, RULE_COUNT * sizeof *rules);
        else if (rule == RULE_COUNT)
            return refuse_rule(id, error);
        else
            rules[rule] = true;
    }
    return true;
}
