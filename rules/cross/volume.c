/* Claims for volumes, and snapshots: their classes and drivers, where these are given together. */
#include "rules/cross/common.h"

#define STORAGE   "storage.k8s.io"
#define SNAPSHOTS "snapshot.storage.k8s.io"

enum { NAME_BYTES = 128 }; /* of a driver in a message */

static void index_class(struct cross *cross, struct value root)
{
    struct value class = value_at(cross, root, "spec.storageClassName");
    cross_index_add(cross, value_text(class), class);
}

static const struct index_definition classes_of_volumes = {
    .group = "", .kind = "PersistentVolume", .add = index_class, .first_only = true,
};
static const struct index_definition classes_of_claims = {
    .group = "", .kind = "PersistentVolumeClaim", .add = index_class, .first_only = true,
};

/* On storageClassName of a claim: a volume that is there already needs no object for its class. Of several claims, only the first is
 * reported. Source: k8s.io/api v0.37.1 core/v1/types.go PersistentVolumeSpec.storageClassName. */
void cross_claim_class(struct cross *cross)
{
    struct bytes name = value_text(cross_value(cross));
    if (!name.length || !cross_count(cross, STORAGE, "StorageClass") || cross_named(cross, STORAGE, "StorageClass", name))
        return;
    if (cross_is_reported(cross) || cross_find(cross, &classes_of_volumes, name))
        return;
    const struct indexed *first = cross_find(cross, &classes_of_claims, name);
    if (!first || cross_is_own(cross, first))
        cross_report(cross, (struct cross_report){ .quoted = true });
}

/* ---- drivers ---- */

/* The driver that provisions volumes of the class; "": it is not given, or a plugin of Kubernetes, whose place a CSI driver has taken. */
static struct bytes provisioner_of(struct cross *cross, struct bytes class)
{
    static const struct bytes plugins = BYTES("kubernetes.io/");
    struct bytes driver = value_text_at(cross, indexed_root(cross_named(cross, STORAGE, "StorageClass", class)), "provisioner");
    bool is_plugin = driver.length >= plugins.length && memcmp(driver.data, plugins.data, plugins.length) == 0;
    return is_plugin ? (struct bytes)BYTES("") : driver;
}

/* Reports that the class is for another driver than the one that is wanted, if both are known. */
static void compare_drivers(struct cross *cross, const struct indexed *class, const char *member, struct bytes wanted)
{
    struct bytes driver = value_text_at(cross, indexed_root(class), member);
    if (!driver.length || !wanted.length || bytes_equal(driver, wanted))
        return;
    struct text text = cross_text(cross);
    text_add(&text, "is for driver ");
    text_add_quoted(&text, driver, NAME_BYTES);
    text_add(&text, ", not for ");
    text_add_quoted(&text, wanted, NAME_BYTES);
    cross_report(cross, (struct cross_report){ .quoted = true, .text = &text, .other = class });
}

/* On volumeAttributesClassName.
 * Source: github.com/kubernetes-csi/external-provisioner v6.2 pkg/controller/controller.go prepareProvision. */
void cross_attributes_class_driver(struct cross *cross)
{
    const struct indexed *class = cross_named(cross, STORAGE, "VolumeAttributesClass", value_text(cross_value(cross)));
    compare_drivers(cross, class, "driverName", provisioner_of(cross, value_text(cross_sibling(cross, "storageClassName"))));
}

/* On volumeSnapshotClassName of a snapshot of a claim. */
void cross_snapshot_driver(struct cross *cross)
{
    struct bytes source = value_text_at(cross, cross_sibling(cross, "source"), "persistentVolumeClaimName");
    const struct indexed *class = cross_named(cross, SNAPSHOTS, "VolumeSnapshotClass", value_text(cross_value(cross)));
    const struct indexed *claim = cross_beside(cross, "", "PersistentVolumeClaim", source);
    compare_drivers(cross, class, "driver", provisioner_of(cross, value_text_at(cross, indexed_root(claim), "spec.storageClassName")));
}

/* On the class of a snapshot's content; the argument is its kind. */
void cross_content_driver(struct cross *cross)
{
    const char *kind = cross_argument(cross), *group = strncmp(kind, "VolumeGroup", strlen("VolumeGroup")) ? SNAPSHOTS : "group" SNAPSHOTS;
    const struct indexed *class = cross_named(cross, group, kind, value_text(cross_value(cross)));
    compare_drivers(cross, class, "driver", value_text(cross_sibling(cross, "driver")));
}
