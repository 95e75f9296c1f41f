/* The public functions of libdrawbridge, as drawbridge.h promises them. */
#include "drawbridge.h"
#include "unit.h"

#include <pthread.h>

#define DRIVER "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: disk.csi.acme.dev}\n"

static const char good[] = DRIVER "spec: {attachRequired: true}\n";
static const char bad[] = DRIVER "spec:\n  attachRequired: false\n  fsGroupPolicy: file\n  tokens: []\n---\nkind: ConfigMap\napiVersion: v1\n---\na: [\n";

/* A text with NUL at its end, and one of so many bytes, as arguments. */
#define TEXT_OF(text) TEXT_BYTES(text, strlen(text))
#define TEXT_BYTES(data, length) (&(const struct drawbridge_text){ data, length })

static struct drawbridge_context *new_context(void)
{
    struct drawbridge_context *context = NULL;
    assert_int_equal(drawbridge_context_new(NULL, &context), DRAWBRIDGE_OK);
    return context;
}

static struct drawbridge_report *validate(const struct drawbridge_context *context, const struct drawbridge_options *options, const char *text, const char *old)
{
    struct drawbridge_report *report = NULL;
    assert_int_equal(drawbridge_validate(context, options, TEXT_OF(text), old ? TEXT_OF(old) : NULL, &report), DRAWBRIDGE_OK);
    return report;
}

static void test_nothing_wrong(void **state)
{
    struct drawbridge_context *context = new_context();
    struct drawbridge_report *report = validate(context, NULL, good, NULL);
    (void)state;
    assert_int_equal(drawbridge_report_count(report), 0);
    assert_int_equal(drawbridge_report_errors(report) + drawbridge_report_warnings(report) + drawbridge_report_skipped(report), 0);
    assert_int_equal(drawbridge_report_validated(report), 1);
    assert_null(drawbridge_report_finding(report, 0));
    drawbridge_context_free(context);
    drawbridge_report_free(report); /* may outlive its context */
    drawbridge_report_free(NULL);
    drawbridge_context_free(NULL);
}

static void test_findings(void **state)
{
    struct drawbridge_context *context = new_context();
    char *text = strdup(bad);
    struct drawbridge_report *report = validate(context, NULL, text, NULL);
    (void)state;
    memset(text, '#', strlen(text)); /* texts are not needed any more */
    free(text);
    assert_int_equal(drawbridge_report_count(report), 3);
    assert_int_equal(drawbridge_report_errors(report), 3);
    assert_int_equal(drawbridge_report_validated(report), 1);
    assert_int_equal(drawbridge_report_skipped(report), 1);
    const struct drawbridge_finding *finding = drawbridge_report_finding(report, 0);
    assert_string_equal(finding->rule, "enum");
    assert_string_equal(finding->reason, "FieldValueNotSupported");
    assert_string_equal(finding->path, "spec.fsGroupPolicy");
    assert_string_equal(finding->hint, "did you mean \"File\"?");
    assert_int_equal(finding->line, 6);
    assert_int_equal(finding->column, 18);
    assert_memory_equal(bad + finding->offset, "file", finding->size);
    assert_string_equal(finding->group, "storage.k8s.io");
    assert_string_equal(finding->version, "v1");
    assert_string_equal(finding->kind, "CSIDriver");
    assert_string_equal(finding->object_name, "disk.csi.acme.dev");
    assert_string_equal(finding->object_namespace, "");
    assert_string_equal(drawbridge_report_finding(report, 1)->rule, "unknown-field");
    assert_string_equal(drawbridge_report_finding(report, 2)->rule, "yaml-syntax");
    assert_null(drawbridge_report_finding(report, 3));
    drawbridge_report_free(report);
    drawbridge_context_free(context);
}

