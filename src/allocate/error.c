/* How attempts end without an answer. */
#include "allocate/attempt.h"

enum allocate_outcome allocate_fail(struct allocate_attempt *attempt, enum failure failure)
{
    attempt->failure = failure;
    return ALLOCATE_FAILED;
}

struct text allocate_error_begin(struct allocate_attempt *attempt, const struct allocate_claim *claim)
{
    struct text text;
    text_init(&text, &attempt->arena);
    if (claim) {
        text_add(&text, "claim ");
        allocate_claim_add_name(&text, claim);
    }
    return text;
}

enum allocate_outcome allocate_error_end(struct allocate_attempt *attempt, enum allocate_outcome outcome, struct text *text)
{
    attempt->error = text_end(text);
    return attempt->error ? outcome : allocate_fail(attempt, attempt->arena.failure);
}
