/* What the tables share: shapes that several kinds use, and what a kind can be. */
#ifndef DRAWBRIDGE_RULES_TABLES_H
#define DRAWBRIDGE_RULES_TABLES_H

#include "check/shape.h"

/* Where the rules of an object are from, with version; its shape names it, and what is inside has the same source unless it
 * names another. */
#define STORAGE_VALIDATION "k8s.io/kubernetes v1.35.4 pkg/apis/storage/validation/validation.go"

/* Traits of a kind, for TRAIT() in shared shapes. */
enum trait {
    CLUSTER_SCOPED = 0,
    NAMESPACED = KIND_NAMESPACED,
    NAME_ON_UPDATE = 2, /* the API server checks the form of metadata.name on update, too */
};

/* Ratchets, for RATCHET and UNLESS. */
enum option {
    OLD_LABEL_VALUES = 1, /* the old selector was invalid: label values in it are not looked at */
};

/* The name of a CSI driver that must be there. Up to 1.34 an empty one is Invalid, too. */
#define CSI_DRIVER_NAME REQUIRED(STOP, SINCE(35)), REQUIRED(UNTIL(34)), FORMAT(DRIVER_NAME)

/* Parameters of a class, opaque but for their number and size. */
#define PARAMETERS      MAX_ITEMS(512, REASON(TOO_LONG)), KEYS(NON_EMPTY(UP(1))), TOTAL_BYTES(262144)

/* meta.c */
extern const struct shape object_meta;
extern const struct shape label_selector;
extern const char *const deprecated_node_labels[];

/* core/persistent_volume.c */
extern const struct shape inline_volume_spec;

/* storage/<kind>.c */
extern const struct shape csi_driver, csi_node, csi_storage_capacity, storage_class, volume_attachment, volume_attributes_class;

/* cross/<subject>.c */
void cross_unique_topology_terms(struct cross *cross);

#endif
