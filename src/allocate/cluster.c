#include "allocate/cluster.h"

#include "allocate/limits.h"
#include "base/limits.h"
#include "match/limits.h"

static const char resource_group[] = "resource.k8s.io";

/* ---- which objects ---- */

static bool is_workload(const struct item *item)
{
    static const struct {
        const char *group, *kind;
    } kinds_with_pods[] = {
        { "apps", "Deployment" }, { "apps", "StatefulSet" }, { "apps", "DaemonSet" }, { "apps", "ReplicaSet" },
        { "batch", "Job" },       { "batch", "CronJob" },
    };
    for (size_t i = 0; i < sizeof kinds_with_pods / sizeof *kinds_with_pods; i++)
        if (match_is(item, kinds_with_pods[i].group, kinds_with_pods[i].kind))
            return true;
    return false;
}

/* The list to which the object belongs; NULL: none. */
static struct allocate_list *list_of(struct allocate_cluster *cluster, const struct item *item)
{
    if (match_is_slice(item))
        return &cluster->slices;
    if (match_is(item, "", "Node"))
        return &cluster->nodes;
    if (match_is(item, "", "Pod"))
        return &cluster->pods;
    if (match_is(item, resource_group, "DeviceClass"))
        return &cluster->classes;
    if (match_is(item, resource_group, "DeviceTaintRule"))
        return &cluster->rules;
    if (match_is(item, resource_group, "ResourceClaim"))
        return &cluster->claims;
    if (match_is(item, resource_group, "ResourceClaimTemplate"))
        return &cluster->templates;
    return is_workload(item) ? &cluster->workloads : NULL;
}

/* ---- reading ---- */

struct cluster_reading {
    struct allocate_cluster *cluster;
    struct map seen;     /* objects by list, namespace and name */
    struct arena arena;  /* of their keys */
};

static struct bytes space_of(struct bytes space)
{
    return space.length ? space : (struct bytes)BYTES("default");
}

static struct bytes key_of(struct arena *arena, unsigned list, struct bytes space, struct bytes name)
{
    struct text text;
    const char letter = (char)('a' + list);
    text_init(&text, arena);
    text_add_bytes(&text, (struct bytes){ &letter, 1 });
    text_add_bytes(&text, space_of(space));
    text_add(&text, "/");
    text_add_bytes(&text, name);
    const char *end = text_end(&text);
    return (struct bytes){ end, end ? (uint32_t)text.length : 0 };
}

static enum failure read_item(struct allocate_cluster *cluster, const struct item *item, struct value *root)
{
    struct match_world *world = &cluster->matching;
    struct check_result result;
    if (!match_is_slice(item))
        return match_read(world, item, root);
    enum failure failure = match_slice(&world->workspace, item, world->version, &result, root);
    return failure || value_is_set(*root) ? failure : match_refuse(world, item, &result);
}

static enum failure gather(struct cluster_reading *reading, const struct item *item)
{
    struct allocate_list *list = list_of(reading->cluster, item);
    struct value root;
    if (!list)
        return FAILURE_NONE;
    struct bytes key = key_of(&reading->arena, (unsigned)(list - &reading->cluster->nodes), item->space, item->name);
    if (!key.data)
        return reading->arena.failure;
    if (item->name.length && map_add(&reading->seen, key, item))
        return FAILURE_NONE;
    enum failure failure = read_item(reading->cluster, item, &root);
    if (!failure && value_is_set(root))
        list->list[list->count++] = (struct allocate_object){ .item = item, .root = root };
    return failure;
}

/* Gives each list as much room as there are objects of its kind, and counts them. */
static enum failure make_lists(struct allocate_cluster *cluster, const struct source *sources, uint32_t *count)
{
    struct allocate_list *const lists[] = { &cluster->nodes,  &cluster->slices,    &cluster->classes, &cluster->rules,
                                            &cluster->claims, &cluster->templates, &cluster->pods,    &cluster->workloads };
    *count = 0;
    for (const struct source *source = sources; source; source = source->next)
        for (const struct item *item = source->first; item; item = item->next) {
            struct allocate_list *list = list_of(cluster, item);
            if (list)
                list->count++;
            *count += list != NULL;
        }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        lists[i]->list = arena_alloc(&cluster->arena, lists[i]->count * sizeof *lists[i]->list + 1);
        lists[i]->count = 0;
        if (!lists[i]->list)
            return cluster->arena.failure;
    }
    return FAILURE_NONE;
}

