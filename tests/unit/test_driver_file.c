/* Files with the parameters of drivers: what is read from good ones, what is said about bad ones and where, and the limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "check/limits.h"
#include "tests/unit/workspace.h"
#include "validate/driver_file.h"

#define HEAD "apiVersion: drawbridge.dev/v1alpha1\nkind: Driver\nname: d\nsource: s\nparameters:\n"
#define TABLE(members) HEAD "- of: StorageClass\n  rows:\n  - {" members "}\n"
#define DEVICES(members) HEAD "- of: DeviceConfiguration\n  rows:\n  - {" members "}\n"

/* ---- good ones ---- */

static void test_members(void **state)
{
    static const char text[] = HEAD
        "- of: DeviceConfiguration\n  apiVersion: g/v1\n  kind: K\n  ignoreCase: true\n  rows:\n"
        "  - {name: a.b, type: integer, list: true, required: true, unless: [x], enum: [p, q], pattern: ^p,\n"
        "     minimum: -1, maximum: 7, needs: {c: [\"\", v], d: []}, deprecated: use c, since: v1.2}\n"
        "  - {name: plain}\n"
        "---\n"
        "{\"apiVersion\": \"drawbridge.dev/v1alpha1\", \"kind\": \"Driver\", \"name\": \"*e\", \"source\": \"t\",\n"
        " \"parameters\": [{\"of\": \"StorageClass\", \"rows\": [{\"name\": \"x*\"}]}]}\n";
    struct driver_file file;
    struct driver_mistake mistake = { .line = 0 };
    (void)state;
    assert_int_equal(driver_file_read(&file, &workspace, bytes_of(text), &mistake), FAILURE_NONE);
    assert_int_equal(file.drivers.count, 2);
    const struct driver *first = file.drivers.list[0], *second = file.drivers.list[1];
    const struct parameters *table = &first->tables[0];
    const struct parameter *row = &table->rows[0], *plain = &table->rows[1];
    assert_string_equal(first->name.data, "d");
    assert_string_equal(first->source, "s");
    assert_int_equal(first->count, 1);
    assert_null(table->of);
    assert_string_equal(table->api_version, "g/v1");
    assert_string_equal(table->kind, "K");
    assert_true(table->ignores_case && row->list && row->required);
    assert_int_equal(table->count, 2);
    assert_string_equal(row->name.data, "a.b");
    assert_int_equal(row->type, PARAMETER_INTEGER);
    assert_true(row->low == -1 && row->high == 7);
    assert_true(!strcmp(row->values[0], "p") && !strcmp(row->values[1], "q") && !row->values[2]);
    assert_true(!strcmp(row->unless[0], "x") && !row->unless[1]);
    assert_string_equal(row->pattern, "^p");
    assert_string_equal(row->deprecated, "use c");
    assert_string_equal(row->since, "v1.2");
    assert_true(!strcmp(row->needs[0].name, "c") && !strcmp(row->needs[0].values[0], "") && !strcmp(row->needs[0].values[1], "v"));
    assert_true(!strcmp(row->needs[1].name, "d") && !row->needs[1].values && !row->needs[2].name);
    assert_true(plain->type == PARAMETER_STRING && !plain->values && !plain->pattern && !plain->needs && !plain->deprecated && !plain->since);
    assert_true(plain->low == INT64_MIN && plain->high == INT64_MAX && !plain->required && !plain->list);
    assert_string_equal(second->name.data, "*e");
    assert_string_equal(second->tables[0].of, "StorageClass");
    driver_file_done(&file);
}

/* ---- bad ones ---- */

