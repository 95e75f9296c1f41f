/* Breaks one allocation after the other through a whole review: nothing leaks, nothing crashes, and nothing that should be denied
 * is ever allowed. Twice: only the n-th allocation fails, and all from the n-th on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/limits.h"
#include "review/policy.h"
#include "validate/context.h"

/* Shared by our allocator and cJSON's hooks. */
static struct {
    unsigned long calls, fail_at; /* the number of the allocation that fails; 0: none */
    bool for_ever;
    long live;
} memory;

static void *allocate(size_t bytes, void *data)
{
    (void)data;
    memory.calls++;
    if (memory.fail_at && (memory.calls == memory.fail_at || (memory.for_ever && memory.calls > memory.fail_at)))
        return NULL;
    void *pointer = malloc(bytes ? bytes : 1);
    memory.live += pointer != NULL;
    return pointer;
}

static void release(void *pointer, void *data)
{
    (void)data;
    memory.live -= pointer != NULL;
    free(pointer);
}

static void *cjson_allocate(size_t bytes)
{
    return allocate(bytes, NULL);
}

static void cjson_release(void *pointer)
{
    release(pointer, NULL);
}

#define REVIEW(operation, kind, object, rest)                                                                                    \
    "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\",\"kind\":{\"group\":\"storage.k8s.io\"," \
    "\"version\":\"v1\",\"kind\":\"" kind "\"},\"operation\":\"" operation "\",\"object\":{\"kind\":\"" kind "\",\"apiVersion\":\"storage.k8s.io/v1\"," object "}" rest "}}"

