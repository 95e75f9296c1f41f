/* Claims and devices, as drawbridge.h promises of drawbridge_set_match. */
#include "drawbridge.h"
#include "unit.h"

#define TEXT_OF(string) (&(struct drawbridge_text){ string, strlen(string) })

static const char class[] =
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu.acme.dev}\n"
    "spec: {selectors: [{cel: {expression: \"device.driver == 'gpu.acme.dev'\"}}]}\n";
static const char claim[] =
    "\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: memory, namespace: ml}\nspec:\n  devices:\n    requests:\n"
    "    - name: gpu\n      exactly:\n        deviceClassName: gpu.acme.dev\n        count: 2\n        selectors:\n"
    "        - cel: {expression: \"device.capacity['gpu.acme.dev'].memory.compareTo(quantity('80Gi')) >= 0\"}\n";
static const char choices[] =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: choice}\nspec:\n  devices:\n    requests:\n    - name: any\n"
    "      firstAvailable:\n      - {name: large, deviceClassName: gpu.acme.de}\n"
    "      - {name: small, deviceClassName: gpu.acme.dev, allocationMode: All, tolerations: [{operator: Exists}]}\n";
static const char slices[] =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: a}\n"
    "spec:\n  driver: gpu.acme.dev\n  nodeName: node-a\n  pool: {name: pool-a, generation: 1, resourceSliceCount: 1}\n  devices:\n"
    "  - {name: gpu-0, capacity: {memory: {value: 80Gi}}}\n"
    "  - {name: gpu-1, capacity: {memory: {value: 40Gi}}}\n"
    "  - {name: gpu-2, capacity: {memory: {value: 40Gi}}}\n"
    "  - {name: gpu-3, capacity: {memory: {value: 80Gi}}, taints: [{key: bad, effect: NoSchedule}]}\n"
    "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: b}\n"
    "spec:\n  driver: nic.acme.dev\n  nodeName: node-b\n  pool: {name: pool-b, generation: 1, resourceSliceCount: 1}\n  devices:\n"
    "  - {name: nic-0}\n";

/* No match: an out-parameter that must stay as it is. */
static char nothing;
#define UNTOUCHED ((void *)&nothing)

struct world {
    struct drawbridge_context *context;
    struct drawbridge_set *set;
};

static enum drawbridge_result fill(struct drawbridge_set *set)
{
    enum drawbridge_result result = drawbridge_set_add(set, "class", TEXT_OF(class));
    if (!result)
        result = drawbridge_set_add(set, "claim", TEXT_OF(claim));
    return result ? result : drawbridge_set_add(set, "slices", TEXT_OF(slices));
}

static void begin(struct world *world)
{
    assert_int_equal(drawbridge_context_new(NULL, &world->context), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_new(world->context, NULL, &world->set), DRAWBRIDGE_OK);
    assert_int_equal(fill(world->set), DRAWBRIDGE_OK);
}

static void end(struct world *world)
{
    drawbridge_set_free(world->set);
    drawbridge_context_free(world->context);
}

static struct drawbridge_match *match_with(const struct world *world, const char *node, const char *subjects)
{
    const struct drawbridge_match_options options = { .size = sizeof options, .node = node, .subjects = subjects };
    struct drawbridge_match *match = NULL;
    assert_int_equal(drawbridge_set_match(world->set, &options, &match), DRAWBRIDGE_OK);
    return match;
}

/* ---- reports ---- */

