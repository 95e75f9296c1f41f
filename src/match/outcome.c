/* What becomes of a request, in words for people and for programs. */
#include "match/report.h"

#include "base/limits.h"
#include "base/near.h"

const char *match_outcome_name(enum match_outcome outcome)
{
    static const char *const names[] = {
        [MATCH_ENOUGH] = "enough",
        [MATCH_TOO_FEW] = "too-few",
        [MATCH_SPREAD] = "too-few-on-a-node",
        [MATCH_TOO_MANY] = "too-many",
        [MATCH_KEPT_OUT] = "not-all",
        [MATCH_ABORTED] = "selector-fails",
        [MATCH_BAD_SELECTOR] = "selector-refused",
        [MATCH_NO_CLASS] = "class-missing",
        [MATCH_NO_MODE] = "mode-unknown",
    };
    return names[outcome];
}

const char *match_reason_name(unsigned reason)
{
    static const char *const names[] = {
        [MATCH_FITS] = "match",
        [MATCH_OLD_SLICE] = "old-generation",
        [MATCH_OTHER_NODE] = "other-node",
        [MATCH_REFUSED] = "selector-false",
        [MATCH_ERROR] = "selector-fails",
        [MATCH_CAPACITY] = "capacity",
        [MATCH_INCOMPLETE] = "pool-incomplete",
        [MATCH_INVALID] = "pool-invalid",
        [MATCH_TAINTED] = "taint",
    };
    return names[reason];
}

static void add_count(struct text *text, int64_t count, const char *noun)
{
    text_add_integer(text, count);
    text_add(text, " ");
    text_add(text, noun);
    text_add(text, count == 1 ? "" : "s");
}

/* Devices that only lack what can be mended beside the selectors: what a person looks at first. */
static void add_nearly(struct text *text, const struct match_request *request)
{
    static const struct {
        enum match_reason reason;
        const char *words;
    } nearly[] = {
        { MATCH_CAPACITY, "without the capacity" },
        { MATCH_INCOMPLETE, "of an incomplete pool" },
        { MATCH_INVALID, "of an invalid pool" },
        { MATCH_TAINTED, "tainted" },
    };
    const char *before = "; the selectors also take ";
    for (size_t i = 0; i < sizeof nearly / sizeof *nearly; i++) {
        uint32_t count = request->counts[nearly[i].reason];
        if (!count)
            continue;
        text_add(text, before);
        text_add_integer(text, count);
        text_add(text, " ");
        text_add(text, nearly[i].words);
        before = ", ";
    }
}

static void add_too_few(struct text *text, const struct match_request *request)
{
    uint32_t fit = request->counts[MATCH_FITS];
    text_add(text, "not enough: ");
    if (fit)
        add_count(text, fit, "device");
    else
        text_add(text, "no device");
    text_add(text, fit > 1 ? " match" : " matches");
    add_nearly(text, request);
}

static void add_spread(struct text *text, const struct match_request *request)
{
    text_add(text, "not enough on one node: ");
    text_add_integer(text, request->on_best);
    if (request->best.data) {
        text_add(text, " on ");
        text_add_quoted(text, request->best, LIMIT_QUOTE_BYTES);
        text_add(text, ", and no other has more");
    }
}

static void add_kept_out(struct text *text, const struct match_request *request)
{
    uint32_t tainted = request->counts[MATCH_TAINTED];
    text_add(text, "not possible: mode All needs every device that the selectors take, and ");
    if (tainted) {
        text_add_integer(text, tainted);
        text_add(text, tainted == 1 ? " of them is tainted" : " of them are tainted");
    } else {
        text_add(text, "a pool is incomplete or invalid");
    }
}

static void add_bad_selector(struct text *text, const struct match_request *request)
{
    const struct match_selector *bad = request->bad;
    text_add(text, "an API server refuses selectors[");
    text_add_integer(text, bad->index);
    text_add(text, bad->of_class ? "] of the class: " : "]: ");
    text_add_escaped(text, bytes_of(bad->expression ? bad->expression->fault : "it has no expression"), LIMIT_ERROR_BYTES);
}

static void add_no_class(struct text *text, const struct match_request *request)
{
    if (!request->class_name.length) {
        text_add(text, "it names no class where this API version has it: v1 and v1beta2 in exactly, v1beta1 in the request itself");
        return;
    }
    text_add(text, "no such DeviceClass is given");
    if (request->near.data) {
        text_add(text, "; ");
        near_add_words(text, request->near);
    }
}

void match_outcome_add(const struct match_request *request, struct text *text)
{
    switch (request->outcome) {
    case MATCH_TOO_FEW:
        add_too_few(text, request);
        break;
    case MATCH_SPREAD:
        add_spread(text, request);
        break;
    case MATCH_TOO_MANY:
        text_add(text, "not possible: a claim can have at most 32 devices");
        break;
    case MATCH_KEPT_OUT:
        add_kept_out(text, request);
        break;
    case MATCH_ABORTED:
        text_add(text, "not possible: a selector fails on ");
        add_count(text, request->counts[MATCH_ERROR], "device");
        text_add(text, ", which ends the allocation of the whole claim");
        break;
    case MATCH_BAD_SELECTOR:
        add_bad_selector(text, request);
        break;
    case MATCH_NO_CLASS:
        add_no_class(text, request);
        break;
    case MATCH_NO_MODE:
        text_add(text, "its allocationMode is not known");
        break;
    default:
        text_add(text, "enough");
    }
}
