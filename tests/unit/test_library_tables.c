/* What is listed of the tables through drawbridge.h: rules, kinds, constraints and fields. */
#include "drawbridge.h"
#include "unit.h"

static struct drawbridge_context *new_context(const struct drawbridge_allocator *allocator)
{
    struct drawbridge_context *context = NULL;
    assert_int_equal(drawbridge_context_new(allocator, &context), DRAWBRIDGE_OK);
    return context;
}

static bool is_id(const char *text)
{
    return text && *text && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(text);
}

static bool is_version(const char *text)
{
    return !text || (strlen(text) == 4 && strncmp(text, "1.", 2) == 0);
}

/* Some were visited, and the visitor ended it with so many. */
struct tally {
    size_t visits, max;
    const char *last;
};

/* ---- rules ---- */

static int visit_rule(const struct drawbridge_rule *rule, void *data)
{
    struct tally *tally = data;
    EXPECT(is_id(rule->id) && strncmp(rule->reason, "FieldValue", 10) == 0 && *rule->asks, "%s", rule->id);
    if (strcmp(rule->id, "enum") == 0)
        EXPECT(strcmp(rule->reason, "FieldValueNotSupported") == 0 && strcmp(rule->asks, "the value is one of a list") == 0, "enum");
    if (strcmp(rule->id, "dns-label") == 0)
        EXPECT(strcmp(rule->reason, "FieldValueInvalid") == 0 && strstr(rule->asks, "DNS label"), "%s", rule->asks);
    return ++tally->visits == tally->max;
}

static void test_rules(void **state)
{
    struct tally all = { 0, 0, NULL }, two = { 0, 2, NULL };
    (void)state;
    assert_int_equal(drawbridge_rules_each(visit_rule, &all), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_rules_each(visit_rule, &two), DRAWBRIDGE_OK);
    EXPECT(all.visits > 80 && two.visits == 2, "%zu, %zu", all.visits, two.visits);
    assert_rows();
}

/* ---- kinds ---- */

static const struct expected_kind {
    const char *group, *version, *kind, *resource, *since, *until, *role, *replaced_by;
    int namespaced, partial, has_rules;
} expected_kinds[] = {
    { "", "v1", "Namespace", "namespaces", NULL, NULL, NULL, NULL, 0, 1, 0 },
    { "", "v1", "Pod", "pods", NULL, NULL, NULL, NULL, 1, 1, 1 },
    { "", "v1", "Pod", "pods", NULL, NULL, "recycler-pod-template", NULL, 1, 1, 1 },
    { "csi.storage.k8s.io", "v1alpha1", "CSIDriver", "csidrivers", NULL, NULL, NULL, "storage.k8s.io/v1 CSIDriver", 0, 0, 1 },
    { "resource.k8s.io", "v1", "ResourceClaim", "resourceclaims", "1.34", NULL, NULL, NULL, 1, 0, 1 },
    { "storage.k8s.io", "v1", "CSIDriver", "csidrivers", NULL, NULL, NULL, NULL, 0, 0, 1 },
};

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_expected(const struct drawbridge_kind *kind, const struct expected_kind *row)
{
    return same_text(kind->resource, row->resource) && same_text(kind->since, row->since) && same_text(kind->until, row->until) &&
           same_text(kind->role, row->role) && same_text(kind->replaced_by, row->replaced_by) && kind->namespaced == row->namespaced &&
           kind->partial == row->partial && kind->has_rules == row->has_rules;
}

struct kind_tally {
    size_t visits, max, expected;
    char name[128]; /* of the one before */
};

static int visit_kind(const struct drawbridge_kind *kind, void *data)
{
    struct kind_tally *tally = data;
    char name[sizeof tally->name];
    snprintf(name, sizeof name, "%s %s %s %s", kind->group, kind->version, kind->kind, kind->role ? kind->role : "");
    EXPECT(strcmp(tally->name, name) < 0, "%s after %s", name, tally->name);
    EXPECT(is_version(kind->since) && is_version(kind->until), "%s", name);
    strcpy(tally->name, name);
    for (size_t i = 0; i < COUNT(expected_kinds); i++) {
        const struct expected_kind *row = &expected_kinds[i];
        bool same = same_text(kind->group, row->group) && same_text(kind->version, row->version) && same_text(kind->kind, row->kind);
        if (same && same_text(kind->role, row->role)) {
            EXPECT(is_expected(kind, row), "%s", name);
            tally->expected++;
        }
    }
    return ++tally->visits == tally->max;
}