/* A report outlives the set. */
static void test_candidates(void **state)
{
    static const struct {
        const char *name, *reason, *label, *words, *selector_of, *also;
    } rows[] = {
        { "gpu-0", "match", "match", "", NULL, NULL },
        { "gpu-1", "selector-false", "too little memory",
          "device.capacity[\"gpu.acme.dev\"].memory is 40Gi, the selector asks for >= 80Gi", "request", NULL },
        { "gpu-2", "selector-false", "too little memory",
          "device.capacity[\"gpu.acme.dev\"].memory is 40Gi, the selector asks for >= 80Gi", "request", NULL },
        { "gpu-3", "taint", "tainted", "nothing tolerates its taint bad:NoSchedule", NULL, NULL },
        { "nic-0", "selector-false", "of another driver", "device.driver is \"nic.acme.dev\", the selector asks for \"gpu.acme.dev\"", "class", NULL },
    };
    struct world world;
    (void)state;
    begin(&world);
    struct drawbridge_match *match = match_with(&world, NULL, NULL);
    end(&world);
    assert_int_equal(drawbridge_match_count(match), 1);
    EXPECT(!drawbridge_match_enough(match) && !drawbridge_match_claim(match, 1) && !drawbridge_match_error_count(match), "one claim");
    const struct drawbridge_claim *found = drawbridge_match_claim(match, 0);
    EXPECT(strcmp(found->kind, "ResourceClaim") == 0 && strcmp(found->version, "v1") == 0 && strcmp(found->group, "resource.k8s.io") == 0, "kind");
    EXPECT(strcmp(found->object_name, "memory") == 0 && strcmp(found->object_namespace, "ml") == 0, "name");
    EXPECT(strcmp(found->source, "claim") == 0 && found->line == 2 && found->column == 1 && found->offset == 1, "place %zu", found->line);
    EXPECT(!found->enough && !found->refusal && found->request_count == 1, "requests");
    const struct drawbridge_request *request = found->requests[0];
    EXPECT(strcmp(request->name, "gpu") == 0 && !request->choice && strcmp(request->class_name, "gpu.acme.dev") == 0, "request");
    EXPECT(strcmp(request->mode, "ExactCount") == 0 && request->count == 2 && !request->admin_access, "mode");
    EXPECT(strcmp(request->outcome, "too-few") == 0 &&
           strcmp(request->words, "not enough: 1 device matches; the selectors also take 1 tainted") == 0, "%s", request->words);
    EXPECT(!request->enough && request->matching == 1 && request->group_count == 4, "%zu groups", request->group_count);
    EXPECT(strcmp(request->groups[0]->label, "match") == 0 && request->groups[0]->count == 1, "%s", request->groups[0]->label);
    EXPECT(strcmp(request->groups[1]->label, "too little memory") == 0 && request->groups[1]->count == 2, "%s", request->groups[1]->label);
    assert_int_equal(request->candidate_count, COUNT(rows));
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct drawbridge_candidate *candidate = request->candidates[i];
        EXPECT(strcmp(candidate->device->name, rows[i].name) == 0 && strcmp(candidate->device->source, "slices") == 0, "row %zu", i);
        EXPECT(strcmp(candidate->device->node, i < 4 ? "node-a" : "node-b") == 0, "row %zu", i);
        EXPECT(strcmp(candidate->reason, rows[i].reason) == 0, "row %zu: %s", i, candidate->reason);
        EXPECT(strcmp(candidate->label, rows[i].label) == 0, "row %zu: %s", i, candidate->label);
        EXPECT(strcmp(candidate->words, rows[i].words) == 0, "row %zu: %s", i, candidate->words);
        const char *of = candidate->selector_of;
        EXPECT(rows[i].selector_of ? of && strcmp(of, rows[i].selector_of) == 0 && candidate->selector == 0 : !of, "row %zu", i);
        EXPECT(!candidate->also[0], "row %zu", i);
    }
    drawbridge_match_free(match);
    assert_rows();
}

