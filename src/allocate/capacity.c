/* Source: k8s.io/dynamic-resource-allocation v0.36.3 structured/internal/experimental/consumable_capacity.go. */
#include "allocate/attempt.h"
#include "allocate/result.h"

/* What a request comes to; what it cannot be counted for, since 1.37. */
enum counted {
    COUNTED,
    COUNTED_TOO_MUCH,  /* it is more than int64 holds */
    COUNTED_TOO_FAR,   /* the next step is */
    COUNTED_TOO_FINE,  /* it is no number of thousandths */
    COUNTED_BEYOND,    /* the next step is no number of thousandths that int64 holds */
    COUNTED_NEGATIVE,
};

/* The number of units, rounded up. */
static amount_nano units_of(const struct amount *amount, amount_nano unit)
{
    return amount->nano / unit + (amount->nano > 0 && amount->nano % unit);
}

/* min + step * ceil((asked - min) / step), in whole numbers or in thousandths. */
static enum counted next_step(bool strict, const struct amount *asked, const struct allocate_policy *policy, struct amount *taken)
{
    bool fine = policy->unit == AMOUNT_MILLI;
    amount_nano least = units_of(&policy->min, policy->unit), width = units_of(&policy->step, policy->unit);
    if (fine && !amount_is_milli(asked))
        return COUNTED_TOO_FINE;
    amount_nano wanted = units_of(asked, policy->unit);
    if (strict && wanted > INT64_MAX)
        return COUNTED_TOO_MUCH;
    *taken = *asked;
    if (width <= 0)
        return COUNTED;
    amount_nano units = least + width * ((wanted - least + width - 1) / width);
    if (strict && units > INT64_MAX)
        return fine ? COUNTED_BEYOND : COUNTED_TOO_FAR;
    /* releases that are not strict go on with what int64 has left of it */
    *taken = amount_of_units((int64_t)(uint64_t)units, policy->unit, strict ? policy->step.notation : AMOUNT_BINARY);
    return COUNTED;
}

static const struct amount *find_asked(const struct allocate_ask *ask, uint32_t name)
{
    for (uint32_t i = 0; i < ask->asked_count; i++)
        if (ask->asked[i].name == name)
            return &ask->asked[i].amount;
    return NULL;
}

static enum counted count(bool strict, const struct allocate_capacity *capacity, const struct amount *asked, struct amount *taken)
{
    const struct allocate_policy *policy = capacity->policy;
    if (!asked) {
        *taken = policy && policy->has_default ? policy->default_amount : capacity->value;
        return COUNTED;
    }
    *taken = *asked;
    if (!policy)
        return COUNTED;
    if (policy->has_min) {
        if (asked->nano < policy->min.nano)
            *taken = policy->min;
        else if (policy->has_step)
            return next_step(strict, asked, policy, taken);
        return COUNTED;
    }
    for (uint32_t i = 0; i < policy->value_count; i++)
        if (asked->nano <= policy->values[i].nano) {
            *taken = policy->values[i];
            break;
        }
    return COUNTED;
}

struct amount allocate_taken(const struct allocate_world *world, const struct allocate_capacity *capacity, const struct allocate_ask *ask)
{
    struct amount taken = { .nano = 0 };
    (void)count(world->mode.strict_capacity, capacity, find_asked(ask, capacity->name), &taken);
    return taken;
}

static bool is_off_grid(const struct allocate_policy *policy, const struct amount *taken)
{
    amount_nano width = policy->has_step ? units_of(&policy->step, policy->unit) : 0;
    if (!width)
        return false;
    if (policy->unit == AMOUNT_MILLI && !amount_is_milli(taken))
        return true;
    amount_nano above = units_of(taken, policy->unit) - units_of(&policy->min, policy->unit);
    return (int64_t)(uint64_t)above % width; /* as int64 has it */
}

