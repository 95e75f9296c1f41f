/* CSIStorageCapacity. */
#include "rules/tables.h"

static const struct field csi_storage_capacity_fields[] = {
    FIELD("kind",              STRING),
    FIELD("apiVersion",        STRING),
    FIELD("metadata",          &object_meta),
    FIELD("nodeTopology",      &label_selector, POINTER, CHECKS(IMMUTABLE(), RATCHET(OLD_LABEL_VALUES, IF(OLD_INVALID)))),
    FIELD("storageClassName",  STRING,
          CHECKS(IMMUTABLE(), FORMAT(DNS_SUBDOMAIN), NAMES_OBJECT("storage.k8s.io", "StorageClass", STORAGE_DOCUMENTED))),
    FIELD("capacity",          QUANTITY, POINTER, CHECKS(AT_LEAST(0))),
    FIELD("maximumVolumeSize", QUANTITY, POINTER),
};
const struct shape csi_storage_capacity = OBJECT(csi_storage_capacity_fields, SOURCE(STORAGE_VALIDATION));
