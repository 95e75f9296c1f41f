/* Source: k8s.io/dynamic-resource-allocation v0.36.3 resourceclaim/resourceclaim.go, k8s.io/kubernetes v1.36.3
 * pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go foreachPodResourceClaim. */
#include "allocate/pod.h"

static struct bytes text_member(const struct doc_node *object, const char *name)
{
    struct bytes text = doc_member_text(object, name);
    return text.data ? text : (struct bytes)BYTES("");
}

struct allocate_pod allocate_pod_of(const struct doc_node *root)
{
    const struct doc_node *meta = doc_member(root, "metadata");
    return (struct allocate_pod){
        .name = text_member(meta, "name"),
        .space = text_member(meta, "namespace"),
        .uid = text_member(meta, "uid"),
        .spec = doc_member(root, "spec"),
        .status = doc_member(root, "status"),
    };
}

enum failure allocate_text_end(struct text *text, const char **end)
{
    *end = text_end(text);
    return *end ? FAILURE_NONE : text->arena->failure;
}

void allocate_add_key(struct text *text, struct bytes space, struct bytes name)
{
    text_add_bytes(text, space);
    text_add(text, space.length ? "/" : "");
    text_add_bytes(text, name);
}

/* ---- faults ---- */

struct reader {
    struct allocate_store *store;
    const struct allocate_pod *pod;
    const struct allocate_templates *templates;
    struct allocate_pod_claims *claims;
    struct text text; /* of the fault */
};

static enum failure end_fault(struct reader *reader)
{
    return allocate_text_end(&reader->text, &reader->claims->fault);
}

static void begin_fault(struct reader *reader)
{
    text_add(&reader->text, "pod \"");
    text_add_bytes(&reader->text, reader->pod->space);
    text_add(&reader->text, "/");
    text_add_bytes(&reader->text, reader->pod->name);
    text_add(&reader->text, "\"");
}

static enum failure fault_words(struct reader *reader, const char *words)
{
    begin_fault(reader);
    text_add(&reader->text, words);
    return end_fault(reader);
}

static enum failure fault_fields(struct reader *reader, const struct doc_node *entry)
{
    begin_fault(reader);
    text_add(&reader->text, ", spec.resourceClaim ");
    text_add_quoted(&reader->text, text_member(entry, "name"), UINT32_MAX);
    text_add(&reader->text, ": none of the supported fields are set");
    return end_fault(reader);
}

static enum failure fault_missing(struct reader *reader, struct bytes name)
{
    text_add(&reader->text, "could not find resource claim \"");
    allocate_add_key(&reader->text, reader->pod->space, name);
    text_add(&reader->text, "\"");
    return end_fault(reader);
}

static enum failure fault_template(struct reader *reader, struct bytes name)
{
    text_add(&reader->text, "could not find resource claim template \"");
    allocate_add_key(&reader->text, reader->pod->space, name);
    text_add(&reader->text, "\"");
    return end_fault(reader);
}

static enum failure fault_deletion(struct reader *reader, const struct allocate_stored *claim)
{
    text_add(&reader->text, "resourceclaim ");
    text_add_quoted(&reader->text, claim->name, UINT32_MAX);
    text_add(&reader->text, " is being deleted");
    return end_fault(reader);
}

static enum failure fault_owner(struct reader *reader, const struct allocate_stored *claim)
{
    bool old = reader->store->world->mode.old_words;
    text_add(&reader->text, "ResourceClaim ");
    allocate_add_key(&reader->text, claim->space, claim->name);
    text_add(&reader->text, old ? " was not created for pod " : " was not created for Pod ");
    allocate_add_key(&reader->text, reader->pod->space, reader->pod->name);
    text_add(&reader->text, old ? " (pod is not owner)" : " (Pod is not owner)");
    return end_fault(reader);
}

/* ---- claims ---- */

static enum failure take(struct reader *reader, struct allocate_stored *claim)
{
    struct allocate_pod_claims *claims = reader->claims;
    if (claims->count == LIMIT_ALLOCATE_POD_CLAIMS)
        return fault_words(reader, " has more claims than can be simulated");
    claims->list[claims->count++] = claim;
    return FAILURE_NONE;
}

static enum failure take_named(struct reader *reader, struct bytes name, bool generated)
{
    struct allocate_stored *claim = allocate_store_find(reader->store, reader->pod->space, name);
    if (!claim)
        return fault_missing(reader, name);
    if (allocate_claim_meta(claim->root, "deletionTimestamp"))
        return fault_deletion(reader, claim);
    const struct doc_node *owner = generated ? allocate_claim_controller(claim) : NULL;
    if (generated && (!owner || !bytes_equal(text_member(owner, "uid"), reader->pod->uid)))
        return fault_owner(reader, claim);
    return take(reader, claim);
}

/* The claim that would be generated: its name is the pod's and the entry's, and what the claim controller draws at random. */
static enum failure take_template(struct reader *reader, struct bytes entry, struct bytes template)
{
    struct allocate_store *store = reader->store;
    struct allocate_stored *made;
    struct text name;
    if (!reader->templates)
        return fault_words(reader, ": ResourceClaim not created yet");
    struct value found = reader->templates->find(reader->templates->self, reader->pod->space, template);
    if (!value_is_set(found))
        return fault_template(reader, template);
    text_init(&name, &store->arena);
    text_add_bytes(&name, reader->pod->name);
    text_add(&name, "-");
    text_add_bytes(&name, entry);
    const char *end = text_end(&name);
    if (!end)
        return store->arena.failure;
    enum failure failure =
        allocate_store_add_generated(store, found, reader->pod->space, (struct bytes){ end, (uint32_t)name.length }, &made);
    return failure ? failure : take(reader, made);
}

static bool is_set(const struct doc_node *node)
{
    return node && node->type != DOC_NULL;
}

/* The entry of status.resourceClaimStatuses; NULL: there is none. */
static const struct doc_node *status_of(const struct allocate_pod *pod, struct bytes name)
{
    doc_each(doc_member(pod->status, "resourceClaimStatuses"), status)
        if (bytes_equal(text_member(status, "name"), name))
            return status;
    return NULL;
}

static enum failure take_entry(struct reader *reader, const struct doc_node *entry)
{
    struct bytes name = text_member(entry, "name");
    if (is_set(doc_member(entry, "resourceClaimName")))
        return take_named(reader, text_member(entry, "resourceClaimName"), false);
    if (!is_set(doc_member(entry, "resourceClaimTemplateName")))
        return fault_fields(reader, entry);
    const struct doc_node *status = status_of(reader->pod, name);
    if (!status)
        return take_template(reader, name, text_member(entry, "resourceClaimTemplateName"));
    if (!is_set(doc_member(status, "resourceClaimName")))
        return FAILURE_NONE; /* it was decided that the pod needs none */
    return take_named(reader, text_member(status, "resourceClaimName"), true);
}

enum failure allocate_pod_claims(struct allocate_store *store, const struct allocate_pod *pod, const struct allocate_templates *templates,
                                 struct arena *arena, struct allocate_pod_claims *claims)
{
    struct reader reader = { .store = store, .pod = pod, .templates = templates, .claims = claims };
    enum failure failure = FAILURE_NONE;
    claims->count = 0;
    claims->fault = NULL;
    text_init(&reader.text, arena);
    if (pod->claim.data)
        return take_named(&reader, pod->claim, false);
    if (pod->template.data)
        return take_template(&reader, (struct bytes)BYTES("claim"), pod->template);
    doc_each(doc_member(pod->spec, "resourceClaims"), entry)
        if (!failure && !claims->fault)
            failure = take_entry(&reader, entry);
    return failure;
}
