/* Classes among others: more than one default, extended resources that two of them map, and what their drivers need. */
#include "rules/cross/common.h"

#define STORAGE "storage.k8s.io"

static const struct bytes any = BYTES("");

/* Source: k8s.io/kubernetes v1.35.4 pkg/volume/util/storageclass.go: both annotations count. */
static bool is_default_storage_class(struct cross *cross, struct value root)
{
    struct value annotations = value_at(cross, root, "metadata.annotations");
    return value_is(value_entry(annotations, "storageclass.kubernetes.io/is-default-class"), "true") ||
           value_is(value_entry(annotations, "storageclass.beta.kubernetes.io/is-default-class"), "true");
}

static bool is_default_attributes_class(struct cross *cross, struct value root)
{
    struct value annotations = value_at(cross, root, "metadata.annotations");
    return value_is(value_entry(annotations, "volumeattributesclass.kubernetes.io/is-default-class"), "true");
}

static void index_default_storage_class(struct cross *cross, struct value root)
{
    if (is_default_storage_class(cross, root))
        cross_index_add(cross, any, root);
}

static void index_default_attributes_class(struct cross *cross, struct value root)
{
    if (is_default_attributes_class(cross, root))
        cross_index_add(cross, any, root);
}

static const struct index_definition default_storage_classes = {
    .group = STORAGE, .kind = "StorageClass", .add = index_default_storage_class, .first_only = true,
};
static const struct index_definition default_attributes_classes = {
    .group = STORAGE, .kind = "VolumeAttributesClass", .add = index_default_attributes_class, .first_only = true,
};

