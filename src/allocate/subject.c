#include "allocate/subject.h"

#include "allocate/limits.h"
#include "base/near.h"

static const struct bytes none = BYTES("");

static struct bytes text_at(const struct doc_node *node, const char *name)
{
    struct bytes text = doc_member_text(node, name);
    return text.data ? text : none;
}

/* ---- subjects ---- */

static bool is_allocated(const struct allocate_object *claim)
{
    return !claim->released && value_is_set(match_at(claim->root, "status.allocation"));
}

/* Whether containers ask for a resource that a class stands for. */
static bool uses_extended(const struct allocate_cluster *cluster, const struct doc_node *containers)
{
    doc_each(containers, container) {
        const struct doc_node *resources = doc_member(container, "resources");
        doc_each(doc_member(resources, "limits"), entry)
            if (allocate_cluster_has_extended(cluster, doc_name(entry)))
                return true;
        doc_each(doc_member(resources, "requests"), entry)
            if (allocate_cluster_has_extended(cluster, doc_name(entry)))
                return true;
    }
    return false;
}

static bool uses_devices(const struct allocate_cluster *cluster, const struct doc_node *pod)
{
    const struct doc_node *spec = doc_member(pod, "spec"), *list = doc_member(spec, "resourceClaims");
    return doc_first(list) || uses_extended(cluster, doc_member(spec, "containers")) ||
           uses_extended(cluster, doc_member(spec, "initContainers"));
}

/* The object with the spec of a workload's pods. */
static const struct doc_node *pod_of(const struct doc_node *workload)
{
    const struct doc_node *spec = doc_member(workload, "spec"), *job = doc_member(doc_member(spec, "jobTemplate"), "spec");
    return doc_member(job ? job : spec, "template");
}

static uint32_t copies_of(const struct doc_node *workload, uint32_t replicas)
{
    const struct doc_node *spec = doc_member(workload, "spec"), *job = doc_member(doc_member(spec, "jobTemplate"), "spec");
    const struct doc_node *number = doc_member(spec, "replicas");
    int64_t count = 1;
    if (!number)
        number = doc_member(job ? job : spec, "parallelism");
    if (replicas || !number || number->type != DOC_NUMBER || !doc_integer(number, 0, LIMIT_ALLOCATE_COPIES, &count))
        return replicas ? replicas : 1;
    return (uint32_t)count;
}

static void add_subject(struct allocate_subjects *subjects, const struct allocate_object *object, const struct doc_node *pod,
                        uint32_t copies)
{
    subjects->list[subjects->count++] = (struct allocate_subject){
        .object = object, .space = object->item->space, .name = object->item->name, .pod = pod, .copies = copies,
    };
}

static void find_pods(const struct allocate_cluster *cluster, uint32_t replicas, struct allocate_subjects *subjects)
{
    for (uint32_t i = 0; i < cluster->pods.count; i++) {
        const struct allocate_object *pod = &cluster->pods.list[i];
        const struct doc_node *node = pod->item->node;
        bool bound = text_at(doc_member(node, "spec"), "nodeName").length;
        if (!pod->gone && !bound && uses_devices(cluster, node))
            add_subject(subjects, pod, node, 1);
    }
    for (uint32_t i = 0; i < cluster->workloads.count; i++) {
        const struct allocate_object *workload = &cluster->workloads.list[i];
        const struct doc_node *node = workload->item->node, *pod = pod_of(node);
        bool stored = text_at(doc_member(node, "metadata"), "uid").length;
        if (uses_devices(cluster, pod) && (!stored || replicas))
            add_subject(subjects, workload, pod, copies_of(node, replicas));
    }
}

enum failure allocate_subjects_find(const struct allocate_cluster *cluster, struct arena *arena, uint32_t replicas,
                                    struct allocate_subjects *subjects)
{
    size_t room = (size_t)cluster->pods.count + cluster->workloads.count + cluster->claims.count + cluster->templates.count;
    *subjects = (struct allocate_subjects){ .list = arena_alloc(arena, room * sizeof *subjects->list + 1) };
    if (!subjects->list)
        return arena->failure;
    find_pods(cluster, replicas, subjects);
    if (subjects->count)
        return FAILURE_NONE;
    for (uint32_t i = 0; i < cluster->claims.count; i++)
        if (!cluster->claims.list[i].gone && !is_allocated(&cluster->claims.list[i]))
            add_subject(subjects, &cluster->claims.list[i], NULL, 1);
    for (uint32_t i = 0; i < cluster->templates.count; i++)
        add_subject(subjects, &cluster->templates.list[i], NULL, replicas ? replicas : 1);
    return FAILURE_NONE;
}

/* ---- names ---- */

/* Takes what is before the first slash off a text. */
static struct bytes take_part(struct bytes *text)
{
    const char *slash = text->length ? memchr(text->data, '/', text->length) : NULL;
    struct bytes part = { text->data, slash ? (uint32_t)(slash - text->data) : 0 };
    if (slash)
        *text = (struct bytes){ slash + 1, text->length - part.length - 1 };
    return part;
}

static bool equal_ignoring_case(struct bytes a, struct bytes b)
{
    if (a.length != b.length)
        return false;
    for (uint32_t i = 0; i < a.length; i++)
        if (near_lower(a.data[i]) != near_lower(b.data[i]))
            return false;
    return true;
}

bool allocate_subject_is_named(const struct allocate_subject *subject, struct bytes typed)
{
    struct bytes name = typed, first = take_part(&name), second = take_part(&name);
    struct bytes kind = subject->object->item->kind_name;
    if (!bytes_equal(name, subject->name))
        return false;
    if (second.length)
        return equal_ignoring_case(first, kind) && bytes_equal(second, subject->space);
    return !first.length || equal_ignoring_case(first, kind) || bytes_equal(first, subject->space);
}
