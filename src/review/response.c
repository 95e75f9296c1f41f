/* The response to a review: JSON for the API server, text for people. */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/limits.h"
#include "base/text.h"
#include "check/limits.h"
#include "review/limits.h"
#include "review/review.h"
#include "validate/limits.h"

/* ---- texts ---- */

/* Appends "path: message [rule]". */
static void add_finding(struct text *text, const struct finding *finding)
{
    if (*finding->path) {
        text_add_escaped(text, bytes_of(finding->path), LIMIT_MESSAGE_BYTES);
        text_add(text, ": ");
    }
    text_add(text, finding->message);
    text_add(text, " [");
    text_add(text, rule_info(finding->rule)->id);
    text_add(text, "]");
}

/* Cuts the text after `start` to `limit` bytes, between characters. */
static void cut(struct text *text, size_t start, size_t limit)
{
    if (text->failed || text->length - start <= limit)
        return;
    text->length = start + limit - 3;
    while (text->length > start && ((unsigned char)text->data[text->length] & 0xC0) == 0x80)
        text->length--;
    text_add(text, "...");
}

/* Appends Kind.group "name". */
static void add_subject(struct text *text, const struct review *review)
{
    text_add_escaped(text, review->kind, LIMIT_QUOTE_BYTES);
    text_add(text, review->group.length ? "." : "");
    text_add_escaped(text, review->group, LIMIT_QUOTE_BYTES);
    text_add(text, " ");
    text_add_quoted(text, review->name, LIMIT_QUOTE_BYTES);
}

/* The message of a denial, in the API server's words: Kind.group "name" is invalid: [cause, cause]. */
static const char *denial(struct workspace *workspace, const struct review *review)
{
    struct text text;
    uint32_t listed = 0, errors = review->actions[ACTION_DENY];
    text_init(&text, &workspace->arena);
    add_subject(&text, review);
    text_add(&text, errors > 1 ? " is invalid: [" : " is invalid: ");
    for (uint32_t i = 0; i < review->answer_count && text.length < LIMIT_MESSAGE_BYTES; i++) {
        if (review->answers[i].action != ACTION_DENY)
            continue;
        text_add(&text, listed++ ? ", " : "");
        add_finding(&text, review->answers[i].finding);
    }
    if (listed < errors) {
        text_add(&text, ", and ");
        text_add_integer(&text, errors - listed);
        text_add(&text, " more");
    }
    text_add(&text, errors > 1 ? "]" : "");
    return text_end(&text);
}

const char *review_text(struct workspace *workspace, const struct review *review)
{
    static const char *const verdicts[REVIEW_OUTCOMES] = {
        [REVIEW_ALLOWED] = "allowed", [REVIEW_DENIED] = "denied ", [REVIEW_SKIPPED] = "allowed",
        [REVIEW_BAD] = "",            [REVIEW_TOO_LARGE] = "",     [REVIEW_FAILED] = "",
    };
    static const char *const words[FINDING_ACTIONS] = {
        [ACTION_DENY] = "error",
        [ACTION_WARN] = "warning",
        [ACTION_AUDIT] = "audit",
        [ACTION_NONE] = "info",
    };
    struct text text;
    text_init(&text, &workspace->arena);
    text_add(&text, verdicts[review->outcome]);
    text_add(&text, " ");
    text_add_escaped(&text, review->operation, LIMIT_QUOTE_BYTES);
    text_add(&text, " ");
    add_subject(&text, review);
    if (review->outcome == REVIEW_SKIPPED)
        text_add(&text, " (no rules)");
    text_add(&text, "\n");
    for (uint32_t i = 0; i < review->answer_count; i++) {
        text_add(&text, "  ");
        text_add(&text, words[review->answers[i].action]);
        text_add(&text, ": ");
        add_finding(&text, review->answers[i].finding);
        text_add(&text, "\n");
    }
    uint32_t all = review->findings.errors + review->findings.warnings + review->findings.infos;
    if (all > review->findings.kept) {
        text_add(&text, "  and ");
        text_add_integer(&text, all - review->findings.kept);
        text_add(&text, " more\n");
    }
    return text_end(&text);
}

/* ---- JSON ---- */

/* Returns false when memory is short: here, or before, when `value` was made and is NULL. cJSON copies the text. */
static bool add_text(cJSON *object, const char *name, const char *value)
{
    return value && cJSON_AddStringToObject(object, name, value);
}

static bool add_bytes(struct workspace *workspace, cJSON *object, const char *name, struct bytes bytes)
{
    struct text text;
    text_init(&text, &workspace->arena);
    text_add_bytes(&text, bytes);
    return add_text(object, name, text_end(&text));
}