static void test_range_of_versions(void **state)
{
    static const char claim[] = "apiVersion: resource.k8s.io/v1beta2\nkind: ResourceClaim\nmetadata: {name: a}\n"
                                "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: C}}]}}\n";
    struct drawbridge_options options = { 0 };
    struct drawbridge_context *context = new_context();
    struct drawbridge_report *report;
    struct drawbridge_set *set;
    struct drawbridge_devices *devices;
    struct drawbridge_match *match;
    (void)state;
    options.size = sizeof options;
    options.kubernetes_version = "1.34..1.37";
    report = validate(context, &options, claim, NULL);
    assert_int_equal(drawbridge_report_count(report), 2);
    const struct drawbridge_finding *finding = drawbridge_report_finding(report, 0);
    assert_string_equal(finding->rule, "deprecated");
    assert_string_equal(finding->kubernetes_versions[0], "1.36");
    assert_string_equal(finding->kubernetes_versions[1], "1.37");
    assert_null(finding->kubernetes_versions[2]);
    assert_null(drawbridge_report_finding(report, 1)->kubernetes_versions); /* in all */
    assert_int_equal(drawbridge_report_errors(report) + drawbridge_report_warnings(report), 2);
    assert_int_equal(drawbridge_report_validated(report), 1);
    drawbridge_report_free(report);

    assert_int_equal(drawbridge_set_new(context, &options, &set), DRAWBRIDGE_OK);
    for (int round = 1; round <= 2; round++) { /* a set may be validated again, with more in it */
        assert_int_equal(drawbridge_set_add(set, "a", TEXT_OF(claim)), DRAWBRIDGE_OK);
        assert_int_equal(drawbridge_set_validate(set, &report), DRAWBRIDGE_OK);
        assert_int_equal(drawbridge_report_count(report), 2 * round);
        drawbridge_report_free(report);
    }
    assert_int_equal(drawbridge_set_devices(set, &devices), DRAWBRIDGE_BAD_VERSION);
    assert_int_equal(drawbridge_set_match(set, NULL, &match), DRAWBRIDGE_BAD_VERSION);
    drawbridge_set_free(set);
    drawbridge_context_free(context);
}

static void test_updates(void **state)
{
    struct drawbridge_context *context = new_context();
    struct drawbridge_report *report = validate(context, NULL, good, bad);
    (void)state;
    assert_int_equal(drawbridge_report_count(report), 3); /* the last one: a text that cannot be read beside the older object */
    assert_int_equal(drawbridge_report_infos(report), 1); /* fsGroupPolicy, too */
    assert_int_equal(drawbridge_report_updates(report), 1);
    assert_int_equal(drawbridge_report_no_objects(report), 0);
    assert_string_equal(drawbridge_report_finding(report, 0)->rule, "immutable");
    assert_false(drawbridge_report_finding(report, 0)->in_old);
    drawbridge_report_free(report);
    report = validate(context, NULL, good, DRIVER "# a long line before\nspec: {attachRequired: 1}\n");
    assert_int_equal(drawbridge_report_count(report), 1);
    assert_true(drawbridge_report_finding(report, 0)->in_old);
    assert_int_equal(drawbridge_report_finding(report, 0)->line, 5);
    drawbridge_report_free(report);

    /* each object is read as its own API version has it */
#define CLAIM(version, request) "apiVersion: resource.k8s.io/" version "\nkind: ResourceClaim\nmetadata: {name: a}\n" \
                                "spec: {devices: {requests: [{name: r, " request "}]}}\n"
    report = validate(context, NULL, CLAIM("v1", "exactly: {deviceClassName: c}"), CLAIM("v1beta1", "deviceClassName: c"));
    assert_int_equal(drawbridge_report_updates(report), 1);
    assert_int_equal(drawbridge_report_count(report), 0);
    drawbridge_report_free(report);
    report = validate(context, NULL, CLAIM("v1beta2", "exactly: {deviceClassName: d}"), CLAIM("v1beta1", "deviceClassName: c"));
    assert_int_equal(drawbridge_report_errors(report), 1);
    assert_string_equal(drawbridge_report_finding(report, 0)->rule, "deprecated");
    assert_string_equal(drawbridge_report_finding(report, 1)->rule, "immutable");
    drawbridge_report_free(report);

    /* what is kept from the older object has its place there */
    static const char attachment[] = "apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata: {name: a}\n"
                                     "spec: {attacher: a.b, nodeName: node-1, source: {persistentVolumeName: pv}}\n";
    char old[4096];
    int length = snprintf(old, sizeof old, "%s# %03000d\nstatus: {attached: false, attachError: {errorCode: -1}}\n", attachment, 0);
    report = validate(context, NULL, attachment, old);
    assert_int_equal(drawbridge_report_count(report), 1);
    const struct drawbridge_finding *finding = drawbridge_report_finding(report, 0);
    assert_true(finding->in_old && finding->offset < (size_t)length);
    assert_memory_equal(old + finding->offset, "-1", 2);
    assert_int_equal(finding->line, 6);
    drawbridge_report_free(report);
    drawbridge_context_free(context);
}

