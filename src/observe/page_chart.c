/* The status page's chart: verdicts over time, in SVG. */
#include "observe/page_parts.h"

enum { CHART_HEIGHT = 1000 }; /* of the drawing; the browser stretches it */

/* What the classes of the style are called; "bad" is a colour of texts. */
static const char *const verdict_classes[METRICS_VERDICTS] = {
    [VERDICT_ALLOWED] = "allowed",  [VERDICT_WARNED] = "warned",  [VERDICT_DENIED] = "denied",         [VERDICT_SKIPPED] = "skipped",
    [VERDICT_BAD] = "bad_review",   [VERDICT_FAILED] = "failed",  [VERDICT_TOO_LARGE] = "too_large",
};

static const char *const verdict_words[METRICS_VERDICTS] = {
    [VERDICT_ALLOWED] = "allowed",  [VERDICT_WARNED] = "allowed with warnings",
    [VERDICT_DENIED] = "denied",    [VERDICT_SKIPPED] = "no rules for it",
    [VERDICT_BAD] = "not a review", [VERDICT_TOO_LARGE] = "too large",
    [VERDICT_FAILED] = "failed",
};

/* An even digit or ten times a power of ten, at least `max`, so that half of it is a number, too. */
static uint64_t round_top(uint64_t max)
{
    static const unsigned steps[] = { 2, 4, 6, 8, 10 };
    for (uint64_t scale = 1; scale < UINT64_MAX / 100; scale *= 10)
        for (int i = 0; i < 5; i++)
            if (steps[i] * scale >= max)
                return steps[i] * scale;
    return max;
}

static void print_minute(FILE *out, unsigned at, unsigned ago, const uint64_t verdicts[METRICS_VERDICTS], uint64_t top)
{
    uint64_t below = 0;
    if (!page_sum_of(verdicts))
        return;
    fputs("<g><title>", out);
    fprintf(out, ago ? "%u min ago:" : "this minute:", ago);
    for (int i = 0; i < METRICS_VERDICTS; i++)
        if (verdicts[i])
            fprintf(out, " %lu %s", verdicts[i], verdict_words[i]);
    fputs("</title>", out);
    for (int i = 0; i < METRICS_VERDICTS; i++) {
        if (!verdicts[i])
            continue;
        double height = (double)verdicts[i] * CHART_HEIGHT / (double)top;
        double y = CHART_HEIGHT - (double)(below + verdicts[i]) * CHART_HEIGHT / (double)top;
        fprintf(out, "<rect class=\"%s\" x=\"%u.1\" width=\"0.8\" y=\"%.2f\" height=\"%.2f\"/>", verdict_classes[i], at, y, height);
        below += verdicts[i];
    }
    fputs("</g>\n", out);
}

static void print_legend(FILE *out, const struct history_view *view)
{
    fputs("<ul class=\"legend\">\n", out);
    for (int i = 0; i < METRICS_VERDICTS; i++) {
        fprintf(out, "<li%s><svg viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"%s\" width=\"1\" height=\"1\"/></svg>%s<b>",
                view->all.verdicts[i] ? "" : " class=\"none\"", verdict_classes[i], verdict_words[i]);
        page_put_count(out, view->all.verdicts[i]);
        fputs("</b></li>\n", out);
    }
    fputs("</ul>\n", out);
}

static void print_plot(FILE *out, const struct history_view *view)
{
    uint64_t max = 0;
    for (unsigned i = 0; i < view->minutes; i++)
        if (page_sum_of(view->verdicts[i]) > max)
            max = page_sum_of(view->verdicts[i]);
    uint64_t top = round_top(max);
    unsigned empty = LIMIT_HISTORY_MINUTES - view->minutes;
    fputs("<div class=\"plot\">\n<div class=\"y\"><span>", out);
    page_put_count(out, top);
    fputs("</span><span>", out);
    page_put_count(out, top / 2);
    fprintf(out,
            "</span><span>0</span></div>\n<svg viewBox=\"0 0 %u %d\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Reviews per "
            "minute by verdict\">\n",
            LIMIT_HISTORY_MINUTES, CHART_HEIGHT);
    for (int line = 0; line < 4; line++)
        fprintf(out, "<line class=\"grid\" x1=\"0\" x2=\"%u\" y1=\"%d\" y2=\"%d\"/>\n", LIMIT_HISTORY_MINUTES, line * CHART_HEIGHT / 4,
                line * CHART_HEIGHT / 4);
    for (unsigned i = 0; i < view->minutes; i++)
        print_minute(out, empty + i, view->minutes - 1 - i, view->verdicts[i], top);
    fputs("</svg>\n<div class=\"x\"><span>60 min ago</span><span>45</span><span>30</span><span>15</span><span>now</span></div>\n</div>\n",
          out);
}

void page_put_chart(FILE *out, const struct history_view *view)
{
    fputs("<section class=\"chart\">\n<h2>Verdicts <span>reviews per minute</span></h2>\n", out);
    if (page_sum_of(view->all.verdicts)) {
        print_plot(out, view);
        print_legend(out, view);
    } else {
        fputs("<p>No review has come in the last hour.</p>\n<p>API servers send them once a ValidatingWebhookConfiguration names this "
              "service; "
              "<code>drawbridge manifests</code> prints one. A dry run is enough to see whether they do: "
              "<code>kubectl create --dry-run=server -f storageclass.yaml</code></p>\n",
              out);
    }
    fputs("</section>\n", out);
}
