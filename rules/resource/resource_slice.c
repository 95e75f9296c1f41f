/* ResourceSlice. In v1beta1 everything of a device but its name stands in `basic`. */
#include "rules/tables.h"

static const struct field attribute_fields[] = {
    FIELD("int",      INT64, POINTER),
    FIELD("bool",     BOOL, POINTER),
    FIELD("string",   STRING, POINTER, CHECKS(MAX_BYTES(64))),
    FIELD("version",  STRING, POINTER, CHECKS(FORMAT(SEMVER))),
    FIELD("bools",    LIST(BOOL), POINTER, SINCE(36), GATE("DRAListTypeAttributes"), CHECKS(NON_EMPTY())),
    FIELD("ints",     LIST(INT64), POINTER, SINCE(36), GATE("DRAListTypeAttributes"), CHECKS(NON_EMPTY())),
    FIELD("strings",  LIST(STRING_WITH(MAX_BYTES(64))), POINTER, SINCE(36), GATE("DRAListTypeAttributes"), CHECKS(NON_EMPTY())),
    FIELD("versions", LIST(STRING_WITH(FORMAT(SEMVER))), POINTER, SINCE(36), GATE("DRAListTypeAttributes"), CHECKS(NON_EMPTY())),
};
#define SINGLE         NAMES("int", "bool", "string", "version")
#define SINGLE_OR_LIST NAMES("int", "bool", "string", "version", "bools", "ints", "strings", "versions")
static const struct shape attribute = OBJECT(attribute_fields,
    CHECKS(ONE_OF(SINGLE, NONE(INVALID), MANY(INVALID), SINCE(35), UNTIL(35)), ONE_OF(SINGLE, NONE(REQUIRED), MANY(INVALID), UNTIL(34)),
           ONE_OF(SINGLE_OR_LIST, NONE(INVALID), MANY(INVALID), SINCE(36)),
           ONE_OF(SINGLE_OR_LIST, NONE(INVALID), UNION, SINCE(37),
               IF(UNLESS(OLD_DECLARED), ANY_SET("bools", "ints", "strings", "versions")))));

/* A quantity of a request policy against the capacity, which is at that path. */
#define WITHIN_CAPACITY(path) AT_MOST(path, DETAIL("must not be more than the capacity"))

#define NOT_OVER_DEFAULT  DETAIL("must not be more than the default")
#define NOT_UNDER_DEFAULT DETAIL("must not be less than the default")

#define VALIDATION_37 "k8s.io/kubernetes v1.37.1 pkg/apis/resource/validation/validation.go"
#define VALIDATION_34 "k8s.io/kubernetes v1.34.4 pkg/apis/resource/validation/validation.go"
#define VALIDATION_36 "k8s.io/kubernetes v1.36.3 pkg/apis/resource/validation/validation.go"

#define COUNTABLE \
    DETAIL("must be an int64 that is not below 0 or, where the default or one of the range has a fraction, of whole thousandths")

#define RANGE_ONLY VALUE_ONLY, BESIDE("max", "step", "../default", "../../value")

static const struct field valid_range_fields[] = {
    FIELD("min",  QUANTITY, POINTER,
          CHECKS(REQUIRED(STOP), AT_LEAST(0, SHOULD, RESOURCE_DOCUMENTED), WITHIN_CAPACITY("../../value"),
                 AT_MOST("../default", UNTIL(36), NOT_OVER_DEFAULT),
                 AT_MOST("../default", SIBLING("default"), SINCE(37), NOT_OVER_DEFAULT),
                 CALL(RANGE, cross_range_amounts, RANGE_ONLY, ARGUMENT("range"), SINCE(37), SOURCE(VALIDATION_37), COUNTABLE),
                 CALL(RANGE, cross_range_amounts, RANGE_ONLY, ARGUMENT("default"), SIBLING("default"), SINCE(37), SOURCE(VALIDATION_37),
                     COUNTABLE),
                 CALL(MULTIPLE_OF, cross_range_steps, RANGE_ONLY, SINCE(37), SOURCE(VALIDATION_37),
                     DETAIL("step must be above 0 and fit into the capacity, the default and max must be min plus whole steps")))),
    FIELD("max",  QUANTITY, POINTER, UNSET_MEANS("no bound"),
          CHECKS(SKIP(IF(NOT_SET("min"))),
                 NOT_LESS("min",
                     DETAIL("must not be less than min")),
                 WITHIN_CAPACITY("../../value"),
                 NOT_LESS("../default", UNTIL(36), NOT_UNDER_DEFAULT),
                 NOT_LESS("../default", SIBLING("default"), SINCE(37), NOT_UNDER_DEFAULT))),
    FIELD("step", QUANTITY, POINTER, UNSET_MEANS("no steps"),
          CHECKS(SKIP(SINCE(37)), SKIP(IF(NOT_SET("min"))),
                 AT_MOST_WITH("min", "../../value",
                     DETAIL("min plus one step must not be more than the capacity")),
                 ON_GRID("../default", "min", NAMES("../../value", "max"),
                     DETAIL("the default must be min plus a whole number of steps")),
                 ON_GRID("max", "min", NAMES("../../value", "max"),
                     DETAIL("max must be min plus a whole number of steps")))),
};
static const struct shape valid_range = OBJECT(valid_range_fields);

