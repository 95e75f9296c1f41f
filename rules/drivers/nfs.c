/* NFS and SMB servers. They read names without regard to case, and refuse those that they do not know. */
#include "schema/driver.h"

#define ON_DELETE  VALUES("delete", "retain", "archive")
#define FILE_MODE  PATTERN("^0?[0-7]{1,4}$")

static const struct parameter nfs_rows[] = {
    PARAMETER("server",           STRING,  NEEDED),
    PARAMETER("share",            STRING,  NEEDED),
    PARAMETER("subDir",           STRING),
    PARAMETER("mountPermissions", STRING,  FILE_MODE),
    PARAMETER("uid",              INTEGER, BETWEEN(0, 2147483647)),
    PARAMETER("gid",              INTEGER, BETWEEN(0, 2147483647)),
    PARAMETER("onDelete",         STRING,  ON_DELETE),
};

static const struct parameter nfs_snapshot_rows[] = {
    PARAMETER("server",       STRING),
    PARAMETER("share",        STRING),
    PARAMETER("mountOptions", STRING),
};

static const struct parameters nfs_tables[] = {
    PARAMETERS_OF("StorageClass",        nfs_rows,          IGNORES_CASE),
    PARAMETERS_OF("VolumeSnapshotClass", nfs_snapshot_rows, IGNORES_CASE),
};
const struct driver driver_nfs = DRIVER_ROWS("nfs.csi.k8s.io", nfs_tables, "kubernetes-csi/csi-driver-nfs v4.12 docs/driver-parameters.md");

static const struct parameter smb_rows[] = {
    PARAMETER("source",   STRING, NEEDED, PATTERN("^(//|\\\\)")),
    PARAMETER("subDir",   STRING),
    PARAMETER("onDelete", STRING, ON_DELETE),
};

static const struct parameters smb_tables[] = { PARAMETERS_OF("StorageClass", smb_rows, IGNORES_CASE) };
const struct driver driver_smb = DRIVER_ROWS("smb.csi.k8s.io", smb_tables, "kubernetes-csi/csi-driver-smb v1.18 docs/driver-parameters.md");
