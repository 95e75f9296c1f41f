/* Evaluation under limits, in threads, with memory that fails. What values and costs are, tests/conformance/test_cel.py compares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "cel/limits.h"
#include "tests/cel_devices.h"
#include "tests/unit/unit_arena.h"

enum { VERSION = 35 };

static const char list[] =
    "[{\"name\":\"gpu\",\"driver\":\"gpu.acme.dev\",\"device\":{\"attributes\":{\"model\":{\"string\":\"a100\"},\"index\":{\"int\":3},"
    "\"driverVersion\":{\"version\":\"1.2.3\"}},\"capacity\":{\"memory\":{\"value\":\"40Gi\"},\"big\":{\"value\":\"12345678901234567890\"}}}}]";

static struct cel_value a_device(void)
{
    struct test_device devices[TEST_DEVICES_MAX];
    assert_int_equal(test_devices_read(bytes_of(list), VERSION, &arena, devices), 1);
    return devices[0].value;
}

static const struct cel_program *program_of(const char *expression)
{
    static struct cel_expression compiled;
    const struct cel_program *program;
    assert_int_equal(cel_compile(bytes_of(expression), &cel_device_library, cel_environment(VERSION), &arena, &compiled), FAILURE_NONE);
    assert_true(compiled.class == CEL_GOOD || compiled.class == CEL_TOO_COSTLY);
    assert_int_equal(cel_program_new(&compiled, &cel_device_library, VERSION, &arena, &program), FAILURE_NONE);
    return program;
}

/* What the expression is: "true", "false", or the words of its error. */
static const char *outcome(const char *expression, uint64_t *cost)
{
    static char words[256];
    struct cel_value device = a_device();
    struct cel_result result;
    struct arena scratch;
    arena_init(&scratch, &memory_malloc, LIMIT_CEL_EVALUATION_ARENA);
    assert_int_equal(cel_evaluate(program_of(expression), &device, &scratch, &result), FAILURE_NONE);
    cel_result_make_bool(&result);
    snprintf(words, sizeof words, "%s", result.value.type == CEL_ERROR ? result.value.fault.words : result.value.boolean ? "true" : "false");
    *cost = result.cost;
    arena_done(&scratch);
    return words;
}

/* ---- limits ---- */

static void test_cost(void **state)
{
    (void)state;
    uint64_t cost;
    assert_string_equal(outcome("lists.range(999987).size() == 1", &cost), "false");
    assert_int_equal(cost, LIMIT_CEL_COST);
    assert_string_equal(outcome("lists.range(999989).size() == 1 || true", &cost), "operation cancelled: actual cost limit exceeded");
    assert_int_equal(cost, LIMIT_CEL_COST + 1);
}

/* Each list has the one before it twice: 2^30 elements are compared at a cost of 1. */
static void test_steps(void **state)
{
    (void)state;
    char expression[4096] = "cel.bind(a, [[1]], ";
    size_t length = strlen(expression);
    uint64_t cost;
    for (char name = 'b'; name <= 'z'; name++)
        length += (size_t)snprintf(expression + length, sizeof expression - length, "cel.bind(%c, [%c, %c], ", name, name - 1, name - 1);
    length += (size_t)snprintf(expression + length, sizeof expression - length, "z == z");
    memset(expression + length, ')', 26);
    assert_string_equal(outcome(expression, &cost), "the evaluation takes too long");
    assert_true(cost < 1000);
}

/* A text of 1,000 characters, each of which is replaced by a million. */
static void test_memory(void **state)
{
    (void)state;
    char expression[2048] = "cel.bind(x, '";
    uint64_t cost;
    memset(expression + strlen(expression), 'a', 1000);
    strcat(expression, "', x.replace('a', x.replace('a', x)).size() == 1)");
    assert_string_equal(outcome(expression, &cost), "the evaluation needs too much memory");
}

/* ---- depth ---- */

/* `open` so many times, what is in the middle, and `close` as often. */
static void nest(char *expression, const char *open, unsigned times, const char *middle, const char *close)
{
    *expression = '\0';
    for (unsigned i = 0; i < times; i++)
        strcat(expression, open);
    strcat(expression, middle);
    for (unsigned i = 0; i < times; i++)
        strcat(expression, close);
}

