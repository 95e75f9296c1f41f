#include "observe/metrics.h"

#include <stddef.h>

#define LABEL(id, label) label,
const char *const metrics_verdict_labels[METRICS_VERDICTS] = { METRICS_VERDICTS_TABLE(LABEL) };
const char *const metrics_operation_labels[METRICS_OPERATIONS] = { METRICS_OPERATIONS_TABLE(LABEL) };
const char *const metrics_rejection_labels[METRICS_REJECTIONS] = { METRICS_REJECTIONS_TABLE(LABEL) };
const char *const metrics_demotion_labels[REVIEW_DEMOTIONS] = {
    [DEMOTED_BY_VERSION] = "version", [DEMOTED_BY_MODE] = "mode", [DEMOTED_BY_RATCHET] = "ratchet"
};
const char *const metrics_path_labels[METRICS_PATHS] = { METRICS_PATHS_TABLE(LABEL) };
const char *const metrics_certificate_labels[METRICS_CERTIFICATES] = { METRICS_CERTIFICATES_TABLE(LABEL) };
const char *const metrics_reload_labels[METRICS_RELOADS] = { METRICS_RELOADS_TABLE(LABEL) };
const char *const metrics_client_labels[METRICS_CLIENTS] = { METRICS_CLIENTS_TABLE(LABEL) };
const char *const metrics_port_labels[PORTS] = { METRICS_PORTS_TABLE(LABEL) };
const char *const metrics_mode_labels[ENFORCEMENTS] = {
    [ENFORCEMENT_DENY] = "enforce", [ENFORCEMENT_WARN] = "warn", [ENFORCEMENT_AUDIT] = "audit"
};
#undef LABEL

#define US(n) ((n) * UINT64_C(1000))
#define MS(n) ((n) * UINT64_C(1000000))
const uint64_t metrics_bounds[METRICS_BUCKETS - 1] = {
    US(50), US(100), US(250), US(500), MS(1),   MS(2) + US(500), MS(5),    MS(10),   MS(25),
    MS(50), MS(100), MS(250), MS(500), MS(1000), MS(2500),       MS(5000), MS(10000),
};

const unsigned metrics_statuses[METRICS_STATUSES - 1] = { 200, 400, 403, 404, 405, 413, 414, 415, 431, 500, 503 };

/* The shard of the calling thread: each new thread takes the next one. */
static struct metrics_shard *own_shard(struct metrics *metrics)
{
    static atomic_uint threads;
    static _Thread_local unsigned mine; /* 0: not yet known */
    if (!mine)
        mine = atomic_fetch_add(&threads, 1) % LIMIT_SHARDS + 1;
    return &metrics->shards[mine - 1];
}

static void add(atomic_ulong *counter, unsigned long more)
{
    atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

enum metrics_verdict metrics_verdict_of(const struct review *review)
{
    switch (review->outcome) {
    case REVIEW_ALLOWED:   return review->actions[ACTION_WARN] ? VERDICT_WARNED : VERDICT_ALLOWED;
    case REVIEW_DENIED:    return VERDICT_DENIED;
    case REVIEW_SKIPPED:   return VERDICT_SKIPPED;
    case REVIEW_BAD:       return VERDICT_BAD;
    case REVIEW_TOO_LARGE: return VERDICT_TOO_LARGE;
    case REVIEW_FAILED:
    case REVIEW_OUTCOMES:  break;
    }
    return VERDICT_FAILED;
}

enum metrics_operation metrics_operation_of(const struct review *review)
{
    bool update = bytes_equal_text(review->operation, "UPDATE");
    if (review->sub_resource.length)
        return update && bytes_equal_text(review->sub_resource, "status") ? OPERATION_STATUS : OPERATION_OTHER;
    return bytes_equal_text(review->operation, "CREATE") ? OPERATION_CREATE : update ? OPERATION_UPDATE : OPERATION_OTHER;
}

static unsigned bucket_of(uint64_t nanoseconds)
{
    unsigned i = 0;
    while (i < METRICS_BUCKETS - 1 && nanoseconds > metrics_bounds[i])
        i++;
    return i;
}

void metrics_count_review(struct metrics *metrics, const struct review *review, enum metrics_path path, uint64_t nanoseconds)
{
    struct metrics_shard *shard = own_shard(metrics);
    size_t kind = review->rules ? (size_t)(review->rules - kinds) : METRICS_OTHER_KIND;
    add(&shard->reviews[metrics_operation_of(review)][kind][metrics_verdict_of(review)], 1);
    add(&shard->durations[path][bucket_of(nanoseconds)], 1);
    add(&shard->nanoseconds[path], nanoseconds);
    for (const struct finding *finding = review->findings.first; finding; finding = finding->next)
        add(&shard->findings[finding->rule][finding->severity], 1);
    for (int i = 0; i < REVIEW_DEMOTIONS; i++)
        if (review->demoted[i])
            add(&shard->demotions[i], review->demoted[i]);
    if (review_disagrees(review))
        add(&shard->disagreements, 1);
}

void metrics_count_rejection(struct metrics *metrics, enum metrics_rejection cause)
{
    add(&own_shard(metrics)->rejections[cause], 1);
}

void metrics_count_answer(struct metrics *metrics, unsigned status)
{
    int i = 0;
    while (i < METRICS_STATUSES - 1 && metrics_statuses[i] != status)
        i++;
    add(&own_shard(metrics)->answers[i], 1);
}

void metrics_count_client(struct metrics *metrics, enum metrics_client result, unsigned name)
{
    add(&metrics->clients[result], 1);
    add(&metrics->client_requests[name], 1);
}

void metrics_count_reload(struct metrics *metrics, enum metrics_reload what, bool success)
{
    add(&metrics->reloads[what][!success], 1);
}

/* Both structs have the same counters in the same order. */
enum { COUNTERS = sizeof(struct metrics_totals) / sizeof(uint64_t) };
_Static_assert(offsetof(struct metrics_shard, apart) == sizeof(struct metrics_totals) && sizeof(atomic_ulong) == sizeof(uint64_t) &&
                   offsetof(struct metrics_shard, disagreements) == offsetof(struct metrics_totals, disagreements),
               "one counter for each total");

void metrics_sum(const struct metrics *metrics, struct metrics_totals *totals)
{
    uint64_t *sums = (uint64_t *)totals;
    *totals = (struct metrics_totals){ .nanoseconds = { 0 } };
    for (unsigned i = 0; i < LIMIT_SHARDS; i++) {
        const atomic_ulong *counters = (const atomic_ulong *)&metrics->shards[i];
        for (unsigned j = 0; j < COUNTERS; j++)
            sums[j] += atomic_load_explicit(&counters[j], memory_order_relaxed);
    }
}
