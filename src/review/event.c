#include "review/event.h"

#include "base/limits.h"
#include "review/part.h"
#include "schema/rows.h"

/* ---- what is read of an event; the rest is skipped ---- */

static const struct field user_fields[] = {
    FIELD("username", STRING),
};
static const struct shape user_shape = OBJECT(user_fields);

static const struct field reference_fields[] = {
    FIELD("resource",    STRING),
    FIELD("namespace",   STRING),
    FIELD("name",        STRING),
    FIELD("apiGroup",    STRING),
    FIELD("apiVersion",  STRING),
    FIELD("subresource", STRING),
};
static const struct shape reference_shape = OBJECT(reference_fields);

static const struct field status_fields[] = {
    FIELD("code", INT32),
};
static const struct shape status_shape = OBJECT(status_fields);

/* In the order in which API servers write them. */
static const struct field event_fields[] = {
    FIELD("kind",                     STRING),
    FIELD("apiVersion",               STRING),
    FIELD("level",                    STRING),
    FIELD("auditID",                  STRING),
    FIELD("stage",                    STRING),
    FIELD("requestURI",               STRING),
    FIELD("verb",                     STRING),
    FIELD("user",                     &user_shape),
    FIELD("objectRef",                &reference_shape),
    FIELD("responseStatus",           &status_shape),
    FIELD("requestObject",            RAW),
    FIELD("responseObject",           RAW),
    FIELD("requestReceivedTimestamp", STRING),
    FIELD("items",                    LIST(RAW)), /* of an EventList */
};
static const struct shape event_shape = OBJECT(event_fields);

/* ---- reading ---- */

static const struct doc_node *given(const struct doc_node *node)
{
    return node && node->type != DOC_NULL ? node : NULL;
}

/* Whether the query of a URI has that word between its separators. */
static bool has_parameter(struct bytes uri, const char *word)
{
    const char *at = uri.length ? memchr(uri.data, '?', uri.length) : NULL, *end = at ? uri.data + uri.length : NULL;
    while (at) {
        const char *next = memchr(at + 1, '&', (size_t)(end - at - 1));
        const struct bytes parameter = { at + 1, (uint32_t)((next ? next : end) - at - 1) };
        if (bytes_equal_text(parameter, word))
            return true;
        at = next;
    }
    return false;
}

static void take_reference(const struct doc_node *reference, struct event *event)
{
    event->group = doc_member_text(reference, "apiGroup");
    event->version = doc_member_text(reference, "apiVersion");
    event->resource = doc_member_text(reference, "resource");
    event->sub_resource = doc_member_text(reference, "subresource");
    event->space = doc_member_text(reference, "namespace");
    event->name = doc_member_text(reference, "name");
}

static void take_event(const struct doc_node *root, struct event *event)
{
    const struct doc_node *code = given(doc_member(doc_member(root, "responseStatus"), "code"));
    event->level = doc_member_text(root, "level");
    event->audit_id = doc_member_text(root, "auditID");
    event->stage = doc_member_text(root, "stage");
    event->verb = doc_member_text(root, "verb");
    event->user = doc_member_text(doc_member(root, "user"), "username");
    event->time = doc_member_text(root, "requestReceivedTimestamp");
    event->dry_run = has_parameter(doc_member_text(root, "requestURI"), "dryRun=All");
    event->request = given(doc_member(root, "requestObject"));
    event->response = given(doc_member(root, "responseObject"));
    if (code && !doc_integer(code, 0, INT32_MAX, &event->code))
        event->code = 0;
    take_reference(doc_member(root, "objectRef"), event);
}

static enum failure refuse(const struct doc_node *node, const char *message, struct doc_error *error)
{
    *error = (struct doc_error){ .message = message, .offset = node->offset };
    return FAILURE_INPUT;
}

/* Items of a list do not say what they are. */
static enum failure check_kind(const struct doc_node *root, bool is_item, bool *is_list, struct doc_error *error)
{
    static const char wanted[] = "not an Event or EventList of audit.k8s.io/v1";
    struct bytes kind = doc_member_text(root, "kind"), version = doc_member_text(root, "apiVersion");
    *is_list = !is_item && bytes_equal_text(kind, "EventList");
    if (root->type != DOC_OBJECT)
        return refuse(root, wanted, error);
    if (is_item && kind.length + version.length == 0)
        return FAILURE_NONE;
    if ((!*is_list && !bytes_equal_text(kind, "Event")) || !bytes_equal_text(version, "audit.k8s.io/v1"))
        return refuse(root, wanted, error);
    return FAILURE_NONE;
}

enum failure event_read(struct workspace *workspace, struct bytes source, uint32_t start, bool is_item, struct event *event,
                        struct doc_error *error)
{
    *event = (struct event){ .code = 0 };
    *error = (struct doc_error){ .message = NULL };
    enum failure failure = part_read(workspace, MINOR_NEWEST, &event_shape, source, start, &event->document, error);
    const struct doc_node *root = event->document.root;
    failure = failure ? failure : part_check_types(workspace, &event->document, &event_shape, "Event", error);
    failure = failure ? failure : check_kind(root, is_item, &event->is_list, error);
    if (failure)
        return failure;
    if (event->is_list)
        event->items = doc_member(root, "items");
    else
        take_event(root, event);
    return FAILURE_NONE;
}
