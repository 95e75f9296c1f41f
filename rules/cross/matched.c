/* Selectors and requests against the devices of the slices that are given, by evaluation: what the trees of expressions leave open.
 * Source: k8s.io/dynamic-resource-allocation v0.35.4 structured/internal/stable/allocator_stable.go selectorsMatch(). */
#include "check/matched.h"

#include "rules/cross/common.h"

enum { NAME_BYTES = 64, KEY_BYTES = 320 };

/* The request or class that is so many objects further out. False: nothing is known of it. */
static bool find(struct cross *cross, unsigned levels, struct matched *matched)
{
    static const struct bytes none = { NULL, 0 };
    struct value own = cross_outer(cross, levels), request = cross_outer(cross, levels + 1);
    if (!value_has(own, "deviceClassName"))
        return cross_matched(cross, none, none, matched);
    struct bytes choice = value_has(own, "name") ? value_text_at(cross, own, "name") : none;
    return cross_matched(cross, value_text_at(cross, request, "name"), choice, matched);
}

/* ---- selectors ---- */

/* Whether it is the selector at the row's place that decides, and nothing else was found there. */
static bool is_here(struct cross *cross, const struct matched_reason *reason)
{
    return reason->count && reason->selector == cross_outer(cross, 1).index && !cross_is_reported(cross);
}

static const struct indexed *other_of(const struct matched_reason *reason)
{
    return reason->at.object ? &reason->at : NULL;
}

/* "…: 5 wrong model, 1 too little memory; "gpu-0": device.… is "t4", the selector asks for "a100"". */
static void add_reasons(struct text *text, const struct matched *matched)
{
    text_add(text, ": ");
    text_add(text, matched->sums);
    text_add(text, "; ");
    text_add_quoted(text, matched->refused.device, NAME_BYTES);
    text_add(text, ": ");
    text_add(text, matched->refused.why);
}

/* On an expression. The ARGUMENT tells a request of which others to choose from have devices. */
void cross_selector_matches(struct cross *cross)
{
    struct matched matched;
    bool replaced = cross_argument(cross);
    if (!find(cross, 2, &matched) || !matched.whole || matched.selected || matched.replaced != replaced ||
        !is_here(cross, &matched.refused))
        return;
    struct text text = cross_text(cross);
    text_add(&text, "matches none of the ");
    text_add_integer(&text, matched.devices);
    text_add(&text, " devices of driver ");
    text_add_quoted(&text, matched.driver, NAME_BYTES);
    text_add(&text, " that are given");
    add_reasons(&text, &matched);
    cross_report(cross, (struct cross_report){ .text = &text, .other = other_of(&matched.refused) });
}

/* On an expression: the scheduler gives up the whole claim where an evaluation fails. */
void cross_selector_evaluates(struct cross *cross)
{
    struct matched matched;
    if (!find(cross, 2, &matched) || !is_here(cross, &matched.failed))
        return;
    struct text text = cross_text(cross);
    text_add(&text, "ends the allocation at device ");
    text_add_quoted(&text, matched.failed.device, NAME_BYTES);
    text_add(&text, ": ");
    text_add(&text, matched.failed.why);
    if (matched.failed.instead) {
        text_add(&text, "; ask for it first: ");
        text_add(&text, matched.failed.instead);
    }
    cross_report(cross, (struct cross_report){ .text = &text, .other = other_of(&matched.failed) });
}

/* ---- numbers ---- */

/* "; "gpu-0": nothing tolerates its taint acme.dev/hot:NoSchedule; to take such devices, write tolerations: [{key: …}]" */
static void add_kept(struct text *text, const struct matched *matched)
{
    text_add(text, "; ");
    text_add_quoted(text, matched->kept.device, NAME_BYTES);
    text_add(text, ": ");
    text_add(text, matched->kept.why);
    if (!matched->taint.length)
        return;
    text_add(text, "; to take such devices, write tolerations: [{key: ");
    text_add_escaped(text, matched->taint, KEY_BYTES);
    text_add(text, ", operator: Exists, effect: ");
    text_add_escaped(text, matched->effect, NAME_BYTES);
    text_add(text, "}]");
}

static void report_supply(struct cross *cross, const struct matched *matched)
{
    struct text text = cross_text(cross);
    bool all = matched->supply == MATCHED_KEPT_OUT;
    text_add(&text, "asks for ");
    if (all)
        text_add(&text, "all");
    else
        text_add_integer(&text, matched->wanted);
    text_add(&text, " of the ");
    text_add_integer(&text, all ? matched->selected : matched->devices);
    text_add(&text, " devices of driver ");
    text_add_quoted(&text, matched->driver, NAME_BYTES);
    text_add(&text, all ? " that its selectors select, and " : " that are given, and ");
    text_add_integer(&text, matched->fit);
    text_add(&text, matched->fit == 1 ? " fits" : " fit");
    if (matched->supply == MATCHED_SPREAD && matched->best.data) {
        text_add(&text, ", at most ");
        text_add_integer(&text, matched->on_best);
        text_add(&text, " on one node, ");
        text_add_quoted(&text, matched->best, NAME_BYTES);
    }
    text_add(&text, matched->sums[0] ? ": " : "");
    text_add(&text, matched->sums);
    if (matched->kept.count)
        add_kept(&text, matched);
    cross_report(cross, (struct cross_report){
        .beside = all ? "allocationMode" : NULL, .text = &text, .other = other_of(&matched->kept),
    });
}

/* On count. That there are too few devices by number alone, and that selectors match none, is said by other rows. */
void cross_request_supplied(struct cross *cross)
{
    struct matched matched;
    if (!find(cross, 0, &matched) || !matched.whole || !matched.first || matched.supply == MATCHED_ENOUGH)
        return;
    bool by_number = matched.supply != MATCHED_KEPT_OUT && matched.wanted > matched.devices;
    if (matched.selected && !by_number && (!matched.shared || !matched.fit)) /* what is shared may serve several of them */
        report_supply(cross, &matched);
}
