#include "observe/history.h"

#include <stdlib.h>
#include <string.h>

static void add_verdicts(const struct metrics_totals *totals, uint64_t verdicts[METRICS_VERDICTS])
{
    for (int operation = 0; operation < METRICS_OPERATIONS; operation++)
        for (int kind = 0; kind < METRICS_KINDS; kind++)
            for (int verdict = 0; verdict < METRICS_VERDICTS; verdict++)
                verdicts[verdict] += totals->reviews[operation][kind][verdict];
}

static void sum_now(const struct history *history, struct history_sums *sums)
{
    struct metrics_totals totals;
    metrics_sum(history->metrics, &totals);
    *sums = (struct history_sums){ .verdicts = { 0 } };
    add_verdicts(&totals, sums->verdicts);
    memcpy(sums->findings, totals.findings, sizeof sums->findings);
    memcpy(sums->durations, totals.durations, sizeof sums->durations);
    memcpy(sums->rejections, totals.rejections, sizeof sums->rejections);
    memcpy(sums->demotions, totals.demotions, sizeof sums->demotions);
}

int history_init(struct history *history, struct metrics *metrics)
{
    history->metrics = metrics;
    return pthread_mutex_init(&history->lock, NULL);
}

void history_done(struct history *history)
{
    pthread_mutex_destroy(&history->lock);
}

void history_turn(struct history *history)
{
    pthread_mutex_lock(&history->lock);
    history->minute++;
    sum_now(history, &history->sums[history->minute % HISTORY_SUMS]);
    memset(history->slow[history->minute % LIMIT_HISTORY_MINUTES], 0, sizeof *history->slow);
    atomic_store_explicit(&history->threshold, 0, memory_order_relaxed);
    pthread_mutex_unlock(&history->lock);
}

/* ---- slow reviews ---- */

/* Puts it in its place of a list that is in order; the last one falls out. */
static void insert(struct slow_review *list, unsigned count, const struct slow_review *review)
{
    unsigned at = count;
    while (at && list[at - 1].nanoseconds < review->nanoseconds)
        at--;
    if (at == count)
        return;
    memmove(&list[at + 1], &list[at], (count - 1 - at) * sizeof *list);
    list[at] = *review;
}

void history_record(struct history *history, const struct slow_review *review)
{
    if (review->nanoseconds <= atomic_load_explicit(&history->threshold, memory_order_relaxed))
        return;
    pthread_mutex_lock(&history->lock);
    struct slow_review *list = history->slow[history->minute % LIMIT_HISTORY_MINUTES];
    insert(list, LIMIT_SLOW_REVIEWS, review);
    atomic_store_explicit(&history->threshold, list[LIMIT_SLOW_REVIEWS - 1].nanoseconds, memory_order_relaxed);
    pthread_mutex_unlock(&history->lock);
}

/* ---- the view ---- */

/* What came between two moments. Both structs are nothing but counters. */
static void subtract(const struct history_sums *after, const struct history_sums *before, struct history_sums *difference)
{
    const uint64_t *a = (const uint64_t *)after, *b = (const uint64_t *)before;
    uint64_t *d = (uint64_t *)difference;
    for (size_t i = 0; i < sizeof *after / sizeof *a; i++)
        d[i] = a[i] - b[i];
}

void history_view(struct history *history, struct history_view *view)
{
    struct history_sums now;
    *view = (struct history_view){ .minutes = 0 };
    pthread_mutex_lock(&history->lock);
    sum_now(history, &now); /* inside, so that no moment is later than now */
    uint64_t last = history->minute, first = last < LIMIT_HISTORY_MINUTES - 1 ? 0 : last - (LIMIT_HISTORY_MINUTES - 1);
    view->minutes = (unsigned)(last - first) + 1;
    for (uint64_t minute = first; minute <= last; minute++) {
        const struct history_sums *begin = &history->sums[minute % HISTORY_SUMS];
        const struct history_sums *end = minute == last ? &now : &history->sums[(minute + 1) % HISTORY_SUMS];
        for (int verdict = 0; verdict < METRICS_VERDICTS; verdict++)
            view->verdicts[minute - first][verdict] = end->verdicts[verdict] - begin->verdicts[verdict];
        for (unsigned i = 0; i < LIMIT_SLOW_REVIEWS; i++)
            insert(view->slow, HISTORY_SLOW, &history->slow[minute % LIMIT_HISTORY_MINUTES][i]);
    }
    subtract(&now, &history->sums[first % HISTORY_SUMS], &view->all);
    pthread_mutex_unlock(&history->lock);
}
