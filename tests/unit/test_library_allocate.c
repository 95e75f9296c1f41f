/* Pods and nodes, as drawbridge.h promises of drawbridge_set_allocate. */
#include "drawbridge.h"
#include "unit.h"

#define TEXT_OF(string) (&(struct drawbridge_text){ string, strlen(string) })

static const char cluster[] =
    "apiVersion: v1\nkind: Node\nmetadata: {name: node-a}\n"
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: node-b}\n"
    "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu.acme.dev}\nspec: {}\n"
    "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: a}\n"
    "spec:\n  driver: gpu.acme.dev\n  nodeName: node-a\n  pool: {name: pool-a, generation: 1, resourceSliceCount: 1}\n  devices:\n"
    "  - {name: gpu-0}\n  - {name: gpu-1, allowMultipleAllocations: true, capacity: {memory: {value: 80Gi}}}\n";
static const char claim[] =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: one, namespace: ml}\nspec:\n  devices:\n    requests:\n"
    "    - name: any\n      firstAvailable:\n      - {name: two, deviceClassName: gpu.acme.dev, count: 2}\n";
static const char workload[] =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: gpu, namespace: ml}\n"
    "spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.acme.dev, allocationMode: All}}]}}}\n"
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: serve, namespace: ml}\nspec:\n  replicas: 3\n  template:\n    spec:\n"
    "      resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]\n      containers: [{name: main}]\n";

/* No allocation: an out-parameter that must stay as it is. */
static char nothing;
#define UNTOUCHED ((void *)&nothing)

struct world {
    struct drawbridge_context *context;
    struct drawbridge_set *set;
};

static enum drawbridge_result fill(struct drawbridge_set *set, const char *subject)
{
    enum drawbridge_result result = drawbridge_set_add(set, "cluster", TEXT_OF(cluster));
    return result ? result : drawbridge_set_add(set, "subject", TEXT_OF(subject));
}

static void begin(struct world *world, const char *version, const char *subject)
{
    const struct drawbridge_options options = { .size = sizeof options, .kubernetes_version = version };
    assert_int_equal(drawbridge_context_new(NULL, &world->context), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_new(world->context, &options, &world->set), DRAWBRIDGE_OK);
    assert_int_equal(fill(world->set, subject), DRAWBRIDGE_OK);
}

static void end(struct world *world)
{
    drawbridge_set_free(world->set);
    drawbridge_context_free(world->context);
}

static struct drawbridge_allocation *allocate(const struct world *world, const struct drawbridge_allocate_options *options)
{
    struct drawbridge_allocation *allocation = NULL;
    assert_int_equal(drawbridge_set_allocate(world->set, options, &allocation), DRAWBRIDGE_OK);
    return allocation;
}

/* ---- reports ---- */

/* What a claim gets; an allocation outlives the set. */
static void test_devices(void **state)
{
    struct world world;
    (void)state;
    begin(&world, NULL, claim);
    struct drawbridge_allocation *allocation = allocate(&world, NULL);
    end(&world);
    assert_int_equal(drawbridge_allocation_count(allocation), 1);
    assert_true(drawbridge_allocation_fits(allocation));
    assert_false(drawbridge_allocation_guesses_nodes(allocation));
    assert_null(drawbridge_allocation_problem(allocation));
    assert_null(drawbridge_allocation_subject(allocation, 1));
    const struct drawbridge_subject *subject = drawbridge_allocation_subject(allocation, 0);
    assert_string_equal(subject->kind, "ResourceClaim");
    assert_string_equal(subject->object_namespace, "ml");
    assert_string_equal(subject->object_name, "one");
    assert_true(subject->fits && !subject->pod && !subject->why && !subject->problem && subject->node_count == 2);
    assert_non_null(strstr(subject->json, "\"allocations\":[{\"claim\":\"one\",\"namespace\":\"ml\",\"allocation\":{"));
    const struct drawbridge_allocation_node *node = subject->nodes[0];
    assert_string_equal(node->name, "node-a");
    assert_true(node->fits && !node->why && !*node->words && node->claim_count == 1 && !node->doubt_count && node->steps);
    assert_string_equal(node->claims[0]->object_namespace, "ml");
    assert_string_equal(node->claims[0]->object_name, "one");
    assert_int_equal(node->claims[0]->device_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct drawbridge_allocated_device *device = node->claims[0]->devices[i];
        EXPECT(strcmp(device->request, "any/two") == 0 && strcmp(device->driver, "gpu.acme.dev") == 0, "%s", device->request);
        EXPECT(strcmp(device->pool, "pool-a") == 0 && strcmp(device->name, i ? "gpu-1" : "gpu-0") == 0, "%s", device->name);
        EXPECT(!device->admin_access && (i ? device->share && strcmp(device->share, "share-0") == 0 : !device->share), "share");
    }
    node = subject->nodes[1];
    assert_true(!node->fits && !node->claim_count && strcmp(node->why, "other-nodes") == 0 && strstr(node->words, "request \"any/two\""));
    drawbridge_allocation_free(allocation);
    assert_rows();
}

