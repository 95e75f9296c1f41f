/* The AdmissionReview around the object: what is validated, what is refused with which place, and what a policy makes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/limits.h"
#include "check/limits.h"
#include "doc/limits.h"
#include "review/limits.h"
#include "review/review.h"
#include "tests/unit/workspace.h"

static struct review validate_as(enum review_profile profile, const char *body)
{
    const struct review_settings settings = { .version = MINOR_DEFAULT, .profile = profile };
    struct review review;
    review_validate(&workspace, &settings, bytes_of(body), 0, true, &review);
    return review;
}

#define HEAD    "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":"
#define KIND    "\"kind\":{\"group\":\"storage.k8s.io\",\"version\":\"v1\",\"kind\":\"CSIDriver\"}"
#define DRIVER  "{\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v1\",\"metadata\":{\"name\":\"a\"},\"spec\":{}}"
#define BAD     "{\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v1\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"fsGroupPolicy\":\"x\"}}"
#define CREATED "\"operation\":\"CREATE\""

struct outcome_case {
    const char *body;
    enum review_outcome outcome;
    const char *message; /* NULL: none */
};

static const struct outcome_case outcome_cases[] = {
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":" DRIVER "}}", REVIEW_ALLOWED, NULL },
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":" BAD "}}", REVIEW_DENIED, NULL },
    /* members in any order */
    { HEAD "{\"object\":" BAD "," CREATED "," KIND ",\"uid\":\"u\"}}", REVIEW_DENIED, NULL },
    { "{\"request\":{\"object\":" BAD "," CREATED "," KIND ",\"uid\":\"u\"},\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}", REVIEW_DENIED, NULL },
    /* not validated */
    { HEAD "{\"uid\":\"u\"," KIND ",\"operation\":\"DELETE\",\"oldObject\":" BAD "}}", REVIEW_SKIPPED, NULL },
    { HEAD "{\"uid\":\"u\"," KIND ",\"operation\":\"CONNECT\"}}", REVIEW_SKIPPED, NULL },
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"subResource\":\"scale\",\"object\":" BAD "}}", REVIEW_SKIPPED, NULL },
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"subResource\":\"status\",\"object\":" BAD "}}", REVIEW_SKIPPED, NULL },
    { HEAD "{\"uid\":\"u\",\"kind\":{\"group\":\"\",\"version\":\"v1\",\"kind\":\"Pod\"}," CREATED ",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}}}", REVIEW_SKIPPED, NULL },
    { HEAD "{\"uid\":\"u\",\"kind\":{\"group\":\"storage.k8s.io\",\"version\":\"v9\",\"kind\":\"CSIDriver\"}," CREATED
           ",\"object\":{\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v9\"}}}", REVIEW_SKIPPED, NULL },
    /* unreadable objects are denied with a cause */
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":{\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v1\",\"spec\":[]}}}", REVIEW_DENIED, NULL },
    /* refused */
    { "", REVIEW_BAD, "ends too early" },
    { "{}", REVIEW_BAD, "not an AdmissionReview" },
    { "[]", REVIEW_BAD, "must be an object" },
    { "null", REVIEW_BAD, "must be an object" },
    { HEAD "{}} x", REVIEW_BAD, "only one value" },
    { "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1beta1\",\"request\":{}}", REVIEW_BAD, "not an AdmissionReview" },
    { "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}", REVIEW_BAD, "request is missing" },
    { HEAD "null}", REVIEW_BAD, "request is missing" },
    { HEAD "[]}", REVIEW_BAD, "request: Invalid value" },
    { HEAD "{\"uid\":1}}", REVIEW_BAD, "request.uid: Invalid value: 1: must be a string" },
    { HEAD "{" KIND "," CREATED ",\"object\":" DRIVER "}}", REVIEW_BAD, "uid is missing" },
    { HEAD "{\"uid\":\"\"," KIND "," CREATED ",\"object\":" DRIVER "}}", REVIEW_BAD, "uid is missing" },
    { HEAD "{\"uid\":\"a\\u0000b\"," KIND "," CREATED ",\"object\":" DRIVER "}}", REVIEW_BAD, "U+0000" },
    { HEAD "{\"uid\":\"u\"," CREATED ",\"object\":" DRIVER "}}", REVIEW_BAD, "request.kind is missing" },
    { HEAD "{\"uid\":\"u\"," KIND ",\"object\":" DRIVER "}}", REVIEW_BAD, "operation must be" },
    { HEAD "{\"uid\":\"u\"," KIND ",\"operation\":\"create\",\"object\":" DRIVER "}}", REVIEW_BAD, "operation must be" },
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED "}}", REVIEW_BAD, "request.object is missing" },
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":null}}", REVIEW_BAD, "request.object is missing" },
    { HEAD "{\"uid\":\"u\"," KIND ",\"operation\":\"UPDATE\",\"object\":" DRIVER "}}", REVIEW_BAD, "oldObject is missing" },
    { HEAD "{\"uid\":\"u\"," KIND ",\"operation\":\"UPDATE\",\"object\":" DRIVER ",\"oldObject\":null}}", REVIEW_BAD, "oldObject is missing" },
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":{\"kind\":\"CSINode\",\"apiVersion\":\"storage.k8s.io/v1\"}}}", REVIEW_BAD, "another kind" },
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":{\"apiVersion\":\"storage.k8s.io/v1\"}}}", REVIEW_BAD, "another kind" },
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":{\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v2\"}}}", REVIEW_BAD, "another API version" },
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":[]}}", REVIEW_BAD, "another kind" },
    { HEAD "{\"uid\":\"u\",\"kind\":{\"group\":\"\",\"version\":\"v1\",\"kind\":\"Pod\"}," CREATED ",\"object\":{\"kind\":\"Secret\",\"apiVersion\":\"v1\"}}}", REVIEW_BAD, "another kind" },
    { HEAD "{\"uid\":\"u\"," KIND ",\"operation\":\"UPDATE\",\"object\":" DRIVER ",\"oldObject\":{\"kind\":\"CSINode\",\"apiVersion\":\"storage.k8s.io/v1\"}}}", REVIEW_BAD, "another kind" },
    { HEAD "{\"uid\":\"u\"," KIND ",\"operation\":\"UPDATE\",\"object\":" DRIVER
           ",\"oldObject\":{\"kind\":\"CSIDriver\",\"apiVersion\":\"csi.storage.k8s.io/v1alpha1\"}}}", REVIEW_BAD, "another group" },
    { HEAD "{\"uid\":\"u\"," KIND ",\"operation\":\"UPDATE\",\"object\":" DRIVER ",\"oldObject\":{\"kind\":\"CSIDriver\"}}}", REVIEW_BAD, "another group" },
    { HEAD "{\"uid\":\"u\",\"uid\":\"v\"," KIND "," CREATED ",\"object\":" DRIVER "}}", REVIEW_BAD, "repeated" },
    { HEAD "{\"uid\":\"u\"," KIND "," KIND "," CREATED ",\"object\":" DRIVER "}}", REVIEW_BAD, "repeated" },
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":" BAD ",\"object\":" DRIVER "}}", REVIEW_BAD, "repeated" },
};

