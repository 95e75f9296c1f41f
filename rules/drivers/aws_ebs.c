/* AWS EBS. It reads parameters without regard to case, and refuses those that it does not know. kmsKeyId alone encrypts, too. */
#include "schema/driver.h"

#define TYPES       "gp2", "gp3", "io1", "io2", "st1", "sc1", "standard", "sbp1", "sbg1"
#define PROVISIONED NEEDS_ALL(NEED("type", "", "gp3", "io1", "io2"))
#define OF_EXT4     NEEDS_ALL(NEED("csi.storage.k8s.io/fstype", "", "ext4"))
#define KEY_OR_ARN  PATTERN("^(arn:aws[a-z-]*:kms:|alias/|(mrk-)?[0-9a-f-]{32,36}$)")

static const struct parameter class_rows[] = {
    PARAMETER("type",                        STRING,  VALUES(TYPES)),
    PARAMETER("iops",                        INTEGER, BETWEEN(100, 256000), PROVISIONED),
    PARAMETER("iopsPerGB",                   INTEGER, BETWEEN(1, 1000), PROVISIONED),
    PARAMETER("allowAutoIOPSPerGBIncrease",  BOOLEAN, NEEDS_ALL(NEED_ANY("iopsPerGB"))),
    PARAMETER("throughput",                  INTEGER, BETWEEN(125, 2000), NEEDS_ALL(NEED("type", "", "gp3"))),
    PARAMETER("encrypted",                   BOOLEAN),
    PARAMETER("kmsKeyId",                    STRING,  KEY_OR_ARN, NEEDS_ALL(NEED("encrypted", "true", ""))),
    PARAMETER("blockExpress",                BOOLEAN, CAME_WITH("v1.12"),
                                                      INSTEAD("it has no effect since 1.47, as all io2 volumes are of that kind")),
    PARAMETER("blockAttachUntilInitialized", BOOLEAN, CAME_WITH("v1.46")),
    PARAMETER("volumeInitializationRate",    INTEGER, BETWEEN(100, 300), CAME_WITH("v1.43")),
    PARAMETER("blockSize",                   STRING,  CAME_WITH("v1.15")),
    PARAMETER("inodeSize",                   STRING,  CAME_WITH("v1.22")),
    PARAMETER("bytesPerInode",               STRING),
    PARAMETER("numberOfInodes",              STRING),
    PARAMETER("ext4BigAlloc",                BOOLEAN, OF_EXT4, CAME_WITH("v1.24")),
    PARAMETER("ext4ClusterSize",             STRING,  NEEDS_ALL(NEED("ext4BigAlloc", "true")), CAME_WITH("v1.24")),
    PARAMETER("ext4EncryptionSupport",       BOOLEAN, OF_EXT4),
    PARAMETER("tagSpecification*",           STRING,  CAME_WITH("v1.6")),
};

static const struct parameter modify_rows[] = {
    PARAMETER("type",                          STRING,  VALUES(TYPES), CAME_WITH("v1.29")),
    PARAMETER("iops",                          INTEGER, BETWEEN(100, 256000), PROVISIONED, CAME_WITH("v1.29")),
    PARAMETER("iopsPerGB",                     INTEGER, BETWEEN(1, 1000), PROVISIONED),
    PARAMETER("allowAutoIOPSIncreaseOnModify", BOOLEAN),
    PARAMETER("throughput",                    INTEGER, BETWEEN(125, 2000), NEEDS_ALL(NEED("type", "", "gp3")), CAME_WITH("v1.29")),
    PARAMETER("tagSpecification*",             STRING,  CAME_WITH("v1.33")),
    PARAMETER("tagDeletion*",                  STRING,  CAME_WITH("v1.33")),
};

static const struct parameter snapshot_rows[] = {
    PARAMETER("fastSnapshotRestoreAvailabilityZones", STRING, CAME_WITH("v1.18")),
    PARAMETER("outpostArn",                           STRING, CAME_WITH("v1.35")),
    PARAMETER("tagSpecification*",                    STRING),
};

static const struct parameters tables[] = {
    PARAMETERS_OF("StorageClass",          class_rows,    IGNORES_CASE),
    PARAMETERS_OF("VolumeAttributesClass", modify_rows,   IGNORES_CASE),
    PARAMETERS_OF("VolumeSnapshotClass",   snapshot_rows, IGNORES_CASE),
};
const struct driver driver_aws_ebs = DRIVER_ROWS("ebs.csi.aws.com", tables, "kubernetes-sigs/aws-ebs-csi-driver master docs/parameters.md");