/* The second pod of a workload does not fit, and the third is not tried. */
static void test_copies(void **state)
{
    const struct drawbridge_allocate_options once = { .size = sizeof once, .replicas = 1 };
    struct world world;
    (void)state;
    begin(&world, "1.36", workload);
    struct drawbridge_allocation *allocation = allocate(&world, NULL);
    assert_int_equal(drawbridge_allocation_count(allocation), 2);
    assert_false(drawbridge_allocation_fits(allocation));
    const struct drawbridge_subject *second = drawbridge_allocation_subject(allocation, 1);
    assert_true(second->pod == 2 && !second->fits && strcmp(second->why, "in-use") == 0 && second->event);
    drawbridge_allocation_free(allocation);
    allocation = allocate(&world, &once);
    assert_true(drawbridge_allocation_fits(allocation) && drawbridge_allocation_count(allocation) == 1);
    drawbridge_allocation_free(allocation);
    end(&world);
}

static void test_names(void **state)
{
    static const char *const b[] = { "node-b", NULL }, *const c[] = { "node-c", NULL }, *const none[] = { NULL };
    static const char *const one[] = { "resourceclaim/ml/one", NULL }, *const two[] = { "ml/two\n", NULL };
    static const struct {
        const char *const *nodes, *const *pods, *const *without;
        size_t nodes_tried;
        const char *problem;
    } rows[] = {
        { NULL, NULL, NULL, 2, NULL },
        { none, none, none, 2, NULL },
        { b, one, NULL, 1, NULL },
        { c, one, NULL, 0, "no node is named: node-c" },
        { b, two, NULL, 0, "nothing that waits for devices is named: ml/two\\n" },
        { b, one, one, 0, "no such pod is given: resourceclaim/ml/one" },
    };
    struct world world;
    (void)state;
    begin(&world, NULL, claim);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct drawbridge_allocate_options options = {
            .size = sizeof options, .nodes = rows[i].nodes, .pods = rows[i].pods, .without_pods = rows[i].without,
        };
        struct drawbridge_allocation *allocation = allocate(&world, &options);
        const struct drawbridge_subject *subject = drawbridge_allocation_subject(allocation, 0);
        const char *problem = drawbridge_allocation_problem(allocation);
        EXPECT(!problem == !rows[i].problem && (!problem || strcmp(problem, rows[i].problem) == 0), "row %zu: %s", i, problem);
        EXPECT((subject ? subject->node_count : 0) == rows[i].nodes_tried, "row %zu", i);
        EXPECT(!problem || !drawbridge_allocation_fits(allocation), "row %zu", i);
        drawbridge_allocation_free(allocation);
    }
    end(&world);
    assert_rows();
}

static void test_nothing(void **state)
{
    static const char unreadable[] = "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: c}\nspec: {driver: 1}\n---\n{";
    struct world world;
    (void)state;
    begin(&world, NULL, unreadable);
    struct drawbridge_allocation *allocation = allocate(&world, NULL);
    const char *problem = drawbridge_allocation_problem(allocation);
    EXPECT(problem && strncmp(problem, "nothing to allocate: ", 21) == 0, "%s", problem);
    EXPECT(!drawbridge_allocation_fits(allocation) && !drawbridge_allocation_count(allocation), "empty");
    assert_int_equal(drawbridge_allocation_error_count(allocation), 2);
    EXPECT(strcmp(drawbridge_allocation_error(allocation, 1)->path, "spec.driver") == 0, "path");
    assert_null(drawbridge_allocation_error(allocation, 2));
    drawbridge_allocation_free(allocation);
    end(&world);
    assert_rows();
}

/* ---- arguments and memory ---- */

