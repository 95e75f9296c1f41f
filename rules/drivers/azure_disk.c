/* Azure disk. It reads names without regard to case, and refuses those that it does not know. */
#include "schema/driver.h"

#define SKUS \
    "Standard_LRS", "StandardSSD_LRS", "StandardSSD_ZRS", "Premium_LRS", "Premium_ZRS", "PremiumV2_LRS", "UltraSSD_LRS"
#define CACHING  VALUES("None", "ReadOnly", "ReadWrite")
#define OF_ULTRA NEEDS_ALL(NEED("skuName", "UltraSSD_LRS", "PremiumV2_LRS", ""))

static const struct parameter class_rows[] = {
    PARAMETER("skuName",                 STRING,  VALUES(SKUS)),
    PARAMETER("storageAccountType",      STRING,  VALUES(SKUS)),
    PARAMETER("kind",                    STRING,  VALUES("managed"), INSTEAD("leave it out: all disks are managed ones")),
    PARAMETER("cachingMode",             STRING,  CACHING),
    PARAMETER("location",                STRING),
    PARAMETER("resourceGroup",           STRING),
    PARAMETER("subscriptionID",          STRING,  NEEDS_ALL(NEED_ANY("resourceGroup"))),
    PARAMETER("diskName",                STRING),
    PARAMETER("DiskIOPSReadWrite",       INTEGER, BETWEEN(100, 400000), OF_ULTRA),
    PARAMETER("DiskMBpsReadWrite",       INTEGER, BETWEEN(1, 10000), OF_ULTRA),
    PARAMETER("LogicalSectorSize",       STRING,  VALUES("512", "4096"), OF_ULTRA),
    PARAMETER("tags",                    STRING),
    PARAMETER("tagValueDelimiter",       STRING),
    PARAMETER("diskEncryptionSetID",     STRING,  PATTERN("^/subscriptions/")),
    PARAMETER("diskEncryptionType",      STRING,  VALUES("EncryptionAtRestWithCustomerKey", "EncryptionAtRestWithPlatformAndCustomerKeys",
                                                         "EncryptionAtRestWithPlatformKey")),
    PARAMETER("writeAcceleratorEnabled", BOOLEAN),
    PARAMETER("maxShares",               INTEGER, BETWEEN(1, 15)),
    PARAMETER("perfProfile",             STRING,  VALUES("none", "basic", "advanced")),
    PARAMETER("networkAccessPolicy",     STRING,  VALUES("AllowAll", "DenyAll", "AllowPrivate")),
    PARAMETER("publicNetworkAccess",     STRING,  VALUES("Enabled", "Disabled")),
    PARAMETER("diskAccessID",            STRING),
    PARAMETER("enableBursting",          BOOLEAN),
    PARAMETER("enablePerformancePlus",   BOOLEAN),
    PARAMETER("enableAsyncAttach",       BOOLEAN, INSTEAD("it has no effect any more")),
    PARAMETER("attachDiskInitialDelay",  INTEGER),
    PARAMETER("attachMode",              STRING,  VALUES("ControllerDriven", "NodeDriven")),
    PARAMETER("userAgent",               STRING),
    PARAMETER("zoned",                   BOOLEAN, INSTEAD("it is of the in-tree plugin, and has no effect")),
    PARAMETER("device-setting/*",        STRING),
};

static const struct parameter modify_rows[] = {
    PARAMETER("skuName",           STRING,  VALUES(SKUS)),
    PARAMETER("DiskIOPSReadWrite", INTEGER, BETWEEN(100, 400000)),
    PARAMETER("DiskMBpsReadWrite", INTEGER, BETWEEN(1, 10000)),
    PARAMETER("cachingMode",       STRING,  CACHING),
};

static const struct parameter snapshot_rows[] = {
    PARAMETER("resourceGroup",      STRING),
    PARAMETER("subscriptionID",     STRING,  NEEDS_ALL(NEED_ANY("resourceGroup"), NEED("incremental", "false"))),
    PARAMETER("location",           STRING),
    PARAMETER("incremental",        BOOLEAN),
    PARAMETER("tags",               STRING),
    PARAMETER("tagValueDelimiter",  STRING),
    PARAMETER("userAgent",          STRING),
    PARAMETER("dataAccessAuthMode", STRING,  VALUES("None", "AzureActiveDirectory")),
    PARAMETER("instantAccessDurationMinutes", INTEGER, BETWEEN(60, 300)),
};

static const struct parameters tables[] = {
    PARAMETERS_OF("StorageClass",          class_rows,    IGNORES_CASE),
    PARAMETERS_OF("VolumeAttributesClass", modify_rows,   IGNORES_CASE),
    PARAMETERS_OF("VolumeSnapshotClass",   snapshot_rows, IGNORES_CASE),
};
const struct driver driver_azure_disk =
    DRIVER_ROWS("disk.csi.azure.com", tables, "kubernetes-sigs/azuredisk-csi-driver master docs/driver-parameters.md");
