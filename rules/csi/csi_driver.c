/* CSIDriver of csi.storage.k8s.io/v1alpha1. No API server ever had rules for it: a CustomResourceDefinition of Kubernetes 1.12 and
 * 1.13 brought it, so what its documentation says must be is an error. It gives no syntax for the names of drivers. */
#include "rules/tables.h"

static const struct field spec_fields[] = {
    FIELD("attachRequired",        BOOL, POINTER, UNSET_MEANS("false"),
          CHECKS(RECOMMENDED(INFO,
                     DETAIL("should be set: unset means false here, but true in storage.k8s.io/v1")))),
    FIELD("podInfoOnMountVersion", STRING, POINTER, UNSET_MEANS("no information about pods"), CHECKS(ENUM(NAMES("v1")))),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field alpha_csi_driver_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec, POINTER, CHECKS(REQUIRED())),
};
const struct shape alpha_csi_driver = OBJECT(alpha_csi_driver_fields, SOURCE(CSI_ALPHA_TYPES));
