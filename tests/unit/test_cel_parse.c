/* The parser of CEL expressions: tokens, trees with their places, errors with cel-go's words, limits, and that hostile text is read soon.
 * What is expected was asked of Kubernetes' own compiler. */
#include <inttypes.h>

#include "unit.h"

#include "cel/limits.h"
#include "cel/parse.h"
#include "cel/token.h"
#include "rules/cel/cel.h"

/* ---- tokens ---- */

struct token_row {
    const char *text;
    const char *tokens; /* in quotes what is no token */
};

static const struct token_row token_rows[] = {
    { "", "" },
    { " \t\r\n\f// all // of it", "" },
    { "a// b\nc", "a c" },
    { "_a1 in inn true trues null false", "_a1 in inn true trues null false" },
    { "0 00x1 0x1fU 0x 1u 1.5 1. .5 1e5 1.e5 1e+ 1.5e-3x", "0 00 x1 0x1fU 0 x 1u 1.5 1 . .5 1e5 1 . e5 1 e + 1.5e-3 x" },
    { "a.5 x.y", "a .5 x . y" },
    { "==!=<=>=<>!&&||", "== != <= >= < > ! && ||" },
    { "[]{}().,-!?:+*/%", "[ ] { } ( ) . , - ! ? : + * / %" },
    { "'a' \"b'\" r'\\' b'x' Br\"y\" rb'z'", "'a' \"b'\" r'\\' b'x' Br\"y\" rb 'z'" },
    { "'''a'b''' \"\"\"\"\"\" '''x", "'''a'b''' \"\"\"\"\"\" '' \"'x\"" },
    { "'\\a\\x4F\\u00e9\\U0001F600\\377\\`'", "'\\a\\x4F\\u00e9\\U0001F600\\377\\`'" },
    { "'\\q' a", "\"'\\q\" \"' a\"" },
    { "'\\400'b", "\"'\\4\" 00 \"'b\"" },
    { "'a\nb", "\"'a\n\" b" },
    { "a = b", "a \"= \" b" },
    { "a =", "a \"=\"" },
    { "a &\xC3\xA9 b", "a \"&\xC3\xA9\" b" },
    { "a\xC3\xA9#b", "a \"\xC3\xA9\" \"#\" b" },
    { "`a.b-c/d e` `` `a", "`a.b-c/d e` \"``\" \"`a\"" },
};

static void test_tokens(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(token_rows); i++) {
        char found[256] = "", *at = found;
        struct bytes text = exact_copy(bytes_of(token_rows[i].text));
        for (uint32_t next = 0;;) {
            struct cel_token token = cel_token_next(text, next);
            if (token.type == CEL_TOKEN_EOF)
                break;
            const char *quote = token.type == CEL_TOKEN_ERROR ? "\"" : "";
            at += sprintf(at, "%s%s%.*s%s", at == found ? "" : " ", quote, (int)token.length, text.data + token.offset, quote);
            next = token.offset + token.length;
        }
        EXPECT(strcmp(found, token_rows[i].tokens) == 0, "%s: %s", shown(text), shown(bytes_of(found)));
        free_copy(text);
    }
    assert_rows();
}

/* ---- trees ---- */

static char described[4096];
static size_t described_length;

