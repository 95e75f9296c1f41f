/* A webhook must not stand in the way of what the cluster has to do: an object that is being deleted would hang for ever, and
 * so would what owns it or waits for it. The table says where an error only warns. */
#include "review/policy.h"

#include "value/time.h"

/* What a controller changes to let an object go, and what changes by itself with every write. */
static const char *const housekeeping[] = { "finalizers", "ownerReferences", "managedFields", "resourceVersion", "generation", NULL };

static enum failure object_unreadable_before(const struct check_request *request, const struct check_result *result, bool *is)
{
    (void)request;
    *is = result->old_undecodable;
    return FAILURE_NONE;
}

static enum failure being_deleted(const struct check_request *request, const struct check_result *result, bool *is)
{
    (void)result;
    const struct doc_node *timestamp = doc_member(doc_member(request->old, "metadata"), "deletionTimestamp");
    struct instant instant;
    *is = timestamp && timestamp->type == DOC_STRING && instant_read(doc_text(timestamp), &instant) && !instant_is_zero(&instant);
    return FAILURE_NONE;
}

static enum failure housekeeping_only(const struct check_request *request, const struct check_result *result, bool *is)
{
    *is = false;
    return result->undecodable ? FAILURE_NONE : check_changes_only(request, housekeeping, is);
}

/* Situations of an update, tried in this order. */
static enum failure (*const situations[])(const struct check_request *request, const struct check_result *result, bool *is) = {
    object_unreadable_before,
    being_deleted,
    housekeeping_only,
};

enum failure policy_may_deny(enum review_policy policy, const struct check_request *request, const struct check_result *result, bool *deny)
{
    *deny = policy != REVIEW_OBSERVE;
    if (policy != REVIEW_ENFORCE || !request->old)
        return FAILURE_NONE;
    for (size_t i = 0; i < sizeof situations / sizeof *situations; i++) {
        bool is = false;
        enum failure failure = situations[i](request, result, &is);
        if (failure)
            return failure;
        if (is) {
            *deny = false;
            return FAILURE_NONE;
        }
    }
    return FAILURE_NONE;
}
