/* The kind table; the only place that brings the kinds' files together. */
#include "check/kind.h"
#include "rules/tables.h"

const struct kind kinds[] = {
#define ROLE(name)        .role = (name)
#define REPLACED_BY(name) .successor = (name)
#define KIND(...)         KIND_(__VA_ARGS__, )
#define KIND_(in_group, in_version, name, plural, root, has, from, to, ...) \
    { .group = BYTES(in_group), .version = BYTES(in_version), .kind = BYTES(name), .resource = BYTES(plural), .shape = &root, .traits = has, .served = { from, to }, __VA_ARGS__ },
#include "rules/kinds.def"
#undef KIND
};

const size_t kind_count = sizeof kinds / sizeof *kinds;

const struct gate gates[] = {
#define GATE_ROW(name, on_since) { name, on_since },
#include "rules/gates.def"
#undef GATE_ROW
};

const size_t gate_count = sizeof gates / sizeof *gates;

const char api_end_same[] = "only the apiVersion changes";
#define SAME api_end_same

const struct api_end api_ends[] = {
#define API(group, version, kind, last, deprecated, change) { BYTES(group), BYTES(version), BYTES(kind), last, deprecated, change },
#include "rules/lifecycle.def"
#undef API
};

const size_t api_end_count = sizeof api_ends / sizeof *api_ends;
