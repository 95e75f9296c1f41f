#include "review/replay.h"

#include "base/text.h"
#include "review/event.h"
#include "review/limits.h"
#include "review/part.h"
#include "review/policy.h"
#include "schema/rows.h"

/* What is read of an object only to remember it. */
static const struct field named_meta_fields[] = {
    FIELD("name", STRING),
};
static const struct shape named_meta_shape = OBJECT(named_meta_fields);

static const struct field named_fields[] = {
    FIELD("apiVersion", STRING),
    FIELD("kind",       STRING),
    FIELD("metadata",   &named_meta_shape),
};
static const struct shape named_shape = OBJECT(named_fields);

/* An object of the log. */
struct logged_object {
    const struct kind *kind;
    struct document document;
    const struct doc_node *meta; /* NULL: none */
};

/* ---- what an event is ---- */

static const struct kind *kind_of(const struct event *event)
{
    const struct kind *kind = kind_find_resource(event->group, event->version, event->resource);
    return kind && kind_is_reviewed(kind) ? kind : NULL;
}

/* Whether the request was answered with what it asked for. */
static bool succeeded(const struct event *event)
{
    return event->code >= 200 && event->code < 300;
}

/* The operation on the object; 0: none that is validated. An update that made the object is its creation. */
static unsigned operation_of(const struct event *event)
{
    bool status = bytes_equal_text(event->sub_resource, "status"), create = bytes_equal_text(event->verb, "create");
    if (event->sub_resource.length)
        return status && !create ? STATUS : 0;
    return create || event->code == 201 ? CREATE : UPDATE;
}

static bool is_patch(const struct event *event)
{
    return bytes_equal_text(event->verb, "patch");
}

/* The object to validate: the new one as it was sent, or, of a patch, as it became. NULL: the log does not have it. */
static const struct doc_node *object_of(const struct event *event)
{
    return event->request && !is_patch(event) ? event->request : succeeded(event) ? event->response : NULL;
}

/* What a write is of which the log does not have that object. */
static enum replay_outcome without_object(const struct event *event)
{
    return event->request && is_patch(event) ? REPLAY_PATCH : REPLAY_NO_OBJECT;
}

static enum replay_outcome outcome_of(const struct event *event, const struct kind *kind, minor version)
{
    static const char *const verbs[] = { "create", "update", "patch", "delete", "deletecollection" };
    enum { VERBS = sizeof verbs / sizeof *verbs, DELETE = 3 };
    int verb = 0;
    while (verb < VERBS && !bytes_equal_text(event->verb, verbs[verb]))
        verb++;
    if (!bytes_equal_text(event->stage, "ResponseComplete"))
        return REPLAY_OTHER_STAGE;
    if (verb == VERBS)
        return REPLAY_READ;
    if (!kind || !operation_of(event))
        return REPLAY_OTHER_KIND;
    if (verb >= DELETE)
        return REPLAY_DELETION;
    if (!versions_include(kind->served, version))
        return REPLAY_NOT_SERVED;
    return object_of(event) ? REPLAY_VALIDATED : without_object(event);
}

/* ---- objects ---- */

/* Reads the object at the end of `source`, perhaps of another API version of the kind: then it is read again. object->kind is NULL when it
 * is of another kind: what is answered to clients that ask for metadata alone, or for a table. */
static enum failure read_object(const struct replay *replay, const struct kind *kind, struct bytes source, uint32_t start,
                                struct logged_object *object, struct doc_error *error)
{
    minor version = replay->settings->version;
    struct document *document = &object->document;
    object->kind = kind;
    enum failure failure = part_read(replay->workspace, version, kind->shape, source, start, document, error);
    if (failure)
        return failure;
    object->kind = kind_find_api_version(doc_member_text(document->root, "apiVersion"), doc_member_text(document->root, "kind"));
    object->kind = kind_same(object->kind, kind) ? object->kind : NULL;
    if (object->kind && object->kind->shape != kind->shape)
        failure = part_read(replay->workspace, version, object->kind->shape, source, start, document, error);
    object->meta = failure ? NULL : doc_member(document->root, "metadata");
    return failure;
}

/* ---- what was written before ---- */

/* What an object is remembered by; { NULL, 0 }: memory is short. The separator stands in no name. */
static struct bytes key_of(const struct replay *replay, const struct event *event, struct bytes name)
{
    const struct bytes parts[] = { event->group, event->resource, event->space, name };
    struct text text;
    text_init(&text, &replay->workspace->arena);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        text_add_bytes(&text, parts[i]);
        text_add(&text, "\n");
    }
    const char *key = text_end(&text);
    return (struct bytes){ key, key ? (uint32_t)text.length : 0 };
}

