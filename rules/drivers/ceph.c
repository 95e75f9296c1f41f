/* Ceph RBD and CephFS. Operators put a prefix of their own before the drivers' names: rook-ceph.rbd.csi.ceph.com. */
#include "schema/driver.h"

#define ENCRYPTED   NEEDS_ALL(NEED("encrypted", "true"))
#define CLUSTER_ID  PARAMETER("clusterID", STRING, PATTERN("^.{1,36}$"), NEEDED)
#define FEATURE     "(layering|journaling|exclusive-lock|object-map|fast-diff|deep-flatten)"

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
    PARAMETER("mapOptions",               STRING),
    PARAMETER("unmapOptions",             STRING),
    PARAMETER("cephLogDir",               STRING),
    PARAMETER("cephLogStrategy",          STRING,  VALUES("remove", "compress", "preserve")),
    PARAMETER("volumeNamePrefix",         STRING),
    PARAMETER("snapshotNamePrefix",       STRING),
    PARAMETER("encrypted",                BOOLEAN),
    PARAMETER("encryptionType",           STRING,  VALUES("block", "file"), ENCRYPTED),
    PARAMETER("encryptionKMSID",          STRING,  ENCRYPTED),
    PARAMETER("encryptionSectorSize",     STRING,  VALUES("512", "1024", "2048", "4096"), ENCRYPTED),
    PARAMETER("encryptionCipher",         STRING,  ENCRYPTED),
    PARAMETER("encryptionKeySize",        INTEGER, NEEDS_ALL(NEED("encrypted", "true"), NEED_ANY("encryptionCipher"))),
    PARAMETER("integrityMode",            STRING,  VALUES("hmac-sha256", "hmac-sha512"), ENCRYPTED),
    PARAMETER("stripeUnit",               INTEGER, NEEDS_ALL(NEED_ANY("stripeCount"))),
    PARAMETER("stripeCount",              INTEGER, NEEDS_ALL(NEED_ANY("stripeUnit"))),
    PARAMETER("objectSize",               INTEGER),
    PARAMETER("baseIops",                 INTEGER),
    PARAMETER("maxIops",                  INTEGER),
    PARAMETER("baseReadIops",             INTEGER),
    PARAMETER("maxReadIops",              INTEGER),
    PARAMETER("baseWriteIops",            INTEGER),
    PARAMETER("maxWriteIops",             INTEGER),
    PARAMETER("baseBps",                  INTEGER),
    PARAMETER("maxBps",                   INTEGER),
    PARAMETER("baseReadBps",              INTEGER),
    PARAMETER("maxReadBps",               INTEGER),
    PARAMETER("baseWriteBps",             INTEGER),
    PARAMETER("maxWriteBps",              INTEGER),
    PARAMETER("iopsPerGiB",               INTEGER),
    PARAMETER("readIopsPerGiB",           INTEGER),
    PARAMETER("writeIopsPerGiB",          INTEGER),
    PARAMETER("bpsPerGiB",                INTEGER),
    PARAMETER("readBpsPerGiB",            INTEGER),
    PARAMETER("writeBpsPerGiB",           INTEGER),
    PARAMETER("baseVolSizeBytes",         INTEGER),
};

static const struct parameter rbd_snapshot_rows[] = {
    CLUSTER_ID,
    PARAMETER("pool",               STRING),
    PARAMETER("imageFeatures",      STRING),
    PARAMETER("snapshotNamePrefix", STRING),
};

static const struct parameters rbd_tables[] = {
    PARAMETERS_OF("StorageClass",        rbd_rows),
    PARAMETERS_OF("VolumeSnapshotClass", rbd_snapshot_rows),
};
const struct driver driver_ceph_rbd = DRIVER_ROWS("*rbd.csi.ceph.com", rbd_tables, "ceph/ceph-csi v3.15 docs/rbd/deploy.md");

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
    PARAMETER("encrypted",          BOOLEAN),
    PARAMETER("encryptionType",     STRING,  VALUES("file"), ENCRYPTED),
    PARAMETER("encryptionKMSID",    STRING,  ENCRYPTED),
};

static const struct parameter cephfs_snapshot_rows[] = {
    CLUSTER_ID,
    PARAMETER("fsName",             STRING),
    PARAMETER("snapshotNamePrefix", STRING),
};

static const struct parameters cephfs_tables[] = {
    PARAMETERS_OF("StorageClass",        cephfs_rows),
    PARAMETERS_OF("VolumeSnapshotClass", cephfs_snapshot_rows),
};
const struct driver driver_cephfs = DRIVER_ROWS("*cephfs.csi.ceph.com", cephfs_tables, "ceph/ceph-csi v3.15 docs/cephfs/deploy.md");
