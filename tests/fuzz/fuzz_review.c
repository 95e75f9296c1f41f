/* libFuzzer target: a whole review, judged, answered in both forms, exactly, with ratchets, with every rule raised, and without a version.
 * The first byte chooses the version. */
#include <stdlib.h>

#include "base/limits.h"
#include "review/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static enum review_outcome judge(struct worker *worker, enum review_policy policy, const struct policies *policies, minor version, struct bytes body)
{
    const struct review_settings settings = { .version = version, .policy = policy, .policies = policies };
    struct review review;
    review_judge(worker, &settings, body, 0, true, &review);
    require(review.offset <= body.length && review.end <= body.length);
    if (review.outcome == REVIEW_BAD || review.outcome == REVIEW_TOO_LARGE || review.outcome == REVIEW_FAILED) {
        require(review.message != NULL);
        return review.outcome;
    }
    char *json = review_response(worker, &review);
    const char *text = review_text(worker, &review);
    require(json && text && strstr(json, review.outcome == REVIEW_DENIED ? "\"allowed\":false" : "\"allowed\":true"));
    free(json);
    return review.outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct context context;
    static struct worker worker;
    static bool ready;
    if (!ready)
        ready = context_init(&context, &memory_malloc) == FAILURE_NONE && worker_init(&worker, &context) == FAILURE_NONE;
    require(ready);
    if (size == 0 || size > LIMIT_BODY_BYTES)
        return 0;
    minor version = (minor)(MINOR_OLDEST + data[0] % (MINOR_NEWEST - MINOR_OLDEST + 1));
    struct bytes body = { (const char *)data + 1, (uint32_t)size - 1 };
    bool rules[RULE_COUNT];
    memset(rules, true, sizeof rules);
    const struct bytes every = BYTES("spec");
    const struct policy policy[] = { { .rules = rules, .fields = &every, .field_count = 1 }, { .rules = rules } };
    const struct policies policies = { policy, 2, true };
    enum review_outcome exact = judge(&worker, REVIEW_EXACT, NULL, version, body), enforced = judge(&worker, REVIEW_ENFORCE, NULL, version, body),
                        raised = judge(&worker, REVIEW_ENFORCE, &policies, version, body), observed = judge(&worker, REVIEW_OBSERVE, NULL, version, body);
    require(enforced != REVIEW_DENIED || raised == REVIEW_DENIED);
    require(observed != REVIEW_DENIED && (enforced != REVIEW_DENIED || exact == REVIEW_DENIED) && exact != REVIEW_FAILED);
    return 0;
}
