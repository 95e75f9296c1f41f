/* Configurations of answers: what is read from good ones, and what is said about bad ones, and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "schema/kind.h"
#include "review/configuration.h"
#include "review/configuration_schema.h"
#include "review/enforcement.h"

#define HEAD "apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\n"
#define POLICY(members) HEAD "policies:\n- {" members "}\n"

/* ---- good ones ---- */

/* A configuration in a line: version, mode, then each policy's lists and mode. */
static void describe(const struct configuration *configuration, char *line, size_t room)
{
    FILE *out = fmemopen(line, room, "w");
    fprintf(out, "%u %s", configuration->version, enforcement_words[configuration->mode]);
    for (uint32_t i = 0; i < configuration->policies.count; i++) {
        const struct policy *policy = &configuration->policies.list[i];
        unsigned rules = 0;
        fprintf(out, " |");
        for (uint32_t j = 0; j < policy->namespace_count; j++)
            fprintf(out, " %.*s%s", (int)policy->namespaces[j].text.length, policy->namespaces[j].text.data, policy->namespaces[j].is_prefix ? "*" : "");
        for (uint32_t j = 0; j < policy->kind_count; j++)
            fprintf(out, " %.*s.%.*s", (int)policy->kinds[j].kind.length, policy->kinds[j].kind.data, (int)policy->kinds[j].group.length, policy->kinds[j].group.data);
        for (int j = 0; policy->rules && j < RULE_COUNT; j++)
            rules += policy->rules[j];
        if (rules == RULE_COUNT)
            fprintf(out, " every");
        for (int j = 0; policy->rules && rules < RULE_COUNT && j < RULE_COUNT; j++)
            if (policy->rules[j])
                fprintf(out, " [%s]", rule_info((enum rule)j)->id);
        for (uint32_t j = 0; j < policy->field_count; j++)
            fprintf(out, " /%.*s", (int)policy->fields[j].length, policy->fields[j].data);
        for (uint32_t j = 0; j < policy->path_count; j++)
            fprintf(out, " path %.*s", (int)policy->paths[j].length, policy->paths[j].data);
        if (policy->has_mode)
            fprintf(out, " %s", enforcement_words[policy->mode]);
        if (policy->has_severity)
            fprintf(out, " as %s", level_words[policy->severity]);
        fprintf(out, "%s", policy->locked ? " locked" : "");
    }
    fclose(out);
}

/* What is for lint, in a line. */
static void describe_lint(const struct configuration *configuration, char *line, size_t room)
{
    const struct configured_texts *const lists[] = { &configuration->drivers, &configuration->exclude, &configuration->sets };
    const bool *const rules[] = { configuration->select, configuration->ignore };
    FILE *out = fmemopen(line, room, "w");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (uint32_t j = 0; j < lists[i]->count; j++)
            fprintf(out, "%zu:%s@%u:%u ", i, lists[i]->list[j].text, lists[i]->list[j].line, lists[i]->list[j].column);
    for (size_t i = 0; i < 2; i++)
        for (int rule = 0, count = 0; rules[i] && rule < RULE_COUNT; rule++)
            if (rules[i][rule] && count++ < 2)
                fprintf(out, "%s %s ", i ? "not" : "only", rule_info((enum rule)rule)->id);
    fprintf(out, "%u..%u", configuration->versions.since, configuration->versions.until);
    fprintf(out, " fail on %s", configuration->has_fail_on ? fail_on_words[configuration->fail_on] : "");
    fprintf(out, " unknown %s", configuration->has_unknown_fields ? unknown_fields_words[configuration->unknown_fields] : "");
    fprintf(out, " templates %s", configuration->has_templates ? templates_words[configuration->templates] : "");
    fclose(out);
}

