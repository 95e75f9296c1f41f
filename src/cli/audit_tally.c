/* The tables of `review --audit-log`: how often what would be denied, and of whom. */
#include <stdlib.h>

#include "base/limits.h"
#include "base/text.h"
#include "cli/audit.h"

enum failure audit_tally_init(struct audit_tally *tally, struct map_key key)
{
    *tally = (struct audit_tally){ .events = 0 };
    arena_init(&tally->arena, &memory_malloc, LIMIT_ARENA_BYTES);
    tally->kinds = arena_alloc(&tally->arena, kind_count * sizeof *tally->kinds);
    tally->users = arena_alloc(&tally->arena, LIMIT_AUDIT_USERS * sizeof *tally->users);
    if (!tally->kinds || !tally->users)
        return tally->arena.failure;
    memset(tally->kinds, 0, kind_count * sizeof *tally->kinds);
    return map_init(&tally->user_map, &tally->arena, LIMIT_AUDIT_USERS, key);
}

void audit_tally_done(struct audit_tally *tally)
{
    for (int rule = 0; rule < RULE_COUNT; rule++)
        for (uint32_t i = 0; i < LIMIT_AUDIT_EXAMPLES; i++)
            free(tally->rules[rule].examples[i].text);
    arena_done(&tally->arena);
}

bool audit_is_denied(const struct replayed *replayed)
{
    return replayed->outcome == REPLAY_NOT_SERVED || replayed->review.outcome == REVIEW_DENIED;
}

/* ---- users ---- */

/* Names that are longer are cut, so those that begin alike are counted together. */
static struct audit_user *user_of(struct audit_tally *tally, struct bytes name)
{
    if (name.length > LIMIT_AUDIT_USER_BYTES)
        name.length = LIMIT_AUDIT_USER_BYTES;
    struct audit_user *user = map_find(&tally->user_map, name);
    if (user || tally->user_count == LIMIT_AUDIT_USERS)
        return user ? user : &tally->others;
    char *copy = arena_text(&tally->arena, name.length + 1);
    if (!copy)
        return NULL;
    if (name.length)
        memcpy(copy, name.data, name.length);
    user = &tally->users[tally->user_count++];
    *user = (struct audit_user){ .name = { copy, name.length } };
    (void)map_add(&tally->user_map, user->name, user);
    return user;
}

/* ---- examples ---- */

static const char *const then_words[REPLAY_THENS] = {
    [THEN_ALLOWED] = "allowed then", [THEN_UNKNOWN] = "answer then unknown", [THEN_REFUSED] = "refused then",
};

/* update ResourceClaim.resource.k8s.io/status "space/name" */
static void add_subject(struct text *text, struct arena *arena, const struct replayed *replayed)
{
    const struct review *review = &replayed->review;
    struct text name;
    text_init(&name, arena);
    text_add_bytes(&name, replayed->kind->traits & KIND_NAMESPACED ? replayed->space : (struct bytes){ "", 0 });
    text_add(&name, name.length ? "/" : "");
    text_add_bytes(&name, review->name);
    text_add_escaped(text, replayed->verb, LIMIT_QUOTE_BYTES);
    text_add(text, " ");
    text_add_bytes(text, review->kind);
    text_add(text, review->group.length ? "." : "");
    text_add_bytes(text, review->group);
    text_add(text, review->sub_resource.length ? "/" : "");
    text_add_escaped(text, review->sub_resource, LIMIT_QUOTE_BYTES);
    text_add(text, " ");
    text_add_quoted(text, (struct bytes){ name.data, (uint32_t)name.length }, 2 * LIMIT_QUOTE_BYTES);
    text->failed |= name.failed;
}

static const char *example_text(struct arena *arena, const struct audit_place *place, const struct replayed *replayed,
                                const struct finding *finding)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, place->file);
    text_add(&text, ":");
    text_add_integer(&text, (int64_t)place->line);
    text_add(&text, ": ");
    add_subject(&text, arena, replayed);
    text_add(&text, " by ");
    text_add_quoted(&text, replayed->user, LIMIT_QUOTE_BYTES);
    text_add(&text, ", ");
    text_add(&text, then_words[replayed->then]);
    text_add(&text, replayed->dry_run ? ", dry run, " : ", ");
    text_add_escaped(&text, replayed->audit_id, LIMIT_QUOTE_BYTES);
    text_add(&text, "\n    ");
    text_add_escaped(&text, finding ? bytes_of(finding->path) : (struct bytes)BYTES("apiVersion"), LIMIT_QUOTE_BYTES);
    text_add(&text, finding && !*finding->path ? "" : ": ");
    if (finding)
        text_add(&text, finding->message);
    else
        text_add_bytes(&text, replayed->kind->version);
    text_add(&text, finding ? "" : " is not served");
    return text_end(&text);
}

/* Where a further example of the rule goes: LIMIT_AUDIT_EXAMPLES when it says no more than those that are there. Of these the last one that
 * was not allowed then gives way, as what was refused anyway is of less interest; those after it move up. */
static uint32_t room_for(struct audit_rule *rule, enum replay_then then)
{
    uint32_t last = LIMIT_AUDIT_EXAMPLES - 1, worse = last;
    if (!rule->examples[last].text) {
        while (last && !rule->examples[last - 1].text)
            last--;
        return last;
    }
    while (worse && rule->examples[worse].then <= then)
        worse--;
    if (rule->examples[worse].then <= then)
        return LIMIT_AUDIT_EXAMPLES;
    free(rule->examples[worse].text);
    memmove(&rule->examples[worse], &rule->examples[worse + 1], (last - worse) * sizeof *rule->examples);
    rule->examples[last].text = NULL;
    return last;
}

