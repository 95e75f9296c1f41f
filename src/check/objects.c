/* Objects that are judged together. Nothing is read or indexed before a row asks. */
#include <assert.h>

#include "check/checks.h"

struct entry {
    struct object object;
    const struct doc_node *root; /* in the terms in which it is judged; NULL: not looked at yet, or a value has a wrong type */
    bool looked_at;
};

/* What one gathering found, or the names of one kind. */
struct gatherer {
    struct gatherer *next;
    const struct gathering *what; /* NULL: names */
    const char *group, *kind;
    struct objects *objects;
    const struct entry *entry;    /* that is being looked through */
    struct found *first, *last;
    uint32_t count, keys;         /* of what was found, and of different keys */
    struct set set;               /* first found by key; larger when it is full */
};

struct found {
    struct gathered gathered;
    struct found *next;           /* of all, in the order in which they were found */
    struct gathered *last;        /* of the first with a key: the last one with it */
    struct bytes key;
};

/* A name that was missed. */
struct missed {
    struct missed *next;
    const char *kind;
    struct bytes name;
};

struct objects {
    struct worker worker;         /* its arena holds everything */
    enum failure failure;         /* the first, other than the arena's */
    minor version;
    struct entry *entries;
    uint32_t count, capacity;
    struct gatherer *gatherers;
    struct missed *missed;        /* at most LIMIT_MISSED */
    uint32_t missed_count;
};

enum failure objects_new(const struct context *context, minor version, uint32_t capacity, size_t bytes, struct objects **objects)
{
    struct objects *made = context->memory->allocate(sizeof *made, context->memory->data);
    if (!made)
        return FAILURE_MEMORY;
    *made = (struct objects){ .version = version, .capacity = capacity };
    enum failure failure = worker_init(&made->worker, context);
    made->worker.arena.limit = bytes;
    if (!failure)
        made->entries = arena_alloc(&made->worker.arena, ((size_t)capacity + 1) * sizeof *made->entries);
    if (!failure && !made->entries) {
        failure = made->worker.arena.failure;
        worker_done(&made->worker);
    }
    if (failure)
        context->memory->release(made, context->memory->data);
    else
        *objects = made;
    return failure;
}

void objects_free(struct objects *objects)
{
    if (!objects)
        return;
    const struct memory *memory = objects->worker.context->memory;
    worker_done(&objects->worker);
    memory->release(objects, memory->data);
}

const struct object *objects_add(struct objects *objects, const struct object *object)
{
    assert(objects->count < objects->capacity);
    struct entry *entry = &objects->entries[objects->count++];
    *entry = (struct entry){ .object = *object };
    return &entry->object;
}

struct arena *objects_arena(struct objects *objects)
{
    return &objects->worker.arena;
}

enum failure objects_failure(const struct objects *objects)
{
    return objects->worker.arena.failure ? objects->worker.arena.failure : objects->failure;
}

static bool is_of(const struct object *object, const char *group, const char *kind)
{
    return bytes_equal_text(object->kind->kind, kind) && bytes_equal_text(object->kind->group, group);
}

/* ---- gathering ---- */

/* Room for one more key. */
static bool make_room(struct gatherer *gatherer)
{
    enum { FIRST_KEYS = 16 };
    struct objects *objects = gatherer->objects;
    struct set larger;
    if (gatherer->set.slots && gatherer->keys < gatherer->set.capacity)
        return true;
    if (set_init(&larger, &objects->worker.arena, gatherer->keys ? 2 * gatherer->keys : FIRST_KEYS, objects->worker.context->key))
        return false;
    for (struct found *found = gatherer->first; found; found = found->next)
        if (found->gathered.count)
            (void)set_add(&larger, found->key, found);
    gatherer->set = larger;
    return true;
}

void cross_gather(struct cross *cross, struct bytes key, const struct doc_node *node)
{
    struct gatherer *gatherer = cross->gatherer;
    struct arena *arena = &gatherer->objects->worker.arena;
    if (!key.data || arena->failure)
        return;
    struct found *known = gatherer->keys ? (struct found *)(uintptr_t)set_find(&gatherer->set, key) : NULL; /* the set hands out constants */
    if (known && gatherer->what && gatherer->what->first_only) {
        arena_take_back(arena, key.data); /* where it was made for this, nothing was allocated behind it */
        return;
    }
    struct found *found = make_room(gatherer) ? arena_alloc(arena, sizeof *found) : NULL;
    if (!found)
        return;
    *found = (struct found){ .gathered = { .object = &gatherer->entry->object, .root = gatherer->entry->root, .node = node }, .key = key };
    if (gatherer->last)
        gatherer->last->next = found;
    else
        gatherer->first = found;
    gatherer->last = found;
    gatherer->count++;
    struct found *first = known ? known : found;
    if (known)
        first->last->next = &found->gathered;
    else
        gatherer->keys++;
    first->last = &found->gathered;
    first->gathered.count++;
    if (!known)
        (void)set_add(&gatherer->set, key, found);
}

static void gather_name(struct cross *cross, const struct doc_node *root)
{
    const struct doc_node *name = cross_at(cross, cross_root_shape(cross), root, "metadata.name");
    if (name && name->count && name->count <= LIMIT_KEY_BYTES)
        cross_gather(cross, doc_text(name), name);
}

static void keep_failure(struct objects *objects, enum failure failure)
{
    if (!objects->failure)
        objects->failure = failure;
}

