/* VolumeSnapshotClass. A CustomResourceDefinition brings it, with a schema that API servers enforce. */
#include "rules/tables.h"

#define SNAPSHOTTER_DOCUMENTED SOURCE("github.com/kubernetes-csi/external-snapshotter v8.2 pkg/utils/util.go")

#define SECRET(of, part) "csi.storage.k8s.io/" of "-secret-" part
#define MISSING(of, part, there) \
    ADVICE_IF(SHOULD, SNAPSHOTTER_DOCUMENTED, IF(NO_ENTRY("parameters", SECRET(of, part)), HAS_ENTRY("parameters", SECRET(of, there))), \
        DETAIL("should have " SECRET(of, part) " beside the " there ": the snapshotter refuses one without the other"))
#define SECRET_PAIR(of) MISSING(of, "name", "namespace"), MISSING(of, "namespace", "name")

static const struct field volume_snapshot_class_fields[] = {
    FIELD("kind",           STRING),
    FIELD("apiVersion",     STRING),
    FIELD("metadata",       &object_meta),
    FIELD("driver",         STRING, POINTER, CHECKS(REQUIRED())),
    FIELD("parameters",     MAP(STRING), CHECKS(DRIVER_PARAMETERS, SECRET_PAIR("snapshotter"), SECRET_PAIR("snapshotter-list"))),
    FIELD("deletionPolicy", STRING, POINTER, CHECKS(REQUIRED(), ENUM(NAMES("Delete", "Retain")))),
};
const struct shape volume_snapshot_class = OBJECT(volume_snapshot_class_fields,
    SOURCE("github.com/kubernetes-csi/external-snapshotter client/v8 config/crd/snapshot.storage.k8s.io_volumesnapshotclasses.yaml"));
