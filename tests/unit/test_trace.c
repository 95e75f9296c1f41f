/* What becomes of each row, on shapes made up here: an event for each value and each row, and why a row did not run. */
#include "validate.h"

#include "check/path.h"
#include "check/trace.h"
#include "schema/rows.h"

static const char *const words[] = {
    [TRACE_OBJECT] = "object", [TRACE_UNDECODABLE] = "undecodable", [TRACE_END] = "end",
    [TRACE_VALUE] = "value", [TRACE_NO_FIELD] = "no field", [TRACE_REST_SKIPPED] = "rest skipped",
    [TRACE_CLEAN] = "clean", [TRACE_PASSED] = "passed", [TRACE_BROKEN] = "broken",
    [TRACE_STOPPED] = "stopped", [TRACE_VERSION] = "version", [TRACE_NEEDS_SET] = "needs set",
    [TRACE_OPERATION] = "operation", [TRACE_CONDITION] = "condition",
};

/* "path: result rule\n"; after a condition its member, after what is broken the finding's path, after what was stopped the rule that did. */
static void add_event(void *self, struct evaluation *eval, const struct trace_event *event)
{
    struct text *text = self;
    text_add(text, event->cursor ? path_of(eval, event->cursor, 0, NULL) : "");
    text_add(text, event->cursor ? ": " : "");
    text_add(text, words[event->result]);
    if (event->check && event->check->op != CHECK_KEYS) {
        text_add(text, " ");
        text_add(text, rule_info(event->check->rule)->id);
    }
    if (event->predicate || event->found || event->stopper) {
        text_add(text, " ");
        text_add(text, event->predicate ? event->predicate->member : event->found ? event->found->path : rule_info(event->stopper->rule)->id);
    }
    text_add(text, "\n");
}

static void assert_traced(const struct shape *shape, enum operation operation, const char *object, const char *old, const char *expected)
{
    const struct kind kind = { .group = BYTES("test"), .version = BYTES("v1"), .kind = BYTES("Test"), .resource = BYTES("tests"), .shape = shape, .traits = 1 };
    struct context context;
    struct workspace workspace;
    struct check_result result;
    struct document document = { 0 };
    struct text text;
    struct arena arena;
    struct trace trace = { &text, add_event };
    assert_int_equal(context_init(&context, &memory_malloc), FAILURE_NONE);
    assert_int_equal(workspace_init(&workspace, &context), FAILURE_NONE);
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    text_init(&text, &arena);
    struct check_request request = { .operation = operation, .version = 34, .kind = &kind, .old_kind = &kind, .workspace = &workspace, .trace = &trace };
    request.old = old ? validate_read(&workspace, &kind, 34, old, 0, &document) : NULL;
    request.object = validate_read(&workspace, &kind, 34, object, 0, &document);
    request.document = request.old_document = &document;
    assert_int_equal(validate_object(&request, &result), FAILURE_NONE);
    assert_string_equal(text_end(&text), expected);
    arena_done(&arena);
    workspace_done(&workspace);
    context_done(&context);
}

static void in_set(struct cross *cross)
{
    (void)cross;
}

static const struct field fields[] = {
    FIELD("a", STRING, CHECKS(REQUIRED(STOP), MAX_BYTES(2), NON_EMPTY())),
    FIELD("b", STRING, CHECKS(MAX_BYTES(1, SINCE(35)), MAX_BYTES(1, IF(IS_SET("a"))), MAX_BYTES(1, WHEN(STATUS)), IMMUTABLE(),
                              CALL(REFERENCE, in_set, NEEDS_SET))),
    FIELD("c", STRING, SINCE(36), CHECKS(REQUIRED())),
};
static const struct shape rows = OBJECT(fields);

static void test_rows(void **state)
{
    (void)state;
    assert_traced(&rows, CREATE, "{\"b\":\"bb\"}", NULL,
                  "object\n: value\na: value\na: broken required a\na: stopped max-bytes required\na: stopped non-empty required\n"
                  "b: value\nb: version max-bytes\nb: condition max-bytes a\nb: operation max-bytes\nb: operation immutable\nb: needs set reference\n"
                  "c: no field\nend\n");
    assert_traced(&rows, UPDATE, "{\"a\":\"aa\",\"b\":\"b\"}", "{\"a\":\"a\",\"b\":\"c\"}",
                  "object\n: value\na: value\na: passed required\na: passed max-bytes\na: passed non-empty\n"
                  "b: value\nb: version max-bytes\nb: passed max-bytes\nb: operation max-bytes\nb: broken immutable b\nb: needs set reference\n"
                  "c: no field\nend\n");
    assert_traced(&rows, CREATE, "{\"a\":1}", NULL, "object\nundecodable\n");
}

static const struct field element_fields[] = {
    FIELD("name", STRING, CHECKS(REQUIRED())),
};
static const struct shape element = OBJECT(element_fields);
static const struct field list_fields[] = {
    FIELD("list", LIST(&element), CHECKS(UNIQUE("name", REST_SKIPPED))),
    FIELD("map", MAP(STRING), CHECKS(KEYS(MAX_BYTES(1)))),
    FIELD("none", &element, POINTER),
};
static const struct shape lists = OBJECT(list_fields);

/* Fast paths say that they would pass over a value; its rows run all the same. */
static void test_elements(void **state)
{
    (void)state;
    const char *fast = FAST_PATHS ? "list[0]: clean\n" : "", *fast_in_map = FAST_PATHS ? "map[kk]: clean\n" : "";
    char expected[1024];
    snprintf(expected, sizeof expected,
             "object\n: value\nlist: value\nlist: broken unique list[1].name\n%slist[0]: value\nlist[0].name: value\nlist[0].name: passed required\n"
             "list[1]: rest skipped\nlist[2]: value\nlist[2].name: value\nlist[2].name: broken required list[2].name\n"
             "map: value\nmap[kk]: broken max-bytes map[kk]\nmap: passed\n%smap[kk]: value\nnone: value\nend\n", fast, fast_in_map);
    assert_traced(&lists, CREATE, "{\"list\":[{\"name\":\"a\"},{\"name\":\"a\"},{}],\"map\":{\"kk\":\"\"}}", NULL, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
