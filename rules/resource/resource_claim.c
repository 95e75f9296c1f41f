/* ResourceClaim. */
#include "rules/tables.h"

/* Members that are copied: from the request, or from the device, whose slice may have changed since. */
#define REQUEST_HAS DETAIL("should be what the request has")
#define DEVICE_HAS  DETAIL("should be what the device has")

#define FROM_REQUEST(member) CALL(ALLOCATION, cross_copied_from_request, ARGUMENT(member), SHOULD, RESOURCE_DOCUMENTED, REQUEST_HAS)
#define FROM_DEVICE(member)  CALL(ALLOCATION, cross_copied_from_device, NEEDS_SET, ARGUMENT(member), INFO, RESOURCE_DOCUMENTED, DEVICE_HAS)

static const struct field result_fields[] = {
    FIELD("request",          STRING, CHECKS(FORMAT(REQUEST_REFERENCE), REFERENCE(&request_names))),
    FIELD("driver",           STRING, CHECKS(DECLARED_DRIVER, FORMAT(LOWER_CASE, SHOULD, RESOURCE_DOCUMENTED))),
    FIELD("pool",             STRING, CHECKS(POOL)),
    FIELD("device",           STRING,
          CHECKS(FORMAT(DNS_LABEL),
                 CALL(MISSING_OBJECT, cross_device_exists, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("is no device of the pool, of which all slices are given")),
                 CALL(ALLOCATION, cross_device_provides, NEEDS_SET, INFO, RESOURCE_DOCUMENTED,
                     DETAIL("has less capacity than the request asks for")))),
    FIELD("adminAccess",      BOOL, POINTER, GATE("DRAAdminAccess"), UNSET_MEANS("no admin access"), CHECKS(FROM_REQUEST("adminAccess"))),
    FIELD("tolerations",      LIST(&result_toleration), SINCE(33),
          CHECKS(MAX_ITEMS_CONTINUE(16, SHOULD, RESOURCE_DOCUMENTED), FROM_REQUEST("tolerations"),
                 CALL(ALLOCATION, cross_taints_tolerated, NEEDS_SET, INFO, RESOURCE_DOCUMENTED,
                     DETAIL("tolerates not all taints of the device")))),
#define CONDITIONS_COPIED FROM_DEVICE("bindingConditions"),
#define FAILURES_COPIED   FROM_DEVICE("bindingFailureConditions"),
#include "rules/resource/binding_conditions.def"
    FIELD("shareID",          STRING, POINTER, SINCE(34), GATE("DRAConsumableCapacity"), CHECKS(FORMAT(UUID))),
    FIELD("consumedCapacity", MAP(QUANTITY), SINCE(34), GATE("DRAConsumableCapacity"),
          CHECKS(RECOMMENDED(INFO, RESOURCE_DOCUMENTED, IF(IS_SET("shareID")),
                     DETAIL("should say how much the share consumes")),
                 CALL(ALLOCATION, cross_consumed_enough, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("is less than the request asks for")),
                 CALL(ALLOCATION, cross_consumed_possible, NEEDS_SET, INFO, RESOURCE_DOCUMENTED,
                     DETAIL("should be what the device gives, where its slice is given")))),
#define OPERATIONS_SKIP /* nothing */
#include "rules/resource/skip_node_operations.def"
};
static const struct shape result = OBJECT(result_fields);

static const struct field config_fields[] = {
    FIELD("source",   STRING, CHECKS(REQUIRED(STOP), ENUM(NAMES("FromClass", "FromClaim")))),
    FIELD("requests", LIST(STRING_WITH(FORMAT(REQUEST_REFERENCE), REFERENCE(&request_names))), UNSET_MEANS("all requests"),
          CHECKS(UP_TO_ITEMS(32), UNIQUE(ITSELF))),
    FIELD("opaque",   &device_configuration, POINTER, CHECKS(REQUIRED())),
};
static const struct shape config = OBJECT(config_fields);