static void describe(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void describe(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(described + described_length, sizeof described - described_length, format, arguments);
    va_end(arguments);
    described_length += (size_t)length;
    assert_true(described_length < sizeof described);
}

static void describe_literal(const struct cel_literal *literal)
{
    switch (literal->type) {
    case CEL_NULL: describe("null"); break;
    case CEL_BOOL: describe("%s", literal->boolean ? "true" : "false"); break;
    case CEL_INT: describe("%" PRId64, literal->integer); break;
    case CEL_UINT: describe("%" PRIu64 "u", literal->unsigned_integer); break;
    case CEL_DOUBLE: describe("%#g", literal->number); break;
    default: describe("%s'%s'", literal->type == CEL_BYTES ? "b" : "", shown(literal->text));
    }
}

static void describe_node(const struct cel_node *node);

static void describe_entries(const struct cel_node *node)
{
    for (uint32_t i = 0; i < node->literals.count; i++) {
        const struct cel_entry *entry = &node->literals.entries[i];
        describe("%s%s", i ? ", " : "", entry->optional ? "?" : "");
        if (entry->key)
            describe_node(entry->key);
        describe("%.*s", (int)entry->field.length, entry->field.length ? entry->field.data : "");
        if (node->kind != CEL_NODE_LIST)
            describe(":@%" PRIu32 " ", entry->offset);
        describe_node(entry->value);
    }
}

static void describe_loop(const struct cel_node *node)
{
    const struct cel_node *parts[] = { node->loop.init, node->loop.condition, node->loop.step, node->loop.result };
    describe("loop(%.*s", (int)node->loop.variables[0].length, node->loop.variables[0].data);
    if (node->loop.variables[1].data)
        describe(", %.*s", (int)node->loop.variables[1].length, node->loop.variables[1].data);
    describe(" of ");
    describe_node(node->loop.range);
    describe("; %.*s", (int)node->loop.accumulator.length, node->loop.accumulator.data);
    for (size_t i = 0; i < COUNT(parts); i++) {
        describe("%s", i ? "; " : " = ");
        describe_node(parts[i]);
    }
    describe(")");
}

static void describe_call(const struct cel_node *node)
{
    if (node->call.receiver) {
        describe_node(node->call.receiver);
        describe(".");
    }
    describe("%s%.*s(", node->dotted ? "." : "", (int)node->call.name.length, node->call.name.data);
    for (uint32_t i = 0; i < node->call.count; i++) {
        describe("%s", i ? ", " : "");
        describe_node(node->call.arguments[i]);
    }
    describe(")");
}

/* A node with its place behind it, unless it is that of its text or the one before it. */
static void describe_node(const struct cel_node *node)
{
    switch (node->kind) {
    case CEL_NODE_LITERAL: describe_literal(&node->literal); break;
    case CEL_NODE_IDENTIFIER: describe("%s%.*s", node->dotted ? "." : "", (int)node->name.length, node->name.data); break;
    case CEL_NODE_SELECT:
        describe_node(node->select.operand);
        describe(".%.*s%s", (int)node->select.field.length, node->select.field.data, node->select.presence ? "??" : "");
        break;
    case CEL_NODE_CALL: describe_call(node); break;
    case CEL_NODE_LOOP: describe_loop(node); break;
    case CEL_NODE_ABSENT: describe("absent"); break;
    case CEL_NODE_LIST:
    case CEL_NODE_MAP:
    case CEL_NODE_MESSAGE:
        if (node->kind == CEL_NODE_MESSAGE)
            describe("%s%.*s", node->dotted ? "." : "", (int)node->literals.name.length, node->literals.name.data);
        describe(node->kind == CEL_NODE_LIST ? "[" : "{");
        describe_entries(node);
        describe(node->kind == CEL_NODE_LIST ? "]" : "}");
    }
    describe("@%" PRIu32, node->offset);
}

struct tree_row {
    const char *expression, *tree;
};

static const struct tree_row tree_rows[] = {
    /* literals */
    { "'\\101\\x41\\u0041\\U0001F600'", "'AAA\\xf0\\x9f\\x98\\x80'@0" },
    { "b'\\377\\xff\xC3\xA9'", "b'\\xff\\xff\\xc3\\xa9'@0" },
    { "\"\"\"a\r\nb\rc\"\"\"", "'a\\x0ab\\x0ac'@0" },
    { "r'\\n' + '\\a\\t\\`\\?'", "_+_('\\n'@0, '\\x07\\x09`?'@8)@6" },
    { "[1, 2u, 0x10, - 0x10, 1.5, .5e1, 1e-400, true, null,]",
      "[1@1, 2u@4, 16@8, -16@14, 1.50000@22, 5.00000@27, 0.00000@33, true@41, null@47]@0" },
    { "-9223372036854775808", "-9223372036854775808@0" },
    { "18446744073709551615u", "18446744073709551615u@0" },
    { "1.7976931348623157e308", "1.79769e+308@0" },
    /* operators */
    { "a+b*c-d", "_-_(_+_(a@0, _*_(b@2, c@4)@3)@1, d@6)@5" },
    { "a<b==c", "_==_(_<_(a@0, b@2)@1, c@5)@3" },
    { "a?b:c?d:e", "_?_:_(a@0, b@2, _?_:_(c@4, d@6, e@8)@5)@1" },
    { "a&&b&&c&&d", "_&&_(_&&_(a@0, b@3)@1, _&&_(c@6, d@9)@7)@4" },
    { "a||b||c", "_||_(_||_(a@0, b@3)@1, c@6)@4" },
    { "!!a == !b", "_==_(a@2, !_(b@8)@7)@4" },
    { "--1 + -1 - -a", "_-_(_+_(1@2, -1@6)@4, -_(a@12)@11)@9" },
    { "1 in [2]", "@in(1@0, [2@6]@5)@2" },
    { "(((a)))", "a@3" },
    /* names, calls, chains */
    { ".a.b", ".a@1.b@2" },
    { "a.b(c, d)[e].?f[?g]", "_[?_](_?._(_[_](a@0.b(c@4, d@7)@3, e@10)@9, 'f'@14)@12, g@17)@15" },
    { ".f(g())", ".f(g()@4)@2" },
    { "namespace.f(as.b)", NULL },
    /* collections */
    { "[?a, b][,]", NULL },
    { "[?a, b,]", "[?a@2, b@5]@0" },
    { "[,]", "[]@0" },
    { "{?a: b, 'c' : d}", "{?a@2:@3 b@5, 'c'@8:@12 d@14}@0" },
    { ". a . b {?c: 1, d: 2,}", ".a.b{?c:@11 1@13, d:@17 2@19}@8" },
    { "a.b{}", "a.b{}@3" },
    /* macros */
    { "has(a.b)", "a@4.b??@3" },
    { ".has(a.b)", ".has(a@5.b@6)@4" },
    { "a.all(x, x)", "loop(x of a@0; @result = true@5; @not_strictly_false(@result@5)@5; _&&_(@result@5, x@9)@5; @result@5)@5" },
    { "a.exists(x, y, x)",
      "loop(x, y of a@0; @result = false@8; @not_strictly_false(!_(@result@8)@8)@8; _||_(@result@8, x@15)@8; @result@8)@8" },
    { "a.exists_one(x, x)",
      "loop(x of a@0; @result = 0@12; true@12; _?_:_(x@16, _+_(@result@12, 1@12)@12, @result@12)@12; _==_(@result@12, 1@12)@12)@12" },
    { "a.existsOne(x, x)", "a@0.existsOne(x@12, x@15)@11" },
    { "a.map(x, x)", "loop(x of a@0; @result = []@5; true@5; _+_(@result@5, [x@9]@5)@5; @result@5)@5" },
    { "a.map(.x, p, x)", "loop(.x of a@0; @result = []@5; true@5; _?_:_(p@10, _+_(@result@5, [x@13]@5)@5, @result@5)@5; @result@5)@5" },
    { "a.filter(x, p)", "loop(x of a@0; @result = []@8; true@8; _?_:_(p@12, _+_(@result@8, [x@9]@8)@8, @result@8)@8; @result@8)@8" },
    { "a.transformMap(k, v, f)",
      "loop(k, v of a@0; @result = {}@14; true@14; cel.@mapInsert(@result@14, k@14, f@21)@14; @result@14)@14" },
    { "a.transformMapEntry(k, v, p, f)",
      "loop(k, v of a@0; @result = {}@19; true@19; _?_:_(p@26, cel.@mapInsert(@result@19, f@29)@19, @result@19)@19; @result@19)@19" },
    { "a.transformList(k, v, f)", "loop(k, v of a@0; @result = []@15; true@15; _+_(@result@15, [f@22]@15)@15; @result@15)@15" },
    { "cel.bind(.x, 1, x)", "loop(#unused of []@8; .x = 1@13; false@8; .x@8; x@16)@8" },
    { "cel2.bind(x, 1, x)", "cel2@0.bind(x@10, 1@13, x@16)@9" },
    { "a.sortBy(x, f)",
      "loop(#unused of []@8; @__sortBy_input__ = a@0; false@8; @__sortBy_input__@8; @__sortBy_input__@8.@sortByAssociatedKeys("
      "loop(x of @__sortBy_input__@8; @result = []@8; true@8; _+_(@result@8, [f@12]@8)@8; @result@8)@8)@8)@8" },
    { "a.optMap(x, f)",
      "_?_:_(a@0.hasValue()@8, optional.of(loop(#unused of []@8; x = a@0.value()@8; false@8; x@8; f@12)@8)@8, optional.none()@8)@8" },
    { "{a: b}.optFlatMap(x, f)",
      "_?_:_({a@1:@2 b@4}@0.hasValue()@17, loop(#unused of []@17; x = {a@1:@17 b@4}@0.value()@17; false@17; x@17; f@21)@17, "
      "optional.none()@17)@17" },
};

static enum failure parse(struct bytes expression, struct arena *arena, struct cel_errors *errors, struct cel_tree *tree)
{
    cel_errors_init(errors, arena);
    enum failure failure = cel_parse(expression, cel_macros, 35, errors, tree);
    cel_errors_sort(errors);
    return failure;
}

static void test_trees(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(tree_rows); i++) {
        const struct tree_row *row = &tree_rows[i];
        struct bytes text = exact_copy(bytes_of(row->expression));
        struct arena arena;
        struct cel_errors errors;
        struct cel_tree tree;
        arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
        assert_int_equal(parse(text, &arena, &errors, &tree), FAILURE_NONE);
        described_length = 0;
        if (tree.root)
            describe_node(tree.root);
        EXPECT(!tree.root == !row->tree && !tree.root == (errors.count > 0), "%s: %u errors", row->expression, errors.count);
        EXPECT(!tree.root || strcmp(described, row->tree) == 0, "%s: %s", row->expression, described);
        arena_done(&arena);
        free_copy(text);
    }
    assert_rows();
}