static void test_outcomes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof outcome_cases / sizeof *outcome_cases; i++) {
        const struct outcome_case *now = &outcome_cases[i];
        struct review review = validate_as(PROFILE_API_SERVER, now->body);
        if (review.outcome != now->outcome || (now->message && (!review.message || !strstr(review.message, now->message))))
            fail_msg("case %zu: outcome %d, message %s\n%s", i, review.outcome, review.message ? review.message : "none", now->body);
        assert_true(review.offset <= strlen(now->body));
    }
}

/* Every prefix of a review ends too early, at its end. */
static void test_every_prefix_is_truncated(void **state)
{
    (void)state;
    const char *whole = outcome_cases[1].body;
    const struct review_settings settings = { .version = MINOR_DEFAULT, .profile = PROFILE_API_SERVER };
    for (uint32_t length = 0; length < strlen(whole); length++) {
        struct review review;
        review_validate(&workspace, &settings, (struct bytes){ whole, length }, 0, true, &review);
        assert_int_equal(review.outcome, REVIEW_BAD);
        assert_true(review.truncated);
        assert_int_equal(review.offset, length);
        assert_int_equal(review.end, 0);
    }
}

static void test_several_reviews_in_one_text(void **state)
{
    (void)state;
    char both[4096];
    const struct review_settings settings = { .version = MINOR_DEFAULT, .profile = PROFILE_API_SERVER };
    struct review review;
    snprintf(both, sizeof both, "%s%s", outcome_cases[0].body, outcome_cases[1].body);
    review_validate(&workspace, &settings, bytes_of(both), 0, false, &review);
    assert_int_equal(review.outcome, REVIEW_ALLOWED);
    assert_int_equal(review.end, strlen(outcome_cases[0].body));
    review_validate(&workspace, &settings, bytes_of(both), review.end, false, &review);
    assert_int_equal(review.outcome, REVIEW_DENIED);
    assert_int_equal(review.end, strlen(both));
}

