/* Times parsing and validation of captured reviews: what one review costs one core, without response and transport. Beside it, in
 * the same run, cJSON_Parse of the same bytes: what only building a tree costs with a common library.
 * usage: bench_review SECONDS FILE...   with 0 seconds: bench_review_once() runs once for each, for programs that count instructions */
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/files.h"
#include "base/limits.h"
#include "bench.h"
#include "review/review.h"
#include "validate/context.h"

static struct buffer read_file(const char *name)
{
    struct buffer buffer;
    struct error error;
    if (!files_read(name, LIMIT_BODY_BYTES, FILE_ANY, &buffer, &error)) {
        fprintf(stderr, "%s: %s\n", name, error.text);
        exit(2);
    }
    return buffer;
}

/* CPU seconds for one cJSON_Parse and cJSON_Delete. */
static double bench_cjson(double seconds, struct bytes body)
{
    unsigned long rounds = 0;
    double start = cpu_seconds(), used;
    do {
        for (int i = 0; i < 100; i++)
            cJSON_Delete(cJSON_ParseWithLength(body.data, body.length));
        rounds += 100;
    } while ((used = cpu_seconds() - start) < seconds);
    return used / (double)rounds;
}

/* Not inlined, so that callgrind --toggle-collect finds it. */
__attribute__((noinline)) static void bench_review_once(struct workspace *workspace, const struct review_settings *settings, struct bytes body,
                                                 struct review *review)
{
    review_validate(workspace, settings, body, 0, true, review);
}

static void bench(struct workspace *workspace, double seconds, const char *name)
{
    const struct review_settings settings = { .version = MINOR_DEFAULT, .gates = gates_of_webhook(), .profile = PROFILE_API_SERVER };
    struct buffer text = read_file(name);
    struct bytes body = buffer_bytes(&text);
    struct review review;
    unsigned long rounds = 0;
    for (int i = 0; i < 3; i++) /* memory is taken and patterns are compiled in the first */
        review_validate(workspace, &settings, body, 0, true, &review);
    if (seconds == 0) {
        bench_review_once(workspace, &settings, body, &review);
        buffer_free(&text);
        return;
    }
    double start = cpu_seconds(), used;
    do {
        for (int i = 0; i < 100; i++)
            review_validate(workspace, &settings, body, 0, true, &review);
        rounds += 100;
    } while ((used = cpu_seconds() - start) < seconds);
    const char *base = strrchr(name, '/');
    printf("%-46s %6u bytes %7.2f us (cJSON_Parse %7.2f us) %7.1f MB/s  %s\n", base ? base + 1 : name, body.length, used / (double)rounds * 1e6,
           bench_cjson(seconds / 4, body) * 1e6, (double)body.length * (double)rounds / used * 1e-6, review.outcome == REVIEW_ALLOWED ? "allowed" : review.outcome == REVIEW_DENIED ? "denied" : "not validated");
    buffer_free(&text);
}

int main(int argc, char **argv)
{
    struct context context;
    struct workspace workspace;
    if (argc < 3 || context_init(&context, &memory_malloc) || workspace_init(&workspace, &context))
        return 2;
    for (int i = 2; i < argc; i++)
        bench(&workspace, atof(argv[1]), argv[i]);
    workspace_done(&workspace);
    context_done(&context);
}
