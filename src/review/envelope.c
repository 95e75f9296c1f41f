/* Reads an AdmissionReview. The API server writes request.kind before request.object, so that the object can be read with
 * its own shape in one go; in any other order the object is passed over first and read afterwards. */
#include "review/envelope.h"

#include "base/limits.h"
#include "base/text.h"
#include "doc/json.h"

/* ---- what is read of a request; everything else in it is passed over ---- */

static const struct field kind_fields[] = {
    FIELD("group",   STRING),
    FIELD("version", STRING),
    FIELD("kind",    STRING),
};
static const struct shape kind_shape = OBJECT(kind_fields);

static const struct field request_fields[] = {
    FIELD("uid",         STRING),
    FIELD("kind",        &kind_shape),
    FIELD("subResource", STRING),
    FIELD("name",        STRING),
    FIELD("namespace",   STRING),
    FIELD("operation",   STRING),
    FIELD("object",      RAW),
    FIELD("oldObject",   RAW),
};
static const struct shape request_shape = OBJECT(request_fields);

static const struct field review_fields[] = {
    FIELD("apiVersion", STRING),
    FIELD("kind",       STRING),
    FIELD("request",    &request_shape),
};
static const struct shape review_shape = OBJECT(review_fields);

/* Of an object without rules. */
static const struct field type_meta_fields[] = {
    FIELD("apiVersion", STRING),
    FIELD("kind",       STRING),
};
static const struct shape type_meta_shape = OBJECT(type_meta_fields);

static struct bytes text_of(const struct doc_node *object, const char *name)
{
    const struct doc_node *member = doc_member(object, name);
    return member && member->type == DOC_STRING ? doc_text(member) : (struct bytes){ "", 0 };
}

static const struct kind *requested_kind(const struct doc_node *request, minor version)
{
    const struct doc_node *kind = doc_member(request, "kind");
    const struct kind *found = kind_find(text_of(kind, "group"), text_of(kind, "version"), text_of(kind, "kind"));
    return found && !(found->traits & KIND_CONTEXT) && versions_include(found->served, version) ? found : NULL;
}

/* The guide of a review: that of its shapes, and of the objects' own shapes from request.object and request.oldObject on. */
struct review_guide {
    struct shape_guide shapes;
    uint64_t met; /* members of the request that hold objects, one bit each: only the first of a name is worth a look */
};

