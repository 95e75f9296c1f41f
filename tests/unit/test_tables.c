/* The tables of rules/: sorted where they are searched, unique, complete, and every name in them leads somewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "base/limits.h"
#include "check/run.h"

static struct context context;
static struct worker worker;

static int start_worker(void **state)
{
    (void)state;
    return context_init(&context, &memory_malloc) || worker_init(&worker, &context);
}

static int end_worker(void **state)
{
    (void)state;
    worker_done(&worker);
    context_done(&context);
    return 0;
}

/* The shapes on the way from a kind's root, outermost first. */
struct path {
    const struct shape *shapes[LIMIT_DEPTH];
    unsigned depth;
};

static const struct field *find_field(const struct shape *shape, const char *name)
{
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (strcmp(shape->fields[i].name.data, name) == 0)
            return &shape->fields[i];
    return NULL;
}

/* The object that a name in a check means; own: in a shape's checks. */
static const struct shape *object_for(const struct path *path, const char **name, bool own)
{
    unsigned i = path->depth;
    if (!own || path->shapes[i - 1]->type != SHAPE_OBJECT)
        i--;
    for (;;) {
        while (i > 0 && path->shapes[i - 1]->type != SHAPE_OBJECT)
            i--;
        if (strncmp(*name, "../", 3) != 0)
            return i ? path->shapes[i - 1] : NULL;
        *name += 3;
        i--;
    }
}

static void assert_member(const struct path *path, const char *name, bool own)
{
    const struct shape *object = object_for(path, &name, own);
    if (!object || !find_field(object, name))
        fail_msg("no member '%s'", name);
}

/* A path of members from an object, such as metadata.name. */
static void assert_path(const struct shape *shape, const char *path)
{
    while (*path) {
        char name[64];
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        const struct field *field = find_field(shape, name);
        if (!field)
            fail_msg("no path '%s'", path);
        shape = field->shape;
        path += length + (path[length] == '.');
    }
}

static void visit_predicates(const struct path *path, const struct predicate *predicate, bool own)
{
    for (; predicate && predicate->op != PREDICATE_END; predicate++) {
        if (predicate->op == PREDICATE_OLD_HAS)
            assert_path(path->shapes[0], predicate->member);
        else if (predicate->op == PREDICATE_ENTRY)
            assert_path(path->shapes[0], predicate->member);
        else if (predicate->member)
            assert_member(path, predicate->member, own);
        if (predicate->op == PREDICATE_ANY_SET)
            for (const char *const *name = predicate->names; *name; name++)
                assert_member(path, *name, own);
        if (predicate->op == PREDICATE_ANY_BEFORE)
            for (const char *const *name = predicate->names; *name; name++)
                assert_member(path, *name, own);
        if (predicate->op == PREDICATE_EQUALS || predicate->op == PREDICATE_KEY_BEGINS)
            assert_non_null(predicate->names[0]);
        if (predicate->op == PREDICATE_TRAIT || predicate->op == PREDICATE_OPTION)
            assert_int_not_equal(predicate->bits, 0);
    }
}

static void visit_arguments(const struct shape *shape, const struct check *check)
{
    bool list = check->op == CHECK_UNIQUE || check->op == CHECK_CLASH || check->op == CHECK_AT_MOST_ONE || check->op == CHECK_IMMUTABLE_BY_KEY || check->op == CHECK_NO_NEW;
    bool text = check->op == CHECK_FORMAT || check->op == CHECK_ENUM || check->op == CHECK_LISTED || check->op == CHECK_MAX_BYTES;
    if (list)
        assert_int_equal(shape->type, SHAPE_LIST);
    if (text)
        assert_int_equal(shape->type, SHAPE_STRING);
    if (check->op == CHECK_KEYS || check->op == CHECK_TOTAL_BYTES || check->op == CHECK_ALSO_IN)
        assert_int_equal(shape->type, SHAPE_MAP);
    if (check->op == CHECK_WHOLE)
        assert_int_equal(shape->type, SHAPE_QUANTITY);
    if (check->op == CHECK_RANGE)
        assert_true(check->low <= check->high && (shape->type == SHAPE_INT32 || shape->type == SHAPE_INT64 || shape->type == SHAPE_QUANTITY));
    if (list && check->name)
        assert_non_null(find_field(shape->of, check->name));
    if (check->op == CHECK_IMMUTABLE_BY_KEY)
        for (const char *const *name = check->names; name && *name; name++)
            assert_non_null(find_field(shape->of, *name));
    if (check->op == CHECK_MATCHES || check->op == CHECK_SUM_ITEMS)
        for (const char *const *name = check->names; *name; name++)
            assert_non_null(find_field(shape, *name));
    if (check->op == CHECK_UNIQUE || check->op == CHECK_NO_NEW)
        for (const char *const *name = check->names; name && *name; name++)
            assert_non_null(find_field(shape->of, *name));
    if (check->op == CHECK_ONE_OF)
        for (const char *const *name = check->names; *name; name++)
            assert_non_null(find_field(shape, *name));
    if (check->op == CHECK_FORMAT)
        assert_true(check->format > FORMAT_NONE && check->format < FORMAT_COUNT);
    if (check->op == CHECK_CALL)
        assert_non_null(check->call);
}