static const struct field request_policy_fields[] = {
    FIELD("default",     QUANTITY, POINTER, UNSET_MEANS("what is taken where a request names no amount: all of it"),
          CHECKS(REQUIRED(IF(IS_SET("validValues"))), REQUIRED(IF(IS_SET("validRange"))))),
    FIELD("validValues", LIST(QUANTITY_WITH(WITHIN_CAPACITY("../value"))),
          CHECKS(SKIP(IF(NOT_SET("default"))), SKIP(IF(NOT_SET("validValues"))), SORTED(), CONTAINS("default", INT32_MAX, UNTIL(34)),
                 CONTAINS("default", 10, SINCE(35)), UP_TO_ITEMS(10),
                 UNIQUE_NUMBERS(UNTIL(36)), UNIQUE_NUMBERS(IF(GATE_OFF("DRAFractionalCapacityRange"))),
                 UNIQUE_QUANTITIES(10, SINCE(37), IF(GATE_ON("DRAFractionalCapacityRange"))))),
    FIELD("validRange",  &valid_range, POINTER, CHECKS(SKIP(IF(NOT_SET("default"))))),
};
static const struct shape request_policy = OBJECT(request_policy_fields,
    CHECKS(ONE_OF(NAMES("validValues", "validRange"), MANY(FORBIDDEN), STOP)));

static const struct field capacity_fields[] = {
    FIELD("value",         QUANTITY, CHECKS(EXPLICIT(SHOULD, RESOURCE_DOCUMENTED))),
    FIELD("requestPolicy", &request_policy, POINTER, SINCE(34), GATE("DRAConsumableCapacity"),
          UNSET_MEANS("any amount within the value may be requested"),
          CHECKS(FORBIDDEN(STOP, IF(NOT_TRUE("../allowMultipleAllocations")),
                     DETAIL("must not be set unless allowMultipleAllocations is true")))),
};
static const struct shape capacity = OBJECT(capacity_fields);

static const struct field counter_fields[] = { FIELD("value", QUANTITY, CHECKS(EXPLICIT(SHOULD, RESOURCE_DOCUMENTED))) };
static const struct shape counter = OBJECT(counter_fields);

/* From 1.36 on, what is wrong with a key is reported at the map. */
#define COUNTER_NAMES KEYS(FORMAT(DNS_LABEL, UNTIL(35)), FORMAT(DNS_LABEL, UP(1), SINCE(36)))

/* Up to 1.34 devices take from the counter sets of their own slice. */
static const struct reference counter_sets = { NAMES("spec.sharedCounters"), "name", NULL, NULL };

