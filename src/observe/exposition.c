#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/exposition.h"
#include "observe/process.h"

static const char *const reload_results[] = { "success", "failure" };

static void print_head(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void print_one(FILE *out, const char *name, const char *type, const char *help, uint64_t value)
{
    print_head(out, name, type, help);
    fprintf(out, "%s %lu\n", name, value);
}

/* One label, a line for each of its values. */
static void print_each(FILE *out, const char *name, const char *type, const char *help, const char *label, const char *const *labels,
                       const uint64_t *values, unsigned count)
{
    print_head(out, name, type, help);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%s{%s=\"%s\"} %lu\n", name, label, labels[i], values[i]);
}

/* A label's value that is no word of ours: a name from the options. */
static void print_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc((unsigned char)*text < ' ' || *text == 0x7F ? '?' : *text, out);
    }
}

static void print_info(FILE *out, const struct observer_config *config, const struct gauges *gauges)
{
    print_head(out, "drawbridge_build_info", "gauge", "Always 1; the labels say what is running.");
    fprintf(out, "drawbridge_build_info{version=\"%s\",libmicrohttpd=\"%s\",gnutls=\"%s\"} 1\n", config->program_version,
            config->http_library, config->tls_library);
    print_head(out, "drawbridge_configuration_info", "gauge",
               "Always 1; the labels say the overall mode and the Kubernetes version to validate as; none: nothing is denied that an API "
               "server would refuse.");
    fprintf(out, "drawbridge_configuration_info{mode=\"%s\",kubernetes_version=\"", metrics_mode_labels[gauges->mode]);
    fprintf(out, gauges->version ? "1.%u\"} 1\n" : "none\"} 1\n", gauges->version);
    print_one(out, "drawbridge_ready", "gauge", "1 while /readyz says ok.", !gauges->draining);
}

/* ---- reviews ---- */

static bool is_seen(const uint64_t verdicts[METRICS_VERDICTS])
{
    for (int i = 0; i < METRICS_VERDICTS; i++)
        if (verdicts[i])
            return true;
    return false;
}

static void print_verdicts(FILE *out, unsigned operation, unsigned kind, const uint64_t verdicts[METRICS_VERDICTS])
{
    static const struct kind other = { .group = { "other", 5 }, .version = { "other", 5 }, .kind = { "other", 5 } };
    const struct kind *row = kind == METRICS_OTHER_KIND ? &other : &kinds[kind];
    for (int i = 0; i < METRICS_VERDICTS; i++)
        fprintf(out, "drawbridge_reviews_total{operation=\"%s\",group=\"%.*s\",version=\"%.*s\",kind=\"%.*s\",verdict=\"%s\"} %lu\n",
                metrics_operation_labels[operation], (int)row->group.length, row->group.data, (int)row->version.length, row->version.data,
                (int)row->kind.length, row->kind.data, metrics_verdict_labels[i], verdicts[i]);
}

/* All verdicts of an operation and kind once one has been seen, so that a first denial is an increase. */
static void print_reviews(FILE *out, const struct metrics_totals *totals)
{
    print_head(out, "drawbridge_reviews_total", "counter",
               "Admission reviews by operation, kind and verdict; other: whatever has no rules. warned: allowed, with warnings; skipped: "
               "allowed without validation; bad, too_large and failed: answered 400, 413 and 500.");
    for (unsigned operation = 0; operation < METRICS_OPERATIONS; operation++)
        for (unsigned kind = 0; kind < METRICS_KINDS; kind++)
            if (is_seen(totals->reviews[operation][kind]) || (operation == OPERATION_OTHER && kind == METRICS_OTHER_KIND))
                print_verdicts(out, operation, kind, totals->reviews[operation][kind]);
}

static void print_findings(FILE *out, const struct metrics_totals *totals)
{
    print_head(out, "drawbridge_findings_total", "counter",
               "Findings by rule and severity, whatever became of them: error is what an API server refuses. At most 1,024 of one review.");
    for (int rule = 0; rule < RULE_COUNT; rule++)
        for (int severity = 0; severity < METRICS_SEVERITIES; severity++)
            if (totals->findings[rule][severity])
                fprintf(out, "drawbridge_findings_total{rule=\"%s\",severity=\"%s\"} %lu\n", rule_info((enum rule)rule)->id,
                        severity_word((enum severity)severity), totals->findings[rule][severity]);
}