/* Adds text of the request, escaped, and cut to the longest valid name. */
static bool add_escaped(struct workspace *workspace, cJSON *object, const char *name, struct bytes bytes)
{
    struct text text;
    text_init(&text, &workspace->arena);
    text_add_escaped(&text, bytes, LIMIT_NAME_BYTES);
    return add_text(object, name, text_end(&text));
}

static bool add_cause(struct workspace *workspace, cJSON *causes, const struct finding *finding)
{
    struct text text;
    text_init(&text, &workspace->arena);
    text_add(&text, finding->message);
    text_add(&text, " [");
    text_add(&text, rule_info(finding->rule)->id);
    text_add(&text, "]");
    cJSON *cause = cJSON_CreateObject();
    if (!cause || !cJSON_AddItemToArray(causes, cause)) {
        cJSON_Delete(cause);
        return false;
    }
    return add_text(cause, "reason", reason_info(finding->reason)->cause) && add_text(cause, "message", text_end(&text)) &&
           add_text(cause, "field", finding->path);
}

/* The findings that deny. Programs read field and reason of a cause, so causes that differ in these come first. */
struct causes {
    uint32_t count, distinct;
    bool first[LIMIT_FINDINGS]; /* cause i is the first one with its field and reason */
};

static bool find_causes(struct workspace *workspace, const struct review *review, struct causes *causes)
{
    struct map seen;
    if (map_init(&seen, &workspace->arena, review->findings.kept, workspace->context->key))
        return false;
    causes->count = causes->distinct = 0;
    for (uint32_t i = 0; i < review->answer_count; i++) {
        const struct finding *finding = review->answers[i].finding;
        struct text key;
        if (review->answers[i].action != ACTION_DENY)
            continue;
        text_init(&key, &workspace->arena);
        text_add_integer(&key, finding->reason);
        text_add(&key, finding->path);
        if (!text_end(&key))
            return false;
        causes->first[causes->count] = !map_add(&seen, (struct bytes){ key.data, (uint32_t)key.length }, finding);
        causes->distinct += causes->first[causes->count++];
    }
    return true;
}

/* Adds at most LIMIT_CAUSES. Causes that repeat the field and reason of another one get only the room that the others leave. */
static bool add_causes(struct workspace *workspace, cJSON *details, const struct review *review)
{
    cJSON *array = cJSON_AddArrayToObject(details, "causes");
    struct causes causes;
    uint32_t index = 0, added = 0;
    if (!array || !find_causes(workspace, review, &causes))
        return false;
    uint32_t room = causes.distinct < LIMIT_CAUSES ? LIMIT_CAUSES - causes.distinct : 0;
    for (uint32_t i = 0; i < review->answer_count && added < LIMIT_CAUSES; i++) {
        bool denies = review->answers[i].action == ACTION_DENY, repeat = denies && !causes.first[index++];
        if (!denies || (repeat && room == 0))
            continue;
        if (!add_cause(workspace, array, review->answers[i].finding))
            return false;
        room -= repeat;
        added++;
    }
    return true;
}

static bool add_details(struct workspace *workspace, cJSON *status, const struct review *review)
{
    cJSON *details = cJSON_AddObjectToObject(status, "details");
    return details && add_escaped(workspace, details, "name", review->name) && add_escaped(workspace, details, "group", review->group) &&
           add_escaped(workspace, details, "kind", review->kind) && add_causes(workspace, details, review);
}

static bool add_status(struct workspace *workspace, cJSON *response, const struct review *review)
{
    cJSON *status = cJSON_AddObjectToObject(response, "status");
    return status && add_text(status, "status", "Failure") && add_text(status, "message", denial(workspace, review)) &&
           add_text(status, "reason", "Invalid") && add_details(workspace, status, review) && cJSON_AddNumberToObject(status, "code", 422);
}

static bool add_warning(cJSON *warnings, struct text *text)
{
    const char *end = text_end(text);
    cJSON *warning = end ? cJSON_CreateString(end) : NULL;
    if (warning && cJSON_AddItemToArray(warnings, warning))
        return true;
    cJSON_Delete(warning);
    return false;
}