static bool same_text(const struct logged_object *a, const struct logged_object *b, const char *name)
{
    return bytes_equal(doc_member_text(a->meta, name), doc_member_text(b->meta, name));
}

/* Whether the old object is what the request has found: an update names the version that it replaces. A patch does not, so it must be of
 * the same object at least, which was not deleted in between. */
static bool is_predecessor(const struct event *event, const struct logged_object *object, const struct logged_object *old)
{
    bool patch = is_patch(event);
    if (!patch && doc_member_text(object->meta, "resourceVersion").length)
        return same_text(object, old, "resourceVersion");
    if (doc_member_text(object->meta, "uid").length && !same_text(object, old, "uid"))
        return false;
    return !patch || same_text(object, old, "deletionTimestamp");
}

/* Sets *known to whether the object before the request is known, and *old to it. */
static enum failure find_old(struct replay *replay, const struct event *event, const struct logged_object *object, bool *known,
                             struct logged_object *old, struct doc_error *error)
{
    struct bytes key = key_of(replay, event, event->name), json = written_find(&replay->written, key);
    *known = false;
    if (!key.data)
        return replay->workspace->arena.failure;
    if (!json.data)
        return FAILURE_NONE;
    enum failure failure = read_object(replay, object->kind, json, 0, old, error);
    *known = !failure && old->kind && is_predecessor(event, object, old);
    return failure;
}

/* Sets *name to that of the object which was stored: of a creation with generateName only the answer has it. */
static enum failure stored_name(const struct replay *replay, const struct event *event, struct bytes *name, struct doc_error *error)
{
    struct document document;
    const struct doc_node *response = event->response;
    *name = event->name;
    if (name->length || !response)
        return FAILURE_NONE;
    struct bytes source = part_of(&event->document, response);
    enum failure failure = part_read(replay->workspace, MINOR_NEWEST, &named_shape, source, response->offset, &document, error);
    if (!failure)
        *name = doc_member_text(doc_member(document.root, "metadata"), "name");
    return failure;
}

/* Keeps what the request has stored, also of an object that waits for its finalizers; what is not in the log is not known any more. */
static enum failure remember(struct replay *replay, const struct event *event, struct doc_error *error)
{
    struct bytes name;
    if (!succeeded(event) || event->dry_run)
        return FAILURE_NONE;
    enum failure failure = stored_name(replay, event, &name, error);
    if (failure || !name.length)
        return failure;
    struct bytes key = key_of(replay, event, name);
    if (!key.data)
        return replay->workspace->arena.failure;
    if (event->response)
        return written_keep(&replay->written, key, doc_source(&event->document, event->response));
    written_forget(&replay->written, key);
    return FAILURE_NONE;
}

/* ---- validation ---- */

static void take_names(const struct event *event, const struct logged_object *object, unsigned operation, struct review *review)
{
    const struct bytes name = doc_member_text(object->meta, "name");
    review->kind = object->kind->kind;
    review->group = object->kind->group;
    review->version = object->kind->version;
    review->rules = object->kind;
    review->operation = bytes_of(operation == CREATE ? "CREATE" : "UPDATE");
    review->name = event->name.length ? event->name : name.length ? name : doc_member_text(object->meta, "generateName");
}

static enum failure validate(struct replay *replay, const struct event *event, struct replayed *replayed, struct doc_error *error)
{
    const struct doc_node *node = object_of(event);
    struct logged_object object, old;
    struct check_result result;
    unsigned operation = operation_of(event);
    enum failure failure = read_object(replay, replayed->kind, part_of(&event->document, node), node->offset, &object, error);
    if (failure || !object.kind) {
        replayed->outcome = without_object(event);
        return failure;
    }
    take_names(event, &object, operation, &replayed->review);
    bool update = operation != CREATE, known = false;
    failure = update ? find_old(replay, event, &object, &known, &old, error) : FAILURE_NONE;
    if (failure)
        return failure;
    struct check_request request = policy_request(replay->settings, replay->workspace);
    request.operation = operation;
    request.kind = object.kind;
    request.document = &object.document;
    request.object = object.document.root;
    if (update) {
        const struct logged_object *before = known ? &old : &object;
        request.old_kind = before->kind;
        request.old_document = &before->document;
        request.old = before->document.root;
        request.options = known ? OLD_FROM_SERVER : 0;
    }
    replayed->without_old = update && !known;
    failure = validate_object(&request, &result);
    const struct bytes space = object.kind->traits & KIND_NAMESPACED ? event->space : (struct bytes){ "", 0 };
    failure = failure ? failure : policy_answer(replay->settings, space, &request, &result, &replayed->review);
    if (failure)
        *error = (struct doc_error){ .message = failure_text(failure), .offset = node->offset };
    return failure;
}

