#include "schema/cel.h"

struct cel_environment cel_environment_of(minor version, gate_set off)
{
    bool lists = !(off & gate_bit("DRAListTypeAttributes")), multiple = !(off & gate_bit("DRAConsumableCapacity"));
    return (struct cel_environment){
        .version = version,
        .features_off = (lists ? 0u : CEL_LIST_ATTRIBUTES) | (multiple ? 0u : CEL_MULTIPLE_ALLOCATIONS),
    };
}

struct cel_environment cel_environment_by_default(minor version)
{
    const struct gate_settings by_default = { .on = 0 };
    return cel_environment_of(version, gates_off(&by_default, version));
}
