/* What findings do to a request, by the configuration and by what is stored: rows of configuration, review and answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "check/limits.h"
#include "review/configuration.h"
#include "tests/unit/workspace.h"

/* ---- reviews ---- */

#define REVIEW(kind, group, version, operation, rest)                                                                                      \
    "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\",\"kind\":{\"group\":\"" group "\",\"version\":\"" \
    version "\",\"kind\":\"" kind "\"},\"operation\":\"" operation "\"," rest "}}"
#define OBJECT_OF(kind, api_version, metadata, rest) "{\"kind\":\"" kind "\",\"apiVersion\":\"" api_version "\",\"metadata\":{\"name\":\"a.b\"" metadata "}" rest "}"

/* A class: `provisioner` missing is an error, a secret's name without its namespace a warning at parameters, and parameters of
 * another plugin an info. */
#define CLASS(metadata, rest) OBJECT_OF("StorageClass", "storage.k8s.io/v1", metadata, ",\"provisioner\":\"a.b\"" rest)
#define CREATE_CLASS(object) REVIEW("StorageClass", "storage.k8s.io", "v1", "CREATE", "\"object\":" object)
#define UPDATE_CLASS(object, old) REVIEW("StorageClass", "storage.k8s.io", "v1", "UPDATE", "\"object\":" object ",\"oldObject\":" old)
#define WARNED ",\"parameters\":{\"reclaimPolicy\":\"x\"}"
#define WARNED_MORE ",\"parameters\":{\"reclaimPolicy\":\"x\",\"mountOptions\":\"y\"}"
#define WRONG  ",\"reclaimPolicy\":\"x\""

/* A claim, in a namespace: a driver of upper case is a warning, a request's name of upper case an error. */
#define CONFIG(driver) "{\"opaque\":{\"driver\":\"" driver "\",\"parameters\":{}}}"
#define CLAIM(metadata, name, configs) OBJECT_OF("ResourceClaim", "resource.k8s.io/v1", ",\"namespace\":\"team-a\"" metadata, \
    ",\"spec\":{\"devices\":{\"requests\":[{\"name\":\"" name "\",\"exactly\":{\"deviceClassName\":\"gpu\"}}],\"config\":[" configs "]}}")
#define CREATE_CLAIM(space, object) REVIEW("ResourceClaim", "resource.k8s.io", "v1", "CREATE", space "\"object\":" object)
#define SPACE(name) "\"namespace\":\"" name "\","
#define BAD_CLAIM CLAIM("", "r", CONFIG("A.b"))

/* An attachment: metadata without attached is a warning when the status is written. */
#define ATTACHMENT(metadata, status) OBJECT_OF("VolumeAttachment", "storage.k8s.io/v1", metadata, ",\"spec\":{\"attacher\":\"a.b\",\"nodeName\":\"n\",\"source\":{\"persistentVolumeName\":\"p\"}},\"status\":{" status "}")
#define STATUS_UPDATE(object, old) REVIEW("VolumeAttachment", "storage.k8s.io", "v1", "UPDATE", "\"subResource\":\"status\",\"object\":" object ",\"oldObject\":" old)
#define NOT_ATTACHED "\"attached\":false,\"attachmentMetadata\":{\"a\":\"b\"}"

/* A slice: a capacity without a value is a warning. */
#define DEVICE(name, capacity) "{\"name\":\"" name "\",\"capacity\":{\"" capacity "\":{}}}"
#define FROM(min) "{\"name\":\"x\",\"allowMultipleAllocations\":true,\"capacity\":{\"m\":{\"value\":\"1\",\"requestPolicy\":{\"default\":\"0\",\"validRange\":{\"min\":\"" min "\"}}}}}"
#define VERSIONS "{\"name\":\"x\",\"attributes\":{\"v\":{\"versions\":[\"x\"]}}}"
#define CREATE_SLICE(devices) REVIEW("ResourceSlice", "resource.k8s.io", "v1", "CREATE", "\"object\":" SLICE(devices))
#define SLICE(devices) OBJECT_OF("ResourceSlice", "resource.k8s.io/v1", "", ",\"spec\":{\"driver\":\"a.b\",\"nodeName\":\"n\",\"pool\":{\"name\":\"p\",\"generation\":1,\"resourceSliceCount\":1},\"devices\":[" devices "]}")
#define UPDATE_SLICE(devices, old) REVIEW("ResourceSlice", "resource.k8s.io", "v1", "UPDATE", "\"object\":" SLICE(devices) ",\"oldObject\":" SLICE(old))

