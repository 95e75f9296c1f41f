/* Reads an AdmissionReview. The API server writes request.kind before request.object, so the object can be read with its own shape in one
 * pass. In any other order the object is skipped first and read afterwards. */
#include "review/envelope.h"

#include "doc/json.h"
#include "doc/limits.h"
#include "object/object.h"
#include "review/limits.h"
#include "review/part.h"
#include "schema/rows.h"

/* ---- what is read of a request; the rest is skipped ---- */

enum { KIND_GROUP, KIND_VERSION, KIND_KIND };
static const struct field kind_fields[] = {
    [KIND_GROUP] = FIELD("group", STRING),
    [KIND_VERSION] = FIELD("version", STRING),
    [KIND_KIND] = FIELD("kind", STRING),
};
static const struct shape kind_shape = OBJECT(kind_fields);

enum {
    REQUEST_UID, REQUEST_KIND, REQUEST_SUB_RESOURCE, REQUEST_NAME, REQUEST_NAMESPACE, REQUEST_OPERATION, REQUEST_OBJECT, REQUEST_OLD_OBJECT
};
static const struct field request_fields[] = {
    [REQUEST_UID] = FIELD("uid", STRING),
    [REQUEST_KIND] = FIELD("kind", &kind_shape),
    [REQUEST_SUB_RESOURCE] = FIELD("subResource", STRING),
    [REQUEST_NAME] = FIELD("name", STRING),
    [REQUEST_NAMESPACE] = FIELD("namespace", STRING),
    [REQUEST_OPERATION] = FIELD("operation", STRING),
    [REQUEST_OBJECT] = FIELD("object", RAW),
    [REQUEST_OLD_OBJECT] = FIELD("oldObject", RAW),
};
static const struct shape request_shape = OBJECT(request_fields);

static const struct field review_fields[] = {
    FIELD("apiVersion", STRING),
    FIELD("kind",       STRING),
    FIELD("request",    &request_shape),
};
static const struct shape review_shape = OBJECT(review_fields);

/* What is read of an object without rules. */
static const struct field type_meta_fields[] = {
    FIELD("apiVersion", STRING),
    FIELD("kind",       STRING),
};
static const struct shape type_meta_shape = OBJECT(type_meta_fields);

static struct bytes text_of(const struct doc_node *object, const char *name)
{
    struct bytes text = doc_member_text(object, name);
    return text.data ? text : (struct bytes){ "", 0 };
}

/* A member of an object whose members are bound: the last one of the field; NULL: there is none. */
static const struct doc_node *bound(const struct doc_node *object, uint16_t field)
{
    const struct doc_node *found = NULL;
    doc_each(object && object->type == DOC_OBJECT ? object : NULL, member)
        if (member->field == field)
            found = member;
    return found;
}

/* Its text, as text_of() has it: that of the last one that is not null. */
static struct bytes bound_text(const struct doc_node *object, uint16_t field)
{
    struct bytes text = { "", 0 };
    doc_each(object && object->type == DOC_OBJECT ? object : NULL, member)
        if (member->field == field && member->type != DOC_NULL)
            text = member->type == DOC_STRING ? doc_text(member) : (struct bytes){ "", 0 };
    return text;
}

static const struct kind *requested_kind(const struct doc_node *request, minor version)
{
    const struct doc_node *kind = bound(request, REQUEST_KIND);
    const struct kind *found = kind_find(bound_text(kind, KIND_GROUP), bound_text(kind, KIND_VERSION), bound_text(kind, KIND_KIND));
    return found && kind_is_reviewed(found) && versions_include(found->served, version) ? found : NULL;
}

/* The schema of a review: the shapes above, and at request.object and request.oldObject the shape of the requested kind. */
struct review_schema {
    struct object_schema shapes;
    uint64_t seen; /* which of these two have been read, one bit each by field: a repeated member is skipped */
    const struct doc_node *asked; /* request.kind when the first of them was read … */
    const struct kind *kind;      /* … and what it means */
};

static const void *schema_member(void *self, const void *state, const struct doc_node *object, struct bytes name, uint16_t *field)
{
    struct review_schema *schema = self;
    if (state != &request_shape)
        return object_schema_member(schema->shapes.version, state, name, field);
    const void *next = object_schema_member(schema->shapes.version, state, name, field);
    if (*field == DOC_NO_FIELD || request_fields[*field].shape != RAW)
        return next;
    bool repeated = schema->seen >> *field & 1;
    schema->seen |= (uint64_t)1 << *field;
    const struct doc_node *asked = repeated ? NULL : bound(object, REQUEST_KIND);
    if (!asked)
        return doc_skip; /* a repeated member is refused later; without request.kind the object is read later */
    if (asked != schema->asked)
        schema->kind = requested_kind(object, schema->shapes.version);
    schema->asked = asked;
    return schema->kind ? schema->kind->shape : &type_meta_shape;
}

