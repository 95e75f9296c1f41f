#include "schema/lifecycle.h"

const struct api_end *api_end_find(struct bytes group, struct bytes version, struct bytes kind)
{
    for (size_t i = 0; i < api_end_count; i++) {
        const struct api_end *end = &api_ends[i];
        if (bytes_equal(end->kind, kind) && (!version.data || bytes_equal(end->version, version)) && bytes_equal(end->group, group))
            return end;
    }
    return NULL;
}