/* A driver: tokens without serviceAccountTokenInSecrets are a warning, where tokenRequests change. */
#define DRIVER(metadata, spec) OBJECT_OF("CSIDriver", "storage.k8s.io/v1", metadata, ",\"spec\":{\"requiresRepublish\":true," spec "}")
#define UPDATE_DRIVER(object, old) REVIEW("CSIDriver", "storage.k8s.io", "v1", "UPDATE", "\"object\":" object ",\"oldObject\":" old)
#define TOKENS(audience) "\"tokenRequests\":[{\"audience\":\"" audience "\"}]"

/* ---- cases ---- */

static const struct policy_case {
    const char *policies; /* NULL: no configuration; without a head, of Kubernetes 1.35 unless it says otherwise */
    const char *body;
    const char *answers; /* verdict, each finding with what it does, and why findings that would deny do not */
} cases[] = {
    /* without a configuration: no version, errors warn */
    { NULL, CREATE_CLASS(CLASS("", WARNED WRONG)), "allowed warn:misplaced-field warn:enum demoted-by-version:1" },
    /* no policies */
    { "", CREATE_CLASS(CLASS("", WARNED WRONG)), "denied warn:misplaced-field deny:enum" },
    { "", CREATE_CLASS(CLASS("", "")), "allowed" },
    { "mode: warn", CREATE_CLASS(CLASS("", WARNED WRONG)), "allowed warn:misplaced-field warn:enum demoted-by-mode:1" },
    { "mode: audit", CREATE_CLASS(CLASS("", WARNED WRONG)), "allowed audit:misplaced-field audit:enum demoted-by-mode:1" },
    /* rules: named ones are raised, others are not */
    { "policies: [{rules: ['*'], mode: enforce}]", CREATE_CLASS(CLASS("", WARNED WRONG)), "denied deny:misplaced-field deny:enum" },
    { "policies: [{rules: [misplaced-field], mode: enforce}]", CREATE_CLASS(CLASS("", WARNED)), "denied deny:misplaced-field" },
    { "policies: [{rules: [no-effect], mode: enforce}]", CREATE_CLASS(CLASS("", WARNED)), "allowed warn:misplaced-field" },
    { "policies: [{mode: enforce}]", CREATE_CLASS(CLASS("", WARNED)), "allowed warn:misplaced-field" },
    { "policies: [{rules: [misplaced-field], mode: warn}]", CREATE_CLASS(CLASS("", WARNED WRONG)), "denied warn:misplaced-field deny:enum demoted-by-mode:1" },
    { "policies: [{rules: [enum], mode: audit}]", CREATE_CLASS(CLASS("", WARNED WRONG)), "allowed warn:misplaced-field audit:enum demoted-by-mode:1" },
    /* infos never do anything */
    { "policies: [{rules: ['*'], mode: enforce}]", CREATE_CLASS(CLASS(",\"annotations\":{\"storageclass.beta.kubernetes.io/is-default-class\":\"true\"}", "")), "allowed none:deprecated" },
    /* warnings are raised without a version, too; errors are not */
    { "kubernetesVersion: null\npolicies: [{rules: ['*'], mode: enforce}]", CREATE_CLASS(CLASS("", WARNED WRONG)), "denied deny:misplaced-field warn:enum demoted-by-version:1" },
    { "kubernetesVersion: null\nmode: audit", CREATE_CLASS(CLASS("", WRONG)), "allowed audit:enum demoted-by-version:1" },
    /* the first that fits decides */
    { "policies: [{mode: audit}, {rules: ['*'], mode: enforce}]", CREATE_CLASS(CLASS("", WARNED WRONG)), "allowed audit:misplaced-field audit:enum demoted-by-mode:1" },
    { "policies: [{rules: [enum], mode: warn}, {rules: ['*'], mode: enforce}]", CREATE_CLASS(CLASS("", WARNED WRONG)), "denied deny:misplaced-field warn:enum demoted-by-mode:1" },
    /* kinds */
    { "policies: [{kinds: [CSIDriver], mode: audit}]", CREATE_CLASS(CLASS("", WRONG)), "denied deny:enum" },
    { "policies: [{kinds: [CSIDriver, StorageClass], mode: audit}]", CREATE_CLASS(CLASS("", WRONG)), "allowed audit:enum demoted-by-mode:1" },
    { "policies: [{kinds: [StorageClass.storage.k8s.io], mode: audit}]", CREATE_CLASS(CLASS("", WRONG)), "allowed audit:enum demoted-by-mode:1" },
    { "policies: [{kinds: [CSIDriver.csi.storage.k8s.io], mode: audit}]", REVIEW("CSIDriver", "storage.k8s.io", "v1", "CREATE", "\"object\":" DRIVER("", "\"fsGroupPolicy\":\"x\"")), "denied deny:enum" },
    { "policies: [{kinds: [CSIDriver], mode: audit}]", REVIEW("CSIDriver", "storage.k8s.io", "v1", "CREATE", "\"object\":" DRIVER("", "\"fsGroupPolicy\":\"x\"")), "allowed audit:enum demoted-by-mode:1" },
    /* fields, and what is below them */
    { "policies: [{fields: [reclaimPolicy], mode: audit}]", CREATE_CLASS(CLASS("", WARNED WRONG)), "allowed warn:misplaced-field audit:enum demoted-by-mode:1" },
    { "policies: [{fields: [parameters], rules: ['*'], mode: enforce}]", CREATE_CLASS(CLASS("", WARNED WRONG)), "denied deny:misplaced-field deny:enum" },
    { "policies: [{fields: [allowVolumeExpansion], mode: audit}]", CREATE_CLASS(CLASS("", WRONG)), "denied deny:enum" },
    { "policies: [{fields: [spec.devices.config], rules: ['*'], mode: enforce}]", CREATE_CLAIM("", BAD_CLAIM), "denied deny:lower-case" },
    { "policies: [{fields: ['spec.devices.config[].opaque.driver'], rules: ['*'], mode: enforce}]", CREATE_CLAIM("", BAD_CLAIM), "denied deny:lower-case" },
    { "policies: [{fields: [spec.devices.config.opaque.parameters], rules: ['*'], mode: enforce}]", CREATE_CLAIM("", BAD_CLAIM), "allowed warn:lower-case" },
    { "policies: [{fields: [spec.devices.requests.name], rules: ['*'], mode: enforce}]", CREATE_CLAIM("", BAD_CLAIM), "allowed warn:lower-case" },
    { "kubernetesVersion: '1.36'\npolicies: [{fields: [spec.devices.attributes.version], mode: audit}]", CREATE_SLICE(VERSIONS), "denied deny:semver" },
    { "kubernetesVersion: '1.36'\npolicies: [{fields: [spec.devices.attributes.versions], mode: audit}]", CREATE_SLICE(VERSIONS), "allowed audit:semver demoted-by-mode:1" },
    /* the key of a map is no field, whatever it is */
    { "policies: [{fields: [metadata.annotations], mode: audit}]", CREATE_CLASS(CLASS(",\"labels\":{\"].annotations[\":\"\"}", "")), "denied deny:qualified-name" },
    { "policies: [{fields: [metadata.annotations], rules: ['*'], mode: enforce}]", CREATE_CLASS(CLASS(",\"annotations\":{\"storageclass.kubernetes.io/is-default-class\":\"yes\"}", "")), "denied deny:enum" },
    /* namespaces */
    { "policies: [{namespaces: [team-a], mode: audit, rules: ['*']}]", CREATE_CLAIM(SPACE("team-a"), BAD_CLAIM), "allowed audit:lower-case demoted-by-mode:1" },
    { "policies: [{namespaces: [team-a], mode: enforce, rules: ['*']}]", CREATE_CLAIM(SPACE("team-a"), BAD_CLAIM), "denied deny:lower-case" },
    { "policies: [{namespaces: [team-b, 'team-*'], mode: enforce, rules: ['*']}]", CREATE_CLAIM(SPACE("team-a"), BAD_CLAIM), "denied deny:lower-case" },
    { "policies: [{namespaces: [team, team-a-, 'team-a*b'], mode: enforce, rules: ['*']}]", CREATE_CLAIM(SPACE("team-a"), BAD_CLAIM), NULL },
    { "policies: [{namespaces: [team, team-aa, team-b], mode: enforce, rules: ['*']}]", CREATE_CLAIM(SPACE("team-a"), BAD_CLAIM), "allowed warn:lower-case" },
    { "policies: [{namespaces: ['team-a*'], mode: enforce, rules: ['*']}]", CREATE_CLAIM(SPACE("team-a"), BAD_CLAIM), "denied deny:lower-case" },
    { "policies: [{namespaces: ['*'], mode: enforce, rules: ['*']}]", CREATE_CLAIM(SPACE("x"), BAD_CLAIM), "denied deny:lower-case" },
    { "policies: [{namespaces: ['*'], mode: enforce, rules: ['*']}]", CREATE_CLAIM("", BAD_CLAIM), "allowed warn:lower-case" }, /* nobody says which */
    { "policies: [{namespaces: ['*'], mode: enforce, rules: ['*']}]", REVIEW("StorageClass", "storage.k8s.io", "v1", "CREATE", SPACE("x") "\"object\":" CLASS("", WARNED)), "allowed warn:misplaced-field" },
    /* stored objects: the same finding */
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_CLASS(CLASS("", WARNED ",\"allowVolumeExpansion\":true"), CLASS("", WARNED)), "allowed warn:misplaced-field demoted-by-ratchet:1" },
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_DRIVER(DRIVER("", TOKENS("a")), DRIVER("", "\"seLinuxMount\":true")), "denied deny:recommended" },
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_DRIVER(DRIVER("", TOKENS("b")), DRIVER("", TOKENS("a"))), "allowed warn:recommended demoted-by-ratchet:1" }, /* of what changes */
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_DRIVER(DRIVER("", TOKENS("a") ",\"seLinuxMount\":true"), DRIVER("", TOKENS("a"))), "allowed" },
    /* … in the status, and in a spec that a status update leaves as it is */
    { "policies: [{rules: ['*'], mode: enforce}]", STATUS_UPDATE(ATTACHMENT("", NOT_ATTACHED), ATTACHMENT("", "\"attached\":false")), "denied deny:forbidden" },
    { "policies: [{rules: ['*'], mode: enforce}]", STATUS_UPDATE(ATTACHMENT("", NOT_ATTACHED ",\"attachError\":{\"message\":\"x\"}"), ATTACHMENT("", NOT_ATTACHED)), "allowed warn:forbidden demoted-by-ratchet:1" },
    /* … that moves in a list: the same message */
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_SLICE(DEVICE("c", "n"), DEVICE("b", "m") "," DEVICE("c", "n")), "allowed none:generation-raised warn:recommended demoted-by-ratchet:1" },
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_SLICE(DEVICE("a", "m") "," DEVICE("c", "n"), DEVICE("c", "n")), "denied none:generation-raised deny:recommended warn:recommended demoted-by-ratchet:1" },
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_SLICE(DEVICE("c", "n"), "{\"name\":\"c\"}"), "denied none:generation-raised deny:recommended" },
    /* … at the same place, with another value */
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_SLICE(FROM("-2"), FROM("-1")), "allowed none:generation-raised warn:range demoted-by-ratchet:1" },
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_SLICE(FROM("-2"), FROM("0")), "denied none:generation-raised deny:range" },
    /* metadata only, deletion, objects that cannot be read */
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_CLASS(CLASS(",\"labels\":{\"a\":\"b\"}", WARNED), CLASS("", WARNED)), "allowed warn:misplaced-field demoted-by-ratchet:1" },
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_CLASS(CLASS(",\"annotations\":{\"storageclass.kubernetes.io/is-default-class\":\"yes\"}", ""), CLASS("", "")), "allowed warn:enum demoted-by-ratchet:1" },
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_CLASS(CLASS(",\"finalizers\":[]", WARNED), CLASS(",\"finalizers\":[\"a/b\"]", WARNED)), "allowed warn:misplaced-field demoted-by-ratchet:1" },
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_DRIVER(DRIVER("", TOKENS("a")), DRIVER(",\"deletionTimestamp\":\"2026-01-02T03:04:05Z\"", "\"seLinuxMount\":true")), "allowed warn:recommended demoted-by-ratchet:1" },
    { "policies: [{rules: ['*'], mode: enforce}]", UPDATE_DRIVER(DRIVER("", TOKENS("a")), DRIVER("", "\"seLinuxMount\":1")), "allowed warn:type demoted-by-ratchet:1" },
    /* the ratchets come before mode and version, so that what only the mode holds back is counted by itself */
    { "policies: [{rules: ['*'], mode: warn}]", UPDATE_CLASS(CLASS("", WARNED ",\"allowVolumeExpansion\":true"), CLASS("", WARNED)), "allowed warn:misplaced-field demoted-by-ratchet:1" },
    { "policies: [{rules: ['*'], mode: audit}]", UPDATE_DRIVER(DRIVER("", TOKENS("a")), DRIVER("", "\"seLinuxMount\":true")), "allowed audit:recommended demoted-by-mode:1" },
};

