/* What drawbridge.h says of arguments: NULL for each of them, options of other versions, texts without data, allocators. */
#include "drawbridge.h"
#include "unit.h"

#include <pthread.h>

static const char good[] =
    "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: disk.csi.acme.dev}\nspec: {attachRequired: true}\n";
static const struct drawbridge_text text = { good, sizeof good - 1 };

/* No report, set or context: an out-parameter that must stay as it is. */
static char nothing;
#define UNTOUCHED ((void *)&nothing)

static struct drawbridge_context *new_context(void)
{
    struct drawbridge_context *context = NULL;
    assert_int_equal(drawbridge_context_new(NULL, &context), DRAWBRIDGE_OK);
    return context;
}

static struct drawbridge_set *new_set(const struct drawbridge_context *context)
{
    struct drawbridge_set *set = NULL;
    assert_int_equal(drawbridge_set_new(context, NULL, &set), DRAWBRIDGE_OK);
    return set;
}

static int count_rule(const struct drawbridge_rule *rule, void *data)
{
    *(size_t *)data += rule != NULL;
    return 0;
}

static int count_kind(const struct drawbridge_kind *kind, void *data)
{
    *(size_t *)data += kind != NULL;
    return 0;
}

static int count_constraint(const struct drawbridge_constraint *constraint, void *data)
{
    *(size_t *)data += constraint != NULL;
    return 0;
}

/* ---- NULL ---- */

static void test_null_of_contexts(void **state)
{
    struct counted_memory memory;
    struct drawbridge_context *context = UNTOUCHED;
    const struct drawbridge_allocator no_allocate = { NULL, counted_release, &memory }, no_release = { counted_allocate, NULL, &memory };
    (void)state;
    counted_init(&memory, 0);
    EXPECT(drawbridge_context_new(NULL, NULL) == DRAWBRIDGE_BAD_ARGUMENT, "context");
    EXPECT(drawbridge_context_new(&no_allocate, &context) == DRAWBRIDGE_BAD_ARGUMENT, "allocate");
    EXPECT(drawbridge_context_new(&no_release, &context) == DRAWBRIDGE_BAD_ARGUMENT, "release");
    EXPECT(context == UNTOUCHED && memory.calls == 0, "nothing happens");
    drawbridge_context_free(NULL);
    assert_rows();
}

static void test_null_of_validate(void **state)
{
    const struct drawbridge_text no_data = { NULL, 1 }, empty = { NULL, 0 };
    struct drawbridge_context *context = new_context();
    struct drawbridge_report *report = UNTOUCHED;
    (void)state;
    EXPECT(drawbridge_validate(NULL, NULL, &text, NULL, &report) == DRAWBRIDGE_BAD_ARGUMENT, "context");
    EXPECT(drawbridge_validate(context, NULL, NULL, NULL, &report) == DRAWBRIDGE_BAD_ARGUMENT, "text");
    EXPECT(drawbridge_validate(context, NULL, &text, NULL, NULL) == DRAWBRIDGE_BAD_ARGUMENT, "report");
    EXPECT(drawbridge_validate(context, NULL, &no_data, NULL, &report) == DRAWBRIDGE_BAD_ARGUMENT, "a text without data");
    EXPECT(drawbridge_validate(context, NULL, &text, &no_data, &report) == DRAWBRIDGE_BAD_ARGUMENT, "an older one");
    EXPECT(report == UNTOUCHED, "nothing is set");
    EXPECT(drawbridge_validate(context, NULL, &empty, &empty, &report) == DRAWBRIDGE_OK, "empty texts");
    EXPECT(drawbridge_report_validated(report) + drawbridge_report_count(report) == 0, "nothing in them");
    drawbridge_report_free(report);
    EXPECT(drawbridge_validate(context, NULL, &text, &empty, &report) == DRAWBRIDGE_OK && drawbridge_report_updates(report) == 0,
           "no older object");
    drawbridge_report_free(report);
    drawbridge_context_free(context);
    assert_rows();
}

