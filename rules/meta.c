/* metadata of every kind (metav1.ObjectMeta), and other shapes of meta/v1. What a create or update fills in:
 * k8s.io/apiserver v0.35.4 pkg/registry/rest. */
#include "rules/tables.h"

static const struct field owner_reference_fields[] = {
    FIELD("apiVersion",         STRING, CHECKS(REQUIRED(STOP, SINCE(37)), FORMAT(GROUP_VERSION))),
    FIELD("kind",               STRING, CHECKS(NON_EMPTY(UNTIL(36)), REQUIRED(SINCE(37)))),
    FIELD("name",               STRING, CHECKS(NON_EMPTY(UNTIL(36)), REQUIRED(SINCE(37)))),
    FIELD("uid",                STRING, CHECKS(NON_EMPTY(UNTIL(36)), REQUIRED(SINCE(37)))),
    FIELD("controller",         BOOL, POINTER),
    FIELD("blockOwnerDeletion", BOOL, POINTER),
};
static const struct shape owner_reference = OBJECT(owner_reference_fields,
    CHECKS(REFUSED_IF(IF(EQUALS("apiVersion", "v1", "/v1"), EQUALS("kind", "Event")),
               DETAIL("an Event cannot be an owner"))));

static const struct field managed_fields_entry_fields[] = {
    FIELD("manager",     STRING, CHECKS(MAX_BYTES(128), FORMAT(PRINTABLE))),
    FIELD("operation",   STRING,
          CHECKS(ENUM(NAMES("Apply", "Update"), REASON(INVALID), UNTIL(36)), REQUIRED(STOP, SINCE(37)),
                 ENUM(NAMES("Apply", "Update"), SINCE(37)))),
    FIELD("apiVersion",  STRING),
    FIELD("time",        TIME, POINTER),
    FIELD("fieldsType",  STRING, CHECKS(ENUM(NAMES("", "FieldsV1"), REASON(INVALID)))),
    FIELD("fieldsV1",    RAW, POINTER),
    FIELD("subresource", STRING, CHECKS(MAX_BYTES(256))),
};
static const struct shape managed_fields_entry = OBJECT(managed_fields_entry_fields);

#define ONE_CONTROLLER DETAIL("only one owner can be the controller")

