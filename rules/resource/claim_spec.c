/* What a ResourceClaim asks for; also in templates. In v1beta1 the members of an exact request stand in the request itself. */
#include "rules/tables.h"

static const struct field cel_fields[] = {
    FIELD("expression", STRING,
          CHECKS(SKIP(IF(WITH(OLD_SELECTORS))), NON_EMPTY(STOP), MAX_BYTES(MAX_EXPRESSION_BYTES, STOP),
                 EXPRESSION(cel_device_library, STOP),
                 CALL(SELECTOR, cross_selector_constant, STOP, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should depend on the device: this is the same for every one")),
                 CALL(SELECTOR, cross_selector_domains, STOP, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should look up attributes and capacities by domain, which has no slash")),
                 CALL(SELECTOR, cross_selector_near, STOP, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should name drivers and domains as slices do, where some are given")),
                 CALL(SELECTOR, cross_selector_published, STOP, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should use what slices of the driver publish, where some are given")),
                 CALL(SELECTOR, cross_selector_values, STOP, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should compare with what the driver, attributes and capacities can be")),
                 CALL(SELECTOR, cross_selector_types, STOP, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should take attributes for what slices publish them as, where some are given")),
                 CALL(SELECTOR, cross_selector_evaluates, STOP, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should be true or false for every device that it reaches, where slices are given")),
                 CALL(SELECTOR, cross_selector_matches, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should be true for a device, where all slices of the driver are given")),
                 CALL(SELECTOR, cross_selector_matches, NEEDS_SET, INFO, ARGUMENT("firstAvailable"), RESOURCE_DOCUMENTED,
                     DETAIL("should be true for a device even where others to choose from are, if all slices of the driver are given")))),
};
static const struct shape cel = OBJECT(cel_fields);

static const struct field device_selector_fields[] = {
    FIELD("cel", &cel, POINTER, CHECKS(REQUIRED())),
};
const struct shape device_selector = OBJECT(device_selector_fields, SOURCE(RESOURCE_VALIDATION));

static const struct field opaque_fields[] = {
    FIELD("driver",     STRING, CHECKS(DECLARED_DRIVER, FORMAT(LOWER_CASE, SHOULD, RESOURCE_DOCUMENTED))),
    FIELD("parameters", RAW,
          CHECKS(REQUIRED(STOP), JSON_OBJECT(10240, IF(UNLESS(OLD_CONFIG))), JSON_OBJECT(INT64_MAX, IF(WITH(OLD_CONFIG))),
                 JSON_PAIR(NAMES("kind", "apiVersion"), INFO, RESOURCE_DOCUMENTED), DRIVER_PARAMETERS)),
};
const struct shape device_configuration = OBJECT(opaque_fields, SOURCE(RESOURCE_VALIDATION));

#define FOR_OTHER_EFFECTS IF(IS_SET("tolerationSeconds"), EQUALS("effect", "", "NoSchedule", "None"))

static const struct check toleration_seconds_checks[] = CHECK_LIST(
    NO_EFFECT(RESOURCE_DOCUMENTED, FOR_OTHER_EFFECTS,
        DETAIL("has no effect unless effect is NoExecute")),
    AT_LEAST(0, INFO, RESOURCE_DOCUMENTED,
        DETAIL("is treated as 0, like any negative number")));

#define EMPTY_KEY DETAIL("should be set unless operator is Exists: an empty key with operator Equal tolerates only what has an empty value")
#define KEY_OR_EXISTS REQUIRED(SHOULD, RESOURCE_DOCUMENTED, IF(DIFFERS("operator", "Exists")), EMPTY_KEY)

static const struct field toleration_fields[] = {
    FIELD("key",               STRING, UNSET_MEANS("every key"), CHECKS(FORMAT(QUALIFIED_NAME, IF(IS_SET("key"))), KEY_OR_EXISTS)),
    FIELD("operator",          STRING, DEFAULT(TEXT("Equal")), CHECKS(ENUM(NAMES("Equal", "Exists")))),
    FIELD("value",             STRING,
          CHECKS(FORBIDDEN(REASON(INVALID), IF(EQUALS("operator", "Exists")),
                     DETAIL("operator Exists takes no value")),
                 FORMAT(LABEL_VALUE, IF(EQUALS("operator", "Equal"))))),
    FIELD("effect",            STRING, UNSET_MEANS("every effect"),
          CHECKS(ENUM(NAMES("", "NoSchedule", "NoExecute", "None"), SINCE(35)), ENUM(NAMES("", "NoSchedule", "NoExecute"), UNTIL(34)))),
    FIELD("tolerationSeconds", INT64, POINTER, UNSET_MEANS("for ever"), CHECKED_BY(toleration_seconds_checks)),
};
const struct shape toleration = OBJECT(toleration_fields, SOURCE(RESOURCE_VALIDATION));

/* Of the result of an allocation: up to 1.36 the API server does not look into it. */
static const struct field result_toleration_fields[] = {
    FIELD("key",               STRING, UNSET_MEANS("every key"),
          CHECKS(FORMAT(QUALIFIED_NAME, SHOULD, UNTIL(36), IF(IS_SET("key"))), FORMAT(QUALIFIED_NAME, SINCE(37), IF(IS_SET("key"))),
                 KEY_OR_EXISTS)),
    FIELD("operator",          STRING, DEFAULT(TEXT("Equal")),
          CHECKS(ENUM(NAMES("Equal", "Exists"), SHOULD, UNTIL(36)), ENUM(NAMES("Equal", "Exists"), SINCE(37)))),
    FIELD("value",             STRING,
          CHECKS(FORBIDDEN(SHOULD, UNTIL(36), IF(EQUALS("operator", "Exists")),
                     DETAIL("operator Exists takes no value")),
                 FORMAT(LABEL_VALUE, SHOULD, UNTIL(36), IF(EQUALS("operator", "Equal"))),
                 FORBIDDEN(REASON(INVALID), SINCE(37), IF(EQUALS("operator", "Exists")),
                     DETAIL("operator Exists takes no value")),
                 FORMAT(LABEL_VALUE, SINCE(37), IF(EQUALS("operator", "Equal"))))),
    FIELD("effect",            STRING, UNSET_MEANS("every effect"),
          CHECKS(ENUM(NAMES("", "NoSchedule", "NoExecute", "None"), SHOULD, UNTIL(36)),
                 ENUM(NAMES("", "NoSchedule", "NoExecute", "None"), SINCE(37)))),
    FIELD("tolerationSeconds", INT64, POINTER, UNSET_MEANS("for ever"), CHECKED_BY(toleration_seconds_checks)),
};
const struct shape result_toleration = OBJECT(result_toleration_fields, SOURCE("k8s.io/api v0.35.4 resource/v1/types.go"));

#define DERIVED_SOURCE "k8s.io/kubernetes v1.37.1 pkg/apis/resource/validation/validation.go"

static const struct field derived_attribute_fields[] = {
    FIELD("name",       STRING, CHECKS(REQUIRED(STOP), NAME_WITH_DOMAIN)),
    FIELD("expression", STRING, CHECKS(REQUIRED(STOP), MAX_BYTES(MAX_EXPRESSION_BYTES, STOP), EXPRESSION(cel_attribute_library))),
};
static const struct shape derived_attribute = OBJECT(derived_attribute_fields, SOURCE(DERIVED_SOURCE));

static const struct field capacity_fields[] = {
    FIELD("requests", MAP(QUANTITY), UNSET_MEANS("of a capacity that is not named, the default of its requestPolicy, or all of it")),
};
static const struct shape capacity = OBJECT(capacity_fields);

#define ADMIN_SOURCE SOURCE("k8s.io/kubernetes v1.35.4 pkg/registry/resource/utils.go")
#define ADMIN_DETAIL(domain) DETAIL("admin access needs a namespace with the label " domain "/admin-access: \"true\"")

static const struct field exact_fields[] = {
#include "rules/resource/request.def"
    FIELD("adminAccess", BOOL, POINTER, GATE("DRAAdminAccess"), UNSET_MEANS("no admin access"),
          CHECKS(SKIP(IF(NOT_TRUE("adminAccess"))),
                 CALL(RECOMMENDED, cross_admin_reach, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED, IF(EQUALS("allocationMode", "All")),
                     DETAIL("should be for one driver: class and selectors take every device of a node, whatever its driver")),
                 CALL(FORBIDDEN, cross_admin_namespace, NEEDS_SET, WHEN(CREATE), ARGUMENT("resource.kubernetes.io/admin-access"), SINCE(34),
                     ADMIN_SOURCE, ADMIN_DETAIL("resource.kubernetes.io")),
                 CALL(FORBIDDEN, cross_admin_namespace, NEEDS_SET, WHEN(CREATE), ARGUMENT("resource.k8s.io/admin-access"), SINCE(33),
                     UNTIL(33), ADMIN_SOURCE, ADMIN_DETAIL("resource.k8s.io")))),
};
static const struct shape exact = OBJECT(exact_fields);

static const struct field sub_request_fields[] = {
    FIELD("name", STRING, CHECKS(FORMAT(DNS_LABEL))),
#include "rules/resource/request.def"
};
static const struct shape sub_request = OBJECT(sub_request_fields);

static const struct field request_fields[] = {
    FIELD("name",           STRING, CHECKS(FORMAT(DNS_LABEL))),
    FIELD("firstAvailable", LIST(&sub_request), SINCE(33), GATE("DRAPrioritizedList"),
          CHECKS(SKIP(SINCE(35), IF(IS_SET("exactly"))), UP_TO_ITEMS(8), UNIQUE_IN("name"))),
    FIELD("exactly", &exact, POINTER, CHECKS(SKIP(SINCE(35), IF(IS_SET("firstAvailable"))))),
};
static const struct shape request = OBJECT(request_fields,
    CHECKS(BROKEN_IF(REQUIRED, AT("deviceClassName"), IF(NOT_SET("exactly")), UNTIL(32),
               DETAIL("must be set")),
           ONE_OF(NAMES("exactly", "firstAvailable"), NONE(REQUIRED), MANY(INVALID), SINCE(33))));

static const struct field request_v1beta1_fields[] = {
    FIELD("name",           STRING),
    FIELD("firstAvailable", LIST(&sub_request), SINCE(33)),
#include "rules/resource/request.def"
    FIELD("adminAccess",    BOOL, POINTER),
};
static const struct shape request_v1beta1 = OBJECT(request_v1beta1_fields, CONVERTS_TO(&request), DEFAULTS_IF("deviceClassName", 33));

/* Names of requests, and of those to choose from below them. */
const struct reference request_names = { NAMES("spec.devices.requests", "spec.spec.devices.requests"), "name", "firstAvailable", "name" };

#define CONSTRAINT_PUBLISHED \
    CALL(SATISFIABLE, cross_constraint_published, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED, \
        DETAIL("should be an attribute of devices that the requests can get, where slices of their drivers are given"))

#define REQUEST_NAMES LIST(STRING_WITH(FORMAT(REQUEST_REFERENCE), REFERENCE(&request_names)))

static const struct field constraint_fields[] = {
    FIELD("requests",          REQUEST_NAMES, UNSET_MEANS("all requests"), CHECKS(UP_TO_ITEMS(32), UNIQUE(ITSELF))),
    FIELD("matchAttribute",    STRING, POINTER,
          CHECKS(REQUIRED(UNTIL(33)), REQUIRED(IF(GATE_OFF("DRAConsumableCapacity"), NOT_SET("distinctAttribute"))),
                 IDENTIFIER_UNTIL_34, ATTRIBUTE_WITH_DOMAIN, CONSTRAINT_PUBLISHED)),
    FIELD("distinctAttribute", STRING, POINTER, SINCE(34), GATE("DRAConsumableCapacity"), GATED_SINCE(35),
          CHECKS(SKIP(UNTIL(36), IF(IS_SET("matchAttribute"))), SKIP(IF(IS_SET("matchAttribute"), WITH(OLD_DECLARED))),
                 FORMAT(DEVICE_IDENTIFIER, UNTIL(34)), ATTRIBUTE_WITH_DOMAIN, CONSTRAINT_PUBLISHED)),
};
static const struct shape constraint = OBJECT(constraint_fields,
    CHECKS(ONE_OF(NAMES("matchAttribute", "distinctAttribute"), NONE(REQUIRED), SINCE(34), IF(GATE_ON("DRAConsumableCapacity"))),
           ONE_OF(NAMES("matchAttribute", "distinctAttribute"), MANY(INVALID), SHOULD, RESOURCE_DOCUMENTED)));

static const struct field config_fields[] = {
    FIELD("requests", REQUEST_NAMES, UNSET_MEANS("all requests"), CHECKS(UP_TO_ITEMS(32), UNIQUE(ITSELF))),
    FIELD("opaque",   &device_configuration, POINTER,
          CHECKS(REQUIRED(STOP),
                 CALL(CONFIG_DRIVER, cross_config_driver, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("is a driver that none of the request's classes names: nothing reads this configuration")))),
};
static const struct shape config = OBJECT(config_fields);

static const struct field devices_fields[] = {
#define REQUEST &request
#include "rules/resource/claim_devices.def"
};
static const struct shape devices = OBJECT(devices_fields,
    CHECKS(CALL(EXPRESSION, cross_derived_attributes_cost, REASON(FORBIDDEN), SOURCE(DERIVED_SOURCE),
        DETAIL("the expressions of all derivedAttributes together must not cost more than one selector may"))));

static const struct field devices_v1beta1_fields[] = {
#define REQUEST &request_v1beta1
#include "rules/resource/claim_devices.def"
};
static const struct shape devices_v1beta1 = OBJECT(devices_v1beta1_fields, CONVERTS_TO(&devices));

static const struct field claim_spec_fields[] = { FIELD("devices", &devices) };
const struct shape claim_spec = OBJECT(claim_spec_fields, SOURCE(RESOURCE_VALIDATION));

static const struct field claim_spec_v1beta1_fields[] = { FIELD("devices", &devices_v1beta1) };
const struct shape claim_spec_v1beta1 = OBJECT(claim_spec_v1beta1_fields, SOURCE(RESOURCE_VALIDATION), CONVERTS_TO(&claim_spec));
