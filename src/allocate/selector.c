/* What selectors say of devices: evaluated once for all devices that are the same to them. */
#include "allocate/device.h"
#include "match/device.h"
#include "match/limits.h"

enum failure allocate_expression_made(struct allocate_world *world, struct allocate_expressions *expressions, struct bytes text,
                                      size_t bytes, struct bytes *kept, void **made, bool *is_new)
{
    *made = NULL;
    if (!expressions->made)
        expressions->made = allocate_make(world, LIMIT_MATCH_EXPRESSIONS, sizeof(void *));
    uint32_t number = expressions->made ? names_add(&expressions->texts, text, is_new) : NAMES_NONE;
    if (number == NAMES_NONE || number >= LIMIT_MATCH_EXPRESSIONS)
        return number == NAMES_NONE ? world->arena.failure : FAILURE_LIMIT;
    *kept = names_text(&expressions->texts, number);
    if (*is_new)
        expressions->made[number] = allocate_make(world, 1, bytes);
    *made = expressions->made[number];
    return *made ? FAILURE_NONE : world->arena.failure;
}

enum failure allocate_selector_of(struct allocate_world *world, struct value selector, struct allocate_selector **made)
{
    static struct allocate_selector empty = { .expression = NULL };
    struct value cel = match_at(selector, "cel");
    struct bytes text = value_text(match_at(cel, "expression"));
    struct bytes kept;
    void *found;
    bool is_new;
    *made = &empty;
    if (!value_is_set(cel))
        return FAILURE_NONE;
    enum failure failure = allocate_expression_made(world, &world->selectors, text, sizeof **made, &kept, &found, &is_new);
    *made = found;
    if (failure || !is_new)
        return failure;
    (*made)->text = kept;
    (*made)->truths = allocate_make(world, world->contents_by_text.count, 1);
    if (!(*made)->truths)
        return world->arena.failure;
    return match_expression_of(world->matching, &cel_device_library, (*made)->text, &(*made)->expression);
}

struct match_device *allocate_evaluated(struct allocate_world *world, const struct allocate_device *device)
{
    struct allocate_content *content = &world->contents[device->content];
    content->slice.driver = content->example->slice->pool->driver;
    content->device.slice = &content->slice;
    content->device.value = content->example->value;
    return &content->device;
}

enum failure allocate_evaluate(struct allocate_world *world, const struct match_expression *expression,
                               const struct allocate_device *device, struct cel_result *result)
{
    const struct cel_value *value;
    enum failure failure = match_device_evaluated(world->matching, allocate_evaluated(world, device), &value);
    return failure ? failure : match_evaluate(world->matching, expression, NULL, value, result);
}

enum failure allocate_selector_ask(struct allocate_world *world, struct allocate_selector *selector, const struct allocate_device *device,
                                   enum allocate_truth *truth)
{
    static const enum allocate_truth truths[] = {
        [MATCH_TRUE] = ALLOCATE_TRUE, [MATCH_UNTRUE] = ALLOCATE_FALSE, [MATCH_FAILED] = ALLOCATE_FAILS,
    };
    struct cel_result result;
    *truth = ALLOCATE_FALSE;
    if (!selector->expression)
        return FAILURE_NONE; /* of a class, without cel: API servers refuse it, and schedulers panic */
    uint8_t *known = &selector->truths[device->content];
    *truth = *known;
    if (*truth != ALLOCATE_UNKNOWN)
        return FAILURE_NONE;
    *truth = ALLOCATE_FAILS;
    if (selector->expression->program) {
        enum failure failure = allocate_evaluate(world, selector->expression, device, &result);
        if (failure)
            return failure;
        *truth = truths[match_truth(&result)];
    }
    *known = (uint8_t)*truth;
    return FAILURE_NONE;
}

enum failure allocate_selector_error(struct allocate_world *world, struct allocate_selector *selector,
                                     const struct allocate_device *device, struct text *text)
{
    struct cel_result result;
    if (!selector->expression->program) {
        text_add(text, "CEL compile error: ");
        text_add(text, selector->expression->fault);
        return FAILURE_NONE;
    }
    enum failure failure = allocate_evaluate(world, selector->expression, device, &result);
    if (failure)
        return failure;
    cel_result_make_bool(&result);
    text_add(text, "CEL runtime error: ");
    const char *words = result.value.type == CEL_ERROR ? result.value.fault.words : "";
    text_add(text, words);
    if (world->mode.names_device && strstr(words, "no such key:"))
        text_add(text, ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional "
                       "fields");
    return FAILURE_NONE;
}