static const char *const bad_cases[][2] = {
    { "", "1:1 the file contains no driver" },
    { "---\n# nothing\n", "1:1 the file contains no driver" },
    { "a: [", "1:5 *" },
    { "a: 1\na: 2\n", "2:1 *" },
    { "[]", "1:1 Invalid value: []: must be an object" },
    { "{\"kind\": \"Driver\", \"kind\": \"Driver\"}", "1:20 duplicate key*" },
    { "kind: Driver\n", "1:1 apiVersion: Required value" },
    { HEAD, "5:1 parameters: Required value" },
    { HEAD "- {}\n", "6:3 parameters[0].of: Required value" },
    { HEAD "- {of: Pod, rows: [{name: a}]}\n", "6:8 parameters[0].of: Unsupported value: \"Pod\"*" },
    { HEAD "- {of: StorageClass}\n", "6:4 parameters[0].rows: Required value" },
    { HEAD "- {of: StorageClass, kind: K, apiVersion: v, rows: [{name: a}]}\n", "6:3 parameters: of a class have no apiVersion and kind" },
    { HEAD "- {of: DeviceConfiguration, kind: K, rows: [{name: a}]}\n", "6:3 parameters: have both an apiVersion and a kind, or neither" },
    { TABLE(""), "8:5 parameters[0].rows[0].name: Required value" },
    { TABLE("name: ''"), "8:12 parameters[0].rows[0].name: Required value" },
    { TABLE("name: '*'"), "8:5 name: stands for every name: leave the table out" },
    { TABLE("name: a, type: text"), "8:21 parameters[0].rows[0].type: Unsupported value: \"text\"*" },
    { TABLE("name: a, typ: string"), "8:15 parameters[0].rows[0].typ: Forbidden: unknown field; did you mean \"type\"?" },
    { TABLE("name: a, type: object"), "8:5 type: parameters of a class are texts: neither objects nor lists" },
    { TABLE("name: a, list: true"), "8:5 type: parameters of a class are texts: neither objects nor lists" },
    { TABLE("name: a, enum: x"), "8:21 parameters[0].rows[0].enum: Invalid value: \"x\": must be a list; *" },
    { TABLE("name: a, pattern: '('"), "8:24 pattern: is no regular expression of PCRE2" },
    { TABLE("name: a, minimum: 2, maximum: 1"), "8:5 minimum: is more than the maximum" },
    { TABLE("name: a, needs: [b]"), "8:15 parameters[0].rows[0].needs: Invalid value: *" },
    { TABLE("name: a}\n  - {name: a"), "9:12 parameters[0].rows[1].name: Duplicate value*" },
    { TABLE("name: a") "---\n" TABLE("name: a"), "12:7 name: is that of a driver before it: *" },
};

static void assert_mistake(const char *text, uint32_t length, const char *expected)
{
    struct driver_file file;
    struct driver_mistake mistake;
    char line[LIMIT_DRIVER_MISTAKE_BYTES + 32];
    size_t known = strcspn(expected, "*");
    assert_int_equal(driver_file_read(&file, &workspace, (struct bytes){ text, length }, &mistake), FAILURE_SYNTAX);
    snprintf(line, sizeof line, "%u:%u %s", mistake.line, mistake.column, mistake.text);
    if (expected[known])
        line[known] = '\0';
    if (strncmp(line, expected, known) != 0 || strlen(line) != known)
        fail_msg("%.40s: %s, not %s", text, line, expected);
}

static void test_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_cases / sizeof *bad_cases; i++)
        assert_mistake(bad_cases[i][0], (uint32_t)strlen(bad_cases[i][0]), bad_cases[i][1]);
}

/* ---- limits: the greatest number passes, one more is a mistake ---- */

static char many[LIMIT_DRIVER_FILE_BYTES + 2];

