/* Classes needs_set others: more than one default, and extended resources that two of them map. */
#include "check/cross.h"
#include "rules/tables.h"

#define STORAGE "storage.k8s.io"

static const struct bytes any = BYTES("");

static bool is_marked(const struct doc_node *annotations, const char *key)
{
    const struct doc_node *mark = doc_member(annotations, key);
    return mark && mark->type == DOC_STRING && bytes_equal_text(doc_text(mark), "true");
}

/* Source: k8s.io/kubernetes v1.35.4 pkg/volume/util/storageclass.go: both annotations count. */
static bool is_default(struct cross *cross, const struct doc_node *root, const char *key, const char *old_key)
{
    const struct doc_node *annotations = cross_at(cross, cross_root_shape(cross), root, "metadata.annotations");
    return is_marked(annotations, key) || (old_key && is_marked(annotations, old_key));
}

static bool is_default_storage_class(struct cross *cross, const struct doc_node *root)
{
    return is_default(cross, root, "storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class");
}

static bool is_default_attributes_class(struct cross *cross, const struct doc_node *root)
{
    return is_default(cross, root, "volumeattributesclass.kubernetes.io/is-default-class", NULL);
}

static void index_default_storage_class(struct cross *cross, const struct doc_node *root)
{
    if (is_default_storage_class(cross, root))
        cross_index_add(cross, any, root);
}

static void index_default_attributes_class(struct cross *cross, const struct doc_node *root)
{
    if (is_default_attributes_class(cross, root))
        cross_index_add(cross, any, root);
}

static const struct index_definition default_storage_classes = { .group = STORAGE, .kind = "StorageClass", .add = index_default_storage_class, .first_only = true };
static const struct index_definition default_attributes_classes = { .group = STORAGE, .kind = "VolumeAttributesClass", .add = index_default_attributes_class, .first_only = true };

/* The first one may stay; every later one clashes with it, unless it is the same class in another file. */
static void only_one(struct cross *cross, const struct index_definition *defaults)
{
    const struct indexed *first = cross_find(cross, defaults, any);
    if (first && !cross_is_same(cross, first))
        cross_report(cross, &(struct cross_report){ .below = "annotations", .other = first, .detail = "should not mark a second default class: the one that was created last counts" });
}

void cross_only_default_storage_class(struct cross *cross)
{
    if (is_default_storage_class(cross, cross_root(cross)))
        only_one(cross, &default_storage_classes);
}

void cross_only_default_attributes_class(struct cross *cross)
{
    if (is_default_attributes_class(cross, cross_root(cross)))
        only_one(cross, &default_attributes_classes);
}

static void index_extended_resource(struct cross *cross, const struct doc_node *root)
{
    const struct doc_node *name = cross_at(cross, cross_root_shape(cross), root, "spec.extendedResourceName");
    if (name && name->count)
        cross_index_add(cross, doc_text(name), name);
}

static const struct index_definition extended_resources = { .group = "resource.k8s.io", .kind = "DeviceClass", .add = index_extended_resource, .first_only = true };

void cross_unique_extended_resource(struct cross *cross)
{
    const struct doc_node *name = cross_value(cross);
    const struct indexed *first = name ? cross_find(cross, &extended_resources, doc_text(name)) : NULL;
    if (first && !cross_is_same(cross, first))
        cross_report(cross, &(struct cross_report){ .value = name, .other = first, .detail = "is mapped by another class, too: the one that was created last counts" });
}

/* ---- capacity ---- */

static void index_late_class(struct cross *cross, const struct doc_node *root)
{
    const struct shape *shape = cross_root_shape(cross);
    const struct doc_node *provisioner = cross_at(cross, shape, root, "provisioner"), *mode = cross_at(cross, shape, root, "volumeBindingMode");
    if (mode && bytes_equal_text(doc_text(mode), "WaitForFirstConsumer"))
        cross_index_add(cross, doc_text(provisioner), cross_at(cross, shape, root, "metadata.name"));
}

static void index_capacity(struct cross *cross, const struct doc_node *root)
{
    const struct doc_node *class = cross_at(cross, cross_root_shape(cross), root, "storageClassName");
    cross_index_add(cross, doc_text(class), class);
}

static const struct index_definition late_classes = { .group = STORAGE, .kind = "StorageClass", .add = index_late_class };
static const struct index_definition capacities = { .group = STORAGE, .kind = "CSIStorageCapacity", .add = index_capacity, .first_only = true };

static char none[1]; /* no such class */

/* The first of these classes for which no capacity is published, or `none`. */
static void *first_without_capacity(struct cross *cross, struct indexed *first)
{
    for (struct indexed *class = first; class && !cross_failed(cross); class = (struct indexed *)(uintptr_t)class->next)
        if (!cross_find(cross, &capacities, doc_text(class->node)) && !cross_failed(cross))
            return class;
    return none;
}

/* On storageCapacity: pods wait for ever where no capacity of a class is published.
 * Source: k8s.io/api v0.35.4 storage/v1/types.go CSIDriverSpec.storageCapacity. */
void cross_capacity_published(struct cross *cross)
{
    const struct doc_node *value = cross_value(cross), *name = cross_at(cross, cross_root_shape(cross), cross_root(cross), "metadata.name");
    if (!value || value->type != DOC_TRUE || !name || !cross_count(cross, STORAGE, "CSIStorageCapacity"))
        return;
    struct indexed *first = cross_find(cross, &late_classes, doc_text(name));
    if (!first || cross_failed(cross))
        return;
    if (!first->memo)
        first->memo = first_without_capacity(cross, first);
    if (first->memo != none && !cross_failed(cross))
        cross_report(cross, &(struct cross_report){ .other = first->memo, .detail = "has no CSIStorageCapacity for a class of the driver: pods with such volumes wait for one" });
}

/* ---- ephemeral volumes ---- */

/* On provisioner: a driver of nothing but ephemeral volumes has no use for a class.
 * Source: k8s.io/api v0.35.4 storage/v1/types.go CSIDriverSpec.volumeLifecycleModes. */
void cross_driver_persists(struct cross *cross)
{
    const struct indexed *driver = cross_named(cross, STORAGE, "CSIDriver", doc_text(cross_value(cross)));
    const struct doc_node *modes = driver ? cross_at(cross, &csi_driver, driver->root, "spec.volumeLifecycleModes") : NULL;
    if (modes && modes->count == 1 && modes->first->type == DOC_STRING && bytes_equal_text(doc_text(modes->first), "Ephemeral"))
        cross_report(cross, &(struct cross_report){ .value = cross_value(cross), .other = driver, .detail = "is a driver of ephemeral volumes only: kubelets refuse volumes of this class" });
}