static const struct field allocated_fields[] = {
    FIELD("results", LIST(&result),
          CHECKS(UP_TO_ITEMS(32),
                 CALL(ALLOCATION, cross_results_complete, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should have as many results for each request as it asks for")),
                 CALL(MUTUALLY_EXCLUSIVE, cross_results_one_choice, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should have results for only one of the alternatives")),
                 CALL(UNIQUE_ACROSS_OBJECTS, cross_results_exclusive, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("is a device that is allocated already")))),
    FIELD("config",  LIST(&config), CHECKS(UP_TO_ITEMS(64))),
};
static const struct shape allocated = OBJECT(allocated_fields);

static const struct field allocation_fields[] = {
    FIELD("devices",             &allocated),
    FIELD("nodeSelector",        &node_selector, POINTER, UNSET_MEANS("every node"),
          CHECKS(CALL(RECOMMENDED, cross_bound_to_node, NEEDS_SET, INFO, RESOURCE_DOCUMENTED,
                     DETAIL("should select the node to which the device binds the claim")))),
    FIELD("allocationTimestamp", TIME, POINTER, SINCE(34), UNSET_MEANS("it is not known when")),
};
static const struct shape allocation = OBJECT(allocation_fields);

static const struct field consumer_fields[] = {
    FIELD("apiGroup", STRING, UNSET_MEANS("the core group"),
          CHECKS(ADVICE_IF(SHOULD, RESOURCE_DOCUMENTED, IF(EQUALS("resource", "pods"), IS_SET("apiGroup")),
                     DETAIL("should be \"\" for pods, which are in the core group")))),
    FIELD("resource", STRING, CHECKS(REQUIRED(), FORMAT(LOWER_CASE, SHOULD, RESOURCE_DOCUMENTED))),
    FIELD("name",     STRING, CHECKS(REQUIRED())),
    FIELD("uid",      STRING, CHECKS(REQUIRED())),
};
static const struct shape consumer = OBJECT(consumer_fields);

static const struct field network_data_fields[] = {
    FIELD("interfaceName",   STRING, CHECKS(MAX_BYTES(256))),
    FIELD("ips",             LIST(STRING_WITH(FORMAT(SLOPPY_CIDR, UNTIL(32)), FORMAT(INTERFACE_CIDR, SINCE(33)))),
          CHECKS(UP_TO_ITEMS(16), UNIQUE(ITSELF, SINCE(33)),
                 CALL(UNIQUE, cross_unique_networks, UNTIL(32), SOURCE(VALIDATION_32),
                     DETAIL("is there before, perhaps in other words")))),
    FIELD("hardwareAddress", STRING, CHECKS(MAX_BYTES(128))),
};
static const struct shape network_data = OBJECT(network_data_fields);

#define DEVICE_KEY NAMES("driver", "pool", "device", "shareID")

static const struct field device_status_fields[] = {
    FIELD("driver",      STRING, CHECKS(DRIVER, FORMAT(LOWER_CASE, SHOULD, RESOURCE_DOCUMENTED))),
    FIELD("pool",        STRING, CHECKS(POOL)),
    FIELD("device",      STRING,
          CHECKS(FORMAT(DNS_LABEL),
                 CALL(MISSING_OBJECT, cross_device_exists, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("is no device of the pool, of which all slices are given")))),
    FIELD("shareID",     STRING, POINTER, SINCE(34), GATE("DRAConsumableCapacity"), CHECKS(FORMAT(UUID))),
    FIELD("conditions",  LIST(&condition), CHECKS(ONE_OF_A_TYPE, MAX_ITEMS_CONTINUE(8))),
    FIELD("data",        RAW, POINTER, CHECKS(JSON_OBJECT(10240))),
    FIELD("networkData", &network_data, POINTER),
};
static const struct shape device_status = OBJECT(device_status_fields, CHECKS(MATCHES("status.allocation.devices.results", DEVICE_KEY)));

static const struct field status_fields[] = {
    FIELD("allocation",  &allocation, POINTER,
          CHECKS(IMMUTABLE(IF(IS_SET("allocation"), OLD_IS_SET("allocation"))), SKIP(IF(OLD_IS_SET("allocation"))))),
    FIELD("reservedFor", LIST(&consumer),
          CHECKS(FORBIDDEN(IF(NOT_SET("allocation")),
                     DETAIL("must not be set before the claim is allocated")),
                 NO_ADDITIONS_BY(NAMES("apiGroup", "resource", "name", "uid"), UP(1),
                     IF(IS_SET("allocation"), OLD_HAS("metadata.deletionTimestamp"))),
                 UP_TO_ITEMS(256), UNIQUE_IN("uid"))),
    FIELD("devices",     LIST(&device_status), GATE("DRAResourceClaimDeviceStatus"), PREPARED(cross_drop_deallocated),
          CHECKS(UNIQUE_BY(DEVICE_KEY, AT("deviceID"), UNTIL(34)), UNIQUE_BY(DEVICE_KEY, SINCE(35)))),
};
static const struct shape status = OBJECT(status_fields);

/* Up to 1.34 an update checks the spec again, as one that was stored. */
static const struct check spec_checks[] = CHECK_LIST(EXPLICIT(INFO, RESOURCE_DOCUMENTED), IMMUTABLE(), SKIP(WHEN(STATUS)),
    SKIP(WHEN(UPDATE), SINCE(35)), RATCHET(OLD_CONFIG, WHEN(UPDATE), UNTIL(34)));

static const struct field resource_claim_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &claim_spec, ON_STATUS(KEEP_OLD), CHECKED_BY(spec_checks)),
    FIELD("status",     &status, ON_CREATE(DROP), ON_UPDATE(KEEP_OLD), CHECKS(SKIP(WHEN(UPDATE)))),
};
const struct shape resource_claim = OBJECT(resource_claim_fields, SOURCE(RESOURCE_VALIDATION));

static const struct field resource_claim_v1beta1_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &claim_spec_v1beta1, ON_STATUS(KEEP_OLD), CHECKED_BY(spec_checks)),
    FIELD("status",     &status, ON_CREATE(DROP), ON_UPDATE(KEEP_OLD), CHECKS(SKIP(WHEN(UPDATE)))),
};
const struct shape resource_claim_v1beta1 = OBJECT(resource_claim_v1beta1_fields, SOURCE(RESOURCE_VALIDATION),
    CONVERTS_TO(&resource_claim));
