#include "check/kind.h"

const struct kind *kind_find(struct bytes group, struct bytes version, struct bytes kind)
{
    for (size_t i = 0; i < kind_count; i++)
        if (bytes_equal(kinds[i].kind, kind) && bytes_equal(kinds[i].version, version) && bytes_equal(kinds[i].group, group))
            return &kinds[i];
    return NULL;
}

const struct kind *kind_find_api_version(struct bytes api_version, struct bytes kind)
{
    const char *slash = api_version.length ? memchr(api_version.data, '/', api_version.length) : NULL;
    if (!slash)
        return NULL; /* no kind of the core group has rules */
    uint32_t group = (uint32_t)(slash - api_version.data);
    return kind_find((struct bytes){ api_version.data, group }, (struct bytes){ slash + 1, api_version.length - group - 1 }, kind);
}

bool kind_same(const struct kind *a, const struct kind *b)
{
    return a && b && bytes_equal(a->kind, b->kind) && bytes_equal(a->group, b->group);
}
