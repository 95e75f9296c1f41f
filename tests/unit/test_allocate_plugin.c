/* Pods of manifests: claims by templates, and what API servers would set. What a scheduler does in a cluster, conformance/test_allocate.py
 * shows. */
#include "unit.h"

#include "allocate/plugin.h"
#include "doc/json.h"
#include "match/limits.h"
#include "object/object.h"
#include "schema/kind.h"
#include "validate/context.h"

enum { VERSION = 36 };

struct cluster {
    struct context context;
    struct match_world matching;
    struct arena arena;
    struct allocate_world world;
    struct allocate_plugin plugin;
    struct value node, slice, class, template;
};

static const struct doc_node *read_json(struct cluster *cluster, const char *text, struct document *document)
{
    const struct json_input input = {
        .source = bytes_of(text), .alone = true, .profile = JSON_STRICT, .arena = &cluster->arena, .key = cluster->context.key,
    };
    struct doc_error error;
    uint32_t end;
    assert_int_equal(json_read(&input, document, &end, &error), FAILURE_NONE);
    return document->root;
}

static struct value read_object(struct cluster *cluster, const char *group, const char *kind, const char *text)
{
    struct document document;
    struct check_result result;
    struct value value;
    const struct doc_node *root = read_json(cluster, text, &document);
    const struct kind *found = kind_find(bytes_of(group), bytes_of("v1"), bytes_of(kind));
    assert_non_null(found);
    object_bind(VERSION, found->shape, root);
    assert_int_equal(match_canonical(&cluster->matching.workspace, &document, found->shape, root, VERSION, &result, &value), FAILURE_NONE);
    assert_true(value_is_set(value));
    return value;
}

static struct value find_template(void *self, struct bytes space, struct bytes name)
{
    const struct cluster *cluster = self;
    bool found = bytes_equal_text(space, "default") && bytes_equal_text(name, "one-gpu");
    return found ? cluster->template : (struct value){ .shape = NULL };
}

static const struct allocate_templates templates = { find_template, NULL };

/* A node with two devices of one class, which serve example.com/gpu, too. */
static void begin(struct cluster *cluster, struct allocate_templates *finder)
{
    static const struct gate_settings settings = { 0 };
    static const struct match_bounds bounds = { .objects = 1 << 24, .values = LIMIT_MATCH_VALUES, .work = 1 << 24 };
    assert_int_equal(context_init(&cluster->context, &memory_malloc), FAILURE_NONE);
    arena_init(&cluster->arena, &memory_malloc, 1 << 24);
    assert_int_equal(match_world_init_within(&cluster->matching, &cluster->context, NULL, VERSION, (struct bytes){ NULL, 0 }, &bounds), 0);
    cluster->node = read_object(cluster, "", "Node", "{\"metadata\":{\"name\":\"a\"},\"status\":{\"capacity\":{\"b.c/plugin\":\"4\"}}}");
    cluster->slice = read_object(cluster, "resource.k8s.io", "ResourceSlice",
                                 "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"generation\":1,"
                                 "\"resourceSliceCount\":1},\"nodeName\":\"a\",\"devices\":[{\"name\":\"x\"},{\"name\":\"y\"}]}}");
    cluster->class = read_object(cluster, "resource.k8s.io", "DeviceClass",
                                 "{\"metadata\":{\"name\":\"gpu\"},\"spec\":{\"extendedResourceName\":\"example.com/gpu\"}}");
    cluster->template = read_object(cluster, "resource.k8s.io", "ResourceClaimTemplate",
                                    "{\"metadata\":{\"name\":\"one-gpu\",\"namespace\":\"default\"},"
                                    "\"spec\":{\"spec\":{\"devices\":{\"requests\":[{\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"gpu\"}}]}}}}");
    const struct allocate_objects objects = {
        .slices = &cluster->slice, .nodes = &cluster->node, .classes = &cluster->class, .slice_count = 1, .node_count = 1, .class_count = 1,
    };
    const struct allocate_mode mode = allocate_mode_of(VERSION, allocate_features_of(&settings, VERSION));
    assert_int_equal(allocate_world_init(&cluster->world, &cluster->matching, &mode, &objects), FAILURE_NONE);
    assert_int_equal(allocate_plugin_init(&cluster->plugin, &cluster->world, 0), FAILURE_NONE);
    cluster->plugin.defaults = true;
    if (finder) {
        *finder = templates;
        finder->self = cluster;
        cluster->plugin.templates = finder;
    }
}

