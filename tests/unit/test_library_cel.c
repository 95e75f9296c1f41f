/* Expressions and devices of libdrawbridge, as drawbridge.h promises them. */
#include "drawbridge.h"
#include "unit.h"

#include <pthread.h>

#define TEXT_OF(string) (&(struct drawbridge_text){ string, strlen(string) })

/* Two devices, and things that are none. The second one is in another API version. */
static const char slices[] =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: a}\n"
    "spec:\n  driver: gpu.acme.dev\n  nodeName: node-a\n  pool: {name: pool-a, generation: 1, resourceSliceCount: 1}\n"
    "  devices:\n  - name: gpu-0\n"
    "    attributes: {model: {string: \"a\\\"\\n\xC3\xA9\"}, driver: {version: 1.2.3}, cores: {int: 7}, ecc: {bool: true}}\n"
    "    capacity: {memory: {value: 40Gi}}\n"
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: node-a}\n"
    "---\napiVersion: resource.k8s.io/v1beta1\nkind: ResourceSlice\nmetadata: {name: b}\n"
    "spec:\n  driver: nic.acme.dev\n  allNodes: true\n  pool: {name: pool-b, generation: 1, resourceSliceCount: 1}\n"
    "  devices:\n  - {name: nic-0, basic: {attributes: {speed: {int: 100}}}}\n";

#define GPU "device.attributes[\"gpu.acme.dev\"]"

/* No expression, devices or evaluation: an out-parameter that must stay as it is. */
static char nothing;
#define UNTOUCHED ((void *)&nothing)

struct world {
    struct drawbridge_context *context;
    struct drawbridge_set *set;
    struct drawbridge_devices *devices;
};

static void begin(struct world *world, const char *text)
{
    assert_int_equal(drawbridge_context_new(NULL, &world->context), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_new(world->context, NULL, &world->set), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_add(world->set, "slices.yaml", TEXT_OF(text)), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_devices(world->set, &world->devices), DRAWBRIDGE_OK);
}

static void end(struct world *world)
{
    drawbridge_devices_free(world->devices);
    drawbridge_set_free(world->set);
    drawbridge_context_free(world->context);
}

static struct drawbridge_cel *new_cel(const struct world *world, const char *expression, int any_type)
{
    const struct drawbridge_cel_options options = { .size = sizeof options, .any_type = any_type };
    struct drawbridge_cel *cel = NULL;
    assert_int_equal(drawbridge_cel_new(world->context, &options, TEXT_OF(expression), &cel), DRAWBRIDGE_OK);
    return cel;
}

/* ---- expressions ---- */

static void test_refused(void **state)
{
    static const struct {
        const char *expression, *verdict, *message, *hint;
        size_t offset, line, column;
    } rows[] = {
        { "device.drivr == 'x'", "check", "undefined field 'drivr'", "did you mean driver?", 6, 1, 7 },
        { "'\xC3\xA9' ==\n foo", "check", "undeclared reference to 'foo' (in container '')", NULL, 9, 2, 2 },
        { "device.driver", "result-type", "must evaluate to bool or the unknown type, not string", NULL, 0, 0, 0 },
        { "\xFF", "syntax", "the expression is not UTF-8", NULL, 0, 0, 0 },
        { "size(device.attributes) > 0 && device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, "
          "a + b + c + d != ''))))", "too-costly", NULL, NULL, 0, 0, 0 },
    };
    struct world world;
    (void)state;
    begin(&world, slices);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct drawbridge_cel *cel = new_cel(&world, rows[i].expression, 0);
        const struct drawbridge_cel_info *info = drawbridge_cel_info(cel);
        const struct drawbridge_error *error = drawbridge_cel_error(cel, 0);
        EXPECT(strcmp(info->verdict, rows[i].verdict) == 0, "row %zu: %s", i, info->verdict);
        EXPECT(drawbridge_cel_error_count(cel) >= 1 && !drawbridge_cel_error(cel, drawbridge_cel_error_count(cel)), "row %zu", i);
        EXPECT(!rows[i].message || strcmp(error->message, rows[i].message) == 0, "row %zu: %s", i, error->message);
        EXPECT(error->offset == rows[i].offset && error->line == rows[i].line && error->column == rows[i].column, "row %zu: %zu %zu:%zu", i,
               error->offset, error->line, error->column);
        EXPECT(!*error->source && !*error->path, "row %zu", i);
        EXPECT(!rows[i].hint || (info->hint && strcmp(info->hint, rows[i].hint) == 0), "row %zu: %s", i, info->hint ? info->hint : "-");
        struct drawbridge_evaluation *evaluation = UNTOUCHED;
        bool costly = strcmp(info->verdict, "too-costly") == 0;
        EXPECT(!info->can_evaluate == !costly && !*info->type == !costly && !info->max_cost == !costly, "row %zu", i);
        EXPECT(drawbridge_cel_evaluate(cel, world.devices, 0, &evaluation) == (costly ? DRAWBRIDGE_OK : DRAWBRIDGE_BAD_ARGUMENT), "row %zu", i);
        EXPECT(costly == (evaluation != UNTOUCHED), "row %zu", i);
        if (costly)
            drawbridge_evaluation_free(evaluation);
        drawbridge_cel_free(cel);
    }
    end(&world);
    assert_rows();
}

