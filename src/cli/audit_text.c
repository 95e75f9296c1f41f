/* The summary of audit logs for people. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/audit.h"

/* ---- tables of denied writes ---- */

/* The columns, by the answer then. That of unknown answers is shown where there are any. */
static const char *const columns[REPLAY_THENS] = {
    [THEN_ALLOWED] = "allowed then", [THEN_UNKNOWN] = "unknown then", [THEN_REFUSED] = "refused then",
};

static void print_row(const struct audit_tally *tally, const struct audit_count *denied, const char *label)
{
    for (int then = 0; then < REPLAY_THENS; then++)
        if (then != THEN_UNKNOWN || tally->denied.then[then])
            printf("%12" PRIu64 "  ", denied->then[then]);
    puts(label);
}

/* What is not shown is summed up in the last row. */
static void print_table(const struct audit_tally *tally, const char *title, struct audit_rows rows, const struct audit_count *more)
{
    struct audit_count others = more ? *more : (struct audit_count){ { 0 } };
    putchar('\n');
    for (int then = 0; then < REPLAY_THENS; then++)
        if (then != THEN_UNKNOWN || tally->denied.then[then])
            printf("%12s  ", columns[then]);
    puts(title);
    for (uint32_t i = 0; i < rows.count; i++) {
        if (i < LIMIT_AUDIT_ROWS || !more)
            print_row(tally, &rows.rows[i].denied, rows.rows[i].label);
        for (int then = 0; then < REPLAY_THENS && i >= LIMIT_AUDIT_ROWS && more; then++)
            others.then[then] += rows.rows[i].denied.then[then];
    }
    if (audit_sum(&others))
        print_row(tally, &others, "others");
}

static void print_examples(const struct audit_tally *tally, struct audit_rows rows)
{
    for (uint32_t row = 0; row < rows.count; row++) {
        const struct audit_rule *rule = &tally->rules[rule_find(bytes_of(rows.rows[row].label))];
        printf("\n%s\n", rows.rows[row].label);
        for (uint32_t i = 0; i < LIMIT_AUDIT_EXAMPLES * REPLAY_THENS; i++) { /* allowed ones first */
            const struct audit_example *example = &rule->examples[i % LIMIT_AUDIT_EXAMPLES];
            if (example->text && example->then == i / LIMIT_AUDIT_EXAMPLES)
                printf("  %s\n", example->text);
        }
    }
}

/* ---- what was in the logs ---- */

struct line {
    uint64_t count;
    const char *words;
};

static void print_counts(const struct audit_tally *tally)
{
    const uint64_t *outcomes = tally->outcomes, *patches = tally->patches;
    const struct line lines[] = {
        { tally->events, "events" },
        { outcomes[REPLAY_VALIDATED], "  writes that were validated" },
        { tally->dry_runs, "    of them dry runs" },
        { tally->without_old, "    of them updates whose object before is not known: validated as if they changed nothing" },
        { tally->warned, "    of them allowed with warnings" },
        { tally->writes.then[THEN_REFUSED] - tally->denied.then[THEN_REFUSED], "    of them refused then that would be allowed" },
        { outcomes[REPLAY_NOT_SERVED], "  writes in API versions that are not served" },
        { outcomes[REPLAY_NO_OBJECT], "  writes whose object is not in the log" },
        { patches[PATCH_JSON], "  JSON patches whose result is not in the log" },
        { patches[PATCH_MERGE], "  merge patches whose result is not in the log" },
        { patches[PATCH_APPLY], "  apply patches whose result is not in the log" },
        { outcomes[REPLAY_DELETION], "  deletions" },
        { outcomes[REPLAY_OTHER_KIND], "  writes of kinds without rules" },
        { outcomes[REPLAY_READ], "  reads" },
        { outcomes[REPLAY_OTHER_STAGE], "  other stages of requests" },
        { tally->unread, "lines or items that are no events" },
    };
    putchar('\n');
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (lines[i].count)
            printf("%12" PRIu64 "  %s\n", lines[i].count, lines[i].words);
}

static void print_verdict(const struct audit_tally *tally, const struct review_settings *settings)
{
    uint64_t writes = audit_sum(&tally->writes), denied = audit_sum(&tally->denied);
    if (settings->profile == PROFILE_API_SERVER)
        printf("Kubernetes 1.%u", settings->version);
    else
        printf("drawbridge serve (Kubernetes 1.%u)", settings->version);
    if (!denied)
        printf(" would deny none of %" PRIu64 " writes.\n", writes);
    else
        printf(" would deny %" PRIu64 " of %" PRIu64 " writes (allowed then: %" PRIu64 ").\n", denied, writes,
               tally->denied.then[THEN_ALLOWED]);
}

enum failure audit_text(const struct audit_tally *tally, const struct review_settings *settings, struct arena *arena)
{
    struct audit_rows rules = audit_rule_rows(tally, arena), users = audit_user_rows(tally, arena), known = audit_kind_rows(tally, arena);
    if (!rules.rows || !users.rows || !known.rows)
        return FAILURE_MEMORY;
    print_verdict(tally, settings);
    if (audit_sum(&tally->denied)) {
        print_table(tally, "rule", rules, NULL);
        print_table(tally, "user", users, &tally->others.denied);
        print_table(tally, "kind", known, NULL);
        print_examples(tally, rules);
    }
    print_counts(tally);
    return FAILURE_NONE;
}
