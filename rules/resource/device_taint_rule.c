/* DeviceTaintRule. */
#include "rules/tables.h"

static const struct field selector_fields[] = {
    FIELD("driver", STRING, POINTER, CHECKS(SKIP(IF(NOT_SET("driver"))), REQUIRED_IF_SET(STOP), FORMAT(DRIVER_NAME))),
    FIELD("pool",   STRING, POINTER, CHECKS(SKIP(IF(NOT_SET("pool"))), REQUIRED_IF_SET(STOP), FORMAT(POOL_NAME))),
    FIELD("device", STRING, POINTER, CHECKS(FORMAT(DNS_LABEL))),
};
static const struct shape selector = OBJECT(selector_fields);

static const struct field taint_fields[] = { TAINT_FIELDS(SKIP(WHEN(UPDATE | STATUS), IF(IS_UNCHANGED("effect"))),) };
static const struct shape taint = OBJECT(taint_fields);

static const struct field spec_fields[] = {
    FIELD("deviceSelector", &selector, POINTER,
          CHECKS(ADVISED(SHOULD, DETAIL("should be set: components disagree whether a rule without it taints all devices or none; {} means all"), RESOURCE_DOCUMENTED))),
    FIELD("taint",          &taint),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field status_fields[] = {
    FIELD("conditions", LIST(&condition), CHECKS(UNIQUE("type"), MAX_ITEMS_GO_ON(8))),
};
static const struct shape status = OBJECT(status_fields);

static const struct field device_taint_rule_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec, ON_STATUS(KEEP_OLD), CHECKS(SKIP(WHEN(STATUS)))),
    FIELD("status",     &status, ON_CREATE(DROP), ON_UPDATE(KEEP_OLD), CHECKS(SKIP(WHEN(UPDATE)))),
};
const struct shape device_taint_rule = OBJECT(device_taint_rule_fields, SOURCE(RESOURCE_VALIDATION));
