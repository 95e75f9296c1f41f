/* NodeSelector (core/v1). */
#include "rules/tables.h"

#define ALLOCATOR_SOURCE \
    SOURCE("k8s.io/dynamic-resource-allocation v0.37.1 structured/internal/stable/allocator_stable.go createNodeSelector")

static const struct field match_expression_fields[] = {
    FIELD("key",      STRING, CHECKS(FORMAT(QUALIFIED_NAME))),
    FIELD("operator", STRING, CHECKS(ENUM(NAMES("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"), REASON(INVALID)))),
    FIELD("values",   LIST(STRING_WITH(FORMAT(LABEL_VALUE))),
          CHECKS(REQUIRED(IF(EQUALS("operator", "In", "NotIn"))), FORBIDDEN(IF(EQUALS("operator", "Exists", "DoesNotExist"))),
                 EXACT_ITEMS(1, REASON(REQUIRED), IF(EQUALS("operator", "Gt", "Lt"))))),
};
static const struct shape match_expression = OBJECT(match_expression_fields);

static const struct field match_field_fields[] = {
    FIELD("key",      STRING, CHECKS(ENUM(NAMES("metadata.name"), REASON(INVALID)))),
    FIELD("operator", STRING, CHECKS(ENUM(NAMES("In", "NotIn"), REASON(INVALID)))),
    FIELD("values",   LIST(STRING_WITH(FORMAT(DNS_SUBDOMAIN, IF(EQUALS("key", "metadata.name"))))),
          CHECKS(EXACT_ITEMS(1, REASON(REQUIRED), IF(EQUALS("operator", "In", "NotIn"))))),
};
static const struct shape match_field = OBJECT(match_field_fields);

static const struct field term_fields[] = {
    FIELD("matchExpressions", LIST(&match_expression)),
    FIELD("matchFields",      LIST(&match_field)),
};
static const struct shape term = OBJECT(term_fields);

static const struct field node_selector_fields[] = {
    FIELD("nodeSelectorTerms", LIST(&term),
          CHECKS(REQUIRED(), EXACT_ITEMS(1, IF(WITH_SAID(ONE_TERM, "it says where devices are"))),
                 MAX_ITEMS_CONTINUE(1, SHOULD, ALLOCATOR_SOURCE, IF(WITH_SAID(ONE_DEVICE_TERM, "it says where one device is")),
                     DETAIL("should have one term: the scheduler gives up each claim that would get the device; several nodes can be "
                            "the values of one expression with operator In")))),
};
const struct shape node_selector = OBJECT(node_selector_fields,
    SOURCE("k8s.io/kubernetes v1.35.4 pkg/apis/core/validation/validation.go ValidateNodeSelector"));
