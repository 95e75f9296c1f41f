/* ResourcePoolStatusRequest: asks once for the state of resource pools, which a controller writes into its status. */
#include "rules/tables.h"

#define COUNT REQUIRED(STOP), AT_LEAST(0)

static const struct field spec_fields[] = {
    FIELD("driver",                        STRING, CHECKS(REQUIRED(STOP), FORMAT(DNS_SUBDOMAIN_FOLDED))),
    FIELD("poolName",                      STRING, POINTER, UNSET_MEANS("all pools of the driver"), CHECKS(FORMAT(POOL_NAME))),
    FIELD("limit",                         INT32, POINTER, DEFAULT(NUMBER("100")), CHECKS(RANGE(1, 1000))),
    FIELD("defaultPartitionTypeAttribute", STRING, POINTER, SINCE(37), GATE("DRAPartitionableDevicesType"),
          CHECKS(NAME_WITH_DOMAIN)),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field partition_type_fields[] = {
    FIELD("attribute",   STRING, CHECKS(REQUIRED())),
    FIELD("type",        STRING, CHECKS(REQUIRED())),
    FIELD("total",       INT32, POINTER, CHECKS(COUNT)),
    FIELD("allocatable", INT32, POINTER, CHECKS(COUNT)),
};
static const struct shape partition_type = OBJECT(partition_type_fields);

static const struct field shareable_capacity_fields[] = {
    FIELD("name",      STRING, CHECKS(REQUIRED())),
    FIELD("total",     QUANTITY, POINTER, CHECKS(REQUIRED())),
    FIELD("consumed",  QUANTITY, POINTER, CHECKS(REQUIRED())),
    FIELD("available", QUANTITY, POINTER, CHECKS(REQUIRED())),
};
static const struct shape shareable_capacity = OBJECT(shareable_capacity_fields);

static const struct field shareable_fields[] = {
    FIELD("fullyAvailableDevices",     INT32, POINTER, CHECKS(COUNT)),
    FIELD("partiallyAvailableDevices", INT32, POINTER, CHECKS(COUNT)),
    FIELD("capacity",                  LIST(&shareable_capacity), CHECKS(UP_TO_ITEMS(32))),
};
static const struct shape shareable = OBJECT(shareable_fields);

static const struct field pool_fields[] = {
    FIELD("driver",             STRING, CHECKS(REQUIRED(STOP), FORMAT(DNS_SUBDOMAIN_FOLDED))),
    FIELD("poolName",           STRING, CHECKS(POOL)),
    FIELD("generation",         INT64, CHECKS(COUNT)),
    FIELD("resourceSliceCount", INT32, POINTER, UNSET_MEANS("validationError says why"), CHECKS(AT_LEAST(1))),
    FIELD("totalDevices",       INT32, POINTER, UNSET_MEANS("validationError says why"), CHECKS(AT_LEAST(0))),
    FIELD("allocatedDevices",   INT32, POINTER, UNSET_MEANS("validationError says why"), CHECKS(AT_LEAST(0))),
    FIELD("availableDevices",   INT32, POINTER, UNSET_MEANS("validationError says why"), CHECKS(AT_LEAST(0))),
    FIELD("unavailableDevices", INT32, POINTER, UNSET_MEANS("validationError says why"), CHECKS(AT_LEAST(0))),
    FIELD("nodeName",           STRING, POINTER, UNSET_MEANS("the pool is not of one node"), CHECKS(FORMAT(DNS_SUBDOMAIN))),
    FIELD("validationError",    STRING, POINTER, CHECKS(MAX_BYTES(256))),
    FIELD("partitionSummary",   LIST(&partition_type), SINCE(37), CHECKS(UP_TO_ITEMS(32), UNIQUE_BY(NAMES("attribute", "type")))),
    FIELD("shareableSummary",   &shareable, POINTER, SINCE(37)),
};
static const struct shape pool = OBJECT(pool_fields);

/* What stays as it was is not checked again. */
static const struct field status_fields[] = {
    FIELD("poolCount",  INT32, POINTER, CHECKS(SKIP(IF(IS_UNCHANGED("poolCount"))), COUNT)),
    FIELD("pools",      LIST(&pool), CHECKS(SKIP(IF(IS_UNCHANGED("pools"))), UP_TO_ITEMS(1000))),
    FIELD("conditions", LIST(&condition),
          CHECKS(SKIP(IF(IS_UNCHANGED("conditions"))), MAX_ITEMS_CONTINUE(10), UNIQUE("type", UP(1), UNTIL(36)),
                 SKIP(IF(OLD_HAS("status"))), ONE_OF_A_TYPE)),
};
static const struct shape status = OBJECT(status_fields);

static const struct field request_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec, ON_STATUS(KEEP_OLD), CHECKS(IMMUTABLE(), SKIP(ON_ANY_UPDATE))),
    FIELD("status",     &status, POINTER, ON_CREATE(DROP), ON_UPDATE(KEEP_OLD),
          CHECKS(SKIP(WHEN(UPDATE)), IMMUTABLE(IF(OLD_IS_SET("status"))))),
};
const struct shape resource_pool_status_request = OBJECT(request_fields,
    SOURCE("k8s.io/kubernetes v1.37.1 pkg/apis/resource/validation/validation_resourcepoolstatusrequest.go"));
