/* Reads a configuration. Its members, their types and their enums are validated by the tables of configuration_schema.c, like an object;
 * policies.c checks the words in policies, lint_members.c reads what is for lint alone. */
#include "review/configuration.h"

#include <stdio.h>

#include "base/limits.h"
#include "base/text.h"
#include "doc/manifest.h"
#include "object/object.h"
#include "review/enforcement.h"
#include "review/configuration_schema.h"
#include "review/reading.h"
#include "validate/context.h"
#include "validate/hint.h"

/* ---- the document ---- */

static void take_error(struct reading *reading, enum failure failure, const struct doc_error *error)
{
    if (failure == FAILURE_SYNTAX || (failure == FAILURE_LIMIT && error->message))
        reading_mistake(reading, error->offset, "", error->message);
    else
        reading->failure = failure;
}

/* Finds the only document with content. */
static void read_document(struct reading *reading, struct bytes text)
{
    struct manifest manifest;
    bool more = true;
    manifest_init(&manifest, text, &reading->workspace->arena, reading->workspace->context->key);
    while (!reading->failure && !reading->mistakes->count) {
        struct document document;
        struct doc_error error = { .message = NULL };
        enum failure failure = manifest_next(&manifest, &document, &more, &error);
        if (failure)
            take_error(reading, failure, &error);
        else if (!more)
            break;
        else if (document.root->type != DOC_NULL && reading->document.root)
            reading_mistake(reading, document.root->offset, "", "only one document is allowed");
        else if (document.root->type != DOC_NULL)
            reading->document = document;
    }
    if (!reading->failure && !reading->mistakes->count && !reading->document.root)
        reading_mistake(reading, 0, "", "the file contains no configuration");
}

/* Checks members, types and enums by the tables above. */
static void check_document(struct reading *reading)
{
    const struct check_request request = {
        .operation = CREATE,
        .version = MINOR_DEFAULT,
        .kind = &configuration_kind,
        .document = &reading->document,
        .object = reading->document.root,
        .unknown_fields = UNKNOWN_REFUSED,
        .hint = hint_add,
        .workspace = reading->workspace,
    };
    struct check_result result;
    uint32_t reported = 0;
    object_bind(request.version, configuration_kind.shape, reading->document.root);
    reading->failure = validate_object(&request, &result);
    if (reading->failure)
        return;
    for (const struct finding *finding = result.findings.first; finding && !reading->failure; finding = finding->next) {
        if (finding->severity != SEVERITY_ERROR)
            continue;
        reading_mistake(reading, finding->offset, finding->path, hint_finding_words(reading->workspace, finding));
        reported++;
    }
    reading->mistakes->count += result.findings.errors - reported;
}

/* A webhook belongs to one API server; lint takes a range, too. */
static void refuse_version(struct reading *reading, uint32_t offset, bool range)
{
    char words[128];
    snprintf(words, sizeof words, "must be a Kubernetes version from %s%s",
             versions_words((struct versions){ MINOR_OLDEST, MINOR_NEWEST }).text,
             reading->for_lint ? ", or a range of them, such as 1.34..1.37" : range ? ": a range is for lint" : "");
    reading_mistake(reading, offset, "kubernetesVersion", words);
}

static void read_version(struct reading *reading, const struct doc_node *node)
{
    char text[64];
    struct versions versions = { 0, 0 };
    struct bytes written = node && node->type == DOC_STRING ? doc_text(node) : (struct bytes){ "", 0 };
    if (!node || node->type != DOC_STRING)
        return;
    snprintf(text, sizeof text, "%.*s", written.length < sizeof text ? (int)written.length : 0, written.data);
    bool read = strlen(text) == written.length && versions_read(text, &versions), range = read && versions.since != versions.until;
    if (!read || (range && !reading->for_lint))
        refuse_version(reading, node->offset, range);
    else
        reading->configuration->versions = versions;
    reading->configuration->version = versions.until;
}

