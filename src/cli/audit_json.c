/* Audit logs for programs: one JSON object a line, the last one with the summary. */
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/limits.h"
#include "base/text.h"
#include "cli/audit.h"
#include "review/limits.h"
#include "validate/limits.h"

static const char *const then_words[REPLAY_THENS] = {
    [THEN_ALLOWED] = "allowed", [THEN_UNKNOWN] = "unknown", [THEN_REFUSED] = "refused",
};

/* Returns false when memory is short, here or when `value` was made and is NULL. */
static bool add_text(cJSON *object, const char *name, const char *value)
{
    return value && cJSON_AddStringToObject(object, name, value);
}

/* Adds text of the log, escaped and cut; none if it is empty. */
static bool add_given(struct arena *arena, cJSON *object, const char *name, struct bytes bytes)
{
    struct text text;
    text_init(&text, arena);
    text_add_escaped(&text, bytes, LIMIT_NAME_BYTES);
    return bytes.length == 0 || add_text(object, name, text_end(&text));
}

static bool add_number(cJSON *object, const char *name, uint64_t number)
{
    return cJSON_AddNumberToObject(object, name, (double)number);
}

static bool add_version(cJSON *object, const struct review_settings *settings)
{
    char version[16];
    snprintf(version, sizeof version, "1.%u", settings->version);
    return add_text(object, "kubernetesVersion", version);
}

/* Prints the object, and frees it. */
static enum failure print(cJSON *object, bool filled)
{
    char *json = filled ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    if (!json)
        return FAILURE_MEMORY;
    puts(json);
    free(json);
    return FAILURE_NONE;
}

/* ---- a write ---- */

static bool add_cause(struct arena *arena, cJSON *causes, const struct finding *finding)
{
    cJSON *cause = cJSON_CreateObject();
    if (!cause || !cJSON_AddItemToArray(causes, cause)) {
        cJSON_Delete(cause);
        return false;
    }
    return add_text(cause, "rule", rule_info(finding->rule)->id) && add_text(cause, "reason", reason_info(finding->reason)->cause) &&
           add_given(arena, cause, "path", bytes_of(finding->path)) && add_text(cause, "message", finding->message);
}

/* The findings that deny, or that the API version is not served. */
static bool add_causes(struct arena *arena, cJSON *object, const struct replayed *replayed)
{
    const struct review *review = &replayed->review;
    cJSON *causes = cJSON_AddArrayToObject(object, "causes");
    uint32_t added = 0;
    const struct finding not_served = {
        .path = "apiVersion", .message = "the API version is not served", .rule = RULE_SERVED, .reason = rule_info(RULE_SERVED)->reason,
    };
    if (!causes || replayed->outcome == REPLAY_NOT_SERVED)
        return causes && add_cause(arena, causes, &not_served);
    for (uint32_t i = 0; i < review->answer_count && added < LIMIT_CAUSES; i++) {
        if (!audit_denies(&review->answers[i]))
            continue;
        if (!add_cause(arena, causes, review->answers[i].finding))
            return false;
        added++;
    }
    return review->actions[ACTION_DENY] == added || add_number(object, "moreCauses", review->actions[ACTION_DENY] - added);
}

static bool add_request(struct arena *arena, cJSON *object, const struct replayed *replayed)
{
    const struct review *review = &replayed->review;
    return add_given(arena, object, "auditID", replayed->audit_id) && add_given(arena, object, "time", replayed->time) &&
           add_given(arena, object, "user", replayed->user) && add_given(arena, object, "verb", replayed->verb) &&
           add_given(arena, object, "group", review->group) && add_given(arena, object, "version", review->version) &&
           add_given(arena, object, "kind", review->kind) && add_given(arena, object, "subresource", review->sub_resource) &&
           add_given(arena, object, "namespace", replayed->space) && add_given(arena, object, "name", review->name) &&
           (!replayed->dry_run || cJSON_AddTrueToObject(object, "dryRun")) &&
           (!replayed->code || add_number(object, "code", (uint64_t)replayed->code)) &&
           add_text(object, "then", then_words[replayed->then]) && add_text(object, "now", "denied") &&
           (!replayed->without_old || cJSON_AddTrueToObject(object, "withoutOldObject"));
}

