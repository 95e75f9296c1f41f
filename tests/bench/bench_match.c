/* Times matching: what one claim and the slices beside it cost one core.
 * usage: bench_match SECONDS FILE
 * Prints microseconds: to read the objects and know the devices, and to match the claim with each of them. */
#include <stdio.h>
#include <stdlib.h>

#include "base/files.h"
#include "bench.h"
#include "match/report.h"
#include "validate/context.h"
#include "validate/limits.h"
#include "validate/source_set.h"

#define VERSION 35 /* of Kubernetes 1 */

static const struct item *find_claim(const struct source *source)
{
    for (const struct item *item = source->first; item; item = item->next)
        if (match_is_subject(item) && !bytes_equal_text(item->kind->kind, "DeviceClass"))
            return item;
    exit(2);
}

/* A world of its own for every round: selectors are compiled, and devices made values, each time. */
static double match_once(const struct context *context, const struct source *source, double *reading)
{
    static const struct bytes any = { NULL, 0 };
    struct match_world world;
    struct match_report report;
    double start = cpu_seconds();
    check(match_world_init(&world, context, source, VERSION, any));
    double read = cpu_seconds();
    check(match_report_init(&report, &world, find_claim(source)));
    double done = cpu_seconds();
    match_report_done(&report);
    match_world_done(&world);
    *reading += read - start;
    return done - read;
}

int main(int argc, char **argv)
{
    struct context context;
    struct source_set set;
    struct source *source;
    struct buffer text = { NULL, 0 };
    struct error error;
    const struct validate_settings settings = { .version = VERSION };
    double reading = 0, matching = 0;
    unsigned long rounds = 0;
    if (argc != 3 || !files_read(argv[2], LIMIT_FILE_BYTES, 0, &text, &error))
        return 2;
    check(context_init(&context, &memory_malloc));
    source_set_init(&set, &context, &settings);
    check(source_set_add(&set, argv[2], buffer_bytes(&text), &source));
    for (; reading + matching < atof(argv[1]); rounds++)
        matching += match_once(&context, source, &reading);
    printf("%.1f %.1f\n", reading / (double)rounds * 1e6, matching / (double)rounds * 1e6);
    source_set_done(&set);
    context_done(&context);
    buffer_free(&text);
}
