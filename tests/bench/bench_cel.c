/* Times CEL expressions: what a selector costs one core.
 * usage: bench_cel SECONDS EXPRESSION...
 * Prints microseconds for each: to compile it, from text to cost; and to evaluate it on a device that all parts of bodies.py's selectors
 * look at. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/limits.h"
#include "cel/evaluate.h"
#include "cel/limits.h"
#include "schema/cel.h"

#define VERSION 35 /* of Kubernetes 1 */

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double compile(struct arena *arena, double seconds, struct bytes expression, struct cel_expression *compiled)
{
    unsigned long rounds = 0;
    double start = cpu_seconds(), used;
    do {
        for (int i = 0; i < 100; i++) {
            arena_clear(arena);
            if (cel_compile(expression, &cel_device_library, VERSION, arena, compiled) || compiled->class != CEL_GOOD)
                exit(2);
        }
        rounds += 100;
    } while ((used = cpu_seconds() - start) < seconds);
    return used / (double)rounds * 1e6;
}

/* Evaluates with its own arena, which is cleared each time. */
static double evaluate(struct arena *arena, double seconds, const struct cel_expression *compiled, const struct cel_value *device)
{
    struct arena scratch;
    const struct cel_program *program;
    struct cel_result result;
    unsigned long rounds = 0;
    double start, used;
    arena_init(&scratch, &memory_malloc, LIMIT_CEL_EVALUATION_ARENA);
    if (cel_program_new(compiled, &cel_device_library, VERSION, arena, &program))
        exit(2);
    start = cpu_seconds();
    do {
        for (int i = 0; i < 100; i++) {
            arena_clear(&scratch);
            if (cel_evaluate(program, device, &scratch, &result) || result.value.type != CEL_BOOL || !result.value.boolean)
                exit(2);
        }
        rounds += 100;
    } while ((used = cpu_seconds() - start) < seconds);
    arena_done(&scratch);
    return used / (double)rounds * 1e6;
}

static struct cel_value a_device(struct arena *arena)
{
    struct cel_device device;
    struct cel_value value, model = cel_string(bytes_of("h100")), uuid = cel_string(bytes_of("GPU-4404041a-04cf-1ccf-9e70-f139a9b1e23c"));
    struct cel_value zone = cel_string(bytes_of("b")), number = cel_integer(3);
    cel_device_init(&device, arena, bytes_of("gpu.acme.dev"));
    cel_device_add_attribute(&device, bytes_of("model"), &model);
    cel_device_add_attribute(&device, bytes_of("uuid"), &uuid);
    cel_device_add_attribute(&device, bytes_of("zone"), &zone);
    cel_device_add_attribute(&device, bytes_of("index"), &number);
    cel_device_add_version(&device, bytes_of("driverVersion"), bytes_of("580.65.6"));
    cel_device_add_capacity(&device, bytes_of("memory"), bytes_of("80Gi"));
    if (cel_device_value(&device, false, VERSION, &value) || device.fault)
        exit(2);
    return value;
}

int main(int argc, char **argv)
{
    struct arena arena, device_arena;
    struct cel_expression compiled;
    if (argc < 3)
        return 2;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    arena_init(&device_arena, &memory_malloc, LIMIT_ARENA_BYTES);
    struct cel_value device = a_device(&device_arena);
    for (int i = 2; i < argc; i++) {
        double compiling = compile(&arena, atof(argv[1]), bytes_of(argv[i]), &compiled);
        printf("%.3f %.3f\n", compiling, evaluate(&arena, atof(argv[1]), &compiled, &device));
    }
    arena_done(&device_arena);
    arena_done(&arena);
}
