/* DeviceTaintRule. */
#include "rules/tables.h"

#define TAINT_DOCUMENTED SOURCE("k8s.io/api v0.35.4 resource/v1alpha3/types.go")

static const struct field selector_fields[] = {
    FIELD("deviceClassName", STRING, POINTER, UNTIL(34), CHECKS(FORMAT(DNS_SUBDOMAIN))),
    FIELD("driver", STRING, POINTER, CHECKS(SKIP(IF(NOT_SET("driver"))), REQUIRED_IF_SET(STOP_SINCE(35)), FORMAT(DRIVER_NAME),
                 CALL(MISSING_OBJECT, cross_rule_driver_near, NEEDS_SET, SHOULD, TAINT_DOCUMENTED,
                     DETAIL("should be the driver of slices that are given, not nearly")),
                 CALL(RECOMMENDED, cross_rule_taints_driver, NEEDS_SET, INFO, TAINT_DOCUMENTED,
                     IF(NOT_SET("deviceClassName"), NOT_SET("pool"), NOT_SET("device"), NOT_SET("selectors")),
                     DETAIL("taints every device of the driver, in all pools")))),
    FIELD("pool",   STRING, POINTER, CHECKS(SKIP(IF(NOT_SET("pool"))), REQUIRED_IF_SET(STOP), FORMAT(POOL_NAME))),
    FIELD("device", STRING, POINTER,
          CHECKS(FORMAT(DNS_LABEL),
                 CALL(MISSING_OBJECT, cross_device_exists, NEEDS_SET, SHOULD, TAINT_DOCUMENTED, IF(IS_SET("device")),
                     DETAIL("is no device of the pool, of which all slices are given: the rule is for nothing")))),
    FIELD("selectors", LIST(&device_selector), UNTIL(34), CHECKS(UP_TO_ITEMS(32))),
};
static const struct shape selector = OBJECT(selector_fields,
    CHECKS(CALL(RECOMMENDED, cross_rule_taints_all, SHOULD, TAINT_DOCUMENTED,
        DETAIL("should name a driver, pool or device: an empty selector taints every device of the cluster"))));

static const struct field taint_fields[] = {
#define EFFECT_SKIP SKIP(SINCE(35), ON_ANY_UPDATE, IF(IS_UNCHANGED("effect"))),
#define TAINT_IF    /* nothing */
#include "rules/resource/taint.def"
};
static const struct shape taint = OBJECT(taint_fields);

static const struct field spec_fields[] = {
    FIELD("deviceSelector", &selector, POINTER,
          CHECKS(RECOMMENDED(SHOULD, TAINT_DOCUMENTED, UNTIL(36),
                     DETAIL("should be set: components disagree whether a rule without it taints all devices or none; {} means all")),
                 RECOMMENDED(SHOULD, SINCE(37), SOURCE("k8s.io/api v0.37.1 resource/v1/types.go DeviceTaintSelector"),
                     DETAIL("should be set: a rule without it is for no device; {} means every device of the cluster")))),
    FIELD("taint",          &taint),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field status_fields[] = {
    FIELD("conditions", LIST(&condition), CHECKS(ONE_OF_A_TYPE, MAX_ITEMS_CONTINUE(8))),
};
static const struct shape status = OBJECT(status_fields);

static const struct field device_taint_rule_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec, ON_STATUS(KEEP_OLD), CHECKS(SKIP(WHEN(STATUS)))),
    FIELD("status",     &status, SINCE(35), ON_CREATE(DROP), ON_UPDATE(KEEP_OLD), CHECKS(SKIP(WHEN(UPDATE)))),
};
const struct shape device_taint_rule = OBJECT(device_taint_rule_fields, SOURCE(RESOURCE_VALIDATION));