static void test_options(void **state)
{
    enum { TOO_MANY = 1001 };
    static const size_t first = sizeof(struct drawbridge_allocate_options);
    struct {
        struct drawbridge_allocate_options options;
        char more[64];
    } later = { .options.nodes = NULL };
    const char *names[TOO_MANY + 1];
    struct drawbridge_allocation *allocation = UNTOUCHED;
    struct world world;
    (void)state;
    for (size_t i = 0; i <= TOO_MANY; i++)
        names[i] = i < TOO_MANY ? "node-a" : NULL;
    begin(&world, NULL, claim);
    EXPECT(drawbridge_set_allocate(NULL, NULL, &allocation) == DRAWBRIDGE_BAD_ARGUMENT, "set");
    EXPECT(drawbridge_set_allocate(world.set, NULL, NULL) == DRAWBRIDGE_BAD_ARGUMENT, "allocation");
    for (later.options.size = 0; later.options.size < first; later.options.size++)
        EXPECT(drawbridge_set_allocate(world.set, &later.options, &allocation) == DRAWBRIDGE_BAD_OPTION, "%zu", later.options.size);
    later.more[2] = 1;
    later.options.size = sizeof later.options + 3;
    EXPECT(drawbridge_set_allocate(world.set, &later.options, &allocation) == DRAWBRIDGE_BAD_OPTION, "not known");
    const struct drawbridge_allocate_options rows[] = {
        { .size = first, .replicas = 10001 }, { .size = first, .nodes = names }, { .size = first, .pods = names },
        { .size = first, .feature_gates = "DRAAdminAccess" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        EXPECT(drawbridge_set_allocate(world.set, &rows[i], &allocation) == DRAWBRIDGE_BAD_OPTION, "row %zu", i);
    names[TOO_MANY - 1] = NULL;
    EXPECT(allocation == UNTOUCHED && drawbridge_set_allocate(world.set, &rows[1], &allocation) == DRAWBRIDGE_OK, "at the bound");
    drawbridge_allocation_free(allocation);
    end(&world);
    assert_rows();
}

static void test_arguments(void **state)
{
    static const char *const versions[] = { "1.34", "1.36..1.37" };
    struct drawbridge_allocation *allocation = UNTOUCHED;
    struct world world;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        begin(&world, versions[i], claim);
        EXPECT(drawbridge_set_allocate(world.set, NULL, &allocation) == DRAWBRIDGE_BAD_VERSION, "%s", versions[i]);
        end(&world);
    }
    EXPECT(allocation == UNTOUCHED, "untouched");
    EXPECT(!drawbridge_allocation_fits(NULL) && !drawbridge_allocation_count(NULL) && !drawbridge_allocation_subject(NULL, 0), "none");
    EXPECT(!drawbridge_allocation_error_count(NULL) && !drawbridge_allocation_error(NULL, 0), "no errors");
    EXPECT(!drawbridge_allocation_problem(NULL) && !drawbridge_allocation_guesses_nodes(NULL), "no problem");
    drawbridge_allocation_free(NULL);
    assert_rows();
}

/* Each allocation of memory fails once: the result says so, nothing is leaked, and the set is as it was. */
static void test_every_allocation(void **state)
{
    struct counted_memory memory;
    const struct drawbridge_allocator allocator = { counted_allocate, counted_release, &memory };
    bool done = false;
    (void)state;
    for (size_t n = 0; !done; n++) {
        struct drawbridge_context *context = NULL;
        struct drawbridge_set *set = NULL;
        struct drawbridge_allocation *allocation = NULL;
        counted_init(&memory, n);
        enum drawbridge_result result = drawbridge_context_new(&allocator, &context);
        if (!result)
            result = drawbridge_set_new(context, NULL, &set);
        if (!result)
            result = fill(set, workload);
        bool filled = result == DRAWBRIDGE_OK;
        if (filled)
            result = drawbridge_set_allocate(set, NULL, &allocation);
        EXPECT(result == DRAWBRIDGE_OK || (result == DRAWBRIDGE_NO_MEMORY && !allocation), "%zu: %d", n, (int)result);
        if (filled && result)
            EXPECT(drawbridge_set_allocate(set, NULL, &allocation) == DRAWBRIDGE_OK, "%zu: after all", n);
        EXPECT(!filled || drawbridge_allocation_count(allocation) == 2, "%zu: %zu subjects, %zu errors, %s", n, drawbridge_allocation_count(allocation),
               drawbridge_allocation_error_count(allocation), drawbridge_allocation_problem(allocation));
        done = n && memory.calls < n;
        drawbridge_allocation_free(allocation);
        drawbridge_set_free(set);
        drawbridge_context_free(context);
        EXPECT(memory.live == 0, "%zu", n);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices), cmocka_unit_test(test_copies),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_options),   cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests_name("library allocations", tests, NULL, NULL);
}