static const char *const lint_cases[][2] = {
    { HEAD, "0..0 fail on  unknown  templates " },
    { HEAD "drivers: [a.yaml]\nexclude:\n- b\n- '!c/'\nsets: [d]\n",
      "0:a.yaml@3:11 1:b@5:3 1:!c/@6:3 2:d@7:8 0..0 fail on  unknown  templates " },
    { HEAD "select: [enum, gate]\nignore: [all]\n", "only enum only feature-gate not json-syntax not yaml-syntax 0..0 fail on  unknown  templates " },
    { HEAD "kubernetesVersion: 1.34..1.36\nfailOn: never\nunknownFields: ignore\ntemplates: error\n",
      "34..36 fail on never unknown ignore templates error" },
    { HEAD "failOn: error\nunknownFields: warn\ntemplates: skip\nignore: []\nexclude: null\n", "0..0 fail on error unknown warn templates skip" },
};

static void test_lint(void **state)
{
    static struct configuration_mistakes mistakes;
    (void)state;
    for (size_t i = 0; i < sizeof lint_cases / sizeof *lint_cases; i++) {
        struct configuration configuration;
        char line[1024] = "";
        enum failure failure = configuration_read_for_lint(&memory_malloc, bytes_of(lint_cases[i][0]), &configuration, &mistakes);
        if (failure)
            fail_msg("case %zu: %s: %s", i, failure_text(failure), mistakes.list[0].text);
        describe_lint(&configuration, line, sizeof line);
        configuration_done(&configuration);
        assert_string_equal(line, lint_cases[i][1]);
    }
}

/* Each member has its words, for editors. */
static void test_member_words(void **state)
{
    const struct shape *shape = configuration_kind.shape;
    (void)state;
    for (int i = 0; i < shape->field_count; i++)
        assert_non_null(configuration_member_words(shape->fields[i].name.data));
    assert_null(configuration_member_words("nothing"));
}

static const char *const good_cases[][2] = {
    { HEAD, "0 enforce" },
    { "{\"apiVersion\": \"drawbridge.dev/v1alpha1\", \"kind\": \"Configuration\"}", "0 enforce" },
    { "---\n# nothing\n---\n" HEAD "---\n", "0 enforce" },
    { HEAD "kubernetesVersion: \"1.35\"\nmode: audit\n", "35 audit" },
    { HEAD "kubernetesVersion: v1.33.4+k3s1\n", "33 enforce" },
    { HEAD "mode: null\npolicies: null\nkubernetesVersion: \"1.36\"\n", "36 enforce" },
    { HEAD "policies: []\nmode: warn", "0 warn" },
    { POLICY("mode: warn"), "0 enforce | warn" },
    { POLICY("namespaces: [team-a, \"dev-*\", \"*\", \"a-*\", 0a], mode: audit"), "0 enforce | team-a dev-* * a-* 0a audit" },
    { POLICY("kinds: [ResourceSlice, StorageClass.storage.k8s.io, CSIDriver], mode: audit"), "0 enforce | ResourceSlice. StorageClass.storage.k8s.io CSIDriver. audit" },
    { POLICY("rules: [no-effect, unknown-field, dns-label], mode: enforce"), "0 enforce | [unknown-field] [no-effect] [dns-label] enforce" },
    { POLICY("rules: [\"*\"], mode: enforce"), "0 enforce | every enforce" },
    { POLICY("fields: [spec.devices.attributes, metadata.name, \"spec.devices[].capacity{}\"], kinds: [ResourceSlice], mode: enforce"), "0 enforce | ResourceSlice. /spec.devices.attributes /metadata.name /spec.devices.capacity enforce" },
    { POLICY("severity: off"), "0 enforce | as off" },
    { POLICY("paths: [legacy/, '!x'], severity: \"off\""), "0 enforce | path legacy/ path !x as off" },
    { POLICY("rules: [all], severity: warning, locked: true, mode: warn"), "0 enforce | every warn as warning locked" },
    { POLICY("kinds: [StorageClass], locked: true"), "0 enforce | StorageClass. locked" },
    { POLICY("fields: [parameters], mode: enforce"), "0 enforce | /parameters enforce" },
    { HEAD "policies:\n- mode: warn\n  namespaces: [a]\n- mode: enforce\n  rules: ['*']\n", "0 enforce | a warn | every enforce" },
    { HEAD "policies: [{mode: warn, namespaces: [a], kinds: [StorageClass, ResourceClaim]}]", "0 enforce | a StorageClass. ResourceClaim. warn" },
};

