/* CSIDriver. */
#include "rules/tables.h"

static const struct field token_request_fields[] = {
    FIELD("audience",          STRING, UNSET_MEANS("the audiences of the API server"),
          CHECKS(EXPLICIT(SHOULD, STORAGE_DOCUMENTED,
                     DETAIL("should be written; \"\" means the audience of the API server")))),
    FIELD("expirationSeconds", INT64, POINTER, UNSET_MEANS("that of a TokenRequest, 3600"), CHECKS(RANGE(600, INT64_C(4294967296)))),
};
static const struct shape token_request = OBJECT(token_request_fields);

static const struct field spec_fields[] = {
    FIELD("attachRequired",                     BOOL, POINTER, DEFAULT(TRUE_VALUE), CHECKS(IMMUTABLE())),
    FIELD("podInfoOnMount",                     BOOL, POINTER, DEFAULT(FALSE_VALUE),
          CHECKS(IMMUTABLE(INFO, STORAGE_DOCUMENTED,
                     DETAIL("was immutable up to Kubernetes 1.28, and pods that run keep what they were given")),
                 ADVICE_IF(SHOULD, STORAGE_DOCUMENTED, IF(LISTS("volumeLifecycleModes", "Ephemeral"), NOT_TRUE("podInfoOnMount")),
                     DETAIL("should be true: without the pod's information the driver cannot tell ephemeral volumes from others")))),
    FIELD("volumeLifecycleModes",               LIST(STRING_WITH(ENUM(NAMES("Persistent", "Ephemeral"), UP(1)))),
          DEFAULT(LIST_OF_ONE("Persistent")), CHECKS(IMMUTABLE())),
    FIELD("storageCapacity",                    BOOL, POINTER, DEFAULT(FALSE_VALUE),
          CHECKS(IMMUTABLE(INFO, STORAGE_DOCUMENTED,
                     DETAIL("was immutable up to Kubernetes 1.22")),
                 CALL(MISSING_OBJECT, cross_capacity_published, NEEDS_SET, INFO, STORAGE_DOCUMENTED,
                     DETAIL("has no CSIStorageCapacity for a class of the driver: pods with such volumes wait for one")))),
    FIELD("fsGroupPolicy",                      STRING, POINTER, DEFAULT(TEXT("ReadWriteOnceWithFSType")),
          CHECKS(ENUM(NAMES("ReadWriteOnceWithFSType", "File", "None")),
                 IMMUTABLE(INFO, STORAGE_DOCUMENTED,
                     DETAIL("was immutable up to Kubernetes 1.28, and volumes that are mounted keep their ownership")))),
    FIELD("tokenRequests",                      LIST(&token_request), CHECKS(UNIQUE("audience", REST_SKIPPED))),
    FIELD("requiresRepublish",                  BOOL, POINTER, DEFAULT(FALSE_VALUE),
          CHECKS(ADVICE_IF(SHOULD, STORAGE_DOCUMENTED, IF(IS_SET("tokenRequests"), NOT_TRUE("requiresRepublish")),
                        DETAIL("should be true with tokenRequests: the tokens expire, and only republishing brings new ones")))),
    FIELD("seLinuxMount",                       BOOL, POINTER, GATE("SELinuxMountReadWriteOncePod"), DEFAULT(FALSE_VALUE)),
    FIELD("nodeAllocatableUpdatePeriodSeconds", INT64, POINTER, SINCE(33), GATE("MutableCSINodeAllocatableCount"), CHECKS(AT_LEAST(10))),
    FIELD("preventPodSchedulingIfMissing",      BOOL, POINTER, SINCE(36), GATE("VolumeLimitScaling")),
    FIELD("serviceAccountTokenInSecrets",       BOOL, POINTER, SINCE(35), GATE("CSIServiceAccountTokenSecrets"),
          CHECKS(FORBIDDEN(REASON(INVALID), IF(NOT_SET("tokenRequests")),
                     DETAIL("has no meaning without tokenRequests")),
                 RECOMMENDED(SHOULD, IF(IS_SET("tokenRequests"), CHANGED("tokenRequests")),
                     DETAIL("should be set: without it tokens stand in the volume context, which may be logged; true, if the driver "
                            "reads them from secrets")))),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field csi_driver_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec, CHECKS(EXPLICIT(INFO, STORAGE_DOCUMENTED))),
};
const struct shape csi_driver = OBJECT(csi_driver_fields, SOURCE(STORAGE_VALIDATION ", pkg/registry/storage/csidriver"));
