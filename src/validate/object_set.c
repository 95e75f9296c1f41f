#include "validate/object_set.h"

#include "base/map.h"
#include "base/near.h"
#include "check/cross_call.h"
#include "check/limits.h"
#include "object/object.h"
#include "validate/limits.h"

/* An object of the set. */
struct entry {
    struct object object;
    bool read; /* object.root is set, or a value has a wrong type */
};

/* An index of values in the objects of a kind, by the keys of a definition; or of these objects, by name, or by "namespace/name" and
 * "namespace/". */
struct object_index {
    struct object_index *next;
    const struct index_definition *definition; /* NULL: the objects, by name */
    const char *group, *kind;
    bool spaced;                  /* of the objects: with their namespaces */
    struct object_set *objects;
    const struct entry *entry;    /* while it is built: the object that is being added */
    struct found *first, *last;
    uint32_t count, keys;         /* number of values, and of different keys */
    struct map map;               /* the first value of each key; replaced by a larger one when it is full */
    struct arena slots;           /* of the map alone: the smaller one is freed */
};

/* An indexed value. */
struct found {
    struct indexed indexed;
    struct found *next;           /* in the index, in the order of discovery */
    struct indexed *last;         /* of the first value with a key: the last one with it */
    struct bytes key;
};

/* A name that some object refers to and no object has. */
struct missed {
    struct missed *next;
    const char *kind;
    struct bytes name;
};

struct object_set {
    struct others others;         /* the interface; first, so that a pointer to it is one to the set */
    struct workspace workspace;   /* its arena owns everything */
    enum failure failure;         /* the first one that is not the arena's */
    minor version;
    struct entry *entries;
    uint32_t count, capacity;
    struct object_index *indexes;
    const struct matcher *matcher;
    struct matching *matching;    /* of it */
    struct missed *missed;        /* at most LIMIT_MISSED */
    uint32_t missed_count;
};

static struct indexed *others_find(struct others *others, const struct index_definition *definition, struct bytes key);
static struct indexed *others_named(struct others *others, const char *group, const char *kind, struct bytes name);
static uint32_t others_count(struct others *others, const char *group, const char *kind);
static enum presence others_presence(struct others *others, const struct wanted *wanted);
static struct indexed *others_beside(struct others *others, const struct wanted *wanted);
static struct bytes others_near(struct others *others, const struct wanted *wanted);
static bool others_missed_first(struct others *others, const char *kind, struct bytes name);
static bool others_matched(struct others *others, const struct object *object, struct bytes request, struct bytes choice,
                           struct matched *matched);
static enum failure others_failure(const struct others *others);

static const struct others interface = {
    .find = others_find,
    .named = others_named,
    .count = others_count,
    .presence = others_presence,
    .beside = others_beside,
    .near = others_near,
    .missed_first = others_missed_first,
    .matched = others_matched,
    .failure = others_failure,
};

struct others *object_set_others(struct object_set *objects)
{
    return objects ? &objects->others : NULL;
}

enum failure object_set_new(const struct context *context, minor version, uint32_t capacity, size_t bytes, struct object_set **result)
{
    struct object_set *objects = context->memory->allocate(sizeof *objects, context->memory->data);
    if (!objects)
        return FAILURE_MEMORY;
    *objects = (struct object_set){ .others = interface, .version = version, .capacity = capacity };
    objects->others.arena = &objects->workspace.arena;
    enum failure failure = workspace_init(&objects->workspace, context);
    objects->workspace.arena.limit = bytes;
    if (!failure)
        objects->entries = arena_alloc(&objects->workspace.arena, ((size_t)capacity + 1) * sizeof *objects->entries);
    if (!failure && !objects->entries) {
        failure = objects->workspace.arena.failure;
        workspace_done(&objects->workspace);
    }
    if (failure)
        context->memory->release(objects, context->memory->data);
    else
        *result = objects;
    return failure;
}

