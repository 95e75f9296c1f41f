/* StorageClass. What its parameters mean is the provisioner's business, but for those that the CSI provisioner reads. */
#include "rules/tables.h"

#define PROVISIONER_TOPOLOGY SOURCE("github.com/kubernetes-csi/external-provisioner v6.2 pkg/controller/topology.go")

static const struct field topology_requirement_fields[] = {
    FIELD("key",    STRING, 
          CHECKS(FORMAT(QUALIFIED_NAME), DEPRECATED(deprecated_node_labels),
                 CALL(MISSING_OBJECT, cross_topology_key, NEEDS_SET, SHOULD, PROVISIONER_TOPOLOGY,
                     DETAIL("is no topology key of the driver on any CSINode that is given: no node is in this topology")))),
    FIELD("values", LIST(STRING), CHECKS(REQUIRED(), UNIQUE(ITSELF),
        CALL(MISSING_OBJECT, cross_topology_value, NEEDS_SET, INFO, STORAGE_DOCUMENTED,
            DETAIL("is what this label is on none of the Nodes that are given")))),
};
static const struct shape topology_requirement = OBJECT(topology_requirement_fields);

static const struct field topology_term_fields[] = {
    FIELD("matchLabelExpressions", LIST(&topology_requirement), CHECKS(UNIQUE("key"))),
};
static const struct shape topology_term = OBJECT(topology_term_fields);

#define IN_TREE_SOURCE SOURCE("k8s.io/kubernetes v1.35.4 pkg/volume, CHANGELOG of 1.22 to 1.31")

/* Names in the reserved domain of plugins that were taken out of Kubernetes; those that need their CSI driver now. */
static const char *const gone_plugins[] = {
    "kubernetes.io/rbd", "kubernetes.io/glusterfs", "kubernetes.io/quobyte", "kubernetes.io/scaleio", "kubernetes.io/storageos",
    "kubernetes.io/flocker", "kubernetes.io/photon-pd", "kubernetes.io/cephfs", NULL,
};
static const char *const migrated_plugins[] = {
    "kubernetes.io/aws-ebs", "kubernetes.io/azure-disk", "kubernetes.io/azure-file", "kubernetes.io/gce-pd", "kubernetes.io/cinder",
    "kubernetes.io/vsphere-volume", "kubernetes.io/portworx-volume", NULL,
};

#define LOCAL_DOCUMENTED SOURCE("kubernetes.io/docs/concepts/storage/storage-classes/ Local")

#define SECRET(of, part)     "csi.storage.k8s.io/" of "-secret-" part
#define HAS_SECRET(of, part) HAS_ENTRY("parameters", SECRET(of, part))
#define NO_SECRET(of, part)  NO_ENTRY("parameters", SECRET(of, part))

/* Name and namespace of a secret: both or neither. */
#define ADD_NAMESPACE(of) DETAIL("should have " SECRET(of, "namespace") " beside the name: the provisioner refuses one without the other")
#define ADD_NAME(of)      DETAIL("should have " SECRET(of, "name") " beside the namespace: the provisioner refuses one without the other")

#define SECRET_ADVICE(...) ADVICE_IF(SHOULD, PROVISIONER_DOCUMENTED, __VA_ARGS__)
#define NAME_ONLY(of)      SECRET_ADVICE(IF(HAS_SECRET(of, "name"), NO_SECRET(of, "namespace")), ADD_NAMESPACE(of))
#define NAMESPACE_ONLY(of) SECRET_ADVICE(IF(NO_SECRET(of, "name"), HAS_SECRET(of, "namespace")), ADD_NAME(of))
#define SECRET_PAIR(of)    NAME_ONLY(of), NAMESPACE_ONLY(of)

#define FILE_SYSTEM_TYPE "csi.storage.k8s.io/fstype"

static const struct shape parameter = { SHAPE_OF(STRING),
    CHECKS(FORMAT(FILE_SYSTEM, SHOULD, IF(KEY_IS("fstype", "fsType", FILE_SYSTEM_TYPE)),
               SOURCE("k8s.io/kubernetes v1.35.4 pkg/volume/plugins.go VolumeParameterFSType"))) };