static void test_good(void **state)
{
    static struct configuration_mistakes mistakes;
    (void)state;
    for (size_t i = 0; i < sizeof good_cases / sizeof *good_cases; i++) {
        struct configuration configuration;
        char line[1024] = "";
        char *text = strdup(good_cases[i][0]);
        enum failure failure = configuration_read(&memory_malloc, bytes_of(text), &configuration, &mistakes);
        if (failure)
            fail_msg("case %zu: %s: %s", i, failure_text(failure), mistakes.list[0].text);
        memset(text, 'x', strlen(text)); /* it is not needed any more */
        free(text);
        describe(&configuration, line, sizeof line);
        configuration_done(&configuration);
        assert_string_equal(line, good_cases[i][1]);
    }
}

/* ---- bad ones ---- */

static const struct bad_case {
    const char *text;
    uint32_t count, line, column;
    const char *says; /* the first mistake, in part */
} bad_cases[] = {
    { "", 1, 1, 1, "the file contains no configuration" },
    { "# only a remark\n---\n---\n", 1, 1, 1, "the file contains no configuration" },
    { "a: [", 1, 1, 5, "" },
    { "{\"apiVersion\": \"drawbridge.dev/v1alpha1\", \"apiVersion\": 1}", 1, 1, 43, "" },
    { "{\"kind\" \"Configuration\"}", 1, 1, 9, "" },
    { "text", 1, 1, 1, "must be an object" },
    { "[]", 1, 1, 1, "must be an object" },
    { HEAD "---\n" HEAD, 1, 4, 1, "only one document" },
    { HEAD "---\n{\n", 1, 5, 1, "" },
    { "kind: Configuration", 1, 1, 1, "apiVersion: Required value" },
    { "apiVersion: drawbridge.dev/v1alpha1", 1, 1, 1, "kind: Required value" },
    { "apiVersion: drawbridge.dev/v1\nkind: Configuration", 1, 1, 13, "apiVersion: Unsupported value: \"drawbridge.dev/v1\": supported values: \"drawbridge.dev/v1alpha1\"" },
    { "apiVersion: drawbridge.dev/v1alpha1\nkind: Config", 1, 2, 7, "kind: Unsupported value: \"Config\"" },
    { HEAD "policy: []\n", 1, 3, 1, "policy: Forbidden: unknown field" },
    { HEAD "Mode: warn\n", 1, 3, 1, "did you mean \"mode\"?" },
    { HEAD "policies:\n- mode: warn\n  rule: [a]\n", 1, 5, 3, "did you mean \"rules\"?" },
    { HEAD "mode: warn\nmode: audit\n", 1, 4, 1, "" },
    { HEAD "policies: [{mode: warn, mode: warn}]\n", 1, 3, 25, "" },
    { HEAD "mode: off\n", 1, 3, 7, "mode: Invalid value: false: must be a string" },
    { HEAD "mode: enforced\n", 1, 3, 7, "did you mean \"enforce\"?" },
    { HEAD "mode: [warn]\n", 1, 3, 1, "must be a string" },
    { HEAD "kubernetesVersion: 1.35\n", 1, 3, 20, "in quotes it is a string" },
    { HEAD "kubernetesVersion: \"1.30\"\n", 1, 3, 20, "must be a Kubernetes version from " OLDEST_VERSION " to " NEWEST_VERSION },
    { HEAD "kubernetesVersion: \"1.99\"\n", 1, 3, 20, "must be a Kubernetes version" },
    { HEAD "kubernetesVersion: \"\"\n", 1, 3, 20, "must be a Kubernetes version" },
    { HEAD "kubernetesVersion: \"1.35\\0\"\n", 1, 3, 20, "U+0000 in a string" },
    { HEAD "kubernetesVersion: \"1.35.12345678901234567890123456789012345678901234567890123456789012\"\n", 1, 3, 20, "must be a Kubernetes version" },
    { HEAD "policies: {}\n", 1, 3, 1, "policies: Invalid value" },
    { HEAD "policies: [warn]\n", 1, 3, 12, "policies[0]: Invalid value: \"warn\": must be an object" },
    { HEAD "policies: [null]\n", 1, 3, 12, "policies[0]: must be an object" },
    { POLICY(""), 1, 4, 3, "policies[0]: does nothing: it needs a mode" },
    { POLICY("mode: null"), 1, 4, 3, "policies[0]: does nothing" },
    { POLICY("mode: deny"), 1, 4, 10, "supported values: \"enforce\", \"warn\", \"audit\"" },
    { POLICY("mode: warn, rules: []"), 1, 4, 16, "policies[0].rules: Invalid value" },
    { POLICY("mode: warn, rules: no-effect"), 1, 4, 23, "a list of one element is written" },
    { POLICY("mode: warn, rules: [1]"), 1, 4, 24, "must be a string" },
    { POLICY("mode: warn, rules: [null]"), 1, 4, 24, "policies[0].rules[0]: \"\": must be a string" },
    { POLICY("mode: warn, rules: [no-efect]"), 1, 4, 24, "policies[0].rules[0]: \"no-efect\": no rule has this id; 'drawbridge rules' lists them; did you mean \"no-effect\"?" },
    { POLICY("mode: warn, rules: [no-effect, al]"), 1, 4, 35, "policies[0].rules[1]: \"al\": no rule has this id" },
    { POLICY("mode: warn, rules: [\"**\", \"\"]"), 2, 4, 24, "policies[0].rules[0]: \"**\": no rule has this id" },
    { POLICY("mode: warn, kinds: [resourceslices]"), 1, 4, 24, "did you mean \"ResourceSlice\"?" },
    { POLICY("mode: warn, kinds: [StorageClass.resource.k8s.io]"), 1, 4, 24, "there are no rules for such a kind" },
    { POLICY("mode: warn, kinds: [Pod]"), 1, 4, 24, "there are no rules for such a kind" },
    { POLICY("mode: warn, kinds: [PersistentVolume]"), 1, 4, 24, "there are no rules for such a kind" },
    { POLICY("mode: warn, kinds: [\"\", \".\", \"*\"]"), 3, 4, 24, "there are no rules for such a kind" },
    { POLICY("mode: warn, namespaces: [Team]"), 1, 4, 29, "policies[0].namespaces[0]: \"Team\": must be the name of a namespace, or the beginning of one and *" },
    { POLICY("mode: warn, namespaces: [a_b, \"a*b\", \"**\", \"\", -a, a-, \"-*\", \"a b\"]"), 8, 4, 29, "must be the name of a namespace" },
    { POLICY("mode: warn, namespaces: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]"), 1, 4, 29, "must be the name of a namespace" },
    { POLICY("mode: warn, namespaces: [a], kinds: [StorageClass]"), 1, 4, 3, "but only kinds without a namespace" },
    { POLICY("mode: warn, fields: [spec.device]"), 1, 4, 25, "no kind of this policy has such a field" },
    { POLICY("mode: warn, kinds: [StorageClass], fields: [parameter]"), 1, 4, 48, "did you mean \"parameters\"?" },
    { POLICY("mode: warn, kinds: [StorageClass], fields: [spec.devices]"), 1, 4, 48, "no kind of this policy has such a field" },
    { POLICY("mode: warn, fields: [\"\", \".\", \"[]\", metadata.]"), 3, 4, 25, "no kind of this policy has such a field" },
    { POLICY("severity: fatal"), 1, 4, 14, "policies[0].severity: must be error, warning, info or off" },
    { POLICY("severity: true"), 1, 4, 14, "policies[0].severity: must be error" },
    { POLICY("severity: [off]"), 1, 4, 14, "policies[0].severity: must be error" },
    { POLICY("locked: false"), 1, 4, 3, "policies[0]: does nothing" },
    { POLICY("locked: 1"), 1, 4, 12, "policies[0].locked: Invalid value" },
    { POLICY("mode: warn, paths: [a]"), 1, 4, 10, "policies[0].mode: is for reviews, which have no paths" },
    { POLICY("severity: off, paths: ['']"), 1, 4, 27, "policies[0].paths[0]: Required value" },
    { POLICY("severity: off, paths: [\"a\\nb\"]"), 1, 4, 27, "must be a pattern without line breaks" },
    { POLICY("severity: off, paths: [null]"), 1, 4, 27, "policies[0].paths[0]" },
    { HEAD "drivers: a.yaml\n", 1, 3, 10, "a list of one element is written" },
    { HEAD "drivers: [\"a\\nb\"]\n", 1, 3, 11, "drivers: each must be a text without line breaks" },
    { HEAD "exclude: [1]\n", 1, 3, 11, "must be a string" },
    { HEAD "sets: [{}]\n", 1, 3, 8, "must be a string" },
    { HEAD "select: []\n", 1, 3, 1, "must not be empty" },
    { HEAD "select: [no-efect]\n", 1, 3, 10, "select[0]: \"no-efect\": no rule has this id; 'drawbridge rules' lists them; did you mean \"no-effect\"?" },
    { HEAD "ignore: [1]\n", 1, 3, 10, "must be a string" },
    { HEAD "failOn: off\n", 1, 3, 9, "must be a string" },
    { HEAD "failOn: warn\n", 1, 3, 9, "supported values: \"error\", \"warning\", \"info\", \"never\"" },
    { HEAD "unknownFields: drop\n", 1, 3, 16, "supported values" },
    { HEAD "templates: render\n", 1, 3, 12, "supported values" },
    { HEAD "fail_on: error\n", 1, 3, 1, "did you mean \"failOn\"?" },
    { HEAD "kubernetesVersion: 1.34..1.36\n", 1, 3, 20, "must be a Kubernetes version from " OLDEST_VERSION " to " NEWEST_VERSION ": a range is for lint" },
    { HEAD "policies:\n- {mode: off, rules: [x]}\n- {mode: off}\n", 2, 4, 10, "policies[0].mode" },
    { HEAD "mode: \"a\\nb\\e[1m\"\n", 1, 3, 7, "\\n" },
};