static const struct field object_meta_fields[] = {
    FIELD("name",                       STRING,
          CHECKS(REQUIRED(WHEN(CREATE), IF(NOT_SET("generateName"))), REQUIRED(ON_ANY_UPDATE), IMMUTABLE(),
                 SKIP(WHEN(CREATE), IF(NOT_SET("name"))), FORMAT(DNS_SUBDOMAIN, WHEN(CREATE)),
                 FORMAT(DNS_SUBDOMAIN, WHEN(UPDATE), IF(TRAIT(NAME_ON_UPDATE), IS_SET("name"))),
                 FORMAT(DNS_SUBDOMAIN, WHEN(STATUS), IF(TRAIT(NAME_ON_STATUS), IS_SET("name"))), FORMAT(PATH_SEGMENT, ON_ANY_UPDATE),
                 MAX_BYTES(63, SHOULD, IF(TRAIT(NAMED_AFTER_DRIVER)), STORAGE_DOCUMENTED,
                     DETAIL("should have at most 63 bytes, like every name of a driver")))),
    FIELD("generateName",               STRING,
          CHECKS(SKIP(IF(NOT_SET("generateName"))),
                 FORMAT(DNS_SUBDOMAIN_PREFIX, WHEN(CREATE), IF(NOT_TRAIT(ANY_GENERATE_NAME))),
                 FORMAT(DNS_SUBDOMAIN_PREFIX, IF(TRAIT(ANY_GENERATE_NAME)), UNTIL(34)),
                 FORMAT(DNS_SUBDOMAIN_PREFIX, WHEN(UPDATE), IF(TRAIT(NAME_ON_UPDATE), NOT_TRAIT(ANY_GENERATE_NAME))),
                 FORMAT(DNS_SUBDOMAIN_PREFIX, WHEN(STATUS), IF(TRAIT(NAME_ON_STATUS))),
                 FORMAT(PATH_SEGMENT_PREFIX, WHEN(CREATE_CLEAN)), /* checked again, once all else is good */
                 FORMAT(PATH_SEGMENT_PREFIX, ON_ANY_UPDATE),
                 FORMAT(GENERATED_NAME, WHEN(CREATE), IF(NOT_SET("name")), SIBLING("name")))),
    FIELD("namespace",                  STRING,
          CHECKS(FORBIDDEN(STOP, IF(TRAIT(NO_NAMESPACE)),
                     DETAIL("the kind is cluster-wide")),
                 NO_EFFECT(IF(NOT_TRAIT(NAMESPACED), IS_SET("namespace")),
                     DETAIL("has no effect: objects of this kind are not in a namespace")),
                 SKIP(IF(NOT_TRAIT(NAMESPACED))),
                 IMMUTABLE(IF(IS_SET("namespace"), OLD_IS_SET("namespace"))),
                 UNCHANGEABLE_IF(IF(WITH(OLD_FROM_SERVER), OLD_NOT_SET("namespace"))), /* a stored object has one, so the new one differs */
                 FORMAT(DNS_LABEL, IF(IS_SET("namespace"))))),
    FIELD("selfLink",                   STRING),
    FIELD("uid",                        STRING, ON_UPDATE(KEEP_OLD_IF_UNSET), ON_STATUS(KEEP_OLD_IF_UNSET), CHECKS(IMMUTABLE())),
    FIELD("resourceVersion",            STRING),
    FIELD("generation",                 INT64, ON_UPDATE(KEEP_OLD), ON_STATUS(KEEP_OLD),
          CHECKS(AT_LEAST(0, IF(NOT_TRAIT(OWN_GENERATION))))),
    FIELD("creationTimestamp",          TIME),
    FIELD("deletionTimestamp",          TIME, POINTER, ON_UPDATE(KEEP_OLD_IF_SET), ON_STATUS(KEEP_OLD), CHECKS(IMMUTABLE())),
    FIELD("deletionGracePeriodSeconds", INT64, POINTER, ON_UPDATE(KEEP_OLD_IF_UNSET), ON_STATUS(KEEP_OLD_IF_UNSET), CHECKS(IMMUTABLE())),
    FIELD("labels",                     MAP(STRING_WITH(FORMAT(LABEL_VALUE, UP(1)))), ON_STATUS(KEEP_OLD),
          CHECKS(KEYS(FORMAT(QUALIFIED_NAME, UP(1))))),
    FIELD("annotations",                MAP(STRING), ON_STATUS(KEEP_OLD),
          CHECKS(KEYS(FORMAT(QUALIFIED_NAME_NOCASE, UP(1))), TOTAL_BYTES(262144))),
    FIELD("ownerReferences",            LIST(&owner_reference, UNINDEXED_UNTIL(36)), ON_STATUS(KEEP_OLD),
          CHECKS(AT_MOST_ONE("controller", UNTIL(36), ONE_CONTROLLER), AT_MOST_ONE("controller", UP(1), SINCE(37), ONE_CONTROLLER))),
    FIELD("finalizers",                 LIST(STRING_WITH(FORMAT(QUALIFIED_NAME, UP(1)), FORMAT(FINALIZER))), ON_STATUS(KEEP_OLD),
          CHECKS(EXCLUSIVE(NAMES("orphan", "foregroundDeletion")),
                 NO_ADDITIONS(UP(1), IF(OLD_IS_SET("deletionTimestamp")),
                     DETAIL("no finalizer can be added to an object that is being deleted")))),
    FIELD("managedFields",              LIST(&managed_fields_entry)),
};
const struct shape object_meta = OBJECT(object_meta_fields, SOURCE("k8s.io/apimachinery v0.35.4 pkg/api/validation/objectmeta.go"));

/* Of kinds whose metadata is not validated. */
static const struct field plain_meta_fields[] = {
    FIELD("name",      STRING),
    FIELD("namespace", STRING),
    FIELD("labels",    MAP(STRING)),
};
const struct shape plain_meta = OBJECT(plain_meta_fields);

/* Of kinds of which little more is read than what they are called. */
static const struct field name_meta_fields[] = {
    FIELD("name",      STRING),
    FIELD("namespace", STRING),
};
const struct shape name_meta = OBJECT(name_meta_fields);

/* Labels of nodes that Kubernetes warns about. Source: k8s.io/kubernetes v1.35.4 pkg/api/node/util.go. */
const char *const deprecated_node_labels[] = {
    "app.kubernetes.io/created-by", "beta.kubernetes.io/arch", "beta.kubernetes.io/instance-type", "beta.kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region", "failure-domain.beta.kubernetes.io/zone", "node-role.kubernetes.io/master",
    "scheduler.alpha.kubernetes.io/preferAvoidPods", NULL,
};

