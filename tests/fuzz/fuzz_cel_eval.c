/* libFuzzer target: an expression that is evaluated on devices. Whatever it is, if it compiles: each evaluation ends in bounded memory with a value
 * or with an error that has words, the second gives what the first gave, and devices are as they were. */
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "cel/limits.h"
#include "tests/cel_devices.h"

#define VERSION 35 /* of Kubernetes 1 */
#define PRINTED 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char list[] =
    "[{\"name\":\"gpu\",\"driver\":\"gpu.acme.dev\",\"device\":{\"allowMultipleAllocations\":true,\"attributes\":{\"model\":{\"string\":\"a100\"},"
    "\"index\":{\"int\":3},\"healthy\":{\"bool\":true},\"driverVersion\":{\"version\":\"1.2.3-rc.1+b5\"},\"ip\":{\"string\":\"192.0.2.7\"}},"
    "\"capacity\":{\"memory\":{\"value\":\"40Gi\"},\"cores\":{\"value\":\"108\"},\"big\":{\"value\":\"12345678901234567890\"}}}},"
    "{\"name\":\"bare\",\"driver\":\"gpu.acme.dev\",\"device\":{}}]";

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void print(struct arena *arena, const struct cel_value *value, char *words)
{
    struct text text;
    text_init(&text, arena);
    cel_value_print(&text, value, PRINTED / 2);
    const char *made = text_end(&text);
    snprintf(words, PRINTED, "%s", made ? made : "");
}

/* One evaluation: its cost, and what it is as a text. */
static uint64_t evaluate(const struct cel_program *program, const struct cel_value *device, char *words)
{
    struct arena arena;
    struct cel_result result;
    arena_init(&arena, &memory_malloc, LIMIT_CEL_EVALUATION_ARENA);
    require(cel_evaluate(program, device, &arena, &result) == FAILURE_NONE);
    if (result.value.type == CEL_ERROR) {
        require(result.value.fault.words && *result.value.fault.words);
        snprintf(words, PRINTED, "%s", result.value.fault.words);
    } else {
        print(&arena, &result.value, words);
    }
    arena_done(&arena);
    return result.cost;
}

static void check(const struct cel_program *program, struct arena *arena, const struct cel_value *device)
{
    static char words[2][PRINTED], before[PRINTED], after[PRINTED];
    print(arena, device, before);
    uint64_t cost = evaluate(program, device, words[0]);
    require(evaluate(program, device, words[1]) == cost && strcmp(words[0], words[1]) == 0);
    print(arena, device, after);
    require(strcmp(before, after) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct cel_expression compiled;
    const struct cel_program *program;
    struct test_device devices[TEST_DEVICES_MAX];
    struct bytes text = { (const char *)data, (uint32_t)size };
    if (!utf8_is_valid(text) || (size && memchr(data, '\0', size)))
        return -1;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    unsigned count = test_devices_read(bytes_of(list), VERSION, &arena, devices);
    require(count == 2);
    require(cel_compile_any(text, &cel_device_library, cel_environment(VERSION), &arena, &compiled) == FAILURE_NONE);
    if ((compiled.class == CEL_GOOD || compiled.class == CEL_TOO_COSTLY) &&
        cel_program_new(&compiled, &cel_device_library, VERSION, &arena, &program) == FAILURE_NONE)
        for (unsigned i = 0; i < count; i++)
            check(program, &arena, &devices[i].value);
    arena_done(&arena);
    return 0;
}
