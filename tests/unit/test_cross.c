/* What functions of rules/cross/ build on: values as they count, of nothing too; lookups, keys, and where a finding is. */
#include "unit.h"

#include "check/cross_call.h"
#include "check/limits.h"
#include "schema/rows.h"
#include "validate.h"
#include "workspace.h"

static const struct field item_fields[] = {
    FIELD("name", STRING),
    FIELD("count", INT64, POINTER, DEFAULT(NUMBER("3"))),
};
static const struct shape item = OBJECT(item_fields);

static const struct field inner_fields[] = {
    FIELD("items", LIST(&item)),
    FIELD("sizes", MAP(QUANTITY)),
    FIELD("flag", BOOL, POINTER),
};
static const struct shape inner = OBJECT(inner_fields);

static const struct field outer_fields[] = {
    FIELD("inner", &inner),
    FIELD("other", &inner, POINTER),
    FIELD("mode", STRING, POINTER, DEFAULT(TEXT("Auto"))),
};
static const struct shape outer = OBJECT(outer_fields);

/* A function at the root of this object, outside of any row. */
struct call {
    struct kind kind;
    struct document document;
    struct check_request request;
    struct evaluation eval;
    struct cursor cursor;
    struct cross cross;
};

static struct cross *start(struct call *call, const char *json)
{
    *call = (struct call){ .kind = { .shape = &outer }, .request = { .operation = CREATE, .version = MINOR_NEWEST } };
    call->request.kind = &call->kind;
    call->eval = (struct evaluation){ .request = &call->request, .workspace = &workspace };
    call->cursor = (struct cursor){ .shape = &outer };
    call->cursor.node = validate_read(&workspace, &call->kind, MINOR_NEWEST, json, 0, &call->document);
    call->cross = (struct cross){ .eval = &call->eval, .cursor = &call->cursor };
    return &call->cross;
}

static void test_values_as_they_count(void **state)
{
    static const char json[] =
        "{\"inner\":{\"items\":[{\"name\":\"a\",\"count\":7},null,{\"name\":\"c\"}],"
        "\"sizes\":{\"x\":\"1Ki\",\"y\":\"1024\"},\"flag\":true}}";
    struct call call;
    (void)state;
    struct cross *cross = start(&call, json);
    struct value items = value_at(cross, cross_root(cross), "inner.items"), sizes = value_at(cross, cross_value(cross), "inner.sizes");
    static const char *const names[] = { "a", "", "c" };
    static const int64_t counts[] = { 7, 3, 3 };
    uint32_t seen = 0;
    value_each(items, element) {
        assert_int_equal(element.index, seen);
        EXPECT(value_is(value_at(cross, element, "name"), names[seen]), "%u", seen);
        EXPECT(value_integer(value_at(cross, element, "count")) == counts[seen], "%u", seen);
        seen++;
    }
    assert_int_equal(seen, 3);
    assert_int_equal(value_count(items), 3);
    assert_true(value_is(value_at(cross, cross_root(cross), "mode"), "Auto"));
    assert_true(value_is_true(value_at(cross, cross_root(cross), "inner.flag")));
    assert_false(value_is_set(value_at(cross, cross_root(cross), "other.items")));
    assert_int_equal(value_compare(cross, value_entry(sizes, "x"), value_entry(sizes, "y")), 0);
    assert_true(bytes_equal_text(value_name(value_first(sizes)), "x"));
    assert_true(value_has(items, "name") == false && value_has(value_first(items), "name"));
    assert_false(cross_failed(cross));
    assert_rows();
}

static void test_of_nothing_everything_is_empty(void **state)
{
    struct call call;
    struct lookup lookup;
    (void)state;
    struct cross *cross = start(&call, "{}");
    struct value nothing = value_at(cross, indexed_root(NULL), "no.such.path");
    assert_false(value_is_set(nothing) || value_is_set(value_entry(nothing, "a")) || value_is_set(indexed_value(NULL)));
    assert_int_equal(value_text(nothing).length + value_name(nothing).length + indexed_name(NULL).length, 0);
    assert_int_equal(value_count(nothing) + value_integer(nothing), 0);
    assert_false(value_is(nothing, "") || value_is_true(nothing) || value_is_false(nothing) || value_has(nothing, "a"));
    assert_true(value_equal(cross, nothing, nothing) && value_on_grid(cross, nothing, nothing, nothing));
    assert_int_equal(value_compare(cross, nothing, nothing), 0);
    value_each(nothing, element)
        fail();
    lookup_init(cross, &lookup, nothing, NULL);
    assert_false(value_is_set(lookup_find(&lookup, bytes_of(""))));
    assert_false(cross_is_same(cross, NULL) || cross_is_own(cross, NULL));
    assert_false(cross_failed(cross));
}

