/* Source: k8s.io/kubernetes v1.36.3 pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go, k8s.io/component-helpers
 * v0.36.3 resource/helpers.go, k8s.io/dynamic-resource-allocation v0.36.3 deviceclass/extendedresourcecache. */
#include "allocate/extended.h"

#include <stdlib.h>

#include "allocate/device.h"
#include "allocate/result.h"
#include "match/device.h"
#include "value/time.h"

static const struct bytes class_prefix = BYTES("deviceclass.resource.kubernetes.io/");

/* ---- classes ---- */

static int compare_classes(const void *a, const void *b)
{
    const struct allocate_class *const *one = a, *const *other = b;
    return bytes_compare((*one)->name, (*other)->name);
}

static struct instant created(const struct allocate_class *class)
{
    struct instant instant;
    struct bytes text = doc_member_text(doc_member(class->root.node, "metadata"), "creationTimestamp");
    return text.data && instant_read(text, &instant) ? instant : instant_zero;
}

/* Whether the class, which comes later by name, takes the resource from the other one: only if it was made later. */
static bool is_newer(const struct allocate_class *class, const struct allocate_class *other)
{
    struct instant a = created(class), b = created(other);
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.nanoseconds > b.nanoseconds;
}

static enum failure name_class(struct allocate_extended *extended, struct bytes name, const struct allocate_class *class)
{
    bool is_new;
    uint32_t number = names_add(&extended->names, name, &is_new);
    if (number == NAMES_NONE)
        return extended->names.arena->failure;
    extended->classes[number] = class;
    return FAILURE_NONE;
}

static const struct allocate_class *class_of(const struct allocate_extended *extended, struct bytes resource)
{
    uint32_t number = names_find(&extended->names, resource);
    return number == NAMES_NONE ? NULL : extended->classes[number];
}

static enum failure add_class(struct allocate_extended *extended, struct allocate_world *world, const struct allocate_class *class)
{
    struct value given = match_at(class->root, "spec.extendedResourceName");
    const struct allocate_class *other = value_is_set(given) ? class_of(extended, value_text(given)) : NULL;
    enum failure failure = FAILURE_NONE;
    struct text text;
    if (other && !is_newer(class, other))
        return FAILURE_NONE;
    if (value_is_set(given))
        failure = name_class(extended, value_text(given), class);
    arena_clear(&world->scratch);
    text_init(&text, &world->scratch);
    text_add_bytes(&text, class_prefix);
    text_add_bytes(&text, class->name);
    const char *end = text_end(&text);
    if (failure || !end)
        return failure ? failure : world->scratch.failure;
    return name_class(extended, (struct bytes){ end, (uint32_t)text.length }, class);
}

/* A scheduler sees classes by name when it starts. */
enum failure allocate_extended_init(struct allocate_extended *extended, struct allocate_world *world)
{
    enum failure failure = FAILURE_NONE;
    const struct allocate_class **order = allocate_make(world, world->class_count, sizeof(struct allocate_class *));
    names_init(&extended->names, &world->arena, world->matching->workspace.context->key);
    extended->classes = allocate_make(world, (size_t)world->class_count * 2, sizeof(struct allocate_class *));
    if (!order || !extended->classes)
        return world->arena.failure;
    for (uint32_t i = 0; i < world->class_count; i++)
        order[i] = &world->classes[i];
    qsort(order, world->class_count, sizeof(struct allocate_class *), compare_classes);
    for (uint32_t i = 0; i < world->class_count && !failure; i++)
        failure = add_class(extended, world, order[i]);
    return failure;
}

/* ---- what a pod wants ---- */

static bool begins_with(struct bytes text, struct bytes start)
{
    return text.length >= start.length && memcmp(text.data, start.data, start.length) == 0;
}

static bool contains(struct bytes text, struct bytes part)
{
    for (uint32_t i = 0; i + part.length <= text.length; i++)
        if (memcmp(text.data + i, part.data, part.length) == 0)
            return true;
    return false;
}

/* API servers refuse pods in which other names are not qualified. */
static bool is_extended(struct bytes name)
{
    bool native = !contains(name, (struct bytes)BYTES("/")) || contains(name, (struct bytes)BYTES("kubernetes.io/"));
    return begins_with(name, class_prefix) || (!native && !begins_with(name, (struct bytes)BYTES("requests.")));
}

struct quantity_entry {
    struct bytes name;
    struct amount amount;
};

struct tally {
    amount_nano total;   /* of containers that run together */
    amount_nano sidecar; /* of init containers that go on, so far */
    amount_nano most;    /* while one init container runs */
};

