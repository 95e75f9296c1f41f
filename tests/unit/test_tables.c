/* The tables of rules/: sorted where they are searched, unique, complete, and every name in them leads somewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "check/ops.h"
#include "check/shape_summary.h"
#include "doc/limits.h"
#include "tests/unit/workspace.h"
#include "schema/gate.h"

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

/* What .name and .names of a row can be: the words of ops.def and predicates.def. */
enum named { NO_NAME, VALUES, ITS_MEMBER, OF_ELEMENT, SIBLING_NAME, ROOT_PATH, OTHER, MEMBER, OLD_MEMBER };

/* Names that a row must not leave empty lead somewhere. own: the row stands in a shape's checks. */
static void assert_name(const struct path *path, const struct shape *shape, enum named named, const char *name, bool own)
{
    switch (named) {
    case NO_NAME:
    case VALUES:
    case OTHER:        return;
    case ITS_MEMBER:   assert_non_null(find_field(shape, name)); return;
    case OF_ELEMENT:   assert_non_null(find_field(shape->of, name)); return;
    case ROOT_PATH:    assert_path(path->shapes[0], name); return;
    case SIBLING_NAME:
    case MEMBER:
    case OLD_MEMBER:   assert_member(path, name, own); return;
    }
}

static void assert_names(const struct path *path, const struct shape *shape, enum named named, const char *const *names, bool own)
{
    if (named == NO_NAME)
        assert_null(names);
    for (; names && *names; names++)
        assert_name(path, shape, named, *names, own);
}

static void visit_predicates(const struct path *path, const struct shape *shape, const struct predicate *predicate, bool own)
{
    static const struct {
        enum named member, names;
    } rows[PREDICATES] = {
#define PREDICATE(id, function, member, names, ...) [PREDICATE_##id] = { member, names },
#include "schema/predicates.def"
#undef PREDICATE
    };
    for (; predicate && predicate->op != PREDICATE_END; predicate++) {
        assert_true(predicate->op < PREDICATES);
        if (predicate->member)
            assert_name(path, shape, rows[predicate->op].member, predicate->member, own);
        assert_names(path, shape, rows[predicate->op].names, predicate->names, own);
        if (rows[predicate->op].names == VALUES)
            assert_non_null(predicate->names[0]);
        if (predicate->op == PREDICATE_TRAIT || predicate->op == PREDICATE_OPTION)
            assert_int_not_equal(predicate->bits, 0);
    }
}

static void visit_arguments(const struct path *path, const struct shape *shape, const struct check *check, bool own)
{
#define ON(id) (1u << SHAPE_##id)
#define ON_NUMBER (ON(INT32) | ON(INT64) | ON(QUANTITY))
#define ANY_SHAPE (~0u)
    static const struct {
        unsigned shapes;
        enum named name, names;
    } rows[CHECK_OPS] = {
#define OP(id, function, shapes, value, bounds, name, names, ...) [CHECK_##id] = { shapes, name, names },
#include "schema/ops.def"
#undef OP
    };
    if (!(rows[check->op].shapes >> shape->type & 1))
        fail_msg("operation %u on a shape of type %u", (unsigned)check->op, (unsigned)shape->type);
    if (check->name)
        assert_name(path, shape, rows[check->op].name, check->name, own);
    if (check->plus)
        assert_name(path, shape, rows[check->op].name, check->plus, own);
    assert_names(path, shape, rows[check->op].names, check->names, own);
    if (check->op == CHECK_RANGE)
        assert_true(check->low <= check->high);
    if (check->op == CHECK_FORMAT)
        assert_true(check->format > FORMAT_NONE && check->format < FORMAT_COUNT);
    if (check->op == CHECK_CALL)
        assert_non_null(check->call);
}

static void visit_checks(const struct path *path, const struct shape *shape, const struct check *check, bool own)
{
    for (; check && check->op != CHECK_END; check++) {
        assert_true(check->op < CHECK_OPS && check->rule < RULE_COUNT);
        assert_true(check->versions.until == 0 || check->versions.since <= check->versions.until);
        visit_arguments(path, shape, check, own);
        visit_predicates(path, shape, check->only_if, own);
        if (check->op == CHECK_KEYS)
            visit_checks(path, &shape_string, check->each, true);
    }
}