/* ---- what comes of them ---- */

static void describe(const struct review *review, char *line, size_t room)
{
    static const char *const actions[FINDING_ACTIONS] = { [ACTION_DENY] = "deny", [ACTION_WARN] = "warn", [ACTION_AUDIT] = "audit", [ACTION_NONE] = "none" };
    static const char *const reasons[REVIEW_DEMOTIONS] = { [DEMOTED_BY_RATCHET] = "ratchet", [DEMOTED_BY_VERSION] = "version", [DEMOTED_BY_MODE] = "mode" };
    FILE *out = fmemopen(line, room, "w");
    uint32_t counts[FINDING_ACTIONS] = { 0 };
    fputs(review->outcome == REVIEW_DENIED ? "denied" : review->outcome == REVIEW_ALLOWED ? "allowed" : "not validated", out);
    for (uint32_t i = 0; i < review->answer_count; i++) {
        fprintf(out, " %s:%s", actions[review->answers[i].action], rule_info(review->answers[i].finding->rule)->id);
        counts[review->answers[i].action]++;
    }
    for (int i = 0; i < REVIEW_DEMOTIONS; i++)
        if (review->demoted[i])
            fprintf(out, " demoted-by-%s:%u", reasons[i], review->demoted[i]);
    fclose(out);
    for (int i = 0; i < FINDING_ACTIONS; i++)
        assert_int_equal(counts[i], review->actions[i]);
}