/* ---- errors ---- */

#define STARTS "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

struct error_row {
    const char *expression, *errors; /* a line each */
};

static const struct error_row error_rows[] = {
    /* of the grammar */
    { "", "1:0 Syntax error: mismatched input '<EOF>' expecting {" STARTS },
    { " ", "1:2 Syntax error: mismatched input '<EOF>' expecting {" STARTS },
    { "(1", "1:3 Syntax error: missing ')' at '<EOF>'" },
    { "[1,,2]", "1:4 Syntax error: mismatched input ',' expecting ']'" },
    { "[1 2]", "1:4 Syntax error: extraneous input '2' expecting {']', ','}" },
    { "f(1 2)", "1:5 Syntax error: extraneous input '2' expecting ')'" },
    { "a 'b\tc'", "1:3 Syntax error: extraneous input ''b\\tc'' expecting <EOF>" },
    { "a ? b", "1:6 Syntax error: mismatched input '<EOF>' expecting ':'" },
    { "a.", "1:3 Syntax error: no viable alternative at input '.'" },
    { "x.in", "1:3 Syntax error: no viable alternative at input '.in'\n1:5" },
    { "a.#true", "1:3 Syntax error: token recognition error at: '#'\n1:4 Syntax error: mismatched input 'true' expecting IDENTIFIER" },
    { "a. true", "1:4 Syntax error: no viable alternative at input '. true'" },
    { "- ", "1:3 Syntax error: no viable alternative at input '- '\n1:3 Syntax error: mismatched input '<EOF>' expecting {" STARTS },
    { "a.?5 b", "1:4 Syntax error: extraneous input '5' expecting {IDENTIFIER, ESC_IDENTIFIER}" },
    { "{1 as}", "1:4 Syntax error: missing ':' at 'as'\n1:4 reserved identifier: as" },
    { "M{1: 2}", "1:3 Syntax error: mismatched input '1' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}" },
    { "['a' 'b', 'c']", "1:6 Syntax error: extraneous input ''b'' expecting {']', ','}\n"
      "1:11 Syntax error: extraneous input ''c'' expecting ']'" },
    { "a\n  &\n b", "2:3 Syntax error: token recognition error at: '&\n'\n3:2 Syntax error: extraneous input 'b' expecting <EOF>" },
    { "\xC3\xA9 == 1", "1:1 Syntax error: token recognition error at: '\xC3\xA9'\n1:3" },
    /* of the walk, after errors of the grammar, too */
    { "as + if", "1:1 reserved identifier: as\n1:6 reserved identifier: if" },
    { "if(as, 1)", "1:1 reserved identifier: if" },
    { "[9223372036854775808, -9223372036854775809, 0xffffffffffffffffff]",
      "1:2 invalid int literal\n1:23 invalid int literal\n1:45 invalid int literal" },
    { "---9223372036854775808", "1:4 invalid int literal" },
    { "18446744073709551616u + 1e309", "1:1 invalid uint literal\n1:25 invalid double literal" },
    { "'\\ud800' + '\\U00110000' + b'\\u0041'",
      "1:1 invalid unicode code point\n1:12 invalid unicode code point\n1:27 unable to unescape string" },
    { "a.`b` + a.?`c`", "1:3 unsupported syntax: '`'\n1:12 unsupported syntax: '`'" },
    { "M{a: 1, `x`: 9223372036854775808}", "1:3 unsupported syntax: '`'" },
    { "a.?", "1:4 Syntax error: mismatched input '<EOF>' expecting {IDENTIFIER, ESC_IDENTIFIER}\n1:4 unsupported ident kind" },
    /* of macros */
    { "a.all(1, x)", "1:7 argument must be a simple name" },
    { "a.all(1+, x)", "1:9 Syntax error: extraneous input ',' expecting {" STARTS },
    { "a.all(x, x, x)", "1:10 duplicate variable name: x" },
    { "a.all(__result__, x)", "1:7 iteration variable overwrites accumulator variable" },
    { "a.map(a.b, x)", "1:8 argument is not an identifier" },
    { "has(a)", "1:5 invalid argument to has() macro" },
    { "cel.bind(1, 2, 3)", "1:10 cel.bind() variable names must be simple identifiers" },
    { "a.optMap(1, 2)", "1:10 optMap() variable name must be a simple identifier" },
    { "1.sortBy(x, x)", "1:1 sortBy can only be applied to a list, identifier, comprehension, call or select expression" },
    { "a.sortBy(1, x)", "1:10 argument is not an identifier" },
};

