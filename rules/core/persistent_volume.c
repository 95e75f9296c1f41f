/* PersistentVolumeSpec as far as a VolumeAttachment holds it inline: only a csi source can pass, all others are validated first.
 * Defaults: k8s.io/kubernetes v1.35.4 pkg/apis/core/v1/defaults.go. */
#include "rules/tables.h"

/* In the order in which the API server looks: the first one is the source, each later one is one too many. */
static const char *const volume_sources[] = {
    "hostPath", "gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "flocker", "nfs", "rbd", "quobyte", "cephfs", "iscsi", "cinder",
    "fc", "flexVolume", "azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume", "azureDisk", "scaleIO", "local",
    "storageos", "csi", NULL,
};

#define ONE_SOURCE       ONLY_FIRST_OF(IF(ANY_BEFORE(volume_sources)), STOP, DETAIL("a volume has only one source"))
#define NOT_INLINE(...)  FORBIDDEN(DETAIL("must not be set for an inline volume"), __VA_ARGS__)

/* Without checks, unless a row of the referring field has them. */
static const struct field secret_reference_fields[] = {
    FIELD("name",      STRING),
    FIELD("namespace", STRING),
};
static const struct shape secret_reference = OBJECT(secret_reference_fields);

static const struct field named_secret_fields[] = {
    FIELD("name",      STRING, CHECKS(REQUIRED())),
    FIELD("namespace", STRING),
};
static const struct shape named_secret = OBJECT(named_secret_fields);

static const struct field secret_fields[] = {
    FIELD("name",      STRING, CHECKS(REQUIRED())),
    FIELD("namespace", STRING, CHECKS(REQUIRED())),
};
static const struct shape secret = OBJECT(secret_fields);

static const struct field csi_secret_fields[] = {
    FIELD("name",      STRING, CHECKS(REQUIRED(STOP), FORMAT(DNS_SUBDOMAIN))),
    FIELD("namespace", STRING, CHECKS(REQUIRED(STOP), FORMAT(DNS_LABEL))),
};
static const struct shape csi_secret = OBJECT(csi_secret_fields);

static const struct field host_path_fields[] = {
    FIELD("path", STRING, CHECKS(REQUIRED(STOP), FORMAT(NO_BACKSTEPS))),
    FIELD("type", STRING, POINTER, DEFAULT(TEXT("")),
          CHECKS(ENUM(NAMES("", "DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice"),
                     IF(IS_SET("path"))))),
};
static const struct shape host_path = OBJECT(host_path_fields);

static const struct field gce_persistent_disk_fields[] = {
    FIELD("pdName",    STRING, CHECKS(REQUIRED())),
    FIELD("fsType",    STRING),
    FIELD("partition", INT32, CHECKS(RANGE(0, 255))),
    FIELD("readOnly",  BOOL),
};
static const struct shape gce_persistent_disk = OBJECT(gce_persistent_disk_fields);

static const struct field aws_elastic_block_store_fields[] = {
    FIELD("volumeID",  STRING, CHECKS(REQUIRED())),
    FIELD("fsType",    STRING),
    FIELD("partition", INT32, CHECKS(RANGE(0, 255))),
    FIELD("readOnly",  BOOL),
};
static const struct shape aws_elastic_block_store = OBJECT(aws_elastic_block_store_fields);

static const struct field glusterfs_fields[] = {
    FIELD("endpoints",          STRING, CHECKS(REQUIRED())),
    FIELD("path",               STRING, CHECKS(REQUIRED())),
    FIELD("readOnly",           BOOL),
    FIELD("endpointsNamespace", STRING, POINTER, CHECKS(FORMAT(DNS_LABEL))),
};
static const struct shape glusterfs = OBJECT(glusterfs_fields);