static void test_bad(void **state)
{
    static struct configuration_mistakes mistakes;
    (void)state;
    for (size_t i = 0; i < sizeof bad_cases / sizeof *bad_cases; i++) {
        const struct bad_case *now = &bad_cases[i];
        struct configuration configuration;
        enum failure failure = configuration_read(&memory_malloc, bytes_of(now->text), &configuration, &mistakes);
        const struct configuration_mistake *first = &mistakes.list[0];
        if (failure != FAILURE_SYNTAX || mistakes.count != now->count || first->line != now->line || first->column != now->column || !strstr(first->text, now->says))
            fail_msg("case %zu: %s, %u mistakes, %u:%u: %s\n%s", i, failure_text(failure), mistakes.count, first->line, first->column, first->text, now->text);
        for (const char *c = first->text; *c; c++)
            assert_true((unsigned char)*c >= ' ');
    }
}

/* ---- bounds ---- */

/* `count` times `part`, between `before` and `behind`. */
static char *repeated(const char *before, const char *part, unsigned count, const char *behind)
{
    char *text = malloc(strlen(before) + strlen(part) * count + strlen(behind) + 1), *end = stpcpy(text, before);
    while (count--)
        end = stpcpy(end, part);
    strcpy(end, behind);
    return text;
}

static const struct bound_case {
    const char *before, *part;
    unsigned max;
    const char *behind;
} bound_cases[] = {
    { HEAD "policies:\n", "- {mode: warn}\n", LIMIT_POLICIES, "" },
    { HEAD "policies:\n- mode: warn\n  rules:\n", "  - no-effect\n", LIMIT_POLICY_ENTRIES, "" },
    { HEAD "policies:\n- mode: warn\n  kinds:\n", "  - StorageClass\n", LIMIT_POLICY_ENTRIES, "" },
    { HEAD "policies:\n- mode: warn\n  fields:\n", "  - parameters\n", LIMIT_POLICY_ENTRIES, "" },
    { HEAD "policies:\n- mode: warn\n  namespaces:\n", "  - a\n", LIMIT_POLICY_NAMESPACES, "" },
    { HEAD "policies:\n- severity: off\n  paths:\n", "  - a\n", LIMIT_POLICY_ENTRIES, "" },
    { HEAD "drivers:\n", "- a\n", LIMIT_CONFIGURED_DRIVERS, "" },
    { HEAD "exclude:\n", "- a\n", LIMIT_CONFIGURED_TEXTS, "" },
    { HEAD "sets:\n", "- a\n", LIMIT_CONFIGURED_TEXTS, "" },
    { HEAD "exclude:\n- ", "x", LIMIT_CONFIGURED_TEXT_BYTES, "" },
    { HEAD "select:\n", "- enum\n", RULE_COUNT, "" },
    { HEAD "ignore:\n", "- enum\n", RULE_COUNT, "" },
    { HEAD "#", "x", LIMIT_CONFIGURATION_BYTES - sizeof(HEAD "#") + 1, "" },
};