/* The members that checks compare with. */
static void visit_others(const struct path *path, const struct check *check, bool own)
{
    bool compares = check->op == CHECK_COMPARE || check->op == CHECK_ON_GRID;
    if (compares || check->op == CHECK_HOLDS || check->op == CHECK_DISJOINT || check->op == CHECK_ALSO_IN)
        assert_member(path, check->name, own);
    if (compares && check->plus)
        assert_member(path, check->plus, own);
    if (check->op == CHECK_ON_GRID)
        for (const char *const *name = check->names; *name; name++)
            assert_member(path, *name, own);
}

static void visit_checks(const struct path *path, const struct shape *shape, const struct check *check, bool own)
{
    for (; check && check->op != CHECK_END; check++) {
        assert_true(check->op < CHECK_OPS && check->rule < RULE_COUNT);
        assert_true(check->versions.until == 0 || check->versions.since <= check->versions.until);
        visit_arguments(shape, check);
        visit_predicates(path, check->only_if, own);
        visit_others(path, check, own);
        if (check->op == CHECK_KEYS)
            visit_checks(path, STRING, check->each, true);
    }
}

/* The walk passes over members that are not set where all checks need a value: then none of them may have anything to say. */
static void expect_silence(const struct path *path, const struct field *field)
{
    static const struct doc_node *const none[LIMIT_FIELDS];
    struct place places[LIMIT_DEPTH];
    struct findings findings = { .kept = 0 };
    const struct check_request request = { .operation = CREATE, .version = MINOR_DEFAULT, .worker = &worker };
    struct run run = { .request = &request, .worker = &worker, .findings = &findings };
    for (unsigned i = 0; i < path->depth; i++)
        places[i] = (struct place){ .up = i ? &places[i - 1] : NULL, .shape = path->shapes[i], .members = path->shapes[i]->type == SHAPE_OBJECT ? none : NULL };
    struct place *place = &places[path->depth - 1];
    place->field = field;
    place->members = NULL;
    for (const struct check *check = field->checks; check && check->op != CHECK_END; check++) {
        const struct check row[] = { *check, { .op = CHECK_END } };
        if (check_all_need_value(row) && check->op != CHECK_SKIP)
            assert_false(check_run(&run, place, check));
    }
    assert_int_equal(findings.errors + findings.warnings, 0);
    assert_int_equal(run.failure, FAILURE_NONE);
}

/* There are more shapes than a worker keeps outlines of; each gets its own all the same. */
static void visit_outline(const struct shape *shape)
{
    struct outline outline;
    outline_make(shape, &outline);
    assert_memory_equal(outline_of(&worker.outlines, shape), &outline, sizeof outline);
    assert_memory_equal(outline_of(&worker.outlines, shape), &outline, sizeof outline);
}

static void assert_gate(const char *name)
{
    size_t i = 0;
    while (name && i < gate_count && strcmp(gates[i].name, name) != 0)
        i++;
    if (name && i == gate_count)
        fail_msg("gates.def has no gate '%s'", name);
}

/* What readers take for right at once, or nothing. */
static void expect_fits(const struct shape *shape)
{
    static const unsigned fits[SHAPE_TYPES] = {
        [SHAPE_STRING] = DOC_BIT(NULL) | DOC_BIT(STRING), [SHAPE_BOOL] = DOC_BIT(NULL) | DOC_BIT(FALSE) | DOC_BIT(TRUE),
        [SHAPE_INT32] = DOC_BIT(NULL) | DOC_BIT_SHORT, [SHAPE_INT64] = DOC_BIT(NULL) | DOC_BIT_SHORT,
        [SHAPE_OBJECT] = DOC_BIT(NULL) | DOC_BIT(OBJECT), [SHAPE_LIST] = DOC_BIT(NULL) | DOC_BIT(ARRAY), [SHAPE_MAP] = DOC_BIT(NULL) | DOC_BIT(OBJECT),
    };
    if (shape->fits != fits[shape->type] && shape->fits)
        fail_msg("a shape of type %u fits %x", (unsigned)shape->type, (unsigned)shape->fits);
}

