/* The kind table; the only place that brings the kinds' files together. */
#include "schema/kind.h"
#include "rules/tables.h"

const struct kind kinds[] = {
#define ROLE(name)                     .role = (name)
#define SHORT_NAME(name)               .short_name = (name)
#define REPLACED_BY(name)              .successor = (name)
#define WRITTEN_BY(who, words)         .written = { WRITER_##who, words }
#define STATUS_WRITTEN_BY(who, words)  .status_written = { WRITER_##who, words }
#define KIND(...)                      KIND_(__VA_ARGS__, )
#define KIND_(in_group, in_version, name, plural, root, has, from, to, ...)                                            \
    { .group = BYTES(in_group), .version = BYTES(in_version), .kind = BYTES(name), .resource = BYTES(plural),          \
      .shape = &root, .traits = has, .served = { from, to }, __VA_ARGS__ },
#include "rules/kinds.def"
#undef KIND
};

const size_t kind_count = sizeof kinds / sizeof *kinds;
