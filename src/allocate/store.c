#include "allocate/store.h"

#include <stdlib.h>

#include "allocate/limits.h"
#include "doc/json.h"
#include "match/device.h"
#include "object/object.h"
#include "schema/kind.h"

enum { FIRST_ROOM = 16 };

static const char owned_mark[] = "resource.kubernetes.io/extended-resource-claim";

void allocate_store_init(struct allocate_store *store, struct allocate_world *world)
{
    const struct context *context = world->matching->workspace.context;
    *store = (struct allocate_store){ .world = world, .stale = true };
    arena_init(&store->arena, context->memory, LIMIT_ALLOCATE_WORLD_BYTES);
    names_init(&store->by_name.names, &store->arena, context->key);
    names_init(&store->by_owner.names, &store->arena, context->key);
}

void allocate_store_done(struct allocate_store *store)
{
    arena_done(&store->arena);
}

/* ---- reading ---- */

const struct doc_node *allocate_claim_meta(struct value root, const char *name)
{
    const struct doc_node *member = doc_member(doc_member(root.node, "metadata"), name);
    return member && member->type != DOC_NULL ? member : NULL;
}

const struct doc_node *allocate_claim_controller(const struct allocate_stored *claim)
{
    doc_each(allocate_claim_meta(claim->root, "ownerReferences"), owner) {
        const struct doc_node *controller = doc_member(owner, "controller");
        if (controller && controller->type == DOC_TRUE)
            return owner;
    }
    return NULL;
}

static struct bytes member_text(struct bytes text)
{
    return text.data ? text : (struct bytes)BYTES("");
}

enum failure allocate_claim_parse(struct allocate_world *world, struct arena *arena, struct text *json, struct value *root)
{
    struct workspace *workspace = &world->matching->workspace;
    const struct kind *kind =
        kind_find((struct bytes)BYTES("resource.k8s.io"), (struct bytes)BYTES("v1"), (struct bytes)BYTES("ResourceClaim"));
    const char *end = text_end(json);
    struct json_input input = { .alone = true, .profile = JSON_STRICT, .arena = arena, .key = workspace->context->key };
    struct document document;
    struct doc_error error;
    struct check_result result;
    uint32_t after;
    if (!end || !kind)
        return end ? FAILURE_INTERNAL : arena->failure;
    input.source = (struct bytes){ end, (uint32_t)json->length };
    enum failure failure = json_read(&input, &document, &after, &error);
    if (failure)
        return failure == FAILURE_SYNTAX ? FAILURE_INTERNAL : failure;
    object_bind(world->mode.version, kind->shape, document.root);
    failure = match_canonical(workspace, &document, kind->shape, document.root, world->mode.version, &result, root);
    return failure || value_is_set(*root) ? failure : FAILURE_INTERNAL;
}

/* ---- indexes ---- */

static bool grow(struct allocate_store *store, struct allocate_index *index)
{
    uint32_t room = index->room ? index->room * 2 : FIRST_ROOM;
    struct allocate_stored **list = arena_alloc(&store->arena, room * sizeof(struct allocate_stored *));
    if (!list)
        return false;
    if (index->room)
        memcpy(list, index->list, index->room * sizeof(struct allocate_stored *));
    index->list = list;
    index->room = room;
    return true;
}

/* "a/b"; no data: the scratch memory failed. */
static struct bytes key_of(struct allocate_store *store, struct bytes a, struct bytes b)
{
    struct text text;
    arena_clear(&store->world->scratch);
    text_init(&text, &store->world->scratch);
    text_add_bytes(&text, a.length ? a : (struct bytes)BYTES("default"));
    text_add(&text, "/");
    text_add_bytes(&text, b);
    const char *end = text_end(&text);
    return (struct bytes){ end, end ? (uint32_t)text.length : 0 };
}

