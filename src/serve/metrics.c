#include "serve/metrics.h"

#include <stdio.h>
#include <stdlib.h>

const unsigned metrics_statuses[METRICS_STATUSES] = { 200, 400, 404, 405, 413, 415, 500, 503, 0 };

static const char *const outcomes[REVIEW_OUTCOMES] = {
    [REVIEW_ALLOWED] = "allowed", [REVIEW_DENIED] = "denied", [REVIEW_SKIPPED] = "no_rules", [REVIEW_BAD] = "bad", [REVIEW_TOO_LARGE] = "too_large", [REVIEW_FAILED] = "failed",
};

void metrics_count_answer(struct metrics *metrics, unsigned status)
{
    int i = 0;
    while (metrics_statuses[i] && metrics_statuses[i] != status)
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

char *metrics_text(const struct metrics *metrics, unsigned connections, unsigned long expired)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    print_head(out, "reviews_total", "counter", "Admission reviews, by what became of them.");
    for (int i = 0; i < REVIEW_OUTCOMES; i++)
        fprintf(out, "drawbridge_reviews_total{outcome=\"%s\"} %lu\n", outcomes[i], atomic_load(&metrics->reviews[i]));
    print_head(out, "answers_total", "counter", "HTTP answers, by status.");
    for (int i = 0; metrics_statuses[i]; i++)
        fprintf(out, "drawbridge_answers_total{status=\"%u\"} %lu\n", metrics_statuses[i], atomic_load(&metrics->answers[i]));
    print_one(out, "disagreements_total", "counter", "Reviews that were allowed although an API server of the chosen version would refuse the object.", atomic_load(&metrics->disagreements));
    print_one(out, "requests_in_flight", "gauge", "Requests whose header has been read and whose answer has not been sent.", atomic_load(&metrics->requests));
    print_one(out, "body_bytes_in_flight", "gauge", "Bytes of request bodies in memory.", atomic_load(&metrics->body_bytes));
    print_one(out, "connections", "gauge", "Open connections.", connections);
    print_one(out, "connections_expired_total", "counter", "Connections shut down because their time was up.", expired);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
