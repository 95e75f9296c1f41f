/* drawbridge review --audit-log: what API servers have written, validated again and summed up. */
#ifndef DRAWBRIDGE_CLI_AUDIT_H
#define DRAWBRIDGE_CLI_AUDIT_H

#include "cli/cli.h"
#include "review/replay.h"

/* Numbers of writes, by the answer then. */
struct audit_count {
    uint64_t then[REPLAY_THENS];
};

static inline uint64_t audit_sum(const struct audit_count *count)
{
    return count->then[THEN_ALLOWED] + count->then[THEN_UNKNOWN] + count->then[THEN_REFUSED];
}

/* A write for people: two lines. */
struct audit_example {
    char *text; /* owned; NULL: none */
    enum replay_then then;
};

struct audit_rule {
    struct audit_count denied;
    struct audit_example examples[LIMIT_AUDIT_EXAMPLES];
};

struct audit_user {
    struct bytes name;
    struct audit_count denied;
};

/* What is counted of all logs. */
struct audit_tally {
    uint64_t events, unread;            /* events, and what is none */
    uint64_t outcomes[REPLAY_OUTCOMES];
    uint64_t patches[REPLAY_PATCHES];   /* without their result */
    uint64_t dry_runs, without_old, warned; /* of those that were validated */
    struct audit_count writes, denied;  /* validated, or in an API version that is not served */
    struct audit_rule rules[RULE_COUNT]; /* a write counts once for each rule that denies it */
    struct audit_count *kinds;          /* denied writes, by the row of the kind's table */
    struct audit_user *users, others;   /* of denied writes; others are those beyond LIMIT_AUDIT_USERS */
    uint32_t user_count;
    struct map user_map;
    struct arena arena;                 /* for users and kinds */
};

/* Where an event is. */
struct audit_place {
    const char *file; /* fit to print */
    uint64_t line;
};

enum failure audit_tally_init(struct audit_tally *tally, struct map_key key) MUST_USE;
void audit_tally_done(struct audit_tally *tally);

/* Counts an event. Texts are made in `arena`. */
enum failure audit_tally_add(struct audit_tally *tally, struct arena *arena, const struct audit_place *place,
                             const struct replayed *replayed) MUST_USE;

/* Whether the write would be denied. */
bool audit_is_denied(const struct replayed *replayed);

/* Whether a finding of the answer denies the write. */
static inline bool audit_denies(const struct review_answer *answer)
{
    return answer->action == ACTION_DENY;
}

/* A row of a table of denied writes. */
struct audit_row {
    const char *label;
    struct audit_count denied;
};

/* The rows of a table in `arena`, the most important first: those that were allowed then, then all, then by name. */
struct audit_rows {
    struct audit_row *rows; /* NULL: memory is short */
    uint32_t count;
};

struct audit_rows audit_rule_rows(const struct audit_tally *tally, struct arena *arena);
struct audit_rows audit_user_rows(const struct audit_tally *tally, struct arena *arena); /* without others */
struct audit_rows audit_kind_rows(const struct audit_tally *tally, struct arena *arena);

/* The summary for people. */
enum failure audit_text(const struct audit_tally *tally, const struct review_settings *settings, struct arena *arena) MUST_USE;

/* One JSON object a line: a write that would be denied; and the summary. */
enum failure audit_json_record(const struct review_settings *settings, struct arena *arena, const struct audit_place *place,
                               const struct replayed *replayed) MUST_USE;
enum failure audit_json_summary(const struct audit_tally *tally, const struct review_settings *settings, struct arena *arena) MUST_USE;

/* Reads the logs that the options name, and prints what is asked for: for each of the versions, or if these are 0, for that of the
 * settings. Returns the exit status. */
int audit_logs(const struct command *command, const struct options *options, const struct review_settings *settings,
               struct versions versions, bool json);

#endif
