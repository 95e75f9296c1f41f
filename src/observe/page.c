#include "observe/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "observe/page_parts.h"
#include "observe/process.h"

/* What became of a review, in one word or two. */
static const char *const verdict_short[METRICS_VERDICTS] = {
    [VERDICT_ALLOWED] = "allowed", [VERDICT_WARNED] = "warned",       [VERDICT_DENIED] = "denied", [VERDICT_SKIPPED] = "skipped",
    [VERDICT_BAD] = "bad",         [VERDICT_TOO_LARGE] = "too large", [VERDICT_FAILED] = "failed",
};

static const char *const rejection_words[METRICS_REJECTIONS] = {
    [REJECTION_REQUESTS] = "too many requests at once", [REJECTION_BYTES] = "too many bytes at once",
    [REJECTION_QUEUE] = "too many large reviews waiting", [REJECTION_DEADLINE] = "their time was up",
    [REJECTION_CLIENT_CERTIFICATE] = "client certificate", [REJECTION_DRAINING] = "the server was ending",
};

static const char *const certificate_words[METRICS_CERTIFICATES] = {
    [CERTIFICATE_SERVING] = "serving certificate", [CERTIFICATE_CA] = "CA that issues it", [CERTIFICATE_CLIENT_CA] = "CA of clients",
};

/* ---- the top ---- */

static void print_head(FILE *out)
{
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>drawbridge</title>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
            "<meta http-equiv=\"refresh\" content=\"%d\"/>\n<style>",
            LIMIT_PAGE_REFRESH_SECONDS);
    for (const char *const *piece = page_style; *piece; piece++)
        fputs(*piece, out);
    fputs("</style>\n</head>\n", out);
}

static void print_mode(FILE *out, const struct gauges *gauges)
{
    if (!gauges->version)
        fputs("No Kubernetes version is chosen: what an API server would refuse is only warned of", out);
    else
        switch (gauges->mode) {
        case ENFORCEMENT_DENY: fprintf(out, "Denies what Kubernetes 1.%u refuses", gauges->version); break;
        case ENFORCEMENT_WARN:    fprintf(out, "Only warns of what Kubernetes 1.%u refuses", gauges->version); break;
        case ENFORCEMENT_AUDIT:   fprintf(out, "Only counts what Kubernetes 1.%u refuses", gauges->version); break;
        case ENFORCEMENTS: break;
        }
}

static void print_header(FILE *out, const struct observer_config *config, const struct gauges *gauges)
{
    struct process_figures figures;
    process_read(&figures);
    fprintf(out, "<header>\n<h1>drawbridge</h1>\n<span class=\"pill %s\" id=\"state\">%s</span>\n<p>", gauges->draining ? "warn" : "good",
            gauges->draining ? "draining" : "ready");
    print_mode(out, gauges);
    if (figures.started > 0) {
        fputs(" · up ", out);
        page_put_span(out, clock_wall_seconds() - (int64_t)figures.started);
    }
    fprintf(out, " · version %s</p>\n</header>\n", config->program_version);
}

/* ---- tiles ---- */

/* The bound under which that share of the durations lies; 0: there are none. */
static uint64_t quantile(const struct history_sums *sums, unsigned percent)
{
    uint64_t all = 0, below = 0;
    for (int i = 0; i < METRICS_BUCKETS; i++)
        all += sums->durations[PATH_INLINE][i] + sums->durations[PATH_WORKER][i];
    for (int i = 0; i < METRICS_BUCKETS - 1; i++) {
        below += sums->durations[PATH_INLINE][i] + sums->durations[PATH_WORKER][i];
        if (all && below * 100 >= all * percent)
            return metrics_bounds[i];
    }
    return all ? UINT64_MAX : 0;
}

static void print_quantile(FILE *out, const char *name, const struct history_sums *sums, unsigned percent)
{
    uint64_t bound = quantile(sums, percent);
    fprintf(out, "<div><dt>%s</dt><dd>", name);
    if (!bound) {
        fputs("–</dd><dd>no review</dd></div>\n", out);
        return;
    }
    page_put_duration(out, bound == UINT64_MAX ? metrics_bounds[METRICS_BUCKETS - 2] : bound);
    fputs(bound == UINT64_MAX ? "</dd><dd>or more</dd></div>\n" : "</dd><dd>or less</dd></div>\n", out);
}

static void print_tile(FILE *out, const char *name, uint64_t number, const char *below)
{
    fprintf(out, "<div><dt>%s</dt><dd>", name);
    page_put_count(out, number);
    fprintf(out, "</dd><dd>%s</dd></div>\n", below);
}

/* A share of all reviews, as people say it. */
static void print_share(FILE *out, const char *name, uint64_t number, uint64_t all)
{
    char share[32] = "none";
    if (number && all)
        snprintf(share, sizeof share, (double)number * 1000 < (double)all ? "under 0.1 %%" : "%.1f %%", 100 * (double)number / (double)all);
    print_tile(out, name, number, share);
}