/* ---- policies ---- */

#define UPDATE_OF(object, old) HEAD "{\"uid\":\"u\"," KIND ",\"operation\":\"UPDATE\",\"object\":" object ",\"oldObject\":" old "}}"
#define DRIVER_WITH(metadata, spec) "{\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v1\",\"metadata\":{\"name\":\"a\"" metadata "},\"spec\":{" spec "}}"
#define BROKEN "\"fsGroupPolicy\":\"x\""
#define CLAIM(version, metadata, request) "{\"kind\":\"ResourceClaim\",\"apiVersion\":\"resource.k8s.io/" version "\"," \
                                          "\"metadata\":{\"name\":\"a\"" metadata "},\"spec\":{\"devices\":{\"requests\":[{" request "}]}}}"
#define CLAIM_UPDATE_OF(object, old) HEAD "{\"object\":" object ",\"oldObject\":" old ",\"uid\":\"u\",\"operation\":\"UPDATE\"," \
                                     "\"kind\":{\"group\":\"resource.k8s.io\",\"version\":\"v1\",\"kind\":\"ResourceClaim\"}}}"
#define V1        "\"name\":\"r\",\"exactly\":{\"deviceClassName\":\"c\"}"
#define V1BETA1   "\"name\":\"r\",\"deviceClassName\":\"c\""
#define BAD_LABEL ",\"labels\":{\"-\":\"\"}"

struct policy_case {
    const char *body;
    bool enforced; /* denied by PROFILE_WEBHOOK; PROFILE_API_SERVER denies them all */
};

static const struct policy_case policy_cases[] = {
    { UPDATE_OF(DRIVER_WITH("", BROKEN), DRIVER_WITH("", "")), true },
    { UPDATE_OF(DRIVER_WITH(",\"labels\":{\"a\":\"b\"}", BROKEN), DRIVER_WITH("", BROKEN)), true },
    { UPDATE_OF(DRIVER_WITH(",\"finalizers\":[]", BROKEN), DRIVER_WITH(",\"finalizers\":[\"a/b\"]", BROKEN)), false },
    { UPDATE_OF(DRIVER_WITH(",\"ownerReferences\":[{}],\"managedFields\":[],\"generation\":2,\"resourceVersion\":\"2\"", BROKEN), DRIVER_WITH("", BROKEN)), false },
    { UPDATE_OF(DRIVER_WITH(",\"finalizers\":[]", BROKEN ",\"podInfoOnMount\":true"), DRIVER_WITH(",\"finalizers\":[\"a/b\"]", BROKEN)), true },
    { UPDATE_OF(DRIVER_WITH("", BROKEN), DRIVER_WITH(",\"deletionTimestamp\":\"2026-01-02T03:04:05Z\"", "")), false },
    { UPDATE_OF(DRIVER_WITH("", BROKEN), DRIVER_WITH(",\"deletionTimestamp\":null", "")), true },
    { UPDATE_OF(DRIVER_WITH("", ""), DRIVER_WITH("", "\"attachRequired\":1")), false },
    { UPDATE_OF(DRIVER_WITH("", "\"attachRequired\":1"), DRIVER_WITH("", "")), true },
    { HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":" BAD "}}", true },
    /* an old object in another API version; in one that is not known, it cannot be read */
    { CLAIM_UPDATE_OF(CLAIM("v1", BAD_LABEL ",\"finalizers\":[]", V1), CLAIM("v1beta1", BAD_LABEL ",\"finalizers\":[\"a/b\"]", V1BETA1)), false },
    { CLAIM_UPDATE_OF(CLAIM("v1", BAD_LABEL ",\"annotations\":{\"a\":\"b\"}", V1), CLAIM("v1beta1", BAD_LABEL, V1BETA1)), true },
    { CLAIM_UPDATE_OF(CLAIM("v1", BAD_LABEL, V1), CLAIM("v1beta1", "", "\"deviceClassName\":1")), false },
    { CLAIM_UPDATE_OF(CLAIM("v1", "", V1), CLAIM("v1alpha3", "", V1BETA1)), false },
    { CLAIM_UPDATE_OF(CLAIM("v1", "", "\"name\":1"), CLAIM("v1alpha3", "", V1BETA1)), false },
};

