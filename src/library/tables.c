/* What is checked: rules, kinds and constraints, from the tables. */
#include <stdio.h>

#include "library/library.h"

#include "base/limits.h"
#include "schema/explain.h"

enum drawbridge_result drawbridge_rules_each(drawbridge_rule_visitor visit, void *data)
{
    if (!visit)
        return DRAWBRIDGE_BAD_ARGUMENT;
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct rule_info *info = rule_info((enum rule)i);
        const struct drawbridge_rule rule = { .id = info->id, .reason = reason_info(info->reason)->cause, .asks = info->asks };
        if (visit(&rule, data))
            break;
    }
    return DRAWBRIDGE_OK;
}

/* ---- versions ---- */

/* The bounds of versions as texts, such as "1.34". */
struct bounds {
    char since[8], until[8];
};

static const char *bound(char (*text)[8], minor value)
{
    snprintf(*text, sizeof *text, "1.%d", value);
    return value ? *text : NULL;
}

/* ---- kinds ---- */

static struct drawbridge_kind kind_of(const struct kind *kind, struct bounds *bounds)
{
    return (struct drawbridge_kind){
        .group = kind->group.data, .version = kind->version.data, .kind = kind->kind.data, .resource = kind->resource.data,
        .role = kind->role, .replaced_by = kind->successor,
        .since = bound(&bounds->since, kind->served.since), .until = bound(&bounds->until, kind->served.until),
        .namespaced = (kind->traits & KIND_NAMESPACED) != 0, .partial = (kind->traits & KIND_PARTIAL) != 0,
        .has_rules = (kind->traits & KIND_CONTEXT) == 0,
    };
}

enum drawbridge_result drawbridge_kinds_each(drawbridge_kind_visitor visit, void *data)
{
    if (!visit)
        return DRAWBRIDGE_BAD_ARGUMENT;
    for (size_t i = 0; i < kind_count; i++) {
        struct bounds bounds;
        const struct drawbridge_kind kind = kind_of(&kinds[i], &bounds);
        if (visit(&kind, data))
            break;
    }
    return DRAWBRIDGE_OK;
}

static bool is_text(const char *text, const char *wanted)
{
    return strcmp(text ? text : "", wanted ? wanted : "") == 0;
}

static bool is_wanted(const struct kind *kind, const struct drawbridge_kind *wanted)
{
    return is_text(kind->kind.data, wanted->kind) && is_text(kind->version.data, wanted->version) &&
           is_text(kind->group.data, wanted->group) && is_text(kind->role, wanted->role);
}

/* ---- constraints ---- */

struct visit {
    drawbridge_constraint_visitor call;
    void *data;
    const struct drawbridge_kind *kind;
    struct arena *arena;
    bool ended; /* by the caller */
};

static void visit_constraint(void *self, const struct constraint *row)
{
    struct visit *visit = self;
    struct bounds bounds;
    const struct constraint_arguments arguments = explain_arguments(row);
    const struct drawbridge_constraint constraint = {
        .kind = visit->kind, .field = row->field, .type = explain_type(row->shape, visit->arena), .rule = rule_info(row->rule)->id,
        .severity = library_severity(row->severity), .reason = reason_info(row->reason)->cause, .asks = row->asks, .when = row->when,
        .since = bound(&bounds.since, row->versions.since), .until = bound(&bounds.until, row->versions.until), .gate = row->gate,
        .default_value = row->default_value, .defaulted = row->defaulted, .values = arguments.values, .members = arguments.members,
        .key = arguments.key, .has_min = arguments.has_min, .has_max = arguments.has_max, .min = arguments.min, .max = arguments.max,
        .source = row->source,
    };
    if (!visit->ended && !visit->arena->failure)
        visit->ended = visit->call(&constraint, visit->data) != 0;
}

static enum failure visit_kind(struct visit *visit, const struct kind *kind, const struct memory *memory)
{
    struct arena arena;
    struct bounds bounds;
    const struct drawbridge_kind described = kind_of(kind, &bounds);
    if (!described.has_rules)
        return FAILURE_NONE;
    arena_init(&arena, memory, LIMIT_ARENA_BYTES);
    visit->kind = &described;
    visit->arena = &arena;
    enum failure failure = explain_kind(kind, &arena, visit_constraint, visit);
    arena_done(&arena);
    return visit->ended ? FAILURE_NONE : failure; /* what came after the last visit is nobody's concern */
}

enum drawbridge_result drawbridge_constraints_each(const struct drawbridge_context *context, const struct drawbridge_kind *kind,
                                                   drawbridge_constraint_visitor visit, void *data)
{
    struct visit visits = { .call = visit, .data = data };
    enum failure failure = FAILURE_NONE;
    bool any = false;
    if (!context || !visit)
        return DRAWBRIDGE_BAD_ARGUMENT;
    for (size_t i = 0; i < kind_count && !failure && !visits.ended; i++) {
        if (kind && !is_wanted(&kinds[i], kind))
            continue;
        any = true;
        failure = visit_kind(&visits, &kinds[i], &context->memory);
    }
    return any ? library_result(failure) : DRAWBRIDGE_BAD_ARGUMENT;
}
