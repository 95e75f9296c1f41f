/* ResourceClaimTemplate. */
#include "rules/tables.h"

static const struct field spec_fields[] = {
    FIELD("metadata", &template_meta),
    FIELD("spec",     &claim_spec, CHECKS(EXPLICIT(SHOULD, RESOURCE_DOCUMENTED, DETAIL("is left out: claims made of this ask for no device")))),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field spec_v1beta1_fields[] = {
    FIELD("metadata", &template_meta),
    FIELD("spec",     &claim_spec_v1beta1),
};
static const struct shape spec_v1beta1 = OBJECT(spec_v1beta1_fields, CONVERTS_TO(&spec));

#define TEMPLATE_FIELDS(spec)             \
    FIELD("kind",       STRING),          \
    FIELD("apiVersion", STRING),          \
    FIELD("metadata",   &object_meta),    \
    FIELD("spec",       spec, CHECKS(EXPLICIT(SHOULD, RESOURCE_DOCUMENTED, DETAIL("is left out: claims made of this ask for no device")), IMMUTABLE()))

static const struct field resource_claim_template_fields[] = { TEMPLATE_FIELDS(&spec) };
const struct shape resource_claim_template = OBJECT(resource_claim_template_fields, SOURCE(RESOURCE_VALIDATION));

static const struct field resource_claim_template_v1beta1_fields[] = { TEMPLATE_FIELDS(&spec_v1beta1) };
const struct shape resource_claim_template_v1beta1 = OBJECT(resource_claim_template_v1beta1_fields, SOURCE(RESOURCE_VALIDATION), CONVERTS_TO(&resource_claim_template));