/* Adds the claim, unless there is one already. */
static enum failure index_add(struct allocate_store *store, struct allocate_index *index, struct bytes key, struct allocate_stored *claim,
                              bool *added)
{
    bool is_new;
    if (!key.data)
        return store->world->scratch.failure;
    uint32_t number = names_add(&index->names, key, &is_new);
    if (number == NAMES_NONE || (number >= index->room && !grow(store, index)))
        return store->arena.failure;
    *added = is_new || index->list[number]->gone;
    if (*added)
        index->list[number] = claim;
    return FAILURE_NONE;
}

static struct allocate_stored *index_find(const struct allocate_index *index, struct bytes key)
{
    uint32_t number = key.data ? names_find(&index->names, key) : NAMES_NONE;
    return number == NAMES_NONE || index->list[number]->gone ? NULL : index->list[number];
}

struct allocate_stored *allocate_store_find(struct allocate_store *store, struct bytes space, struct bytes name)
{
    return index_find(&store->by_name, key_of(store, space, name));
}

struct allocate_stored *allocate_store_find_owned(struct allocate_store *store, struct bytes pod, struct bytes uid)
{
    return index_find(&store->by_owner, key_of(store, uid, pod));
}

/* ---- adding ---- */

static enum failure add_consumer(struct allocate_store *store, struct allocate_stored *claim, const struct allocate_consumer *consumer)
{
    struct allocate_consumer *made = arena_alloc(&store->arena, sizeof *made), **at = &claim->consumers;
    if (!made)
        return store->arena.failure;
    *made = *consumer;
    while (*at)
        at = &(*at)->next;
    *at = made;
    claim->consumer_count++;
    return FAILURE_NONE;
}

/* API servers store no more than that limit. */
static enum failure read_consumers(struct allocate_store *store, struct allocate_stored *claim)
{
    enum failure failure = FAILURE_NONE;
    doc_each(match_at(claim->root, "status.reservedFor").node, given) {
        const struct allocate_consumer consumer = { NULL, member_text(doc_member_text(given, "name")),
                                                    member_text(doc_member_text(given, "uid")), given };
        if (!failure && claim->consumer_count < LIMIT_ALLOCATE_CONSUMERS)
            failure = add_consumer(store, claim, &consumer);
    }
    return failure;
}

static enum failure index_owners(struct allocate_store *store, struct allocate_stored *claim)
{
    enum failure failure = FAILURE_NONE;
    if (!bytes_equal_text(member_text(doc_member_text(allocate_claim_meta(claim->root, "annotations"), owned_mark)), "true"))
        return failure;
    doc_each(allocate_claim_meta(claim->root, "ownerReferences"), owner) {
        const struct doc_node *controller = doc_member(owner, "controller");
        bool added;
        struct bytes key =
            key_of(store, member_text(doc_member_text(owner, "uid")), member_text(doc_member_text(owner, "name")));
        if (!failure && controller && controller->type == DOC_TRUE)
            failure = index_add(store, &store->by_owner, key, claim, &added);
    }
    return failure;
}

static enum failure add(struct allocate_store *store, const struct allocate_stored *claim, struct allocate_stored **made)
{
    bool added;
    *made = arena_alloc(&store->arena, sizeof **made);
    if (!*made)
        return store->arena.failure;
    **made = *claim;
    enum failure failure = index_add(store, &store->by_name, key_of(store, claim->space, claim->name), *made, &added);
    if (failure || !added)
        return failure;
    failure = read_consumers(store, *made);
    return failure ? failure : index_owners(store, *made);
}

enum failure allocate_store_add(struct allocate_store *store, struct value root)
{
    const struct doc_node *meta = doc_member(root.node, "metadata");
    struct allocate_stored *made;
    const struct allocate_stored claim = {
        .root = root,
        .name = member_text(doc_member_text(meta, "name")),
        .space = member_text(doc_member_text(meta, "namespace")),
        .uid = member_text(doc_member_text(meta, "uid")),
        .allocation = match_at(root, "status.allocation"),
        .devices = match_at(root, "status.devices"),
    };
    return add(store, &claim, &made);
}

enum failure allocate_store_add_generated(struct allocate_store *store, struct value template, struct bytes space, struct bytes name,
                                          struct allocate_stored **made)
{
    const struct allocate_stored claim = { .root = match_at(template, "spec"), .name = name, .space = space, .uid = name };
    return add(store, &claim, made);
}

