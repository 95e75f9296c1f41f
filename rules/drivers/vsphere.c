/* vSphere. It reads names without regard to case, and refuses those that it does not know. */
#include "schema/driver.h"

static const struct parameter class_rows[] = {
    PARAMETER("storagePolicyName", STRING),
    PARAMETER("storagePolicyID",   STRING),
    PARAMETER("datastoreURL",      STRING, PATTERN("^ds:///")),
    PARAMETER("svStorageClass",    STRING),
    PARAMETER("csiMigration",      BOOLEAN),
    PARAMETER("datastore-migrationParam",              STRING, NEEDS_ALL(NEED("csiMigration", "true"))),
    PARAMETER("diskformat-migrationParam",             STRING, VALUES("thin"), NEEDS_ALL(NEED("csiMigration", "true"))),
};

static const struct parameters tables[] = { PARAMETERS_OF("StorageClass", class_rows, IGNORES_CASE) };
const struct driver driver_vsphere =
    DRIVER_ROWS("csi.vsphere.vmware.com", tables, "kubernetes-sigs/vsphere-csi-driver v3.5 pkg/csi/service/common");
