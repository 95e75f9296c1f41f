/* Azure file. It reads names without regard to case, and refuses those that it does not know. */
#include "schema/driver.h"

#define SKUS \
    "Standard_LRS", "Standard_ZRS", "Standard_GRS", "Standard_GZRS", "Standard_RAGRS", "Standard_RAGZRS", "Premium_LRS", "Premium_ZRS", \
    "StandardV2_LRS", "StandardV2_ZRS", "StandardV2_GRS", "StandardV2_GZRS", "PremiumV2_LRS", "PremiumV2_ZRS"
#define SMB_ONLY NEEDS_ALL(NEED("protocol", "", "smb"))
#define NFS_ONLY NEEDS_ALL(NEED("protocol", "nfs"))

static const struct parameter class_rows[] = {
    PARAMETER("skuName",                      STRING,  VALUES(SKUS)),
    PARAMETER("storageAccountType",           STRING,  VALUES(SKUS)),
    PARAMETER("protocol",                     STRING,  VALUES("smb", "nfs")),
    PARAMETER("storageAccount",               STRING),
    PARAMETER("location",                     STRING),
    PARAMETER("resourceGroup",                STRING),
    PARAMETER("subscriptionID",               STRING,  NEEDS_ALL(NEED_ANY("resourceGroup"))),
    PARAMETER("shareName",                    STRING),
    PARAMETER("shareNamePrefix",              STRING,  PATTERN("^[a-z0-9-]{1,20}$")),
    PARAMETER("folderName",                   STRING),
    PARAMETER("createFolderIfNotExist",       BOOLEAN),
    PARAMETER("server",                       STRING),
    PARAMETER("accessTier",                   STRING,  VALUES("Hot", "Cool", "TransactionOptimized", "Premium")),
    PARAMETER("shareAccessTier",              STRING,  VALUES("Hot", "Cool", "TransactionOptimized", "Premium")),
    PARAMETER("accountAccessTier",            STRING,  VALUES("Hot", "Cool", "Premium", "Cold")),
    PARAMETER("rootSquashType",               STRING,  VALUES("AllSquash", "NoRootSquash", "RootSquash"), NFS_ONLY),
    PARAMETER("diskName",                     STRING),
    PARAMETER("matchTags",                    BOOLEAN, NEEDS_ALL(NEED("storageAccount", ""))),
    PARAMETER("tags",                         STRING),
    PARAMETER("tagValueDelimiter",            STRING),
    PARAMETER("enableLargeFileShares",        BOOLEAN),
    PARAMETER("secretName",                   STRING),
    PARAMETER("secretNamespace",              STRING),
    PARAMETER("createAccount",                BOOLEAN),
    PARAMETER("useDataPlaneAPI",              STRING,  VALUES("true", "false", "oauth")),
    PARAMETER("storeAccountKey",              BOOLEAN),
    PARAMETER("getLatestAccountKey",          BOOLEAN),
    PARAMETER("useSecretCache",               BOOLEAN),
    PARAMETER("getAccountKeyFromSecret",      BOOLEAN),
    PARAMETER("disableDeleteRetentionPolicy", BOOLEAN),
    PARAMETER("allowBlobPublicAccess",        BOOLEAN),
    PARAMETER("publicNetworkAccess",          STRING,  VALUES("Enabled", "Disabled", "SecuredByPerimeter")),
    PARAMETER("allowSharedKeyAccess",         BOOLEAN),
    PARAMETER("storageEndpointSuffix",        STRING),
    PARAMETER("fsGroupChangePolicy",          STRING,  VALUES("None", "Always", "OnRootMismatch")),
    PARAMETER("clientID",                     STRING),
    PARAMETER("tenantID",                     STRING),
    PARAMETER("mountPermissions",             STRING,  PATTERN("^0?[0-7]{1,4}$")),
    PARAMETER("encryptInTransit",             BOOLEAN, NFS_ONLY),
    PARAMETER("provisionedBandwidth",         INTEGER),
    PARAMETER("provisionedIops",              INTEGER),
    PARAMETER("networkEndpointType",          STRING,  VALUES("privateEndpoint")),
    PARAMETER("vnetResourceGroup",            STRING),
    PARAMETER("vnetName",                     STRING),
    PARAMETER("vnetLinkName",                 STRING),
    PARAMETER("subnetName",                   STRING),
    PARAMETER("requireInfraEncryption",       BOOLEAN),
    PARAMETER("enableMultichannel",           BOOLEAN, SMB_ONLY),
    PARAMETER("selectRandomMatchingAccount",  BOOLEAN),
    PARAMETER("accountQuota",                 INTEGER, BETWEEN(100, 2147483647)),
    PARAMETER("enableKataCCMount",            BOOLEAN, INSTEAD("leave it out: newer drivers have an option in its place, and refuse it")),
    PARAMETER("confidentialContainerLabel",   STRING),
    PARAMETER("runtimeClassHandler",          STRING),
    PARAMETER("mountWithManagedIdentity",     BOOLEAN),
    PARAMETER("mountWithWorkloadIdentityToken", BOOLEAN),
};

static const struct parameter modify_rows[] = {
    PARAMETER("provisionedIops",      INTEGER),
    PARAMETER("provisionedBandwidth", INTEGER),
};

static const struct parameter snapshot_rows[] = {
    PARAMETER("useDataPlaneAPI", STRING, VALUES("true", "false", "oauth")),
};

static const struct parameters tables[] = {
    PARAMETERS_OF("StorageClass",          class_rows,    IGNORES_CASE),
    PARAMETERS_OF("VolumeAttributesClass", modify_rows,   IGNORES_CASE),
    PARAMETERS_OF("VolumeSnapshotClass",   snapshot_rows, IGNORES_CASE),
};
const struct driver driver_azure_file =
    DRIVER_ROWS("file.csi.azure.com", tables, "kubernetes-sigs/azurefile-csi-driver master docs/driver-parameters.md");