/* What the response says: verdict, causes, warnings, annotations. */
static void check_response(const struct review *review)
{
    char *json = review_response(&workspace, review);
    cJSON *root = cJSON_Parse(json), *response = cJSON_GetObjectItem(root, "response"), *annotations = cJSON_GetObjectItem(response, "auditAnnotations");
    cJSON *causes = cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetObjectItem(response, "status"), "details"), "causes");
    uint32_t found = review->findings.errors + review->findings.warnings, demoted = 0;
    for (int i = 0; i < REVIEW_DEMOTIONS; i++)
        demoted += review->demoted[i];
    assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(response, "allowed")), review->outcome == REVIEW_ALLOWED);
    assert_int_equal(cJSON_GetArraySize(causes), review->actions[ACTION_DENY]);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(response, "warnings")), review->actions[ACTION_WARN]);
    assert_int_equal(annotations != NULL, found > 0);
    if (annotations) {
        const cJSON *said = cJSON_GetObjectItem(annotations, "demoted");
        assert_int_equal(strtoul(cJSON_GetObjectItem(annotations, "findings")->valuestring, NULL, 10), found);
        assert_int_equal(said ? strtoul(said->valuestring, NULL, 10) : 0, demoted);
        assert_true(strlen(cJSON_GetObjectItem(annotations, "rules")->valuestring) > 0);
    }
    cJSON_Delete(root);
    free(json);
}