static void test_options(void **state)
{
    static const char text[] = DRIVER "spec: {nodeAllocatableUpdatePeriodSeconds: 1, x: 1}\n";
    static const struct {
        const char *version;
        enum drawbridge_unknown_fields unknown;
        size_t errors, warnings;
    } rows[] = {
        { NULL, DRAWBRIDGE_UNKNOWN_ERROR, 2, 0 },   { "1.35", DRAWBRIDGE_UNKNOWN_WARNING, 1, 1 }, { "v1.36.1", DRAWBRIDGE_UNKNOWN_IGNORE, 1, 0 },
        { "1.32", DRAWBRIDGE_UNKNOWN_IGNORE, 0, 0 }, { "1.32", DRAWBRIDGE_UNKNOWN_ERROR, 2, 0 },
    };
    struct drawbridge_context *context = new_context();
    struct drawbridge_report *report;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct drawbridge_options options = { sizeof options, rows[i].version, rows[i].unknown, 0, NULL, NULL, NULL, 0 };
        report = validate(context, &options, text, NULL);
        EXPECT(drawbridge_report_errors(report) == rows[i].errors && drawbridge_report_warnings(report) == rows[i].warnings, "row %zu: %zu, %zu", i,
               drawbridge_report_errors(report), drawbridge_report_warnings(report));
        drawbridge_report_free(report);
    }
    static const char *const versions[] = { "", "1.30", "1.99", "2.35", "1.35x", "x" };
    report = NULL;
    for (size_t i = 0; i < COUNT(versions); i++) {
        const struct drawbridge_options options = { .size = sizeof options, .kubernetes_version = versions[i] };
        EXPECT(drawbridge_validate(context, &options, TEXT_BYTES(text, 1), NULL, &report) == DRAWBRIDGE_BAD_VERSION, "%s", versions[i]);
    }
    const struct drawbridge_options small = { .size = 1 }, wrong = { .size = sizeof wrong, .unknown_fields = (enum drawbridge_unknown_fields)3 }, negative = { .size = sizeof negative, .unknown_fields = (enum drawbridge_unknown_fields)-1 };
    EXPECT(drawbridge_validate(context, &small, TEXT_BYTES(text, 1), NULL, &report) == DRAWBRIDGE_BAD_OPTION, "size");
    EXPECT(drawbridge_validate(context, &wrong, TEXT_BYTES(text, 1), NULL, &report) == DRAWBRIDGE_BAD_OPTION, "unknown_fields");
    EXPECT(drawbridge_validate(context, &negative, TEXT_BYTES(text, 1), NULL, &report) == DRAWBRIDGE_BAD_OPTION, "unknown_fields");
    assert_null(report);
    assert_rows();
    drawbridge_context_free(context);
}

/* Only those who ask for it have comments and annotations hide findings. */
static void test_suppressions(void **state)
{
    static const char comment[] = DRIVER "spec: {fsGroupPolicy: Files} # drawbridge: ignore[enum] because\n";
    static const char annotation[] =
        "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a.b, annotations: {drawbridge.dev/ignore: 'enum,type'}}\n"
        "spec: {fsGroupPolicy: Files}\n";
    static const struct {
        const char *text;
        int suppressions;
        size_t errors, warnings;
    } rows[] = { { comment, 0, 1, 0 }, { comment, 1, 0, 0 }, { annotation, 0, 1, 0 }, { annotation, 1, 0, 1 } };
    struct drawbridge_context *context = new_context();
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct drawbridge_options options = { .size = sizeof options, .suppressions = rows[i].suppressions };
        struct drawbridge_report *report = validate(context, &options, rows[i].text, NULL);
        EXPECT(drawbridge_report_errors(report) == rows[i].errors && drawbridge_report_warnings(report) == rows[i].warnings, "row %zu: %zu, %zu", i,
               drawbridge_report_errors(report), drawbridge_report_warnings(report));
        EXPECT(!rows[i].warnings || strcmp(drawbridge_report_finding(report, 0)->rule, "unused-suppression") == 0, "row %zu", i);
        drawbridge_report_free(report);
        struct drawbridge_set *set;
        assert_int_equal(drawbridge_set_new(context, &options, &set), DRAWBRIDGE_OK);
        assert_int_equal(drawbridge_set_add(set, "a", TEXT_BYTES(rows[i].text, strlen(rows[i].text))), DRAWBRIDGE_OK);
        assert_int_equal(drawbridge_set_validate(set, &report), DRAWBRIDGE_OK);
        EXPECT(drawbridge_report_errors(report) == rows[i].errors, "row %zu, in a set", i);
        drawbridge_report_free(report);
        drawbridge_set_free(set);
    }
    assert_rows();
    drawbridge_context_free(context);
}

