#include "check/shape_summary.h"

#include "base/fast_paths.h"
#include "schema/shape.h"
#include "schema/kind.h"

static bool is_prepared(const struct field *field)
{
    return field->prepare || field->on[CREATE] != PREPARE_NONE || field->on[UPDATE] != PREPARE_NONE || field->on[STATUS] != PREPARE_NONE;
}

/* Whether the shape has checks, or may have some below it. */
static bool has_rows_below(const struct shape *shape)
{
    return shape->checks || shape->type == SHAPE_OBJECT || shape->type == SHAPE_LIST || shape->type == SHAPE_MAP;
}

static bool is_choice(const struct shape_summary *summary, uint64_t members)
{
    unsigned i = 0;
    while (i < summary->choice_count && summary->choices[i] != members)
        i++;
    return i < summary->choice_count;
}

/* Adds the members of a ONE_OF row. Returns false unless each of them counts as set exactly when it is not null, or is not passed over. */
static bool add_choice(const struct shape *shape, const struct check *check, struct shape_summary *summary)
{
    uint64_t members = 0;
    if (check->op != CHECK_ONE_OF || check->nonzero)
        return false;
    for (const char *const *name = check->names; *name; name++) {
        uint16_t i = shape_field_index(shape, *name);
        const struct field *field = i < shape->field_count ? &shape->fields[i] : NULL;
        if (!field || !field->pointer || field->shape->type == SHAPE_RAW || field->shape->type == SHAPE_TIME)
            return false;
        if (check->is_union && field->shape->type == SHAPE_LIST && !field->checks)
            return false;
        members |= (uint64_t)1 << i;
    }
    if (is_choice(summary, members))
        return true;
    if (summary->choice_count == SHAPE_SUMMARY_CHOICES)
        return false;
    summary->choices[summary->choice_count++] = members;
    return true;
}

static bool is_plain(const struct shape *shape, struct shape_summary *summary)
{
    bool plain = !summary->defaulted && !summary->prepared;
    for (const struct check *check = shape->checks; check && check->op != CHECK_END && plain; check++)
        plain = add_choice(shape, check, summary);
    return plain;
}

/* Turns the fast paths off: every member is visited. */
static void include_all(struct shape_summary *summary)
{
    const uint64_t all = shape_summary_all(summary->shape->field_count);
    summary->defaulted = summary->valued_if_unset = summary->prepared = summary->checked_if_set = summary->checked_if_unset = all;
    summary->plain = false;
}

void shape_summary_make(const struct shape *shape, struct shape_summary *summary)
{
    *summary = (struct shape_summary){ .shape = shape };
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        uint64_t bit = (uint64_t)1 << i;
        summary->defaulted |= field->default_value ? bit : 0;
        summary->valued_if_unset |= field->default_value || !field->pointer ? bit : 0;
        summary->prepared |= is_prepared(field) ? bit : 0;
        summary->gated |= field->gate ? bit : 0;
        summary->checked_if_set |= field->checks || has_rows_below(field->shape) ? bit : 0;
        summary->checked_if_unset |= field->checks && !checks_need_value(field->checks) ? bit : 0;
    }
    summary->plain = is_plain(shape, summary);
    if (!FAST_PATHS)
        include_all(summary);
}

/* ---- all shapes ---- */

/* Object shapes, each once, in the order of discovery. */
struct collection {
    const struct shape *list[LIMIT_SHAPES];
    uint16_t count;
    uint16_t *slots;
    bool full;
};

/* Adds a shape. Returns whether it is new. */
static bool add_shape(struct collection *shapes, const struct shape *shape)
{
    unsigned slot = shape_slot(shape);
    for (; shapes->slots[slot]; slot = (slot + 1) % LIMIT_SHAPE_SLOTS)
        if (shapes->list[shapes->slots[slot] - 1] == shape)
            return false;
    shapes->full |= shapes->count == LIMIT_SHAPES;
    if (shapes->full)
        return false;
    shapes->list[shapes->count++] = shape;
    shapes->slots[slot] = shapes->count;
    return true;
}

static void collect(struct collection *shapes, const struct shape *shape)
{
    if (shape->of)
        collect(shapes, shape->of); /* recursion is as deep as shapes nest */
    if (shape->type != SHAPE_OBJECT || !add_shape(shapes, shape))
        return;
    if (shape->converts_to)
        collect(shapes, shape->converts_to);
    for (uint16_t i = 0; i < shape->field_count; i++)
        collect(shapes, shape->fields[i].shape);
}

/* Finds out what rows look at, for alike.h. */
static enum failure make_looks(struct shape_summaries *summaries, const struct collection *shapes, const struct memory *memory)
{
    size_t fields = 1;
    for (uint16_t i = 0; i < shapes->count; i++)
        fields += shapes->list[i]->field_count;
    uint64_t *watched = summaries->watched = memory->allocate(fields * sizeof *watched, memory->data);
    if (!watched)
        return FAILURE_MEMORY;
    for (uint16_t i = 0; i < shapes->count; i++) {
        looks_make(shapes->list[i], &summaries->list[i + 1].looks, watched);
        watched += shapes->list[i]->field_count;
    }
    return FAILURE_NONE;
}

enum failure shape_summaries_init(struct shape_summaries *summaries, const struct kind *table, size_t count, const struct memory *memory)
{
    *summaries = (struct shape_summaries){ .list = NULL };
    struct collection shapes = { .slots = summaries->slots };
    for (size_t i = 0; i < count; i++)
        collect(&shapes, table[i].shape);
    if (shapes.full)
        return FAILURE_LIMIT;
    summaries->list = memory->allocate((shapes.count + 1u) * sizeof *summaries->list, memory->data);
    if (!summaries->list)
        return FAILURE_MEMORY;
    summaries->list[0] = (struct shape_summary){ .shape = NULL };
    for (uint16_t i = 0; i < shapes.count; i++)
        shape_summary_make(shapes.list[i], &summaries->list[i + 1]);
    enum failure failure = FAST_PATHS ? make_looks(summaries, &shapes, memory) : FAILURE_NONE;
    if (failure)
        shape_summaries_done(summaries, memory);
    return failure;
}

void shape_summaries_done(struct shape_summaries *summaries, const struct memory *memory)
{
    memory->release(summaries->watched, memory->data);
    memory->release(summaries->list, memory->data);
    summaries->watched = NULL;
    summaries->list = NULL;
}