static void test_null_of_sets(void **state)
{
    const struct drawbridge_text no_data = { NULL, 1 };
    struct drawbridge_context *context = new_context();
    struct drawbridge_set *set = UNTOUCHED;
    struct drawbridge_report *report = UNTOUCHED;
    (void)state;
    EXPECT(drawbridge_set_new(NULL, NULL, &set) == DRAWBRIDGE_BAD_ARGUMENT && set == UNTOUCHED, "context");
    EXPECT(drawbridge_set_new(context, NULL, NULL) == DRAWBRIDGE_BAD_ARGUMENT, "set");
    set = new_set(context);
    EXPECT(drawbridge_set_add(NULL, "a", &text) == DRAWBRIDGE_BAD_ARGUMENT, "set");
    EXPECT(drawbridge_set_add_old(NULL, "a", &text) == DRAWBRIDGE_BAD_ARGUMENT, "set");
    EXPECT(drawbridge_set_add(set, "a", NULL) == DRAWBRIDGE_BAD_ARGUMENT, "text");
    EXPECT(drawbridge_set_add_old(set, "a", NULL) == DRAWBRIDGE_BAD_ARGUMENT, "text");
    EXPECT(drawbridge_set_add(set, "a", &no_data) == DRAWBRIDGE_BAD_ARGUMENT, "data");
    EXPECT(drawbridge_set_add_old(set, "a", &no_data) == DRAWBRIDGE_BAD_ARGUMENT, "data");
    EXPECT(drawbridge_set_validate(NULL, &report) == DRAWBRIDGE_BAD_ARGUMENT && report == UNTOUCHED, "set");
    EXPECT(drawbridge_set_validate(set, NULL) == DRAWBRIDGE_BAD_ARGUMENT, "report");
    EXPECT(drawbridge_set_validate(set, &report) == DRAWBRIDGE_OK && drawbridge_report_validated(report) == 0, "the set is as it was");
    drawbridge_report_free(report);
    drawbridge_set_free(set);
    drawbridge_set_free(NULL);
    drawbridge_context_free(context);
    assert_rows();
}

static void test_null_of_drivers(void **state)
{
    const struct drawbridge_text no_data = { NULL, 1 };
    struct drawbridge_context *context = new_context();
    struct drawbridge_drivers *drivers = UNTOUCHED;
    (void)state;
    EXPECT(drawbridge_drivers_new(NULL, &text, &drivers) == DRAWBRIDGE_BAD_ARGUMENT, "context");
    EXPECT(drawbridge_drivers_new(context, NULL, &drivers) == DRAWBRIDGE_BAD_ARGUMENT, "text");
    EXPECT(drawbridge_drivers_new(context, &no_data, &drivers) == DRAWBRIDGE_BAD_ARGUMENT, "data");
    EXPECT(drawbridge_drivers_new(context, &text, NULL) == DRAWBRIDGE_BAD_ARGUMENT, "drivers");
    EXPECT(drivers == UNTOUCHED && !drawbridge_drivers_error(NULL), "nothing is set");
    drawbridge_drivers_free(NULL);
    drawbridge_context_free(context);
    assert_rows();
}

/* A text without a name is one with the name "". Reports outlive set and context. */
static void test_no_name(void **state)
{
    static const char broken[] = "a: [";
    const struct drawbridge_text bad = { broken, sizeof broken - 1 };
    struct drawbridge_context *context = new_context();
    struct drawbridge_set *set = new_set(context);
    struct drawbridge_report *report = NULL;
    (void)state;
    assert_int_equal(drawbridge_set_add(set, NULL, &bad), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_set_validate(set, &report), DRAWBRIDGE_OK);
    drawbridge_set_free(set);
    drawbridge_context_free(context);
    assert_string_equal(drawbridge_report_finding(report, 0)->source, "");
    drawbridge_report_free(report);
}

static void test_null_of_reports(void **state)
{
    (void)state;
    EXPECT(drawbridge_report_count(NULL) == 0 && !drawbridge_report_finding(NULL, 0), "findings");
    EXPECT(drawbridge_report_errors(NULL) + drawbridge_report_warnings(NULL) + drawbridge_report_infos(NULL) == 0, "severities");
    EXPECT(drawbridge_report_validated(NULL) + drawbridge_report_skipped(NULL) == 0, "objects");
    EXPECT(drawbridge_report_updates(NULL) + drawbridge_report_no_objects(NULL) == 0, "updates, documents");
    drawbridge_report_free(NULL);
    assert_rows();
}

