/* The valid range of a request policy since 1.37: all of it is counted in thousandths where anything in it has a fraction, if the feature
 * gate DRAFractionalCapacityRange is on; else fractions are rounded up.
 * Source: k8s.io/kubernetes v1.37.1 pkg/apis/resource/validation/validation.go validateRequestPolicyRange. */
#include "rules/cross/common.h"

enum { MIN, MAX, STEP, DEFAULT_AMOUNT, AMOUNTS };

static const char *const names[AMOUNTS] = { "min", "max", "step", "../default" };

struct range {
    struct value amounts[AMOUNTS];
    int64_t numbers[AMOUNTS];
    bool unusable[AMOUNTS]; /* it is no int64, in thousandths where these count, or else below 0 */
    bool thousandths, any_unusable;
};

/* On min. */
static void read_range(struct cross *cross, struct range *range)
{
    bool fractions = cross_gate_is_on(cross, "DRAFractionalCapacityRange");
    *range = (struct range){ .thousandths = false };
    for (unsigned i = 0; i < AMOUNTS; i++) {
        range->amounts[i] = cross_sibling(cross, names[i]);
        range->thousandths |= fractions && value_is_fraction(cross, range->amounts[i]);
    }
    if (!range->thousandths && value_sign(cross, range->amounts[STEP]) <= 0)
        return; /* without steps, numbers are only compared */
    for (unsigned i = 0; i < AMOUNTS; i++) {
        bool is_number = value_scaled(cross, range->amounts[i], range->thousandths ? 3 : 0, &range->numbers[i]);
        if (!is_number && !fractions && value_is_fraction(cross, range->amounts[i])) {
            range->numbers[i] = value_rounded(cross, range->amounts[i]);
            is_number = value_sign(cross, range->amounts[i]) > 0;
        }
        range->unusable[i] = !is_number || (!range->thousandths && range->numbers[i] < 0);
        range->any_unusable |= range->unusable[i];
    }
}

/* Reports what steps cannot be counted in: the argument says whether the "default" of the policy is meant, or what is in the "range". */
void cross_range_amounts(struct cross *cross)
{
    struct range range;
    read_range(cross, &range);
    if (strcmp(cross_argument(cross), "default") == 0) {
        if (range.unusable[DEFAULT_AMOUNT])
            cross_report(cross, (struct cross_report){ 0 });
        return;
    }
    for (unsigned i = MIN; i <= STEP; i++)
        if (range.unusable[i])
            cross_report(cross, (struct cross_report){ .beside = names[i], .quoted = true });
}

static bool is_off_grid(const struct range *range, unsigned amount)
{
    uint64_t distance = (uint64_t)range->numbers[amount] - (uint64_t)range->numbers[MIN]; /* wraps, as in Go */
    return value_is_set(range->amounts[amount]) && (int64_t)distance % range->numbers[STEP] != 0;
}

void cross_range_steps(struct cross *cross)
{
    struct range range;
    const char *why = NULL;
    read_range(cross, &range);
    struct value step = range.amounts[STEP];
    if (!value_is_set(step) || (range.thousandths && range.any_unusable))
        return;
    if (value_sign(cross, step) <= 0)
        why = "must be more than 0";
    else if (value_compare_sum(cross, range.amounts[MIN], step, cross_sibling(cross, "../../value")) > 0)
        why = "min plus one step must not be more than the capacity";
    else if (!range.any_unusable && is_off_grid(&range, DEFAULT_AMOUNT))
        why = "the default must be min plus a whole number of steps";
    else if (!range.any_unusable && is_off_grid(&range, MAX))
        why = "max must be min plus a whole number of steps";
    if (why)
        cross_report(cross, (struct cross_report){ .beside = "step", .quoted = true, .detail = why });
}
