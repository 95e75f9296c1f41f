/* Longhorn. What it does not know, it ignores. */
#include "schema/driver.h"

#define SWITCH VALUES("ignored", "enabled", "disabled")

static const struct parameter class_rows[] = {
    PARAMETER("numberOfReplicas",                 INTEGER, BETWEEN(1, 20)),
    PARAMETER("staleReplicaTimeout",              INTEGER),
    PARAMETER("fromBackup",                       STRING),
    PARAMETER("backupTargetName",                 STRING),
    PARAMETER("mkfsParams",                       STRING),
    PARAMETER("migratable",                       BOOLEAN),
    PARAMETER("share",                            BOOLEAN),
    PARAMETER("encrypted",                        BOOLEAN, NEEDS_ALL(NEED_ANY("csi.storage.k8s.io/provisioner-secret-name"))),
    PARAMETER("dataLocality",                     STRING,  VALUES("disabled", "best-effort", "strict-local")),
    PARAMETER("replicaAutoBalance",               STRING,  VALUES("ignored", "disabled", "least-effort", "best-effort")),
    PARAMETER("diskSelector",                     STRING),
    PARAMETER("nodeSelector",                     STRING),
    PARAMETER("recurringJobSelector",             STRING),
    PARAMETER("recurringJobs",                    STRING,  INSTEAD("use recurringJobSelector, which names jobs of their own")),
    PARAMETER("backingImage",                     STRING),
    PARAMETER("backingImageName",                 STRING),
    PARAMETER("backingImageChecksum",             STRING),
    PARAMETER("backingImageDataSourceType",       STRING,  VALUES("download", "upload", "export-from-volume", "restore", "clone")),
    PARAMETER("backingImageDataSourceParameters", STRING),
    PARAMETER("backingImageMinNumberOfCopies",    INTEGER),
    PARAMETER("backingImageNodeSelector",         STRING),
    PARAMETER("backingImageDiskSelector",         STRING),
    PARAMETER("unmapMarkSnapChainRemoved",        STRING,  SWITCH),
    PARAMETER("disableRevisionCounter",           BOOLEAN),
    PARAMETER("replicaSoftAntiAffinity",          STRING,  SWITCH),
    PARAMETER("replicaZoneSoftAntiAffinity",      STRING,  SWITCH),
    PARAMETER("replicaDiskSoftAntiAffinity",      STRING,  SWITCH),
    PARAMETER("nfsOptions",                       STRING),
    PARAMETER("dataEngine",                       STRING,  VALUES("v1", "v2")),
    PARAMETER("v1DataEngine",                     BOOLEAN, INSTEAD("use dataEngine")),
    PARAMETER("v2DataEngine",                     BOOLEAN, INSTEAD("use dataEngine")),
    PARAMETER("freezeFSForSnapshot",              STRING,  SWITCH),
    PARAMETER("freezeFilesystemForSnapshot",      STRING,  SWITCH),
    PARAMETER("strictTopology",                   BOOLEAN),
    PARAMETER("volumeTopology",                   STRING),
    PARAMETER("backupBlockSize",                  STRING,  CAME_WITH("v1.10")),
    PARAMETER("snapshotMaxCount",                 INTEGER),
    PARAMETER("snapshotMaxSize",                  STRING),
    PARAMETER("replicaRebuildingBandwidthLimit",  INTEGER),
    PARAMETER("ublkNumberOfQueue",                INTEGER),
    PARAMETER("ublkQueueDepth",                   INTEGER),
    PARAMETER("offlineRebuild",                   STRING,  SWITCH),
};

static const struct parameter snapshot_rows[] = {
    PARAMETER("type",        STRING, VALUES("snap", "bak", "bi")),
    PARAMETER("export-type", STRING, VALUES("raw", "qcow2"), NEEDS_ALL(NEED("type", "bi"))),
    PARAMETER("backupMode",  STRING, VALUES("full", "incremental")),
};

static const struct parameters tables[] = {
    PARAMETERS_OF("StorageClass",        class_rows),
    PARAMETERS_OF("VolumeSnapshotClass", snapshot_rows),
};
const struct driver driver_longhorn =
    DRIVER_ROWS("driver.longhorn.io", tables, "longhorn.io/docs/1.14.0/references/storage-class-parameters");