/* At the limit of 10,240 bytes, and beyond it. */
static void test_long(void **state)
{
    struct world world;
    struct bytes long_text = repeated(" ", 10236, "true");
    struct drawbridge_text text = { long_text.data, long_text.length };
    struct drawbridge_cel *cel = NULL;
    (void)state;
    begin(&world, slices);
    assert_int_equal(drawbridge_cel_new(world.context, NULL, &text, &cel), DRAWBRIDGE_OK);
    assert_string_equal(drawbridge_cel_info(cel)->verdict, "good");
    assert_int_equal(drawbridge_cel_error_count(cel), 0);
    drawbridge_cel_free(cel);
    free_copy(long_text);
    long_text = repeated(" ", 10237, "true");
    text = (struct drawbridge_text){ long_text.data, long_text.length };
    assert_int_equal(drawbridge_cel_new(world.context, NULL, &text, &cel), DRAWBRIDGE_OK);
    assert_string_equal(drawbridge_cel_info(cel)->verdict, "too-long");
    assert_string_equal(drawbridge_cel_error(cel, 0)->message, "longer than 10240 bytes");
    drawbridge_cel_free(cel);
    free_copy(long_text);
    end(&world);
}

/* ---- devices ---- */

static void test_devices(void **state)
{
    static const char more[] = "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: c}\nspec: {driver: x.dev, devices: [{name: c}]}\n";
    struct world world;
    (void)state;
    begin(&world, slices);
    assert_int_equal(drawbridge_devices_count(world.devices), 2);
    const struct drawbridge_device *gpu = drawbridge_devices_device(world.devices, 0), *nic = drawbridge_devices_device(world.devices, 1);
    EXPECT(strcmp(gpu->driver, "gpu.acme.dev") == 0 && strcmp(gpu->pool, "pool-a") == 0 && strcmp(gpu->name, "gpu-0") == 0, "names");
    EXPECT(strcmp(gpu->node, "node-a") == 0 && strcmp(gpu->source, "slices.yaml") == 0, "node and text");
    EXPECT(strcmp(nic->name, "nic-0") == 0 && strcmp(nic->node, "") == 0, "the other");
    EXPECT(!drawbridge_devices_device(world.devices, 2) && !drawbridge_devices_error(world.devices, 0), "no more");
    /* further texts change nothing */
    assert_int_equal(drawbridge_set_add(world.set, "more", TEXT_OF(more)), DRAWBRIDGE_OK);
    struct drawbridge_devices *all = NULL;
    assert_int_equal(drawbridge_set_devices(world.set, &all), DRAWBRIDGE_OK);
    EXPECT(drawbridge_devices_count(world.devices) == 2 && drawbridge_devices_count(all) == 3, "one more");
    EXPECT(strcmp(drawbridge_devices_device(all, 2)->source, "more") == 0, "from there");
    drawbridge_devices_free(all);
    end(&world);
    assert_rows();
}

