/* PersistentVolumeClaim, also in templates, and PersistentVolume: the classes, drivers and sources that they name. Their other fields are
 * not checked. */
#include "rules/tables.h"

#define CORE_DOCUMENTED SOURCE("k8s.io/api v0.37.1 core/v1/types.go")

/* A volume that is there already may have a class of which no object is given, so nothing but typing errors is sure. */
#define STORAGE_CLASS NAMES_OBJECT("storage.k8s.io", "StorageClass", TYPOS_ONLY, CORE_DOCUMENTED)
#define ATTRIBUTES_CLASS NAMES_OBJECT("storage.k8s.io", "VolumeAttributesClass", CORE_DOCUMENTED)

/* The name of the class in metadata, which counts more than that in the spec. */
#define BETA_CLASS    "volume.beta.kubernetes.io/storage-class"
#define CLASS_IN_META MAP(RAW_WITH(NAMES_OBJECT("storage.k8s.io", "StorageClass", TYPOS_ONLY, CORE_DOCUMENTED, IF(KEY_IS(BETA_CLASS)))))

static const struct field volume_meta_fields[] = {
    FIELD("name",        STRING),
    FIELD("namespace",   STRING),
    FIELD("annotations", CLASS_IN_META),
};
static const struct shape volume_meta = OBJECT(volume_meta_fields);

#define IS_SNAPSHOT IF(EQUALS("kind", "VolumeSnapshot"), EQUALS("apiGroup", "snapshot.storage.k8s.io"))
#define IS_CLAIM    IF(EQUALS("kind", "PersistentVolumeClaim"), NOT_SET("apiGroup"))
#define NEEDS_GROUP \
    BROKEN_IF(DISALLOWED_VALUE, IF(NOT_SET("apiGroup"), DIFFERS("kind", "PersistentVolumeClaim")), \
        DETAIL("must be PersistentVolumeClaim where apiGroup is not set; that of VolumeSnapshot is snapshot.storage.k8s.io"))
#define NAMES_SNAPSHOT(...) NAMES_OBJECT("snapshot.storage.k8s.io", "VolumeSnapshot", CORE_DOCUMENTED, __VA_ARGS__)
#define NAMES_CLAIM(...)    NAMES_OBJECT("", "PersistentVolumeClaim", CORE_DOCUMENTED, __VA_ARGS__)

static const struct field data_source_fields[] = {
    FIELD("apiGroup", STRING, POINTER),
    FIELD("kind",     STRING, CHECKS(REQUIRED(STOP), NEEDS_GROUP)),
    FIELD("name",     STRING, CHECKS(REQUIRED(STOP), NAMES_SNAPSHOT(IS_SNAPSHOT), NAMES_CLAIM(IS_CLAIM))),
};
static const struct shape data_source = OBJECT(data_source_fields);

/* What is in another namespace is not looked for. */
static const struct field data_source_ref_fields[] = {
    FIELD("apiGroup",  STRING, POINTER),
    FIELD("kind",      STRING, CHECKS(REQUIRED(STOP), NEEDS_GROUP)),
    FIELD("name",      STRING,
          CHECKS(REQUIRED(STOP), SKIP(IF(IS_SET("namespace"))), NAMES_SNAPSHOT(IS_SNAPSHOT), NAMES_CLAIM(IS_CLAIM))),
    FIELD("namespace", STRING, POINTER),
};
static const struct shape data_source_ref = OBJECT(data_source_ref_fields);

static const struct field volume_claim_spec_fields[] = {
    FIELD("storageClassName",          STRING, POINTER, UNSET_MEANS("the default class"),
          CHECKS(STORAGE_CLASS,
                 CALL(MISSING_OBJECT, cross_claim_class, NEEDS_SET, INFO, CORE_DOCUMENTED,
                     DETAIL("names no StorageClass that is given, and no volume that is has that class")))),
    FIELD("dataSource",                &data_source, POINTER),
    FIELD("dataSourceRef",             &data_source_ref, POINTER),
    FIELD("volumeAttributesClassName", STRING, POINTER,
          CHECKS(ATTRIBUTES_CLASS,
                 CALL(SAME_DRIVER, cross_attributes_class_driver, NEEDS_SET, SHOULD, PROVISIONER_DOCUMENTED,
                     DETAIL("should be for the driver that provisions the claim's StorageClass")))),
};
static const struct shape volume_claim_spec = OBJECT(volume_claim_spec_fields);

#define CLAIM_VALIDATION \
    SOURCE("k8s.io/kubernetes v1.37.1 pkg/apis/core/validation/validation.go ValidatePersistentVolumeClaimSpec")

static const struct field volume_claim_template_fields[] = {
    FIELD("metadata", &volume_meta),
    FIELD("spec",     &volume_claim_spec),
};
const struct shape volume_claim_template = OBJECT(volume_claim_template_fields, CLAIM_VALIDATION);

static const struct field core_volume_claim_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &volume_meta),
    FIELD("spec",       &volume_claim_spec),
};
const struct shape core_volume_claim = OBJECT(core_volume_claim_fields, CLAIM_VALIDATION);

/* ---- volumes ---- */

static const struct field volume_csi_fields[] = {
    FIELD("driver", STRING,
          CHECKS(NAMES_OBJECT("storage.k8s.io", "CSIDriver", TYPOS_ONLY, CORE_DOCUMENTED),
                 CALL(ATTACHABLE, cross_driver_persists, NEEDS_SET, SHOULD, STORAGE_DOCUMENTED,
                     DETAIL("is a driver of ephemeral volumes only: kubelets refuse the volume")))),
};
static const struct shape volume_csi = OBJECT(volume_csi_fields);

static const struct field volume_spec_fields[] = {
    FIELD("csi",                       &volume_csi, POINTER),
    FIELD("storageClassName",          STRING, CHECKS(STORAGE_CLASS)),
    FIELD("volumeAttributesClassName", STRING, POINTER, CHECKS(ATTRIBUTES_CLASS)),
};
static const struct shape volume_spec = OBJECT(volume_spec_fields);

static const struct field core_persistent_volume_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &volume_meta),
    FIELD("spec",       &volume_spec),
};
const struct shape core_persistent_volume = OBJECT(core_persistent_volume_fields, CORE_DOCUMENTED);