/* ---- changes ---- */

static enum failure hold_all(struct allocate_store *store)
{
    enum failure failure = FAILURE_NONE;
    allocate_world_clear(store->world);
    for (uint32_t i = 0; i < store->by_name.names.count && !failure; i++) {
        const struct allocate_stored *claim = store->by_name.list[i];
        if (!claim->gone)
            failure = allocate_world_hold(store->world, claim, claim->allocation);
    }
    store->stale = false;
    return failure;
}

enum failure allocate_store_begin(struct allocate_store *store)
{
    if (store->stale)
        return hold_all(store);
    allocate_world_cycle(store->world);
    return FAILURE_NONE;
}

enum failure allocate_store_allocate(struct allocate_store *store, struct allocate_stored *claim, struct bytes json)
{
    struct text text;
    struct value root;
    text_init(&text, &store->arena);
    text_add(&text, "{\"status\":{\"allocation\":");
    text_add_bytes(&text, json);
    text_add(&text, "}}");
    enum failure failure = allocate_claim_parse(store->world, &store->arena, &text, &root);
    if (failure)
        return failure;
    claim->again |= value_is_set(claim->allocation); /* a scheduler counts the first one */
    claim->allocation = match_at(root, "status.allocation");
    return store->stale || claim->again ? FAILURE_NONE : allocate_world_hold(store->world, claim, claim->allocation);
}

/* Counting all claims anew takes long: only if that of the one is not known. */
static void let_go(struct allocate_store *store, const struct allocate_stored *claim)
{
    if (claim->again)
        store->stale = true;
    if (!store->stale && !claim->gone)
        store->stale = allocate_world_release(store->world, claim, claim->allocation) != FAILURE_NONE;
}

void allocate_store_deallocate(struct allocate_store *store, struct allocate_stored *claim)
{
    let_go(store, claim);
    claim->allocation = claim->devices = (struct value){ .shape = NULL };
    claim->again = false;
    claim->consumers = NULL;
    claim->consumer_count = 0;
}

void allocate_store_delete(struct allocate_store *store, struct allocate_stored *claim)
{
    let_go(store, claim);
    claim->gone = true;
}

/* ---- reservations ---- */

enum failure allocate_store_reserve(struct allocate_store *store, struct allocate_stored *claim, struct bytes pod, struct bytes uid)
{
    const struct allocate_consumer consumer = { NULL, pod, uid, NULL };
    return add_consumer(store, claim, &consumer);
}

void allocate_store_unreserve(struct allocate_stored *claim, struct bytes uid)
{
    for (struct allocate_consumer **at = &claim->consumers; *at;) {
        if (bytes_equal((*at)->uid, uid)) {
            *at = (*at)->next;
            claim->consumer_count--;
        } else {
            at = &(*at)->next;
        }
    }
}

bool allocate_is_reserved(const struct allocate_stored *claim, struct bytes uid)
{
    for (const struct allocate_consumer *consumer = claim->consumers; consumer; consumer = consumer->next)
        if (bytes_equal(consumer->uid, uid))
            return true;
    return false;
}

/* ---- listing ---- */

static int compare_names(const void *a, const void *b)
{
    const struct allocate_stored *const *one = a, *const *other = b;
    return bytes_compare((*one)->name, (*other)->name);
}

enum failure allocate_store_list(struct allocate_store *store, struct arena *arena, struct bytes space, struct allocate_stored ***list,
                                 uint32_t *count)
{
    uint32_t all = store->by_name.names.count;
    *count = 0;
    *list = arena_alloc(arena, all * sizeof(struct allocate_stored *) + 1);
    if (!*list)
        return arena->failure;
    for (uint32_t i = 0; i < all; i++)
        if (!store->by_name.list[i]->gone && bytes_equal(store->by_name.list[i]->space, space))
            (*list)[(*count)++] = store->by_name.list[i];
    qsort(*list, *count, sizeof(struct allocate_stored *), compare_names);
    return FAILURE_NONE;
}