static void *evaluate_deep(void *unused)
{
    static const struct {
        const char *open, *middle, *close;
    } rows[] = {
        { "[", "1", "][0]" },
        { "(true ? ", "1", " : 0)" },
        { "(", "1", " + 1)" },
        { "[1].map(x, ", "1", ")[0]" },
        { "cel.bind(x, ", "1", ", x)" },
        { "{1: ", "1", "}[1]" },
        { "optional.of(", "1", ").value()" },
        { "int(", "1", ")" },
    };
    static char expression[LIMIT_CEL_BYTES + 64], whole[LIMIT_CEL_BYTES + 128];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned times = 60; times <= 240; times += 60) {
            struct cel_expression compiled;
            const struct cel_program *program;
            struct cel_value device = a_device();
            struct cel_result result;
            struct arena scratch;
            nest(expression, rows[i].open, times, rows[i].middle, rows[i].close);
            snprintf(whole, sizeof whole, "%s == %s", expression, rows[i].middle);
            assert_int_equal(cel_compile(bytes_of(whole), &cel_device_library, cel_environment(VERSION), &arena, &compiled), FAILURE_NONE);
            if (compiled.class != CEL_GOOD && compiled.class != CEL_TOO_COSTLY)
                continue;
            arena_init(&scratch, &memory_malloc, LIMIT_CEL_EVALUATION_ARENA);
            assert_int_equal(cel_program_new(&compiled, &cel_device_library, VERSION, &arena, &program), FAILURE_NONE);
            assert_int_equal(cel_evaluate(program, &device, &scratch, &result), FAILURE_NONE);
            arena_done(&scratch);
        }
    return unused;
}

