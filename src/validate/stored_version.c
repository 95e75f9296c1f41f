#include "validate/stored_version.h"

#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "doc/json.h"
#include "schema/lifecycle.h"

static const char last_applied[] = "kubectl.kubernetes.io/last-applied-configuration";
static const char last_applied_path[] = "metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]";
static const char managers_path[] = "metadata.managedFields[", manager_member[] = "].apiVersion";

bool stored_version_path(const char *path)
{
    return strncmp(path, managers_path, sizeof managers_path - 1) == 0 || strcmp(path, last_applied_path) == 0;
}

/* An API version, where it stands, and what follows when it is not served any more. */
struct named_version {
    const struct doc_node *at;
    struct bytes api_version;
    const char *path, *consequence;
};

/* What an API server makes of it; SEVERITY_ERROR: nothing that is to be said. Adds the words for it, the same in all versions of
 * Kubernetes. */
static enum severity fate_of(const struct stored_versions *stored, struct bytes api_version, struct text *words)
{
    const struct kind *own = stored->item->kind;
    struct api_version api = api_version_split(api_version);
    const struct kind *kind = kind_find(api.group, api.version, own->kind);
    const struct api_end *end = api_end_find(api.group, api.version, own->kind);
    const struct versions served = kind ? kind->served : (struct versions){ .until = end ? end->last : 0 };
    if (!bytes_equal(api.group, own->group) || (kind && kind->successor))
        return SEVERITY_ERROR;
    if (!versions_include(served, stored->version)) {
        text_add(words, " is only served by Kubernetes ");
        text_add(words, versions_words(served).text);
        return SEVERITY_WARNING;
    }
    if (!end || !end->deprecated || stored->version < end->deprecated)
        return SEVERITY_ERROR;
    text_add(words, " is deprecated since Kubernetes 1.");
    text_add_integer(words, end->deprecated);
    return SEVERITY_INFO;
}

static void report_version(const struct stored_versions *stored, const struct named_version *named)
{
    struct text text;
    text_init(&text, stored->arena);
    text_add_quoted(&text, named->api_version, LIMIT_QUOTE_BYTES);
    enum severity severity = fate_of(stored, named->api_version, &text);
    text_add(&text, severity == SEVERITY_WARNING ? named->consequence : "");
    const struct problem problem = {
        .source = stored->item->source,
        .item = stored->item,
        .rule = severity == SEVERITY_WARNING ? RULE_SERVED : RULE_DEPRECATED,
        .reason = REASON_INVALID,
        .severity = severity,
        .offset = named->at->offset,
        .size = named->at->size,
        .path = named->path,
        .message = text_end(&text),
    };
    if (severity != SEVERITY_ERROR && problem.message && problem.path)
        stored->add(stored->self, &problem);
}

static const char *manager_path(struct arena *arena, uint32_t index)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, managers_path);
    text_add_integer(&text, index);
    text_add(&text, manager_member);
    return text_end(&text);
}

/* Of managers in a row with one API version, the first is reported. */
static void report_managers(const struct stored_versions *stored, const struct doc_node *metadata)
{
    struct bytes before = { NULL, 0 };
    uint32_t index = 0;
    doc_each(doc_member(metadata, "managedFields"), manager) {
        const struct doc_node *at = doc_member(manager, "apiVersion");
        struct bytes api_version = doc_member_text(manager, "apiVersion");
        uint32_t number = index++;
        if (!at || !api_version.length || (before.data && bytes_equal(before, api_version)))
            continue;
        before = api_version;
        report_version(stored, &(struct named_version){
            at, api_version, manager_path(stored->arena, number), ": the API server forgets which fields this manager has set",
        });
    }
}

static void report_last_applied(const struct stored_versions *stored, const struct doc_node *metadata)
{
    const struct doc_node *annotations = doc_member(metadata, "annotations"), *at = doc_member(annotations, last_applied);
    const struct json_input input = {
        .source = doc_member_text(annotations, last_applied), .alone = false, .profile = JSON_STRICT,
        .arena = stored->scratch, .key = stored->key,
    };
    struct document document;
    struct doc_error error;
    uint32_t end;
    if (!at || !input.source.length || json_read(&input, &document, &end, &error))
        return; /* what kubectl cannot read there, it ignores */
    report_version(stored, &(struct named_version){
        at, doc_member_text(document.root, "apiVersion"), last_applied_path, ": kubectl apply compares with an object of that API version",
    });
}

void stored_versions_report(const struct stored_versions *stored)
{
    const struct doc_node *metadata = doc_member(stored->item->node, "metadata");
    report_managers(stored, metadata);
    report_last_applied(stored, metadata);
}