static void test_policies(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof policy_cases / sizeof *policy_cases; i++) {
        struct review review = validate_as(PROFILE_API_SERVER, policy_cases[i].body);
        assert_int_equal(review.outcome, REVIEW_DENIED);
        assert_int_equal(review.demoted[DEMOTED_BY_RATCHET], 0);
        review = validate_as(PROFILE_WEBHOOK, policy_cases[i].body);
        if ((review.outcome == REVIEW_DENIED) != policy_cases[i].enforced || (review.demoted[DEMOTED_BY_RATCHET] > 0) == policy_cases[i].enforced)
            fail_msg("policy case %zu", i);
        review = validate_as(PROFILE_UNKNOWN_VERSION, policy_cases[i].body);
        assert_int_equal(review.outcome, REVIEW_ALLOWED);
        assert_true(review_disagrees(&review) && review.findings.errors > 0);
        assert_int_equal((review.demoted[DEMOTED_BY_VERSION] > 0), policy_cases[i].enforced);
    }
}

/* ---- responses ---- */

static cJSON *response_to(const struct review *review)
{
    char *json = review_response(&workspace, review);
    assert_non_null(json);
    assert_null(strchr(json, '\n'));
    cJSON *root = cJSON_Parse(json);
    free(json);
    assert_non_null(root);
    assert_string_equal(cJSON_GetObjectItem(root, "apiVersion")->valuestring, "admission.k8s.io/v1");
    assert_string_equal(cJSON_GetObjectItem(root, "kind")->valuestring, "AdmissionReview");
    return root;
}

static void test_denial(void **state)
{
    (void)state;
    struct review review = validate_as(PROFILE_API_SERVER, outcome_cases[1].body);
    cJSON *root = response_to(&review), *response = cJSON_GetObjectItem(root, "response"), *status = cJSON_GetObjectItem(response, "status");
    cJSON *details = cJSON_GetObjectItem(status, "details"), *cause = cJSON_GetArrayItem(cJSON_GetObjectItem(details, "causes"), 0);
    assert_string_equal(cJSON_GetObjectItem(response, "uid")->valuestring, "u");
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(response, "allowed")));
    assert_int_equal(cJSON_GetObjectItem(status, "code")->valueint, 422);
    assert_string_equal(cJSON_GetObjectItem(status, "reason")->valuestring, "Invalid");
    assert_string_equal(cJSON_GetObjectItem(details, "group")->valuestring, "storage.k8s.io");
    assert_string_equal(cJSON_GetObjectItem(details, "kind")->valuestring, "CSIDriver");
    assert_string_equal(cJSON_GetObjectItem(cause, "field")->valuestring, "spec.fsGroupPolicy");
    assert_string_equal(cJSON_GetObjectItem(cause, "reason")->valuestring, "FieldValueNotSupported");
    assert_string_equal(cJSON_GetObjectItem(cause, "message")->valuestring,
                        "Unsupported value: \"x\": supported values: \"ReadWriteOnceWithFSType\", \"File\", \"None\" [enum]");
    assert_null(cJSON_GetObjectItem(response, "patch"));
    cJSON_Delete(root);
}

/* A review with `count` bad labels, all reported at one path, or bad token requests, each at its own; and a bad policy. */
static char *many_findings(int count, bool labels)
{
    size_t room = 4096 + (size_t)count * 64, length;
    char *body = malloc(room);
    assert_non_null(body);
    length = (size_t)snprintf(body, room, HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":{\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v1\",%s",
                              labels ? "\"metadata\":{\"name\":\"a\",\"labels\":{" : "\"metadata\":{\"name\":\"A\"},\"spec\":{\"tokenRequests\":[");
    for (int i = 0; i < count; i++)
        length += (size_t)snprintf(body + length, room - length, labels ? "%s\"-%d\":\"\"" : "%s{\"audience\":\"%d\",\"expirationSeconds\":1}", i ? "," : "", i);
    snprintf(body + length, room - length, labels ? "}},\"spec\":{" BROKEN "}}}}" : "],\"serviceAccountTokenInSecrets\":true}}}}");
    return body;
}