/* The text with `count` copies of `piece`, each with its number in place of the #, between `before` and `after`. */
static void repeat(const char *before, const char *piece, unsigned count, const char *after)
{
    FILE *out = fmemopen(many, sizeof many, "w");
    fputs(before, out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%.*s%u%s", (int)strcspn(piece, "#"), piece, i, strchr(piece, '#') + 1);
    fputs(after, out);
    fclose(out);
}

struct bound {
    const char *before, *piece, *after;
    unsigned limit;
    const char *mistake;
};

static void test_limits(void **state)
{
    static const struct bound bounds[] = {
        { HEAD "- of: StorageClass\n  rows:\n", "  - {name: a#}\n", "", LIMIT_PARAMETERS, "*" },
        { HEAD, "- {of: StorageClass, rows: [{name: a#}]}\n", "", LIMIT_PARAMETER_TABLES, "*" },
        { TABLE("name: a, enum: [x"), ", v#", "]}\n", LIMIT_PARAMETER_VALUES - 1, "*" },
        { TABLE("name: a, needs: {x: []"), ", n#: []", "}}\n", LIMIT_PARAMETER_NEEDS - 1, "*" },
        { TABLE("name: a, unless: [x"), ", n#", "]}\n", LIMIT_PARAMETER_NEEDS - 1, "*" },
        { "", "---\napiVersion: drawbridge.dev/v1alpha1\nkind: Driver\nname: d#\nsource: s\n"
              "parameters: [{of: StorageClass, rows: [{name: a}]}]\n", "", LIMIT_DRIVERS, "*" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        const struct bound *bound = &bounds[i];
        char before[1024];
        struct driver_file file;
        struct driver_mistake mistake;
        snprintf(before, sizeof before, "%s", bound->before);
        char *end = strstr(before, "}\n");
        if (end && *bound->after)
            *end = '\0'; /* the row goes on */
        repeat(before, bound->piece, bound->limit, bound->after);
        if (driver_file_read(&file, &workspace, bytes_of(many), &mistake))
            fail_msg("%zu: %s", i, mistake.text);
        driver_file_done(&file);
        repeat(before, bound->piece, bound->limit + 1, bound->after);
        assert_int_equal(driver_file_read(&file, &workspace, bytes_of(many), &mistake), FAILURE_SYNTAX);
    }
}

static void assert_length(const char *before, unsigned limit, const char *after)
{
    struct driver_file file;
    struct driver_mistake mistake;
    for (unsigned more = 0; more < 2; more++) {
        snprintf(many, sizeof many, "%s%0*d%s", before, (int)(limit + more), 0, after);
        assert_int_equal(driver_file_read(&file, &workspace, bytes_of(many), &mistake), more ? FAILURE_SYNTAX : FAILURE_NONE);
        if (!more)
            driver_file_done(&file);
    }
}

static void test_bytes(void **state)
{
    (void)state;
    assert_length(HEAD "- of: StorageClass\n  rows:\n  - {name: 'a", LIMIT_PARAMETER_TEXT_BYTES - 1, "'}\n");
    assert_length(HEAD "- of: StorageClass\n  rows:\n  - {name: a, pattern: 'a", LIMIT_PARAMETER_PATTERN_BYTES - 2, "'}\n");
    memset(many, '#', sizeof many - 1);
    many[LIMIT_DRIVER_FILE_BYTES] = '\n';
    assert_mistake(many, LIMIT_DRIVER_FILE_BYTES, "1:1 the file contains no driver");
    assert_mistake(many, LIMIT_DRIVER_FILE_BYTES + 1, "1:1 is larger than 1 MiB");
}

/* ---- failing allocations ---- */

static unsigned left;

static void *allocate(size_t bytes, void *data)
{
    (void)data;
    return left ? (left--, malloc(bytes)) : NULL;
}

static void release(void *pointer, void *data)
{
    (void)data;
    free(pointer);
}

static void test_no_memory(void **state)
{
    static const struct memory memory = { allocate, release, NULL };
    (void)state;
    for (unsigned allowed = 0;; allowed++) {
        struct context short_context;
        struct workspace short_workspace;
        struct driver_file file;
        struct driver_mistake mistake;
        enum failure failure;
        left = allowed;
        if (context_init(&short_context, &memory))
            continue;
        failure = workspace_init(&short_workspace, &short_context);
        if (!failure) {
            failure = driver_file_read(&file, &short_workspace, bytes_of(TABLE("name: a, pattern: ^a, needs: {b: [c]}")), &mistake);
            if (!failure)
                driver_file_done(&file);
            workspace_done(&short_workspace);
        }
        context_done(&short_context);
        if (!failure)
            break;
        assert_int_equal(failure, FAILURE_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members), cmocka_unit_test(test_mistakes),  cmocka_unit_test(test_limits),
        cmocka_unit_test(test_bytes),   cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("driver_file", tests, start_workspace, stop_workspace);
}