/* A program that was built when the structure ended earlier has none of the later members. */
static void test_validate_as(void **state)
{
    static const char text[] = "apiVersion: v1\nkind: Pod\nspec: {containers: []}\n";
    const struct drawbridge_options as = { .size = sizeof as, .validate_as = "recycler-pod-template" }, none = { .size = sizeof none };
    const struct drawbridge_options wrong = { .size = sizeof wrong, .validate_as = "Pod" }, empty = { .size = sizeof empty, .validate_as = "" };
    const struct drawbridge_options early = { .size = offsetof(struct drawbridge_options, validate_as), .validate_as = "not looked at" };
    struct drawbridge_context *context = new_context();
    struct drawbridge_report *report = validate(context, &as, text, NULL);
    (void)state;
    EXPECT(drawbridge_report_validated(report) == 1 && drawbridge_report_errors(report) == 1 && drawbridge_report_warnings(report) == 2, "as a role");
    drawbridge_report_free(report);
    const struct drawbridge_options *const others[] = { &none, &early, NULL };
    for (size_t i = 0; i < COUNT(others); i++) {
        report = validate(context, others[i], text, NULL);
        EXPECT(drawbridge_report_validated(report) == 1 && drawbridge_report_count(report) == 0, "row %zu: a Pod without a role", i);
        drawbridge_report_free(report);
    }
    report = NULL;
    EXPECT(drawbridge_validate(context, &wrong, TEXT_BYTES(text, 1), NULL, &report) == DRAWBRIDGE_BAD_OPTION, "validate_as");
    EXPECT(drawbridge_validate(context, &empty, TEXT_BYTES(text, 1), NULL, &report) == DRAWBRIDGE_BAD_OPTION, "validate_as");
    assert_null(report);
    assert_rows();
    drawbridge_context_free(context);
}

static void test_sizes(void **state)
{
    struct drawbridge_context *context = new_context();
    struct drawbridge_report *report = NULL;
    char *text = calloc(1, DRAWBRIDGE_MAX_BYTES + 1); /* pages that are only read take no memory */
    (void)state;
    assert_non_null(text);
    assert_int_equal(drawbridge_validate(context, NULL, TEXT_BYTES(text, DRAWBRIDGE_MAX_BYTES), NULL, &report), DRAWBRIDGE_OK);
    assert_string_equal(drawbridge_report_finding(report, 0)->rule, "yaml-syntax");
    drawbridge_report_free(report);
    report = NULL;
    assert_int_equal(drawbridge_validate(context, NULL, TEXT_BYTES(text, DRAWBRIDGE_MAX_BYTES + 1), NULL, &report), DRAWBRIDGE_LIMIT);
    assert_int_equal(drawbridge_validate(context, NULL, TEXT_OF(good), TEXT_BYTES(text, DRAWBRIDGE_MAX_BYTES + 1), &report), DRAWBRIDGE_LIMIT);
    assert_null(report);
    free(text);
    assert_int_equal(drawbridge_validate(context, NULL, TEXT_BYTES(NULL, 0), NULL, &report), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_report_validated(report), 0);
    drawbridge_report_free(report);
    drawbridge_context_free(context);
}

