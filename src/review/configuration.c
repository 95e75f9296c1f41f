/* The document: its members and their types by a table of the engine's own, then what only words can be wrong about. */
#include "review/configuration.h"

#include <stdio.h>

#include "base/text.h"
#include "doc/manifest.h"
#include "review/reading.h"

/* ---- what a configuration looks like ---- */

static const char *const modes[] = { [MODE_ENFORCE] = "enforce", [MODE_WARN] = "warn", [MODE_AUDIT] = "audit", [REVIEW_MODES] = NULL };

#define WORDS(limit) LIST(STRING), POINTER, CHECKS(NON_EMPTY(DETAIL("must not be empty: leave it out to fit everything")), MAX_ITEMS(limit))

static const struct field policy_fields[] = {
    FIELD("namespaces", WORDS(LIMIT_POLICY_NAMESPACES)),
    FIELD("kinds",      WORDS(LIMIT_POLICY_ENTRIES)),
    FIELD("rules",      WORDS(LIMIT_POLICY_ENTRIES)),
    FIELD("fields",     WORDS(LIMIT_POLICY_ENTRIES)),
    FIELD("mode",       STRING, CHECKS(REQUIRED(STOP), ENUM(modes))),
};
static const struct shape policy_shape = OBJECT(policy_fields);

static const struct field configuration_fields[] = {
    FIELD("apiVersion",        STRING, CHECKS(REQUIRED(STOP), ENUM(NAMES("drawbridge.dev/v1alpha1")))),
    FIELD("kind",              STRING, CHECKS(REQUIRED(STOP), ENUM(NAMES("Configuration")))),
    FIELD("kubernetesVersion", STRING),
    FIELD("mode",              STRING, POINTER, CHECKS(ENUM(modes))),
    FIELD("policies",          LIST(&policy_shape), CHECKS(MAX_ITEMS(LIMIT_POLICIES))),
};
static const struct shape configuration_shape = OBJECT(configuration_fields, SOURCE("README"));

static const struct kind configuration_kind = {
    .group = BYTES("drawbridge.dev"), .version = BYTES("v1alpha1"), .kind = BYTES("Configuration"), .resource = BYTES("configurations"), .shape = &configuration_shape,
};

const char *mode_word(enum review_mode mode)
{
    return modes[mode];
}

bool mode_read(struct bytes text, enum review_mode *mode)
{
    for (int i = 0; i < REVIEW_MODES; i++) {
        if (bytes_equal_text(text, modes[i])) {
            *mode = (enum review_mode)i;
            return true;
        }
    }
    return false;
}

/* ---- mistakes ---- */

bool reading_is_full(const struct reading *reading)
{
    return reading->failure || reading->mistakes->count >= LIMIT_CONFIGURATION_MISTAKES;
}

void reading_mistake(struct reading *reading, uint32_t offset, const char *path, const char *words)
{
    struct position position;
    struct text text;
    if (reading_is_full(reading)) {
        reading->mistakes->count += !reading->failure;
        return;
    }
    text_init(&text, &reading->worker->arena);
    text_add_echo(&text, bytes_of(path), LIMIT_MISTAKE_BYTES / 2);
    text_add(&text, *path ? ": " : "");
    text_add(&text, words);
    const char *whole = text_end(&text);
    reading->failure = whole ? lines_find(&reading->lines, offset, &position) : reading->worker->arena.failure;
    if (reading->failure)
        return;
    struct configuration_mistake *mistake = &reading->mistakes->list[reading->mistakes->count++];
    mistake->line = position.line;
    mistake->column = position.column;
    snprintf(mistake->text, sizeof mistake->text, "%s", whole);
}

/* ---- the document ---- */

static void take_error(struct reading *reading, enum failure failure, const struct doc_error *error)
{
    if (failure == FAILURE_SYNTAX || (failure == FAILURE_LIMIT && error->message))
        reading_mistake(reading, error->offset, "", error->message);
    else
        reading->failure = failure;
}

/* The first document that holds something; there must not be another. */
static void read_document(struct reading *reading, struct bytes text)
{
    struct manifest manifest;
    bool more = true;
    manifest_init(&manifest, text, &reading->worker->arena, reading->worker->context->key);
    while (!reading->failure && !reading->mistakes->count) {
        struct document document;
        struct doc_error error = { .message = NULL };
        enum failure failure = manifest_next(&manifest, &document, &more, &error);
        if (failure)
            take_error(reading, failure, &error);
        else if (!more)
            break;
        else if (document.root->type != DOC_NULL && reading->document.root)
            reading_mistake(reading, document.root->offset, "", "only one document may be there");
        else if (document.root->type != DOC_NULL)
            reading->document = document;
    }
    if (!reading->failure && !reading->mistakes->count && !reading->document.root)
        reading_mistake(reading, 0, "", "there is no configuration in it");
}