/* Whether each line of `expected` begins an error. */
static bool errors_are(const struct cel_errors *errors, struct bytes expression, const char *expected)
{
    for (uint32_t i = 0; i < errors->count; i++) {
        char found[1024];
        int line, column;
        cel_place(expression, errors->list[i].offset, &line, &column);
        snprintf(found, sizeof found, "%d:%d %s", line, column, errors->list[i].text);
        const char *end = expected;
        while (*end && !(*end == '\n' && strchr("123456789-", end[1]) && end[1]))
            end++;
        if (strncmp(found, expected, (size_t)(end - expected)) != 0 || end == expected)
            return false;
        expected = end + (*end == '\n');
    }
    return !*expected;
}

static void test_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(error_rows); i++) {
        struct bytes text = exact_copy(bytes_of(error_rows[i].expression));
        struct arena arena;
        struct cel_errors errors;
        struct cel_tree tree;
        arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
        assert_int_equal(parse(text, &arena, &errors, &tree), FAILURE_NONE);
        EXPECT(!tree.root, "%s", error_rows[i].expression);
        EXPECT(errors_are(&errors, text, error_rows[i].errors), "%s: %u errors, %s", error_rows[i].expression, errors.count,
               errors.count ? errors.list[0].text : "");
        for (uint32_t k = 0; k < errors.count; k++)
            EXPECT((errors.list[k].kind == CEL_ERROR_SYNTAX) == (strncmp(errors.list[k].text, "Syntax error: ", 14) == 0), "%s",
                   errors.list[k].text);
        arena_done(&arena);
        free_copy(text);
    }
    assert_rows();
}