static const struct field consumption_fields[] = {
    FIELD("counterSet", STRING,
          CHECKS(REQUIRED(STOP_SINCE(35)), FORMAT(DNS_LABEL, SINCE(35)), REFERENCE(&counter_sets, UNTIL(34)))),
    FIELD("counters",   MAP(&counter, KEYS_CUT(63)),
          CHECKS(REQUIRED(), MAX_ITEMS(32, SINCE(35)),
                 CALL(REFERENCE, cross_counters_defined, KEYS_ONLY, BESIDE("counterSet"), UNTIL(34), SOURCE(VALIDATION_34),
                     DETAIL("must be counters of the set")),
                 CALL(POOL_SLICES, cross_pool_counters, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should be counters of the set in the pool, and no more than it has")),
                 COUNTER_NAMES)),
    FIELD("compatibilityGroups", LIST(STRING_WITH(FORMAT(DNS_LABEL))), SINCE(37), GATE("DRADeviceCompatibilityGroups"),
          CHECKS(SKIP(IF(WITH(OLD_DECLARED))), UP_TO_ITEMS(2), UNIQUE(ITSELF))),
};
static const struct shape consumption = OBJECT(consumption_fields);

static const struct field counter_set_fields[] = {
    FIELD("name",     STRING, CHECKS(REQUIRED(STOP), FORMAT(DNS_LABEL))),
    FIELD("counters", MAP(&counter, KEYS_CUT(63)), CHECKS(REQUIRED(), MAX_ITEMS(32, SINCE(35)), COUNTER_NAMES)),
};
static const struct shape counter_set = OBJECT(counter_set_fields);

static const struct field taint_fields[] = {
#define EFFECT_SKIP SKIP(IF(WITH(OLD_DECLARED))),
#define TAINT_IF    , IF(UNLESS(OLD_TAINTS))
#include "rules/resource/taint.def"
};
static const struct shape taint = OBJECT(taint_fields);

static const struct field mapping_fields[] = {
    FIELD("capacityKey",          STRING, POINTER, CHECKS(NON_EMPTY())),
    FIELD("allocationMultiplier", QUANTITY, POINTER, DEFAULT(TEXT("1")), CHECKS(MORE_THAN(0))),
};
static const struct shape mapping = OBJECT(mapping_fields);

static const struct field allocatable_mapping_fields[] = {
    FIELD("capacityKey",        STRING, POINTER, CHECKS(REQUIRED(IF(IS_SET("capacityMultiplier"))), NON_EMPTY())),
    FIELD("capacityMultiplier", QUANTITY, POINTER, CHECKS(REQUIRED(IF(IS_SET("capacityKey"))), MORE_THAN(0, IF(IS_SET("capacityKey"))))),
    FIELD("deviceMultiplier",   QUANTITY, POINTER, CHECKS(MORE_THAN(0))),
};
static const struct shape allocatable_mapping = OBJECT(allocatable_mapping_fields,
    CHECKS(ONE_OF(NAMES("capacityKey", "deviceMultiplier"), NONE(INVALID), MANY(INVALID), UNION, IF(UNLESS(OLD_DECLARED)))));

static const struct field overhead_fields[] = {
    FIELD("perPod",       QUANTITY, POINTER, CHECKS(AT_LEAST(0))),
    FIELD("perContainer", QUANTITY, POINTER, CHECKS(AT_LEAST(0))),
};
static const struct shape overhead = OBJECT(overhead_fields, CHECKS(ONE_OF(NAMES("perPod", "perContainer"), NONE(INVALID))));

static const struct field node_allocatable_fields[] = {
    FIELD("mapping",  &allocatable_mapping, POINTER),
    FIELD("overhead", &overhead, POINTER),
};
static const struct shape node_allocatable = OBJECT(node_allocatable_fields,
    CHECKS(ONE_OF(NAMES("mapping", "overhead"), NONE(REQUIRED))));

#define FOR_ONE_DEVICE SKIP(IF(NOT_TRUE("../perDeviceNodeSelection")))

/* From 1.36 on, what is wrong with a key is reported at the map. */
#define DEVICE_NAMES \
    KEYS(IDENTIFIER_UNTIL_34, NAME_UNTIL_34(DEVICE_DOMAIN), FORMAT(QUALIFIED_DEVICE_NAME, SINCE(35), UNTIL(35)), \
         FORMAT(QUALIFIED_DEVICE_NAME, UP(1), SINCE(36)))
/* A name without a domain is in that of the driver. */
#define NAMED_ONCE DETAIL("is there without the domain of the driver, too: both are one name")
#define ONE_NAME   CALL(UNIQUE_NAME, cross_unique_device_name, KEYS_ONLY, SHOULD, RESOURCE_DOCUMENTED, NAMED_ONCE)

#define HAS_PARTITION_TYPE IF(IS_SET("partitionTypeAttribute"), FITS("partitionTypeAttribute", FULLY_QUALIFIED_DEVICE_NAME))

#define NODE_FIELDS NAMES("nodeName", "nodeSelector", "allNodes")

static const struct field device_fields[] = {
    FIELD("name", STRING, CHECKS(FORMAT(DNS_LABEL))),
#include "rules/resource/device.def"
};
static const struct shape device = OBJECT(device_fields, FLATTENED_FROM("basic"),
    CHECKS(BROKEN_IF(REQUIRED, AT("basic"), IF(IS_BARE), UNTIL(32), SOURCE(VALIDATION_32),
               DETAIL("must be set")),
           SUM_ITEMS(NAMES("attributes", "capacity"), 32),
           ONE_OF(NODE_FIELDS, NONZERO, NONE(REQUIRED), MANY(INVALID), IF(IS_TRUE("../perDeviceNodeSelection"))),
           REFUSED_IF(IF(NOT_TRUE("../perDeviceNodeSelection"), ANY_SET("nodeName", "nodeSelector", "allNodes")),
               DETAIL("nodeName, nodeSelector and allNodes of a device need a slice with perDeviceNodeSelection"))));

static const struct field basic_fields[] = {
#include "rules/resource/device.def"
};
static const struct shape basic = OBJECT(basic_fields);

static const struct field device_v1beta1_fields[] = {
    FIELD("name",  STRING),
    FIELD("basic", &basic, POINTER, FLATTENED),
};
static const struct shape device_v1beta1 = OBJECT(device_v1beta1_fields, CONVERTS_TO(&device));

static const struct field pool_fields[] = {
    FIELD("name",               STRING, CHECKS(IMMUTABLE(), POOL)),
    FIELD("generation",         INT64,
          CHECKS(EXPLICIT(INFO, RESOURCE_DOCUMENTED,
                     DETAIL("is left out, and counts as 0")),
                 AT_LEAST(0),
                 CALL(POOL_SLICES, cross_pool_generation, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("is lower than that of another slice of the pool: consumers ignore this one")),
                 BROKEN_IF(GENERATION_RAISED, INFO, WHEN(UPDATE), RESOURCE_DOCUMENTED,
                     IF(IS_UNCHANGED("generation"), CHANGED("../devices")),
                     DETAIL("should be raised, because devices of the pool change")),
                 BROKEN_IF(GENERATION_RAISED, INFO, WHEN(UPDATE), RESOURCE_DOCUMENTED,
                     IF(IS_UNCHANGED("generation"), CHANGED("../sharedCounters")),
                     DETAIL("should be raised, because counters of the pool change")))),
    FIELD("resourceSliceCount", INT64,
          CHECKS(AT_LEAST(1),
                 CALL(POOL_SLICES, cross_pool_count, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should be what all slices of the pool say, and no less than are given")),
                 CALL(POOL_SLICES, cross_pool_incomplete, NEEDS_SET, INFO, RESOURCE_DOCUMENTED,
                     DETAIL("is more than the slices of the pool that are given: nothing is allocated before all are there")))),
};
static const struct shape pool = OBJECT(pool_fields);

static const struct field spec_fields[] = {
#define DEVICE      &device
#define EMPTY_NODES /* nothing */
#include "rules/resource/slice_spec.def"
};
static const struct shape spec = OBJECT(spec_fields,
    CHECKS(CALL(POOL_SLICES, cross_pool_nodes, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
               DETAIL("is not as in another slice of the pool: all of them are on the same nodes")),
           ONE_OF(NAMES("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"), NONZERO, NONE(REQUIRED), MANY(INVALID)),
           ONE_OF(NAMES("devices", "sharedCounters"), MANY(INVALID), SINCE(35))));

static const struct field spec_v1beta1_fields[] = {
#define DEVICE      &device_v1beta1
#define EMPTY_NODES EMPTY_IS_UNSET,
#include "rules/resource/slice_spec.def"
};
static const struct shape spec_v1beta1 = OBJECT(spec_v1beta1_fields, CONVERTS_TO(&spec));

static const struct field resource_slice_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec),
};
const struct shape resource_slice = OBJECT(resource_slice_fields, SOURCE(RESOURCE_VALIDATION));

static const struct field resource_slice_v1beta1_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec_v1beta1),
};
const struct shape resource_slice_v1beta1 = OBJECT(resource_slice_v1beta1_fields, SOURCE(RESOURCE_VALIDATION),
    CONVERTS_TO(&resource_slice));
