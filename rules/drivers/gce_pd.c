/* GCE PD. It reads names without regard to case, and refuses those that it does not know. */
#include "schema/driver.h"

#define TYPES \
    "pd-standard", "pd-balanced", "pd-ssd", "pd-extreme", "hyperdisk-balanced", "hyperdisk-balanced-high-availability", \
    "hyperdisk-extreme", "hyperdisk-ml", "hyperdisk-throughput", "dynamic"
#define DYNAMIC    NEEDS_ALL(NEED("type", "dynamic"))
#define ENCRYPTION "disk-encryption-kms-key"

static const struct parameter class_rows[] = {
    PARAMETER("type",                             STRING,   VALUES(TYPES)),
    PARAMETER("replication-type",                 STRING,   VALUES("none", "regional-pd")),
    PARAMETER(ENCRYPTION,                         STRING,   PATTERN("^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+")),
    PARAMETER("labels",                           STRING),
    PARAMETER("resource-tags",                    STRING),
    PARAMETER("provisioned-iops-on-create",       QUANTITY),
    PARAMETER("provisioned-throughput-on-create", QUANTITY),
    PARAMETER("availability-class",               STRING,   VALUES("none", "regional-hard-failover")),
    PARAMETER("enable-confidential-storage",      BOOLEAN,  NEEDS_ALL(NEED_ANY(ENCRYPTION))),
    PARAMETER("storage-pools",                    STRING),
    PARAMETER("data-cache-size",                  QUANTITY, CAME_WITH("v1.17")),
    PARAMETER("data-cache-mode",                  STRING,   VALUES("writethrough", "writeback"), CAME_WITH("v1.17"),
                                                            NEEDS_ALL(NEED_ANY("data-cache-size"))),
    PARAMETER("enable-multi-zone-provisioning",   BOOLEAN,  CAME_WITH("v1.14")),
    PARAMETER("access-mode",                      STRING),
    PARAMETER("use-allowed-disk-topology",        BOOLEAN),
    PARAMETER("pd-type",                          STRING,   DYNAMIC),
    PARAMETER("hyperdisk-type",                   STRING,   DYNAMIC),
    PARAMETER("disk-type-preference",             STRING,   VALUES("pd-type", "hyperdisk-type"), DYNAMIC),
};

static const struct parameter modify_rows[] = {
    PARAMETER("iops",       QUANTITY, CAME_WITH("v1.15")),
    PARAMETER("throughput", QUANTITY, CAME_WITH("v1.15")),
};

static const struct parameter snapshot_rows[] = {
    PARAMETER("storage-locations", STRING),
    PARAMETER("snapshot-type",     STRING, VALUES("snapshots", "images")),
    PARAMETER("image-family",      STRING, NEEDS_ALL(NEED("snapshot-type", "images"))),
    PARAMETER("labels",            STRING),
    PARAMETER("resource-tags",     STRING),
};

static const struct parameters tables[] = {
    PARAMETERS_OF("StorageClass",          class_rows,    IGNORES_CASE),
    PARAMETERS_OF("VolumeAttributesClass", modify_rows,   IGNORES_CASE),
    PARAMETERS_OF("VolumeSnapshotClass",   snapshot_rows, IGNORES_CASE),
};
const struct driver driver_gce_pd =
    DRIVER_ROWS("pd.csi.storage.gke.io", tables, "kubernetes-sigs/gcp-compute-persistent-disk-csi-driver v1.28 pkg/parameters");
