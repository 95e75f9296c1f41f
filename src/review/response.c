/* The answer to a review: JSON for the API server, text for people. */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/limits.h"
#include "base/text.h"
#include "review/review.h"

/* ---- texts ---- */

/* Appends "path: message [rule]". */
static void add_finding(struct text *text, const struct finding *finding)
{
    if (*finding->path) {
        text_add_echo(text, bytes_of(finding->path), LIMIT_MESSAGE_BYTES);
        text_add(text, ": ");
    }
    text_add(text, finding->message);
    text_add(text, " [");
    text_add(text, rule_info(finding->rule)->id);
    text_add(text, "]");
}

/* Cuts what follows `start` to `limit` bytes, in the middle of no character. */
static void cut(struct text *text, size_t start, size_t limit)
{
    if (text->failed || text->length - start <= limit)
        return;
    text->length = start + limit - 3;
    while (text->length > start && ((unsigned char)text->data[text->length] & 0xC0) == 0x80)
        text->length--;
    text_add(text, "...");
}

/* Kind.group "name" */
static void add_subject(struct text *text, const struct review *review)
{
    text_add_echo(text, review->kind, LIMIT_ECHO_BYTES);
    text_add(text, review->group.length ? "." : "");
    text_add_echo(text, review->group, LIMIT_ECHO_BYTES);
    text_add(text, " ");
    text_add_quoted(text, review->name, LIMIT_ECHO_BYTES);
}