/* Looks through one object; one with a value of a wrong type is not there for others. */
static void look_through(struct gatherer *gatherer, struct entry *entry)
{
    struct findings findings = { .kept = LIMIT_FINDINGS }; /* so that none is worded */
    const struct object *object = &entry->object;
    const struct check_request request = { .operation = CREATE, .version = gatherer->objects->version, .kind = object->kind, .document = object->document };
    struct run run = { .request = &request, .worker = &gatherer->objects->worker, .findings = &findings };
    if (!entry->looked_at) {
        entry->looked_at = true;
        decode_object(&run, object->kind->shape, object->node, "");
        if (!findings.errors && !run.failure)
            entry->root = walk_judged_object(&run, object->kind->shape, object->node);
    }
    if (!entry->root || run.failure) {
        keep_failure(gatherer->objects, run.failure);
        return;
    }
    struct place root = { .shape = walk_judged_shape(object->kind->shape), .node = entry->root };
    struct cross cross = { .run = &run, .place = &root, .gatherer = gatherer };
    gatherer->entry = entry;
    entry->object.name = cross_text_at(&cross, root.shape, entry->root, "metadata.name");
    entry->object.space = cross_text_at(&cross, root.shape, entry->root, "metadata.namespace");
    if (gatherer->what)
        gatherer->what->gather(&cross, entry->root);
    else
        gather_name(&cross, entry->root);
    keep_failure(gatherer->objects, run.failure);
}

static struct gatherer *gather(struct objects *objects, const struct gathering *what, const char *group, const char *kind)
{
    for (struct gatherer *known = objects->gatherers; known; known = known->next)
        if (known->what == what && (what || (strcmp(known->kind, kind) == 0 && strcmp(known->group, group) == 0)))
            return known;
    struct gatherer *made = arena_alloc(&objects->worker.arena, sizeof *made);
    if (!made)
        return NULL;
    *made = (struct gatherer){ .next = objects->gatherers, .what = what, .group = group, .kind = kind, .objects = objects };
    for (uint32_t i = 0; i < objects->count && !objects->worker.arena.failure; i++)
        if (is_of(&objects->entries[i].object, group, kind))
            look_through(made, &objects->entries[i]);
    objects->gatherers = made;
    return made;
}

static struct gathered *find(struct gatherer *gatherer, struct bytes key)
{
    const struct found *found = gatherer && gatherer->keys && key.data && !gatherer->objects->worker.arena.failure ? set_find(&gatherer->set, key) : NULL;
    return found ? &((struct found *)(uintptr_t)found)->gathered : NULL;
}

struct gathered *objects_find(struct objects *objects, const struct gathering *what, struct bytes key)
{
    return find(gather(objects, what, what->group, what->kind), key);
}

struct gathered *objects_named(struct objects *objects, const char *group, const char *kind, struct bytes name)
{
    return find(gather(objects, NULL, group, kind), name);
}

uint32_t objects_count(struct objects *objects, const char *group, const char *kind)
{
    const struct gatherer *names = gather(objects, NULL, group, kind);
    return names ? names->count : 0;
}

/* Shorter names are near to too many others. */
enum { LEAST_SLIP_BYTES = 5 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether two names are the same but for their digits, as numbered names are: node-1 and node-12 are two nodes, and no slip. */
static bool differ_in_digits(struct bytes a, struct bytes b)
{
    uint32_t i = 0, j = 0;
    for (;;) {
        while (i < a.length && is_digit(a.data[i]))
            i++;
        while (j < b.length && is_digit(b.data[j]))
            j++;
        if (i == a.length || j == b.length)
            return i == a.length && j == b.length;
        if (a.data[i++] != b.data[j++])
            return false;
    }
}

struct bytes objects_near(struct objects *objects, const char *group, const char *kind, struct bytes name)
{
    const struct gatherer *names = gather(objects, NULL, group, kind);
    uint32_t compared = 0;
    for (const struct found *found = names ? names->first : NULL; found && compared < LIMIT_HINTS; found = found->next, compared++)
        if (name.length >= LEAST_SLIP_BYTES && hint_is_near(found->key, name) && !differ_in_digits(found->key, name))
            return found->key;
    return (struct bytes){ NULL, 0 };
}

/* Whether the name was not missed before: many objects may refer to one that is somewhere else. */
static bool is_missed_first(struct objects *objects, const char *kind, struct bytes name)
{
    for (const struct missed *missed = objects->missed; missed; missed = missed->next)
        if (strcmp(missed->kind, kind) == 0 && bytes_equal(missed->name, name))
            return false;
    struct missed *made = objects->missed_count < LIMIT_MISSED ? arena_alloc(&objects->worker.arena, sizeof *made) : NULL;
    if (!made)
        return false;
    *made = (struct missed){ objects->missed, kind, name };
    objects->missed = made;
    objects->missed_count++;
    return true;
}

/* ---- the check ---- */

bool check_names_object(struct run *run, struct place *place, const struct check *check)
{
    struct objects *objects = run->request->objects;
    if (!place->node || !place->node->count)
        return false;
    bool asks = objects_count(objects, check->plus, check->name) > 0;
    run->failure = objects_failure(objects);
    if (!asks || run->failure)
        return false;
    bool found = objects_named(objects, check->plus, check->name, doc_text(place->node)) != NULL;
    run->failure = objects_failure(objects);
    if (found || run->failure)
        return false;
    struct bytes near = objects_near(objects, check->plus, check->name, doc_text(place->node));
    if (!near.data && (check->strict || !is_missed_first(objects, check->name, doc_text(place->node))))
        return false;
    struct text text;
    text_init(&text, &run->worker->arena);
    text_add(&text, "names no ");
    text_add(&text, check->name);
    text_add(&text, " that is given");
    struct check missing = *check;
    if (near.data) /* a slip, rather than a name from somewhere else */
        missing.severity = SEVERITY_WARNING;
    report_clash(run, place, &missing, place->node, run_text(run, &text), NULL);
    return true;
}