static enum failure read_policies(const char *policies, struct configuration *configuration)
{
    static struct configuration_mistakes mistakes;
    char text[4096];
    snprintf(text, sizeof text, "apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\n%s%s\n", strstr(policies, "kubernetesVersion") ? "" : "kubernetesVersion: '1.35'\n", policies);
    return configuration_read(&memory_malloc, bytes_of(text), configuration, &mistakes);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct policy_case *now = &cases[i];
        const struct review_overrides none = { .version = 0 };
        struct configuration configuration = { .version = 0 };
        struct review review;
        char line[1024] = "";
        enum failure failure = now->policies ? read_policies(now->policies, &configuration) : FAILURE_NONE;
        if (failure != (now->answers ? FAILURE_NONE : FAILURE_SYNTAX))
            fail_msg("case %zu: %s", i, failure_text(failure));
        if (failure)
            continue;
        const struct review_settings settings = configuration_settings(now->policies ? &configuration : NULL, &none);
        review_validate(&workspace, &settings, bytes_of(now->body), 0, true, &review);
        describe(&review, line, sizeof line);
        if (strcmp(line, now->answers) != 0)
            fail_msg("case %zu: %s\n  got  %s\n  want %s\n%s", i, now->policies ? now->policies : "-", line, now->answers, review_text(&workspace, &review));
        check_response(&review);
        configuration_done(&configuration);
    }
}