static void end(struct cluster *cluster)
{
    allocate_plugin_done(&cluster->plugin);
    allocate_world_done(&cluster->world);
    match_world_done(&cluster->matching);
    arena_done(&cluster->arena);
    context_done(&cluster->context);
}

/* Schedules a pod of that name with that spec. */
static struct allocate_decision run(struct cluster *cluster, const char *name, const char *spec)
{
    struct document document;
    struct allocate_decision decision;
    const struct allocate_pod pod = {
        .name = bytes_of(name), .space = bytes_of("default"), .uid = bytes_of(name), .spec = read_json(cluster, spec, &document),
    };
    assert_int_equal(allocate_plugin_run(&cluster->plugin, &pod, &decision), FAILURE_NONE);
    return decision;
}

static const char by_template[] = "{\"resourceClaims\":[{\"name\":\"c\",\"resourceClaimTemplateName\":\"one-gpu\"}]}";

static void test_templates_stand_for_claims(void **state)
{
    (void)state;
    struct cluster cluster;
    struct allocate_templates finder;
    begin(&cluster, &finder);
    assert_non_null(run(&cluster, "p0", by_template).node);
    assert_non_null(run(&cluster, "p1", by_template).node);
    assert_string_equal(run(&cluster, "p2", by_template).message,
                        "0/1 nodes are available: 1 cannot allocate all claims. still not schedulable");
    const struct allocate_stored *claim =
        allocate_store_find(&cluster.plugin.store, bytes_of("default"), bytes_of("p1-c"));
    assert_non_null(claim);
    assert_true(allocate_is_reserved(claim, bytes_of("p1")) && value_is_set(claim->allocation));
    assert_string_equal(run(&cluster, "p3", "{\"resourceClaims\":[{\"name\":\"c\",\"resourceClaimTemplateName\":\"none\"}]}").message,
                        "could not find resource claim template \"default/none\"");
    end(&cluster);
}

static void test_pods_of_clusters_wait_for_claims(void **state)
{
    (void)state;
    struct cluster cluster;
    begin(&cluster, NULL);
    assert_string_equal(run(&cluster, "p0", by_template).message, "pod \"default/p0\": ResourceClaim not created yet");
    end(&cluster);
}

static void test_limits_are_requests(void **state)
{
#define LIMITS(limits) "{\"containers\":[{\"name\":\"m\",\"resources\":{\"limits\":{" limits "}}}]}"
    static const char two[] = LIMITS("\"example.com/gpu\":\"2\"");
    static const char plugin[] = LIMITS("\"example.com/gpu\":\"1\",\"b.c/plugin\":\"1\"");
    static const char other[] = LIMITS("\"example.com/gpu\":\"1\",\"b.c/other\":\"1\"");
    (void)state;
    struct cluster cluster;
    begin(&cluster, NULL);
    struct allocate_decision decision = run(&cluster, "p0", two);
    assert_non_null(decision.extras);
    assert_int_equal(decision.extras->count, 1);
    assert_int_equal(decision.extras->list[0]->count, 2);
    assert_string_equal(run(&cluster, "p1", plugin).message,
                        "0/1 nodes are available: 1 cannot allocate all claims. still not schedulable");
    assert_string_equal(run(&cluster, "p2", other).message, "0/1 nodes are available: 1 cannot fit resource. still not schedulable");
    end(&cluster);
}

/* Adds so many copies of `each`, with commas. */
static void repeat(struct text *text, const char *each, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        text_add(text, i ? "," : "");
        text_add(text, each);
    }
}

static const char *large(struct cluster *cluster, const char *begin_with, const char *each, unsigned count)
{
    struct text text;
    text_init(&text, &cluster->arena);
    text_add(&text, begin_with);
    repeat(&text, each, count);
    text_add(&text, "]}");
    const char *made = text_end(&text);
    assert_non_null(made);
    return made;
}