static void print_tiles(FILE *out, const struct metrics *metrics, const struct history_view *view)
{
    uint64_t all = page_sum_of(view->all.verdicts);
    char since[32];
    snprintf(since, sizeof since, view->minutes < 2 ? "last minute" : "last %u minutes", view->minutes);
    fputs("<dl class=\"tiles\">\n", out);
    print_tile(out, "Reviews", all, since);
    print_share(out, "Denied", view->all.verdicts[VERDICT_DENIED], all);
    print_share(out, "With warnings", view->all.verdicts[VERDICT_WARNED], all);
    print_quantile(out, "Half of them took", &view->all, 50);
    print_quantile(out, "99 % took", &view->all, 99);
    print_tile(out, "In flight", atomic_load(&metrics->requests), "right now");
    fputs("</dl>\n", out);
}

/* ---- rules ---- */

static uint64_t weight(const struct history_sums *sums, int rule)
{
    return sums->findings[rule][SEVERITY_ERROR] + sums->findings[rule][SEVERITY_WARNING];
}

/* The rules that were broken most, at most LIMIT_PAGE_RULES, in order. Returns how many. */
static int find_top(const struct history_sums *sums, int top[LIMIT_PAGE_RULES])
{
    int count = 0;
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        int at = count;
        while (at && weight(sums, top[at - 1]) < weight(sums, rule))
            at--;
        if (!weight(sums, rule) || at == LIMIT_PAGE_RULES)
            continue;
        count += count < LIMIT_PAGE_RULES;
        memmove(&top[at + 1], &top[at], (size_t)(count - 1 - at) * sizeof *top);
        top[at] = rule;
    }
    return count;
}

static void print_number(FILE *out, uint64_t number)
{
    fputs(number ? "<td class=\"n\">" : "<td class=\"n zero\">", out);
    page_put_count(out, number);
    fputs("</td>", out);
}

static void print_rules(FILE *out, const struct history_view *view)
{
    int top[LIMIT_PAGE_RULES], count = find_top(&view->all, top);
    fputs("<section class=\"rules\">\n<h2>Rules that were broken <span>what each asks for</span></h2>\n", out);
    if (!count)
        fputs("<p>No error and no warning in the last hour. <code>drawbridge rules</code> lists all rules.</p>\n", out);
    else
        fputs("<table>\n<thead><tr><th scope=\"col\">rule</th><th scope=\"col\" class=\"n\">errors</th>"
              "<th scope=\"col\" class=\"n\">warnings</th></tr></thead>\n<tbody>\n", out);
    for (int i = 0; i < count; i++) {
        const struct rule_info *info = rule_info((enum rule)top[i]);
        fprintf(out, "<tr><td><span class=\"rule\">%s</span><small>", info->id);
        page_put_text(out, info->asks);
        fputs("</small></td>", out);
        print_number(out, view->all.findings[top[i]][SEVERITY_ERROR]);
        print_number(out, view->all.findings[top[i]][SEVERITY_WARNING]);
        fputs("</tr>\n", out);
    }
    fputs(count ? "</tbody>\n</table>\n</section>\n" : "</section>\n", out);
}

/* ---- slow reviews ---- */

static void print_kind(FILE *out, unsigned kind)
{
    if (kind == METRICS_OTHER_KIND)
        fputs("other", out);
    else
        fprintf(out, "%.*s <small>%.*s</small>", (int)kinds[kind].kind.length, kinds[kind].kind.data, (int)kinds[kind].version.length,
                kinds[kind].version.data);
}

static void print_slow(FILE *out, const struct history_view *view)
{
    fputs("<section class=\"slow\">\n<h2>Slowest reviews <span>of the last hour, from header to answer</span></h2>\n", out);
    if (!view->slow[0].nanoseconds) {
        fputs("<p>No review has been validated in the last hour.</p>\n</section>\n", out);
        return;
    }
    fputs("<table>\n<thead><tr><th scope=\"col\">kind</th><th scope=\"col\">operation</th><th scope=\"col\" class=\"wide\">verdict</th>"
          "<th scope=\"col\" class=\"n\">size</th><th scope=\"col\" class=\"n\">time</th><th scope=\"col\" class=\"n "
          "wide\">when</th></tr></thead>\n<tbody>\n",
          out);
    for (int i = 0; i < HISTORY_SLOW && view->slow[i].nanoseconds; i++) {
        const struct slow_review *review = &view->slow[i];
        int64_t ago = clock_wall_seconds() - review->at;
        fputs("<tr><td>", out);
        print_kind(out, review->kind);
        fprintf(out, "</td><td>%s</td><td class=\"wide\">%s</td><td class=\"n\">", metrics_operation_labels[review->operation],
                verdict_short[review->verdict]);
        page_put_size(out, review->bytes);
        fputs("</td><td class=\"n\">", out);
        page_put_duration(out, review->nanoseconds);
        fputs("</td><td class=\"n wide\">", out);
        page_put_span(out, ago > 0 ? ago : 0);
        fputs(" ago</td></tr>\n", out);
    }
    fputs("</tbody>\n</table>\n</section>\n", out);
}