void object_set_free(struct object_set *objects)
{
    if (!objects)
        return;
    const struct memory *memory = objects->workspace.context->memory;
    if (objects->matching)
        objects->matcher->free(objects->matching);
    for (struct object_index *index = objects->indexes; index; index = index->next)
        arena_done(&index->slots);
    workspace_done(&objects->workspace);
    memory->release(objects, memory->data);
}

enum failure object_set_use(struct object_set *objects, const struct matcher *matcher, const struct source *sources)
{
    objects->matcher = matcher;
    return matcher->new(objects->workspace.context, sources, objects->version, &objects->matching);
}

const struct object *object_set_add(struct object_set *objects, const struct object *object)
{
    if (objects->count == objects->capacity) {
        objects->failure = FAILURE_INTERNAL;
        return NULL;
    }
    struct entry *entry = &objects->entries[objects->count++];
    *entry = (struct entry){ .object = *object };
    return &entry->object;
}

enum failure object_set_failure(const struct object_set *objects)
{
    return objects->workspace.arena.failure ? objects->workspace.arena.failure : objects->failure;
}

static enum failure others_failure(const struct others *others)
{
    return object_set_failure((const struct object_set *)others);
}

static bool is_of(const struct object *object, const char *group, const char *kind)
{
    return bytes_equal_text(object->kind->kind, kind) && bytes_equal_text(object->kind->group, group);
}

/* ---- indexes ---- */

/* Keeps the first failure. */
static void keep_failure(struct object_set *objects, enum failure failure)
{
    if (!objects->failure)
        objects->failure = failure;
}

/* Makes room for one more key, in a map of twice the size. Returns false when there is no memory. */
static bool reserve_key(struct object_index *index)
{
    enum { FIRST_KEYS = 21 }; /* 32 slots: as many keys as fit, then and each time that it doubles */
    const struct arena *arena = &index->objects->workspace.arena;
    struct arena slots;
    struct map larger;
    if (index->map.slots && index->keys < index->map.capacity)
        return true;
    arena_init(&slots, arena->memory, arena->limit);
    enum failure failure = map_init(&larger, &slots, index->keys ? 2 * index->keys : FIRST_KEYS, index->objects->workspace.context->key);
    keep_failure(index->objects, failure);
    if (failure) {
        arena_done(&slots);
        return false;
    }
    for (struct found *found = index->first; found; found = found->next)
        if (found->indexed.count)
            (void)map_add(&larger, found->key, found);
    arena_done(&index->slots);
    index->slots = slots;
    index->map = larger;
    return true;
}

/* The function for cross.index_add. */
static void add_value(struct cross *cross, struct bytes key, struct value value)
{
    struct object_index *index = cross->index;
    struct arena *arena = &index->objects->workspace.arena;
    if (!key.data || object_set_failure(index->objects))
        return;
    struct found *first = index->keys ? map_find(&index->map, key) : NULL;
    if (first && index->definition && index->definition->first_only) {
        arena_take_back(arena, key.data); /* a key that was joined for this call is the newest allocation */
        return;
    }
    struct found *found = reserve_key(index) ? arena_alloc(arena, sizeof *found) : NULL;
    if (!found)
        return;
    *found = (struct found){ .indexed = { .object = &index->entry->object, .value = value }, .key = key };
    if (index->last)
        index->last->next = found;
    else
        index->first = found;
    index->last = found;
    index->count++;
    if (first) {
        first->last->next = &found->indexed;
    } else {
        first = found;
        index->keys++;
        (void)map_add(&index->map, key, found);
    }
    first->last = &found->indexed;
    first->indexed.count++;
}

/* "namespace/name", in the arena of the set. Without data: there is no memory. */
static struct bytes spaced_key(struct object_set *objects, struct bytes space, struct bytes name)
{
    struct text text;
    text_init(&text, &objects->workspace.arena);
    text_add_bytes(&text, space);
    text_add(&text, "/");
    text_add_bytes(&text, name);
    const char *key = text_end(&text);
    return (struct bytes){ key, key ? (uint32_t)text.length : 0 };
}

