#include "schema/gate.h"

#include <string.h>

bool gate_is_on(const char *name, minor version)
{
    for (size_t i = 0; i < gate_count; i++)
        if (strcmp(gates[i].name, name) == 0)
            return gates[i].on_since && version >= gates[i].on_since;
    return true;
}