static const void *guide_member(void *self, const void *state, const struct doc_node *object, struct bytes name, uint16_t *field)
{
    struct review_guide *guide = self;
    if (state != &request_shape)
        return shape_guide_member(guide->shapes.version, state, name, field);
    const void *next = shape_guide_member(guide->shapes.version, state, name, field);
    if (*field == DOC_NO_FIELD || request_fields[*field].shape != RAW)
        return next;
    bool again = guide->met >> *field & 1;
    guide->met |= (uint64_t)1 << *field;
    if (again || !doc_member(object, "kind"))
        return doc_skip; /* refused, or read afterwards */
    const struct kind *kind = requested_kind(object, guide->shapes.version);
    return kind ? kind->shape : &type_meta_shape;
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

static bool read_json(struct json_input *input, struct document *document, uint32_t *end, struct review *review)
{
    struct doc_error error = { .message = NULL };
    enum failure failure = json_read(input, document, end, &error);
    review->truncated = error.truncated;
    switch (failure) {
    case FAILURE_NONE:    return true;
    case FAILURE_SYNTAX:  return refuse(review, REVIEW_BAD, error.offset, error.message);
    case FAILURE_LIMIT:   return refuse(review, REVIEW_TOO_LARGE, error.offset, error.message);
    case FAILURE_MEMORY:
    case FAILURE_PATTERN: break;
    }
    return refuse(review, REVIEW_FAILED, error.offset, failure_text(failure));
}

/* ---- checking the envelope ---- */

/* An API server writes each member once. */
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

static bool check_shape(struct worker *worker, const struct envelope *envelope, struct review *review)
{
    const struct doc_node *root = envelope->document.root, *request = doc_member(root, "request");
    struct check_result result;
    enum failure failure = check_types(worker, &envelope->document, &review_shape, root, &result);
    if (failure)
        return refuse(review, REVIEW_FAILED, 0, failure_text(failure));
    const struct finding *finding = result.findings.first;
    if (finding) {
        struct text text;
        text_init(&text, &worker->arena);
        text_add_echo(&text, bytes_of(*finding->path ? finding->path : "AdmissionReview"), LIMIT_MESSAGE_BYTES);
        text_add(&text, ": ");
        text_add(&text, finding->message);
        const char *message = text_end(&text);
        return refuse(review, message ? REVIEW_BAD : REVIEW_FAILED, finding->offset, message ? message : failure_text(FAILURE_MEMORY));
    }
    if (!bytes_equal_text(text_of(root, "kind"), "AdmissionReview") || !bytes_equal_text(text_of(root, "apiVersion"), "admission.k8s.io/v1"))
        return refuse_at(review, root, "not an AdmissionReview of admission.k8s.io/v1");
    if (!request || request->type != DOC_OBJECT)
        return refuse_at(review, root, "request is missing");
    if (has_repeated(root) || has_repeated(request) || has_repeated(doc_member(request, "kind")))
        return refuse_at(review, root, "a member of the AdmissionReview is repeated");
    return true;
}

static void take_request(const struct doc_node *request, struct envelope *envelope, struct review *review)
{
    const struct doc_node *kind = doc_member(request, "kind");
    review->uid = text_of(request, "uid");
    review->group = text_of(kind, "group");
    review->version = text_of(kind, "version");
    review->kind = text_of(kind, "kind");
    review->name = text_of(request, "name");
    review->operation = text_of(request, "operation");
    review->sub_resource = text_of(request, "subResource");
    envelope->object = doc_member(request, "object");
    envelope->old = doc_member(request, "oldObject");
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
        return refuse_at(review, doc_member(request, "uid"), "request.uid is too long");
    if (memchr(review->uid.data, '\0', review->uid.length))
        return refuse_at(review, doc_member(request, "uid"), "request.uid contains U+0000");
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

/* Reads an object that was passed over because request.kind stands behind it. */
static bool read_late(struct worker *worker, minor version, const struct shape *shape, struct envelope *envelope, const struct doc_node **object, struct review *review)
{
    struct shape_guide guide;
    struct document document;
    uint32_t end;
    shape_guide_init(&guide, version);
    struct json_input input = {
        .source = { envelope->document.source.data, (*object)->offset + (*object)->size }, .start = (*object)->offset, .alone = true,
        .profile = JSON_REVIEW, .guide = &guide.guide, .state = shape, .arena = &worker->arena, .key = worker->context->key,
    };
    if (!read_json(&input, &document, &end, review))
        return false;
    envelope->document.has_duplicates |= document.has_duplicates;
    *object = document.root;
    return true;
}

static bool read_object(struct worker *worker, minor version, struct envelope *envelope, const struct doc_node **object, struct review *review)
{
    const struct shape *shape = review->rules ? review->rules->shape : &type_meta_shape;
    if (!*object)
        return true;
    if ((*object)->type == DOC_SKIPPED && !read_late(worker, version, shape, envelope, object, review))
        return false;
    if (!bytes_equal(text_of(*object, "kind"), review->kind))
        return refuse_at(review, *object, "the object is of another kind than request.kind");
    return true;
}

static bool check_api_version(const struct doc_node *object, struct review *review)
{
    struct bytes api_version = text_of(object, "apiVersion");
    uint32_t group = review->group.length;
    if (group == 0 && bytes_equal(api_version, review->version))
        return true;
    if (api_version.length == group + 1 + review->version.length && memcmp(api_version.data, review->group.data, group) == 0 && api_version.data[group] == '/' &&
        memcmp(api_version.data + group + 1, review->version.data, review->version.length) == 0)
        return true;
    return refuse_at(review, object, "the object is of another API version than request.kind");
}

bool envelope_read(struct worker *worker, minor version, struct bytes body, uint32_t start, bool alone, struct envelope *envelope, struct review *review)
{
    struct review_guide guide = { .met = 0 };
    shape_guide_init(&guide.shapes, version);
    guide.shapes.guide.member = guide_member;
    guide.shapes.guide.self = &guide;
    struct json_input input = {
        .source = body, .start = start, .alone = alone, .profile = JSON_REVIEW, .guide = &guide.shapes.guide, .state = &review_shape,
        .arena = &worker->arena, .key = worker->context->key,
    };
    *envelope = (struct envelope){ .object = NULL };
    if (!read_json(&input, &envelope->document, &review->end, review) || !check_shape(worker, envelope, review))
        return false;
    const struct doc_node *request = doc_member(envelope->document.root, "request");
    take_request(request, envelope, review);
    review->rules = requested_kind(request, version);
    if (review->rules && review->rules->traits & KIND_NAMESPACED)
        envelope->space = text_of(request, "namespace");
    if (!check_request(request, envelope, review) || !read_object(worker, version, envelope, &envelope->object, review) ||
        !read_object(worker, version, envelope, &envelope->old, review))
        return false;
    if (envelope->object && !check_api_version(envelope->object, review))
        return false;
    envelope->kind = review->rules;
    envelope->old_kind = envelope->kind && envelope->old ? kind_find_api_version(text_of(envelope->old, "apiVersion"), text_of(envelope->old, "kind")) : NULL;
    if (envelope->kind && envelope->old && !kind_same(envelope->kind, envelope->old_kind))
        return refuse_at(review, envelope->old, "the old object is of another kind or an unknown API version");
    return true;
}