static void test_limits(void **state)
{
    static const char container[] = "{\"name\":\"m\",\"resources\":{\"limits\":{\"example.com/gpu\":\"0\"}}}";
    static const char claim[] = "{\"name\":\"c\",\"resourceClaimTemplateName\":\"one-gpu\"}";
    (void)state;
    struct cluster cluster;
    struct allocate_templates finder;
    begin(&cluster, &finder);
    assert_null(run(&cluster, "p0", large(&cluster, "{\"containers\":[", container, LIMIT_ALLOCATE_CONTAINERS)).message);
    assert_string_equal(run(&cluster, "p1", large(&cluster, "{\"containers\":[", container, LIMIT_ALLOCATE_CONTAINERS + 1)).message,
                        "the pod has more containers or resources than can be simulated");
    assert_string_equal(run(&cluster, "p2", large(&cluster, "{\"resourceClaims\":[", claim, LIMIT_ALLOCATE_POD_CLAIMS)).message,
                        "0/1 nodes are available: 1 cannot allocate all claims. still not schedulable");
    assert_string_equal(run(&cluster, "p3", large(&cluster, "{\"resourceClaims\":[", claim, LIMIT_ALLOCATE_POD_CLAIMS + 1)).message,
                        "pod \"default/p3\" has more claims than can be simulated");
    end(&cluster);
}

/* ---- work that others have done ---- */

enum { MILLION = 1000000 };

/* It counts as if it were one's own, but only if one's own would have ended in the same way. */
static void test_effort(void **state)
{
    struct allocate_attempt attempt = { .steps = 100, .looks = 1000 };
    const struct allocate_effort small = { .steps = 10, .looks = 20, .most_steps = 10, .most_looks = 20 };
    const struct allocate_effort large = { .steps = 5 * MILLION, .most_steps = 4 * MILLION };
    struct allocate_effort given_up = { .steps = 20000, .most_steps = LIMIT_ALLOCATE_LEAST_STEPS + 1 };
    (void)state;
    allocate_effort_begin(&attempt);
    assert_int_equal(allocate_effort_of(&attempt).steps, 0);
    assert_true(allocate_effort_add(&attempt, &small));
    assert_int_equal(attempt.steps_before, 110);
    assert_int_equal(attempt.looks_before, 1020);
    assert_false(allocate_effort_add(&attempt, &large)); /* a fifth of 15 million is less */
    assert_int_equal(attempt.steps_before, 110);
    attempt.steps_before = LIMIT_ALLOCATE_ALL_STEPS;
    assert_false(allocate_effort_add(&attempt, &given_up)); /* there it was not the least */
    given_up.least_steps = true;
    assert_true(allocate_effort_add(&attempt, &given_up));
    attempt.steps = 7;
    attempt.looks = 3;
    const struct allocate_effort effort = allocate_effort_of(&attempt);
    assert_true(effort.steps == 7 && effort.most_steps == 7 && effort.most_looks == 3 && effort.least_steps && !effort.least_looks);
}

static void test_effort_of_further_nodes(void **state)
{
    struct allocate_attempt attempt = { .steps_before = MILLION }, other = { .steps = 0 };
    (void)state;
    assert_true(allocate_effort_is_free(&attempt, 1, 9));
    assert_false(allocate_effort_is_free(&attempt, 1, 10)); /* more than half of the 19 million that are left */
    assert_true(allocate_effort_is_free(&attempt, 2, 10));
    attempt.steps_before = LIMIT_ALLOCATE_ALL_STEPS + MILLION;
    assert_true(allocate_effort_is_free(&attempt, 1, 1000)); /* all may take the least */
    attempt.looks_before = LIMIT_ALLOCATE_ALL_LOOKS / 2;
    assert_false(allocate_effort_is_free(&attempt, 1, 1));
    attempt.steps = 5;
    allocate_effort_copy(&other, &attempt);
    assert_int_equal(other.steps_before, LIMIT_ALLOCATE_ALL_STEPS + MILLION + 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_templates_stand_for_claims),
        cmocka_unit_test(test_pods_of_clusters_wait_for_claims),
        cmocka_unit_test(test_limits_are_requests),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_effort),
        cmocka_unit_test(test_effort_of_further_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