static enum failure gather_all(struct allocate_cluster *cluster, const struct source *sources)
{
    struct cluster_reading reading = { .cluster = cluster };
    uint32_t count;
    enum failure failure = make_lists(cluster, sources, &count);
    arena_init(&reading.arena, cluster->arena.memory, LIMIT_ALLOCATE_WORLD_BYTES);
    if (!failure)
        failure = map_init(&reading.seen, &reading.arena, count, cluster->matching.workspace.context->key);
    for (const struct source *source = sources; source && !failure; source = source->next)
        for (const struct item *item = source->first; item && !failure; item = item->next)
            failure = gather(&reading, item);
    arena_done(&reading.arena);
    return failure;
}

/* ---- nodes that are not given ---- */

/* The names of nodes that slices and their devices have; each once. Where there is none, but there are slices for all nodes, one node
 * without a name stands for any. */
static enum failure guess_nodes(struct allocate_cluster *cluster)
{
    struct allocate_objects *objects = &cluster->objects;
    struct names names;
    bool is_new;
    names_init(&names, &cluster->arena, cluster->matching.workspace.context->key);
    for (uint32_t i = 0; i < objects->slice_count; i++) {
        struct value spec = match_at(objects->slices[i], "spec");
        struct bytes name = value_text(match_at(spec, "nodeName"));
        if (name.length && names_add(&names, name, &is_new) == NAMES_NONE)
            return cluster->arena.failure;
        value_each(match_at(spec, "devices"), device) {
            name = value_text(match_at(device, "nodeName"));
            if (name.length && names_add(&names, name, &is_new) == NAMES_NONE)
                return cluster->arena.failure;
        }
    }
    if (!names.count && objects->slice_count && names_add(&names, (struct bytes)BYTES(""), &is_new) == NAMES_NONE)
        return cluster->arena.failure;
    struct bytes *guessed = arena_alloc(&cluster->arena, names.count * sizeof *guessed + 1);
    for (uint32_t i = 0; guessed && i < names.count; i++)
        guessed[i] = names_text(&names, i);
    objects->guessed = guessed;
    objects->guessed_count = names.count;
    return guessed ? FAILURE_NONE : cluster->arena.failure;
}

/* ---- the whole ---- */

static const struct value *values_of(struct allocate_cluster *cluster, const struct allocate_list *list, uint32_t *count)
{
    struct value *values = arena_alloc(&cluster->arena, list->count * sizeof *values + 1);
    for (uint32_t i = 0; values && i < list->count; i++)
        values[i] = list->list[i].root;
    *count = values ? list->count : 0;
    return values;
}

static enum failure index_names(struct allocate_cluster *cluster, const struct allocate_list *list, struct map *map)
{
    enum failure failure = map_init(map, &cluster->arena, list->count, cluster->matching.workspace.context->key);
    for (uint32_t i = 0; i < list->count && !failure; i++) {
        struct bytes key = key_of(&cluster->arena, 0, list->list[i].item->space, list->list[i].item->name);
        if (key.data)
            (void)map_add(map, key, &list->list[i]);
        failure = cluster->arena.failure;
    }
    return failure;
}

static enum failure index_resources(struct allocate_cluster *cluster)
{
    const struct allocate_list *classes = &cluster->classes;
    enum failure failure =
        map_init(&cluster->extended, &cluster->arena, classes->count, cluster->matching.workspace.context->key);
    for (uint32_t i = 0; i < classes->count && !failure; i++) {
        struct bytes name = value_text(match_at(classes->list[i].root, "spec.extendedResourceName"));
        if (name.length)
            (void)map_add(&cluster->extended, name, &classes->list[i]);
    }
    return failure;
}

bool allocate_cluster_has_extended(const struct allocate_cluster *cluster, struct bytes resource)
{
    static const struct bytes prefix = BYTES("deviceclass.resource.kubernetes.io/");
    bool of_class = resource.length > prefix.length && memcmp(resource.data, prefix.data, prefix.length) == 0;
    return of_class || map_find(&cluster->extended, resource);
}