struct tallying {
    const struct allocate_extended *extended;
    struct arena *arena;
    struct allocate_needs *needs;
    bool defaults;
    struct names names;
    struct tally tallies[LIMIT_ALLOCATE_RESOURCES]; /* by number of the name */
    struct quantity_entry entries[LIMIT_ALLOCATE_RESOURCES]; /* of one container */
    uint32_t entry_count;
};

static struct bytes scalar(const struct doc_node *node)
{
    bool has_text = node->type == DOC_STRING || node->type == DOC_NUMBER;
    return has_text ? doc_text(node) : (struct bytes)BYTES("");
}

static enum failure read_list(struct tallying *t, const struct doc_node *list, const struct doc_node *but)
{
    enum failure failure = FAILURE_NONE;
    doc_each(list, child) {
        if (failure || (but && doc_member_named(but, doc_name(child))))
            continue;
        if (t->entry_count == LIMIT_ALLOCATE_RESOURCES) {
            t->needs->too_many = true;
            return FAILURE_NONE;
        }
        struct quantity_entry *entry = &t->entries[t->entry_count++];
        entry->name = doc_name(child);
        failure = amount_read(scalar(child), t->arena, &entry->amount);
    }
    return failure;
}

/* The container's requests. */
static enum failure read_entries(struct tallying *t, const struct doc_node *container)
{
    const struct doc_node *resources = doc_member(container, "resources"), *requests = doc_member(resources, "requests");
    t->entry_count = 0;
    enum failure failure = read_list(t, requests, NULL);
    return failure || !t->defaults || t->needs->too_many ? failure : read_list(t, doc_member(resources, "limits"), requests);
}

static bool is_sidecar(const struct allocate_needs *needs, uint32_t container)
{
    struct bytes policy = doc_member_text(needs->containers[container], "restartPolicy");
    return container < needs->init_count && policy.data && bytes_equal_text(policy, "Always");
}

/* The number of an extended resource's name. NAMES_NONE: there are too many, or the arena failed. */
static uint32_t number_of(struct tallying *t, struct bytes name)
{
    bool is_new;
    uint32_t number = names_add(&t->names, name, &is_new);
    if (number == NAMES_NONE || number < LIMIT_ALLOCATE_RESOURCES)
        return number;
    t->needs->too_many = true;
    return NAMES_NONE;
}

static void tally(const struct tallying *t, struct tally *tally, uint32_t container, amount_nano amount)
{
    amount_nano here = amount + tally->sidecar;
    if (container >= t->needs->init_count || is_sidecar(t->needs, container))
        tally->total += amount;
    if (is_sidecar(t->needs, container))
        tally->sidecar += amount;
    if (container < t->needs->init_count && here > tally->most)
        tally->most = here;
}

static enum failure tally_container(struct tallying *t, uint32_t container)
{
    enum failure failure = read_entries(t, t->needs->containers[container]);
    for (uint32_t i = 0; i < t->entry_count && !failure && !t->needs->too_many; i++) {
        if (!is_extended(t->entries[i].name))
            continue;
        uint32_t number = number_of(t, t->entries[i].name);
        if (number == NAMES_NONE)
            return t->arena->failure;
        tally(t, &t->tallies[number], container, t->entries[i].amount.nano);
    }
    return failure;
}

static enum failure tally_overhead(struct tallying *t, const struct doc_node *overhead)
{
    enum failure failure = FAILURE_NONE;
    doc_each(overhead, child) {
        struct amount amount;
        if (failure || !is_extended(doc_name(child)))
            continue;
        uint32_t number = number_of(t, doc_name(child));
        if (number == NAMES_NONE)
            return t->arena->failure;
        failure = amount_read(scalar(child), t->arena, &amount);
        t->tallies[number].total += failure ? 0 : amount.nano;
        t->tallies[number].most += failure ? 0 : amount.nano;
    }
    return failure;
}

static bool list_containers(struct allocate_needs *needs, const struct doc_node *list)
{
    doc_each(list, container) {
        if (needs->container_count == LIMIT_ALLOCATE_CONTAINERS)
            return false;
        needs->containers[needs->container_count++] = container;
    }
    return true;
}

/* ---- needs ---- */

static int compare_needs(const void *a, const void *b)
{
    const struct allocate_need *one = a, *other = b;
    return bytes_compare(one->name, other->name);
}

static amount_nano most_of(const struct tally *tally)
{
    return tally->total > tally->most ? tally->total : tally->most;
}

