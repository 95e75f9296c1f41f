/* Times the compilation of CEL expressions, from text to cost: what a selector costs one core.
 * usage: bench_cel SECONDS EXPRESSION... */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/limits.h"
#include "cel/compile.h"
#include "schema/cel.h"

#define VERSION 35 /* of Kubernetes 1 */

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void bench(struct arena *arena, double seconds, struct bytes expression)
{
    struct cel_expression compiled;
    unsigned long rounds = 0;
    double start = cpu_seconds(), used;
    do {
        for (int i = 0; i < 100; i++) {
            arena_clear(arena);
            if (cel_compile(expression, &cel_device_library, VERSION, arena, &compiled) || compiled.class != CEL_GOOD)
                exit(2);
        }
        rounds += 100;
    } while ((used = cpu_seconds() - start) < seconds);
    printf("%.3f\n", used / (double)rounds * 1e6);
}

int main(int argc, char **argv)
{
    struct arena arena;
    if (argc < 3)
        return 2;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    for (int i = 2; i < argc; i++)
        bench(&arena, atof(argv[1]), bytes_of(argv[i]));
    arena_done(&arena);
}
