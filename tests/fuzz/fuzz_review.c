/* libFuzzer target: a whole review, validated, answered in both forms, exactly, with ratchets, with every rule raised, and without a version.
 * The first byte chooses the version, and how feature gates are set. */
#include <stdlib.h>

#include "base/limits.h"
#include "review/policy.h"
#include "validate/context.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static enum review_outcome validate(struct workspace *workspace, enum review_profile profile, const struct policies *policies, uint8_t choice, struct bytes body)
{
    const struct review_settings settings = {
        .version = (minor)(MINOR_OLDEST + (choice & 0x7F) % (MINOR_NEWEST - MINOR_OLDEST + 1)),
        .gates = choice & 0x80 ? (struct gate_settings){ .on = 0 } : gates_of_webhook(),
        .profile = profile,
        .policies = policies,
    };
    struct review review;
    review_validate(workspace, &settings, body, 0, true, &review);
    require(review.offset <= body.length && review.end <= body.length);
    if (review.outcome == REVIEW_BAD || review.outcome == REVIEW_TOO_LARGE || review.outcome == REVIEW_FAILED) {
        require(review.message != NULL);
        return review.outcome;
    }
    char *json = review_response(workspace, &review);
    const char *text = review_text(workspace, &review);
    require(json && text && strstr(json, review.outcome == REVIEW_DENIED ? "\"allowed\":false" : "\"allowed\":true"));
    free(json);
    return review.outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct context context;
    static struct workspace workspace;
    static bool ready;
    if (!ready)
        ready = context_init(&context, &memory_malloc) == FAILURE_NONE && workspace_init(&workspace, &context) == FAILURE_NONE;
    require(ready);
    if (size == 0 || size > LIMIT_BODY_BYTES)
        return 0;
    struct bytes body = { (const char *)data + 1, (uint32_t)size - 1 };
    bool rules[RULE_COUNT];
    memset(rules, true, sizeof rules);
    const struct bytes every = BYTES("spec");
    const struct policy policy[] = { { .rules = rules, .fields = &every, .field_count = 1 }, { .rules = rules } };
    const struct policies policies = { policy, 2, true };
    enum review_outcome exact = validate(&workspace, PROFILE_API_SERVER, NULL, data[0], body), enforced = validate(&workspace, PROFILE_WEBHOOK, NULL, data[0], body),
                        raised = validate(&workspace, PROFILE_WEBHOOK, &policies, data[0], body), observed = validate(&workspace, PROFILE_UNKNOWN_VERSION, NULL, data[0], body);
    require(enforced != REVIEW_DENIED || raised == REVIEW_DENIED);
    require(observed != REVIEW_DENIED && (enforced != REVIEW_DENIED || exact == REVIEW_DENIED) && exact != REVIEW_FAILED);
    return 0;
}
