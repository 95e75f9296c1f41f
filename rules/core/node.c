/* Node: how many volumes can be attached to it. Its other resources are not checked. */
#include "rules/tables.h"

/* "storage-limits-" is what the comment of VolumeLimitKey asks for; the constant and every writer have "attachable-volumes-". */
#define LIMIT_PREFIXES NAMES("attachable-volumes-", "storage-limits-")
#define ON_LIMITS      SHOULD, IF(KEY_BEGINS(LIMIT_PREFIXES))

#define LIMITS         MAP(QUANTITY_WITH(INTEGER(ON_LIMITS), AT_LEAST(0, ON_LIMITS)))
#define LIMIT_KEYS     KEYS(FORMAT(VOLUME_LIMIT_KEY, ON_LIMITS), FORMAT(KNOWN_VOLUME_LIMIT, INFO, IF(KEY_BEGINS(LIMIT_PREFIXES))))

/* An unset allocatable is filled in from capacity by the API server: pkg/apis/core/v1/defaults.go. */
static const struct field status_fields[] = {
    FIELD("capacity",    LIMITS, CHECKS(LIMIT_KEYS, KEYS_IN("allocatable", LIMIT_PREFIXES, SHOULD, IF(IS_SET("allocatable"))))),
    FIELD("allocatable", LIMITS, CHECKS(LIMIT_KEYS, KEYS_IN("capacity", LIMIT_PREFIXES, SHOULD, IF(IS_SET("capacity"))))),
};
static const struct shape status = OBJECT(status_fields);

static const struct field core_node_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &plain_meta),
    FIELD("status",     &status, ON_UPDATE(KEEP_OLD)),
};
const struct shape core_node = OBJECT(core_node_fields,
    SOURCE("k8s.io/kubernetes pkg/volume VolumePluginWithAttachLimits, pkg/volume/util/attach_limit.go"));
