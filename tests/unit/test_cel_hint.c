/* What is written instead of a selector that is wrong: one row a guess, and expressions for which there is none. */
#include "unit.h"
#include "unit_arena.h"

#include "cel/compile.h"
#include "schema/cel.h"

#define VERSION 35 /* of Kubernetes 1 */

struct row {
    const char *expression;
    const char *hint; /* NULL: none */
};

static const struct row rows[] = {
    { "device.driver == \"a\"", NULL },
    /* words for operators */
    { "true and true", "write && for and" },
    { "true AND true", "write && for and" },
    { "true or true", "write || for or" },
    { "true OR true", "write || for or" },
    { "not true", "write ! for not" },
    { "NOT true", "write ! for not" },
    { "not(true)", "write ! for not" },
    { "and", "write && for and" },
    { "device.driver is \"a\"", "write == to compare" },
    { "device.driver = \"a\"", "write == to compare; there is no assignment" },
    { "device.driver === \"a\"", "write == to compare" },
    { "true & true", "write && for and" },
    { "true | true", "write || for or" },
    { "device.driver <> \"a\"", "write != for not equal" },
    { "device.driver == \xE2\x80\x9Cgpu\xE2\x80\x9D", "write plain quotes: \"\"" },
    { "device.driver == \xE2\x80\x98gpu\xE2\x80\x99", "write plain quotes: \"\"" },
    { "true &&", NULL },
    { "(", NULL },
    { "1 $ 2", NULL },
    /* names */
    { "device.attributes[gpu.acme.dev].x == 1", "a domain is a text: write device.attributes[\"gpu.acme.dev\"]" },
    { "device . attributes [\n gpu.acme-x.dev].x == 1", "a domain is a text: write device.attributes[\"gpu.acme-x.dev\"]" },
    { "device.capacity[gpu.acme.dev].x == quantity(\"1\")", "a domain is a text: write device.capacity[\"gpu.acme.dev\"]" },
    { "device.other[gpu].x", "attributes are at device.attributes[\"domain\"].other" },
    { "gpu.acme.dev == 1", NULL },
    { "driver == \"a\"", "did you mean device.driver?" },
    { "attributes[\"a.b\"].x == 1", "did you mean device.attributes?" },
    { "capacity[\"a.b\"].x == 1", "did you mean device.capacity?" },
    { "dev.driver == \"a\"", "did you mean device?" },
    { "self.driver == \"a\"", "did you mean device?" },
    { "object.driver == \"a\"", "did you mean device?" },
    { "devcie.driver == \"a\"", "did you mean device?" },
    { "device.driver.startWith(\"a\")", "did you mean startsWith()?" },
    { "device.driver.macthes(\"a\")", "did you mean matches()?" },
    { "[1].exits(x, true)", "did you mean exists()?" },
    { "device.driver.zebra()", NULL },
    { "device.drivr == \"a\"", "did you mean driver?" },
    { "device.attribute[\"a.b\"].x == 1", "did you mean attributes?" },
    { "device.model == \"a100\"", "attributes are at device.attributes[\"domain\"].model" },
    { "device.capacity[\"a.b\"].memory.value == 1", "it has no fields; what it can do is called, as .isGreaterThan(...)" },
    { "[1].size == 1", NULL },
    /* domains */
    { "device.attributes.type == \"a\"", "the domain is missing: write device.attributes[\"domain\"].type" },
    { "device.driver == \"gpu.acme.dev\" && device.attributes.type == \"a\"",
      "the domain is missing: write device.attributes[\"gpu.acme.dev\"].type" },
    { "device.driver == 'gpu.acme.dev' && device.attributes[\"type\"] == \"a\"",
      "the domain is missing: write device.attributes[\"gpu.acme.dev\"].type" },
    { "device.attributes[\"gpu.acme.dev/type\"] == \"a\"", "domain and name stand apart: write device.attributes[\"gpu.acme.dev\"].type" },
    { "device.capacity[\"gpu.acme.dev/memory\"] == quantity(\"1\")",
      "domain and name stand apart: write device.capacity[\"gpu.acme.dev\"].memory" },
    { "device.attributes[\"gpu.acme.dev\"] == \"a\"", "the name is missing: write device.attributes[\"gpu.acme.dev\"].name" },
    /* types */
    { "device.capacity[\"a.b\"].memory == 40", "write a quantity: quantity(\"40Gi\")" },
    { "\"40Gi\" == device.capacity[\"a.b\"].memory", "write a quantity: quantity(\"40Gi\")" },
    { "device.capacity[\"a.b\"].memory >= 40", "compare quantities: .compareTo(quantity(\"40Gi\")) >= 0" },
    { "device.capacity[\"a.b\"].memory < \"40Gi\"", "compare quantities: .compareTo(quantity(\"40Gi\")) < 0" },
    { "device.capacity[\"a.b\"].memory >= quantity(\"40Gi\")", "compare quantities: .compareTo(quantity(\"40Gi\")) >= 0" },
    { "semver(\"1.2.3\") < semver(\"1.2.4\")", "compare versions: .compareTo(semver(\"1.2.3\")) < 0" },
    { "semver(\"1.2.3\") + semver(\"1.2.4\") == 1", NULL },
    { "semver(\"1.2.3\") == \"1.2.3\"", "write a version: semver(\"1.2.3\")" },
    { "semver(\"1.2.3\") > \"1.2.2\"", "compare versions: .compareTo(semver(\"1.2.3\")) > 0" },
    { "device.capacity[\"a.b\"].memory.compareTo(\"40Gi\") >= 0", "write a quantity: quantity(\"40Gi\")" },
    { "1 == 1.0", "convert one side: int(...) or double(...)" },
    { "1 + 1.0 == 2.0", "convert one side: int(...) or double(...)" },
    { "1 == \"1\"", "a text is compared with a number: write the number without quotes, or string(...)" },
    { "\"1\" > 1", "a text is compared with a number: write the number without quotes, or string(...)" },
    { "true + false == true", NULL },
    { "duration(\"x\") == duration(\"1h\")", NULL },
    { "1", NULL },
    /* costs */
    { "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, a.matches(b) && b.matches(c))))",
      "most of the cost is at 1:22: what is done for each element, times the elements that there can be" },
    { "string(cel.bind(v, dyn(device.driver), v)) == \"\"",
      "most of the cost is at 1:7: nothing bounds the size of what it works on; compare with a literal, or with less" },
    { "device.capacity[\"a.b\"].memory != quantity(\"1\")", "most of the cost is at 1:31: == is cheap for these values, so write !(a == b)" },
};