bool allocate_is_against(const struct allocate_policy *policy, const struct amount *taken)
{
    if (!policy)
        return false;
    if (policy->has_default && amount_is_same(&policy->default_amount, taken))
        return false;
    if (policy->has_range)
        return (policy->has_max && taken->nano > policy->max.nano) || is_off_grid(policy, taken);
    for (uint32_t i = 0; i < policy->value_count; i++)
        if (policy->values[i].nano == taken->nano)
            return false;
    return policy->value_count;
}

/* ---- errors ---- */

static void add_reason(struct text *text, enum counted counted, const struct amount *asked)
{
    static const struct {
        const char *before, *after;
    } words[] = {
        [COUNTED_TOO_MUCH] = { "request ", " exceeds MaxInt64" },
        [COUNTED_TOO_FAR] = { "rounding request ", " up to the next step passes MaxInt64" },
        [COUNTED_TOO_FINE] = { "request ", " is not a representable milli value" },
        [COUNTED_BEYOND] = { "rounding request ", " up to the next step passes the milli-value range" },
    };
    if (counted == COUNTED_NEGATIVE) {
        text_add(text, "capacity value is negative");
        return;
    }
    text_add(text, "capacity request cannot be represented in the device's range arithmetic: ");
    text_add(text, words[counted].before);
    amount_add_text(text, asked);
    text_add(text, words[counted].after);
}

/* `whole`: the device is named with its driver and pool. */
static enum allocate_outcome refuse(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                                    const struct allocate_device *device, bool whole, uint32_t number, enum counted counted)
{
    const struct allocate_capacity *capacity = &device->capacities[number];
    struct text text = allocate_error_begin(attempt, claim);
    text_add(&text, ", request ");
    text_add_bytes(&text, ask->name);
    text_add(&text, ": checking capacity for device ");
    if (whole)
        allocate_device_add_id(&text, device);
    else
        text_add_bytes(&text, device->name);
    text_add(&text, ": capacity ");
    allocate_json_add_text(&text, names_text(&attempt->world->names, capacity->name));
    text_add(&text, ": ");
    add_reason(&text, counted, find_asked(ask, capacity->name));
    return allocate_error_end(attempt, ALLOCATE_FATAL, &text);
}

/* ---- fitting ---- */

/* What shares take of a capacity: those that are allocated, and those that are being allocated. */
static amount_nano in_use(const struct allocate_device *device, uint32_t number)
{
    const struct allocate_identity *identity = device->identity;
    amount_nano sum = identity->taking && identity->sums ? identity->sums[number] : 0;
    for (uint32_t i = 0; i < identity->part_count; i++)
        if (identity->parts[i].name == device->capacities[number].name)
            return sum + identity->parts[i].nano;
    return sum;
}

enum allocate_outcome allocate_fits(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                                    const struct allocate_device *device, bool empty, bool *fits)
{
    bool strict = attempt->world->mode.strict_capacity;
    uint32_t found = 0;
    attempt->looks += device->capacity_count * (ask->asked_count + 1ull);
    for (uint32_t i = 0; i < device->capacity_count && ask->asked_count; i++)
        found += find_asked(ask, device->capacities[i].name) != NULL;
    *fits = found == ask->asked_count;
    bool lacks = !*fits;
    if (lacks)
        allocate_refuse(attempt, REFUSED_LACKING, 0);
    for (uint32_t i = 0; i < device->capacity_count && !lacks && (*fits || strict); i++) {
        const struct allocate_capacity *capacity = &device->capacities[i];
        struct amount taken = { .nano = 0 };
        enum counted counted = count(strict, capacity, find_asked(ask, capacity->name), &taken);
        if (strict && (counted || taken.nano < 0))
            return refuse(attempt, claim, ask, device, !empty, i, counted ? counted : COUNTED_NEGATIVE);
        bool against = allocate_is_against(capacity->policy, &taken);
        if (*fits && (against || taken.nano + (empty ? 0 : in_use(device, i)) > capacity->value.nano)) {
            *fits = false;
            allocate_refuse(attempt, against ? REFUSED_POLICY : REFUSED_FULL, capacity->name);
        }
    }
    return ALLOCATE_DONE;
}