static void visit_shape(struct path *path, const struct shape *shape)
{
    expect_fits(shape);
    assert_true(path->depth < LIMIT_DEPTH);
    assert_true(shape->field_count <= LIMIT_FIELDS);
    path->shapes[path->depth++] = shape;
    if (shape->paired)
        assert_non_null(find_field(shape->of, shape->paired));
    visit_checks(path, shape, shape->checks, true);
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        assert_gate(field->gate);
        assert_ptr_equal(find_field(shape, field->name.data), field); /* unique */
        path->shapes[path->depth++] = field->shape;
        visit_checks(path, field->shape, field->checks, false);
        expect_silence(path, field);
        path->depth--;
        visit_shape(path, field->shape);
    }
    if (shape->of)
        visit_shape(path, shape->of);
    if (shape->type == SHAPE_OBJECT)
        visit_outline(shape);
    path->depth--;
}

static void test_names_lead_somewhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++) {
        struct path path = { .depth = 0 };
        visit_shape(&path, kinds[i].shape->as ? kinds[i].shape->as : kinds[i].shape); /* checks run on that one */
        assert_int_equal(path.depth, 0);
    }
}

static void test_kinds_are_sorted_and_unique(void **state)
{
    (void)state;
    char last[256] = "", key[256];
    for (size_t i = 0; i < kind_count; i++) {
        snprintf(key, sizeof key, "%s/%s/%s", kinds[i].group.data, kinds[i].version.data, kinds[i].kind.data);
        assert_true(strcmp(last, key) < 0);
        memcpy(last, key, sizeof last);
        assert_ptr_equal(kinds[i].role ? kind_find_role(kinds[i].role) : kind_find(kinds[i].group, kinds[i].version, kinds[i].kind), &kinds[i]);
    }
}

static void test_roles(void **state)
{
    (void)state;
    assert_null(kind_find(bytes_of(""), bytes_of("v1"), bytes_of("Pod")));
    const struct kind *kind = kind_find_role("recycler-pod-template");
    assert_non_null(kind);
    assert_true(kind_is(kind, bytes_of("v1"), bytes_of("Pod")));
    assert_false(kind_is(kind, bytes_of("v2"), bytes_of("Pod")));
    assert_false(kind_is(kind, bytes_of("a/v1"), bytes_of("Pod")));
    assert_false(kind_is(kind, bytes_of("v1"), bytes_of("Pods")));
    assert_null(kind_find_role("recycler-pod"));
    assert_null(kind_find_role(""));
}

/* Of what is only referred to, some fields are enough; what is judged says by which document. */
static void test_context_is_partial(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++)
        if (kinds[i].traits & KIND_CONTEXT) {
            assert_true(kinds[i].traits & KIND_PARTIAL);
            assert_null(kinds[i].role);
        } else
            assert_non_null(kinds[i].shape->source);
}

static void test_every_kind_has_type_and_metadata(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++) {
        assert_non_null(find_field(kinds[i].shape, "kind"));
        assert_non_null(find_field(kinds[i].shape, "apiVersion"));
        assert_non_null(find_field(kinds[i].shape, "metadata"));
    }
}

static void test_rules_are_unique_and_described(void **state)
{
    (void)state;
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct rule_info *info = rule_info((enum rule)i);
        assert_true(info->id && *info->id && info->asks && *info->asks && info->reason != REASON_OF_RULE);
        assert_int_equal(strspn(info->id, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(info->id));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(info->id, rule_info((enum rule)j)->id);
    }
}

static void test_reasons_have_kubernetes_names(void **state)
{
    (void)state;
#define REASON_ROW(id, ...) assert_int_equal(strncmp(reason_info(REASON_##id)->cause, "FieldValue", 10), 0);
    CHECK_REASONS(REASON_ROW)
#undef REASON_ROW
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_lead_somewhere),
        cmocka_unit_test(test_kinds_are_sorted_and_unique),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_context_is_partial),
        cmocka_unit_test(test_every_kind_has_type_and_metadata),
        cmocka_unit_test(test_rules_are_unique_and_described),
        cmocka_unit_test(test_reasons_have_kubernetes_names),
    };
    return cmocka_run_group_tests_name("tables", tests, start_worker, end_worker);
}