static void *many_times(void *data)
{
    const struct drawbridge_context *context = data;
    for (int i = 0; i < 50; i++) {
        struct drawbridge_report *report = NULL;
        if (drawbridge_validate(context, NULL, TEXT_OF(i & 1 ? good : bad), i & 2 ? TEXT_OF(bad) : NULL, &report) != DRAWBRIDGE_OK)
            return data;
        size_t expected = (i & 1 ? i & 2 ? 2U : 0U : 3U) + (i & 2 ? 1U : 0U);
        bool right = drawbridge_report_count(report) == expected;
        drawbridge_report_free(report);
        if (!right)
            return data;
    }
    return NULL;
}

static void test_threads(void **state)
{
    pthread_t threads[8];
    struct drawbridge_context *context = new_context();
    (void)state;
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, many_times, context), 0);
    for (size_t i = 0; i < COUNT(threads); i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    drawbridge_context_free(context);
}

/* The whole life with an allocator whose n-th call fails, for every n: a result that says so, nothing leaked, no finding lost. */
/* ---- parameters of drivers ---- */

static const char driver_file[] =
    "apiVersion: drawbridge.dev/v1alpha1\nkind: Driver\nname: disk.csi.acme.dev\nsource: its manual\n"
    "parameters: [{of: StorageClass, rows: [{name: type, enum: [fast]}]}]\n";
static const char class_of_driver[] =
    "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\nprovisioner: disk.csi.acme.dev\nparameters: {type: slow}\n";

static void test_drivers(void **state)
{
    struct drawbridge_context *context = new_context();
    struct drawbridge_drivers *drivers = NULL, *wrong = NULL;
    (void)state;
    assert_int_equal(drawbridge_drivers_new(context, TEXT_OF(driver_file), &drivers), DRAWBRIDGE_OK);
    assert_null(drawbridge_drivers_error(drivers));
    const struct drawbridge_options options = { .size = sizeof options, .drivers = drivers };
    const struct drawbridge_options early = { .size = offsetof(struct drawbridge_options, drivers), .drivers = drivers };
    struct drawbridge_report *report = validate(context, &options, class_of_driver, NULL);
    assert_int_equal(drawbridge_report_count(report), 1);
    assert_string_equal(drawbridge_report_finding(report, 0)->path, "parameters[type]");
    drawbridge_report_free(report);
    report = validate(context, &early, class_of_driver, NULL);
    assert_int_equal(drawbridge_report_count(report), 0);
    drawbridge_report_free(report);
    report = NULL;
    assert_int_equal(drawbridge_drivers_new(context, TEXT_OF("a: b\n"), &wrong), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_drivers_error(wrong)->line, 1);
    assert_string_equal(drawbridge_drivers_error(wrong)->source, "");
    const struct drawbridge_options refused = { .size = sizeof refused, .drivers = wrong };
    assert_int_equal(drawbridge_validate(context, &refused, TEXT_OF(class_of_driver), NULL, &report), DRAWBRIDGE_BAD_OPTION);
    assert_null(report);
    drawbridge_drivers_free(wrong);
    drawbridge_drivers_free(drivers);
    drawbridge_context_free(context);
}

static void test_drivers_every_allocation(void **state)
{
    struct counted_memory memory;
    const struct drawbridge_allocator allocator = { counted_allocate, counted_release, &memory };
    (void)state;
    for (size_t n = 1;; n++) {
        struct drawbridge_context *context = NULL;
        struct drawbridge_drivers *drivers = NULL;
        counted_init(&memory, n);
        enum drawbridge_result result = drawbridge_context_new(&allocator, &context);
        if (result == DRAWBRIDGE_OK)
            result = drawbridge_drivers_new(context, TEXT_OF(driver_file), &drivers);
        assert_true(result == DRAWBRIDGE_NO_MEMORY || (result == DRAWBRIDGE_OK && !drawbridge_drivers_error(drivers)));
        drawbridge_drivers_free(drivers);
        drawbridge_context_free(context);
        assert_int_equal(memory.live, 0);
        if (memory.calls < n) {
            assert_int_equal(result, DRAWBRIDGE_OK);
            return;
        }
    }
}

