/* VolumeAttributesClass. */
#include "rules/tables.h"

static const struct field volume_attributes_class_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta,
          CHECKS(CALL(NO_EFFECT, cross_default_annotation, SHOULD, ARGUMENT("volumeattributesclass.kubernetes.io/is-default-class"),
                     STORAGE_DOCUMENTED,
                     DETAIL("should have no annotation that is nearly the one of the default class")),
                 CALL(SINGLE_DEFAULT, cross_only_default_attributes_class, NEEDS_SET, SHOULD, STORAGE_DOCUMENTED,
                     DETAIL("should not mark a second default class: the one that was created last counts")))),
    FIELD("driverName", STRING, CHECKS(IMMUTABLE(REASON(FORBIDDEN)), REQUIRED(STOP), FORMAT(QUALIFIED_NAME_NOCASE))),
    FIELD("parameters", MAP(STRING), CHECKS(IMMUTABLE(STRICT, REASON(FORBIDDEN)), REQUIRED(), PARAMETERS, DRIVER_PARAMETERS)),
};
const struct shape volume_attributes_class = OBJECT(volume_attributes_class_fields, SOURCE(STORAGE_VALIDATION));
