#include "cli/kind_name.h"

#include <string.h>
#include <strings.h>

#include "schema/shape.h"

/* How much of a name a row agrees with: nothing, the name, its group, its API version. */
enum agreement { NONE, NAME, GROUP, VERSION };

/* After `part`, when the text begins with it and a name ends there; NULL: it does not. */
static const char *after(const char *text, struct bytes part)
{
    if (!part.length || strncasecmp(text, part.data, part.length) != 0)
        return NULL;
    text += part.length;
    return *text == '\0' || *text == '.' || *text == '/' ? text : NULL;
}

static const char *after_name(const struct kind *kind, const char *text)
{
    const char *short_name = kind->short_name ? kind->short_name : "";
    const char *rest = after(text, kind->kind);
    rest = rest ? rest : after(text, kind->resource);
    return rest ? rest : after(text, bytes_of(short_name));
}

/* A version after the given sign: ".v1", "/v1". */
static const char *after_part(const char *rest, char sign, struct bytes part)
{
    return *rest == sign ? after(rest + 1, part) : NULL;
}

/* NAME[.VERSION][.GROUP][/VERSION][.PATH]; *rest is then at the path. */
static enum agreement agrees(const struct kind *kind, const char *text, const char **rest)
{
    const char *next, *at = after_name(kind, text);
    enum agreement agreement = NAME;
    if (!at)
        return NONE;
    if ((next = after_part(at, '.', kind->version))) {
        at = next;
        agreement = VERSION;
    }
    if ((next = after_part(at, '.', kind->group))) {
        at = next;
        agreement = agreement == VERSION ? VERSION : GROUP;
    }
    if ((next = after_part(at, '/', kind->version))) {
        at = next;
        agreement = VERSION;
    }
    *rest = at;
    return *at == '/' ? NONE : agreement;
}

/* Whether a row is meant rather than the one before, which agrees as much. */
static bool is_better(const struct kind *kind, const struct kind *before)
{
    return before->successor && !kind->successor;
}

struct kind_name kind_name_read(const char *text, minor version)
{
    struct kind_name name = { .path = "" };
    enum agreement best = NONE;
    for (size_t i = 0; i < kind_count; i++) {
        const char *rest = "";
        if (kinds[i].traits & KIND_CONTEXT)
            continue;
        enum agreement agreement = agrees(&kinds[i], text, &rest);
        name.other = name.other || !after_name(&kinds[i], text) ? name.other : &kinds[i];
        if (agreement > best || (agreement && agreement == best && is_better(&kinds[i], name.kind))) {
            best = agreement;
            name.kind = &kinds[i];
            name.path = rest + (*rest == '.');
        }
    }
    name.has_version = best == VERSION;
    const struct kind *newest = version && name.kind && !name.kind->role && !name.has_version
                                    ? kind_newest(name.kind->group, name.kind->kind, version) : NULL;
    if (newest) {
        name.kind = newest;
        name.has_version = true;
    }
    return name;
}

void kind_names_near(struct nearest *nearest)
{
    for (size_t i = 0; i < kind_count; i++)
        if (!(kinds[i].traits & KIND_CONTEXT)) {
            near_consider(nearest, kinds[i].kind);
            near_consider(nearest, kinds[i].resource);
        }
}