static const struct field flocker_fields[] = {
    FIELD("datasetName", STRING, CHECKS(FORMAT(NO_SLASH))),
    FIELD("datasetUUID", STRING),
};
static const struct shape flocker = OBJECT(flocker_fields,
    CHECKS(ONE_OF(NAMES("datasetName", "datasetUUID"), NONE(REQUIRED), MANY(INVALID))));

static const struct field nfs_fields[] = {
    FIELD("server",   STRING, CHECKS(REQUIRED())),
    FIELD("path",     STRING, CHECKS(REQUIRED(), FORMAT(ABSOLUTE_PATH))),
    FIELD("readOnly", BOOL),
};
static const struct shape nfs = OBJECT(nfs_fields);

static const struct field rbd_fields[] = {
    FIELD("monitors",  LIST(STRING), CHECKS(REQUIRED())),
    FIELD("image",     STRING, CHECKS(REQUIRED())),
    FIELD("fsType",    STRING),
    FIELD("pool",      STRING, DEFAULT(TEXT("rbd"))),
    FIELD("user",      STRING, DEFAULT(TEXT("admin"))),
    FIELD("keyring",   STRING, DEFAULT(TEXT("/etc/ceph/keyring"))),
    FIELD("secretRef", &secret_reference, POINTER),
    FIELD("readOnly",  BOOL),
};
static const struct shape rbd = OBJECT(rbd_fields);

static const struct field quobyte_fields[] = {
    FIELD("registry", STRING, CHECKS(REQUIRED(STOP), FORMAT(HOST_PORTS, IF(FITS("tenant", QUOBYTE_TENANT))))),
    FIELD("volume",   STRING, CHECKS(REQUIRED())),
    FIELD("readOnly", BOOL),
    FIELD("user",     STRING),
    FIELD("group",    STRING),
    FIELD("tenant",   STRING, CHECKS(FORMAT(QUOBYTE_TENANT, REASON(REQUIRED), IF(IS_SET("registry"))))),
};
static const struct shape quobyte = OBJECT(quobyte_fields);

static const struct field cephfs_fields[] = {
    FIELD("monitors",   LIST(STRING), CHECKS(REQUIRED())),
    FIELD("path",       STRING),
    FIELD("user",       STRING),
    FIELD("secretFile", STRING),
    FIELD("secretRef",  &secret_reference, POINTER),
    FIELD("readOnly",   BOOL),
};
static const struct shape cephfs = OBJECT(cephfs_fields);

static const struct field iscsi_fields[] = {
    FIELD("targetPortal",      STRING,
          CHECKS(REQUIRED(),
                 MAX_BYTES(63, REASON(INVALID), IF(IS_SET("initiatorName")), SIBLING("targetportal"),
                     DETAIL("must be shorter than 64 bytes when initiatorName is set")))),
    FIELD("iqn",               STRING, CHECKS(REQUIRED(STOP), FORMAT(ISCSI_NAME))),
    FIELD("lun",               INT32, CHECKS(RANGE(0, 255))),
    FIELD("iscsiInterface",    STRING, DEFAULT(TEXT("default"))),
    FIELD("fsType",            STRING),
    FIELD("readOnly",          BOOL),
    FIELD("portals",           LIST(STRING)),
    FIELD("chapAuthDiscovery", BOOL),
    FIELD("chapAuthSession",   BOOL),
    FIELD("secretRef",         &named_secret, POINTER,
          CHECKS(REQUIRED(IF(IS_SET("chapAuthDiscovery"))), REQUIRED(IF(NOT_SET("chapAuthDiscovery"), IS_SET("chapAuthSession"))))),
    FIELD("initiatorName",     STRING, POINTER, CHECKS(FORMAT(ISCSI_NAME, SIBLING("initiatorname")))),
};
static const struct shape iscsi = OBJECT(iscsi_fields);

static const struct field cinder_fields[] = {
    FIELD("volumeID",  STRING, CHECKS(REQUIRED())),
    FIELD("fsType",    STRING),
    FIELD("readOnly",  BOOL),
    FIELD("secretRef", &secret, POINTER),
};
static const struct shape cinder = OBJECT(cinder_fields);