enum failure audit_json_record(const struct review_settings *settings, struct arena *arena, const struct audit_place *place,
                               const struct replayed *replayed)
{
    cJSON *object = cJSON_CreateObject();
    bool filled = object && add_version(object, settings) && add_text(object, "file", place->file) &&
                  add_number(object, "line", place->line) && add_request(arena, object, replayed) && add_causes(arena, object, replayed);
    return print(object, filled);
}

/* ---- the summary ---- */

static bool add_count(cJSON *object, const struct audit_count *count)
{
    for (int then = 0; then < REPLAY_THENS; then++)
        if (!add_number(object, then_words[then], count->then[then]))
            return false;
    return true;
}

static bool add_sum(cJSON *summary, const char *name, const struct audit_count *count)
{
    cJSON *object = cJSON_AddObjectToObject(summary, name);
    return object && add_count(object, count);
}

/* Denied writes by a label. What is not listed is summed up as "others". */
static bool add_rows(cJSON *summary, const char *name, const char *label, struct audit_rows rows, const struct audit_count *others)
{
    cJSON *list = cJSON_AddArrayToObject(summary, name);
    bool good = list && rows.rows;
    for (uint32_t i = 0; i < rows.count && good; i++) {
        cJSON *row = cJSON_CreateObject();
        good = row && cJSON_AddItemToArray(list, row);
        if (!good)
            cJSON_Delete(row);
        good = good && add_text(row, label, rows.rows[i].label) && add_count(row, &rows.rows[i].denied);
    }
    return good && (!others || !audit_sum(others) || add_sum(summary, "others", others));
}

static bool add_outcomes(cJSON *summary, const struct audit_tally *tally)
{
    const uint64_t *outcomes = tally->outcomes;
    const struct {
        const char *name;
        uint64_t count;
    } members[] = {
        { "events", tally->events },
        { "validated", outcomes[REPLAY_VALIDATED] },
        { "dryRuns", tally->dry_runs },
        { "withoutOldObject", tally->without_old },
        { "warned", tally->warned },
        { "notServed", outcomes[REPLAY_NOT_SERVED] },
        { "withoutObject", outcomes[REPLAY_NO_OBJECT] },
        { "jsonPatches", tally->patches[PATCH_JSON] },
        { "mergePatches", tally->patches[PATCH_MERGE] },
        { "applyPatches", tally->patches[PATCH_APPLY] },
        { "deletions", outcomes[REPLAY_DELETION] },
        { "otherKinds", outcomes[REPLAY_OTHER_KIND] },
        { "reads", outcomes[REPLAY_READ] },
        { "otherStages", outcomes[REPLAY_OTHER_STAGE] },
        { "unreadable", tally->unread },
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (!add_number(summary, members[i].name, members[i].count))
            return false;
    return true;
}

enum failure audit_json_summary(const struct audit_tally *tally, const struct review_settings *settings, struct arena *arena)
{
    cJSON *object = cJSON_CreateObject(), *summary = object ? cJSON_AddObjectToObject(object, "summary") : NULL;
    bool filled = summary && add_version(summary, settings) && add_outcomes(summary, tally) &&
                  add_sum(summary, "writes", &tally->writes) && add_sum(summary, "denied", &tally->denied) &&
                  add_rows(summary, "rules", "rule", audit_rule_rows(tally, arena), NULL) &&
                  add_rows(summary, "users", "user", audit_user_rows(tally, arena), &tally->others.denied) &&
                  add_rows(summary, "kinds", "kind", audit_kind_rows(tally, arena), NULL);
    return print(object, filled);
}
