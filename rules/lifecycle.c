/* The ends of API versions. */
#include "schema/lifecycle.h"

const char api_end_same[] = "only the apiVersion changes";
#define SAME api_end_same

const struct api_end api_ends[] = {
#define API(group, version, kind, last, deprecated, change) { BYTES(group), BYTES(version), BYTES(kind), last, deprecated, change },
#include "rules/lifecycle.def"
#undef API
};

const size_t api_end_count = sizeof api_ends / sizeof *api_ends;