/* What is matched, on which node, and what is said where there is nothing. */
static void test_subjects(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    assert_int_equal(drawbridge_set_add(world.set, "choices", TEXT_OF(choices)), DRAWBRIDGE_OK);
    struct drawbridge_match *match = match_with(&world, NULL, NULL);
    EXPECT(drawbridge_match_count(match) == 2 && !drawbridge_match_enough(match), "all");
    drawbridge_match_free(match);
    match = match_with(&world, "node-a", "choices");
    EXPECT(drawbridge_match_count(match) == 1 && drawbridge_match_enough(match), "one of those to choose from");
    const struct drawbridge_claim *found = drawbridge_match_claim(match, 0);
    assert_int_equal(found->request_count, 2);
    const struct drawbridge_request *large = found->requests[0], *small = found->requests[1];
    EXPECT(strcmp(large->choice, "large") == 0 && strcmp(large->outcome, "class-missing") == 0 && large->candidate_count == 0, "large");
    EXPECT(strstr(large->words, "did you mean"), "%s", large->words);
    EXPECT(strcmp(small->name, "any") == 0 && strcmp(small->mode, "All") == 0 && small->enough && small->matching == 4, "small");
    EXPECT(strcmp(small->candidates[4]->reason, "other-node") == 0, "%s", small->candidates[4]->reason);
    drawbridge_match_free(match);
    match = match_with(&world, NULL, "class");
    EXPECT(drawbridge_match_count(match) == 1 && drawbridge_match_enough(match), "a class");
    EXPECT(strcmp(drawbridge_match_claim(match, 0)->requests[0]->name, "") == 0, "without a request");
    drawbridge_match_free(match);
    match = match_with(&world, NULL, "slices");
    EXPECT(drawbridge_match_count(match) == 0 && !drawbridge_match_enough(match), "nothing");
    drawbridge_match_free(match);
    end(&world);
    assert_rows();
}

static void test_also(void **state)
{
    static const char tainted[] =
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: a}\n"
        "spec:\n  driver: gpu.acme.dev\n  nodeName: node-a\n  pool: {name: pool-a, generation: 1, resourceSliceCount: 2}\n  devices:\n"
        "  - {name: gpu-0, capacity: {memory: {value: 1Gi}}, taints: [{key: bad, effect: NoSchedule}]}\n";
    struct world world;
    (void)state;
    assert_int_equal(drawbridge_context_new(NULL, &world.context), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_new(world.context, NULL, &world.set), DRAWBRIDGE_OK);
    const char *const texts[] = { class, claim, tainted };
    for (size_t i = 0; i < COUNT(texts); i++)
        assert_int_equal(drawbridge_set_add(world.set, "a", TEXT_OF(texts[i])), DRAWBRIDGE_OK);
    struct drawbridge_match *match = match_with(&world, NULL, NULL);
    const struct drawbridge_candidate *candidate = drawbridge_match_claim(match, 0)->requests[0]->candidates[0];
    EXPECT(strcmp(candidate->reason, "selector-false") == 0, "%s", candidate->reason);
    assert_non_null(candidate->also[0]);
    assert_non_null(candidate->also[1]);
    EXPECT(strcmp(candidate->also[0], "pool-incomplete") == 0 && strcmp(candidate->also[1], "taint") == 0 && !candidate->also[2], "also");
    drawbridge_match_free(match);
    end(&world);
    assert_rows();
}

static void test_unreadable(void **state)
{
    static const char wrong[] = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: x}\nspec: {selectors: 7}\n";
    static const char refused[] = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: x}\nspec: 7\n";
    struct world world;
    (void)state;
    begin(&world);
    assert_int_equal(drawbridge_set_add(world.set, "broken", TEXT_OF("a: [")), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_add(world.set, "wrong", TEXT_OF(wrong)), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_add(world.set, "refused", TEXT_OF(refused)), DRAWBRIDGE_OK);
    struct drawbridge_match *match = match_with(&world, NULL, "refused");
    assert_int_equal(drawbridge_match_error_count(match), 3);
    EXPECT(strcmp(drawbridge_match_error(match, 0)->source, "broken") == 0, "text");
    bool found = false;
    for (size_t i = 1; i < 3; i++) {
        const struct drawbridge_error *error = drawbridge_match_error(match, i);
        found |= strcmp(error->source, "wrong") == 0 && strcmp(error->path, "spec.selectors") == 0 && error->line == 4;
    }
    EXPECT(found && !drawbridge_match_error(match, 3), "object");
    const struct drawbridge_claim *claim_found = drawbridge_match_claim(match, 0);
    EXPECT(claim_found->refusal && !claim_found->enough && claim_found->request_count == 0, "a claim that no API server takes");
    drawbridge_match_free(match);
    end(&world);
    assert_rows();
}