static void test_unreadable(void **state)
{
    static const struct {
        const char *text, *path, *message;
        size_t line, column;
    } rows[] = {
        { "\na: [", "", NULL, 0, 0 },
        { "apiVersion: resource.k8s.io/v2\nkind: ResourceSlice\n", "", "a ResourceSlice of no API version that is known: v1, v1beta2, v1beta1, "
          "v1alpha3 of resource.k8s.io", 1, 1 },
        { "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: a}\nspec:\n  driver: 7\n", "spec.driver", NULL, 5, 11 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct world world;
        begin(&world, rows[i].text);
        const struct drawbridge_error *error = drawbridge_devices_error(world.devices, 0);
        EXPECT(drawbridge_devices_count(world.devices) == 0 && drawbridge_devices_error_count(world.devices) == 1 && error, "row %zu", i);
        assert_non_null(error);
        EXPECT(strcmp(error->source, "slices.yaml") == 0 && strcmp(error->path, rows[i].path) == 0, "row %zu: %s", i, error->path);
        EXPECT(rows[i].message ? strcmp(error->message, rows[i].message) == 0 : *error->message, "row %zu: %s", i, error->message);
        EXPECT(!rows[i].line || (error->line == rows[i].line && error->column == rows[i].column), "row %zu: %zu:%zu", i, error->line,
               error->column);
        EXPECT(error->line > 0 && error->offset <= strlen(rows[i].text), "row %zu", i);
        end(&world);
    }
    assert_rows();
}

/* ---- evaluation ---- */

static void test_values(void **state)
{
    static const struct {
        const char *expression, *value, *type;
        int match;
    } rows[] = {
        { "device.driver == 'gpu.acme.dev'", "true", "bool", 1 },
        { "device.driver == 'x'", "false", "bool", 0 },
        { GPU ".model", "\"a\\\"\\u000a\xC3\xA9\"", "string", 0 },
        { GPU ".cores", "7", "int", 0 },
        { GPU ".driver", "\"1.2.3\"", "kubernetes.Semver", 0 },
        { GPU "", "{\"model\":\"a\\\"\\u000a\xC3\xA9\",\"driver\":\"1.2.3\",\"cores\":7,\"ecc\":true}", "map", 0 },
        { "device.capacity['gpu.acme.dev'].memory", "\"40Gi\"", "kubernetes.Quantity", 0 },
        { "device.attributes['no.such.domain']", "{}", "map", 0 },
        { "[1, -9223372036854775807]", "[1,-9223372036854775807]", "list", 0 },
        { "18446744073709551615u", "18446744073709551615", "uint", 0 },
        { "[1.0, 0.1, 1e300, -1.0 / 0.0]", "[1.0,0.1,1e+300,\"-Infinity\"]", "list", 0 },
        { "0.0 / 0.0", "\"NaN\"", "double", 0 },
        { "[b'', b'a', b'ab', b'abc', b'\\xff\\xfe\\xfd\\xfc']", "[\"\",\"YQ==\",\"YWI=\",\"YWJj\",\"//79/A==\"]", "list", 0 },
        { "{1: null}", "{\"1\":null}", "map", 0 },
        { "{'a': {true: 2u}}", "{\"a\":{\"true\":2}}", "map", 0 },
        { "duration('90s')", "\"90s\"", "google.protobuf.Duration", 0 },
        { "timestamp('2024-01-31T10:20:30Z')", "\"2024-01-31T10:20:30Z\"", "google.protobuf.Timestamp", 0 },
        { "type(1)", "\"int\"", "type", 0 },
        { "optional.of([1])", "[1]", "optional_type", 0 },
        { "optional.none()", "null", "optional_type", 0 },
        { "'\\u0000\\u001f'", "\"\\u0000\\u001f\"", "string", 0 },
    };
    struct world world;
    (void)state;
    begin(&world, slices);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct drawbridge_cel *cel = new_cel(&world, rows[i].expression, 1);
        struct drawbridge_evaluation *evaluation = NULL;
        EXPECT(drawbridge_cel_evaluate(cel, world.devices, 0, &evaluation) == DRAWBRIDGE_OK, "row %zu: %s", i, rows[i].expression);
        drawbridge_cel_free(cel);
        if (!evaluation)
            continue;
        EXPECT(evaluation->value && strcmp(evaluation->value, rows[i].value) == 0, "row %zu: %s", i, evaluation->value);
        EXPECT(strcmp(evaluation->type, rows[i].type) == 0 && !evaluation->error, "row %zu: %s", i, evaluation->type);
        EXPECT(!evaluation->match == !rows[i].match, "row %zu", i);
        drawbridge_evaluation_free(evaluation);
    }
    end(&world);
    assert_rows();
}