/* What cannot be read in older texts is found, in one that is as good as none, and beside objects that can be read. */
static void test_unreadable_old(void **state)
{
    static const char *const olds[] = { "a: [", "{\"a\": ", "a: b\n---\nc: [" };
    struct drawbridge_context *context = new_context();
    (void)state;
    for (size_t i = 0; i < COUNT(olds); i++) {
        struct drawbridge_report *report = validate(context, NULL, DRIVER "spec: {}\n", olds[i]);
        EXPECT(drawbridge_report_count(report) == 1 && drawbridge_report_errors(report) == 1, "%zu: %zu", i, drawbridge_report_count(report));
        EXPECT(drawbridge_report_finding(report, 0)->in_old, "%zu", i);
        drawbridge_report_free(report);
    }
    assert_rows();
    drawbridge_context_free(context);
}

static void test_every_allocation(void **state)
{
    struct counted_memory memory;
    const struct drawbridge_allocator allocator = { counted_allocate, counted_release, &memory };
    (void)state;
    for (size_t n = 1;; n++) {
        struct drawbridge_context *context = NULL;
        struct drawbridge_report *report = NULL;
        counted_init(&memory, n);
        enum drawbridge_result result = drawbridge_context_new(&allocator, &context);
        if (result == DRAWBRIDGE_OK) {
            result = drawbridge_validate(context, NULL, TEXT_OF(bad), TEXT_OF(good), &report);
            assert_true(result == DRAWBRIDGE_OK || !report);
            if (result == DRAWBRIDGE_OK)
                assert_int_equal(drawbridge_report_count(report), 5);
            drawbridge_report_free(report);
        }
        drawbridge_context_free(context);
        assert_int_equal(memory.live, 0);
        if (memory.calls < n) {
            assert_int_equal(result, DRAWBRIDGE_OK);
            assert_true(n > 10);
            return;
        }
        assert_true(result == DRAWBRIDGE_NO_MEMORY || result == DRAWBRIDGE_OK); /* a pattern may do without its machine code */
    }
}

/* ---- sets ---- */

static const char classes[] =
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu.acme.dev}\n"
    "spec: {extendedResourceName: acme.dev/gpu, selectors: [{cel: {expression: 'device.driver == \"gpu.acme.dev\"'}}]}\n---\n"
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: other.acme.dev}\n"
    "spec: {extendedResourceName: acme.dev/gpu, selectors: [{cel: {expression: 'device.driver == \"gpu.acme.dev\"'}}]}\n";
static const char slices[] =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: a}\n"
    "spec: {driver: gpu.acme.dev, nodeName: node, pool: {name: node, generation: 1, resourceSliceCount: 2}, devices: [{name: gpu-0, attributes: {model: {string: a}}}]}\n---\n"
    "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceSlice\nmetadata: {name: b}\n"
    "spec: {driver: gpu.acme.dev, nodeName: node, pool: {name: node, generation: 1, resourceSliceCount: 2}, devices: [{name: gpu-0, basic: {attributes: {model: {int: 1}}}}]}\n";
static const char claim[] =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: claim, namespace: space}\n"
    "spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.acmee.dev, count: 3, adminAccess: false,"
    " selectors: [{cel: {expression: 'device.attributes[\"gpu.acme.dev\"].size > 1'}}]}}, {name: more, exactly: {deviceClassName: gpu.acme.dev, count: 3}}],"
    " config: [{opaque: {driver: nic.acme.dev, parameters: {}}}]}}\n";

static enum drawbridge_result fill(struct drawbridge_set *set)
{
    enum drawbridge_result result = drawbridge_set_add(set, "classes", TEXT_OF(classes));
    if (!result)
        result = drawbridge_set_add(set, "slices", TEXT_OF(slices));
    return result ? result : drawbridge_set_add(set, "claim", TEXT_OF(claim));
}

static const struct drawbridge_finding *find(const struct drawbridge_report *report, const char *rule)
{
    for (size_t i = 0; i < drawbridge_report_count(report); i++)
        if (strcmp(drawbridge_report_finding(report, i)->rule, rule) == 0)
            return drawbridge_report_finding(report, i);
    return NULL;
}