/* ---- the rest ---- */

static void print_row(FILE *out, const char *name, uint64_t number)
{
    fprintf(out, "<tr><td>%s</td>", name);
    print_number(out, number);
    fputs("</tr>\n", out);
}

static void print_load(FILE *out, const struct metrics *metrics, const struct gauges *gauges)
{
    fputs("<section class=\"load\">\n<h2>Now</h2>\n<table>\n<tbody>\n", out);
    print_row(out, "requests in flight", atomic_load(&metrics->requests));
    fputs("<tr><td>their bodies</td><td class=\"n\">", out);
    page_put_size(out, atomic_load(&metrics->body_bytes));
    fputs("</td></tr>\n", out);
    print_row(out, "large reviews waiting", gauges->waiting);
    print_row(out, "workers busy", gauges->busy);
    print_row(out, "connections of clients", gauges->connections[PORT_HTTPS]);
    fputs("</tbody>\n</table>\n</section>\n", out);
}

static void print_rejections(FILE *out, const struct history_view *view)
{
    uint64_t all = 0;
    for (int i = 0; i < METRICS_REJECTIONS; i++)
        all += view->all.rejections[i];
    fputs("<section class=\"refused\">\n<h2>Turned away <span>in the last hour</span></h2>\n", out);
    if (!all) {
        fputs("<p>No request was turned away without validation.</p>\n</section>\n", out);
        return;
    }
    fputs("<table>\n<tbody>\n", out);
    for (int i = 0; i < METRICS_REJECTIONS; i++)
        print_row(out, rejection_words[i], view->all.rejections[i]);
    fputs("</tbody>\n</table>\n</section>\n", out);
}

static void print_certificate(FILE *out, const char *name, const struct expiry *expiry)
{
    int64_t now = clock_wall_seconds(), end = expiry_of(expiry), left = end - now;
    const char *class = left <= 0 ? "bad" : expiry_is_near(expiry, now) ? "warn" : "good";
    char date[32];
    struct tm parts;
    time_t seconds = end;
    if (!gmtime_r(&seconds, &parts) || !strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &parts))
        snprintf(date, sizeof date, "an unknown day");
    fprintf(out, "<tr><td>%s<small>until %s</small></td><td class=\"n\"><span class=\"pill %s\">", name, date, class);
    if (left > 0)
        page_put_span(out, left);
    else
        fputs("ended", out);
    fputs("</span></td></tr>\n", out);
}

static void print_certificates(FILE *out, const struct observer *observer)
{
    fputs("<section class=\"ends\">\n<h2>Certificates <span>time left</span></h2>\n<table>\n<tbody>\n", out);
    for (int i = 0; i < METRICS_CERTIFICATES; i++)
        if (observer->config.expiries[i] && expiry_of(observer->config.expiries[i]))
            print_certificate(out, certificate_words[i], observer->config.expiries[i]);
    uint64_t failures = 0;
    for (int i = 0; i < METRICS_RELOADS; i++)
        failures += atomic_load(&observer->metrics.reloads[i][1]);
    if (failures)
        print_row(out, "changed files that could not be used, since the start", failures);
    fputs("</tbody>\n</table>\n</section>\n", out);
}

static void print_page(FILE *out, const struct observer *observer, const struct history_view *view)
{
    struct gauges gauges;
    observer->config.gauges(observer->config.closure, &gauges);
    print_head(out);
    fputs("<body>\n<main>\n", out);
    print_header(out, &observer->config, &gauges);
    print_tiles(out, &observer->metrics, view);
    page_put_chart(out, view);
    print_rules(out, view);
    print_slow(out, view);
    print_load(out, &observer->metrics, &gauges);
    print_rejections(out, view);
    print_certificates(out, observer);
    fprintf(out,
            "<footer>Figures of this process alone, new every %d seconds. Objects are not shown, neither their names nor their values. "
            "<a href=\"/metrics\">/metrics</a> is for Prometheus.</footer>\n</main>\n</body>\n</html>\n",
            LIMIT_PAGE_REFRESH_SECONDS);
}

char *page_text(struct observer *observer)
{
    struct history_view *view = malloc(sizeof *view);
    char *text = NULL;
    size_t length = 0;
    FILE *out = view ? open_memstream(&text, &length) : NULL;
    if (out) {
        history_view(&observer->history, view);
        print_page(out, observer, view);
        if (fclose(out) != 0) {
            free(text);
            text = NULL;
        }
    }
    free(view);
    return text;
}