/* Keeps the write as an example of the rule. */
static enum failure add_example(struct audit_rule *rule, struct arena *arena, const struct audit_place *place,
                                const struct replayed *replayed, const struct finding *finding)
{
    uint32_t room = room_for(rule, replayed->then);
    if (room == LIMIT_AUDIT_EXAMPLES)
        return FAILURE_NONE;
    const char *text = example_text(arena, place, replayed, finding);
    char *copy = text ? strdup(text) : NULL;
    if (!copy)
        return FAILURE_MEMORY;
    rule->examples[room] = (struct audit_example){ copy, replayed->then };
    return FAILURE_NONE;
}

/* ---- counting ---- */

/* Counts a denial for its rules, each once, with its first finding as an example. */
static enum failure add_rules(struct audit_tally *tally, struct arena *arena, const struct audit_place *place,
                              const struct replayed *replayed)
{
    bool seen[RULE_COUNT] = { false };
    enum failure failure = FAILURE_NONE;
    if (replayed->outcome == REPLAY_NOT_SERVED) {
        tally->rules[RULE_SERVED].denied.then[replayed->then]++;
        return add_example(&tally->rules[RULE_SERVED], arena, place, replayed, NULL);
    }
    for (uint32_t i = 0; i < replayed->review.answer_count && !failure; i++) {
        const struct review_answer *answer = &replayed->review.answers[i];
        enum rule rule = answer->finding->rule;
        if (!audit_denies(answer) || seen[rule])
            continue;
        seen[rule] = true;
        tally->rules[rule].denied.then[replayed->then]++;
        failure = add_example(&tally->rules[rule], arena, place, replayed, answer->finding);
    }
    return failure;
}

static enum failure add_denied(struct audit_tally *tally, struct arena *arena, const struct audit_place *place,
                               const struct replayed *replayed)
{
    struct audit_user *user = user_of(tally, replayed->user);
    if (!user)
        return tally->arena.failure;
    user->denied.then[replayed->then]++;
    tally->denied.then[replayed->then]++;
    tally->kinds[replayed->kind - kinds].then[replayed->then]++;
    return add_rules(tally, arena, place, replayed);
}

enum failure audit_tally_add(struct audit_tally *tally, struct arena *arena, const struct audit_place *place,
                             const struct replayed *replayed)
{
    bool validated = replayed->outcome == REPLAY_VALIDATED, denied = audit_is_denied(replayed);
    tally->events++;
    tally->outcomes[replayed->outcome]++;
    tally->patches[replayed->patch] += replayed->outcome == REPLAY_PATCH;
    tally->dry_runs += validated && replayed->dry_run;
    tally->without_old += validated && replayed->without_old;
    tally->warned += validated && !denied && replayed->review.actions[ACTION_WARN];
    tally->writes.then[replayed->then] += validated || replayed->outcome == REPLAY_NOT_SERVED;
    return denied ? add_denied(tally, arena, place, replayed) : FAILURE_NONE;
}

/* ---- rows ---- */

static int compare_rows(const void *left, const void *right)
{
    const struct audit_row *a = left, *b = right;
    uint64_t first = a->denied.then[THEN_ALLOWED], second = b->denied.then[THEN_ALLOWED];
    if (first == second) {
        first = audit_sum(&a->denied);
        second = audit_sum(&b->denied);
    }
    return first != second ? (first < second) - (first > second) : strcmp(a->label, b->label);
}

static struct audit_rows begin_rows(struct arena *arena, size_t most)
{
    return (struct audit_rows){ .rows = arena_alloc(arena, (most + 1) * sizeof(struct audit_row)) };
}

/* Adds a row if it counts anything. */
static void add_row(struct audit_rows *rows, const char *label, const struct audit_count *denied)
{
    if (!label)
        rows->rows = NULL;
    if (rows->rows && audit_sum(denied))
        rows->rows[rows->count++] = (struct audit_row){ label, *denied };
}

static struct audit_rows end_rows(struct audit_rows rows)
{
    if (rows.rows)
        qsort(rows.rows, rows.count, sizeof *rows.rows, compare_rows);
    return rows;
}

struct audit_rows audit_rule_rows(const struct audit_tally *tally, struct arena *arena)
{
    struct audit_rows rows = begin_rows(arena, RULE_COUNT);
    for (int rule = 0; rule < RULE_COUNT; rule++)
        add_row(&rows, rule_info((enum rule)rule)->id, &tally->rules[rule].denied);
    return end_rows(rows);
}

struct audit_rows audit_user_rows(const struct audit_tally *tally, struct arena *arena)
{
    struct audit_rows rows = begin_rows(arena, tally->user_count);
    for (uint32_t i = 0; i < tally->user_count; i++) {
        struct text text;
        text_init(&text, arena);
        text_add_escaped(&text, tally->users[i].name, LIMIT_AUDIT_USER_BYTES);
        text_add(&text, tally->users[i].name.length ? "" : "(not in the log)");
        add_row(&rows, text_end(&text), &tally->users[i].denied);
    }
    return end_rows(rows);
}

struct audit_rows audit_kind_rows(const struct audit_tally *tally, struct arena *arena)
{
    struct audit_rows rows = begin_rows(arena, kind_count);
    for (size_t i = 0; i < kind_count; i++) {
        struct text text;
        text_init(&text, arena);
        text_add_bytes(&text, kinds[i].group);
        text_add(&text, kinds[i].group.length ? "/" : "");
        text_add_bytes(&text, kinds[i].version);
        text_add(&text, " ");
        text_add_bytes(&text, kinds[i].kind);
        add_row(&rows, text_end(&text), &tally->kinds[i]);
    }
    return end_rows(rows);
}
