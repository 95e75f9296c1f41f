/* Which findings drawbridge lint reports: comments, options and policies decide. */
#include "cli/lint_run.h"
#include "lint/suppression.h"

struct locking {
    const struct selection *selection;
    struct bytes file;
};

static bool is_locked(void *self, const struct problem *problem)
{
    const struct locking *locking = self;
    return selection_locks(locking->selection, locking->file, problem);
}

enum failure lint_select(const struct lint_selecting *about, const struct source *source, struct report *report, size_t *suppressed)
{
    const char *path = lint_configs_absolute(about->configs, source->name, about->words);
    struct locking locking = { about->selection, bytes_of(path ? path : "") };
    const struct suppression_lock lock = { is_locked, &locking };
    size_t count = 0;
    if (!path)
        return FAILURE_MEMORY;
    enum failure failure =
        about->no_suppressions ? FAILURE_NONE : suppressions_apply(source, &lock, false, about->reports, report, &count);
    if (!failure)
        selection_apply(about->selection, locking.file, report);
    if (!failure)
        failure = (about->only_looks ? lint_baseline_look : lint_baseline_take)(about->baseline, path, is_locked, &locking, report);
    *suppressed += count;
    return failure;
}
