/* Kinds of the core group that others refer to: as much of them as is referred to, without a check. */
#include "rules/tables.h"

static const struct field core_namespace_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &plain_meta),
};
const struct shape core_namespace = OBJECT(core_namespace_fields);