/* Each must be denied; together they use sets, merging, quantities, equality, escapes, patterns, cross rules and late objects. */
static const char *const bodies[] = {
    REVIEW("CREATE", "CSIDriver", "\"metadata\":{\"name\":\"\\u0041\",\"labels\":{\"a b\":\"c d\",\"1\":\"\",\"2\":\"\",\"3\":\"\",\"4\":\"\",\"5\":\"\",\"6\":\"\",\"7\":\"\",\"8\":\"\",\"9\":\"\"}},"
           "\"spec\":{\"tokenRequests\":[{\"audience\":\"a\",\"expirationSeconds\":1},{\"audience\":\"a\"},null],\"fsGroupPolicy\":\"x\",\"fsGroupPolicy\":\"y\"}", ""),
    REVIEW("CREATE", "StorageClass", "\"metadata\":{\"name\":\"a\",\"name\":\"A\"},\"provisioner\":\"x/y/z\",\"allowedTopologies\":[{\"matchLabelExpressions\":[{\"key\":\"k\",\"values\":[\"b\",\"a\",\"a\"]}]},"
           "{\"matchLabelExpressions\":[{\"key\":\"k\",\"values\":[\"a\",\"b\"]}]}]", ""),
    REVIEW("UPDATE", "CSIStorageCapacity", "\"metadata\":{\"name\":\"a\",\"namespace\":\"n\"},\"capacity\":\"-1Gi\",\"nodeTopology\":{\"matchLabels\":{\"a\":\"b\"}},\"storageClassName\":\"s\"",
           ",\"oldObject\":{\"kind\":\"CSIStorageCapacity\",\"apiVersion\":\"storage.k8s.io/v1\",\"metadata\":{\"name\":\"a\",\"namespace\":\"n\"},\"nodeTopology\":{\"matchLabels\":{\"a\":\"_\"}},\"storageClassName\":\"s\"}"),
    REVIEW("UPDATE", "CSINode", "\"metadata\":{\"name\":\"a\"},\"spec\":{\"drivers\":[{\"name\":\"d\",\"nodeID\":\"2\",\"topologyKeys\":[\"a\",\"a\"]}]}",
           ",\"oldObject\":{\"kind\":\"CSINode\",\"apiVersion\":\"storage.k8s.io/v1\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"drivers\":[{\"name\":\"d\",\"nodeID\":\"1\"}]}}"),
    /* only by a policy, after a look at the old object */
    REVIEW("UPDATE", "StorageClass", "\"metadata\":{\"name\":\"a\"},\"provisioner\":\"a.b\",\"parameters\":{\"reclaimPolicy\":\"x\"},\"allowVolumeExpansion\":true,"
           "\"allowedTopologies\":[{\"matchLabelExpressions\":[{\"key\":\"failure-domain.beta.kubernetes.io/zone\",\"values\":[\"a\"]}]}]",
           ",\"oldObject\":{\"kind\":\"StorageClass\",\"apiVersion\":\"storage.k8s.io/v1\",\"metadata\":{\"name\":\"a\"},\"provisioner\":\"a.b\",\"parameters\":{\"mountOptions\":\"x\"},"
           "\"allowedTopologies\":[{\"matchLabelExpressions\":[{\"key\":\"failure-domain.beta.kubernetes.io/zone\",\"values\":[\"a\"]}]}]}"),
    "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\",\"kind\":{\"group\":\"resource.k8s.io\",\"version\":\"v1beta1\","
    "\"kind\":\"ResourceSlice\"},\"operation\":\"CREATE\",\"object\":{\"kind\":\"ResourceSlice\",\"apiVersion\":\"resource.k8s.io/v1beta1\",\"metadata\":{\"name\":\"a\"},"
    "\"spec\":{\"driver\":\"d\",\"pool\":{\"name\":\"p\"},\"devices\":[{\"name\":\"A\",\"basic\":{\"attributes\":{\"x\":{\"int\":1,\"bool\":true}},\"capacity\":{\"m\":{\"value\":\"4\","
    "\"requestPolicy\":{\"default\":\"1\",\"validRange\":{\"min\":\"2\",\"max\":\"9Pi\",\"step\":\"3\"}}}},\"allowMultipleAllocations\":true,"
    "\"bindingConditions\":[\"a\"],\"bindingFailureConditions\":[\"a\"]}}]}}}}",
    "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\",\"kind\":{\"group\":\"resource.k8s.io\",\"version\":\"v1beta1\","
    "\"kind\":\"ResourceClaim\"},\"operation\":\"CREATE\",\"object\":{\"kind\":\"ResourceClaim\",\"apiVersion\":\"resource.k8s.io/v1beta1\",\"metadata\":{\"name\":\"a\",\"namespace\":\"n\"},"
    "\"spec\":{\"devices\":{\"requests\":[{\"name\":\"r\",\"deviceClassName\":\"c\",\"count\":-1},{\"name\":\"r\",\"firstAvailable\":[{\"name\":\"s\"}]}],"
    "\"constraints\":[{\"requests\":[\"r/s\",\"q\"],\"matchAttribute\":\"x\"}]}}}}}",
    "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\",\"kind\":{\"group\":\"resource.k8s.io\",\"version\":\"v1\","
    "\"kind\":\"ResourceClaim\"},\"operation\":\"UPDATE\",\"subResource\":\"status\",\"object\":{\"kind\":\"ResourceClaim\",\"apiVersion\":\"resource.k8s.io/v1\","
    "\"metadata\":{\"name\":\"a\",\"namespace\":\"n\"},\"status\":{\"devices\":[{\"driver\":\"d\",\"pool\":\"p\",\"device\":\"x\"}]}},\"oldObject\":{\"kind\":\"ResourceClaim\","
    "\"apiVersion\":\"resource.k8s.io/v1\",\"metadata\":{\"name\":\"a\",\"namespace\":\"n\"}}}}",
    ("{\"request\":{\"object\":{\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v1\",\"spec\":[]},\"uid\":\"u\",\"operation\":\"CREATE\",\"kind\":{\"group\":\"storage.k8s.io\",\"version\":\"v1\","
    "\"kind\":\"CSIDriver\"}},\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}"),
};

static const struct memory failing = { allocate, release, NULL };

