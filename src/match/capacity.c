/* Source: k8s.io/dynamic-resource-allocation v0.35.4 structured/internal/experimental/consumable_capacity.go. */
#include "match/capacity.h"

#include "base/near.h"
#include "match/limits.h"
#include "value/quantity.h"

struct reading {
    struct arena *arena;
    enum failure failure;
};

static struct quantity read_quantity(struct reading *reading, struct bytes text)
{
    struct quantity quantity = { .count = 0 };
    if (!reading->failure && !quantity_fault(text))
        reading->failure = quantity_read(text, reading->arena, &quantity);
    return quantity;
}

static int compare(struct reading *reading, struct value a, struct value b)
{
    struct quantity one = read_quantity(reading, value_text(a)), other = read_quantity(reading, value_text(b));
    return reading->failure ? 0 : quantity_compare(&one, &other);
}

/* Rounded up to a whole number. */
static int64_t integer_of(struct reading *reading, struct value quantity)
{
    int64_t value = 0;
    struct bytes text = value_text(quantity);
    if (!reading->failure && !quantity_fault(text))
        reading->failure = quantity_int64(text, quantity_is_big(text), reading->arena, &value);
    return value;
}

/* min + step * ceil((asked - min) / step); sums that int64 does not hold are more than any device has. */
static int64_t next_step(struct reading *reading, struct value asked, struct value min, struct value step)
{
    int64_t least = integer_of(reading, min), width = integer_of(reading, step), wanted = integer_of(reading, asked), amount;
    if (width <= 0 || wanted <= least)
        return wanted;
    uint64_t distance = (uint64_t)wanted - (uint64_t)least, steps = distance / (uint64_t)width + (distance % (uint64_t)width != 0);
    bool over = steps > INT64_MAX || __builtin_mul_overflow((int64_t)steps, width, &amount) ||
                __builtin_add_overflow(amount, least, &amount);
    return over ? INT64_MAX : amount;
}

/* The amount that is taken, by the policy of the capacity. */
static void round_up(struct reading *reading, struct match_shortage *s)
{
    struct value policy = match_at(s->capacity, "requestPolicy"), range = match_at(policy, "validRange");
    struct value min = match_at(range, "min"), step = match_at(range, "step");
    s->raised = value_is_set(s->asked) ? s->asked : match_at(policy, "default");
    if (!value_is_set(s->asked))
        return;
    if (value_is_set(min) && compare(reading, s->asked, min) < 0) {
        s->raised = min;
    } else if (value_is_set(min) && value_is_set(step)) {
        s->amount = next_step(reading, s->asked, min, step);
        s->rounded = s->amount != integer_of(reading, s->asked);
    }
    value_each(match_at(policy, "validValues"), value) {
        if (compare(reading, value, s->asked) < 0)
            continue;
        s->raised = value;
        return;
    }
}

/* Compares what is taken with a quantity. */
static int compare_taken(struct reading *reading, const struct match_shortage *s, struct value with)
{
    if (!s->rounded)
        return compare(reading, s->raised, with);
    int64_t other = integer_of(reading, with);
    return (s->amount > other) - (s->amount < other);
}

static enum match_shortage_kind serve(struct reading *reading, struct match_shortage *s)
{
    struct value policy = match_at(s->capacity, "requestPolicy"), values = match_at(policy, "validValues");
    struct value max = match_at(policy, "validRange.max");
    round_up(reading, s);
    if (!value_is_set(s->raised))
        return MATCH_SERVED; /* all that there is */
    if (value_is_set(s->asked) && value_is_set(max) && compare_taken(reading, s, max) > 0)
        return MATCH_ABOVE_MAX;
    if (value_is_set(s->asked) && value_count(values)) {
        bool found = false;
        value_each(values, value)
            found |= compare(reading, value, s->raised) == 0;
        if (!found)
            return MATCH_NO_VALUE;
    }
    return compare_taken(reading, s, match_at(s->capacity, "value")) > 0 ? MATCH_TOO_LITTLE : MATCH_SERVED;
}

