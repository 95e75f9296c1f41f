/* The Pod that kube-controller-manager recycles volumes with (--pv-recycler-pod-template-filepath-nfs, -hostpath), as far as
 * pkg/volume says what it has to be. No API server sees the template, so what makes it invalid is an error. */
#include "rules/tables.h"

static const struct field metadata_fields[] = {
    FIELD("name",         STRING),
    FIELD("generateName", STRING, UNSET_MEANS("pv-recycler-"),
          CHECKS(RECOMMENDED(SHOULD,
                     DETAIL("should be set, to tell recycler pods apart: the default is pv-recycler-")))),
    FIELD("namespace",    STRING),
};
static const struct shape metadata = OBJECT(metadata_fields);

static const char *const volume_sources[] = {
    "awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "fc",
    "flexVolume", "flocker", "gcePersistentDisk", "gitRepo", "glusterfs", "hostPath", "image", "iscsi", "nfs", "persistentVolumeClaim",
    "photonPersistentDisk", "portworxVolume", "projected", "quobyte", "rbd", "scaleIO", "secret", "storageos", "vsphereVolume", NULL,
};

static const struct field flex_volume_fields[] = {
    FIELD("driver", STRING, CHECKS(FLEX_DRIVER)),
};
static const struct shape flex_volume = OBJECT(flex_volume_fields);

static const struct field volume_fields[] = {
    FIELD("name",                  STRING),
    FIELD("awsElasticBlockStore",  RAW, POINTER),
    FIELD("azureDisk",             RAW, POINTER),
    FIELD("azureFile",             RAW, POINTER),
    FIELD("cephfs",                RAW, POINTER),
    FIELD("cinder",                RAW, POINTER),
    FIELD("configMap",             RAW, POINTER),
    FIELD("csi",                   RAW, POINTER),
    FIELD("downwardAPI",           RAW, POINTER),
    FIELD("emptyDir",              RAW, POINTER),
    FIELD("ephemeral",             RAW, POINTER),
    FIELD("fc",                    RAW, POINTER),
    FIELD("flexVolume",            &flex_volume, POINTER),
    FIELD("flocker",               RAW, POINTER),
    FIELD("gcePersistentDisk",     RAW, POINTER),
    FIELD("gitRepo",               RAW, POINTER),
    FIELD("glusterfs",             RAW, POINTER),
    FIELD("hostPath",              RAW, POINTER),
    FIELD("image",                 RAW, POINTER),
    FIELD("iscsi",                 RAW, POINTER),
    FIELD("nfs",                   RAW, POINTER),
    FIELD("persistentVolumeClaim", RAW, POINTER),
    FIELD("photonPersistentDisk",  RAW, POINTER),
    FIELD("portworxVolume",        RAW, POINTER),
    FIELD("projected",             RAW, POINTER),
    FIELD("quobyte",               RAW, POINTER),
    FIELD("rbd",                   RAW, POINTER),
    FIELD("scaleIO",               RAW, POINTER),
    FIELD("secret",                RAW, POINTER),
    FIELD("storageos",             RAW, POINTER),
    FIELD("vsphereVolume",         RAW, POINTER),
};
/* The first one is the volume that is recycled. */
static const struct shape volume = OBJECT(volume_fields,
    CHECKS(ONE_OF(volume_sources, NONE(REQUIRED), IF(IS_FIRST),
               DETAIL("the volume that is recycled needs a source")),
           ONE_OF(volume_sources, MANY(FORBIDDEN),
               DETAIL("a volume has only one source"))));

/* The smallest RecyclerMinimumTimeout that kube-controller-manager has by default: 60 s for host paths; for NFS it is 300 s. */
static const struct field spec_fields[] = {
    FIELD("activeDeadlineSeconds", INT64, POINTER, UNSET_MEANS("60"),
          CHECKS(RECOMMENDED(SHOULD,
                     DETAIL("should be set, to as long as recycling may take: the default is 60 seconds")),
                 AT_LEAST(60, SHOULD,
                     DETAIL("should be at least 60, the shortest minimum timeout of recyclers by default")))),
    FIELD("volumes",               LIST(&volume),
          CHECKS(REQUIRED(
                     DETAIL("the first volume is the one that is recycled")))),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field recycler_pod_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &metadata),
    FIELD("spec",       &spec),
};
const struct shape recycler_pod = OBJECT(recycler_pod_fields,
    SOURCE("k8s.io/kubernetes pkg/volume NewPersistentVolumeRecyclerPodTemplate, ValidateRecyclerPodTemplate"));