/* ---- limits ---- */

struct limit_row {
    const char *unit, *middle, *end;
    size_t most; /* units and ends that are read; with one more there is one error without a place, and no tree */
    const char *error;
};

static const char open_limit[] = "-1:0 expression recursion limit exceeded: 250", nested_limit[] = "-1:0 max recursion depth exceeded";

static const struct limit_row limit_rows[] = {
    { "(", "1", ")", 249, open_limit },
    { "f(", "1", ")", 249, open_limit },
    { "[", "1", "]", 249, open_limit },
    { "!(", "a", ")", 249, open_limit },
    { "a?b:", "c", "", 249, open_limit },
    { "1==(", "1", ")", 124, open_limit },
    { "1*(", "1", ")", 124, open_limit },
    { "1+1*(", "1", ")", 83, open_limit },
    { "", "a", ".b", 250, nested_limit },
    { "", "a", ".b()", 250, nested_limit },
    { "", "a", "[0]", 250, nested_limit },
    { "", "1", "+1", 250, nested_limit },
};

static void test_depth(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(limit_rows); i++)
        for (size_t more = 0; more < 2; more++) {
            const struct limit_row *row = &limit_rows[i];
            struct bytes tail = repeated(row->end, row->most + more, ""), head = repeated(row->unit, row->most + more, row->middle);
            char text[LIMIT_CEL_BYTES];
            struct arena arena;
            struct cel_errors errors;
            struct cel_tree tree;
            snprintf(text, sizeof text, "%.*s%.*s", (int)head.length, head.data, (int)tail.length, tail.data);
            arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
            assert_int_equal(parse(bytes_of(text), &arena, &errors, &tree), FAILURE_NONE);
            EXPECT((tree.root == NULL) == (more == 1) && errors_are(&errors, bytes_of(text), more ? row->error : ""), "%s %zu: %u errors",
                   row->unit, more, errors.count);
            arena_done(&arena);
            free_copy(head);
            free_copy(tail);
        }
    assert_rows();
}