/* The last member of that name. */
static struct value entry(struct value map, struct bytes name)
{
    return (struct value){ map.shape ? map.shape->of : NULL, doc_member_named(map.node, name), 0 };
}

static struct bytes find_near(struct value capacities, struct bytes name)
{
    struct nearest nearest = { .wanted = name };
    value_each(capacities, capacity)
        near_consider(&nearest, value_name(capacity));
    return nearest.found;
}

static enum failure find(struct match_world *world, const struct match_device *device, struct value requests,
                         struct match_shortage *shortage)
{
    struct value capacities = match_at(device->value, "capacity");
    struct reading reading = { .arena = &world->evaluation };
    value_each(requests, asked) {
        *shortage = (struct match_shortage){ MATCH_LACKED, .name = value_name(asked), .asked = asked };
        if (value_is_set(entry(capacities, shortage->name)))
            continue;
        shortage->near = find_near(capacities, shortage->name);
        return FAILURE_NONE;
    }
    value_each(capacities, capacity) {
        *shortage = (struct match_shortage){ .name = value_name(capacity), .capacity = capacity };
        shortage->asked = entry(requests, shortage->name);
        shortage->kind = serve(&reading, shortage);
        if (reading.failure || shortage->kind)
            return reading.failure;
    }
    memset(shortage, 0, sizeof *shortage); /* MATCH_SERVED */
    return FAILURE_NONE;
}

enum failure match_capacity_find(struct match_world *world, const struct match_device *device, struct value requests,
                                 struct match_shortage *shortage)
{
    struct value capacities = match_at(device->value, "capacity");
    uint64_t work = 1 + (uint64_t)value_count(requests) * (value_count(capacities) + 1) * 2;
    value_each(capacities, capacity)
        work += 8 + value_count(match_at(capacity, "requestPolicy.validValues"));
    enum failure failure = match_work(world, work * 8);
    arena_clear(&world->evaluation);
    return failure ? failure : find(world, device, requests, shortage);
}

/* ---- words ---- */

/* 80Gi of 85899345920. */
static void add_amount(struct text *text, int64_t amount)
{
    static const char *const suffixes[] = { "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" };
    unsigned i = 0;
    while (i < 6 && amount && amount % 1024 == 0) {
        amount /= 1024;
        i++;
    }
    text_add_integer(text, amount);
    text_add(text, suffixes[i]);
}

static void add_quantity(struct text *text, struct value quantity)
{
    text_add_escaped(text, value_text(quantity), LIMIT_MATCH_VALUE_BYTES);
}

static void add_taken(struct text *text, const struct match_shortage *s)
{
    if (!value_is_set(s->asked)) {
        text_add(text, "a share takes ");
        add_quantity(text, s->raised);
        return;
    }
    text_add(text, "the request asks for ");
    add_quantity(text, s->asked);
    if (s->rounded || s->raised.node != s->asked.node)
        text_add(text, ", rounded up to ");
    if (s->rounded)
        add_amount(text, s->amount);
    else if (s->raised.node != s->asked.node)
        add_quantity(text, s->raised);
}

void match_shortage_add(struct text *text, const struct match_shortage *s)
{
    if (s->kind == MATCH_LACKED) {
        text_add(text, "it has no capacity ");
        text_add_quoted(text, s->name, LIMIT_MATCH_VALUE_BYTES);
        text_add(text, ", and the request asks for ");
        add_quantity(text, s->asked);
        if (s->near.data) {
            text_add(text, "; ");
            near_add_words(text, s->near);
        }
        return;
    }
    text_add(text, "capacity ");
    text_add_quoted(text, s->name, LIMIT_MATCH_VALUE_BYTES);
    text_add(text, " is ");
    add_quantity(text, match_at(s->capacity, "value"));
    text_add(text, ", ");
    add_taken(text, s);
    if (s->kind == MATCH_ABOVE_MAX) {
        text_add(text, "; a request gets at most ");
        add_quantity(text, match_at(s->capacity, "requestPolicy.validRange.max"));
    }
    if (s->kind == MATCH_NO_VALUE)
        text_add(text, "; none of its validValues is as large");
}
