#include "check/outline.h"

#include "check/run.h"

static bool is_prepared(const struct field *field)
{
    return field->prepare || field->on[CREATE] != PREPARE_NONE || field->on[UPDATE] != PREPARE_NONE || field->on[STATUS] != PREPARE_NONE;
}

/* Whether rows stand in the field's shape, or below it. */
static bool has_rows_below(const struct shape *shape)
{
    return shape->checks || shape->type == SHAPE_OBJECT || shape->type == SHAPE_LIST || shape->type == SHAPE_MAP;
}

void outline_make(const struct shape *shape, struct outline *outline)
{
    *outline = (struct outline){ .shape = shape };
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        uint64_t bit = (uint64_t)1 << i;
        outline->defaulted |= field->standard ? bit : 0;
        outline->filled |= field->standard || !field->pointer ? bit : 0;
        outline->prepared |= is_prepared(field) ? bit : 0;
        outline->gated |= field->gate ? bit : 0;
        outline->heard |= field->checks || has_rows_below(field->shape) ? bit : 0;
        outline->heard_unset |= field->checks && !check_all_need_value(field->checks) ? bit : 0;
    }
}