static void assert_limited(int count, bool labels)
{
    char *body = many_findings(count, labels);
    struct review review = validate_as(PROFILE_API_SERVER, body);
    assert_int_equal(review.findings.errors, count + 1);
    assert_true(review.findings.kept <= LIMIT_FINDINGS);
    cJSON *root = response_to(&review), *status = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "response"), "status");
    cJSON *causes = cJSON_GetObjectItem(cJSON_GetObjectItem(status, "details"), "causes"), *cause;
    const char *message = cJSON_GetObjectItem(status, "message")->valuestring;
    int listed = 0, policies = 0;
    assert_int_equal(cJSON_GetArraySize(causes), count + 1 < (int)LIMIT_CAUSES ? count + 1 : (int)LIMIT_CAUSES);
    cJSON_ArrayForEach(cause, causes)
        policies += strcmp(cJSON_GetObjectItem(cause, "field")->valuestring, "spec.fsGroupPolicy") == 0;
    assert_int_equal(policies, labels); /* many of one kind do not crowd out another */
    for (const char *at = message; (at = strstr(at, "]")); at++)
        listed += at[1] == ',';
    assert_true(strlen(message) < LIMIT_MESSAGE_BYTES + 1024);
    assert_non_null(strstr(message, " more]"));
    assert_true(listed > 10);
    cJSON_Delete(root);
    free(body);
}

static void test_causes_are_limited_and_counted(void **state)
{
    (void)state;
    static const int counts[] = { LIMIT_CAUSES - 2, LIMIT_CAUSES - 1, LIMIT_CAUSES, LIMIT_CAUSES + 1, LIMIT_FINDINGS - 2, LIMIT_FINDINGS - 1, LIMIT_FINDINGS, LIMIT_FINDINGS + 1, 20000 };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assert_limited(counts[i], true);
        assert_limited(counts[i], false);
    }
}

/* Each of these finalizers is reported at the list and at its element: no repetition lies beside its like. */
static void test_causes_of_a_list_leave_room(void **state)
{
    (void)state;
    struct review review;
    char body[8192];
    int length = snprintf(body, sizeof body, "%s", "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\",\"operation\":\"CREATE\","
                          "\"kind\":{\"group\":\"storage.k8s.io\",\"version\":\"v1\",\"kind\":\"StorageClass\"},\"object\":{\"kind\":\"StorageClass\","
                          "\"apiVersion\":\"storage.k8s.io/v1\",\"provisioner\":\"_\",\"reclaimPolicy\":\"x\",\"metadata\":{\"name\":\"a\",\"finalizers\":[");
    for (int i = 0; i < 200; i++)
        length += snprintf(body + length, sizeof body - (size_t)length, "%s\"_\"", i ? "," : "");
    snprintf(body + length, sizeof body - (size_t)length, "]}}}}");
    review = validate_as(PROFILE_API_SERVER, body);
    cJSON *root = response_to(&review), *details = cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "response"), "status"), "details");
    cJSON *cause;
    int others = 0, elements = 0;
    cJSON_ArrayForEach(cause, cJSON_GetObjectItem(details, "causes")) {
        const char *field = cJSON_GetObjectItem(cause, "field")->valuestring;
        others += strcmp(field, "provisioner") == 0 || strcmp(field, "reclaimPolicy") == 0;
        elements += strncmp(field, "metadata.finalizers[", 20) == 0;
    }
    assert_int_equal(others, 2);
    assert_int_equal(elements, 200);
    cJSON_Delete(root);
}

static void test_warnings_are_limited(void **state)
{
    (void)state;
    char *body = many_findings(500, true);
    struct review review = validate_as(PROFILE_UNKNOWN_VERSION, body);
    cJSON *root = response_to(&review), *response = cJSON_GetObjectItem(root, "response"), *warnings = cJSON_GetObjectItem(response, "warnings"), *warning;
    size_t total = 0;
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(response, "allowed")));
    assert_null(cJSON_GetObjectItem(response, "status"));
    cJSON_ArrayForEach(warning, warnings) {
        assert_true(strlen(warning->valuestring) < 120);
        total += strlen(warning->valuestring);
    }
    assert_true(total > 3000 && total <= LIMIT_WARNINGS_BYTES);
    int added = cJSON_GetArraySize(warnings) - 1, more = 0;
    assert_int_equal(sscanf(cJSON_GetArrayItem(warnings, added)->valuestring, "and %d more", &more), 1);
    assert_int_equal(added + more, 501);
    cJSON_Delete(root);
    free(body);
}