/* The message of a denial, as the API server words its own: Kind.group "name" is invalid: [cause, cause]. */
static const char *denial(struct worker *worker, const struct review *review)
{
    struct text text;
    uint32_t listed = 0, errors = review->actions[ACTION_DENY];
    text_init(&text, &worker->arena);
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

const char *review_text(struct worker *worker, const struct review *review)
{
    static const char *const verdicts[REVIEW_OUTCOMES] = {
        [REVIEW_ALLOWED] = "allowed", [REVIEW_DENIED] = "denied ", [REVIEW_SKIPPED] = "allowed", [REVIEW_BAD] = "", [REVIEW_TOO_LARGE] = "", [REVIEW_FAILED] = "",
    };
    static const char *const words[REVIEW_ACTIONS] = { [ACTION_DENY] = "error", [ACTION_WARN] = "warning", [ACTION_AUDIT] = "audit", [ACTION_NONE] = "info" };
    struct text text;
    text_init(&text, &worker->arena);
    text_add(&text, verdicts[review->outcome]);
    text_add(&text, " ");
    text_add_echo(&text, review->operation, LIMIT_ECHO_BYTES);
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

/* cJSON copies every text it is given, and returns NULL when memory is short; so does this, for a NULL text, too. */
static bool add_text(cJSON *object, const char *name, const char *value)
{
    return value && cJSON_AddStringToObject(object, name, value);
}

static bool add_bytes(struct worker *worker, cJSON *object, const char *name, struct bytes bytes)
{
    struct text text;
    text_init(&text, &worker->arena);
    text_add_bytes(&text, bytes);
    return add_text(object, name, text_end(&text));
}

/* What a request says of its object; a name that is longer than names are is cut. */
static bool add_echo(struct worker *worker, cJSON *object, const char *name, struct bytes bytes)
{
    struct text text;
    text_init(&text, &worker->arena);
    text_add_echo(&text, bytes, LIMIT_NAME_BYTES);
    return add_text(object, name, text_end(&text));
}

static bool add_cause(struct worker *worker, cJSON *causes, const struct finding *finding)
{
    struct text text;
    text_init(&text, &worker->arena);
    text_add(&text, finding->message);
    text_add(&text, " [");
    text_add(&text, rule_info(finding->rule)->id);
    text_add(&text, "]");
    cJSON *cause = cJSON_CreateObject();
    if (!cause || !cJSON_AddItemToArray(causes, cause)) {
        cJSON_Delete(cause);
        return false;
    }
    return add_text(cause, "reason", reason_info(finding->reason)->cause) && add_text(cause, "message", text_end(&text)) && add_text(cause, "field", finding->path);
}

/* The causes that deny; first[i] is whether field and reason, which programs look at, are new with cause i. */
struct causes {
    uint32_t count, distinct;
    bool first[LIMIT_FINDINGS];
};

static bool find_causes(struct worker *worker, const struct review *review, struct causes *causes)
{
    struct set seen;
    if (set_init(&seen, &worker->arena, review->findings.kept, worker->context->key))
        return false;
    causes->count = causes->distinct = 0;
    for (uint32_t i = 0; i < review->answer_count; i++) {
        const struct finding *finding = review->answers[i].finding;
        struct text key;
        if (review->answers[i].action != ACTION_DENY)
            continue;
        text_init(&key, &worker->arena);
        text_add_integer(&key, finding->reason);
        text_add(&key, finding->path);
        if (!text_end(&key))
            return false;
        causes->first[causes->count] = !set_add(&seen, (struct bytes){ key.data, (uint32_t)key.length }, finding);
        causes->distinct += causes->first[causes->count++];
    }
    return true;
}

/* At most LIMIT_CAUSES; those that repeat another's field and reason fill what room the others leave. */
static bool add_causes(struct worker *worker, cJSON *details, const struct review *review)
{
    cJSON *array = cJSON_AddArrayToObject(details, "causes");
    struct causes causes;
    uint32_t index = 0, added = 0;
    if (!array || !find_causes(worker, review, &causes))
        return false;
    uint32_t room = causes.distinct < LIMIT_CAUSES ? LIMIT_CAUSES - causes.distinct : 0;
    for (uint32_t i = 0; i < review->answer_count && added < LIMIT_CAUSES; i++) {
        bool denies = review->answers[i].action == ACTION_DENY, repeat = denies && !causes.first[index++];
        if (!denies || (repeat && room == 0))
            continue;
        if (!add_cause(worker, array, review->answers[i].finding))
            return false;
        room -= repeat;
        added++;
    }
    return true;
}

static bool add_status(struct worker *worker, cJSON *response, const struct review *review)
{
    cJSON *status = cJSON_AddObjectToObject(response, "status"), *details;
    return status && add_text(status, "status", "Failure") && add_text(status, "message", denial(worker, review)) && add_text(status, "reason", "Invalid") &&
           (details = cJSON_AddObjectToObject(status, "details")) && add_echo(worker, details, "name", review->name) &&
           add_echo(worker, details, "group", review->group) && add_echo(worker, details, "kind", review->kind) && add_causes(worker, details, review) &&
           cJSON_AddNumberToObject(status, "code", 422);
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

static bool add_warnings(struct worker *worker, cJSON *response, const struct review *review)
{
    cJSON *warnings = cJSON_AddArrayToObject(response, "warnings");
    uint32_t all = review->actions[ACTION_WARN], added = 0;
    size_t total = LIMIT_WARNING_BYTES; /* for the last one: how many more there are */
    struct text text;
    if (!warnings)
        return false;
    for (uint32_t i = 0; i < review->answer_count; i++) {
        if (review->answers[i].action != ACTION_WARN)
            continue;
        text_init(&text, &worker->arena);
        add_finding(&text, review->answers[i].finding);
        cut(&text, 0, LIMIT_WARNING_BYTES);
        total += text.length;
        if (total > LIMIT_WARNINGS_BYTES)
            break;
        if (!add_warning(warnings, &text))
            return false;
        added++;
    }
    text_init(&text, &worker->arena);
    text_add(&text, "and ");
    text_add_integer(&text, all - added);
    text_add(&text, " more");
    return added == all || add_warning(warnings, &text);
}

/* Ids of the rules that errors and warnings break, each once. */
static const char *broken_rules(struct worker *worker, const struct review *review)
{
    bool seen[RULE_COUNT] = { false };
    struct text text;
    text_init(&text, &worker->arena);
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

static bool add_count(struct worker *worker, cJSON *object, const char *name, uint32_t count)
{
    struct text text;
    text_init(&text, &worker->arena);
    text_add_integer(&text, count);
    return add_text(object, name, text_end(&text));
}

/* For the audit log, whatever the client is told: no values of objects. */
static bool add_annotations(struct worker *worker, cJSON *response, const struct review *review)
{
    uint32_t demoted = 0;
    for (int i = 0; i < REVIEW_DEMOTIONS; i++)
        demoted += review->demoted[i];
    cJSON *annotations = cJSON_AddObjectToObject(response, "auditAnnotations");
    return annotations && add_text(annotations, "rules", broken_rules(worker, review)) &&
           add_count(worker, annotations, "findings", review->findings.errors + review->findings.warnings) &&
           (!demoted || add_count(worker, annotations, "demoted", demoted));
}

static bool fill_response(struct worker *worker, cJSON *root, const struct review *review)
{
    bool denied = review->outcome == REVIEW_DENIED, warns = review->actions[ACTION_WARN];
    bool found = review->findings.errors || review->findings.warnings;
    cJSON *response;
    return add_text(root, "kind", "AdmissionReview") && add_text(root, "apiVersion", "admission.k8s.io/v1") &&
           (response = cJSON_AddObjectToObject(root, "response")) && add_bytes(worker, response, "uid", review->uid) &&
           cJSON_AddBoolToObject(response, "allowed", !denied) && (!denied || add_status(worker, response, review)) &&
           (!warns || add_warnings(worker, response, review)) && (!found || add_annotations(worker, response, review));
}

/* Whether the text needs no escapes in JSON. */
static bool is_plain(struct bytes text)
{
    for (uint32_t i = 0; i < text.length; i++)
        if ((unsigned char)text.data[i] < ' ' || (unsigned char)text.data[i] > '~' || text.data[i] == '"' || text.data[i] == '\\')
            return false;
    return true;
}

/* What nearly every review is answered with: allowed, and nothing else to say. */
static char *bare_response(struct bytes uid)
{
    static const char before[] = "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"response\":{\"uid\":\"", behind[] = "\",\"allowed\":true}}";
    char *json = malloc(sizeof before - 1 + uid.length + sizeof behind);
    if (!json)
        return NULL;
    memcpy(json, before, sizeof before - 1);
    memcpy(json + sizeof before - 1, uid.data, uid.length);
    memcpy(json + sizeof before - 1 + uid.length, behind, sizeof behind);
    return json;
}

char *review_response(struct worker *worker, const struct review *review)
{
    if (review->outcome != REVIEW_DENIED && !review->findings.errors && !review->findings.warnings && is_plain(review->uid))
        return bare_response(review->uid);
    cJSON *root = cJSON_CreateObject();
    char *json = root && fill_response(worker, root, review) ? cJSON_PrintUnformatted(root) : NULL;
    cJSON_Delete(root);
    return json;
}
