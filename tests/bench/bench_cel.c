/* Times CEL expressions: what a selector costs one core.
 * usage: bench_cel SECONDS DEVICES EXPRESSION...
 * Prints microseconds for each: to compile it, from text to cost; and to evaluate it on the first device of a list in JSON, for which it is
 * true. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/limits.h"
#include "bench.h"
#include "cel/evaluate.h"
#include "cel/limits.h"
#include "schema/cel.h"
#include "tests/cel_devices.h"

#define VERSION 35 /* of Kubernetes 1 */

static double compile(struct arena *arena, double seconds, struct bytes expression, struct cel_expression *compiled)
{
    unsigned long rounds = 0;
    double start = cpu_seconds(), used;
    do {
        for (int i = 0; i < 100; i++) {
            arena_clear(arena);
            if (cel_compile(expression, &cel_device_library, cel_environment(VERSION), arena, compiled) || compiled->class != CEL_GOOD)
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

static struct cel_value read_device(struct arena *arena, const char *path)
{
    static struct test_device devices[TEST_DEVICES_MAX];
    struct buffer text = { NULL, 0 };
    struct error error;
    if (!files_read(path, LIMIT_FILE_BYTES, 0, &text, &error) || !test_devices_read(buffer_bytes(&text), VERSION, arena, devices) ||
        devices[0].fault)
        exit(2);
    return devices[0].value; /* it borrows the text, which lives as long as the program */
}

int main(int argc, char **argv)
{
    struct arena arena, device_arena;
    struct cel_expression compiled;
    if (argc < 4)
        return 2;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    arena_init(&device_arena, &memory_malloc, LIMIT_ARENA_BYTES);
    struct cel_value device = read_device(&device_arena, argv[2]);
    for (int i = 3; i < argc; i++) {
        double compiling = compile(&arena, atof(argv[1]), bytes_of(argv[i]), &compiled);
        printf("%.3f %.3f\n", compiling, evaluate(&arena, atof(argv[1]), &compiled, &device));
    }
    arena_done(&device_arena);
    arena_done(&arena);
}
