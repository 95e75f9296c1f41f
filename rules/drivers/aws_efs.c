/* AWS EFS. What it does not know, it ignores. */
#include "schema/driver.h"

static const struct parameter class_rows[] = {
    PARAMETER("provisioningMode",      STRING,  VALUES("efs-ap", "efs-dir", "s3files-ap"), NEEDED, CAME_WITH("v1.2")),
    PARAMETER("fileSystemId",          STRING,  PATTERN("^fs-[0-9a-f]{8,40}$"),
                                                NEEDED_UNLESS("fileSystemIdConfigRef", "fileSystemIdSecretRef"), CAME_WITH("v1.2")),
    PARAMETER("fileSystemIdConfigRef", STRING),
    PARAMETER("fileSystemIdSecretRef", STRING),
    PARAMETER("directoryPerms",        STRING,  PATTERN("^[0-7]{3,4}$"), CAME_WITH("v1.2")),
    PARAMETER("uid",                   INTEGER, NEEDS_ALL(NEED_ANY("gid"))),
    PARAMETER("gid",                   INTEGER, NEEDS_ALL(NEED_ANY("uid"))),
    PARAMETER("gidRangeStart",         INTEGER, NEEDS_ALL(NEED_ANY("gidRangeEnd")), CAME_WITH("v1.2")),
    PARAMETER("gidRangeEnd",           INTEGER, NEEDS_ALL(NEED_ANY("gidRangeStart")), CAME_WITH("v1.2")),
    PARAMETER("basePath",              STRING,  CAME_WITH("v1.2")),
    PARAMETER("subPathPattern",        STRING),
    PARAMETER("ensureUniqueDirectory", BOOLEAN),
    PARAMETER("reuseAccessPoint",      BOOLEAN),
    PARAMETER("enableTagging",         BOOLEAN),
    PARAMETER("az",                    STRING,  CAME_WITH("v1.3")),
    PARAMETER("enableZoneConstraints", BOOLEAN),
};

static const struct parameters tables[] = { PARAMETERS_OF("StorageClass", class_rows) };
const struct driver driver_aws_efs = DRIVER_ROWS("efs.csi.aws.com", tables, "kubernetes-sigs/aws-efs-csi-driver v3.0 docs/parameters.md");
