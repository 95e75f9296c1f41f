#include "validate/stored.h"

#include <string.h>

/* Only API servers write both, and every object that they give has them: what else they write, resourceVersion for one, tools take away. */
static bool is_stored(const struct doc_node *object)
{
    const struct doc_node *metadata = doc_member(object, "metadata");
    return doc_member_text(metadata, "uid").length && doc_member_text(metadata, "creationTimestamp").length;
}

bool stored_has_status(const struct shape *shape, const struct doc_node *object, minor version)
{
    uint16_t index = shape_field_index(shape, "status");
    const struct field *field = index < shape->field_count ? &shape->fields[index] : NULL;
    const struct doc_node *status = doc_member(object, "status");
    bool subresource = field && field->on[CREATE] == DROP && versions_include(field->versions, version) && field->status_since <= version;
    return subresource && status && status->type == DOC_OBJECT && is_stored(object);
}

static const struct doc_node *without(struct arena *arena, const struct doc_node *object, const char *name)
{
    struct doc_builder builder = doc_build(arena, object);
    if (!builder.container)
        return NULL;
    doc_each(object, member)
        if (!bytes_equal_text(doc_name(member), name) && !doc_append(&builder, arena, member))
            return NULL;
    return builder.container;
}

/* What is stored may have got its status before it was to be deleted, so the API server asks no more of it. */
const struct doc_node *stored_without_status(struct arena *arena, const struct doc_node *object)
{
    if (object->type != DOC_OBJECT)
        return object;
    const bool stored = is_stored(object);
    struct doc_builder builder = doc_build(arena, object);
    if (!builder.container)
        return NULL;
    doc_each(object, member) {
        bool metadata = stored && member->type == DOC_OBJECT && bytes_equal_text(doc_name(member), "metadata");
        const struct doc_node *before = metadata ? without(arena, member, "deletionTimestamp") : member;
        if (!bytes_equal_text(doc_name(member), "status") && (!before || !doc_append(&builder, arena, before)))
            return NULL;
    }
    return builder.container;
}

static bool is_of_status(const struct finding *finding)
{
    static const char status[] = "status";
    const char *after = finding->path + sizeof status - 1;
    return strncmp(finding->path, status, sizeof status - 1) == 0 && (*after == '\0' || *after == '.' || *after == '[');
}

static uint32_t *count_of(struct findings *findings, enum severity severity)
{
    return severity == SEVERITY_ERROR ? &findings->errors : severity == SEVERITY_WARNING ? &findings->warnings : &findings->infos;
}

void stored_keep_status(struct findings *findings)
{
    struct finding **link = &findings->first;
    findings->last = NULL;
    for (struct finding *finding = findings->first; finding; finding = finding->next) {
        if (is_of_status(finding)) {
            *link = findings->last = finding;
            link = &finding->next;
        } else {
            --*count_of(findings, finding->severity);
            findings->kept--;
        }
    }
    *link = NULL;
}