static void print_duration(FILE *out, unsigned path, const struct metrics_totals *totals)
{
    uint64_t count = 0;
    for (int i = 0; i < METRICS_BUCKETS; i++) {
        count += totals->durations[path][i];
        fprintf(out, "drawbridge_review_duration_seconds_bucket{path=\"%s\",le=\"", metrics_path_labels[path]);
        if (i < METRICS_BUCKETS - 1)
            fprintf(out, "%g\"} %lu\n", (double)metrics_bounds[i] / 1e9, count);
        else
            fprintf(out, "+Inf\"} %lu\n", count);
    }
    fprintf(out, "drawbridge_review_duration_seconds_sum{path=\"%s\"} %.9f\n", metrics_path_labels[path],
            (double)totals->nanoseconds[path] / 1e9);
    fprintf(out, "drawbridge_review_duration_seconds_count{path=\"%s\"} %lu\n", metrics_path_labels[path], count);
}

static void print_durations(FILE *out, const struct metrics_totals *totals)
{
    print_head(out, "drawbridge_review_duration_seconds", "histogram",
               "From the end of a request's header to its answer, by where it was validated: inline, by the thread that read it, or by a "
               "worker.");
    for (unsigned path = 0; path < METRICS_PATHS; path++)
        print_duration(out, path, totals);
}

/* Denials that the policy turned into something less. Those for want of a version were always counted under a name of their own. */
static void print_demotions(FILE *out, const struct metrics_totals *totals)
{
    print_each(out, "drawbridge_denials_demoted_total", "counter",
               "Findings that would deny and did not: no Kubernetes version was chosen, the mode only warns or audits, or the object was "
               "like that before, or must be let go (ratchet).",
               "reason", metrics_demotion_labels, totals->demotions, REVIEW_DEMOTIONS);
    print_one(out, "drawbridge_disagreements_total", "counter",
              "Reviews that were allowed although an API server of the chosen version would refuse the object.", totals->disagreements);
}

/* ---- requests and connections ---- */

static void print_answers(FILE *out, const struct metrics_totals *totals)
{
    print_head(out, "drawbridge_answers_total", "counter",
               "HTTP answers on the HTTPS port, by status. Request lines that cannot be read are not among them.");
    for (int i = 0; i < METRICS_STATUSES - 1; i++)
        fprintf(out, "drawbridge_answers_total{status=\"%u\"} %lu\n", metrics_statuses[i], totals->answers[i]);
    fprintf(out, "drawbridge_answers_total{status=\"other\"} %lu\n", totals->answers[METRICS_STATUSES - 1]);
    print_each(out, "drawbridge_rejections_total", "counter",
               "Requests turned away without validation: too many requests, body bytes or reviews waiting, past their deadline, a client "
               "certificate that is not allowed, or the server is ending.",
               "cause", metrics_rejection_labels, totals->rejections, METRICS_REJECTIONS);
}

static void print_load(FILE *out, const struct metrics *metrics, const struct gauges *gauges)
{
    print_one(out, "drawbridge_requests_in_flight", "gauge",
              "Requests whose request line has been read and whose answer has not been sent.", atomic_load(&metrics->requests));
    print_one(out, "drawbridge_body_bytes_in_flight", "gauge", "Bytes of request bodies in memory.", atomic_load(&metrics->body_bytes));
    print_one(out, "drawbridge_queue_length", "gauge", "Large reviews that wait for a worker.", gauges->waiting);
    print_one(out, "drawbridge_workers_busy", "gauge", "Workers that validate a large review.", gauges->busy);
}

static void print_connections(FILE *out, const struct metrics *metrics, const struct gauges *gauges)
{
    print_each(out, "drawbridge_connections", "gauge", "Open connections, by port.", "port", metrics_port_labels, gauges->connections,
               PORTS);
    print_each(out, "drawbridge_connections_expired_total", "counter",
               "Connections shut down because their time was up, or to make room for others, by port.", "port", metrics_port_labels,
               gauges->expired, PORTS);
    print_one(out, "drawbridge_tls_handshakes_total", "counter", "TLS handshakes that came to their end.",
              atomic_load(&metrics->handshakes));
    print_one(out, "drawbridge_tls_handshake_failures_total", "counter",
              "Connections that ended before their TLS handshake did, not counting those on which the client sent nothing.",
              atomic_load(&metrics->handshake_failures));
}

/* ---- certificates and files ---- */

