#include "schema/kind.h"

#include "schema/shape.h"

/* Whether the row is of that kind, and no role's. */
static bool is_of(const struct kind *row, struct bytes group, struct bytes kind)
{
    return !row->role && bytes_equal(row->kind, kind) && bytes_equal(row->group, group);
}

const struct kind *kind_find(struct bytes group, struct bytes version, struct bytes kind)
{
    for (size_t i = 0; i < kind_count; i++)
        if (is_of(&kinds[i], group, kind) && bytes_equal(kinds[i].version, version))
            return &kinds[i];
    return NULL;
}

const struct kind *kind_find_resource(struct bytes group, struct bytes version, struct bytes resource)
{
    for (size_t i = 0; i < kind_count; i++)
        if (is_of(&kinds[i], group, kinds[i].kind) && bytes_equal(kinds[i].resource, resource) && bytes_equal(kinds[i].version, version))
            return &kinds[i];
    return NULL;
}

/* Whether API version a is newer than b: v1 before any beta, beta before alpha, which is longer (vNalphaM), and the higher number. */
static bool is_newer(struct bytes a, struct bytes b)
{
    bool stable = api_is_stable(a), other_stable = api_is_stable(b);
    return stable != other_stable ? stable : a.length != b.length ? a.length < b.length : bytes_compare(a, b) > 0;
}

/* older_than: a version; of no bytes: any. */
static const struct kind *find_newest(struct bytes group, struct bytes kind, minor version, struct bytes older_than)
{
    const struct kind *newest = NULL;
    for (size_t i = 0; i < kind_count; i++)
        if (is_of(&kinds[i], group, kind) && versions_include(kinds[i].served, version) &&
            (!older_than.length || is_newer(older_than, kinds[i].version)) && (!newest || is_newer(kinds[i].version, newest->version)))
            newest = &kinds[i];
    return newest;
}

const struct kind *kind_newest(struct bytes group, struct bytes kind, minor version)
{
    return find_newest(group, kind, version, (struct bytes){ "", 0 });
}

const struct kind *kind_older(const struct kind *kind, minor version)
{
    return find_newest(kind->group, kind->kind, version, kind->version);
}

struct api_version api_version_split(struct bytes api_version)
{
    const char *slash = api_version.length ? memchr(api_version.data, '/', api_version.length) : NULL;
    if (!slash)
        return (struct api_version){ { "", 0 }, api_version };
    uint32_t group = (uint32_t)(slash - api_version.data);
    return (struct api_version){ { api_version.data, group }, { slash + 1, api_version.length - group - 1 } };
}

const struct kind *kind_find_api_version(struct bytes api_version, struct bytes kind)
{
    struct api_version split = api_version_split(api_version);
    return kind_find(split.group, split.version, kind);
}

const struct kind *kind_find_role(const char *role)
{
    for (size_t i = 0; i < kind_count; i++)
        if (kinds[i].role && strcmp(kinds[i].role, role) == 0)
            return &kinds[i];
    return NULL;
}

bool kind_is(const struct kind *kind, struct bytes api_version, struct bytes name)
{
    struct api_version split = api_version_split(api_version);
    return bytes_equal(kind->kind, name) && bytes_equal(kind->version, split.version) && bytes_equal(kind->group, split.group);
}

bool kind_is_reviewed(const struct kind *kind)
{
    return !(kind->traits & (KIND_CONTEXT | KIND_UNREVIEWED));
}
