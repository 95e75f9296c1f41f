/* Times allocating: what a scheduling cycle costs one core, in which the claims of a file are tried on all of its nodes.
 * usage: bench_allocate CYCLES FILE
 * Prints milliseconds: to know the objects; of the first cycle, in which selectors are evaluated; and of the best of the later ones. Then on
 * how many nodes the claims fit. allocate_worlds.py makes files. */
#include <stdio.h>
#include <stdlib.h>

#include "allocate/attempt.h"
#include "base/files.h"
#include "bench.h"
#include "match/limits.h"
#include "validate/context.h"
#include "validate/limits.h"
#include "validate/source_set.h"

enum { VERSION = 36 }; /* of Kubernetes 1 */

struct bench {
    struct context context;
    struct arena arena;
    struct match_world matching;
    struct allocate_world world;
    struct allocate_claims claims;
};

/* Adds the object to the list, if it is of that kind; `room` is enough for all. */
static void sort_in(struct bench *bench, const struct item *item, const char *group, const char *kind, struct value *list, uint32_t *count)
{
    if (match_is(item, group, kind))
        check(match_read(&bench->matching, item, &list[(*count)++]));
}

static struct value *make_list(struct bench *bench, uint32_t room)
{
    struct value *list = arena_alloc(&bench->arena, (room + 1) * sizeof *list);
    if (!list)
        exit(2);
    return list;
}

static void read_world(struct bench *bench, const struct source *source)
{
    static const char resource[] = "resource.k8s.io";
    const struct allocate_features features = { .admin = true, .list = true, .part = true, .taints = true, .consume = true, .bind = true };
    const struct allocate_mode mode = allocate_mode_of(VERSION, features);
    uint32_t room = 0, claim_count = 0;
    for (const struct item *item = source->first; item; item = item->next)
        room++;
    struct value *nodes = make_list(bench, room), *slices = make_list(bench, room), *classes = make_list(bench, room);
    struct value *claims = make_list(bench, room);
    struct allocate_objects objects = { .nodes = nodes, .slices = slices, .classes = classes };
    for (const struct item *item = source->first; item; item = item->next) {
        sort_in(bench, item, "", "Node", nodes, &objects.node_count);
        sort_in(bench, item, resource, "ResourceSlice", slices, &objects.slice_count);
        sort_in(bench, item, resource, "DeviceClass", classes, &objects.class_count);
        sort_in(bench, item, resource, "ResourceClaim", claims, &claim_count);
    }
    check(allocate_world_init(&bench->world, &bench->matching, &mode, &objects));
    check(allocate_claims_read(&bench->world, &bench->arena, claims, claim_count, true, &bench->claims));
}

static double run_cycle(struct bench *bench, struct allocate_attempt *attempt, uint32_t *fit)
{
    double start = cpu_seconds();
    *fit = 0;
    allocate_world_cycle(&bench->world);
    for (uint32_t i = 0; i < bench->world.node_count; i++)
        *fit += allocate_attempt_run(attempt, &bench->claims, &bench->world.nodes[i]) == ALLOCATE_DONE;
    return cpu_seconds() - start;
}

static void measure(struct bench *bench, const struct source *source, unsigned long cycles)
{
    static const struct match_bounds bounds = {
        .objects = LIMIT_ALLOCATE_WORLD_BYTES, .values = LIMIT_MATCH_VALUES, .work = LIMIT_ALLOCATE_EVALUATION,
    };
    struct allocate_attempt attempt;
    uint32_t fit;
    double start = cpu_seconds();
    arena_init(&bench->arena, &memory_malloc, LIMIT_ALLOCATE_WORLD_BYTES);
    check(match_world_init_within(&bench->matching, &bench->context, NULL, VERSION, (struct bytes){ NULL, 0 }, &bounds));
    read_world(bench, source);
    double knowing = cpu_seconds() - start, best = 1e9;
    allocate_attempt_init(&attempt, &bench->world);
    double first = run_cycle(bench, &attempt, &fit);
    for (unsigned long i = 0; i < cycles; i++) {
        double took = run_cycle(bench, &attempt, &fit);
        best = took < best ? took : best;
    }
    printf("%.3f %.3f %.3f %u of %u\n", knowing * 1e3, first * 1e3, best * 1e3, fit, bench->world.node_count);
    allocate_attempt_done(&attempt);
    allocate_world_done(&bench->world);
    match_world_done(&bench->matching);
    arena_done(&bench->arena);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    const struct validate_settings settings = { .version = VERSION };
    struct source_set set;
    struct source *source;
    struct buffer text = { NULL, 0 };
    struct error error;
    if (argc != 3 || !files_read(argv[2], LIMIT_FILE_BYTES, 0, &text, &error))
        return 2;
    check(context_init(&bench.context, &memory_malloc));
    source_set_init(&set, &bench.context, &settings);
    check(source_set_add(&set, argv[2], buffer_bytes(&text), &source));
    measure(&bench, source, strtoul(argv[1], NULL, 10));
    source_set_done(&set);
    context_done(&bench.context);
    buffer_free(&text);
}
