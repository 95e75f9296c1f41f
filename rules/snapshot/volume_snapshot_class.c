/* VolumeSnapshotClass and VolumeGroupSnapshotClass. CustomResourceDefinitions bring them, with schemas that API servers enforce. */
#include "rules/tables.h"

#define SNAPSHOTTER_DOCUMENTED SOURCE("github.com/kubernetes-csi/external-snapshotter v8.2 pkg/utils/util.go")

#define SECRET(of, part) "csi.storage.k8s.io/" of "-secret-" part
#define MISSING(of, part, there) \
    ADVICE_IF(SHOULD, SNAPSHOTTER_DOCUMENTED, IF(NO_ENTRY("parameters", SECRET(of, part)), HAS_ENTRY("parameters", SECRET(of, there))), \
        DETAIL("should have " SECRET(of, part) " beside the " there ": the snapshotter refuses one without the other"))
#define SECRET_PAIR(of) MISSING(of, "name", "namespace"), MISSING(of, "namespace", "name")

#define DRIVER_GIVEN NAMES_OBJECT("storage.k8s.io", "CSIDriver", TYPOS_ONLY, SNAPSHOTTER_DOCUMENTED)
#define ONE_DEFAULT(annotation) \
    CHECKS(CALL(SINGLE_DEFAULT, cross_only_default_snapshot_class, NEEDS_SET, SHOULD, ARGUMENT(annotation), SNAPSHOTTER_DOCUMENTED, \
        DETAIL("should not mark a second default class of the driver: snapshots without a class are then refused")))

static const struct field volume_snapshot_class_fields[] = {
    FIELD("kind",           STRING),
    FIELD("apiVersion",     STRING),
    FIELD("metadata",       &object_meta, ONE_DEFAULT("snapshot.storage.kubernetes.io/is-default-class")),
    FIELD("driver",         STRING, POINTER, CHECKS(REQUIRED(), DRIVER_GIVEN)),
    FIELD("parameters",     MAP(STRING), CHECKS(DRIVER_PARAMETERS, SECRET_PAIR("snapshotter"), SECRET_PAIR("snapshotter-list"))),
    FIELD("deletionPolicy", STRING, POINTER, CHECKS(REQUIRED(), ENUM(NAMES("Delete", "Retain")))),
};
const struct shape volume_snapshot_class = OBJECT(volume_snapshot_class_fields,
    SOURCE("github.com/kubernetes-csi/external-snapshotter client/v8 config/crd/snapshot.storage.k8s.io_volumesnapshotclasses.yaml"));

#define SCHEMA_KEEPS IMMUTABLE(IF(NOT_TRAIT(MUTABLE_CLASS)))

static const struct field volume_group_snapshot_class_fields[] = {
    FIELD("kind",           STRING),
    FIELD("apiVersion",     STRING),
    FIELD("metadata",       &object_meta, ONE_DEFAULT("groupsnapshot.storage.kubernetes.io/is-default-class")),
    FIELD("driver",         STRING, POINTER, CHECKS(SCHEMA_KEEPS, REQUIRED(), DRIVER_GIVEN)),
    FIELD("parameters",     MAP(STRING), CHECKS(SCHEMA_KEEPS, SECRET_PAIR("group-snapshotter"))),
    FIELD("deletionPolicy", STRING, POINTER, CHECKS(SCHEMA_KEEPS, REQUIRED(), ENUM(NAMES("Delete", "Retain")))),
};
const struct shape volume_group_snapshot_class = OBJECT(volume_group_snapshot_class_fields,
    SOURCE("github.com/kubernetes-csi/external-snapshotter client/v8.7 config/crd/"
           "groupsnapshot.storage.k8s.io_volumegroupsnapshotclasses.yaml"));
