/* Times regular expressions of CEL: microseconds to compile one, and nanoseconds to find out whether a text matches, and where.
 * usage: bench_regexp SECONDS EXPRESSION TEXT */
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "bench.h"
#include "cel/match.h"

enum { ROUNDS = 100 };

static struct arena arena, scratch;

static const struct cel_regexp_program *compile(struct bytes pattern, enum cel_regexp_purpose purpose)
{
    const struct cel_regexp_program *program;
    const char *error = NULL;
    arena_clear(&arena);
    if (cel_regexp_compile(pattern, CEL_REGEXP_GO_1_25, purpose, &arena, &program, &error) || error)
        exit(2);
    return program;
}

static double seconds_to_compile(struct bytes pattern, double seconds)
{
    unsigned long rounds = 0;
    double start = cpu_seconds(), used;
    do {
        for (int i = 0; i < ROUNDS; i++)
            (void)compile(pattern, CEL_REGEXP_TEST);
        rounds += ROUNDS;
    } while ((used = cpu_seconds() - start) < seconds);
    return used / (double)rounds;
}

static double seconds_to_match(const struct cel_regexp_program *program, struct bytes text, double seconds)
{
    struct cel_matcher matcher;
    struct cel_match match;
    unsigned long rounds = 0;
    double start = cpu_seconds(), used;
    arena_clear(&scratch);
    cel_matcher_init(&matcher, &scratch);
    do {
        matcher.steps = UINT64_MAX;
        for (int i = 0; i < ROUNDS; i++)
            if (cel_regexp_find(&matcher, program, text, 0, &match))
                exit(2);
        rounds += ROUNDS;
    } while ((used = cpu_seconds() - start) < seconds);
    return used / (double)rounds;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    double seconds = atof(argv[1]) / 3;
    struct bytes pattern = bytes_of(argv[2]), text = bytes_of(argv[3]);
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    arena_init(&scratch, &memory_malloc, LIMIT_ARENA_BYTES);
    double compiling = seconds_to_compile(pattern, seconds);
    double whether = seconds_to_match(compile(pattern, CEL_REGEXP_TEST), text, seconds);
    double where = seconds_to_match(compile(pattern, CEL_REGEXP_FIND), text, seconds);
    printf("compiled %.2f us, matches %.0f ns, find %.0f ns\n", compiling * 1e6, whether * 1e9, where * 1e9);
    arena_done(&arena);
    arena_done(&scratch);
}