/* One whole life: context, worker, review, answers. Returns whether it ended with the denial in both forms. */
static bool live_once(const char *body)
{
    static const struct bytes field = BYTES("kind");
    bool every_rule[RULE_COUNT];
    memset(every_rule, true, sizeof every_rule);
    const struct policy list[] = { { .fields = &field, .field_count = 1, .mode = ENFORCEMENT_AUDIT }, { .rules = every_rule } };
    const struct policies policies = { .list = list, .count = 2, .have_fields = true };
    const struct review_settings settings = { .version = MINOR_DEFAULT, .profile = PROFILE_WEBHOOK, .policies = &policies };
    struct context context;
    struct workspace workspace;
    struct review review;
    bool complete = false;
    if (context_init(&context, &failing) != FAILURE_NONE)
        return false;
    if (workspace_init(&workspace, &context) == FAILURE_NONE) {
        review_validate(&workspace, &settings, bytes_of(body), 0, true, &review);
        assert_true(review.outcome == REVIEW_DENIED || review.outcome == REVIEW_FAILED);
        if (review.outcome == REVIEW_DENIED) {
            char *json = review_response(&workspace, &review);
            const char *text = review_text(&workspace, &review);
            if (json)
                assert_non_null(strstr(json, "\"allowed\":false"));
            complete = json && text;
            cjson_release(json);
        }
        workspace_done(&workspace);
    }
    context_done(&context);
    return complete;
}

static unsigned long break_each(const char *body, bool for_ever)
{
    for (unsigned long n = 1;; n++) {
        memory.calls = 0;
        memory.fail_at = n;
        memory.for_ever = for_ever;
        bool complete = live_once(body);
        assert_int_equal(memory.live, 0);
        if (memory.calls < n) {
            assert_true(complete);
            return n - 1;
        }
    }
}

static void test_every_allocation(void **state)
{
    cJSON_Hooks hooks = { cjson_allocate, cjson_release };
    (void)state;
    cJSON_InitHooks(&hooks);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        assert_true(break_each(bodies[i], false) > 10);
        assert_true(break_each(bodies[i], true) > 10);
    }
    cJSON_InitHooks(NULL);
}

/* A worker that lacked memory once validates the next review as ever. */
static void test_worker_goes_on(void **state)
{
    const struct review_settings settings = { .version = MINOR_DEFAULT, .profile = PROFILE_WEBHOOK };
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        for (unsigned long n = 1; n <= 200; n++) {
            struct context context;
            struct workspace workspace;
            struct review review;
            memory.fail_at = 0;
            assert_int_equal(context_init(&context, &failing), FAILURE_NONE);
            assert_int_equal(workspace_init(&workspace, &context), FAILURE_NONE);
            memory.calls = 0;
            memory.fail_at = n;
            memory.for_ever = false;
            review_validate(&workspace, &settings, bytes_of(bodies[i]), 0, true, &review);
            unsigned long calls = memory.calls;
            memory.fail_at = 0;
            review_validate(&workspace, &settings, bytes_of(bodies[i]), 0, true, &review);
            assert_int_equal(review.outcome, REVIEW_DENIED);
            workspace_done(&workspace);
            context_done(&context);
            assert_int_equal(memory.live, 0);
            if (calls < n)
                break;
        }
    }
}

/* The arena's own blocks are few; make each of its allocations fail, too, by a limit that is one byte lower each time. */
static void test_every_limit(void **state)
{
    const struct review_settings settings = { .version = MINOR_DEFAULT, .profile = PROFILE_WEBHOOK };
    struct context context;
    struct workspace workspace;
    (void)state;
    assert_int_equal(context_init(&context, &memory_malloc), FAILURE_NONE);
    assert_int_equal(workspace_init(&workspace, &context), FAILURE_NONE);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        int denied = 0, limited = 0;
        for (size_t limit = 64; limit < 24 * 1024; limit += 16) {
            struct review review;
            arena_done(&workspace.arena);
            arena_init(&workspace.arena, &memory_malloc, limit);
            review_validate(&workspace, &settings, bytes_of(bodies[i]), 0, true, &review);
            denied += review.outcome == REVIEW_DENIED;
            limited += review.outcome == REVIEW_TOO_LARGE || review.outcome == REVIEW_FAILED;
            if (review.outcome == REVIEW_DENIED)
                free(review_response(&workspace, &review));
            assert_true(review.outcome == REVIEW_DENIED || review.outcome == REVIEW_TOO_LARGE || review.outcome == REVIEW_FAILED);
        }
        assert_true(denied > 0 && limited > 10);
    }
    workspace_done(&workspace);
    context_done(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation),
        cmocka_unit_test(test_worker_goes_on),
        cmocka_unit_test(test_every_limit),
    };
    return cmocka_run_group_tests_name("oom", tests, NULL, NULL);
}