static const struct field fc_fields[] = {
    FIELD("targetWWNs", LIST(STRING)),
    FIELD("lun",        INT32, POINTER, CHECKS(REQUIRED(IF(IS_SET("targetWWNs"))), RANGE(0, 255, IF(IS_SET("targetWWNs"))))),
    FIELD("fsType",     STRING),
    FIELD("readOnly",   BOOL),
    FIELD("wwids",      LIST(STRING)),
};
static const struct shape fc = OBJECT(fc_fields,
    CHECKS(ONE_OF(NAMES("targetWWNs", "wwids"), NONE(REQUIRED), MANY(INVALID), AT("targetWWNs"))));

static const struct field flex_volume_fields[] = {
    FIELD("driver",    STRING, CHECKS(REQUIRED(), FLEX_DRIVER)),
    FIELD("fsType",    STRING),
    FIELD("secretRef", &secret_reference, POINTER),
    FIELD("readOnly",  BOOL),
    FIELD("options",   MAP(STRING), CHECKS(KEYS(FORMAT(UNRESERVED_KEY)))),
};
static const struct shape flex_volume = OBJECT(flex_volume_fields);

static const struct field azure_file_fields[] = {
    FIELD("secretName",      STRING, CHECKS(REQUIRED())),
    FIELD("shareName",       STRING, CHECKS(REQUIRED())),
    FIELD("readOnly",        BOOL),
    FIELD("secretNamespace", STRING, POINTER, CHECKS(REQUIRED_IF_SET())),
};
static const struct shape azure_file = OBJECT(azure_file_fields);

static const struct field vsphere_volume_fields[] = {
    FIELD("volumePath",        STRING, CHECKS(REQUIRED())),
    FIELD("fsType",            STRING),
    FIELD("storagePolicyName", STRING),
    FIELD("storagePolicyID",   STRING),
};
static const struct shape vsphere_volume = OBJECT(vsphere_volume_fields);

static const struct field photon_persistent_disk_fields[] = {
    FIELD("pdID",   STRING, CHECKS(REQUIRED())),
    FIELD("fsType", STRING),
};
static const struct shape photon_persistent_disk = OBJECT(photon_persistent_disk_fields);

static const struct field portworx_volume_fields[] = {
    FIELD("volumeID", STRING, CHECKS(REQUIRED())),
    FIELD("fsType",   STRING),
    FIELD("readOnly", BOOL),
};
static const struct shape portworx_volume = OBJECT(portworx_volume_fields);

static const struct field azure_disk_fields[] = {
    FIELD("diskName",    STRING, CHECKS(REQUIRED())),
    FIELD("diskURI",     STRING,
          CHECKS(REQUIRED(),
                 FORMAT(AZURE_MANAGED_URI, REASON(NOT_SUPPORTED), IF(EQUALS("kind", "Managed"))),
                 FORMAT(AZURE_BLOB_URI, REASON(NOT_SUPPORTED), IF(DIFFERS("kind", "Managed"))))),
    FIELD("cachingMode", STRING, POINTER, DEFAULT(TEXT("ReadWrite")), CHECKS(ENUM(NAMES("None", "ReadOnly", "ReadWrite")))),
    FIELD("fsType",      STRING, POINTER, DEFAULT(TEXT("ext4"))),
    FIELD("readOnly",    BOOL, POINTER, DEFAULT(FALSE_VALUE)),
    FIELD("kind",        STRING, POINTER, DEFAULT(TEXT("Shared")), CHECKS(ENUM(NAMES("Shared", "Dedicated", "Managed")))),
};
static const struct shape azure_disk = OBJECT(azure_disk_fields);

