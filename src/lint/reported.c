#include "lint/reported.h"

#include "lint/suppression.h"

bool reported_locks(void *self, const struct problem *problem)
{
    const struct reported *reported = self;
    return selection_locks(reported->selection, reported->file, problem);
}

enum failure reported_apply(struct reported *reported, const struct source *source, struct arena *arena, struct report *report,
                            size_t *suppressed)
{
    const struct suppression_lock lock = { reported_locks, reported };
    *suppressed = 0;
    enum failure failure =
        reported->no_suppressions ? FAILURE_NONE : suppressions_apply(source, &lock, arena, report, suppressed);
    if (!failure)
        selection_apply(reported->selection, reported->file, report);
    return failure;
}