#define DEFAULT_CLASS "storageclass.kubernetes.io/is-default-class"
#define BETA_DEFAULT_CLASS "storageclass.beta.kubernetes.io/is-default-class"

static const struct field storage_class_fields[] = {
    FIELD("kind",                 STRING),
    FIELD("apiVersion",           STRING),
    FIELD("metadata",             &object_meta,
          CHECKS(BROKEN_IF(DEPRECATED, INFO, REASON(FORBIDDEN),
                     IF(HAS_ENTRY("metadata.annotations", BETA_DEFAULT_CLASS), NO_ENTRY("metadata.annotations", DEFAULT_CLASS)),
                     AT("annotations[" BETA_DEFAULT_CLASS "]"),
                     DETAIL("has the old name of this annotation, which is still read: use " DEFAULT_CLASS),
                     SOURCE("k8s.io/kubernetes v1.35.4 pkg/volume/util/storageclass.go")),
                 BROKEN_IF(ENUM, SHOULD, REASON(FORBIDDEN),
                     IF(HAS_ENTRY("metadata.annotations", DEFAULT_CLASS), NO_ENTRY("metadata.annotations", DEFAULT_CLASS, "true", "false")),
                     AT("annotations[" DEFAULT_CLASS "]"),
                     DETAIL("should be \"true\" or \"false\": any other text means false"),
                     SOURCE("k8s.io/kubernetes v1.35.4 pkg/volume/util/storageclass.go")),
                 CALL(NO_EFFECT, cross_default_annotation, SHOULD, ARGUMENT(DEFAULT_CLASS),
                     SOURCE("k8s.io/kubernetes v1.35.4 pkg/volume/util/storageclass.go"),
                     DETAIL("should have no annotation that is nearly the one of the default class")),
                 CALL(SINGLE_DEFAULT, cross_only_default_storage_class, NEEDS_SET, SHOULD,
                     SOURCE("k8s.io/kubernetes v1.35.4 pkg/volume/util/storageclass.go"),
                     DETAIL("should not mark a second default class: the one that was created last counts")))),
    FIELD("provisioner",          STRING,
          CHECKS(IMMUTABLE(REASON(FORBIDDEN), UNTIL(35)), IMMUTABLE(SINCE(36)), REQUIRED(STOP), FORMAT(QUALIFIED_NAME_NOCASE),
                 NONE_OF(REMOVED_PLUGIN, gone_plugins, SHOULD, IN_TREE_SOURCE,
                     DETAIL("was taken out of Kubernetes and can provision nothing")),
                 NONE_OF(REMOVED_PLUGIN, migrated_plugins, INFO, IN_TREE_SOURCE,
                     DETAIL("is served by its CSI driver, which has to be installed")),
                 FORMAT(RESERVED_PLUGIN, SHOULD, IN_TREE_SOURCE),
                 CALL(ATTACHABLE, cross_driver_persists, NEEDS_SET, SHOULD, STORAGE_DOCUMENTED,
                     DETAIL("is a driver of ephemeral volumes only: kubelets refuse volumes of this class")))),
    FIELD("parameters",           MAP(&parameter), UNSET_MEANS("the provisioner chooses, the file system as well"),
          CHECKS(IMMUTABLE(STRICT, REASON(FORBIDDEN), UNTIL(35)), IMMUTABLE(SINCE(36)), PARAMETERS,
                 KEYS(NONE_OF(MISPLACED_FIELD, fields_of_the_class, SHOULD, STORAGE_DOCUMENTED,
                          DETAIL("is a field of the class: as a parameter it has no effect, and drivers refuse it")),
                      NONE_OF(DEPRECATED, NAMES("fstype", "fsType"), INFO, PROVISIONER_DOCUMENTED,
                          IF(FITS_NOT("provisioner", IN_TREE_PLUGIN), NO_ENTRY("parameters", FILE_SYSTEM_TYPE)),
                          DETAIL("is deprecated for CSI drivers: use " FILE_SYSTEM_TYPE)),
                      FORMAT(CSI_PARAMETER, SHOULD, PROVISIONER_DOCUMENTED)),
                 ADVICE_IF(SHOULD, PROVISIONER_DOCUMENTED, IF(HAS_ENTRY("parameters", "fstype"), HAS_ENTRY("parameters", FILE_SYSTEM_TYPE)),
                     DETAIL("should not have both fstype and " FILE_SYSTEM_TYPE ": the provisioner refuses that")),
                 ADVICE_IF(SHOULD, PROVISIONER_DOCUMENTED, IF(HAS_ENTRY("parameters", "fsType"), HAS_ENTRY("parameters", FILE_SYSTEM_TYPE)),
                     DETAIL("should not have both fsType and " FILE_SYSTEM_TYPE ": the provisioner refuses that")),
                 NO_EFFECT(STORAGE_DOCUMENTED, IF(EQUALS("provisioner", "kubernetes.io/no-provisioner"), IS_SET("parameters")),
                     DETAIL("have no effect: nothing is provisioned")),
                 DRIVER_PARAMETERS,
                 SECRET_PAIR("provisioner"), SECRET_PAIR("controller-publish"), SECRET_PAIR("node-stage"), SECRET_PAIR("node-publish"),
                 SECRET_PAIR("controller-expand"), SECRET_PAIR("node-expand"), SECRET_PAIR("controller-modify"),
                 ADVICE_IF(INFO, PROVISIONER_DOCUMENTED,
                     IF(HAS_SECRET("provisioner", "name"), NO_SECRET("controller-expand", "name"), IS_TRUE("allowVolumeExpansion")),
                     DETAIL("has no " SECRET("controller-expand", "name") ", although volumes may be expanded: that fails if the "
                            "driver needs the secret")))),
    FIELD("reclaimPolicy",        STRING, POINTER, DEFAULT(TEXT("Delete")),
          CHECKS(IMMUTABLE(REASON(FORBIDDEN), UNTIL(35)), IMMUTABLE(SINCE(36)), ENUM(NAMES("", "Delete", "Retain")))),
    FIELD("mountOptions",         LIST(STRING),
          CHECKS(FORBIDDEN(SHOULD, IN_TREE_SOURCE, IF(EQUALS("provisioner", "kubernetes.io/host-path")),
                     DETAIL("the plugin supports no mount options, and refuses to provision")))),
    FIELD("allowVolumeExpansion", BOOL, POINTER,
          CHECKS(NO_EFFECT(STORAGE_DOCUMENTED, IF(EQUALS("provisioner", "kubernetes.io/no-provisioner"), IS_TRUE("allowVolumeExpansion")),
                     DETAIL("has no effect: nothing expands such volumes")))),
    FIELD("volumeBindingMode",    STRING, POINTER, DEFAULT(TEXT("Immediate")),
          CHECKS(IMMUTABLE(), ENUM(NAMES("Immediate", "WaitForFirstConsumer")),
                 ADVICE_IF(INFO, SOURCE("github.com/rancher/local-path-provisioner v0.0.32 provisioner.go provisionFor"),
                     IF(EQUALS("provisioner", "rancher.io/local-path"), EQUALS("volumeBindingMode", "Immediate")),
                     DETAIL("should be WaitForFirstConsumer unless the provisioner has a sharedFileSystemPath: without one it refuses a "
                            "volume for which no node was chosen")),
                 ADVICE_IF(INFO, LOCAL_DOCUMENTED,
                     IF(EQUALS("provisioner", "kubernetes.io/no-provisioner"), EQUALS("volumeBindingMode", "Immediate")),
                     DETAIL("should be WaitForFirstConsumer for local volumes: bound at once, a claim may get one on a node where its "
                            "pod cannot run")))),
    FIELD("allowedTopologies",    LIST(&topology_term), UNSET_MEANS("no restriction"),
          CHECKS(CALL(UNIQUE_TERMS, cross_unique_topology_terms,
                     DETAIL("selects what an earlier term selects")))),
};
const struct shape storage_class = OBJECT(storage_class_fields, SOURCE(STORAGE_VALIDATION));