static bool add_warnings(struct workspace *workspace, cJSON *response, const struct review *review)
{
    cJSON *warnings = cJSON_AddArrayToObject(response, "warnings");
    uint32_t all = review->actions[ACTION_WARN], added = 0;
    size_t total = LIMIT_WARNING_BYTES; /* reserved for the last one: "and N more" */
    struct text text;
    if (!warnings)
        return false;
    for (uint32_t i = 0; i < review->answer_count; i++) {
        if (review->answers[i].action != ACTION_WARN)
            continue;
        text_init(&text, &workspace->arena);
        add_finding(&text, review->answers[i].finding);
        cut(&text, 0, LIMIT_WARNING_BYTES);
        total += text.length;
        if (total > LIMIT_WARNINGS_BYTES)
            break;
        if (!add_warning(warnings, &text))
            return false;
        added++;
    }
    text_init(&text, &workspace->arena);
    text_add(&text, "and ");
    text_add_integer(&text, all - added);
    text_add(&text, " more");
    return added == all || add_warning(warnings, &text);
}

/* The ids of the rules of errors and warnings, each once, separated by commas. */
static const char *broken_rules(struct workspace *workspace, const struct review *review)
{
    bool seen[RULE_COUNT] = { false };
    struct text text;
    text_init(&text, &workspace->arena);
    for (uint32_t i = 0; i < review->answer_count && text.length < LIMIT_ANNOTATION_BYTES; i++) {
        enum rule rule = review->answers[i].finding->rule;
        if (review->answers[i].action == ACTION_NONE || seen[rule])
            continue;
        seen[rule] = true;
        text_add(&text, text.length ? "," : "");
        text_add(&text, rule_info(rule)->id);
    }
    cut(&text, 0, LIMIT_ANNOTATION_BYTES);
    return text_end(&text);
}

static bool add_count(struct workspace *workspace, cJSON *object, const char *name, uint32_t count)
{
    struct text text;
    text_init(&text, &workspace->arena);
    text_add_integer(&text, count);
    return add_text(object, name, text_end(&text));
}

/* Adds annotations for the audit log, in every mode. They contain no values of the object. */
static bool add_annotations(struct workspace *workspace, cJSON *response, const struct review *review)
{
    uint32_t demoted = 0;
    for (int i = 0; i < REVIEW_DEMOTIONS; i++)
        demoted += review->demoted[i];
    cJSON *annotations = cJSON_AddObjectToObject(response, "auditAnnotations");
    return annotations && add_text(annotations, "rules", broken_rules(workspace, review)) &&
           add_count(workspace, annotations, "findings", review->findings.errors + review->findings.warnings) &&
           (!demoted || add_count(workspace, annotations, "demoted", demoted));
}

static bool fill_response(struct workspace *workspace, cJSON *root, const struct review *review)
{
    bool denied = review->outcome == REVIEW_DENIED, warns = review->actions[ACTION_WARN];
    bool found = review->findings.errors || review->findings.warnings;
    cJSON *response;
    return add_text(root, "kind", "AdmissionReview") && add_text(root, "apiVersion", "admission.k8s.io/v1") &&
           (response = cJSON_AddObjectToObject(root, "response")) && add_bytes(workspace, response, "uid", review->uid) &&
           cJSON_AddBoolToObject(response, "allowed", !denied) && (!denied || add_status(workspace, response, review)) &&
           (!warns || add_warnings(workspace, response, review)) && (!found || add_annotations(workspace, response, review));
}

/* Whether the text needs no escapes in JSON. */
static bool is_plain(struct bytes text)
{
    for (uint32_t i = 0; i < text.length; i++)
        if ((unsigned char)text.data[i] < ' ' || (unsigned char)text.data[i] > '~' || text.data[i] == '"' || text.data[i] == '\\')
            return false;
    return true;
}

/* The response to nearly every review: allowed, without warnings and annotations. Made without cJSON, because that is faster. */
static char *bare_response(struct bytes uid)
{
    static const char before[] = "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"response\":{\"uid\":\"";
    static const char after[] = "\",\"allowed\":true}}";
    char *json = malloc(sizeof before - 1 + uid.length + sizeof after);
    if (!json)
        return NULL;
    memcpy(json, before, sizeof before - 1);
    memcpy(json + sizeof before - 1, uid.data, uid.length);
    memcpy(json + sizeof before - 1 + uid.length, after, sizeof after);
    return json;
}

char *review_response(struct workspace *workspace, const struct review *review)
{
    if (review->outcome != REVIEW_DENIED && !review->findings.errors && !review->findings.warnings && is_plain(review->uid))
        return bare_response(review->uid);
    cJSON *root = cJSON_CreateObject();
    char *json = root && fill_response(workspace, root, review) ? cJSON_PrintUnformatted(root) : NULL;
    cJSON_Delete(root);
    return json;
}
