/* ResourceClaimTemplate. */
#include "rules/tables.h"

#define ASKS_FOR_NOTHING DETAIL("is left out: claims made of this ask for no device")

static const struct field spec_fields[] = {
    FIELD("metadata", &template_meta),
    FIELD("spec",     &claim_spec, CHECKS(EXPLICIT(SHOULD, RESOURCE_DOCUMENTED, ASKS_FOR_NOTHING))),
};
static const struct shape spec = OBJECT(spec_fields);

static const struct field spec_v1beta1_fields[] = {
    FIELD("metadata", &template_meta),
    FIELD("spec",     &claim_spec_v1beta1),
};
static const struct shape spec_v1beta1 = OBJECT(spec_v1beta1_fields, CONVERTS_TO(&spec));

static const struct check spec_checks[] = CHECK_LIST(EXPLICIT(SHOULD, RESOURCE_DOCUMENTED, ASKS_FOR_NOTHING), IMMUTABLE());

static const struct field resource_claim_template_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec, CHECKED_BY(spec_checks)),
};
const struct shape resource_claim_template = OBJECT(resource_claim_template_fields, SOURCE(RESOURCE_VALIDATION));

static const struct field resource_claim_template_v1beta1_fields[] = {
    FIELD("kind",       STRING),
    FIELD("apiVersion", STRING),
    FIELD("metadata",   &object_meta),
    FIELD("spec",       &spec_v1beta1, CHECKED_BY(spec_checks)),
};
const struct shape resource_claim_template_v1beta1 = OBJECT(resource_claim_template_v1beta1_fields, SOURCE(RESOURCE_VALIDATION),
    CONVERTS_TO(&resource_claim_template));