static void test_kinds(void **state)
{
    struct kind_tally all = { .max = 0 }, one = { .max = 1 };
    (void)state;
    assert_int_equal(drawbridge_kinds_each(visit_kind, &all), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_kinds_each(visit_kind, &one), DRAWBRIDGE_OK);
    EXPECT(all.expected == COUNT(expected_kinds) && all.visits > 20 && one.visits == 1, "%zu of %zu, %zu", all.expected, all.visits,
           one.visits);
    assert_rows();
}

/* ---- constraints ---- */

/* "FIELD TYPE: RULE SEVERITY: ASKS; WHEN; SINCE UNTIL GATE; DEFAULT; NAMES; KEY; BOUNDS", with - for what is not there. */
static const char *in_words(const struct drawbridge_constraint *constraint)
{
    static char text[2048];
    char bounds[64] = "";
    const char *const *names = constraint->values ? constraint->values : constraint->members;
    if (constraint->has_min)
        snprintf(bounds, sizeof bounds, "%lld", (long long)constraint->min);
    if (constraint->has_max)
        snprintf(bounds + strlen(bounds), sizeof bounds - strlen(bounds), "..%lld", (long long)constraint->max);
#define OR_NONE(word) ((word) ? (word) : "-")
    snprintf(text, sizeof text, "%s %s: %s %d: %s; %s; %s %s %s; %s%s; %s%s; %s; %s", constraint->field, constraint->type, constraint->rule,
             (int)constraint->severity, constraint->asks, constraint->when, OR_NONE(constraint->since), OR_NONE(constraint->until),
             OR_NONE(constraint->gate), OR_NONE(constraint->default_value), constraint->defaulted ? " (written)" : "",
             constraint->values ? "one of " : "", names ? names[0] : "-", OR_NONE(constraint->key), *bounds ? bounds : "-");
    return text;
}

static const struct expected_constraint {
    const char *group, *version, *kind, *words;
} expected_constraints[] = {
    { "storage.k8s.io", "v1", "CSIDriver",
      "spec.fsGroupPolicy string: type 0: must be of type string; ; - - -; \"ReadWriteOnceWithFSType\" (written); -; -; -" },
    { "storage.k8s.io", "v1", "CSIDriver",
      "spec.fsGroupPolicy string: enum 0: must be one of ReadWriteOnceWithFSType, File, None; ; - - -; -; "
      "one of ReadWriteOnceWithFSType; -; -" },
    { "storage.k8s.io", "v1", "CSIDriver",
      "spec.tokenRequests list of objects: unique 0: no two elements may have the same audience; ; - - -; -; -; audience; -" },
    { "storage.k8s.io", "v1", "CSINode",
      "spec.drivers[].nodeID string: max-bytes 0: must have at most 256 bytes; ; - - -; -; -; -; ..256" },
    { "resource.k8s.io", "v1", "ResourceSlice",
      "spec.devices[].capacity{}.requestPolicy.validRange.min quantity: comparison 0: must be at most ../../value: "
      "must not be more than the capacity; ; 1.34 - DRAConsumableCapacity; -; -; ../../value; -" },
};

struct constraint_tally {
    size_t visits, max, fields, seen[COUNT(expected_constraints)];
    const char *only_kind;
    char field[256];
};

static int visit_constraint(const struct drawbridge_constraint *constraint, void *data)
{
    struct constraint_tally *tally = data;
    const char *words = in_words(constraint);
    EXPECT(is_id(constraint->rule) && strncmp(constraint->reason, "FieldValue", 10) == 0 && *constraint->asks && *constraint->type &&
               *constraint->source,
           "%s", words);
    EXPECT(constraint->severity <= DRAWBRIDGE_INFO && is_version(constraint->since) && is_version(constraint->until) &&
               constraint->kind->has_rules,
           "%s", words);
    EXPECT(!tally->only_kind || strcmp(constraint->kind->kind, tally->only_kind) == 0, "%s", words);
    EXPECT(!constraint->has_min || !constraint->has_max || constraint->min <= constraint->max, "%s", words);
    EXPECT(!constraint->values || !constraint->members, "%s", words);
    EXPECT(strcmp(constraint->rule, "enum") != 0 || constraint->severity != DRAWBRIDGE_ERROR || constraint->values, "%s", words);
    tally->fields += strcmp(constraint->rule, "type") == 0;
    for (size_t i = 0; i < COUNT(expected_constraints); i++) {
        const struct expected_constraint *row = &expected_constraints[i];
        tally->seen[i] += strcmp(row->words, words) == 0 && strcmp(row->group, constraint->kind->group) == 0 &&
                          strcmp(row->version, constraint->kind->version) == 0 && strcmp(row->kind, constraint->kind->kind) == 0;
    }
    return ++tally->visits == tally->max;
}