static enum failure list_needs(struct tallying *t)
{
    struct allocate_needs *needs = t->needs;
    needs->list = arena_alloc(t->arena, t->names.count * sizeof *needs->list + 1);
    if (!needs->list)
        return t->arena->failure;
    for (uint32_t i = 0; i < t->names.count; i++) {
        const struct amount amount = { .nano = most_of(&t->tallies[i]) };
        struct bytes name = names_text(&t->names, i);
        struct allocate_cell *cells = arena_alloc(t->arena, needs->container_count * sizeof *cells + 1);
        if (!cells)
            return t->arena->failure;
        memset(cells, 0, needs->container_count * sizeof *cells);
        if (amount_whole(&amount))
            needs->list[needs->count++] = (struct allocate_need){ name, class_of(t->extended, name), cells, false };
        needs->has_class |= amount.nano && class_of(t->extended, name);
    }
    qsort(needs->list, needs->count, sizeof *needs->list, compare_needs);
    return FAILURE_NONE;
}

/* The quantity as an int64; 0 where it is none. */
static int64_t exactly(const struct amount *amount)
{
    bool whole = !amount->alone && amount->small.scale >= 0 && amount->nano % AMOUNT_UNIT == 0;
    return whole ? amount_whole(amount) : 0;
}

static enum failure fill_cells(struct tallying *t, uint32_t container)
{
    struct allocate_needs *needs = t->needs;
    enum failure failure = read_entries(t, needs->containers[container]);
    for (uint32_t i = 0; i < t->entry_count && !failure; i++) {
        const struct allocate_need key = { .name = t->entries[i].name };
        struct allocate_need *need = bsearch(&key, needs->list, needs->count, sizeof *needs->list, compare_needs);
        if (!need)
            continue;
        need->cells[container] = (struct allocate_cell){ exactly(&t->entries[i].amount), 0 };
        for (uint32_t j = 0; j < t->entry_count; j++)
            need->cells[container].index += bytes_compare(t->entries[j].name, t->entries[i].name) < 0;
    }
    return failure;
}

enum failure allocate_needs_read(const struct allocate_extended *extended, const struct allocate_pod *pod, bool defaults,
                                 struct arena *arena, struct allocate_needs *needs)
{
    struct tallying t = { .extended = extended, .arena = arena, .needs = needs, .defaults = defaults };
    enum failure failure = FAILURE_NONE;
    *needs = (struct allocate_needs){ .count = 0 };
    names_init(&t.names, arena, extended->names.key);
    needs->too_many = !list_containers(needs, doc_member(pod->spec, "initContainers"));
    needs->init_count = needs->container_count;
    needs->too_many |= !list_containers(needs, doc_member(pod->spec, "containers"));
    for (uint32_t i = 0; i < needs->container_count && !failure && !needs->too_many; i++)
        failure = tally_container(&t, i);
    if (!failure && !needs->too_many)
        failure = tally_overhead(&t, doc_member(pod->spec, "overhead"));
    if (!failure && !needs->too_many)
        failure = list_needs(&t);
    for (uint32_t i = 0; i < needs->container_count && !failure && !needs->too_many && needs->count; i++)
        failure = fill_cells(&t, i);
    return failure;
}

/* Whether the quantity has only zeros. */
static bool is_zero(struct bytes quantity)
{
    uint32_t i = 0;
    while (i < quantity.length && memchr("0.+-", quantity.data[i], 4))
        i++;
    return i == quantity.length || quantity.data[i] < '1' || quantity.data[i] > '9';
}

bool allocate_needs_on(struct allocate_needs *needs, const struct allocate_node *node, bool defaults, bool *some)
{
    const struct doc_node *status = doc_member(node->given.root.node, "status"), *allocatable = doc_member(status, "allocatable");
    if (defaults && !allocatable)
        allocatable = doc_member(status, "capacity");
    *some = false;
    for (uint32_t i = 0; i < needs->count; i++) {
        struct allocate_need *need = &needs->list[i];
        const struct doc_node *found = doc_member_named(allocatable, need->name);
        need->by_device = need->class && (!found || is_zero(scalar(found)));
        *some |= need->by_device;
        if (!need->by_device && !found)
            return false;
    }
    return true;
}

/* ---- requests ---- */

struct making {
    const struct allocate_needs *needs;
    struct arena *arena;
    struct allocate_extras *extras;
    struct allocate_mapping **end;
    const struct allocate_extra *lasting[LIMIT_ALLOCATE_CONTAINERS]; /* of the resource; NULL: none */
    enum failure failure;
};

static void map(struct making *making, const struct allocate_need *need, uint32_t container, const struct allocate_extra *request)
{
    struct allocate_mapping *made = making->failure ? NULL : arena_alloc(making->arena, sizeof *made);
    struct bytes name = doc_member_text(making->needs->containers[container], "name");
    if (!made) {
        making->failure = making->arena->failure;
        return;
    }
    *made = (struct allocate_mapping){ NULL, name.data ? name : (struct bytes)BYTES(""), need->name, request };
    *making->end = made;
    making->end = &made->next;
}