/* An evaluation that fails, and what is no boolean where there must be one. */
static void test_errors(void **state)
{
    static const char lacking[] = GPU ".cores > 3", any[] = GPU ".cores";
    struct world world;
    struct drawbridge_evaluation *evaluation = NULL;
    (void)state;
    begin(&world, slices);
    struct drawbridge_cel *cel = new_cel(&world, lacking, 0);
    assert_int_equal(drawbridge_cel_evaluate(cel, world.devices, 1, &evaluation), DRAWBRIDGE_OK);
    drawbridge_cel_free(cel);
    EXPECT(!evaluation->value && !*evaluation->type && !evaluation->match && evaluation->cost > 0, "no value");
    assert_non_null(evaluation->error);
    EXPECT(strcmp(evaluation->error->message, "no such key: cores") == 0, "%s", evaluation->error->message);
    EXPECT(evaluation->error->line == 1 && evaluation->error->column == 34 && evaluation->error->offset == 33, "%zu", evaluation->error->column);
    drawbridge_evaluation_free(evaluation);
    cel = new_cel(&world, any, 0); /* its type is known only now */
    assert_int_equal(drawbridge_cel_evaluate(cel, world.devices, 0, &evaluation), DRAWBRIDGE_OK);
    drawbridge_cel_free(cel);
    assert_non_null(evaluation->error);
    EXPECT(evaluation->error->line == 0 && strstr(evaluation->error->message, "could not be converted to bool"), "%s",
           evaluation->error->message);
    end(&world);
    EXPECT(*evaluation->error->message, "an evaluation outlives everything else");
    drawbridge_evaluation_free(evaluation);
    assert_rows();
}