/* What is not named has the default of the version. */
static void read_gates(struct reading *reading, const struct doc_node *settings)
{
    struct configuration *configuration = reading->configuration;
    if (!settings || settings->type != DOC_OBJECT)
        return;
    configuration->has_gates = true;
    doc_each(settings, gate) {
        struct error error;
        if (gate->type == DOC_NULL)
            reading_mistake(reading, gate->name_offset, "featureGates", "a gate is true or false, not null");
        else if (!gate_settings_set(doc_name(gate), gate->type == DOC_TRUE, &configuration->gates, &error))
            reading_mistake(reading, gate->name_offset, "featureGates", error.text);
    }
    const struct versions newest = { MINOR_DEFAULT, MINOR_DEFAULT };
    struct error error;
    if (!reading->mistakes->count &&
        !gate_settings_check_all(&configuration->gates, configuration->version ? configuration->versions : newest, &error))
        reading_mistake(reading, settings->offset, "featureGates", error.text);
}

/* Reads the values of a document that has passed the checks. */
static void read_members(struct reading *reading)
{
    const struct doc_node *root = reading->document.root, *mode = doc_member(root, "mode");
    read_version(reading, doc_member(root, "kubernetesVersion"));
    read_gates(reading, doc_member(root, "featureGates"));
    if (mode && mode->type == DOC_STRING && !enforcement_read(doc_text(mode), &reading->configuration->mode))
        reading_mistake(reading, mode->offset, "mode", "must be enforce, warn or audit");
    reading_policies(reading, doc_member(root, "policies"));
    reading_lint(reading, root);
}

static enum failure read_with(struct workspace *workspace, struct bytes text, bool for_lint, struct configuration *configuration,
                              struct configuration_mistakes *mistakes)
{
    struct reading reading = { .configuration = configuration, .mistakes = mistakes, .workspace = workspace, .for_lint = for_lint };
    lines_init(&reading.lines, workspace->context->memory, text);
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

static enum failure read(const struct memory *memory, struct bytes text, bool for_lint, struct configuration *configuration,
                         struct configuration_mistakes *mistakes)
{
    struct context context;
    struct workspace workspace;
    enum failure failure = context_init(&context, memory);
    if (failure)
        return failure;
    failure = workspace_init(&workspace, &context);
    if (!failure) {
        *configuration = (struct configuration){ .version = 0, .mode = ENFORCEMENT_DENY, .fail_on = LEVEL_ERROR };
        mistakes->count = mistakes->warning_count = 0;
        arena_init(&configuration->arena, memory, LIMIT_ARENA_BYTES);
        failure = read_with(&workspace, text, for_lint, configuration, mistakes);
        if (failure)
            arena_done(&configuration->arena);
        workspace_done(&workspace);
    }
    context_done(&context);
    return failure;
}

enum failure configuration_read(const struct memory *memory, struct bytes text, struct configuration *configuration,
                                struct configuration_mistakes *mistakes)
{
    return read(memory, text, false, configuration, mistakes);
}

enum failure configuration_read_for_lint(const struct memory *memory, struct bytes text, struct configuration *configuration,
                                         struct configuration_mistakes *mistakes)
{
    return read(memory, text, true, configuration, mistakes);
}

void configuration_done(struct configuration *configuration)
{
    driver_files_done(&configuration->driver_files);
    arena_done(&configuration->arena);
}

bool configuration_fits(const struct configuration *configuration, const struct review_overrides *overrides,
                        struct configuration_mistakes *mistakes)
{
    struct error error;
    if (!overrides->version || overrides->has_gates || gate_settings_check(&configuration->gates, overrides->version, &error))
        return true;
    mistakes->count = 1;
    mistakes->list[0] = (struct configuration_mistake){ .line = 1, .column = 1 };
    snprintf(mistakes->list[0].text, sizeof mistakes->list[0].text, "featureGates: %.400s", error.text);
    return false;
}

struct review_settings configuration_settings(const struct configuration *configuration, const struct review_overrides *overrides)
{
    minor version = overrides->version ? overrides->version : configuration ? configuration->version : 0;
    const struct gate_settings guess = gates_of_webhook();
    const struct gate_settings *settings = configuration && configuration->has_gates ? &configuration->gates : &guess;
    return (struct review_settings){
        .version = version ? version : MINOR_DEFAULT,
        .gates = overrides->has_gates ? overrides->gates : *settings,
        .profile = version ? PROFILE_WEBHOOK : PROFILE_UNKNOWN_VERSION,
        .mode = overrides->has_mode ? overrides->mode : configuration ? configuration->mode : ENFORCEMENT_DENY,
        .drivers = configuration && configuration->driver_files.count ? &configuration->driver_files.drivers : NULL,
        .policies = configuration && configuration->policies.count ? &configuration->policies : NULL,
    };
}