static void test_bounds(void **state)
{
    static struct configuration_mistakes mistakes;
    (void)state;
    for (size_t i = 0; i < sizeof bound_cases / sizeof *bound_cases; i++) {
        const struct bound_case *now = &bound_cases[i];
        for (unsigned more = 0; more < 2; more++) {
            struct configuration configuration;
            char *text = repeated(now->before, now->part, now->max + more, now->behind);
            enum failure failure = configuration_read(&memory_malloc, bytes_of(text), &configuration, &mistakes);
            if (failure != (more ? FAILURE_SYNTAX : FAILURE_NONE))
                fail_msg("case %zu with %u more: %s: %s", i, more, failure_text(failure), failure ? mistakes.list[0].text : "");
            if (!failure)
                configuration_done(&configuration);
            free(text);
        }
    }
}

/* Mistakes beyond those that are listed are counted. */
static void test_many_mistakes(void **state)
{
    static struct configuration_mistakes mistakes;
    struct configuration configuration;
    (void)state;
    char *text = repeated(HEAD "policies:\n", "- {mode: warn, rules: [x, z]}\n", LIMIT_POLICIES, "");
    assert_int_equal(configuration_read(&memory_malloc, bytes_of(text), &configuration, &mistakes), FAILURE_SYNTAX);
    assert_int_equal(mistakes.count, 2 * LIMIT_POLICIES);
    assert_int_equal(mistakes.list[LIMIT_CONFIGURATION_MISTAKES - 1].line, 7);
    free(text);
    text = repeated(HEAD, "x: 1\n", 1, "");
    assert_int_equal(configuration_read(&memory_malloc, bytes_of(text), &configuration, &mistakes), FAILURE_SYNTAX);
    assert_int_equal(mistakes.count, 1);
    free(text);
}