static void print_certificates(FILE *out, const struct observer *observer)
{
    print_head(out, "drawbridge_certificate_expiry_timestamp_seconds", "gauge",
               "When a certificate ends, in seconds since 1970: our own, the CA that issues it in this process, and the one of client_ca "
               "that ends first.");
    for (int i = 0; i < METRICS_CERTIFICATES; i++)
        if (observer->config.expiries[i] && expiry_of(observer->config.expiries[i]))
            fprintf(out, "drawbridge_certificate_expiry_timestamp_seconds{certificate=\"%s\"} %ld\n", metrics_certificate_labels[i],
                    (long)expiry_of(observer->config.expiries[i]));
    print_head(out, "drawbridge_reloads_total", "counter", "Files that had changed and were read again, by result.");
    for (int i = 0; i < METRICS_RELOADS; i++)
        for (int j = 0; j < 2; j++)
            fprintf(out, "drawbridge_reloads_total{what=\"%s\",result=\"%s\"} %lu\n", metrics_reload_labels[i], reload_results[j],
                    atomic_load(&observer->metrics.reloads[i][j]));
}

/* All counters whose name is `names[at]`, if no earlier one is: an option may be repeated, or call a client "other". */
static void print_client(FILE *out, const char *const names[METRICS_NAMES], const atomic_ulong counts[METRICS_NAMES], unsigned at)
{
    unsigned long sum = 0;
    for (unsigned i = 0; i < METRICS_NAMES; i++) {
        if (!names[i] || strcmp(names[i], names[at]) != 0)
            continue;
        if (i < at)
            return;
        sum += atomic_load(&counts[i]);
    }
    fputs("drawbridge_client_requests_total{name=\"", out);
    print_escaped(out, names[at]);
    fprintf(out, "\"} %lu\n", sum);
}

static void print_clients(FILE *out, const struct observer *observer)
{
    const struct metrics *metrics = &observer->metrics;
    uint64_t clients[METRICS_CLIENTS];
    for (int i = 0; i < METRICS_CLIENTS; i++)
        clients[i] = atomic_load(&metrics->clients[i]);
    print_each(out, "drawbridge_client_certificates_total", "counter",
               "Requests by what was found of the client's certificate; none are counted without --client-ca.", "result",
               metrics_client_labels, clients, METRICS_CLIENTS);
    print_head(out, "drawbridge_client_requests_total", "counter",
               "Requests by the common name of the client's certificate: those of --client-cn, others, and none.");
    const char *names[METRICS_NAMES] = { [NAME_OTHER] = "other", [NAME_NONE] = "none" };
    for (unsigned i = 0; i < observer->config.client_name_count; i++)
        names[i] = observer->config.client_names[i];
    for (unsigned i = 0; i < METRICS_NAMES; i++)
        if (names[i])
            print_client(out, names, metrics->client_requests, i);
}

static void print_log(FILE *out, const struct log *log)
{
    print_one(out, "drawbridge_log_lines_dropped_total", "counter",
              "Lines of the log left out, as there were too many, no reader took them, or they could not be written.",
              log_lines_dropped(log));
}

/* ---- the process ---- */

static void print_figure(FILE *out, const char *name, const char *type, const char *help, double value)
{
    if (value < 0)
        return;
    print_head(out, name, type, help);
    fprintf(out, "%s %.15g\n", name, value);
}

static void print_process(FILE *out)
{
    struct process_figures figures;
    process_read(&figures);
    print_figure(out, "process_cpu_seconds_total", "counter", "Processor time of all threads, user and system.", figures.cpu_seconds);
    print_figure(out, "process_resident_memory_bytes", "gauge", "Memory that is resident.", figures.resident_bytes);
    print_figure(out, "process_virtual_memory_bytes", "gauge", "Memory that is mapped.", figures.virtual_bytes);
    print_figure(out, "process_open_fds", "gauge", "Open file descriptors.", figures.open_files);
    print_figure(out, "process_max_fds", "gauge", "File descriptors that may be open.", figures.max_files);
    print_figure(out, "process_start_time_seconds", "gauge", "When the process began, in seconds since 1970.", figures.started);
}

char *exposition_text(struct observer *observer)
{
    const struct metrics *metrics = &observer->metrics;
    struct metrics_totals totals;
    struct gauges gauges;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    metrics_sum(metrics, &totals);
    observer->config.gauges(observer->config.closure, &gauges);
    print_info(out, &observer->config, &gauges);
    print_reviews(out, &totals);
    print_findings(out, &totals);
    print_demotions(out, &totals);
    print_durations(out, &totals);
    print_answers(out, &totals);
    print_load(out, metrics, &gauges);
    print_connections(out, metrics, &gauges);
    print_certificates(out, observer);
    print_clients(out, observer);
    print_log(out, observer->log);
    print_process(out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