static void index_name(struct cross *cross, struct value root)
{
    struct object_index *index = cross->index;
    struct value name = value_at(cross, root, "metadata.name");
    struct bytes text = value_text(name), space = index->entry->object.name_space;
    if (!text.length || text.length > LIMIT_KEY_BYTES || space.length > LIMIT_KEY_BYTES)
        return;
    if (!index->spaced) {
        add_value(cross, text, name);
        return;
    }
    add_value(cross, spaced_key(index->objects, space, text), name);
    add_value(cross, spaced_key(index->objects, space, (struct bytes){ "", 0 }), name);
}

/* Checks the object's types and sets its root, the first time. */
static void read_entry(struct evaluation *eval, struct entry *entry)
{
    struct object *object = &entry->object;
    const struct shape *shape = object->kind->shape;
    if (entry->read)
        return;
    entry->read = true;
    object_check_types(eval, shape, object->node, "");
    if (!eval->findings->errors && !eval->failure)
        object->root = (struct value){ object_canonical_shape(shape), object_canonical(eval, shape, object->node), 0 };
}

/* Adds the values of one object. An object with a value of a wrong type is left out: for others it does not exist. */
static void index_object(struct object_index *index, struct entry *entry)
{
    struct findings findings = { .kept = LIMIT_FINDINGS }; /* full, so that findings are only counted */
    const struct object *object = &entry->object;
    const struct check_request request = {
        .operation = CREATE,
        .version = index->objects->version,
        .kind = object->kind,
        .document = object->document,
    };
    struct evaluation eval = { .request = &request, .workspace = &index->objects->workspace, .findings = &findings };
    read_entry(&eval, entry);
    struct value root = entry->object.root;
    if (!value_is_set(root) || eval.failure) {
        keep_failure(index->objects, eval.failure);
        return;
    }
    struct cursor cursor = { .shape = root.shape, .node = root.node };
    struct cross cross = { .eval = &eval, .cursor = &cursor, .index_add = add_value, .index = index };
    index->entry = entry;
    entry->object.name = value_text(value_at(&cross, root, "metadata.name"));
    entry->object.name_space = value_text(value_at(&cross, root, "metadata.namespace"));
    if (index->definition)
        index->definition->add(&cross, root);
    else
        index_name(&cross, root);
    keep_failure(index->objects, eval.failure);
}

static bool is_index(const struct object_index *known, const struct object_index *wanted)
{
    return known->definition == wanted->definition &&
           (known->definition ||
            (known->spaced == wanted->spaced && strcmp(known->kind, wanted->kind) == 0 && strcmp(known->group, wanted->group) == 0));
}

/* The index of that definition; or, if it is NULL, of the objects of that kind. Builds it the first time. NULL: no memory. */
static struct object_index *find_index(struct object_set *objects, struct object_index wanted)
{
    for (struct object_index *known = objects->indexes; known; known = known->next)
        if (is_index(known, &wanted))
            return known;
    struct object_index *index = arena_alloc(&objects->workspace.arena, sizeof *index);
    if (!index)
        return NULL;
    *index = wanted;
    index->objects = objects;
    for (uint32_t i = 0; i < objects->count && !object_set_failure(objects); i++)
        if (is_of(&objects->entries[i].object, wanted.group, wanted.kind))
            index_object(index, &objects->entries[i]);
    index->next = objects->indexes; /* building it may have built others */
    objects->indexes = index;
    return index;
}

/* The objects of the kind by name. */
static struct object_index *find_names(struct others *others, const char *group, const char *kind)
{
    return find_index((struct object_set *)others, (struct object_index){ .group = group, .kind = kind });
}

static struct indexed *find(struct object_index *index, struct bytes key)
{
    if (!index || !index->keys || !key.data || object_set_failure(index->objects))
        return NULL;
    struct found *found = map_find(&index->map, key);
    return found ? &found->indexed : NULL;
}

static struct indexed *others_find(struct others *others, const struct index_definition *definition, struct bytes key)
{
    const struct object_index wanted = { .definition = definition, .group = definition->group, .kind = definition->kind };
    return find(find_index((struct object_set *)others, wanted), key);
}

static struct indexed *others_named(struct others *others, const char *group, const char *kind, struct bytes name)
{
    return find(find_names(others, group, kind), name);
}

