/* StorageClass. */
#include "rules/tables.h"

static const struct field topology_requirement_fields[] = {
    FIELD("key",    STRING, CHECKS(FORMAT(QUALIFIED_NAME), DEPRECATED(deprecated_node_labels))),
    FIELD("values", LIST(STRING), CHECKS(REQUIRED(), UNIQUE(ITSELF))),
};
static const struct shape topology_requirement = OBJECT(topology_requirement_fields);

static const struct field topology_term_fields[] = {
    FIELD("matchLabelExpressions", LIST(&topology_requirement), CHECKS(UNIQUE("key"))),
};
static const struct shape topology_term = OBJECT(topology_term_fields);

static const struct field storage_class_fields[] = {
    FIELD("kind",                 STRING),
    FIELD("apiVersion",           STRING),
    FIELD("metadata",             &object_meta),
    FIELD("provisioner",          STRING, CHECKS(IMMUTABLE(REASON(FORBIDDEN), UNTIL(35)), IMMUTABLE(SINCE(36)), REQUIRED(STOP), FORMAT(QUALIFIED_NAME_NOCASE))),
    FIELD("parameters",           MAP(STRING), CHECKS(IMMUTABLE(STRICT, REASON(FORBIDDEN), UNTIL(35)), IMMUTABLE(SINCE(36)), PARAMETERS)),
    FIELD("reclaimPolicy",        STRING, POINTER, DEFAULT(TEXT("Delete")),
          CHECKS(IMMUTABLE(REASON(FORBIDDEN), UNTIL(35)), IMMUTABLE(SINCE(36)), ENUM(NAMES("", "Delete", "Retain")))),
    FIELD("mountOptions",         LIST(STRING)),
    FIELD("allowVolumeExpansion", BOOL, POINTER),
    FIELD("volumeBindingMode",    STRING, POINTER, DEFAULT(TEXT("Immediate")), CHECKS(IMMUTABLE(), ENUM(NAMES("Immediate", "WaitForFirstConsumer")))),
    FIELD("allowedTopologies",    LIST(&topology_term), CHECKS(CALL(UNIQUE_TERMS, cross_unique_topology_terms))),
};
const struct shape storage_class = OBJECT(storage_class_fields, SOURCE(STORAGE_VALIDATION));
