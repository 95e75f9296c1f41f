/* Ceph RBD and CephFS. Operators put a prefix of their own before the drivers' names: rook-ceph.rbd.csi.ceph.com. */
#include "schema/driver.h"

#define ENCRYPTED   NEEDS_ALL(NEED("encrypted", "true"))
#define CLUSTER_ID  PARAMETER("clusterID", STRING, PATTERN("^.{1,36}$"), NEEDED)
#define FEATURE     "(layering|journaling|exclusive-lock|object-map|fast-diff|deep-flatten)"

/* Limits that both a StorageClass and a VolumeAttributesClass may have. */
#define LIMIT(name) PARAMETER(name, INTEGER, CAME_WITH("v3.15"))
#define LIMITS \
    LIMIT("baseIops"), LIMIT("maxIops"), LIMIT("baseReadIops"), LIMIT("maxReadIops"), LIMIT("baseWriteIops"), \
    LIMIT("maxWriteIops"), LIMIT("baseBps"), LIMIT("maxBps"), LIMIT("baseReadBps"), LIMIT("maxReadBps"), LIMIT("baseWriteBps"), \
    LIMIT("maxWriteBps"), LIMIT("iopsPerGiB"), LIMIT("readIopsPerGiB"), LIMIT("writeIopsPerGiB"), LIMIT("bpsPerGiB"), \
    LIMIT("readBpsPerGiB"), LIMIT("writeBpsPerGiB"), LIMIT("baseVolSizeBytes")

static const struct parameter rbd_rows[] = {
    CLUSTER_ID,
    PARAMETER("pool",                     STRING,  NEEDED_UNLESS("topologyConstrainedPools")),
    PARAMETER("dataPool",                 STRING),
    PARAMETER("topologyConstrainedPools", STRING),
    PARAMETER("imageFormat",              STRING,  VALUES("1", "2")),
    PARAMETER("imageFeatures",            STRING,  PATTERN("^ *" FEATURE "( *, *" FEATURE ")* *$")),
    PARAMETER("mkfsOptions",              STRING),
    PARAMETER("mounter",                  STRING,  VALUES("rbd", "rbd-nbd")),
    PARAMETER("tryOtherMounters",         BOOLEAN),
    PARAMETER("mapOptions",               STRING,  CAME_WITH("v3.2")),
    PARAMETER("unmapOptions",             STRING,  CAME_WITH("v3.2")),
    PARAMETER("cephLogDir",               STRING),
    PARAMETER("cephLogStrategy",          STRING,  VALUES("remove", "compress", "preserve")),
    PARAMETER("volumeNamePrefix",         STRING),
    PARAMETER("snapshotNamePrefix",       STRING),
    PARAMETER("encrypted",                BOOLEAN),
    PARAMETER("encryptionType",           STRING,  VALUES("block", "file"), ENCRYPTED, CAME_WITH("v3.8")),
    PARAMETER("encryptionKMSID",          STRING,  ENCRYPTED),
    PARAMETER("encryptionSectorSize",     STRING,  VALUES("512", "1024", "2048", "4096"), ENCRYPTED),
    PARAMETER("encryptionCipher",         STRING,  ENCRYPTED),
    PARAMETER("encryptionKeySize",        INTEGER, ENCRYPTED),
    PARAMETER("integrityMode",            STRING,  VALUES("hmac-sha256", "hmac-sha512"), ENCRYPTED),
    PARAMETER("stripeUnit",               INTEGER, NEEDS_ALL(NEED_ANY("stripeCount"))),
    PARAMETER("stripeCount",              INTEGER, NEEDS_ALL(NEED_ANY("stripeUnit"))),
    PARAMETER("objectSize",               INTEGER),
    LIMITS,
};

static const struct parameter rbd_modify_rows[] = {
    LIMITS,
};

static const struct parameter rbd_snapshot_rows[] = {
    CLUSTER_ID,
    PARAMETER("pool",               STRING),
    PARAMETER("imageFeatures",      STRING),
    PARAMETER("snapshotNamePrefix", STRING),
};

static const struct parameters rbd_tables[] = {
    PARAMETERS_OF("StorageClass",          rbd_rows),
    PARAMETERS_OF("VolumeAttributesClass", rbd_modify_rows),
    PARAMETERS_OF("VolumeSnapshotClass",   rbd_snapshot_rows),
};
const struct driver driver_ceph_rbd = DRIVER_ROWS("*rbd.csi.ceph.com", rbd_tables, "ceph/ceph-csi devel docs/rbd/deploy.md");

#define FRACTION                PATTERN("^(0?\\.[0-9]+|0|1(\\.0+)?)$")
#define PIN_WITHOUT(one, other) NEEDS_ALL(NEED(one, ""), NEED(other, ""))

static const struct parameter cephfs_rows[] = {
    CLUSTER_ID,
    PARAMETER("fsName",             STRING,  NEEDED),
    PARAMETER("pool",               STRING,  NEEDS_ALL(NEED("backingSnapshot", "", "false"))),
    PARAMETER("mounter",            STRING,  VALUES("kernel", "fuse")),
    PARAMETER("volumeNamePrefix",   STRING),
    PARAMETER("snapshotNamePrefix", STRING),
    PARAMETER("backingSnapshot",    BOOLEAN),
    PARAMETER("kernelMountOptions", STRING),
    PARAMETER("fuseMountOptions",   STRING),
    PARAMETER("encrypted",          BOOLEAN, CAME_WITH("v3.8")),
    PARAMETER("encryptionType",     STRING,  VALUES("file"), ENCRYPTED, CAME_WITH("v3.8")),
    PARAMETER("encryptionKMSID",    STRING,  ENCRYPTED, CAME_WITH("v3.8")),
};

/* At most one of them. */
static const struct parameter cephfs_modify_rows[] = {
    PARAMETER("mds-pin-export",      INTEGER, BETWEEN(-1, 2147483647), PIN_WITHOUT("mds-pin-distributed", "mds-pin-random")),
    PARAMETER("mds-pin-distributed", STRING,  VALUES("0", "1"), PIN_WITHOUT("mds-pin-export", "mds-pin-random")),
    PARAMETER("mds-pin-random",      STRING,  FRACTION, PIN_WITHOUT("mds-pin-export", "mds-pin-distributed")),
};

static const struct parameter cephfs_snapshot_rows[] = {
    CLUSTER_ID,
    PARAMETER("fsName",             STRING),
    PARAMETER("snapshotNamePrefix", STRING),
};

static const struct parameters cephfs_tables[] = {
    PARAMETERS_OF("StorageClass",          cephfs_rows),
    PARAMETERS_OF("VolumeAttributesClass", cephfs_modify_rows),
    PARAMETERS_OF("VolumeSnapshotClass",   cephfs_snapshot_rows),
};
const struct driver driver_cephfs = DRIVER_ROWS("*cephfs.csi.ceph.com", cephfs_tables, "ceph/ceph-csi devel docs/cephfs/deploy.md");