/* The first one may stay; every later one is in conflict with it, unless it is the same class in another file. */
static void only_one(struct cross *cross, const struct index_definition *defaults)
{
    const struct indexed *first = cross_find(cross, defaults, any);
    if (first && !cross_is_same(cross, first))
        cross_report(cross, (struct cross_report){ .below = "annotations", .other = first });
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

/* ---- default classes of snapshots: one for each driver ---- */

#define SNAPSHOT_DEFAULT "snapshot.storage.kubernetes.io/is-default-class"
#define GROUP_DEFAULT    "groupsnapshot.storage.kubernetes.io/is-default-class"

static void index_default_of_driver(struct cross *cross, struct value root, const char *annotation)
{
    if (value_is(value_entry(value_at(cross, root, "metadata.annotations"), annotation), "true"))
        cross_index_add(cross, value_text_at(cross, root, "driver"), value_at(cross, root, "metadata.name"));
}

static void index_default_snapshot_class(struct cross *cross, struct value root)
{
    index_default_of_driver(cross, root, SNAPSHOT_DEFAULT);
}

static void index_default_group_class(struct cross *cross, struct value root)
{
    index_default_of_driver(cross, root, GROUP_DEFAULT);
}

static const struct index_definition default_snapshot_classes = {
    .group = "snapshot.storage.k8s.io", .kind = "VolumeSnapshotClass", .add = index_default_snapshot_class, .first_only = true,
};
static const struct index_definition default_group_classes = {
    .group = "groupsnapshot.storage.k8s.io", .kind = "VolumeGroupSnapshotClass", .add = index_default_group_class, .first_only = true,
};

/* On metadata. The argument is the annotation. */
void cross_only_default_snapshot_class(struct cross *cross)
{
    const char *annotation = cross_argument(cross);
    bool of_groups = strcmp(annotation, GROUP_DEFAULT) == 0;
    if (!value_is(value_entry(value_at(cross, cross_value(cross), "annotations"), annotation), "true"))
        return;
    struct bytes driver = value_text_at(cross, cross_root(cross), "driver");
    const struct indexed *first = cross_find(cross, of_groups ? &default_group_classes : &default_snapshot_classes, driver);
    if (first && !cross_is_same(cross, first))
        cross_report(cross, (struct cross_report){ .below = "annotations", .key = bytes_of(annotation), .other = first });
}

/* ---- annotations that mark no default ---- */

enum { KEY_BYTES = 128 }; /* of an annotation in a message */

static bool ends_with(struct bytes text, const char *end)
{
    uint32_t length = (uint32_t)strlen(end);
    return text.length >= length && memcmp(text.data + text.length - length, end, length) == 0;
}

/* Whether the annotation seems to mark a default class: a domain of nothing else, or nearly the name in one of Kubernetes, or in none. */
static bool seems_default(struct bytes key)
{
    const char *slash = key.length ? memchr(key.data, '/', key.length) : NULL;
    uint32_t from = slash ? (uint32_t)(slash - key.data) + 1 : 0;
    struct bytes domain = { key.data, slash ? from - 1 : 0 }, name = { key.data + from, key.length - from };
    return bytes_equal_text(domain, "storageclass.kubernetes.io") || bytes_equal_text(domain, "volumeattributesclass.kubernetes.io") ||
           (near_is_typo(name, bytes_of("is-default-class")) && (!slash || ends_with(domain, "kubernetes.io")));
}

/* On metadata. The argument is the annotation that counts; of StorageClasses, that of old times counts, too. */
void cross_default_annotation(struct cross *cross)
{
    const char *right = cross_argument(cross);
    bool storage = strncmp(right, "storageclass.", strlen("storageclass.")) == 0;
    value_each(value_at(cross, cross_value(cross), "annotations"), annotation) {
        struct bytes key = value_name(annotation);
        bool old = storage && bytes_equal_text(key, "storageclass.beta.kubernetes.io/is-default-class");
        if (old || bytes_equal_text(key, right) || !seems_default(key))
            continue;
        struct text text = cross_text(cross);
        text_add(&text, "has no effect: the default class is marked by ");
        text_add_escaped(&text, bytes_of(right), KEY_BYTES);
        cross_report(cross, (struct cross_report){ .below = "annotations", .key = key, .text = &text });
    }
}

static void index_extended_resource(struct cross *cross, struct value root)
{
    struct value name = value_at(cross, root, "spec.extendedResourceName");
    if (value_text(name).length)
        cross_index_add(cross, value_text(name), name);
}

static const struct index_definition extended_resources = {
    .group = "resource.k8s.io", .kind = "DeviceClass", .add = index_extended_resource, .first_only = true,
};

void cross_unique_extended_resource(struct cross *cross)
{
    const struct indexed *first = cross_find(cross, &extended_resources, value_text(cross_value(cross)));
    if (first && !cross_is_same(cross, first))
        cross_report(cross, (struct cross_report){ .quoted = true, .other = first });
}

/* ---- capacity ---- */

static void index_late_class(struct cross *cross, struct value root)
{
    if (value_is(value_at(cross, root, "volumeBindingMode"), "WaitForFirstConsumer"))
        cross_index_add(cross, value_text_at(cross, root, "provisioner"), value_at(cross, root, "metadata.name"));
}

static void index_capacity(struct cross *cross, struct value root)
{
    struct value class = value_at(cross, root, "storageClassName");
    cross_index_add(cross, value_text(class), class);
}

static const struct index_definition late_classes = { .group = STORAGE, .kind = "StorageClass", .add = index_late_class };
static const struct index_definition capacities = {
    .group = STORAGE, .kind = "CSIStorageCapacity", .add = index_capacity, .first_only = true,
};

static struct indexed none; /* no such class */

/* The first of these classes for which no capacity is published, or `none`. */
static struct indexed *first_without_capacity(struct cross *cross, struct indexed *class)
{
    while (class && cross_find(cross, &capacities, value_text(class->value)))
        class = class->next;
    return class ? class : &none;
}

/* On storageCapacity: pods wait for ever where no capacity of a class is published.
 * Source: k8s.io/api v0.35.4 storage/v1/types.go CSIDriverSpec.storageCapacity. */
void cross_capacity_published(struct cross *cross)
{
    if (!value_is_true(cross_value(cross)) || !cross_count(cross, STORAGE, "CSIStorageCapacity"))
        return;
    struct indexed *first = cross_find(cross, &late_classes, value_text_at(cross, cross_root(cross), "metadata.name"));
    const struct indexed *class = first ? first->memo : NULL;
    if (first && !class)
        class = first_without_capacity(cross, first);
    if (!class || cross_failed(cross))
        return;
    first->memo = class;
    if (class != &none)
        cross_report(cross, (struct cross_report){ .other = class });
}

/* ---- ephemeral volumes ---- */

/* On provisioner: a driver of nothing but ephemeral volumes has no use for a class.
 * Source: k8s.io/api v0.35.4 storage/v1/types.go CSIDriverSpec.volumeLifecycleModes. */
void cross_driver_persists(struct cross *cross)
{
    const struct indexed *driver = cross_named(cross, STORAGE, "CSIDriver", value_text(cross_value(cross)));
    struct value modes = value_at(cross, indexed_root(driver), "spec.volumeLifecycleModes");
    if (value_count(modes) == 1 && value_is(value_first(modes), "Ephemeral"))
        cross_report(cross, (struct cross_report){ .quoted = true, .other = driver });
}
