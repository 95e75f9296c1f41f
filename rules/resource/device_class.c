/* DeviceClass. */
#include "rules/tables.h"

static const struct field config_fields[] = {
    FIELD("opaque", &device_configuration, POINTER, CHECKS(REQUIRED())),
};
static const struct shape config = OBJECT(config_fields);

static const struct field spec_fields[] = {
    FIELD("selectors",            LIST(&device_selector),
          CHECKS(RECOMMENDED(INFO, RESOURCE_DOCUMENTED, IF(IS_EXPLICIT("../spec")),
                     DETAIL("should not be empty: a class without selectors is for every device of every driver")),
                 RATCHET(OLD_SELECTORS, SINCE(37), WHEN(UPDATE), IF(IS_UNCHANGED("selectors"))), UP_TO_ITEMS(32),
                 CALL(SELECTOR, cross_class_guarded, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should ask for the driver before they look up attributes and capacities: other devices do not have them")),
                 CALL(SELECTOR, cross_class_devices, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("should ask first for what only some devices of the driver have, where slices are given")))),
    FIELD("config",               LIST(&config), CHECKS(RATCHET(OLD_CONFIG, SINCE(35), IF(IS_UNCHANGED("config"))), UP_TO_ITEMS(32))),
    FIELD("extendedResourceName", STRING, POINTER, SINCE(34), GATE("DRAExtendedResource"),
          CHECKS(FORMAT(EXTENDED_RESOURCE_NAME),
                 CALL(UNIQUE_ACROSS_OBJECTS, cross_unique_extended_resource, NEEDS_SET, SHOULD, RESOURCE_DOCUMENTED,
                     DETAIL("is mapped by another class, too: the one that was created last counts")))),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field device_class_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec, CHECKS(EXPLICIT(INFO, RESOURCE_DOCUMENTED))),
};
const struct shape device_class = OBJECT(device_class_fields, SOURCE(RESOURCE_VALIDATION));
