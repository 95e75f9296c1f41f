#include "match/selector.h"

#include "base/utf8.h"
#include "cel/limits.h"
#include "match/limits.h"

static const char *fault_of(const struct cel_expression *compiled)
{
    switch (compiled->class) {
    case CEL_GOOD:
        return NULL;
    case CEL_TOO_LONG:
        return "it is too long";
    case CEL_TOO_COSTLY:
        return "by estimate it costs too much";
    case CEL_TOO_COMPLEX:
        return "it is too complex";
    default:
        return compiled->errors.count ? compiled->errors.list[0].text : "it has errors";
    }
}

static enum failure compile(struct match_world *world, struct match_expression *made)
{
    if (!utf8_is_valid(made->text)) {
        made->fault = "it is not UTF-8";
        return FAILURE_NONE;
    }
    enum failure failure = cel_compile(made->text, made->library, cel_environment(world->version), &made->arena, &made->compiled);
    if (failure)
        return failure;
    made->fault = fault_of(&made->compiled);
    /* what attributes cost is counted for a whole claim, and schedulers do not count */
    bool runs = made->compiled.class == CEL_TOO_COSTLY && made->library == &cel_attribute_library;
    if (made->compiled.class != CEL_GOOD && !runs)
        return FAILURE_NONE;
    failure = cel_program_new(&made->compiled, made->library, world->version, &made->arena, &made->program);
    if (failure == FAILURE_LIMIT)
        made->fault = "it is too complex";
    return failure == FAILURE_LIMIT ? FAILURE_NONE : failure;
}

enum failure match_expression_of(struct match_world *world, const struct cel_library *library, struct bytes text,
                                 const struct match_expression **expression)
{
    struct map *known = library == &cel_device_library ? &world->expression_map : &world->attribute_map;
    struct match_expression *made = map_find(known, text);
    *expression = made;
    if (made)
        return FAILURE_NONE;
    if (known->count == LIMIT_MATCH_EXPRESSIONS)
        return FAILURE_LIMIT;
    made = arena_alloc(&world->selectors, sizeof *made);
    if (!made)
        return world->selectors.failure;
    *made = (struct match_expression){ .next = world->expressions, .library = library, .text = text };
    arena_init(&made->arena, world->workspace.context->memory, LIMIT_MATCH_EXPRESSION);
    world->expressions = made;
    (void)map_add(known, text, made);
    *expression = made;
    return compile(world, made);
}

void match_expressions_done(struct match_world *world)
{
    for (struct match_expression *expression = world->expressions; expression; expression = expression->next)
        arena_done(&expression->arena);
    world->expressions = NULL;
}

enum failure match_evaluate(struct match_world *world, const struct match_expression *expression, const struct cel_node *part,
                            const struct cel_value *device, struct cel_result *result)
{
    *result = (struct cel_result){ .value = *device };
    if (device->type == CEL_ERROR)
        return match_work(world, 1);
    arena_clear(&world->evaluation);
    enum failure failure = part ? cel_evaluate_part(expression->program, part, device, &world->evaluation, result)
                                : cel_evaluate(expression->program, device, &world->evaluation, result);
    return failure ? failure : match_work(world, result->cost + 1);
}
