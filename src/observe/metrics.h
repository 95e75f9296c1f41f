/* What the server counts. Nothing that a client writes becomes part of it: kinds, rules and names are indexes into tables. Counting takes
 * no lock, and threads do not share cache lines for it: each has a shard of its own, and readers add the shards up. */
#ifndef DRAWBRIDGE_OBSERVE_METRICS_H
#define DRAWBRIDGE_OBSERVE_METRICS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "review/review.h"
#include "observe/limits.h"

/* What became of a review. ROW(ID, label) */
#define METRICS_VERDICTS_TABLE(ROW) \
    ROW(ALLOWED,   "allowed")       \
    ROW(WARNED,    "warned")        \
    ROW(DENIED,    "denied")        \
    ROW(SKIPPED,   "skipped")       \
    ROW(BAD,       "bad")           \
    ROW(TOO_LARGE, "too_large")     \
    ROW(FAILED,    "failed")

#define METRICS_OPERATIONS_TABLE(ROW) \
    ROW(CREATE, "create")             \
    ROW(UPDATE, "update")             \
    ROW(STATUS, "status")             \
    ROW(OTHER,  "other")

/* Why a request was turned away without validation. */
#define METRICS_REJECTIONS_TABLE(ROW)              \
    ROW(REQUESTS,           "requests")            \
    ROW(BYTES,              "bytes")               \
    ROW(QUEUE,              "queue")               \
    ROW(DEADLINE,           "deadline")            \
    ROW(CLIENT_CERTIFICATE, "client_certificate")  \
    ROW(DRAINING,           "draining")

#define METRICS_PATHS_TABLE(ROW) \
    ROW(INLINE, "inline")        \
    ROW(WORKER, "worker")

#define METRICS_CERTIFICATES_TABLE(ROW) \
    ROW(SERVING,   "serving")           \
    ROW(CA,        "ca")                \
    ROW(CLIENT_CA, "client_ca")

#define METRICS_RELOADS_TABLE(ROW)      \
    ROW(CERTIFICATE,   "certificate")   \
    ROW(CLIENT_CA,     "client_ca")     \
    ROW(CONFIGURATION, "configuration")

#define METRICS_PORTS_TABLE(ROW) \
    ROW(HTTPS,  "https")         \
    ROW(STATUS, "status")

/* What was seen of clients' certificates. */
#define METRICS_CLIENTS_TABLE(ROW)    \
    ROW(ALLOWED,     "allowed")       \
    ROW(NONE,        "none")          \
    ROW(UNTRUSTED,   "untrusted")     \
    ROW(WRONG_USAGE, "wrong_usage")   \
    ROW(OTHER_NAME,  "other_name")

#define VERDICT_ID(id, label) VERDICT_##id,
#define OPERATION_ID(id, label) OPERATION_##id,
#define REJECTION_ID(id, label) REJECTION_##id,
#define PATH_ID(id, label) PATH_##id,
#define CERTIFICATE_ID(id, label) CERTIFICATE_##id,
#define RELOAD_ID(id, label) RELOAD_##id,
#define CLIENT_ID(id, label) CLIENT_##id,
#define PORT_ID(id, label) PORT_##id,
enum metrics_verdict { METRICS_VERDICTS_TABLE(VERDICT_ID) METRICS_VERDICTS };
enum metrics_operation { METRICS_OPERATIONS_TABLE(OPERATION_ID) METRICS_OPERATIONS };
enum metrics_rejection { METRICS_REJECTIONS_TABLE(REJECTION_ID) METRICS_REJECTIONS };
enum metrics_path { METRICS_PATHS_TABLE(PATH_ID) METRICS_PATHS };
enum metrics_certificate { METRICS_CERTIFICATES_TABLE(CERTIFICATE_ID) METRICS_CERTIFICATES };
enum metrics_reload { METRICS_RELOADS_TABLE(RELOAD_ID) METRICS_RELOADS };
enum metrics_client { METRICS_CLIENTS_TABLE(CLIENT_ID) METRICS_CLIENTS };
enum port { METRICS_PORTS_TABLE(PORT_ID) PORTS };
#undef VERDICT_ID
#undef OPERATION_ID
#undef REJECTION_ID
#undef PATH_ID
#undef CERTIFICATE_ID
#undef RELOAD_ID
#undef CLIENT_ID
#undef PORT_ID