static void test_set(void **state)
{
    struct drawbridge_context *context = new_context();
    struct drawbridge_set *set = NULL;
    struct drawbridge_report *report = NULL;
    (void)state;
    assert_int_equal(drawbridge_set_new(context, NULL, &set), DRAWBRIDGE_OK);
    assert_int_equal(fill(set), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_validate(set, &report), DRAWBRIDGE_OK);
    const struct drawbridge_finding *finding = find(report, "unique-across-objects");
    assert_non_null(finding);
    assert_string_equal(finding->source, "classes");
    assert_string_equal(finding->object_name, "other.acme.dev");
    assert_string_equal(finding->other->source, "classes");
    assert_string_equal(finding->other->object_name, "gpu.acme.dev");
    assert_int_equal(finding->other->line, 4);
    assert_memory_equal(classes + finding->other->offset, "acme.dev/gpu", finding->other->size);
    finding = find(report, "missing-object");
    assert_non_null(finding);
    assert_string_equal(finding->source, "claim");
    assert_string_equal(finding->hint, "did you mean \"gpu.acme.dev\"?");
    assert_null(finding->other);
    static const char *const others[] = { "consistent-type", "selector", "satisfiable" };
    for (size_t i = 0; i < COUNT(others); i++)
        EXPECT(find(report, others[i]), "%s", others[i]);
    assert_rows();
    size_t warnings = drawbridge_report_warnings(report);
    drawbridge_report_free(report);
    /* more may come, also older objects */
    assert_int_equal(drawbridge_set_add(set, "", TEXT_OF("{}")), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_add_old(set, "old", TEXT_OF(slices)), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_validate(set, &report), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_report_warnings(report), warnings);
    assert_int_equal(drawbridge_report_updates(report), 2);
    drawbridge_report_free(report);
    drawbridge_set_free(set);
    drawbridge_set_free(NULL);
    drawbridge_context_free(context);
}

/* A dump of a cluster: more values than one object may have, and more bytes than a review. */
static void test_dump(void **state)
{
    enum { OBJECTS = 3000, ATTRIBUTES = 32, BYTES = 4000 };
    struct drawbridge_context *context = new_context();
    struct drawbridge_report *report = NULL;
    char *text = malloc(OBJECTS * BYTES), *at = text;
    (void)state;
    assert_non_null(text);
    at += sprintf(at, "{\"apiVersion\":\"v1\",\"items\":[");
    for (int i = 0; i < OBJECTS; i++) {
        at += sprintf(at, "%s{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"metadata\":{\"name\":\"slice-%d\"},"
                      "\"spec\":{\"driver\":\"gpu.acme.dev\",\"nodeName\":\"node-%d\","
                      "\"pool\":{\"name\":\"node-%d\",\"generation\":1,\"resourceSliceCount\":1},\"devices\":[{\"name\":\"%s\",\"attributes\":{",
                      i ? "," : "", i, i, i, i + 1 < OBJECTS ? "gpu-0" : "GPU");
        for (int j = 0; j < ATTRIBUTES; j++)
            at += sprintf(at, "%s\"attribute_%02d\":{\"string\":\"a value of an attribute that has a length as others have\"}", j ? "," : "", j);
        at += sprintf(at, "}}]}}");
    }
    at += sprintf(at, "],\"kind\":\"List\"}");
    assert_true(at - text > 8 << 20);
    assert_int_equal(drawbridge_validate(context, NULL, TEXT_BYTES(text, (size_t)(at - text)), NULL, &report), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_report_validated(report), OBJECTS);
    assert_int_equal(drawbridge_report_errors(report), 1);
    assert_string_equal(drawbridge_report_finding(report, 0)->object_name, "slice-2999");
    assert_string_equal(drawbridge_report_finding(report, 0)->path, "spec.devices[0].name");
    drawbridge_report_free(report);
    drawbridge_context_free(context);
    free(text);
}