static void test_depth(void **state)
{
    (void)state;
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)8 << 20); /* what threads have by default */
    assert_int_equal(pthread_create(&thread, &attributes, evaluate_deep, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

/* Each name is read at the bottom of the sum that the next one stands for. */
static void test_bindings_inside_each_other(void **state)
{
    (void)state;
    enum { NAMES = 60, SUMMANDS = 74 };
    char expression[LIMIT_CEL_BYTES] = "cel.bind(x0, 1, ";
    size_t length = strlen(expression);
    uint64_t cost;
    for (unsigned i = 1; i <= NAMES; i++) {
        length += (size_t)snprintf(expression + length, sizeof expression - length, "cel.bind(x%u,x%u", i, i - 1);
        for (unsigned j = 0; j < SUMMANDS; j++)
            length += (size_t)snprintf(expression + length, sizeof expression - length, "+1");
        expression[length++] = ',';
    }
    length += (size_t)snprintf(expression + length, sizeof expression - length, "x%u > 0", NAMES);
    memset(expression + length, ')', NAMES + 1);
    assert_string_equal(outcome(expression, &cost), "the evaluation is too deep");
}

/* ---- threads ---- */

enum { THREADS = 4, ROUNDS = 300, PROGRAMS = 5 };

static const char *const shared[PROGRAMS] = {
    "device.attributes['gpu.acme.dev'].model.matches('^a[0-9]+$')",
    "device.capacity['gpu.acme.dev'].memory.isGreaterThan(quantity('1.5Gi')) && !device.capacity['gpu.acme.dev'].memory.isInteger()",
    "device.capacity['gpu.acme.dev'].big.add(1).compareTo(device.capacity['gpu.acme.dev'].big) == 0",
    "lists.range(20).map(x, x * 7 % 5).sort()[0] == 0",
    "'%s %d'.format([device.driver, 1]) == 'gpu.acme.dev 1'",
};

struct shared_work {
    const struct cel_program *programs[PROGRAMS];
    struct cel_value device;
};

static void *work(void *data)
{
    const struct shared_work *shared_work = data;
    struct arena scratch;
    uintptr_t wrong = 0;
    arena_init(&scratch, &memory_malloc, LIMIT_CEL_EVALUATION_ARENA);
    for (int i = 0; i < ROUNDS; i++) {
        struct cel_result result;
        arena_clear(&scratch);
        wrong += cel_evaluate(shared_work->programs[i % PROGRAMS], &shared_work->device, &scratch, &result) != FAILURE_NONE;
        wrong += result.value.type != CEL_BOOL || !result.value.boolean;
    }
    arena_done(&scratch);
    return (void *)wrong;
}

/* Programs and devices are shared, also where functions change quantities. */
static void test_threads(void **state)
{
    (void)state;
    struct shared_work shared_work = { .device = a_device() };
    pthread_t threads[THREADS];
    for (int i = 0; i < PROGRAMS; i++)
        shared_work.programs[i] = program_of(shared[i]);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &shared_work), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
}

/* ---- the input ---- */

static void print(const struct cel_value *value, char *words, size_t size)
{
    struct text text;
    text_init(&text, &arena);
    cel_value_print(&text, value, size / 2);
    snprintf(words, size, "%s", text_end(&text));
}

/* add() changes a big quantity that it is called on, as the API server's does; but not that of the device. */
static void test_input(void **state)
{
    (void)state;
    static const char expression[] = "cel.bind(q, device.capacity['gpu.acme.dev'].big, q.add(1).compareTo(quantity('12345678901234567891')) == 0 && "
                                     "q.compareTo(quantity('12345678901234567891')) == 0)";
    char before[1024], after[1024];
    struct cel_value device = a_device();
    const struct cel_program *program = program_of(expression);
    struct arena scratch;
    arena_init(&scratch, &memory_malloc, LIMIT_CEL_EVALUATION_ARENA);
    print(&device, before, sizeof before);
    for (int i = 0; i < 3; i++) {
        struct cel_result result;
        arena_clear(&scratch);
        assert_int_equal(cel_evaluate(program, &device, &scratch, &result), FAILURE_NONE);
        assert_true(result.value.type == CEL_BOOL && result.value.boolean);
    }
    print(&device, after, sizeof after);
    assert_string_equal(before, after);
    arena_done(&scratch);
}

/* ---- memory that fails ---- */

static struct {
    unsigned long calls, fail_at;
    long live;
} memory;

static void *allocate(size_t bytes, void *data)
{
    (void)data;
    if (++memory.calls == memory.fail_at)
        return NULL;
    memory.live++;
    return malloc(bytes);
}

static void release(void *pointer, void *data)
{
    (void)data;
    memory.live -= pointer != NULL;
    free(pointer);
}

/* Allocations of an evaluation fail one after the other: it says so, or does not need it. */
static void test_failing_memory(void **state)
{
    (void)state;
    static const struct memory failing = { allocate, release, NULL };
    static const char expression[] = "lists.range(100).map(x, string(x)).sort().join(',').replace('1', 'one').split(',').size() == 100 && "
                                     "{'a': device.driver}.transformMap(k, v, k + v).size() == 1 && "
                                     "device.driver.matches('^g' + '.*') && '%s'.format([device.driver]) == device.driver";
    struct cel_value device = a_device();
    const struct cel_program *program = program_of(expression);
    for (memory.fail_at = 1;; memory.fail_at++) {
        struct arena scratch;
        struct cel_result result;
        memory.calls = 0;
        arena_init(&scratch, &failing, LIMIT_CEL_EVALUATION_ARENA);
        enum failure failure = cel_evaluate(program, &device, &scratch, &result);
        bool good = !failure && result.value.type == CEL_BOOL && result.value.boolean;
        arena_done(&scratch);
        assert_int_equal(memory.live, 0);
        if (memory.calls < memory.fail_at) {
            assert_true(good);
            break;
        }
        assert_int_equal(failure, FAILURE_MEMORY);
    }
    assert_true(memory.fail_at > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cost, start_arena, end_arena),
        cmocka_unit_test_setup_teardown(test_steps, start_arena, end_arena),
        cmocka_unit_test_setup_teardown(test_memory, start_arena, end_arena),
        cmocka_unit_test_setup_teardown(test_depth, start_arena, end_arena),
        cmocka_unit_test_setup_teardown(test_bindings_inside_each_other, start_arena, end_arena),
        cmocka_unit_test_setup_teardown(test_threads, start_arena, end_arena),
        cmocka_unit_test_setup_teardown(test_input, start_arena, end_arena),
        cmocka_unit_test_setup_teardown(test_failing_memory, start_arena, end_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