static const struct field scale_io_fields[] = {
    FIELD("gateway",          STRING, CHECKS(REQUIRED())),
    FIELD("system",           STRING, CHECKS(REQUIRED())),
    FIELD("secretRef",        &secret_reference, POINTER),
    FIELD("sslEnabled",       BOOL),
    FIELD("protectionDomain", STRING),
    FIELD("storagePool",      STRING),
    FIELD("storageMode",      STRING, DEFAULT(TEXT("ThinProvisioned"))),
    FIELD("volumeName",       STRING, CHECKS(REQUIRED())),
    FIELD("fsType",           STRING, DEFAULT(TEXT("xfs"))),
    FIELD("readOnly",         BOOL),
};
static const struct shape scale_io = OBJECT(scale_io_fields);

static const struct field local_fields[] = {
    FIELD("path",   STRING, CHECKS(REQUIRED(STOP), FORMAT(NO_BACKSTEPS))),
    FIELD("fsType", STRING, POINTER),
};
static const struct shape local = OBJECT(local_fields);

static const struct field object_reference_fields[] = {
    FIELD("kind",            STRING),
    FIELD("namespace",       STRING),
    FIELD("name",            STRING),
    FIELD("uid",             STRING),
    FIELD("apiVersion",      STRING),
    FIELD("resourceVersion", STRING),
    FIELD("fieldPath",       STRING),
};
static const struct shape object_reference = OBJECT(object_reference_fields);

static const struct field storage_os_secret_fields[] = {
    FIELD("kind",            STRING),
    FIELD("namespace",       STRING, CHECKS(REQUIRED())),
    FIELD("name",            STRING, CHECKS(REQUIRED())),
    FIELD("uid",             STRING),
    FIELD("apiVersion",      STRING),
    FIELD("resourceVersion", STRING),
    FIELD("fieldPath",       STRING),
};
static const struct shape storage_os_secret = OBJECT(storage_os_secret_fields);

static const struct field storage_os_fields[] = {
    FIELD("volumeName",      STRING, CHECKS(REQUIRED(STOP), FORMAT(DNS_LABEL))),
    FIELD("volumeNamespace", STRING, CHECKS(FORMAT(DNS_LABEL, IF(IS_SET("volumeNamespace"))))),
    FIELD("fsType",          STRING),
    FIELD("readOnly",        BOOL),
    FIELD("secretRef",       &storage_os_secret, POINTER),
};
static const struct shape storage_os = OBJECT(storage_os_fields);

static const struct field csi_fields[] = {
    FIELD("driver",                     STRING, CHECKS(DRIVER)),
    FIELD("volumeHandle",               STRING, CHECKS(REQUIRED())),
    FIELD("readOnly",                   BOOL),
    FIELD("fsType",                     STRING),
    FIELD("volumeAttributes",           MAP(STRING)),
    FIELD("controllerPublishSecretRef", &csi_secret, POINTER),
    FIELD("nodeStageSecretRef",         &secret_reference, POINTER),
    FIELD("nodePublishSecretRef",       &csi_secret, POINTER),
    FIELD("controllerExpandSecretRef",  &csi_secret, POINTER),
    FIELD("nodeExpandSecretRef",        &csi_secret, POINTER),
};
static const struct shape csi = OBJECT(csi_fields);

static const struct field node_selector_requirement_fields[] = {
    FIELD("key",      STRING),
    FIELD("operator", STRING),
    FIELD("values",   LIST(STRING)),
};
static const struct shape node_selector_requirement = OBJECT(node_selector_requirement_fields);

static const struct field node_selector_term_fields[] = {
    FIELD("matchExpressions", LIST(&node_selector_requirement)),
    FIELD("matchFields",      LIST(&node_selector_requirement)),
};
static const struct shape node_selector_term = OBJECT(node_selector_term_fields);

static const struct field unchecked_node_selector_fields[] = {
    FIELD("nodeSelectorTerms", LIST(&node_selector_term)),
};
static const struct shape unchecked_node_selector = OBJECT(unchecked_node_selector_fields);

