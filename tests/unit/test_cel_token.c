/* Tokens of CEL: every form that the grammar has, and what an error skips. */
#include "unit.h"

#include "base/text.h"
#include "cel/limits.h"
#include "cel/token.h"
#include "unit_arena.h"

struct row {
    const char *expression;
    const char *tokens; /* kind and text, with a space after each; an error's kind is a question mark */
};

static const struct row rows[] = {
    { "", "" },
    { " \t\r\n\f", "" },
    { "a//b\n//c\r d\ne // f", "ID:a ID:e " },
    { "a /b", "ID:a '/' ID:b " },
    /* words */
    { "in true false null", "'in' 'true' 'false' 'null' " },
    { "index _in In trueish", "ID:index ID:_in ID:In ID:trueish " },
    { "as b r br x1_Y", "ID:as ID:b ID:r ID:br ID:x1_Y " },
    { "`a.b-c/d e`", "ESC:`a.b-c/d e` " },
    { "`` `a$b` c", "?:`` ?:`a$ ID:b ?:` c " },
    /* signs */
    { "== != < <= > >= && ||", "'==' '!=' '<' '<=' '>' '>=' '&&' '||' " },
    { "[]{}(),.-!?:+*/%", "'[' ']' '{' '}' '(' ')' ',' '.' '-' '!' '?' ':' '+' '*' '/' '%' " },
    { "a.?b[?c]", "ID:a '.' '?' ID:b '[' '?' ID:c ']' " },
    { "===", "'==' ?:= " },
    { "a = b", "ID:a ?:=  ID:b " },
    { "a &b|c|", "ID:a ?:&b ?:|c ?:| " },
    { "a#b$@;~^\\c", "ID:a ?:# ID:b ?:$ ?:@ ?:; ?:~ ?:^ ?:\\ ID:c " },
    { "\xC3\xA9==\xF0\x9F\x98\x80", "?:\xC3\xA9 '==' ?:\xF0\x9F\x98\x80 " },
    { "=\xC3\xA9" "a", "?:=\xC3\xA9 ID:a " },
    { "a\vb", "ID:a ?:\v ID:b " },
    /* numbers */
    { "0 007 12u 12U 0x1F 0xfu 0xFU", "INT:0 INT:007 UINT:12u UINT:12U INT:0x1F UINT:0xfu UINT:0xFU " },
    { "1.5 .5 1e3 1E+3 1.5e-3 .5e1", "FLOAT:1.5 FLOAT:.5 FLOAT:1e3 FLOAT:1E+3 FLOAT:1.5e-3 FLOAT:.5e1 " },
    { "5. 1.e5 a.5 1..2", "INT:5 '.' INT:1 '.' ID:e5 ID:a FLOAT:.5 INT:1 '.' FLOAT:.2 " },
    { "1e 1e+ 0x 0xg 0X1 1uu", "INT:1 ID:e INT:1 ID:e '+' INT:0 ID:x INT:0 ID:xg INT:0 ID:X1 UINT:1u ID:u " },
    { "-1", "'-' INT:1 " },
    /* strings */
    { "\"\" '' \"a'b\" 'a\"b'", "S:\"\" S:'' S:\"a'b\" S:'a\"b' " },
    { "\"\"\"a\n\"\"b\"\"\" '''c'''", "S:\"\"\"a\n\"\"b\"\"\" S:'''c''' " },
    { "r\"a\\\" R'b\\q' r'''c\\d'''", "S:r\"a\\\" S:R'b\\q' S:r'''c\\d''' " },
    { "b\"a\" B'b' bR\"c\\\" Br'''d'''", "B:b\"a\" B:B'b' B:bR\"c\\\" B:Br'''d''' " },
    { "rb\"x\" bb''", "ID:rb S:\"x\" ID:bb S:'' " },
    { "'\\a\\b\\f\\n\\r\\t\\v\\\"\\'\\\\\\?\\`'", "S:'\\a\\b\\f\\n\\r\\t\\v\\\"\\'\\\\\\?\\`' " },
    { "'\\x4F\\X4f\\u00e9\\U0001F600\\377\\000'", "S:'\\x4F\\X4f\\u00e9\\U0001F600\\377\\000' " },
    { "'\\q' 'a'", "?:'\\q S:' ' ID:a ?:' " },
    { "'\\x4' '\\u00e' '\\U0010FFF' '\\18' '\\400'", "?:'\\x4' ?:'\\u00e' ?:'\\U0010FFF' ?:'\\18 S:' ' ?:\\ INT:400 ?:' " },
    { "'a\nb", "?:'a\n ID:b " },
    { "'a\rb", "?:'a\r ID:b " },
    { "'a", "?:'a " },
    { "'a\\", "?:'a\\ " },
    { "r'a", "ID:r ?:'a " },
    { "\"\"\"a", "S:\"\" ?:\"a " },
    { "'''a\n\\q'", "S:'' ?:'a\n ?:\\ ID:q ?:' " },
    { "''''", "S:'' S:'' " },
};