/* ---- warnings ---- */

/* An old id of a rule means the rule, with a warning that names it; also where a mistake stands beside it. */
static void test_old_ids(void **state)
{
    static struct configuration_mistakes mistakes;
    struct configuration configuration;
    char line[1024] = "";
    (void)state;
    const char *text = POLICY("rules: [dns-label, ignored, no-effect], mode: enforce");
    assert_int_equal(configuration_read(&memory_malloc, bytes_of(text), &configuration, &mistakes), FAILURE_NONE);
    describe(&configuration, line, sizeof line);
    configuration_done(&configuration);
    assert_string_equal(line, "0 enforce | [no-effect] [dns-label] enforce");
    assert_int_equal(mistakes.warning_count, 1);
    assert_string_equal(mistakes.warnings[0].text, "policies[0].rules[1]: \"ignored\": this rule is now called \"no-effect\"");
    assert_true(mistakes.warnings[0].line == 4 && mistakes.warnings[0].column == 23);

    text = POLICY("rules: [banned, clashes], mode: enforce");
    assert_int_equal(configuration_read(&memory_malloc, bytes_of(text), &configuration, &mistakes), FAILURE_SYNTAX);
    assert_true(mistakes.count == 1 && mistakes.warning_count == 1);

    text = POLICY("rules: [no-effect], mode: enforce");
    assert_int_equal(configuration_read(&memory_malloc, bytes_of(text), &configuration, &mistakes), FAILURE_NONE);
    configuration_done(&configuration);
    assert_int_equal(mistakes.warning_count, 0);
}

