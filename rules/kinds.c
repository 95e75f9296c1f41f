/* The kind table; the only place that brings the kinds' files together. */
#include "check/kind.h"
#include "rules/tables.h"

const struct kind kinds[] = {
#define KIND(group, version, kind, resource, shape, traits, since, until) \
    { BYTES(group), BYTES(version), BYTES(kind), BYTES(resource), &shape, traits, { since, until } },
#include "rules/kinds.def"
#undef KIND
};

const size_t kind_count = sizeof kinds / sizeof *kinds;
