/* drawbridge explain RULE: what a rule asks for, which fields it is for, and where it is from. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "cli/explain.h"
#include "schema/explain.h"
#include "schema/shape.h"

/* ---- where it is used: what the rows say ---- */

struct rule_tour {
    enum rule rule;
    const struct kind *kind;
    bool metadata; /* only fields below metadata are counted, or all but those */
    bool severities[SEVERITY_INFO + 1];
    uint32_t fields;                    /* of the kind, that were counted */
    const char *last, *shown[LIMIT_EXPLAIN_FIELDS];
    uint32_t sources;
    const char *source[LIMIT_EXPLAIN_SOURCES];
};

static void add_source(struct rule_tour *tour, const char *source)
{
    for (uint32_t i = 0; i < tour->sources; i++)
        if (strcmp(tour->source[i], source) == 0)
            return;
    if (tour->sources < LIMIT_EXPLAIN_SOURCES)
        tour->source[tour->sources++] = source;
}

/* Fields come one after the other, each with all its constraints. */
static void count_field(void *self, const struct constraint *constraint)
{
    struct rule_tour *tour = self;
    static const char metadata[] = "metadata";
    if (constraint->rule != tour->rule || (strncmp(constraint->field, metadata, strlen(metadata)) == 0) != tour->metadata)
        return;
    tour->severities[constraint->severity] = true;
    add_source(tour, constraint->check && constraint->check->source ? constraint->check->source : constraint->source);
    if (tour->last && strcmp(tour->last, constraint->field) == 0)
        return;
    tour->last = constraint->field;
    if (tour->fields < LIMIT_EXPLAIN_FIELDS)
        tour->shown[tour->fields] = constraint->field;
    tour->fields++;
}

static void print_kind(const struct rule_tour *tour)
{
    printf("  %-26s ", tour->metadata ? "of every kind" : tour->kind->kind.data);
    for (uint32_t i = 0; i < tour->fields && i < LIMIT_EXPLAIN_FIELDS; i++)
        printf("%s%s", i ? ", " : "", *tour->shown[i] ? tour->shown[i] : "the object");
    if (tour->fields > LIMIT_EXPLAIN_FIELDS)
        printf(" and %u more", tour->fields - LIMIT_EXPLAIN_FIELDS);
    puts("");
}

/* Counts and prints the fields of one kind. Returns the failure of its tour. */
static enum failure tour_kind(struct rule_tour *tour, const struct kind *kind, bool *any)
{
    struct arena arena;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    tour->kind = kind;
    tour->fields = 0;
    tour->last = NULL;
    enum failure failure = explain_kind(kind, &arena, count_field, tour);
    if (tour->fields && !failure) {
        fputs(*any ? "" : "Fields:\n", stdout);
        print_kind(tour);
        *any = true;
    }
    arena_done(&arena);
    return failure;
}

/* Of metadata, which kinds have alike, the first kind that has the rule there stands for all. */
static enum failure tour_all(struct rule_tour *tour)
{
    enum failure failure = FAILURE_NONE;
    bool any = false;
    for (int pass = 0; pass < 2; pass++) {
        tour->metadata = pass == 0;
        for (size_t i = 0; i < kind_count && !failure && !(tour->metadata && any); i++)
            if (!(kinds[i].traits & (tour->metadata ? KIND_CONTEXT | KIND_PARTIAL : KIND_CONTEXT)) && explain_is_first(&kinds[i]))
                failure = tour_kind(tour, &kinds[i], &any);
    }
    fputs(any ? "\n" : "", stdout);
    return failure;
}

static void print_summary(const struct rule_tour *tour)
{
    const struct reason_info *reason = reason_info(rule_info(tour->rule)->reason);
    bool any = false;
    printf("Severity: ");
    for (int severity = SEVERITY_ERROR; severity <= SEVERITY_INFO; severity++)
        if (tour->severities[severity]) {
            printf("%s%s", any ? ", " : "", severity_word((enum severity)severity));
            any = true;
        }
    printf("%s\nReason, unless a field has its own: %s (%s)\n", any ? "" : "error", reason->cause, reason->words);
    for (uint32_t i = 0; i < tour->sources; i++)
        printf("%s%s\n", i ? "  " : "Sources:\n  ", tour->source[i]);
}

int explain_rule(const struct command *command, enum rule rule)
{
    struct rule_tour tour = { .rule = rule };
    printf("%s: %s\n", rule_info(rule)->id, rule_info(rule)->asks);
    bool is_found = explain_print_example(rule_info(rule)->id); /* what has no example, rows only ask by */
    enum failure failure = tour_all(&tour);
    if (is_found)
        print_summary(&tour);
    return failure ? command_error(command, EXIT_INTERNAL, "%s", failure_text(failure)) : end_output(command, EXIT_GOOD);
}