enum failure allocate_cluster_init(struct allocate_cluster *cluster, const struct context *context, const struct source *sources,
                                   minor version)
{
    static const struct match_bounds bounds = {
        .objects = LIMIT_ALLOCATE_WORLD_BYTES, .values = LIMIT_MATCH_VALUES, .work = LIMIT_ALLOCATE_EVALUATION,
    };
    struct allocate_objects *objects = &cluster->objects;
    *cluster = (struct allocate_cluster){ .nodes_are_known = true };
    arena_init(&cluster->arena, context->memory, LIMIT_ALLOCATE_WORLD_BYTES);
    enum failure failure = match_world_init_within(&cluster->matching, context, NULL, version, (struct bytes){ NULL, 0 }, &bounds);
    if (!failure)
        failure = gather_all(cluster, sources);
    if (failure)
        return failure;
    objects->nodes = values_of(cluster, &cluster->nodes, &objects->node_count);
    objects->slices = values_of(cluster, &cluster->slices, &objects->slice_count);
    objects->classes = values_of(cluster, &cluster->classes, &objects->class_count);
    objects->rules = values_of(cluster, &cluster->rules, &objects->rule_count);
    failure = cluster->arena.failure ? cluster->arena.failure : index_names(cluster, &cluster->claims, &cluster->claims_by_name);
    if (!failure)
        failure = index_names(cluster, &cluster->templates, &cluster->templates_by_name);
    if (!failure)
        failure = index_resources(cluster);
    if (failure || objects->node_count)
        return failure;
    cluster->nodes_are_known = false;
    return guess_nodes(cluster);
}

void allocate_cluster_done(struct allocate_cluster *cluster)
{
    match_world_done(&cluster->matching);
    arena_done(&cluster->arena);
}

/* ---- pods that are gone ---- */

/* Whether the claim is reserved for the pod and nothing else. */
static bool is_only_for(struct value claim, struct bytes pod)
{
    struct value reserved = match_at(claim, "status.reservedFor");
    return value_count(reserved) == 1 && bytes_equal(value_text(match_at(value_first(reserved), "name")), pod);
}

/* Whether the claim was made for the pod, and goes with it. */
static bool is_owned_by(const struct doc_node *claim, struct bytes pod)
{
    doc_each(doc_member(doc_member(claim, "metadata"), "ownerReferences"), owner)
        if (bytes_equal_text(doc_member_text(owner, "kind"), "Pod") && bytes_equal(doc_member_text(owner, "name"), pod))
            return true;
    return false;
}

static void remove_pod(struct allocate_cluster *cluster, struct allocate_object *pod)
{
    struct bytes space = space_of(pod->item->space), name = pod->item->name;
    pod->gone = true;
    for (uint32_t i = 0; i < cluster->claims.count; i++) {
        struct allocate_object *claim = &cluster->claims.list[i];
        if (!bytes_equal(space_of(claim->item->space), space))
            continue;
        claim->gone |= is_owned_by(claim->item->node, name);
        claim->released |= claim->gone || is_only_for(claim->root, name);
    }
}

bool allocate_cluster_remove(struct allocate_cluster *cluster, struct bytes name)
{
    const char *slash = memchr(name.data, '/', name.length);
    struct bytes space = { name.data, slash ? (uint32_t)(slash - name.data) : 0 };
    bool found = false;
    if (slash)
        name = (struct bytes){ slash + 1, name.length - space.length - 1 };
    for (uint32_t i = 0; i < cluster->pods.count; i++) {
        struct allocate_object *pod = &cluster->pods.list[i];
        if (!bytes_equal(pod->item->name, name) || (slash && !bytes_equal(space_of(pod->item->space), space)))
            continue;
        remove_pod(cluster, pod);
        found = true;
    }
    return found;
}

/* ---- the world ---- */

enum failure allocate_cluster_world(struct allocate_cluster *cluster, const struct allocate_mode *mode, struct allocate_world *world)
{
    struct allocate_objects objects = cluster->objects;
    objects.rule_count = mode->on.rules ? objects.rule_count : 0;
    return allocate_world_init(world, &cluster->matching, mode, &objects);
}

/* The key is given back; that there is no memory for it, the cluster's arena remembers. */
static const struct allocate_object *find(struct allocate_cluster *cluster, const struct map *map, struct bytes space, struct bytes name)
{
    struct bytes key = key_of(&cluster->arena, 0, space, name);
    const struct allocate_object *found = key.data ? map_find(map, key) : NULL;
    arena_take_back(&cluster->arena, key.data);
    return found;
}

const struct allocate_object *allocate_cluster_claim(struct allocate_cluster *cluster, struct bytes space, struct bytes name)
{
    return find(cluster, &cluster->claims_by_name, space, name);
}

const struct allocate_object *allocate_cluster_template(struct allocate_cluster *cluster, struct bytes space, struct bytes name)
{
    return find(cluster, &cluster->templates_by_name, space, name);
}