/* ---- refusing ---- */

static bool refuse(struct review *review, enum review_outcome outcome, uint32_t offset, const char *message)
{
    review->outcome = outcome;
    review->message = message;
    review->offset = offset;
    return false;
}

static bool refuse_at(struct review *review, const struct doc_node *node, const char *message)
{
    return refuse(review, REVIEW_BAD, node ? node->offset : 0, message);
}

/* Refuses what a reader could not read. */
static bool refuse_unread(struct review *review, enum failure failure, const struct doc_error *error)
{
    review->truncated = error->truncated;
    switch (failure) {
    case FAILURE_SYNTAX: return refuse(review, REVIEW_BAD, error->offset, error->message);
    case FAILURE_LIMIT:  return refuse(review, REVIEW_TOO_LARGE, error->offset, error->message);
    case FAILURE_NONE:
    case FAILURE_MEMORY:
    case FAILURE_INPUT:
    case FAILURE_PATTERN:
    case FAILURE_INTERNAL: break;
    }
    return refuse(review, REVIEW_FAILED, error->offset, failure_text(failure));
}

/* ---- checking the envelope ---- */

/* Whether a member is repeated. An API server writes each once. */
static bool has_repeated(const struct doc_node *object)
{
    uint64_t seen = 0;
    doc_each(object && object->type == DOC_OBJECT ? object : NULL, member) {
        uint64_t bit = member->field < LIMIT_FIELDS ? (uint64_t)1 << member->field : 0;
        if (seen & bit)
            return true;
        seen |= bit;
    }
    return false;
}

static bool check_shape(struct workspace *workspace, const struct envelope *envelope, struct review *review)
{
    const struct doc_node *root = envelope->document.root, *request = doc_member(root, "request");
    struct doc_error error = { .message = NULL };
    enum failure failure = part_check_types(workspace, &envelope->document, &review_shape, "AdmissionReview", &error);
    if (failure)
        return refuse(review, failure == FAILURE_INPUT ? REVIEW_BAD : REVIEW_FAILED, error.offset,
                      failure == FAILURE_INPUT ? error.message : failure_text(failure));
    bool is_review = bytes_equal_text(text_of(root, "kind"), "AdmissionReview");
    if (bytes_equal_text(text_of(root, "apiVersion"), "audit.k8s.io/v1"))
        return refuse_at(review, root, "an audit log, not an AdmissionReview: drawbridge review --audit-log reads it");
    if (!is_review || !bytes_equal_text(text_of(root, "apiVersion"), "admission.k8s.io/v1"))
        return refuse_at(review, root, "not an AdmissionReview of admission.k8s.io/v1");
    if (!request || request->type != DOC_OBJECT)
        return refuse_at(review, root, "request is missing");
    if (has_repeated(root) || has_repeated(request) || has_repeated(doc_member(request, "kind")))
        return refuse_at(review, root, "a member of the AdmissionReview is repeated");
    return true;
}

static void take_request(const struct doc_node *request, struct envelope *envelope, struct review *review)
{
    const struct doc_node *kind = bound(request, REQUEST_KIND);
    review->uid = bound_text(request, REQUEST_UID);
    review->group = bound_text(kind, KIND_GROUP);
    review->version = bound_text(kind, KIND_VERSION);
    review->kind = bound_text(kind, KIND_KIND);
    review->name = bound_text(request, REQUEST_NAME);
    review->space = bound_text(request, REQUEST_NAMESPACE);
    review->operation = bound_text(request, REQUEST_OPERATION);
    review->sub_resource = bound_text(request, REQUEST_SUB_RESOURCE);
    envelope->object = bound(request, REQUEST_OBJECT);
    envelope->old = bound(request, REQUEST_OLD_OBJECT);
    if (envelope->object && envelope->object->type == DOC_NULL)
        envelope->object = NULL;
    if (envelope->old && envelope->old->type == DOC_NULL)
        envelope->old = NULL;
}

static bool check_request(const struct doc_node *request, const struct envelope *envelope, struct review *review)
{
    bool create = bytes_equal_text(review->operation, "CREATE"), update = bytes_equal_text(review->operation, "UPDATE");
    if (review->uid.length == 0)
        return refuse_at(review, request, "request.uid is missing");
    if (review->uid.length > LIMIT_UID_BYTES)
        return refuse_at(review, bound(request, REQUEST_UID), "request.uid is too long");
    if (memchr(review->uid.data, '\0', review->uid.length))
        return refuse_at(review, bound(request, REQUEST_UID), "request.uid contains U+0000");
    if (review->kind.length == 0 || review->version.length == 0)
        return refuse_at(review, request, "request.kind is missing");
    if (!create && !update && !bytes_equal_text(review->operation, "DELETE") && !bytes_equal_text(review->operation, "CONNECT"))
        return refuse_at(review, request, "request.operation must be CREATE, UPDATE, DELETE or CONNECT");
    if ((create || update) && !envelope->object)
        return refuse_at(review, request, "request.object is missing");
    if (update && !envelope->old)
        return refuse_at(review, request, "request.oldObject is missing");
    return true;
}