static void test_a_member_that_the_shape_has_not_is_a_failure(void **state)
{
    struct call call;
    (void)state;
    struct cross *cross = start(&call, "{}");
    assert_false(value_is_set(value_at(cross, cross_root(cross), "inner.itmes")));
    assert_true(cross_failed(cross));
    assert_int_equal(call.eval.failure, FAILURE_INTERNAL);
}

static void test_lookups(void **state)
{
    struct call call;
    struct lookup by_name, by_key;
    (void)state;
    struct cross *cross = start(&call, "{\"inner\":{\"items\":[{\"name\":\"a\"},{\"name\":\"b\",\"count\":5},{\"name\":\"b\"}],"
                                        "\"sizes\":{\"x\":\"1\"}}}");
    lookup_init(cross, &by_name, value_at(cross, cross_root(cross), "inner.items"), "name");
    lookup_init(cross, &by_key, value_at(cross, cross_root(cross), "inner.sizes"), NULL);
    assert_int_equal(value_integer(value_at(cross, lookup_find(&by_name, bytes_of("b")), "count")), 5); /* the first of them */
    assert_false(value_is_set(lookup_find(&by_name, bytes_of("c"))));
    assert_true(bytes_equal_text(value_text(lookup_find(&by_key, bytes_of("x"))), "1"));
}

static void test_different_texts_give_different_keys(void **state)
{
    struct call call;
    (void)state;
    struct cross *cross = start(&call, "{}");
    struct bytes a = bytes_of("a"), b = bytes_of("b"), ab = bytes_of("ab"), none = bytes_of("");
    assert_true(bytes_equal(cross_key(cross, a, b), cross_key(cross, a, b)));
    assert_false(bytes_equal(cross_key(cross, ab, none), cross_key(cross, a, b)));
    assert_false(bytes_equal(cross_key(cross, none, ab), cross_key(cross, ab, none)));
    assert_false(bytes_equal(cross_key(cross, bytes_of("a:"), b), cross_key(cross, a, bytes_of(":b"))));
    struct bytes longest = repeated("x", LIMIT_KEY_BYTES, "");
    assert_non_null(cross_key(cross, longest).data);
    assert_null(cross_key(cross, longest, a).data);
    free_copy(longest);
}

/* ---- findings, from a row ---- */

static void report_places(struct cross *cross)
{
    value_each(cross_value(cross), element)
        if (element.index) {
            cross_report(cross, (struct cross_report){ .at = element });
            cross_report(cross, (struct cross_report){ .at = element, .below = "name", .quoted = true });
        }
    cross_report(cross, (struct cross_report){ .beside = "mode" });
    cross_report(cross, (struct cross_report){ .detail = "why" });
    assert_true(value_is(cross_sibling(cross, "mode"), "Auto") && value_is(cross_sibling(cross, "../mode"), "Manual"));
    assert_true(cross_found(cross));
}

static const struct field list_fields[] = {
    FIELD("items", LIST(&item), CHECKS(CALL(REFERENCE, report_places, DETAIL("said by the row")))),
    FIELD("mode", STRING, POINTER, DEFAULT(TEXT("Auto"))),
};
static const struct shape list = OBJECT(list_fields);
static const struct field root_fields[] = { FIELD("spec", &list), FIELD("mode", STRING) };
static const struct shape root = OBJECT(root_fields);

static void test_findings_are_where_they_are_said_to_be(void **state)
{
    (void)state;
    assert_validated(&root, CREATE, MINOR_NEWEST, "{\"mode\":\"Manual\",\"spec\":{\"items\":[{},{\"name\":\"b\"}]}}", NULL,
                     "spec.items[1]: Invalid reference\n"
                     "spec.items[1].name: Invalid reference\n"
                     "spec.mode: Invalid reference\n"
                     "spec.items: Invalid reference\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_as_they_count),
        cmocka_unit_test(test_of_nothing_everything_is_empty),
        cmocka_unit_test(test_a_member_that_the_shape_has_not_is_a_failure),
        cmocka_unit_test(test_lookups),
        cmocka_unit_test(test_different_texts_give_different_keys),
        cmocka_unit_test(test_findings_are_where_they_are_said_to_be),
    };
    return cmocka_run_group_tests_name("cross", tests, start_workspace, stop_workspace);
}