static void test_null_of_tables(void **state)
{
    struct drawbridge_context *context = new_context();
    const struct drawbridge_kind unnamed = { .group = NULL }, unknown = { .group = "storage.k8s.io", .version = "v9", .kind = "CSIDriver" };
    const struct drawbridge_kind no_role = { .version = "v1", .kind = "Node", .role = "recycler-pod-template" }, no_rules = { .version = "v1", .kind = "Namespace" };
    const struct drawbridge_kind role = { .version = "v1", .kind = "Pod", .role = "recycler-pod-template" };
    size_t count = 0;
    (void)state;
    EXPECT(drawbridge_rules_each(NULL, &count) == DRAWBRIDGE_BAD_ARGUMENT, "visit");
    EXPECT(drawbridge_kinds_each(NULL, &count) == DRAWBRIDGE_BAD_ARGUMENT, "visit");
    EXPECT(drawbridge_constraints_each(context, NULL, NULL, &count) == DRAWBRIDGE_BAD_ARGUMENT, "visit");
    EXPECT(drawbridge_constraints_each(NULL, NULL, count_constraint, &count) == DRAWBRIDGE_BAD_ARGUMENT, "context");
    EXPECT(drawbridge_constraints_each(context, &unnamed, count_constraint, &count) == DRAWBRIDGE_BAD_ARGUMENT, "a kind without names");
    EXPECT(drawbridge_constraints_each(context, &unknown, count_constraint, &count) == DRAWBRIDGE_BAD_ARGUMENT, "no such kind");
    EXPECT(drawbridge_constraints_each(context, &no_role, count_constraint, &count) == DRAWBRIDGE_BAD_ARGUMENT, "a kind without that role");
    EXPECT(drawbridge_constraints_each(context, &no_rules, count_constraint, &count) == DRAWBRIDGE_OK, "a kind without rules");
    EXPECT(count == 0, "no visit");
    EXPECT(drawbridge_constraints_each(context, &role, count_constraint, &count) == DRAWBRIDGE_OK && count > 10, "NULL is \"\"");
    drawbridge_context_free(context);
    assert_rows();
}

/* ---- options ---- */

/* Options as a later version may have them. */
struct later_options {
    struct drawbridge_options options;
    char more[4096];
};

static enum drawbridge_result with(const struct drawbridge_context *context, const struct drawbridge_options *options)
{
    struct drawbridge_report *report = UNTOUCHED;
    struct drawbridge_set *set = UNTOUCHED;
    enum drawbridge_result result = drawbridge_validate(context, options, &text, NULL, &report);
    EXPECT(result == DRAWBRIDGE_OK || report == UNTOUCHED, "nothing is set");
    EXPECT(drawbridge_set_new(context, options, &set) == result && (result == DRAWBRIDGE_OK || set == UNTOUCHED), "the same for sets");
    if (result == DRAWBRIDGE_OK) {
        drawbridge_report_free(report);
        drawbridge_set_free(set);
    }
    return result;
}

/* A caller with an older header has fewer members, one with a newer header more; what is not known here must be zero. */
static void test_sizes_of_options(void **state)
{
    static const size_t first = offsetof(struct drawbridge_options, as_status) + sizeof(int);
    struct drawbridge_context *context = new_context();
    struct later_options later = { .options.validate_as = "no such role" };
    (void)state;
    for (later.options.size = 0; later.options.size < first; later.options.size++)
        EXPECT(with(context, &later.options) == DRAWBRIDGE_BAD_OPTION, "%zu", later.options.size);
    for (; later.options.size < sizeof later.options; later.options.size++)
        EXPECT(with(context, &later.options) == (later.options.size < first + sizeof(char *) ? DRAWBRIDGE_OK : DRAWBRIDGE_BAD_OPTION),
               "%zu", later.options.size);
    later.options.validate_as = NULL;
    for (; later.options.size <= 4096; later.options.size += 61)
        EXPECT(with(context, &later.options) == DRAWBRIDGE_OK, "%zu", later.options.size);
    later.options.size = 4097;
    EXPECT(with(context, &later.options) == DRAWBRIDGE_BAD_OPTION, "no version has so many");
    later.options.size = sizeof later.options + 3;
    later.more[2] = 1;
    EXPECT(with(context, &later.options) == DRAWBRIDGE_BAD_OPTION, "a member that is not known");
    later.options.size--;
    EXPECT(with(context, &later.options) == DRAWBRIDGE_OK, "behind the size");
    drawbridge_context_free(context);
    assert_rows();
}