static void test_set_limits(void **state)
{
    struct drawbridge_context *context = new_context();
    struct drawbridge_set *set = NULL;
    struct drawbridge_report *report = NULL;
    const struct drawbridge_options bad_version = { .size = sizeof bad_version, .kubernetes_version = "1.2" };
    char *text = calloc(1, DRAWBRIDGE_MAX_BYTES + 1), name[4098];
    (void)state;
    assert_non_null(text);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(drawbridge_set_new(context, &bad_version, &set), DRAWBRIDGE_BAD_VERSION);
    assert_null(set);
    assert_int_equal(drawbridge_set_new(context, NULL, &set), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_add(set, "a", TEXT_BYTES(text, DRAWBRIDGE_MAX_BYTES + 1)), DRAWBRIDGE_LIMIT);
    assert_int_equal(drawbridge_set_add(set, name, TEXT_BYTES(text, 1)), DRAWBRIDGE_LIMIT);
    for (size_t i = 0; i < DRAWBRIDGE_MAX_SET_BYTES / DRAWBRIDGE_MAX_BYTES; i++)
        assert_int_equal(drawbridge_set_add(set, "a", TEXT_BYTES(text, DRAWBRIDGE_MAX_BYTES)), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_add(set, "a", TEXT_BYTES(text, 1)), DRAWBRIDGE_LIMIT);
    assert_int_equal(drawbridge_set_validate(set, &report), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_report_count(report), DRAWBRIDGE_MAX_SET_BYTES / DRAWBRIDGE_MAX_BYTES); /* U+0000 is none of YAML */
    drawbridge_report_free(report);
    drawbridge_set_free(set);
    drawbridge_context_free(context);
    free(text);
}

/* As test_every_allocation; the first round is without failures, and says how many findings there are. */
static void test_set_every_allocation(void **state)
{
    struct counted_memory memory;
    const struct drawbridge_allocator allocator = { counted_allocate, counted_release, &memory };
    size_t findings = 0;
    (void)state;
    for (size_t n = 0;; n++) {
        struct drawbridge_context *context = NULL;
        struct drawbridge_set *set = NULL;
        struct drawbridge_report *report = NULL;
        counted_init(&memory, n);
        enum drawbridge_result result = drawbridge_context_new(&allocator, &context);
        if (!result)
            result = drawbridge_set_new(context, NULL, &set);
        if (!result)
            result = fill(set);
        bool filled = result == DRAWBRIDGE_OK;
        if (filled)
            result = drawbridge_set_add_old(set, "old", TEXT_OF(slices));
        if (!result)
            result = drawbridge_set_validate(set, &report);
        if (filled && result) { /* the set is as it was, and can be validated after all */
            assert_null(report);
            assert_int_equal(drawbridge_set_validate(set, &report), DRAWBRIDGE_OK);
            assert_int_equal(drawbridge_report_count(report), findings);
            drawbridge_report_free(report);
            report = NULL;
        }
        if (!n)
            findings = drawbridge_report_count(report);
        assert_true(result == DRAWBRIDGE_OK || (result == DRAWBRIDGE_NO_MEMORY && !report));
        if (result == DRAWBRIDGE_OK)
            assert_int_equal(drawbridge_report_count(report), findings);
        drawbridge_report_free(report);
        drawbridge_set_free(set);
        drawbridge_context_free(context);
        assert_int_equal(memory.live, 0);
        if (n && memory.calls < n) {
            assert_true(result == DRAWBRIDGE_OK && findings > 5);
            return;
        }
    }
}

static void test_words(void **state)
{
    (void)state;
    assert_string_equal(drawbridge_version(), DRAWBRIDGE_VERSION);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", DRAWBRIDGE_VERSION_MAJOR, DRAWBRIDGE_VERSION_MINOR, DRAWBRIDGE_VERSION_PATCH);
    assert_string_equal(version, DRAWBRIDGE_VERSION);
    for (int result = DRAWBRIDGE_OK; result <= DRAWBRIDGE_BAD_ARGUMENT; result++)
        assert_string_not_equal(drawbridge_result_text((enum drawbridge_result)result), "unknown result");
    assert_string_equal(drawbridge_result_text((enum drawbridge_result)99), "unknown result");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_wrong), cmocka_unit_test(test_findings), cmocka_unit_test(test_updates),
        cmocka_unit_test(test_range_of_versions),          cmocka_unit_test(test_options),
        cmocka_unit_test(test_suppressions),
        cmocka_unit_test(test_validate_as),
        cmocka_unit_test(test_sizes),         cmocka_unit_test(test_threads),  cmocka_unit_test(test_every_allocation),
        cmocka_unit_test(test_set),           cmocka_unit_test(test_dump),     cmocka_unit_test(test_set_limits),
        cmocka_unit_test(test_set_every_allocation), cmocka_unit_test(test_words),
        cmocka_unit_test(test_drivers),       cmocka_unit_test(test_drivers_every_allocation), cmocka_unit_test(test_unreadable_old),
    };
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
