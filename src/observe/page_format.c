/* How the status page writes numbers, times and texts for people. */
#include "observe/page_parts.h"

void page_put_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default:  fputc(*text, out);
        }
    }
}

void page_put_count(FILE *out, uint64_t number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%lu", number);
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            fputc(',', out);
        fputc(digits[i], out);
    }
}

void page_put_duration(FILE *out, uint64_t nanoseconds)
{
    double ms = (double)nanoseconds / 1e6;
    if (ms < 1000)
        fprintf(out, ms < 0.995 ? "%.2f ms" : ms < 9.95 ? "%.1f ms" : "%.0f ms", ms);
    else
        fprintf(out, "%.1f s", ms / 1000);
}

void page_put_size(FILE *out, uint64_t bytes)
{
    double size = (double)bytes;
    if (bytes < 1000)
        fprintf(out, "%lu B", bytes);
    else if (bytes < 1000000)
        fprintf(out, bytes < 9950 ? "%.1f KB" : "%.0f KB", size / 1e3);
    else
        fprintf(out, "%.1f MB", size / 1e6);
}

void page_put_span(FILE *out, int64_t seconds)
{
    static const struct {
        int64_t seconds;
        const char *unit;
    } units[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
    unsigned i = 0;
    while (i < 3 && seconds < units[i].seconds)
        i++;
    fprintf(out, "%ld %s", seconds / units[i].seconds, units[i].unit);
    int64_t rest = i < 3 ? seconds % units[i].seconds / units[i + 1].seconds : 0;
    if (rest && i < 2)
        fprintf(out, " %ld %s", rest, units[i + 1].unit);
}

uint64_t page_sum_of(const uint64_t verdicts[METRICS_VERDICTS])
{
    uint64_t sum = 0;
    for (int i = 0; i < METRICS_VERDICTS; i++)
        sum += verdicts[i];
    return sum;
}
