/* CSINodeInfo of csi.storage.k8s.io/v1alpha1, the forerunner of CSINode; see csi_driver.c. What its documentation says is always
 * present must be there; the kubelet writes empty lists as []. */
#include "rules/tables.h"

/* Both lists are merged by name; the kubelet writes and removes the entries of a driver together. */
#define ONE_OF_EACH_NAME          UNIQUE("name", SHOULD, DETAIL("should be in the list only once: entries are merged by name"))
#define IN_BOTH_LISTS(list)       DETAIL("should be in " list ", too: a driver has an entry in both lists")
#define ALSO_IN_LIST(list, other) MATCHES(list, NAMES("name"), SHOULD, AT("name"), IF(IS_SET("name"), IS_SET(other)), IN_BOTH_LISTS(list))

static const struct field driver_spec_fields[] = {
    FIELD("name",         STRING, CHECKS(REQUIRED(), NAMES_OBJECT("csi.storage.k8s.io", "CSIDriver", TYPOS_ONLY))),
    FIELD("nodeID",       STRING, CHECKS(REQUIRED())),
    FIELD("topologyKeys", LIST(STRING_WITH(FORMAT(QUALIFIED_NAME, SHOULD))), POINTER, /* the kubelet makes them labels of the node */
          CHECKS(REQUIRED(),
                 CALL(MISSING_OBJECT, cross_topology_labels, NEEDS_SET, SHOULD,
                     DETAIL("is no label of the Node that is given")))),
};
static const struct shape driver_spec = OBJECT(driver_spec_fields, CHECKS(ALSO_IN_LIST("status.drivers", "../../status")));

static const struct field spec_fields[] = {
    FIELD("drivers", LIST(&driver_spec), POINTER,
          CHECKS(REQUIRED(), ONE_OF_EACH_NAME,
                 IMMUTABLE_BY_KEY("name", NULL, SHOULD,
                     DETAIL("should stay as it was first written")))),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field driver_status_fields[] = {
    FIELD("name",                  STRING, CHECKS(REQUIRED(), NAMES_OBJECT("csi.storage.k8s.io", "CSIDriver", TYPOS_ONLY))),
    FIELD("available",             BOOL, POINTER, CHECKS(REQUIRED())),
    FIELD("volumePluginMechanism", STRING,
          CHECKS(REQUIRED(STOP),
                 BROKEN_IF(ENUM, SHOULD, STOP, IF(EQUALS("volumePluginMechanism", "csi-plugin")),
                      DETAIL("should be \"csi\", the value of the constant: only a comment spells it otherwise")),
                 ENUM(NAMES("in-tree", "csi")))),
};
static const struct shape driver_status = OBJECT(driver_status_fields, CHECKS(ALSO_IN_LIST("spec.drivers", "../../spec")));

static const struct field status_fields[] = {
    FIELD("drivers", LIST(&driver_status), POINTER, CHECKS(REQUIRED(), ONE_OF_EACH_NAME)),
};
static const struct shape status = OBJECT(status_fields);

static const struct field alpha_csi_node_info_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta,
          CHECKS(CALL(MISSING_OBJECT, cross_named_after_node, NEEDS_SET, SHOULD,
                     DETAIL("is the name of no Node that is given")))),
    FIELD("spec",       &spec, POINTER, CHECKS(REQUIRED())),
    FIELD("status",     &status, POINTER, CHECKS(REQUIRED())),
};
const struct shape alpha_csi_node_info = OBJECT(alpha_csi_node_info_fields, SOURCE(CSI_ALPHA_TYPES));