static const char *hint_of(const char *text)
{
    struct cel_expression compiled;
    struct bytes expression = exact_copy(bytes_of(text));
    arena_clear(&arena);
    assert_int_equal(cel_compile(expression, &cel_device_library, cel_environment(VERSION), &arena, &compiled), FAILURE_NONE);
    const char *hint = compiled.class == CEL_GOOD ? NULL : cel_device_library.hint(&cel_device_library, &compiled, expression, &arena);
    free_copy(expression);
    return hint;
}

static void test_hints(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *hint = hint_of(rows[i].expression);
        bool same = hint && rows[i].hint ? strcmp(hint, rows[i].hint) == 0 : hint == rows[i].hint;
        EXPECT(same, "%s: %s", rows[i].expression, hint ? hint : "no hint");
    }
    assert_rows();
}

/* Names are cut and escaped. */
static void test_hostile(void **state)
{
    (void)state;
    struct bytes text = repeated("a", 5000, "\\u001b[2J\"] == 1");
    char expression[5200];
    int length = snprintf(expression, sizeof expression, "device.attributes[\"x/%.*s", (int)text.length, text.data);
    assert_true(length > 5000 && length < (int)sizeof expression);
    const char *hint = hint_of(expression);
    assert_non_null(hint);
    EXPECT(strlen(hint) < 200 && !strchr(hint, 27), "%s", hint);
    free_copy(text);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, start_arena, end_arena);
}
