/* CSINode. */
#include "rules/tables.h"

static const struct field allocatable_fields[] = {
    FIELD("count", INT32, POINTER, UNSET_MEANS("no bound"),
          CHECKS(EXPLICIT(INFO, STORAGE_DOCUMENTED,
                     DETAIL("should be written: without it there is no limit")),
                 AT_LEAST(0))),
};
static const struct shape allocatable = OBJECT(allocatable_fields);

static const struct field driver_fields[] = {
    FIELD("name",         STRING, CHECKS(DRIVER, NAMES_OBJECT("storage.k8s.io", "CSIDriver", TYPOS_ONLY, STORAGE_DOCUMENTED))),
    FIELD("nodeID",       STRING, CHECKS(REQUIRED(), MAX_BYTES(256, REASON(INVALID)))),
    FIELD("topologyKeys", LIST(STRING_WITH(REQUIRED(UP(2)), FORMAT(QUALIFIED_NAME, UP(2)))), UNSET_MEANS("the driver has no topology"),
          CHECKS(UNIQUE(ITSELF, UP(2)),
                 CALL(MISSING_OBJECT, cross_topology_labels, NEEDS_SET, SHOULD, STORAGE_DOCUMENTED,
                     DETAIL("is no label of the Node that is given")))),
    FIELD("allocatable",  &allocatable, POINTER),
};
static const struct shape driver = OBJECT(driver_fields);

static const struct field spec_fields[] = {
    FIELD("drivers", LIST(&driver),
          CHECKS(EXPLICIT(SHOULD, STORAGE_DOCUMENTED), UNIQUE("name"),
                 IMMUTABLE_BY_KEY("name", NAMES("allocatable"), UP(1), SINCE(33), IF(GATE_ON("MutableCSINodeAllocatableCount"))),
                 IMMUTABLE_BY_KEY("name", NULL, UP(1), IF(GATE_OFF("MutableCSINodeAllocatableCount"))),
                 IMMUTABLE_BY_KEY("name", NULL, UP(3), AT("CSINodeDriver"), UNTIL(32)))),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field health_condition_fields[] = {
    FIELD("status",             STRING, CHECKS(ENUM(NAMES("StorageUnreachable", "StorageDegraded")))),
    FIELD("reason",             STRING, CHECKS(REQUIRED(STOP), FORMAT(CONDITION_REASON), MAX_BYTES(256))),
    FIELD("message",            STRING, CHECKS(MAX_BYTES(1024))),
    FIELD("accessMode",         STRING, POINTER, UNSET_MEANS("all access modes"),
          CHECKS(ENUM(NAMES("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")))),
    FIELD("volumeMode",         STRING, POINTER, UNSET_MEANS("both"), CHECKS(ENUM(NAMES("Filesystem", "Block")))),
    FIELD("lastTransitionTime", TIME),
};
static const struct shape health_condition = OBJECT(health_condition_fields);

static const struct field storage_health_fields[] = {
    FIELD("name",             STRING, CHECKS(REQUIRED(STOP), FORMAT(DRIVER_NAME))),
    FIELD("healthConditions", LIST(&health_condition), CHECKS(MAX_ITEMS(16))),
};
static const struct shape storage_health = OBJECT(storage_health_fields);

static const struct field status_fields[] = {
    FIELD("storageHealth", LIST(&storage_health), GATE("CSIVolumeHealth"), CHECKS(UNIQUE("name", UP(1)))),
};
static const struct shape status = OBJECT(status_fields, SOURCE("k8s.io/kubernetes v1.37.1 pkg/apis/storage/validation/validation.go"));

static const struct field csi_node_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta,
          CHECKS(CALL(MISSING_OBJECT, cross_named_after_node, NEEDS_SET, SHOULD, STORAGE_DOCUMENTED,
                     DETAIL("is the name of no Node that is given")),
                 CALL(RECOMMENDED, cross_owned_by_node, NEEDS_SET, INFO, STORAGE_DOCUMENTED,
                     DETAIL("should name the Node, so that this goes when the node goes")))),
    FIELD("spec",       &spec, ON_STATUS(KEEP_OLD), CHECKS(EXPLICIT(INFO, STORAGE_DOCUMENTED), SKIP(WHEN(STATUS)))),
    FIELD("status",     &status, STATUS_SINCE(37), ON_CREATE(DROP), ON_UPDATE(KEEP_OLD), CHECKS(SKIP(WHEN(UPDATE)))),
};
const struct shape csi_node = OBJECT(csi_node_fields, SOURCE(STORAGE_VALIDATION));
