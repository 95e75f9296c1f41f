/* Kinds of the core group that others refer to: as much of them as is referred to, without a check. */
#include "rules/tables.h"

static const struct field core_namespace_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &plain_meta),
};
const struct shape core_namespace = OBJECT(core_namespace_fields);

static const struct field csi_fields[] = {
    FIELD("driver", STRING),
};
static const struct shape csi = OBJECT(csi_fields);

static const struct field volume_spec_fields[] = {
    FIELD("csi",                           &csi, POINTER),
    FIELD("persistentVolumeReclaimPolicy", STRING),
    FIELD("storageClassName",              STRING),
    FIELD("volumeAttributesClassName",     STRING, POINTER),
};
static const struct shape volume_spec = OBJECT(volume_spec_fields);

static const struct field core_persistent_volume_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &plain_meta),
    FIELD("spec",       &volume_spec),
};
const struct shape core_persistent_volume = OBJECT(core_persistent_volume_fields);