/* A patch of JSON is a list of operations; one to apply is an object that says what it is. */
static enum replay_patch patch_of(const struct replay *replay, const struct event *event)
{
    struct document document;
    struct doc_error error;
    struct bytes source = part_of(&event->document, event->request);
    if (source.data[event->request->offset] == '[')
        return PATCH_JSON;
    bool read = part_read(replay->workspace, MINOR_NEWEST, &named_shape, source, event->request->offset, &document, &error) == FAILURE_NONE;
    return read && doc_member(document.root, "apiVersion") && doc_member(document.root, "kind") ? PATCH_APPLY : PATCH_MERGE;
}

static enum failure replay_event(struct replay *replay, const struct event *event, struct doc_error *error)
{
    const struct kind *kind = kind_of(event);
    struct replayed replayed = {
        .outcome = outcome_of(event, kind, replay->settings->version),
        .then = event->code == 0 ? THEN_UNKNOWN : event->code < 400 ? THEN_ALLOWED : THEN_REFUSED,
        .code = event->code,
        .audit_id = event->audit_id,
        .user = event->user,
        .verb = event->verb,
        .time = event->time,
        .space = event->space,
        .kind = kind,
        .dry_run = event->dry_run,
        .review = { .outcome = REVIEW_SKIPPED, .name = event->name, .sub_resource = event->sub_resource },
    };
    enum failure failure = FAILURE_NONE;
    if (kind) {
        replayed.review.group = kind->group;
        replayed.review.version = kind->version;
        replayed.review.kind = kind->kind;
    }
    if (replayed.outcome == REPLAY_VALIDATED)
        failure = validate(replay, event, &replayed, error);
    if (replayed.outcome == REPLAY_PATCH)
        replayed.patch = patch_of(replay, event);
    if (!failure)
        replay->event(replay->self, &replayed);
    return !failure && replayed.outcome <= REPLAY_DELETION ? remember(replay, event, error) : failure;
}

/* ---- texts ---- */

/* Says what is wrong with the text. Returns the failures of which it is not the cause. */
static enum failure fail(const struct replay *replay, enum failure failure, const struct doc_error *error)
{
    if (failure && failure != FAILURE_SYNTAX && failure != FAILURE_INPUT && failure != FAILURE_LIMIT)
        return failure;
    if (failure)
        replay->trouble(replay->self, error->offset, error->message);
    return FAILURE_NONE;
}

static enum failure replay_items(struct replay *replay, const struct event *list)
{
    struct doc_error error;
    struct event event;
    enum failure failure = FAILURE_NONE;
    for (const struct doc_node *item = doc_first(list->items); item && !failure; item = item->next) {
        workspace_clear(replay->workspace);
        failure = event_read(replay->workspace, part_of(&list->document, item), item->offset, true, &event, &error);
        failure = failure ? failure : replay_event(replay, &event, &error);
        failure = fail(replay, failure, &error);
    }
    return failure;
}

enum failure replay_text(struct replay *replay, struct bytes text)
{
    struct doc_error error;
    struct event event;
    workspace_clear(replay->workspace);
    enum failure failure = event_read(replay->workspace, text, 0, false, &event, &error);
    if (!failure && event.items) {
        workspace_clear(&replay->lists);
        failure = event_read(&replay->lists, text, 0, false, &event, &error);
        failure = failure ? failure : replay_items(replay, &event);
        workspace_clear(&replay->lists);
    } else if (!failure && !event.is_list) {
        failure = replay_event(replay, &event, &error);
    }
    return fail(replay, failure, &error);
}

enum failure replay_init(struct replay *replay, struct workspace *workspace, const struct review_settings *settings)
{
    *replay = (struct replay){ .workspace = workspace, .settings = settings };
    written_init(&replay->written, workspace->context->memory, workspace->context->key, LIMIT_WRITTEN_BYTES);
    return workspace_init(&replay->lists, workspace->context);
}

void replay_done(struct replay *replay)
{
    written_done(&replay->written);
    workspace_done(&replay->lists);
}