static const char *short_name(enum cel_token_kind kind)
{
    switch (kind) {
    case CEL_TOKEN_IDENTIFIER: return "ID";
    case CEL_TOKEN_ESCAPED_IDENTIFIER: return "ESC";
    case CEL_TOKEN_STRING: return "S";
    case CEL_TOKEN_BYTES: return "B";
    case CEL_TOKEN_INT: return "INT";
    case CEL_TOKEN_UINT: return "UINT";
    case CEL_TOKEN_FLOAT: return "FLOAT";
    case CEL_TOKEN_ERROR: return "?";
    default: return cel_token_name(kind);
    }
}

static const char *tokens_of(struct bytes expression)
{
    struct cel_lexer lexer = cel_lexer(expression);
    struct text text;
    text_init(&text, &arena);
    for (struct cel_token token = cel_token_next(&lexer); token.kind != CEL_TOKEN_END; token = cel_token_next(&lexer)) {
        text_add(&text, short_name(token.kind));
        if (short_name(token.kind)[0] != '\'') {
            text_add(&text, ":");
            text_add_bytes(&text, token.text);
        }
        text_add(&text, " ");
    }
    return text_end(&text);
}

static void test_tokens(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bytes expression = exact_copy(bytes_of(rows[i].expression));
        const char *tokens = tokens_of(expression);
        EXPECT(strcmp(tokens, rows[i].tokens) == 0, "%s: %s", shown(expression), shown(bytes_of(tokens)));
        free_copy(expression);
    }
    assert_rows();
}

static void test_the_end_comes_again_and_again(void **state)
{
    (void)state;
    struct cel_lexer lexer = cel_lexer(bytes_of("a "));
    assert_int_equal(cel_token_next(&lexer).kind, CEL_TOKEN_IDENTIFIER);
    assert_int_equal(cel_token_next(&lexer).kind, CEL_TOKEN_END);
    struct cel_token end = cel_token_next(&lexer);
    assert_int_equal(end.kind, CEL_TOKEN_END);
    assert_int_equal(end.text.length, 0);
    assert_ptr_equal(end.text.data, lexer.end);
}

struct quoted {
    const char *written, *content;
    bool raw;
};

static void test_what_is_between_quotes(void **state)
{
    static const struct quoted strings[] = {
        { "''", "", false },       { "'a\\'b'", "a\\'b", false },        { "\"\"\"a\"b\"\"\"", "a\"b", false }, { "r'a\\'", "a\\", true },
        { "b''''''", "", false }, { "bR\"\"\"\\d\"\"\"", "\\d", true }, { "B'c'", "c", false },               { "R'd'", "d", true },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(strings); i++) {
        struct cel_lexer lexer = cel_lexer(bytes_of(strings[i].written));
        struct cel_token token = cel_token_next(&lexer);
        EXPECT(bytes_equal_text(cel_token_quoted(token), strings[i].content), "%s", strings[i].written);
        EXPECT(cel_token_is_raw(token) == strings[i].raw, "%s", strings[i].written);
    }
    assert_rows();
}

static uint32_t count_tokens(struct bytes expression)
{
    struct cel_lexer lexer = cel_lexer(expression);
    uint32_t count = 0;
    while (cel_token_next(&lexer).kind != CEL_TOKEN_END)
        count++;
    return count;
}

static void test_longer_expressions_have_no_tokens(void **state)
{
    (void)state;
    struct bytes longest = repeated("a ", LIMIT_CEL_BYTES / 2, ""), longer = repeated("a ", LIMIT_CEL_BYTES / 2, "b");
    assert_int_equal(count_tokens(longest), LIMIT_CEL_BYTES / 2);
    assert_int_equal(count_tokens(longer), 0);
    free_copy(longest);
    free_copy(longer);
}

/* Strings that go wrong far from where they begin, as often as there is room. */
static void test_time_is_proportional(void **state)
{
    static const char *const units[] = { "\"\"\"", "'''\n", "r'''", "\"\"\" ''' ", "'''\\", "'''\\q\"\"\"", "`a", "b\"", "//", "1e+" };
    (void)state;
    double before = cpu_seconds();
    for (size_t i = 0; i < COUNT(units); i++) {
        struct bytes expression = repeated(units[i], LIMIT_CEL_BYTES / strlen(units[i]), "");
        for (unsigned round = 0; round < 50; round++)
            (void)count_tokens(expression);
        free_copy(expression);
    }
    assert_true(cpu_seconds() - before < 1.0 * slowness());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_the_end_comes_again_and_again),
        cmocka_unit_test(test_what_is_between_quotes),
        cmocka_unit_test(test_longer_expressions_have_no_tokens),
        cmocka_unit_test(test_time_is_proportional),
    };
    return cmocka_run_group_tests_name("cel tokens", tests, start_arena, end_arena);
}
