#include "serve/metrics.h"

#include <stdio.h>
#include <stdlib.h>

static const unsigned statuses[] = { 200, 400, 404, 405, 413, 415, 500, 503 };
enum { STATUSES = sizeof statuses / sizeof *statuses };
_Static_assert(STATUSES + 1 == METRICS_STATUSES, "one counter for each status, and one for others");

static const char *const outcomes[REVIEW_OUTCOMES] = {
    [REVIEW_ALLOWED] = "allowed", [REVIEW_DENIED] = "denied",       [REVIEW_SKIPPED] = "no_rules",
    [REVIEW_BAD] = "bad",         [REVIEW_TOO_LARGE] = "too_large", [REVIEW_FAILED] = "failed",
};

static const char *const causes[REJECTIONS] = {
    [REJECTION_REQUESTS] = "requests", [REJECTION_BYTES] = "bytes",
    [REJECTION_QUEUE] = "queue",       [REJECTION_DEADLINE] = "deadline",
    [REJECTION_CLIENT_CERTIFICATE] = "client_certificate", [REJECTION_DRAINING] = "draining",
};

static const char *const ports[PORTS] = { [PORT_HTTPS] = "https", [PORT_STATUS] = "status" };

void metrics_count_review(struct metrics *metrics, const struct review *review, enum review_path path, uint64_t nanoseconds)
{
    (void)path;
    (void)nanoseconds;
    atomic_fetch_add(&metrics->reviews[review->outcome], 1);
    atomic_fetch_add(&metrics->disagreements, review_disagrees(review));
}

void metrics_count_rejection(struct metrics *metrics, enum rejection cause)
{
    atomic_fetch_add(&metrics->rejections[cause], 1);
}

void metrics_count_answer(struct metrics *metrics, unsigned status)
{
    int i = 0;
    while (i < STATUSES && statuses[i] != status)
        i++;
    atomic_fetch_add(&metrics->answers[i], 1);
}

static void print_head(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP drawbridge_%s %s\n# TYPE drawbridge_%s %s\n", name, help, name, type);
}

static void print_one(FILE *out, const char *name, const char *type, const char *help, unsigned long value)
{
    print_head(out, name, type, help);
    fprintf(out, "drawbridge_%s %lu\n", name, value);
}

static void print_reviews(FILE *out, const struct metrics *metrics)
{
    print_head(out, "reviews_total", "counter", "Admission reviews, by what became of them.");
    for (int i = 0; i < REVIEW_OUTCOMES; i++)
        fprintf(out, "drawbridge_reviews_total{outcome=\"%s\"} %lu\n", outcomes[i], atomic_load(&metrics->reviews[i]));
    print_one(out, "disagreements_total", "counter",
              "Reviews that were allowed although an API server of the chosen version would refuse the object.",
              atomic_load(&metrics->disagreements));
}

static void print_requests(FILE *out, const struct metrics *metrics)
{
    print_head(out, "answers_total", "counter",
               "HTTP answers on the HTTPS port, by status. Request lines that cannot be read are not among them.");
    for (int i = 0; i < STATUSES; i++)
        fprintf(out, "drawbridge_answers_total{status=\"%u\"} %lu\n", statuses[i], atomic_load(&metrics->answers[i]));
    fprintf(out, "drawbridge_answers_total{status=\"other\"} %lu\n", atomic_load(&metrics->answers[STATUSES]));
    print_head(out, "rejections_total", "counter", "Reviews that were not judged, by cause.");
    for (int i = 0; i < REJECTIONS; i++)
        fprintf(out, "drawbridge_rejections_total{cause=\"%s\"} %lu\n", causes[i], atomic_load(&metrics->rejections[i]));
    print_one(out, "requests_in_flight", "gauge", "Requests whose request line has been read and whose answer has not been sent.",
              atomic_load(&metrics->requests));
    print_one(out, "body_bytes_in_flight", "gauge", "Bytes of request bodies in memory.", atomic_load(&metrics->body_bytes));
}

static void print_connections(FILE *out, const struct deadlines *deadlines)
{
    print_head(out, "connections", "gauge", "Open connections, by port.");
    for (int i = 0; i < PORTS; i++)
        fprintf(out, "drawbridge_connections{port=\"%s\"} %u\n", ports[i], atomic_load(&deadlines->open[i]));
    print_head(out, "connections_expired_total", "counter", "Connections shut down because their time was up, by port.");
    for (int i = 0; i < PORTS; i++)
        fprintf(out, "drawbridge_connections_expired_total{port=\"%s\"} %lu\n", ports[i], atomic_load(&deadlines->expired[i]));
}

char *metrics_text(const struct metrics *metrics, const struct deadlines *deadlines)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    print_reviews(out, metrics);
    print_requests(out, metrics);
    print_connections(out, deadlines);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