/* A request of so many devices; NULL: the arena failed. */
static struct allocate_extra *request(struct making *making, const struct allocate_need *need, uint32_t container, int64_t count)
{
    struct allocate_extra *made = arena_alloc(making->arena, sizeof *made);
    struct text name;
    text_init(&name, making->arena);
    text_add(&name, "container-");
    text_add_integer(&name, container);
    text_add(&name, "-request-");
    text_add_integer(&name, need->cells[container].index);
    const char *end = text_end(&name);
    if (!made || !end) {
        making->failure = making->arena->failure;
        return NULL;
    }
    *made = (struct allocate_extra){ { end, (uint32_t)name.length }, need->class, count, false };
    return made;
}

static void add(struct making *making, struct allocate_extra *made)
{
    if (made)
        making->extras->list[making->extras->count++] = made;
}

/* Containers that go on have devices of their own. */
static void add_lasting(struct making *making, const struct allocate_need *need)
{
    const struct allocate_needs *needs = making->needs;
    for (uint32_t i = 0; i < needs->container_count && !making->failure; i++) {
        bool ends = i < needs->init_count && !is_sidecar(needs, i);
        making->lasting[i] = NULL;
        if (ends || !need->cells[i].count)
            continue;
        struct allocate_extra *made = request(making, need, i, need->cells[i].count);
        making->lasting[i] = made;
        add(making, made);
        map(making, need, i, made);
    }
}

/* An init container that ends uses the devices of those that start with it or later, and more if they are not enough. Returns the request
 * for more; NULL: none. */
static struct allocate_extra *add_short(struct making *making, const struct allocate_need *need, uint32_t container)
{
    amount_nano sum = 0, wanted = need->cells[container].count;
    for (uint32_t i = container; i < making->needs->container_count && !making->failure; i++) {
        if (!making->lasting[i])
            continue;
        sum += making->lasting[i]->count;
        map(making, need, container, making->lasting[i]);
        if (sum >= wanted)
            return NULL;
    }
    struct allocate_extra *made = making->failure ? NULL : request(making, need, container, (int64_t)(wanted - sum));
    if (made) {
        made->short_lived = true;
        map(making, need, container, made);
    }
    return made;
}

/* Init containers that end run one after the other, so the largest request is for all of them. */
static void add_shorts(struct making *making, const struct allocate_need *need)
{
    struct allocate_extra *most = NULL;
    struct allocate_mapping **from = making->end;
    for (uint32_t i = 0; i < making->needs->init_count && !making->failure; i++) {
        if (is_sidecar(making->needs, i) || !need->cells[i].count)
            continue;
        struct allocate_extra *made = add_short(making, need, i);
        if (made && (!most || most->count < made->count))
            most = made;
    }
    add(making, most);
    for (struct allocate_mapping *mapping = *from; mapping; mapping = mapping->next)
        if (mapping->request->short_lived)
            mapping->request = most;
}

static int compare_extras(const void *a, const void *b)
{
    const struct allocate_extra *const *one = a, *const *other = b;
    return bytes_compare((*one)->name, (*other)->name);
}

enum failure allocate_extras_make(const struct allocate_needs *needs, struct arena *arena, struct allocate_extras *extras)
{
    struct making making = { .needs = needs, .arena = arena, .extras = extras, .end = &extras->mappings };
    size_t room = (size_t)needs->count * (needs->container_count + 1);
    *extras = (struct allocate_extras){ .count = 0 };
    extras->list = arena_alloc(arena, room * sizeof(struct allocate_extra *) + 1);
    if (!extras->list)
        return arena->failure;
    for (uint32_t i = 0; i < needs->count && !making.failure; i++) {
        if (!needs->list[i].by_device)
            continue;
        add_lasting(&making, &needs->list[i]);
        add_shorts(&making, &needs->list[i]);
    }
    if (!making.failure)
        qsort(extras->list, extras->count, sizeof(struct allocate_extra *), compare_extras);
    return making.failure;
}

void allocate_extras_add_devices(struct text *json, const struct allocate_extras *extras)
{
    text_add(json, "{");
    for (uint32_t i = 0; i < extras->count; i++) {
        const struct allocate_extra *extra = extras->list[i];
        text_add(json, i ? ",{\"name\":" : "\"requests\":[{\"name\":");
        allocate_json_add_text(json, extra->name);
        text_add(json, ",\"exactly\":{\"deviceClassName\":");
        allocate_json_add_text(json, extra->class->name);
        text_add(json, ",\"allocationMode\":\"ExactCount\",\"count\":");
        text_add_integer(json, extra->count);
        text_add(json, "}}");
    }
    text_add(json, extras->count ? "]}" : "}");
}