static const struct field label_selector_requirement_fields[] = {
    FIELD("key",      STRING, CHECKS(FORMAT(QUALIFIED_NAME), DEPRECATED(deprecated_node_labels))),
    FIELD("operator", STRING, CHECKS(ENUM(NAMES("In", "NotIn", "Exists", "DoesNotExist"), REASON(INVALID)))),
    FIELD("values",   LIST(STRING_WITH(FORMAT(LABEL_VALUE, IF(UNLESS(OLD_LABEL_VALUES))))),
          CHECKS(REQUIRED(IF(EQUALS("operator", "In", "NotIn")),
                     DETAIL("operators In and NotIn need values")),
                 FORBIDDEN(IF(EQUALS("operator", "Exists", "DoesNotExist")),
                     DETAIL("operators Exists and DoesNotExist take no values")))),
};
static const struct shape label_selector_requirement = OBJECT(label_selector_requirement_fields);

static const struct field label_selector_fields[] = {
    FIELD("matchLabels",      MAP(STRING_WITH(FORMAT(LABEL_VALUE, UP(1)))),
          CHECKS(KEYS(FORMAT(QUALIFIED_NAME, UP(1)), DEPRECATED(deprecated_node_labels)))),
    FIELD("matchExpressions", LIST(&label_selector_requirement)),
};
const struct shape label_selector = OBJECT(label_selector_fields,
    SOURCE("k8s.io/apimachinery v0.35.4 pkg/apis/meta/v1/validation/validation.go"));

/* What a template says of the metadata of its copies: labels and annotations, nothing else. */
#define NOT_IN_TEMPLATE CHECKS(FORBIDDEN(DETAIL("a template sets labels and annotations only")))
/* Not even an empty list or the time zero. What such a list contains is not checked. */
#define NOT_EVEN_EMPTY  CHECKS(FORBIDDEN(EMPTY_COUNTS, STOP, DETAIL("a template sets labels and annotations only")))

static const struct field template_meta_fields[] = {
    FIELD("name",                       STRING, NOT_IN_TEMPLATE),
    FIELD("generateName",               STRING, NOT_IN_TEMPLATE),
    FIELD("namespace",                  STRING, NOT_IN_TEMPLATE),
    FIELD("selfLink",                   STRING, NOT_IN_TEMPLATE),
    FIELD("uid",                        STRING, SEGMENT("uID"), NOT_IN_TEMPLATE),
    FIELD("resourceVersion",            STRING, NOT_IN_TEMPLATE),
    FIELD("generation",                 INT64, NOT_IN_TEMPLATE),
    FIELD("creationTimestamp",          TIME, NOT_EVEN_EMPTY),
    FIELD("deletionTimestamp",          TIME, POINTER, NOT_IN_TEMPLATE),
    FIELD("deletionGracePeriodSeconds", INT64, POINTER, NOT_IN_TEMPLATE),
    FIELD("labels",                     MAP(STRING_WITH(FORMAT(LABEL_VALUE, UP(1)))), CHECKS(KEYS(FORMAT(QUALIFIED_NAME, UP(1))))),
    FIELD("annotations",                MAP(STRING), CHECKS(KEYS(FORMAT(QUALIFIED_NAME_NOCASE, UP(1))), TOTAL_BYTES(262144))),
    FIELD("ownerReferences",            LIST(&owner_reference, UNINDEXED_UNTIL(36)), NOT_EVEN_EMPTY),
    FIELD("finalizers",                 LIST(STRING), NOT_EVEN_EMPTY),
    FIELD("managedFields",              LIST(&managed_fields_entry), NOT_EVEN_EMPTY),
};
const struct shape template_meta = OBJECT(template_meta_fields, SOURCE(RESOURCE_VALIDATION));

static const struct field condition_fields[] = {
    FIELD("type",               STRING, CHECKS(REQUIRED(STOP, SINCE(37)), FORMAT(QUALIFIED_NAME))),
    FIELD("status",             STRING, CHECKS(REQUIRED(STOP, SINCE(37)), ENUM(NAMES("True", "False", "Unknown")))),
    FIELD("observedGeneration", INT64, CHECKS(AT_LEAST(0))),
    FIELD("lastTransitionTime", TIME, CHECKS(REQUIRED())),
    FIELD("reason",             STRING, CHECKS(REQUIRED(STOP), FORMAT(CONDITION_REASON))),
    FIELD("message",            STRING, CHECKS(MAX_BYTES(32768))),
};
const struct shape condition = OBJECT(condition_fields, SOURCE("k8s.io/apimachinery v0.35.4 pkg/apis/meta/v1/validation/validation.go"));