/* What a client wrote reaches terminals and logs only cut and escaped. */
static void test_quoted_values_are_harmless(void **state)
{
    (void)state;
    static const char evil[] = HEAD "{\"uid\":\"u\",\"name\":\"\\u001b[31m\\u202e\"," KIND "," CREATED ",\"object\":{\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v1\","
                                    "\"metadata\":{\"name\":\"\\u001b[2J\\u2028\\u0000\"},\"spec\":{\"fsGroupPolicy\":\"%s\"}}}}";
    char body[8192], value[4001];
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    snprintf(body, sizeof body, evil, value);
    struct review review = validate_as(PROFILE_API_SERVER, body);
    const char *text = review_text(&workspace, &review);
    char *json = review_response(&workspace, &review);
    assert_non_null(text);
    assert_non_null(json);
    assert_null(strchr(text, '\x1b'));
    assert_null(strstr(text, "\xE2\x80\xAE"));
    assert_null(strstr(json, "\xE2\x80\xA8"));
    assert_non_null(strstr(text, "\\u001b[31m\\u202e"));
    assert_true(strlen(json) < 2048);
    free(json);
}

/* ---- limits ---- */

static void test_limits_are_no_verdict(void **state)
{
    (void)state;
    size_t room = LIMIT_BODY_BYTES + 4096, length;
    char *body = malloc(room);
    assert_non_null(body);
    length = (size_t)snprintf(body, room, HEAD "{\"uid\":\"u\"," KIND "," CREATED ",\"object\":{\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v1\",\"metadata\":{\"finalizers\":[");
    for (unsigned i = 0; i <= LIMIT_NODES; i++)
        length += (size_t)snprintf(body + length, room - length, "%s\"\"", i ? "," : "");
    snprintf(body + length, room - length, "]}}}}");
    assert_int_equal(validate_as(PROFILE_API_SERVER, body).outcome, REVIEW_TOO_LARGE);
    memset(body, ' ', LIMIT_BODY_BYTES + 1);
    body[LIMIT_BODY_BYTES + 1] = '\0';
    assert_int_equal(validate_as(PROFILE_API_SERVER, body).outcome, REVIEW_TOO_LARGE);
    free(body);
}

/* What no rule looks at may be anything that an API server can send. */
static void test_skipped_parts_may_be_odd(void **state)
{
    (void)state;
    size_t room = 64 * 1024, length, depth = 9000;
    char *body = malloc(room);
    assert_non_null(body);
    length = (size_t)snprintf(body, room, HEAD "{\"uid\":\"u\"," KIND ",\"options\":{\"a\":1,\"a\":2}," CREATED
                              ",\"object\":{\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v1\",\"unknown\":\"\\ud800 \xFF\",\"metadata\":{\"name\":\"a\",\"managedFields\":"
                              "[{\"operation\":\"Update\",\"fieldsV1\":{\"f:a\":{},\"f:a\":");
    memset(body + length, '[', depth);
    memset(body + length + depth, ']', depth);
    snprintf(body + length + 2 * depth, room - length - 2 * depth, "}}]},\"spec\":{}}}}");
    assert_int_equal(validate_as(PROFILE_API_SERVER, body).outcome, REVIEW_ALLOWED);
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_every_prefix_is_truncated),
        cmocka_unit_test(test_several_reviews_in_one_text),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_denial),
        cmocka_unit_test(test_causes_are_limited_and_counted),
        cmocka_unit_test(test_causes_of_a_list_leave_room),
        cmocka_unit_test(test_warnings_are_limited),
        cmocka_unit_test(test_quoted_values_are_harmless),
        cmocka_unit_test(test_limits_are_no_verdict),
        cmocka_unit_test(test_skipped_parts_may_be_odd),
    };
    return cmocka_run_group_tests_name("review", tests, start_workspace, stop_workspace);
}
