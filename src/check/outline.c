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

/* Adds the members of a ONE_OF that are set when they are there at all. */
static bool add_choice(const struct shape *shape, const struct check *check, struct outline *outline)
{
    uint64_t members = 0;
    if (check->op != CHECK_ONE_OF || check->filled || outline->choice_count == OUTLINE_CHOICES)
        return false;
    for (const char *const *name = check->names; *name; name++) {
        uint16_t i = place_field(shape, *name);
        const struct field *field = &shape->fields[i];
        if (!field->pointer || field->shape->type == SHAPE_RAW || field->shape->type == SHAPE_TIME)
            return false;
        members |= (uint64_t)1 << i;
    }
    outline->choices[outline->choice_count++] = members;
    return true;
}

static bool is_plain(const struct shape *shape, struct outline *outline)
{
    bool plain = !outline->defaulted && !outline->prepared;
    for (const struct check *check = shape->checks; check && check->op != CHECK_END && plain; check++)
        plain = add_choice(shape, check, outline);
    return plain;
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
    outline->plain = is_plain(shape, outline);
}
