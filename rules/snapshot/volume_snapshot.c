/* VolumeSnapshot, VolumeGroupSnapshot and what they are bound to. CustomResourceDefinitions bring them, with schemas that API servers
 * enforce; of these, what is about classes, drivers and sources. */
#include "rules/tables.h"

#define SNAPSHOT_TYPES SOURCE("github.com/kubernetes-csi/external-snapshotter client/v8.7 apis/volumesnapshot/v1/types.go")
#define CRD            "github.com/kubernetes-csi/external-snapshotter client/v8.7 config/crd"
#define GROUP          "snapshot.storage.k8s.io"
#define GROUPS         "groupsnapshot.storage.k8s.io"
#define NAMES_CLASS(in_group, kind) NAMES_OBJECT(in_group, kind, SNAPSHOT_TYPES)

/* ---- snapshots ---- */

static const struct field snapshot_source_fields[] = {
    FIELD("persistentVolumeClaimName", STRING, POINTER,
          CHECKS(IMMUTABLE(), NAMES_OBJECT("", "PersistentVolumeClaim", TYPOS_ONLY, SNAPSHOT_TYPES))),
    FIELD("volumeSnapshotContentName", STRING, POINTER,
          CHECKS(IMMUTABLE(), NAMES_OBJECT(GROUP, "VolumeSnapshotContent", TYPOS_ONLY, SNAPSHOT_TYPES))),
};
static const struct shape snapshot_source = OBJECT(snapshot_source_fields,
    CHECKS(ONE_OF(NAMES("persistentVolumeClaimName", "volumeSnapshotContentName"), NONE(INVALID), MANY(INVALID))));

static const struct field snapshot_spec_fields[] = {
    FIELD("source",                  &snapshot_source, POINTER, CHECKS(REQUIRED())),
    FIELD("volumeSnapshotClassName", STRING, POINTER, UNSET_MEANS("the default class of the driver"),
          CHECKS(NON_EMPTY(), NAMES_CLASS(GROUP, "VolumeSnapshotClass"),
                 CALL(SAME_DRIVER, cross_snapshot_driver, NEEDS_SET, SHOULD, SNAPSHOT_TYPES,
                     DETAIL("should be for the driver that provisions the claim")))),
};
static const struct shape snapshot_spec = OBJECT(snapshot_spec_fields);

static const struct field volume_snapshot_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &name_meta),
    FIELD("spec",       &snapshot_spec, POINTER, CHECKS(REQUIRED())),
};
const struct shape volume_snapshot = OBJECT(volume_snapshot_fields, SOURCE(CRD "/snapshot.storage.k8s.io_volumesnapshots.yaml"));

static const struct field group_snapshot_source_fields[] = {
    FIELD("selector",                       RAW, POINTER),
    FIELD("volumeGroupSnapshotContentName", STRING, POINTER,
          CHECKS(IMMUTABLE(), NAMES_OBJECT(GROUPS, "VolumeGroupSnapshotContent", TYPOS_ONLY, SNAPSHOT_TYPES))),
};
static const struct shape group_snapshot_source = OBJECT(group_snapshot_source_fields,
    CHECKS(ONE_OF(NAMES("selector", "volumeGroupSnapshotContentName"), NONE(INVALID), MANY(INVALID))));

static const struct field group_snapshot_spec_fields[] = {
    FIELD("source",                       &group_snapshot_source, POINTER, CHECKS(REQUIRED())),
    FIELD("volumeGroupSnapshotClassName", STRING, POINTER, UNSET_MEANS("the default class of the driver"),
          CHECKS(NON_EMPTY(), NAMES_CLASS(GROUPS, "VolumeGroupSnapshotClass"))),
};
static const struct shape group_snapshot_spec = OBJECT(group_snapshot_spec_fields);

static const struct field volume_group_snapshot_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &name_meta),
    FIELD("spec",       &group_snapshot_spec, POINTER, CHECKS(REQUIRED())),
};
const struct shape volume_group_snapshot = OBJECT(volume_group_snapshot_fields,
    SOURCE(CRD "/groupsnapshot.storage.k8s.io_volumegroupsnapshots.yaml"));

/* ---- contents ---- */

#define DELETION_POLICY STRING, POINTER, CHECKS(REQUIRED(), ENUM(NAMES("Delete", "Retain")))
#define CONTENT_DRIVER  REQUIRED(), NAMES_OBJECT("storage.k8s.io", "CSIDriver", TYPOS_ONLY, SNAPSHOT_TYPES)
#define CLASS_DRIVER(class) \
    CALL(SAME_DRIVER, cross_content_driver, NEEDS_SET, SHOULD, ARGUMENT(class), \
        SOURCE("github.com/kubernetes-csi/external-snapshotter v8.2 pkg/sidecar-controller/snapshot_controller_base.go"), \
        DETAIL("should be for the driver of the content, which leaves it alone otherwise"))

static const struct field content_spec_fields[] = {
    FIELD("deletionPolicy",          DELETION_POLICY),
    FIELD("driver",                  STRING, POINTER, CHECKS(CONTENT_DRIVER)),
    FIELD("volumeSnapshotClassName", STRING, POINTER,
          CHECKS(NAMES_CLASS(GROUP, "VolumeSnapshotClass"), CLASS_DRIVER("VolumeSnapshotClass"))),
};
static const struct shape content_spec = OBJECT(content_spec_fields);

static const struct field volume_snapshot_content_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &name_meta),
    FIELD("spec",       &content_spec, POINTER, CHECKS(REQUIRED())),
};
const struct shape volume_snapshot_content = OBJECT(volume_snapshot_content_fields,
    SOURCE(CRD "/snapshot.storage.k8s.io_volumesnapshotcontents.yaml"));

static const struct field group_content_spec_fields[] = {
    FIELD("deletionPolicy",               DELETION_POLICY),
    FIELD("driver",                       STRING, POINTER, CHECKS(IMMUTABLE(IF(NOT_TRAIT(MUTABLE_CLASS))), CONTENT_DRIVER)),
    FIELD("volumeGroupSnapshotClassName", STRING, POINTER,
          CHECKS(NAMES_CLASS(GROUPS, "VolumeGroupSnapshotClass"), CLASS_DRIVER("VolumeGroupSnapshotClass"))),
};
static const struct shape group_content_spec = OBJECT(group_content_spec_fields);

static const struct field volume_group_snapshot_content_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &name_meta),
    FIELD("spec",       &group_content_spec, POINTER, CHECKS(REQUIRED())),
};
const struct shape volume_group_snapshot_content = OBJECT(volume_group_snapshot_content_fields,
    SOURCE(CRD "/groupsnapshot.storage.k8s.io_volumegroupsnapshotcontents.yaml"));
