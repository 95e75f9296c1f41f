/* CSIDriver. */
#include "rules/tables.h"

static const struct field token_request_fields[] = {
    FIELD("audience",          STRING),
    FIELD("expirationSeconds", INT64, POINTER, CHECKS(RANGE(600, INT64_C(4294967296)))),
};
static const struct shape token_request = OBJECT(token_request_fields);

static const struct field spec_fields[] = {
    FIELD("attachRequired",                     BOOL, POINTER, DEFAULT(TRUE_VALUE), CHECKS(IMMUTABLE())),
    FIELD("podInfoOnMount",                     BOOL, POINTER, DEFAULT(FALSE_VALUE)),
    FIELD("volumeLifecycleModes",               LIST(STRING_WITH(ENUM(NAMES("Persistent", "Ephemeral"), UP(1)))),
          DEFAULT(LIST_OF_ONE("Persistent")), CHECKS(IMMUTABLE())),
    FIELD("storageCapacity",                    BOOL, POINTER, DEFAULT(FALSE_VALUE)),
    FIELD("fsGroupPolicy",                      STRING, POINTER, DEFAULT(TEXT("ReadWriteOnceWithFSType")),
          CHECKS(ENUM(NAMES("ReadWriteOnceWithFSType", "File", "None")))),
    FIELD("tokenRequests",                      LIST(&token_request), CHECKS(UNIQUE("audience", ASIDE))),
    FIELD("requiresRepublish",                  BOOL, POINTER, DEFAULT(FALSE_VALUE)),
    FIELD("seLinuxMount",                       BOOL, POINTER, DEFAULT(FALSE_VALUE)),
    FIELD("nodeAllocatableUpdatePeriodSeconds", INT64, POINTER, SINCE(33), CHECKS(AT_LEAST(10))),
    FIELD("preventPodSchedulingIfMissing",      BOOL, POINTER, SINCE(36)),
    FIELD("serviceAccountTokenInSecrets",       BOOL, POINTER, SINCE(35),
          CHECKS(FORBIDDEN(REASON(INVALID), IF(NOT_SET("tokenRequests")), DETAIL("has no meaning without tokenRequests")),
                 ADVISED(SHOULD, IF(IS_SET("tokenRequests"), CHANGED("tokenRequests")), DETAIL("should be set, to keep tokens out of the volume context")))),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field csi_driver_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec),
};
const struct shape csi_driver = OBJECT(csi_driver_fields, SOURCE(STORAGE_VALIDATION ", pkg/registry/storage/csidriver"));
