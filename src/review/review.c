#include "review/review.h"

#include "review/envelope.h"
#include "review/policy.h"

/* CREATE, UPDATE or STATUS; 0 for an operation that is not validated. */
static unsigned operation_of(const struct review *review)
{
    bool status = bytes_equal_text(review->sub_resource, "status"), update = bytes_equal_text(review->operation, "UPDATE");
    if (status)
        return update ? STATUS : 0;
    if (review->sub_resource.length)
        return 0;
    return update ? UPDATE : bytes_equal_text(review->operation, "CREATE") ? CREATE : 0;
}

static enum review_outcome outcome_of(enum failure failure)
{
    return failure == FAILURE_LIMIT ? REVIEW_TOO_LARGE : REVIEW_FAILED;
}

static enum failure validate(struct workspace *workspace, const struct review_settings *settings, const struct envelope *envelope,
                             unsigned operation, struct review *review)
{
    struct check_request request = policy_request(settings, workspace);
    request.operation = operation;
    request.kind = envelope->kind;
    request.old_kind = envelope->old_kind;
    request.document = request.old_document = &envelope->document;
    request.object = envelope->object;
    request.old = operation == CREATE ? NULL : envelope->old;
    request.options = OLD_FROM_SERVER;
    struct check_result result;
    enum failure failure = validate_object(&request, &result);
    return failure ? failure : policy_answer(settings, envelope->space, &request, &result, review);
}

void review_validate(struct workspace *workspace, const struct review_settings *settings, struct bytes body, uint32_t start, bool alone,
                     struct review *review)
{
    struct envelope envelope;
    workspace_clear(workspace);
    *review = (struct review){ .outcome = REVIEW_FAILED };
    if (!envelope_read(workspace, settings->version, body, start, alone, &envelope, review))
        return;
    unsigned operation = operation_of(review);
    if (!envelope.kind || !operation) {
        review->outcome = REVIEW_SKIPPED;
        return;
    }
    enum failure failure = validate(workspace, settings, &envelope, operation, review);
    if (failure) {
        review->outcome = outcome_of(failure);
        review->message = failure_text(failure);
        review->offset = envelope.object->offset;
    }
}