static void test_constraints(void **state)
{
    const struct drawbridge_kind kind = { .group = "storage.k8s.io", .version = "v1", .kind = "CSINode", .role = "" };
    struct drawbridge_context *context = new_context(NULL);
    struct constraint_tally all = { .max = 0 }, node = { .only_kind = "CSINode" }, three = { .max = 3 }, first = { .max = 1 };
    (void)state;
    assert_int_equal(drawbridge_constraints_each(context, NULL, visit_constraint, &all), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_constraints_each(context, &kind, visit_constraint, &node), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_constraints_each(context, &kind, visit_constraint, &three), DRAWBRIDGE_OK);
    assert_int_equal(drawbridge_constraints_each(context, NULL, visit_constraint, &first), DRAWBRIDGE_OK);
    EXPECT(all.visits > 4000 && all.fields > 1000, "%zu, %zu", all.visits, all.fields);
    EXPECT(node.visits > 50 && node.visits < all.visits && node.fields > 20, "%zu, %zu", node.visits, node.fields);
    EXPECT(three.visits == 3 && first.visits == 1, "the visitor ends it: %zu, %zu", three.visits, first.visits);
    for (size_t i = 0; i < COUNT(expected_constraints); i++)
        EXPECT(all.seen[i] == 1, "%zu times: %s", all.seen[i], expected_constraints[i].words);
    drawbridge_context_free(context);
    assert_rows();
}

/* What a kind visitor is given names the kind for drawbridge_constraints_each: each kind with rules has some. */
static int visit_kind_inside(const struct drawbridge_kind *kind, void *data)
{
    struct constraint_tally tally = { .only_kind = kind->kind };
    EXPECT(drawbridge_constraints_each(data, kind, visit_constraint, &tally) == DRAWBRIDGE_OK, "%s", kind->kind);
    EXPECT((tally.visits > 0) == kind->has_rules, "%s: %zu", kind->kind, tally.visits);
    return 0;
}

static void test_each_kind(void **state)
{
    struct drawbridge_context *context = new_context(NULL);
    (void)state;
    assert_int_equal(drawbridge_kinds_each(visit_kind_inside, context), DRAWBRIDGE_OK);
    drawbridge_context_free(context);
    assert_rows();
}

static int count_constraint(const struct drawbridge_constraint *constraint, void *data)
{
    assert_true(constraint->type && constraint->asks && constraint->when && constraint->field);
    return ++*(size_t *)data == 0;
}

/* Each allocation fails in its turn: a result that says so, nothing leaked, nothing half made visited. */
static void test_every_allocation(void **state)
{
    struct counted_memory memory;
    const struct drawbridge_allocator allocator = { counted_allocate, counted_release, &memory };
    const struct drawbridge_kind kind = { .group = "resource.k8s.io", .version = "v1", .kind = "ResourceSlice" };
    size_t all = 0;
    (void)state;
    for (size_t n = 0;; n++) {
        size_t visits = 0;
        counted_init(&memory, 0);
        struct drawbridge_context *context = new_context(&allocator);
        size_t before = memory.calls;
        memory.failing = n ? before + n : 0;
        enum drawbridge_result result = drawbridge_constraints_each(context, &kind, count_constraint, &visits);
        all = n ? all : visits;
        bool failed = n && memory.calls >= memory.failing;
        EXPECT(result == (failed ? DRAWBRIDGE_NO_MEMORY : DRAWBRIDGE_OK) && (visits == all) == !failed, "%zu: %d, %zu of %zu", n,
               (int)result, visits, all);
        drawbridge_context_free(context);
        EXPECT(memory.live == 0, "%zu: %zu blocks", n, (size_t)memory.live);
        if (n && !failed) {
            EXPECT(n > 1 && all > 100, "%zu, %zu", n, all);
            break;
        }
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_constraints),
        cmocka_unit_test(test_each_kind),
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests_name("library tables", tests, NULL, NULL);
}