/* ---- arguments and memory ---- */

static void test_arguments(void **state)
{
    static const size_t first = offsetof(struct drawbridge_match_options, subjects) + sizeof(char *);
    struct {
        struct drawbridge_match_options options;
        char more[64];
    } later = { .options.node = NULL };
    struct drawbridge_match *match = UNTOUCHED;
    struct world world;
    (void)state;
    begin(&world);
    EXPECT(drawbridge_set_match(NULL, NULL, &match) == DRAWBRIDGE_BAD_ARGUMENT, "set");
    EXPECT(drawbridge_set_match(world.set, NULL, NULL) == DRAWBRIDGE_BAD_ARGUMENT, "match");
    for (later.options.size = 0; later.options.size < first; later.options.size++)
        EXPECT(drawbridge_set_match(world.set, &later.options, &match) == DRAWBRIDGE_BAD_OPTION, "%zu", later.options.size);
    later.more[2] = 1;
    later.options.size = sizeof later.options + 3;
    EXPECT(drawbridge_set_match(world.set, &later.options, &match) == DRAWBRIDGE_BAD_OPTION && match == UNTOUCHED, "not known");
    later.options.size--;
    EXPECT(drawbridge_set_match(world.set, &later.options, &match) == DRAWBRIDGE_OK, "more, and zero");
    drawbridge_match_free(match);
    EXPECT(!drawbridge_match_enough(NULL) && !drawbridge_match_count(NULL) && !drawbridge_match_claim(NULL, 0), "no match");
    EXPECT(!drawbridge_match_error_count(NULL) && !drawbridge_match_error(NULL, 0), "no errors");
    drawbridge_match_free(NULL);
    end(&world);
    assert_rows();
}

/* Each allocation fails once: the result says so, nothing is leaked, and the set is as it was. */
static void test_every_allocation(void **state)
{
    struct counted_memory memory;
    const struct drawbridge_allocator allocator = { counted_allocate, counted_release, &memory };
    bool done = false;
    (void)state;
    for (size_t n = 0; !done; n++) {
        struct drawbridge_context *context = NULL;
        struct drawbridge_set *set = NULL;
        struct drawbridge_match *match = NULL;
        counted_init(&memory, n);
        enum drawbridge_result result = drawbridge_context_new(&allocator, &context);
        if (!result)
            result = drawbridge_set_new(context, NULL, &set);
        if (!result)
            result = fill(set);
        bool filled = result == DRAWBRIDGE_OK;
        if (filled)
            result = drawbridge_set_match(set, NULL, &match);
        EXPECT(result == DRAWBRIDGE_OK || (result == DRAWBRIDGE_NO_MEMORY && !match), "%zu: %d", n, (int)result);
        if (filled && result)
            EXPECT(drawbridge_set_match(set, NULL, &match) == DRAWBRIDGE_OK, "%zu: after all", n);
        EXPECT(!filled || drawbridge_match_claim(match, 0)->requests[0]->candidate_count == 5, "%zu", n);
        done = n && memory.calls < n;
        drawbridge_match_free(match);
        drawbridge_set_free(set);
        drawbridge_context_free(context);
        EXPECT(memory.live == 0, "%zu", n);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_candidates), cmocka_unit_test(test_subjects),  cmocka_unit_test(test_also),
        cmocka_unit_test(test_unreadable), cmocka_unit_test(test_arguments), cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests_name("library matches", tests, NULL, NULL);
}
