#include "schema/lifecycle.h"

const struct api_end *api_end_find(struct bytes group, struct bytes version, struct bytes kind)
{
    for (size_t i = 0; i < api_end_count; i++)
        if (bytes_equal(api_ends[i].kind, kind) && (!version.data || bytes_equal(api_ends[i].version, version)) && bytes_equal(api_ends[i].group, group))
            return &api_ends[i];
    return NULL;
}