/* Zero is the default of every option. */
static void test_defaults(void **state)
{
    static const char unknown[] =
        "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a.b}\nspec: {nodeAllocatableUpdatePeriodSeconds: 1, x: 1}\n";
    const struct drawbridge_options zero = { .size = sizeof zero }, *const both[] = { NULL, &zero };
    const struct drawbridge_text bytes = { unknown, sizeof unknown - 1 };
    struct drawbridge_context *context = new_context();
    (void)state;
    for (size_t i = 0; i < COUNT(both); i++) {
        struct drawbridge_report *report = NULL;
        assert_int_equal(drawbridge_validate(context, both[i], &bytes, NULL, &report), DRAWBRIDGE_OK);
        EXPECT(drawbridge_report_errors(report) == 2 && drawbridge_report_count(report) == 2, "row %zu", i);
        drawbridge_report_free(report);
    }
    drawbridge_context_free(context);
    assert_rows();
}

/* ---- memory and threads ---- */

static void test_allocator_is_copied(void **state)
{
    struct counted_memory memory;
    struct drawbridge_allocator allocator = { counted_allocate, counted_release, &memory };
    struct drawbridge_context *context = NULL;
    struct drawbridge_report *report = NULL;
    size_t constraints = 0;
    (void)state;
    counted_init(&memory, 0);
    assert_int_equal(drawbridge_context_new(&allocator, &context), DRAWBRIDGE_OK);
    allocator = (struct drawbridge_allocator){ NULL, NULL, NULL };
    assert_int_equal(drawbridge_validate(context, NULL, &text, NULL, &report), DRAWBRIDGE_OK);
    size_t live = memory.live, calls = memory.calls;
    assert_int_equal(drawbridge_constraints_each(context, NULL, count_constraint, &constraints), DRAWBRIDGE_OK);
    EXPECT(memory.calls > calls && memory.live == live, "constraints take memory from the context, and give it back");
    drawbridge_context_free(context);
    EXPECT(memory.live > 0, "the report is still there");
    drawbridge_report_free(report);
    EXPECT(memory.live == 0, "nothing is left");
    assert_rows();
}

struct shared {
    const struct drawbridge_context *context;
    const struct drawbridge_report *report;
    size_t rules, kinds, constraints;
};

static void *read_all(void *data)
{
    const struct shared *shared = data;
    size_t rules = 0, kinds = 0, constraints = 0;
    bool good_results = drawbridge_rules_each(count_rule, &rules) == DRAWBRIDGE_OK &&
                        drawbridge_kinds_each(count_kind, &kinds) == DRAWBRIDGE_OK &&
                        drawbridge_constraints_each(shared->context, NULL, count_constraint, &constraints) == DRAWBRIDGE_OK;
    bool same = rules == shared->rules && kinds == shared->kinds && constraints == shared->constraints;
    same = same && strcmp(drawbridge_report_finding(shared->report, 0)->rule, "yaml-syntax") == 0;
    return good_results && same ? NULL : data;
}

/* One context and one report, read by several threads at the same time. */
static void test_threads(void **state)
{
    static const char broken[] = "a: [";
    const struct drawbridge_text bad = { broken, sizeof broken - 1 };
    struct drawbridge_context *context = new_context();
    struct drawbridge_report *report = NULL;
    pthread_t threads[4];
    (void)state;
    assert_int_equal(drawbridge_validate(context, NULL, &bad, NULL, &report), DRAWBRIDGE_OK);
    struct shared shared = { .context = context, .report = report };
    assert_int_equal(drawbridge_rules_each(count_rule, &shared.rules), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_kinds_each(count_kind, &shared.kinds), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_constraints_each(context, NULL, count_constraint, &shared.constraints), DRAWBRIDGE_OK);
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_all, &shared), 0);
    for (size_t i = 0; i < COUNT(threads); i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        EXPECT(!wrong, "thread %zu", i);
    }
    drawbridge_report_free(report);
    drawbridge_context_free(context);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_of_contexts), cmocka_unit_test(test_null_of_validate), cmocka_unit_test(test_null_of_drivers), cmocka_unit_test(test_null_of_sets),
        cmocka_unit_test(test_no_name),          cmocka_unit_test(test_null_of_reports),  cmocka_unit_test(test_null_of_tables),
        cmocka_unit_test(test_sizes_of_options), cmocka_unit_test(test_defaults),         cmocka_unit_test(test_allocator_is_copied),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests_name("library arguments", tests, NULL, NULL);
}
