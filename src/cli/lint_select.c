/* Which findings drawbridge lint reports: comments, options, policies and baselines decide. */
#include "cli/lint_run.h"
#include "lint/reported.h"

enum failure lint_select(const struct lint_selecting *about, const struct source *source, struct report *report, size_t *suppressed)
{
    const char *path = lint_configs_absolute(about->configs, source->name, about->words);
    struct reported reported = { about->selection, bytes_of(path ? path : ""), about->no_suppressions };
    const struct suppression_lock lock = { reported_locks, &reported };
    size_t count = 0;
    if (!path)
        return FAILURE_MEMORY;
    enum failure failure = reported_apply(&reported, source, about->reports, report, &count);
    if (!failure)
        failure = (about->only_looks ? lint_baseline_look : lint_baseline_take)(about->baseline, path, &lock, about->reports, report);
    *suppressed += count;
    return failure;
}