/* A device that Kubernetes cannot evaluate anything on. */
static void test_faulty_device(void **state)
{
    static const char faulty[] =
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: a}\nspec: {driver: x.dev, devices: [{name: a, attributes: {v: "
        "{version: one}}}]}\n";
    struct world world;
    struct drawbridge_evaluation *evaluation = NULL;
    (void)state;
    begin(&world, faulty);
    struct drawbridge_cel *cel = new_cel(&world, "true", 0);
    assert_int_equal(drawbridge_cel_evaluate(cel, world.devices, 0, &evaluation), DRAWBRIDGE_OK);
    EXPECT(evaluation->error && strncmp(evaluation->error->message, "attribute v: ", 13) == 0 && evaluation->cost == 0, "fault");
    drawbridge_evaluation_free(evaluation);
    drawbridge_cel_free(cel);
    end(&world);
    assert_rows();
}

/* A small expression with a huge value, and one with lists in lists. */
static void test_large_values(void **state)
{
    static const char huge[] =
        "cel.bind(a, [1,1,1,1,1,1,1,1,1,1], cel.bind(b, [a,a,a,a,a,a,a,a,a,a], cel.bind(c, [b,b,b,b,b,b,b,b,b,b], cel.bind(d, "
        "[c,c,c,c,c,c,c,c,c,c], cel.bind(e, [d,d,d,d,d,d,d,d,d,d], cel.bind(f, [e,e,e,e,e,e,e,e,e,e], [f,f,f,f,f,f,f,f,f]))))))";
    char deep[160] = "";
    struct world world;
    struct drawbridge_evaluation *evaluation = UNTOUCHED;
    (void)state;
    begin(&world, slices);
    struct drawbridge_cel *cel = new_cel(&world, huge, 1);
    EXPECT(drawbridge_cel_evaluate(cel, world.devices, 0, &evaluation) == DRAWBRIDGE_LIMIT && evaluation == UNTOUCHED, "huge");
    drawbridge_cel_free(cel);
    for (size_t depth = 64; depth <= 65; depth++) {
        memset(deep, '[', depth);
        memset(deep + depth, ']', depth);
        deep[2 * depth] = '\0';
        cel = new_cel(&world, deep, 1);
        enum drawbridge_result result = drawbridge_cel_evaluate(cel, world.devices, 0, &evaluation);
        EXPECT(result == (depth == 64 ? DRAWBRIDGE_OK : DRAWBRIDGE_LIMIT), "%zu: %d", depth, (int)result);
        if (!result)
            drawbridge_evaluation_free(evaluation);
        drawbridge_cel_free(cel);
    }
    end(&world);
    assert_rows();
}

/* ---- arguments ---- */

static void test_null(void **state)
{
    const struct drawbridge_text no_data = { NULL, 1 }, empty = { NULL, 0 };
    struct drawbridge_cel *cel = UNTOUCHED;
    struct drawbridge_devices *devices = UNTOUCHED;
    struct drawbridge_evaluation *evaluation = UNTOUCHED;
    struct world world;
    (void)state;
    begin(&world, slices);
    EXPECT(drawbridge_cel_new(NULL, NULL, TEXT_OF("true"), &cel) == DRAWBRIDGE_BAD_ARGUMENT, "context");
    EXPECT(drawbridge_cel_new(world.context, NULL, NULL, &cel) == DRAWBRIDGE_BAD_ARGUMENT, "expression");
    EXPECT(drawbridge_cel_new(world.context, NULL, &no_data, &cel) == DRAWBRIDGE_BAD_ARGUMENT, "data");
    EXPECT(drawbridge_cel_new(world.context, NULL, TEXT_OF("true"), NULL) == DRAWBRIDGE_BAD_ARGUMENT, "cel");
    EXPECT(drawbridge_set_devices(NULL, &devices) == DRAWBRIDGE_BAD_ARGUMENT, "set");
    EXPECT(drawbridge_set_devices(world.set, NULL) == DRAWBRIDGE_BAD_ARGUMENT, "devices");
    EXPECT(cel == UNTOUCHED && devices == UNTOUCHED, "nothing is set");
    EXPECT(drawbridge_cel_new(world.context, NULL, &empty, &cel) == DRAWBRIDGE_OK, "an empty expression");
    EXPECT(strcmp(drawbridge_cel_info(cel)->verdict, "syntax") == 0, "is refused");
    drawbridge_cel_free(cel);
    cel = new_cel(&world, "true", 0);
    EXPECT(drawbridge_cel_evaluate(NULL, world.devices, 0, &evaluation) == DRAWBRIDGE_BAD_ARGUMENT, "cel");
    EXPECT(drawbridge_cel_evaluate(cel, NULL, 0, &evaluation) == DRAWBRIDGE_BAD_ARGUMENT, "devices");
    EXPECT(drawbridge_cel_evaluate(cel, world.devices, 2, &evaluation) == DRAWBRIDGE_BAD_ARGUMENT, "index");
    EXPECT(drawbridge_cel_evaluate(cel, world.devices, 0, NULL) == DRAWBRIDGE_BAD_ARGUMENT && evaluation == UNTOUCHED, "evaluation");
    drawbridge_cel_free(cel);
    EXPECT(!drawbridge_cel_info(NULL) && !drawbridge_cel_error_count(NULL) && !drawbridge_cel_error(NULL, 0), "no expression");
    EXPECT(!drawbridge_devices_count(NULL) && !drawbridge_devices_device(NULL, 0), "no devices");
    EXPECT(!drawbridge_devices_error_count(NULL) && !drawbridge_devices_error(NULL, 0), "no errors");
    drawbridge_cel_free(NULL);
    drawbridge_devices_free(NULL);
    drawbridge_evaluation_free(NULL);
    end(&world);
    assert_rows();
}

/* As test_sizes_of_options of the library's arguments. */
static void test_options(void **state)
{
    static const size_t first = offsetof(struct drawbridge_cel_options, any_type) + sizeof(int);
    struct {
        struct drawbridge_cel_options options;
        char more[4096];
    } later = { .options.kubernetes_version = "1.34" };
    struct drawbridge_cel *cel = NULL;
    struct world world;
    (void)state;
    begin(&world, slices);
    for (later.options.size = 0; later.options.size <= 4097; later.options.size++) {
        bool good = later.options.size >= first && later.options.size <= 4096;
        enum drawbridge_result result = drawbridge_cel_new(world.context, &later.options, TEXT_OF("true"), &cel);
        EXPECT(result == (good ? DRAWBRIDGE_OK : DRAWBRIDGE_BAD_OPTION), "%zu", later.options.size);
        if (result == DRAWBRIDGE_OK)
            drawbridge_cel_free(cel);
    }
    later.options.size = sizeof later.options + 3;
    later.more[2] = 1;
    EXPECT(drawbridge_cel_new(world.context, &later.options, TEXT_OF("true"), &cel) == DRAWBRIDGE_BAD_OPTION, "a member that is not known");
    const struct drawbridge_cel_options old = { .size = sizeof old, .kubernetes_version = "1.30" };
    EXPECT(drawbridge_cel_new(world.context, &old, TEXT_OF("true"), &cel) == DRAWBRIDGE_BAD_VERSION, "version");
    end(&world);
    assert_rows();
}

/* ---- memory and threads ---- */

/* Each allocation fails once: the result says so, and nothing is leaked. */
static void test_every_allocation(void **state)
{
    struct counted_memory memory;
    const struct drawbridge_allocator allocator = { counted_allocate, counted_release, &memory };
    const struct drawbridge_cel_options options = { .size = sizeof options, .any_type = 1 };
    bool done = false;
    (void)state;
    for (size_t n = 0; !done; n++) {
        struct drawbridge_context *context = NULL;
        struct drawbridge_set *set = NULL;
        struct drawbridge_devices *devices = NULL;
        struct drawbridge_cel *cel = NULL, *bad = NULL;
        struct drawbridge_evaluation *evaluation = NULL;
        counted_init(&memory, n);
        enum drawbridge_result result = drawbridge_context_new(&allocator, &context);
        if (!result)
            result = drawbridge_set_new(context, NULL, &set);
        if (!result)
            result = drawbridge_set_add(set, "a", TEXT_OF(slices));
        if (!result)
            result = drawbridge_set_add(set, "b", TEXT_OF("a: ["));
        if (!result)
            result = drawbridge_set_devices(set, &devices);
        if (!result)
            result = drawbridge_cel_new(context, &options, TEXT_OF(GPU ".filter(k, size(k) > 3).map(k, k + 'x')"), &cel);
        if (!result)
            result = drawbridge_cel_new(context, NULL, TEXT_OF("device.drivr == 'x' && foo"), &bad);
        if (!result)
            result = drawbridge_cel_evaluate(cel, devices, 0, &evaluation);
        EXPECT(result == DRAWBRIDGE_NO_MEMORY || result == DRAWBRIDGE_OK, "%zu: %d", n, (int)result);
        if (result == DRAWBRIDGE_OK)
            EXPECT(drawbridge_devices_count(devices) == 2 && drawbridge_cel_error_count(bad) == 2 && evaluation->value, "%zu", n);
        done = n && memory.calls < n;
        drawbridge_evaluation_free(evaluation);
        drawbridge_cel_free(bad);
        drawbridge_cel_free(cel);
        drawbridge_devices_free(devices);
        drawbridge_set_free(set);
        drawbridge_context_free(context);
        EXPECT(memory.live == 0, "%zu", n);
    }
    assert_rows();
}

struct shared {
    const struct drawbridge_cel *cel;
    const struct drawbridge_devices *devices;
};

static void *evaluate_all(void *data)
{
    const struct shared *shared = data;
    for (int i = 0; i < 200; i++) {
        struct drawbridge_evaluation *evaluation = NULL;
        if (drawbridge_cel_evaluate(shared->cel, shared->devices, (size_t)i % 2, &evaluation))
            return data;
        bool right = i % 2 ? evaluation->error != NULL : evaluation->match;
        drawbridge_evaluation_free(evaluation);
        if (!right)
            return data;
    }
    return NULL;
}

/* One expression and the same devices, used by several threads at the same time. */
static void test_threads(void **state)
{
    struct world world;
    pthread_t threads[4];
    (void)state;
    begin(&world, slices);
    struct drawbridge_cel *cel = new_cel(&world, GPU ".cores > 3 && device.capacity['gpu.acme.dev'].memory.compareTo(quantity('1Gi')) > 0", 0);
    struct shared shared = { cel, world.devices };
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, evaluate_all, &shared), 0);
    for (size_t i = 0; i < COUNT(threads); i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        EXPECT(!wrong, "thread %zu", i);
    }
    drawbridge_cel_free(cel);
    end(&world);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_long),         cmocka_unit_test(test_devices),
        cmocka_unit_test(test_unreadable),    cmocka_unit_test(test_values),       cmocka_unit_test(test_errors),
        cmocka_unit_test(test_faulty_device), cmocka_unit_test(test_large_values), cmocka_unit_test(test_null),
        cmocka_unit_test(test_options),       cmocka_unit_test(test_every_allocation), cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests_name("library expressions", tests, NULL, NULL);
}