/* ---- objects ---- */

/* Reads an object again: one that was skipped because request.kind follows it, or that was read with the shape of another API version. */
static bool read_late(struct workspace *workspace, minor version, const struct shape *shape, struct envelope *envelope,
                      const struct doc_node **object, struct review *review)
{
    struct doc_error error = { .message = NULL };
    struct document document;
    struct bytes source = part_of(&envelope->document, *object);
    enum failure failure = part_read(workspace, version, shape, source, (*object)->offset, &document, &error);
    if (failure)
        return refuse_unread(review, failure, &error);
    envelope->document.has_duplicates |= document.has_duplicates;
    *object = document.root;
    return true;
}

static bool read_object(struct workspace *workspace, minor version, struct envelope *envelope, const struct doc_node **object,
                        struct review *review)
{
    const struct shape *shape = review->rules ? review->rules->shape : &type_meta_shape;
    if (!*object)
        return true;
    if ((*object)->type == DOC_SKIPPED && !read_late(workspace, version, shape, envelope, object, review))
        return false;
    if (!bytes_equal(text_of(*object, "kind"), review->kind))
        return refuse_at(review, *object, "the object is of another kind than request.kind");
    return true;
}

/* Whether the apiVersion is that of request.kind: "group/version", or "version" for the core group. */
static bool is_requested_version(struct bytes api_version, const struct review *review)
{
    const struct bytes group = review->group, version = review->version;
    if (group.length == 0 && bytes_equal(api_version, version))
        return true;
    if (api_version.length != group.length + 1 + version.length || api_version.data[group.length] != '/')
        return false;
    const struct bytes own_group = { api_version.data, group.length };
    const struct bytes own_version = { api_version.data + group.length + 1, version.length };
    return bytes_equal(own_group, group) && bytes_equal(own_version, version);
}

static bool check_api_version(const struct doc_node *object, struct review *review)
{
    return is_requested_version(text_of(object, "apiVersion"), review) ||
           refuse_at(review, object, "the object is of another API version than request.kind");
}

/* The old object may be of another API version, which may have another shape: then it is read again. In a version without rules none of its
 * members can be read. */
static bool read_old_version(struct workspace *workspace, minor version, struct envelope *envelope, struct review *review)
{
    struct bytes api_version = text_of(envelope->old, "apiVersion");
    if (!envelope->kind || !envelope->old)
        return true;
    if (!bytes_equal(api_version_split(api_version).group, review->group))
        return refuse_at(review, envelope->old, "the old object is of another group than request.kind");
    envelope->old_kind = kind_find_api_version(api_version, review->kind);
    if (!envelope->old_kind || envelope->old_kind->shape == envelope->kind->shape)
        return true;
    return read_late(workspace, version, envelope->old_kind->shape, envelope, &envelope->old, review);
}

bool envelope_read(struct workspace *workspace, minor version, struct bytes body, uint32_t start, bool alone, struct envelope *envelope,
                   struct review *review)
{
    struct review_schema schema = { .seen = 0 };
    object_schema_init(&schema.shapes, version);
    schema.shapes.schema.member = schema_member;
    schema.shapes.schema.self = &schema;
    struct json_input input = {
        .source = body,
        .start = start,
        .alone = alone,
        .profile = JSON_REVIEW,
        .schema = &schema.shapes.schema,
        .state = &review_shape,
        .arena = &workspace->arena,
        .key = workspace->context->key,
    };
    *envelope = (struct envelope){ .object = NULL };
    struct doc_error error = { .message = NULL };
    enum failure failure = json_read(&input, &envelope->document, &review->end, &error);
    if (failure)
        return refuse_unread(review, failure, &error);
    if (!check_shape(workspace, envelope, review))
        return false;
    const struct doc_node *request = doc_member(envelope->document.root, "request");
    take_request(request, envelope, review);
    review->rules = schema.asked && schema.asked == bound(request, REQUEST_KIND) ? schema.kind : requested_kind(request, version);
    if (review->rules && review->rules->traits & KIND_NAMESPACED)
        envelope->space = review->space;
    if (!check_request(request, envelope, review) || !read_object(workspace, version, envelope, &envelope->object, review) ||
        !read_object(workspace, version, envelope, &envelope->old, review))
        return false;
    if (envelope->object && !check_api_version(envelope->object, review))
        return false;
    envelope->kind = review->rules;
    return read_old_version(workspace, version, envelope, review);
}
