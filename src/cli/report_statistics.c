/* --statistics: how often each rule was found, in place of the findings. */
#include <stdlib.h>
#include <string.h>

#include "cli/report_part.h"

struct tally {
    enum rule rule;
    size_t counts[SEVERITY_INFO + 1], all;
};

static enum failure begin(struct reporter *reporter)
{
    struct tally *tallies = arena_alloc(&reporter->arena, RULE_COUNT * sizeof *tallies);
    if (!tallies)
        return reporter->arena.failure;
    memset(tallies, 0, RULE_COUNT * sizeof *tallies);
    for (int rule = 0; rule < RULE_COUNT; rule++)
        tallies[rule].rule = (enum rule)rule;
    reporter->state = tallies;
    return FAILURE_NONE;
}

static enum failure count(struct reporter *reporter, struct workspace *workspace, const struct source *source, const struct report *report)
{
    struct tally *tallies = reporter->state;
    (void)workspace;
    (void)source;
    for (uint32_t i = 0; i < report->count; i++) {
        struct tally *tally = &tallies[report->problems[i].rule];
        tally->counts[report->problems[i].severity]++;
        tally->all++;
    }
    return FAILURE_NONE;
}

/* Most first; then by the rule's name. */
static int by_count(const void *left, const void *right)
{
    const struct tally *a = left, *b = right;
    if (a->all != b->all)
        return a->all > b->all ? -1 : 1;
    return strcmp(rule_info(a->rule)->id, rule_info(b->rule)->id);
}

static int digits(size_t number)
{
    return snprintf(NULL, 0, "%zu", number);
}

static enum failure print_text(struct reporter *reporter)
{
    struct tally *tallies = reporter->state;
    qsort(tallies, RULE_COUNT, sizeof *tallies, by_count);
    int width = digits(tallies->all), longest = 0;
    for (int i = 0; i < RULE_COUNT && tallies[i].all; i++) {
        int length = (int)strlen(rule_info(tallies[i].rule)->id);
        longest = length > longest ? length : longest;
    }
    for (int i = 0; i < RULE_COUNT && tallies[i].all; i++) {
        const char *between = "";
        fprintf(reporter->out, "%*zu  %-*s  ", width, tallies[i].all, longest, rule_info(tallies[i].rule)->id);
        for (int severity = SEVERITY_ERROR; severity <= SEVERITY_INFO; severity++) {
            size_t found = tallies[i].counts[severity];
            if (found)
                fprintf(reporter->out, "%s%zu %s%s", between, found, severity_word((enum severity)severity), found == 1 ? "" : "s");
            between = found ? ", " : between;
        }
        fputs("\n", reporter->out);
    }
    return FAILURE_NONE;
}

static bool fill(cJSON *object, const struct tally *tally)
{
    return json_add_text(object, "rule", rule_info(tally->rule)->id) && cJSON_AddNumberToObject(object, "count", (double)tally->all) &&
           cJSON_AddNumberToObject(object, "errors", (double)tally->counts[SEVERITY_ERROR]) &&
           cJSON_AddNumberToObject(object, "warnings", (double)tally->counts[SEVERITY_WARNING]) &&
           cJSON_AddNumberToObject(object, "infos", (double)tally->counts[SEVERITY_INFO]);
}

static enum failure print_json(struct reporter *reporter)
{
    struct tally *tallies = reporter->state;
    enum failure failure = FAILURE_NONE;
    qsort(tallies, RULE_COUNT, sizeof *tallies, by_count);
    fputs("[\n", reporter->out);
    for (int i = 0; i < RULE_COUNT && tallies[i].all && !failure; i++) {
        cJSON *object = cJSON_CreateObject();
        failure = json_print(reporter->out, i ? "," : "", object && fill(object, &tallies[i]), object);
    }
    fputs("]\n", reporter->out);
    return failure;
}

const struct report_format statistics_text = { .name = "text", .summary = true, .begin = begin, .report = count, .end = print_text };
const struct report_format statistics_json = { .name = "json", .begin = begin, .report = count, .end = print_json };