/* Warnings beyond those that are listed are counted, too. */
static void test_many_old_ids(void **state)
{
    static struct configuration_mistakes mistakes;
    struct configuration configuration;
    (void)state;
    char *text = repeated(HEAD "policies:\n- mode: warn\n  rules:\n", "  - gate\n", LIMIT_POLICY_ENTRIES, "");
    assert_int_equal(configuration_read(&memory_malloc, bytes_of(text), &configuration, &mistakes), FAILURE_NONE);
    configuration_done(&configuration);
    assert_int_equal(mistakes.warning_count, LIMIT_POLICY_ENTRIES);
    assert_int_equal(mistakes.warnings[LIMIT_CONFIGURATION_MISTAKES - 1].line, 13);
    free(text);
}

/* ---- settings ---- */

static void test_settings(void **state)
{
    static struct configuration_mistakes mistakes;
    struct configuration configuration;
    struct review_overrides none = { .version = 0 }, both = { .version = 33, .has_mode = true, .mode = ENFORCEMENT_AUDIT };
    (void)state;
    struct review_settings settings = configuration_settings(NULL, &none);
    assert_true(settings.profile == PROFILE_UNKNOWN_VERSION && settings.version == MINOR_DEFAULT && settings.mode == ENFORCEMENT_DENY && !settings.policies);
    settings = configuration_settings(NULL, &both);
    assert_true(settings.profile == PROFILE_WEBHOOK && settings.version == 33 && settings.mode == ENFORCEMENT_AUDIT);
    assert_int_equal(configuration_read(&memory_malloc, bytes_of(HEAD "kubernetesVersion: '1.34'\nmode: warn\npolicies: [{mode: warn}]"), &configuration, &mistakes), FAILURE_NONE);
    settings = configuration_settings(&configuration, &none);
    assert_true(settings.profile == PROFILE_WEBHOOK && settings.version == 34 && settings.mode == ENFORCEMENT_WARN && settings.policies == &configuration.policies);
    settings = configuration_settings(&configuration, &both);
    assert_true(settings.version == 33 && settings.mode == ENFORCEMENT_AUDIT && settings.policies);
    configuration_done(&configuration);
}

/* With every allocation failing in turn: never a crash or a leak, never half a configuration. */
static unsigned left;

static void *allocate(size_t bytes, void *data)
{
    (void)data;
    return left-- ? malloc(bytes) : (left = 0, NULL);
}

static void release(void *block, void *data)
{
    (void)data;
    free(block);
}

static void test_memory(void **state)
{
    const struct memory memory = { .allocate = allocate, .release = release };
    static struct configuration_mistakes mistakes;
    const char *const texts[] = { good_cases[12][0], POLICY("mode: warn, rules: [gate, no-efect], fields: [spec.devicess]"), HEAD "mode: of\n",
        HEAD "exclude: [a, b]\nselect: [enumm]\n" };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        enum failure failure = FAILURE_MEMORY, wanted = i ? FAILURE_SYNTAX : FAILURE_NONE;
        for (unsigned good = 0; failure == FAILURE_MEMORY && good < 1000; good++) {
            struct configuration configuration;
            left = good;
            failure = configuration_read(&memory, bytes_of(texts[i]), &configuration, &mistakes);
            if (!failure)
                configuration_done(&configuration);
        }
        assert_int_equal(failure, wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),     cmocka_unit_test(test_bad),      cmocka_unit_test(test_bounds), cmocka_unit_test(test_many_mistakes),
        cmocka_unit_test(test_old_ids),  cmocka_unit_test(test_many_old_ids), cmocka_unit_test(test_settings), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_lint),     cmocka_unit_test(test_member_words),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