/* ---- many findings ---- */

/* `count` times `part`, separated by commas, between `before` and `behind`; %u in it is the number. */
static char *repeated(const char *before, const char *part, unsigned count, const char *behind)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fputs(before, out);
    for (unsigned i = 0; i < count; i++) {
        const char *number = strstr(part, "%u");
        fprintf(out, "%s%.*s%u%s", i ? "," : "", (int)(number - part), part, i, number + 2);
    }
    fputs(behind, out);
    fclose(out);
    return text;
}

static struct review validate_with(const char *policies, const char *body)
{
    static struct configuration configuration;
    const struct review_overrides none = { .version = 0 };
    struct review review;
    configuration_done(&configuration);
    assert_int_equal(read_policies(policies, &configuration), FAILURE_NONE);
    const struct review_settings settings = configuration_settings(&configuration, &none);
    review_validate(&workspace, &settings, bytes_of(body), 0, true, &review);
    return review;
}

#define CROWD "{\"name\":\"d%u\",\"capacity\":{\"a\":{},\"b\":{},\"c\":{},\"d\":{},\"e\":{},\"f\":{},\"g\":{},\"h\":{},\"i\":{},\"j\":{}}}"
#define SLICE_BEGINS "{\"kind\":\"ResourceSlice\",\"apiVersion\":\"resource.k8s.io/v1\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"driver\":\"a.b\",\"nodeName\":\"n\"," \
                     "\"pool\":{\"name\":\"p\",\"generation\":1,\"resourceSliceCount\":1},\"devices\":["
#define REVIEW_BEGINS(operation) "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\",\"kind\":{\"group\":\"resource.k8s.io\"," \
                                 "\"version\":\"v1\",\"kind\":\"ResourceSlice\"},\"operation\":\"" operation "\",\"object\":"
#define NEGATIVE "," FROM("-1")

/* What denies is found behind any number of other findings, kept or not. */
static void test_denial_behind_many(void **state)
{
    (void)state;
    char *body = repeated(REVIEW_BEGINS("CREATE") SLICE_BEGINS, CROWD, 110, NEGATIVE "]}}}}");
    struct review review = validate_with("policies: [{rules: [range], mode: enforce}]", body);
    assert_int_equal(review.outcome, REVIEW_DENIED);
    assert_int_equal(review.actions[ACTION_DENY], 1);
    assert_true(review.findings.warnings > LIMIT_FINDINGS);
    review = validate_with("policies: [{rules: [max-bytes], mode: enforce}, {mode: warn}]", body);
    assert_int_equal(review.outcome, REVIEW_ALLOWED);
    assert_int_equal(review.answer_count, LIMIT_FINDINGS);
    assert_int_equal(review.actions[ACTION_WARN], review.findings.warnings);
    review = validate_with("policies: [{mode: audit}]", body);
    assert_int_equal(review.outcome, REVIEW_ALLOWED);
    assert_int_equal(review.actions[ACTION_AUDIT], review.findings.warnings);
    assert_int_equal(review.actions[ACTION_WARN], 0);
    free(body);
}

/* Where not all findings of the old object are known, none of the new one denies. */
static void test_old_with_many(void **state)
{
    (void)state;
    char *old = repeated(SLICE_BEGINS, CROWD, 110, "]}}"), *body = NULL, *begin = repeated(SLICE_BEGINS, CROWD, 2, NEGATIVE "]}}");
    assert_true(asprintf(&body, "%s%s,\"oldObject\":%s}}", REVIEW_BEGINS("UPDATE"), begin, old) > 0);
    struct review review = validate_with("policies: [{rules: [range], mode: enforce}]", body);
    assert_int_equal(review.outcome, REVIEW_DENIED); /* of that rule, all are known */
    review = validate_with("policies: [{rules: ['*'], mode: enforce}]", body);
    assert_int_equal(review.outcome, REVIEW_ALLOWED);
    assert_int_equal(review.demoted[DEMOTED_BY_RATCHET], 21);
    free(body);
    free(begin);
    free(old);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases), cmocka_unit_test(test_denial_behind_many), cmocka_unit_test(test_old_with_many) };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, start_workspace, stop_workspace);
}