/* The walk passes over members that are not set where all checks need a value: then none of them may have anything to say. */
static void expect_silence(const struct path *path, const struct field *field)
{
    static const struct doc_node *const none[LIMIT_FIELDS];
    struct cursor places[LIMIT_DEPTH];
    struct findings findings = { .kept = 0 };
    const struct check_request request = { .operation = CREATE, .version = MINOR_DEFAULT, .workspace = &workspace };
    struct evaluation eval = { .request = &request, .workspace = &workspace, .findings = &findings };
    for (unsigned i = 0; i < path->depth; i++)
        places[i] = (struct cursor){ .up = i ? &places[i - 1] : NULL, .shape = path->shapes[i], .members = path->shapes[i]->type == SHAPE_OBJECT ? none : NULL };
    struct cursor *cursor = &places[path->depth - 1];
    cursor->field = field;
    cursor->members = NULL;
    for (const struct check *check = field->checks; check && check->op != CHECK_END; check++) {
        const struct check row[] = { *check, { .op = CHECK_END } };
        if (checks_need_value(row) && check->op != CHECK_SKIP)
            assert_false(ops_run(&eval, cursor, check));
    }
    assert_int_equal(findings.errors + findings.warnings, 0);
    assert_int_equal(eval.failure, FAILURE_NONE);
}

/* Every shape that a kind reaches has a summary in the context. */
static void visit_summary(const struct shape *shape)
{
    struct shape_summary summary, scratch;
    shape_summary_make(shape, &summary);
    const struct shape_summary *known = shape_summary_of(&context.shape_summaries, shape, &scratch);
    assert_ptr_not_equal(known, &scratch);
    summary.looks = known->looks; /* only the context's have them */
    assert_memory_equal(known, &summary, sizeof summary);
}

static void assert_gate(const char *name)
{
    size_t i = 0;
    while (name && i < gate_count && strcmp(gates[i].name, name) != 0)
        i++;
    if (name && i == gate_count)
        fail_msg("gates.def has no gate '%s'", name);
}

static void visit_shape(struct path *path, const struct shape *shape)
{
    assert_int_not_equal(shape->fits, 0); /* every shape is made by SHAPE_OF */
    assert_true(path->depth < LIMIT_DEPTH);
    assert_true(shape->field_count <= LIMIT_FIELDS);
    path->shapes[path->depth++] = shape;
    if (shape->paired && shape->type == SHAPE_LIST)
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
        visit_summary(shape);
    path->depth--;
}

static void test_names_lead_somewhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++) {
        struct path path = { .depth = 0 };
        visit_shape(&path, kinds[i].shape->converts_to ? kinds[i].shape->converts_to : kinds[i].shape); /* checks run on that one */
        assert_int_equal(path.depth, 0);
    }
}

static void test_kinds_are_sorted_and_unique(void **state)
{
    (void)state;
    char last[256] = "", key[256];
    for (size_t i = 0; i < kind_count; i++) {
        const char *role = kinds[i].role ? kinds[i].role : "";
        snprintf(key, sizeof key, "%s/%s/%s/%s", kinds[i].group.data, kinds[i].version.data, kinds[i].kind.data, role);
        assert_true(strcmp(last, key) < 0);
        memcpy(last, key, sizeof last);
        assert_ptr_equal(kinds[i].role ? kind_find_role(kinds[i].role) : kind_find(kinds[i].group, kinds[i].version, kinds[i].kind), &kinds[i]);
    }
}

static void test_roles(void **state)
{
    (void)state;
    const struct kind *kind = kind_find_role("recycler-pod-template");
    assert_non_null(kind);
    assert_ptr_not_equal(kind_find(bytes_of(""), bytes_of("v1"), bytes_of("Pod")), kind);
    assert_true(kind_is(kind, bytes_of("v1"), bytes_of("Pod")));
    assert_false(kind_is(kind, bytes_of("v2"), bytes_of("Pod")));
    assert_false(kind_is(kind, bytes_of("a/v1"), bytes_of("Pod")));
    assert_false(kind_is(kind, bytes_of("v1"), bytes_of("Pods")));
    assert_null(kind_find_role("recycler-pod"));
    assert_null(kind_find_role(""));
}