struct hostile_row {
    const char *unit;
    enum failure failure;
    uint32_t errors; /* UINT32_MAX: whatever */
};

/* Each unit as often as it goes into the longest expression. */
static const struct hostile_row hostile_rows[] = {
    { "(", FAILURE_NONE, 1 },
    { ")", FAILURE_NONE, 2 },
    { "a ", FAILURE_NONE, 2 },
    { "#", FAILURE_NONE, LIMIT_CEL_ERRORS },
    { "-", FAILURE_NONE, UINT32_MAX },
    { "!", FAILURE_NONE, UINT32_MAX },
    { ".a", FAILURE_NONE, 1 },
    { ".a.b{", FAILURE_NONE, UINT32_MAX },
    { "a&&", FAILURE_NONE, 1 },
    { "1,", FAILURE_NONE, UINT32_MAX },
    { "[{", FAILURE_NONE, UINT32_MAX },
    { "{a:", FAILURE_NONE, UINT32_MAX },
    { "\"\"\"", FAILURE_NONE, UINT32_MAX },
    { "'\\", FAILURE_NONE, UINT32_MAX },
    { "\\\"\"\"\n", FAILURE_NONE, LIMIT_CEL_ERRORS },
    { "r'''\n", FAILURE_NONE, UINT32_MAX },
    { "\\x41", FAILURE_NONE, LIMIT_CEL_ERRORS },
    { "x.all(x,", FAILURE_NONE, 1 },
    { "a.?", FAILURE_NONE, UINT32_MAX },
    { "as+", FAILURE_NONE, UINT32_MAX },
    { "9223372036854775808&&", FAILURE_NONE, LIMIT_CEL_ERRORS },
};

static void test_hostile_text_is_read_in_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(hostile_rows); i++) {
        const struct hostile_row *row = &hostile_rows[i];
        struct bytes text = repeated(row->unit, LIMIT_CEL_BYTES / strlen(row->unit), "");
        struct arena arena;
        struct cel_errors errors;
        struct cel_tree tree;
        arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
        double before = cpu_seconds();
        enum failure failure = parse(text, &arena, &errors, &tree);
        EXPECT(cpu_seconds() - before < 0.1 * slowness(), "%s takes %g s", shown(bytes_of(row->unit)), cpu_seconds() - before);
        EXPECT(failure == row->failure && !tree.root, "%s", shown(bytes_of(row->unit)));
        EXPECT(row->errors == UINT32_MAX || errors.count == row->errors, "%s: %u errors", shown(bytes_of(row->unit)), errors.count);
        arena_done(&arena);
        free_copy(text);
    }
    assert_rows();
}

