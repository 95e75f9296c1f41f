/* VolumeAttachment. */
#include "rules/tables.h"

static const struct field source_fields[] = {
    FIELD("persistentVolumeName", STRING, POINTER,
          CHECKS(REQUIRED_IF_SET(IF(NOT_SET("inlineVolumeSpec"))), FORMAT(DNS_SUBDOMAIN, WHEN(CREATE), UNTIL(35)),
                 FORMAT(DNS_SUBDOMAIN, SINCE(36)), NAMES_OBJECT("", "PersistentVolume", STORAGE_DOCUMENTED))),
    FIELD("inlineVolumeSpec",     &inline_volume_spec, POINTER, CHECKS(SKIP(IF(IS_SET("persistentVolumeName"))))),
};
static const struct shape source = OBJECT(source_fields,
    CHECKS(ONE_OF(NAMES("persistentVolumeName", "inlineVolumeSpec"), NONE(REQUIRED), MANY(FORBIDDEN))));

static const struct field spec_fields[] = {
    FIELD("attacher", STRING,
          CHECKS(REQUIRED(UNTIL(34)), REQUIRED(STOP, SINCE(35)), FORMAT(DRIVER_NAME, WHEN(CREATE), UNTIL(35)),
                 FORMAT(DRIVER_NAME, SINCE(36)), NAMES_OBJECT("storage.k8s.io", "CSIDriver", TYPOS_ONLY, STORAGE_DOCUMENTED),
                 CALL(ATTACHABLE, cross_attach_required, NEEDS_SET, SHOULD, STORAGE_DOCUMENTED,
                     DETAIL("is a driver with attachRequired false: nothing attaches this")),
                 CALL(ATTACHABLE, cross_attacher_on_node, NEEDS_SET, SHOULD, STORAGE_DOCUMENTED,
                     DETAIL("is not among the drivers of the CSINode that is given")))),
    FIELD("source",   &source),
    FIELD("nodeName", STRING, CHECKS(FORMAT(DNS_SUBDOMAIN), NAMES_OBJECT("", "Node", STORAGE_DOCUMENTED))),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field volume_error_fields[] = {
    FIELD("time",      TIME),
    FIELD("message",   STRING, CHECKS(MAX_BYTES(1024), FORMAT(NO_SECRETS, SHOULD, STORAGE_DOCUMENTED))),
    FIELD("errorCode", INT32, POINTER, SINCE(33), GATE("MutableCSINodeAllocatableCount"), CHECKS(AT_LEAST(0))),
};
static const struct shape volume_error = OBJECT(volume_error_fields);

static const struct field status_fields[] = {
    FIELD("attached",           BOOL, CHECKS(EXPLICIT(SHOULD, WHEN(STATUS), STORAGE_DOCUMENTED))),
    FIELD("attachmentMetadata", MAP(STRING),
          CHECKS(TOTAL_BYTES(262144),
                 FORBIDDEN(SHOULD, WHEN(STATUS), STORAGE_DOCUMENTED, IF(NOT_TRUE("attached")),
                     DETAIL("should be set only if attached is true: a successful attach fills it in")))),
    FIELD("attachError",        &volume_error, POINTER),
    FIELD("detachError",        &volume_error, POINTER),
};
static const struct shape status = OBJECT(status_fields);

static const struct field volume_attachment_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec, ON_STATUS(KEEP_OLD), CHECKS(IMMUTABLE())),
    FIELD("status",     &status, ON_CREATE(DROP), ON_UPDATE(KEEP_OLD)),
};
const struct shape volume_attachment = OBJECT(volume_attachment_fields,
    SOURCE(STORAGE_VALIDATION ", pkg/registry/storage/volumeattachment"));