/* Members and their types, and words from short lists. */
static void check_document(struct reading *reading)
{
    const struct check_request request = {
        .operation = CREATE, .version = MINOR_DEFAULT, .kind = &configuration_kind, .document = &reading->document, .object = reading->document.root,
        .unknown_fields = UNKNOWN_REFUSED, .hints = true, .worker = reading->worker,
    };
    struct check_result result;
    uint32_t told = 0;
    shape_bind(request.version, &configuration_shape, reading->document.root);
    reading->failure = check_object(&request, &result);
    if (reading->failure)
        return;
    for (const struct finding *finding = result.findings.first; finding && !reading->failure; finding = finding->next) {
        struct text text;
        if (finding->severity != SEVERITY_ERROR)
            continue;
        text_init(&text, &reading->worker->arena);
        text_add(&text, finding->message);
        text_add(&text, finding->hint ? "; " : "");
        text_add(&text, finding->hint ? finding->hint : "");
        const char *words = text_end(&text);
        reading_mistake(reading, finding->offset, finding->path, words ? words : "");
        told++;
    }
    reading->mistakes->count += result.findings.errors - told;
}

static void read_members(struct reading *reading)
{
    const struct doc_node *root = reading->document.root, *version = doc_member(root, "kubernetesVersion"), *mode = doc_member(root, "mode");
    if (version && version->type == DOC_STRING) {
        char text[32];
        struct bytes written = doc_text(version);
        snprintf(text, sizeof text, "%.*s", written.length < sizeof text ? (int)written.length : 0, written.data);
        if (strlen(text) != written.length || !version_read(text, &reading->configuration->version))
            reading_mistake(reading, version->offset, "kubernetesVersion", "must be a Kubernetes version from 1.31 to 1.36");
    }
    if (mode && mode->type == DOC_STRING && !mode_read(doc_text(mode), &reading->configuration->mode))
        reading_mistake(reading, mode->offset, "mode", "must be enforce, warn or audit");
    reading_policies(reading, doc_member(root, "policies"));
}

static enum failure read_with(struct worker *worker, struct bytes text, struct configuration *configuration, struct configuration_mistakes *mistakes)
{
    struct reading reading = { .configuration = configuration, .mistakes = mistakes, .worker = worker };
    lines_init(&reading.lines, worker->context->memory, text);
    if (text.length > LIMIT_CONFIGURATION_BYTES)
        reading_mistake(&reading, 0, "", "is larger than 1 MiB");
    else
        read_document(&reading, text);
    if (!reading.failure && !mistakes->count)
        check_document(&reading);
    if (!reading.failure && !mistakes->count)
        read_members(&reading);
    lines_done(&reading.lines);
    return reading.failure ? reading.failure : mistakes->count ? FAILURE_SYNTAX : FAILURE_NONE;
}

enum failure configuration_read(const struct memory *memory, struct bytes text, struct configuration *configuration, struct configuration_mistakes *mistakes)
{
    struct context context;
    struct worker worker;
    enum failure failure = context_init(&context, memory);
    if (failure)
        return failure;
    failure = worker_init(&worker, &context);
    if (!failure) {
        *configuration = (struct configuration){ .version = 0, .mode = MODE_ENFORCE };
        mistakes->count = 0;
        arena_init(&configuration->arena, memory, LIMIT_ARENA_BYTES);
        failure = read_with(&worker, text, configuration, mistakes);
        if (failure)
            arena_done(&configuration->arena);
        worker_done(&worker);
    }
    context_done(&context);
    return failure;
}

void configuration_done(struct configuration *configuration)
{
    arena_done(&configuration->arena);
}

struct review_settings configuration_settings(const struct configuration *configuration, const struct review_overrides *overrides)
{
    minor version = overrides->version ? overrides->version : configuration ? configuration->version : 0;
    return (struct review_settings){
        .version = version ? version : MINOR_DEFAULT,
        .policy = version ? REVIEW_ENFORCE : REVIEW_OBSERVE,
        .mode = overrides->has_mode ? overrides->mode : configuration ? configuration->mode : MODE_ENFORCE,
        .policies = configuration && configuration->policies.count ? &configuration->policies : NULL,
    };
}