static const struct field node_affinity_fields[] = {
    FIELD("required", &unchecked_node_selector, POINTER),
};
static const struct shape node_affinity = OBJECT(node_affinity_fields);

#define ACCESS_MODES NAMES("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")

static const struct field inline_volume_spec_fields[] = {
    FIELD("capacity",                      MAP(QUANTITY_IN_MILLI), CHECKS(NOT_INLINE())),
    FIELD("gcePersistentDisk",             &gce_persistent_disk, POINTER, SEGMENT("persistentDisk"),
          CHECKS(ONLY_FIRST_OF(IF(ANY_BEFORE(volume_sources)), STOP, SIBLING("gcePersistentDisk")))),
    FIELD("awsElasticBlockStore",          &aws_elastic_block_store, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("hostPath",                      &host_path, POINTER),
    FIELD("glusterfs",                     &glusterfs, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("nfs",                           &nfs, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("rbd",                           &rbd, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("iscsi",                         &iscsi, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("cinder",                        &cinder, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("cephfs",                        &cephfs, POINTER,
          CHECKS(ONLY_FIRST_OF(IF(ANY_BEFORE(volume_sources)), STOP, SIBLING("cephFS")))),
    FIELD("fc",                            &fc, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("flocker",                       &flocker, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("flexVolume",                    &flex_volume, POINTER),
    FIELD("azureFile",                     &azure_file, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("vsphereVolume",                 &vsphere_volume, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("quobyte",                       &quobyte, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("azureDisk",                     &azure_disk, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("photonPersistentDisk",          &photon_persistent_disk, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("portworxVolume",                &portworx_volume, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("scaleIO",                       &scale_io, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("local",                         &local, POINTER,
          CHECKS(ONE_SOURCE,
                 NEEDS(SIBLING("nodeAffinity"),
                     DETAIL("a local volume needs node affinity")))),
    FIELD("storageos",                     &storage_os, POINTER, CHECKS(ONE_SOURCE)),
    FIELD("csi",                           &csi, POINTER,
          CHECKS(REQUIRED(
                     DETAIL("an inline volume must be a CSI volume")),
                 ONE_SOURCE)),
    FIELD("accessModes",                   LIST(STRING_WITH(ENUM(ACCESS_MODES, UP(1)))),
          CHECKS(REQUIRED(), EXCLUSIVE(NAMES("ReadWriteOncePod", "ReadWriteOnce"), REASON(FORBIDDEN)),
                 EXCLUSIVE(NAMES("ReadWriteOncePod", "ReadOnlyMany"), REASON(FORBIDDEN)),
                 EXCLUSIVE(NAMES("ReadWriteOncePod", "ReadWriteMany"), REASON(FORBIDDEN)))),
    FIELD("claimRef",                      &object_reference, POINTER, CHECKS(NOT_INLINE())),
    FIELD("persistentVolumeReclaimPolicy", STRING, CHECKS(ENUM(NAMES("", "Retain"), REASON(FORBIDDEN)))),
    FIELD("storageClassName",              STRING, CHECKS(NOT_INLINE())),
    FIELD("mountOptions",                  LIST(STRING)),
    FIELD("volumeMode",                    STRING, POINTER, CHECKS(ENUM(NAMES("Filesystem"), REASON(FORBIDDEN)))),
    FIELD("nodeAffinity",                  &node_affinity, POINTER, CHECKS(NOT_INLINE())),
    FIELD("volumeAttributesClassName",     STRING, POINTER),
};
const struct shape inline_volume_spec = OBJECT(inline_volume_spec_fields,
    SOURCE("k8s.io/kubernetes v1.35.4 pkg/apis/core/validation/validation.go ValidatePersistentVolumeSpec"),
    CHECKS(ONE_OF(volume_sources, NONE(REQUIRED))));