/* Of what is only referred to, some fields are enough; what is validated says by which document. */
static void test_context_is_partial(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++) {
        assert_true(kinds[i].traits & KIND_PARTIAL || !(kinds[i].traits & KIND_UNREVIEWED));
        if (kinds[i].traits & KIND_CONTEXT) {
            assert_true(kinds[i].traits & KIND_PARTIAL);
            assert_null(kinds[i].role);
        } else {
            assert_non_null(kinds[i].shape->source);
        }
    }
}

/* What is for manifests only is neither whole nor sent to a webhook. */
static void test_reviewed_kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++)
        assert_int_equal(kind_is_reviewed(&kinds[i]), !(kinds[i].traits & (KIND_CONTEXT | KIND_UNREVIEWED)));
    assert_false(kind_is_reviewed(kind_find(bytes_of(""), bytes_of("v1"), bytes_of("Pod"))));
    assert_true(kind_is_reviewed(kind_find(bytes_of(""), bytes_of("v1"), bytes_of("Node"))));
    assert_true(kind_is_reviewed(kind_find(bytes_of("snapshot.storage.k8s.io"), bytes_of("v1"), bytes_of("VolumeSnapshotClass"))));
}

/* Who writes a kind stands in its first row, for all API versions; only of what API servers have, and wholly validate. */
static void test_writers(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++) {
        const struct kind *kind = &kinds[i];
        bool first = true, sent = !kind->role && !kind->successor && !(kind->traits & KIND_PARTIAL);
        for (size_t before = 0; before < i; before++)
            first = first && !kind_same(&kinds[before], kind);
        bool has_status = find_field(kind->shape, "status") != NULL;
        if ((kind->written.by != WRITER_NONE) != (sent && first))
            fail_msg("%s %s: WRITTEN_BY", kind->version.data, kind->kind.data);
        if ((kind->status_written.by != WRITER_NONE) != (sent && first && has_status))
            fail_msg("%s %s: STATUS_WRITTEN_BY", kind->version.data, kind->kind.data);
        assert_true(!kind->written.outage == !kind->written.by && !kind->status_written.outage == !kind->status_written.by);
    }
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

/* A rule has one name: as an id lower case with hyphens, in the tables upper case with underscores. */
static void test_ids_are_named_as_in_the_tables(void **state)
{
    static const char *const names[] = {
#define RULE(id, ...) #id,
#include "rules/rules.def"
#undef RULE
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char id[64] = "";
        for (size_t j = 0; names[i][j] && j + 1 < sizeof id; j++)
            id[j] = names[i][j] == '_' ? '-' : (char)(names[i][j] | 0x20);
        assert_string_equal(rule_info((enum rule)i)->id, id);
    }
}

static void test_old_ids_lead_to_rules(void **state)
{
    static const char *const old[] = {
#define ALIAS(id, rule) id,
#include "rules/aliases.def"
#undef ALIAS
    };
    (void)state;
    for (int i = 0; i < RULE_COUNT; i++)
        assert_int_equal(rule_find(bytes_of(rule_info((enum rule)i)->id)), i);
    for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
        enum rule rule = rule_find(bytes_of(old[i]));
        assert_true(rule < RULE_COUNT);
        assert_string_not_equal(rule_info(rule)->id, old[i]);
        assert_true(i == 0 || strcmp(old[i - 1], old[i]) < 0);
    }
    assert_int_equal(rule_find(bytes_of("advise")), RULE_COUNT);
}

static void test_reasons_have_kubernetes_names(void **state)
{
    (void)state;
#define REASON_ROW(id, ...)                                                                                 \
    assert_int_equal(strncmp(reason_info(REASON_##id)->cause, "FieldValue", REASON_##id == REASON_INTERNAL ? 0 : 10), 0);
    CHECK_REASONS(REASON_ROW)
#undef REASON_ROW
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_lead_somewhere),
        cmocka_unit_test(test_kinds_are_sorted_and_unique),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_context_is_partial), cmocka_unit_test(test_reviewed_kinds),
        cmocka_unit_test(test_writers),
        cmocka_unit_test(test_every_kind_has_type_and_metadata),
        cmocka_unit_test(test_rules_are_unique_and_described),
        cmocka_unit_test(test_ids_are_named_as_in_the_tables),
        cmocka_unit_test(test_old_ids_lead_to_rules),
        cmocka_unit_test(test_reasons_have_kubernetes_names),
    };
    return cmocka_run_group_tests_name("tables", tests, start_workspace, stop_workspace);
}