/* optMap() repeats what it is called on: the tree doubles with each. */
static void test_nodes_are_limited(void **state)
{
    struct bytes text = repeated(".optMap(a, a)", 200, ""), longest = repeated("a&&", LIMIT_CEL_BYTES / 3, "a");
    char expression[4096];
    struct arena arena;
    struct cel_errors errors;
    struct cel_tree tree;
    (void)state;
    snprintf(expression, sizeof expression, "a%.*s", (int)text.length, text.data);
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    assert_int_equal(parse(bytes_of(expression), &arena, &errors, &tree), FAILURE_LIMIT);
    assert_null(tree.root);
    assert_int_equal(parse(longest, &arena, &errors, &tree), FAILURE_NONE);
    assert_non_null(tree.root);
    assert_int_equal(tree.count, 2 * (LIMIT_CEL_BYTES / 3) + 1);
    longest.length = LIMIT_CEL_BYTES + 1;
    assert_int_equal(parse(longest, &arena, &errors, &tree), FAILURE_LIMIT);
    arena_done(&arena);
    free_copy(text);
    free_copy(longest);
}

static const char *const memory_rows[] = {
    "a.optMap(x, [x, {1: M . N {f: 'a\\n'}}]).orValue(1.5) && b.?c[?d] || !e",
    "a.all(.x, x) & 'b' in + as + has(",
};

static void test_memory_fails(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(memory_rows); i++)
        for (size_t limit = 0; limit < 30000; limit += 8) {
            struct arena arena;
            struct cel_errors errors;
            struct cel_tree tree;
            arena_init(&arena, &memory_malloc, limit);
            enum failure failure = parse(bytes_of(memory_rows[i]), &arena, &errors, &tree);
            EXPECT(failure == arena.failure && (!failure || !tree.root), "%s with %zu bytes: %d", memory_rows[i], limit, failure);
            arena_done(&arena);
        }
    assert_rows();
}

/* ---- places ---- */

static void test_places(void **state)
{
    static const struct bytes text = BYTES("a\r\n\xC3\xA9\t\xF0\x9F\x98\x80x\n\ny");
    static const struct {
        uint32_t offset;
        int line, column;
    } rows[] = {
        { 0, 1, 1 }, { 2, 1, 3 }, { 3, 2, 1 }, { 5, 2, 2 }, { 6, 2, 3 }, { 10, 2, 4 }, { 11, 2, 5 }, { 12, 3, 1 }, { 13, 4, 1 },
        { 14, 4, 2 }, { CEL_NOWHERE, 1, 0 }, { CEL_NO_PLACE, -1, 0 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int line, column;
        cel_place(text, rows[i].offset, &line, &column);
        EXPECT(line == rows[i].line && column == rows[i].column, "%u: %d:%d", rows[i].offset, line, column);
    }
    assert_rows();
}

static void test_errors_are_sorted(void **state)
{
    static const struct {
        uint32_t offset;
        const char *text;
    } rows[] = { { 7, "d" }, { 3, "c" }, { CEL_NOWHERE, "b" }, { 7, "e" }, { CEL_NO_PLACE, "a" }, { 8, "f" }, { 7, "e2" } };
    struct arena arena;
    struct cel_errors errors;
    char order[32] = "";
    (void)state;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    cel_errors_init(&errors, &arena);
    for (size_t i = 0; i < COUNT(rows); i++)
        cel_error_add(&errors, CEL_ERROR_OTHER, rows[i].offset, rows[i].text);
    cel_errors_sort(&errors);
    for (uint32_t i = 0; i < errors.count; i++)
        strcat(order, errors.list[i].text);
    assert_string_equal(order, "abcdee2f");
    arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_hostile_text_is_read_in_time),
        cmocka_unit_test(test_nodes_are_limited),
        cmocka_unit_test(test_memory_fails),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_errors_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