extern const char *const metrics_verdict_labels[METRICS_VERDICTS];
extern const char *const metrics_operation_labels[METRICS_OPERATIONS];
extern const char *const metrics_rejection_labels[METRICS_REJECTIONS];
extern const char *const metrics_demotion_labels[REVIEW_DEMOTIONS];
extern const char *const metrics_path_labels[METRICS_PATHS];
extern const char *const metrics_certificate_labels[METRICS_CERTIFICATES];
extern const char *const metrics_reload_labels[METRICS_RELOADS];
extern const char *const metrics_client_labels[METRICS_CLIENTS];
extern const char *const metrics_port_labels[PORTS];
extern const char *const metrics_mode_labels[ENFORCEMENTS];

/* Rows of the kind table, and one for all other kinds. */
enum {
#define KIND(...) +1
    METRICS_KINDS = 1
#include "rules/kinds.def"
#undef KIND
};

enum {
    METRICS_OTHER_KIND = METRICS_KINDS - 1,
    METRICS_SEVERITIES = SEVERITY_INFO + 1,
    METRICS_STATUSES = 12, /* the last one counts all others */
    METRICS_BUCKETS = 18,  /* of durations; the last one has no bound */
    METRICS_LINE = 64,     /* bytes of a cache line */
};

/* Upper bounds of the buckets but the last, in nanoseconds, and the statuses but the last. */
extern const uint64_t metrics_bounds[METRICS_BUCKETS - 1];
extern const unsigned metrics_statuses[METRICS_STATUSES - 1];

/* The counters of one thread, or of a few that must share. About 9 KiB; what is never counted costs no memory. */
struct metrics_shard {
    atomic_ulong reviews[METRICS_OPERATIONS][METRICS_KINDS][METRICS_VERDICTS];
    atomic_ulong findings[RULE_COUNT][METRICS_SEVERITIES];
    atomic_ulong durations[METRICS_PATHS][METRICS_BUCKETS];
    atomic_ulong nanoseconds[METRICS_PATHS]; /* all durations together; wraps after 584 years of work */
    atomic_ulong answers[METRICS_STATUSES];
    atomic_ulong rejections[METRICS_REJECTIONS];
    atomic_ulong demotions[REVIEW_DEMOTIONS];
    atomic_ulong disagreements; /* reviews that an API server would refuse, and that were allowed */
    char apart[METRICS_LINE]; /* no cache line belongs to two shards */
};

/* The same, added up at one moment. */
struct metrics_totals {
    uint64_t reviews[METRICS_OPERATIONS][METRICS_KINDS][METRICS_VERDICTS];
    uint64_t findings[RULE_COUNT][METRICS_SEVERITIES];
    uint64_t durations[METRICS_PATHS][METRICS_BUCKETS];
    uint64_t nanoseconds[METRICS_PATHS];
    uint64_t answers[METRICS_STATUSES];
    uint64_t rejections[METRICS_REJECTIONS];
    uint64_t demotions[REVIEW_DEMOTIONS];
    uint64_t disagreements;
};

/* Names of clients: those that are allowed, by index; others; none. */
enum { NAME_OTHER = LIMIT_CLIENT_NAMES, NAME_NONE, METRICS_NAMES };
_Static_assert(METRICS_NAMES <= UINT8_MAX, "a name fits its byte");

/* Begin with zeroes. */
struct metrics {
    /* Gauges by which requests are admitted: every thread writes them. */
    atomic_ulong requests;   /* in flight */
    atomic_ulong body_bytes; /* of bodies in memory */
    char apart_from_queue[METRICS_LINE];
    atomic_ulong handshakes, handshake_failures;
    atomic_ulong clients[METRICS_CLIENTS];
    atomic_ulong client_requests[METRICS_NAMES];
    char apart_from_state[METRICS_LINE];
    /* What others know, and seldom changes. */
    atomic_ulong reloads[METRICS_RELOADS][2]; /* successes, failures */
    struct metrics_shard shards[LIMIT_SHARDS];
};

/* ---- counting; from any thread, some ten nanoseconds each ---- */

/* A review has been validated: `nanoseconds` from the end of its header to its answer. */
void metrics_count_review(struct metrics *metrics, const struct review *review, enum metrics_path path, uint64_t nanoseconds);
void metrics_count_rejection(struct metrics *metrics, enum metrics_rejection cause);
void metrics_count_answer(struct metrics *metrics, unsigned status);

/* `name`: index of the allowed name, NAME_OTHER or NAME_NONE. */
void metrics_count_client(struct metrics *metrics, enum metrics_client result, unsigned name);
void metrics_count_reload(struct metrics *metrics, enum metrics_reload what, bool success);

/* ---- reading ---- */

enum metrics_verdict metrics_verdict_of(const struct review *review);
enum metrics_operation metrics_operation_of(const struct review *review);

/* Counters that grow while they are read may be seen before or after; none ever seems to shrink. */
void metrics_sum(const struct metrics *metrics, struct metrics_totals *totals);

#endif