static uint32_t others_count(struct others *others, const char *group, const char *kind)
{
    const struct object_index *names = find_names(others, group, kind);
    return names ? names->count : 0;
}

/* Whether an object of that kind may be in another namespace than the object that names it. */
static bool may_differ(const struct object_index *names, const struct wanted *wanted)
{
    return wanted->space.length && names && names->first && names->first->indexed.object->kind->traits & KIND_NAMESPACED;
}

/* What is found under "space/name", of a kind with namespaces. */
static struct indexed *find_spaced(struct others *others, const struct wanted *wanted, struct bytes space, struct bytes name)
{
    struct object_set *objects = (struct object_set *)others;
    struct object_index *index = find_index(objects, (struct object_index){ .group = wanted->group, .kind = wanted->kind, .spaced = true });
    struct bytes key = spaced_key(objects, space, name);
    struct indexed *found = find(index, key);
    if (key.data)
        arena_take_back(&objects->workspace.arena, key.data);
    return found;
}

/* The same in the namespace of the object that names it, or in one that is not known. */
static struct indexed *find_here(struct others *others, const struct wanted *wanted, struct bytes name)
{
    struct indexed *found = find_spaced(others, wanted, wanted->space, name);
    return found ? found : find_spaced(others, wanted, (struct bytes){ "", 0 }, name);
}

static enum presence others_presence(struct others *others, const struct wanted *wanted)
{
    struct object_index *names = find_names(others, wanted->group, wanted->kind);
    bool named = find(names, wanted->name) != NULL;
    if (!names || !names->count)
        return PRESENCE_UNKNOWN;
    if (!may_differ(names, wanted))
        return named ? PRESENCE_GIVEN : PRESENCE_MISSING;
    if (find_here(others, wanted, wanted->name))
        return PRESENCE_GIVEN;
    if (named)
        return PRESENCE_ELSEWHERE;
    return find_here(others, wanted, (struct bytes){ "", 0 }) ? PRESENCE_MISSING : PRESENCE_UNKNOWN;
}

static struct indexed *others_beside(struct others *others, const struct wanted *wanted)
{
    struct object_index *names = find_names(others, wanted->group, wanted->kind);
    struct indexed *found = may_differ(names, wanted) ? find_here(others, wanted, wanted->name) : find(names, wanted->name);
    return found && found->next ? NULL : found;
}

static struct bytes others_near(struct others *others, const struct wanted *wanted)
{
    const struct object_index *names = find_names(others, wanted->group, wanted->kind);
    bool spaced = may_differ(names, wanted);
    uint32_t compared = 0;
    for (const struct found *found = names ? names->first : NULL; found && compared < LIMIT_HINTS; found = found->next, compared++) {
        struct bytes space = found->indexed.object->name_space;
        bool here = !spaced || !space.length || bytes_equal(space, wanted->space);
        if (here && near_is_name_typo(wanted->name, found->key))
            return found->key;
    }
    return (struct bytes){ NULL, 0 };
}

/* Many objects may refer to one that is not in the set: only the first is reported. */
static bool others_missed_first(struct others *others, const char *kind, struct bytes name)
{
    struct object_set *objects = (struct object_set *)others;
    for (const struct missed *missed = objects->missed; missed; missed = missed->next)
        if (strcmp(missed->kind, kind) == 0 && bytes_equal(missed->name, name))
            return false;
    struct missed *first = objects->missed_count < LIMIT_MISSED ? arena_alloc(&objects->workspace.arena, sizeof *first) : NULL;
    if (!first)
        return false;
    *first = (struct missed){ objects->missed, kind, name };
    objects->missed = first;
    objects->missed_count++;
    return true;
}

static bool others_matched(struct others *others, const struct object *object, struct bytes request, struct bytes choice,
                           struct matched *matched)
{
    struct object_set *objects = (struct object_set *)others;
    bool known = false;
    if (objects->matching)
        keep_failure(objects, objects->matcher->find(objects->matching, object, request, choice, &known, matched));
    return known;
}
