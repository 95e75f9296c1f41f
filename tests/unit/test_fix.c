/* Fixes of findings: the text that they make, and when there is none. */
#include "base/limits.h"
#include "doc/edit.h"
#include "unit.h"
#include "validate/context.h"
#include "validate/source_set.h"

#define DRIVER "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a.b}\nspec:\n  "
#define ATTACHMENT "apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata: {name: a.b}\nspec:\n  attacher: a.b\n"
#define CLASS "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\n"

static const struct {
    const char *name, *text, *fixed; /* fixed NULL: there is no fix */
    const char *words;
} rows[] = {
    { "case of an enum", DRIVER "fsGroupPolicy: file # why\n", DRIVER "fsGroupPolicy: File # why\n", "write File" },
    { "in its quotes", DRIVER "fsGroupPolicy: 'file'\n", DRIVER "fsGroupPolicy: 'File'\n", "write File" },
    { "a typing error of an enum may be another one", DRIVER "fsGroupPolicy: Fill\n", NULL, NULL },
    { "a boolean in quotes", DRIVER "attachRequired: \"true\"\n", DRIVER "attachRequired: true\n", "write without quotes: true" },
    { "a word for a boolean", DRIVER "attachRequired: \"No\"\n", DRIVER "attachRequired: false\n", "write without quotes: false" },
    { "a number in quotes", DRIVER "nodeAllocatableUpdatePeriodSeconds: '60'\n", DRIVER "nodeAllocatableUpdatePeriodSeconds: 60\n",
      "write without quotes: 60" },
    { "which YAML would take for another one", DRIVER "nodeAllocatableUpdatePeriodSeconds: '060'\n", NULL, NULL },
    { "a number where a string belongs", DRIVER "fsGroupPolicy: 0644\n", DRIVER "fsGroupPolicy: \"0644\"\n", "write in quotes: 0644" },
    { "a fraction as it is written", DRIVER "fsGroupPolicy: 1.30\n", DRIVER "fsGroupPolicy: \"1.30\"\n", "write in quotes: 1.30" },
    { "with a tag, the tag is wrong", DRIVER "fsGroupPolicy: !!int 7\n", NULL, NULL },
    { "a name with a typing error", DRIVER "attachRequierd: true\n", DRIVER "attachRequired: true\n", "rename it to attachRequired" },
    { "a name in quotes", DRIVER "\"attachrequired\": true\n", DRIVER "\"attachRequired\": true\n", "rename it to attachRequired" },
    { "a name that is there already", DRIVER "attachRequierd: true\n  attachRequired: false\n", NULL, NULL },
    { "an alias repeats the value", DRIVER "fsGroupPolicy: &p file\n  podInfoOnMount: *p\n", NULL, NULL },
    { "an anchor alone does no harm to names", DRIVER "attachRequierd: &p true\n", DRIVER "attachRequired: &p true\n", NULL },
    { "a template", DRIVER "attachRequired: \"{{ .Values.attach }}\"\n", NULL, NULL },
    { "the case of a kind", "apiVersion: storage.k8s.io/v1\nkind: csidriver\nmetadata: {name: a.b}\n",
      "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a.b}\n", "write CSIDriver" },
    { "a field that is known nowhere near", DRIVER "attachRequired: true\n  # of the object\n  metadata2: 1\n  kind: x\n", NULL, NULL },
    { "one that belongs there, into an object that is there", DRIVER "attachRequired: true\n# why\npodInfoOnMount: true # x\n",
      DRIVER "attachRequired: true\n  # why\n  podInfoOnMount: true # x\n", "move it into spec" },
    { "into one that is not there", "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a.b}\nattachRequired: true\n",
      "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a.b}\nspec:\n  attachRequired: true\n", "move it into spec" },
    { "which may be in two places", DRIVER "attachRequired: true\nspecs: {}\n", NULL, NULL },
    { "one level up", ATTACHMENT "  source:\n    persistentVolumeName: p\n    # where\n    nodeName: n1\n",
      ATTACHMENT "  source:\n    persistentVolumeName: p\n  # where\n  nodeName: n1\n", "move it one level up" },
    { "the first one, too", ATTACHMENT "  source:\n    nodeName: n1 # where\n    persistentVolumeName: p\n",
      ATTACHMENT "  source:\n    persistentVolumeName: p\n  nodeName: n1 # where\n", "move it one level up" },
    { "not if it is there", ATTACHMENT "  nodeName: n1\n  source:\n    persistentVolumeName: p\n    nodeName: n1\n", NULL, NULL },
    { "not if it is all that there is", ATTACHMENT "  source:\n    nodeName: n1\n", NULL, NULL },
    { "not out of what an alias repeats", ATTACHMENT "  source: &s\n    persistentVolumeName: p\n    nodeName: n1\nextra: *s\n", NULL, NULL },
    { "in braces", ATTACHMENT "  source: {persistentVolumeName: p, nodeName: n1}\n", NULL, NULL },
    { "an object that should not be there", CLASS "spec:\n  provisioner: a.b\n  # with\n  parameters:\n    c: d\n",
      CLASS "provisioner: a.b\n# with\nparameters:\n  c: d\n", "move the fields in it one level up" },
    { "not with one in it that belongs nowhere", CLASS "spec:\n  provisioner: a.b\n  colour: red\n", NULL, NULL },
    { "an API version that is deprecated", "apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\nmetadata: {name: a}\nspec: {}\n",
      "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\nspec: {}\n", "write it in resource.k8s.io/v1" },
    { "JSON, moved", "{\"apiVersion\":\"storage.k8s.io/v1\",\"kind\":\"CSIDriver\",\"metadata\":{\"name\":\"a.b\"},\"spec\":{\"attachRequired\":true},"
      "\"podInfoOnMount\":true}", "{\"apiVersion\":\"storage.k8s.io/v1\",\"kind\":\"CSIDriver\",\"metadata\":{\"name\":\"a.b\"},\"spec\":"
      "{\"attachRequired\":true, \"podInfoOnMount\":true}}", "move it into spec" },
    { "JSON", "{\"apiVersion\":\"storage.k8s.io/v1\",\"kind\":\"CSIDriver\",\"metadata\":{\"name\":\"a.b\"},\"spec\":{\"fsGroupPolicy\":5}}",
      "{\"apiVersion\":\"storage.k8s.io/v1\",\"kind\":\"CSIDriver\",\"metadata\":{\"name\":\"a.b\"},\"spec\":{\"fsGroupPolicy\":\"5\"}}", NULL },
};

/* The fixed text; NULL: no problem has a fix. */
static const char *fixed(const struct report *report, struct bytes text, struct arena *arena, const char **words)
{
    struct edits edits = { .arena = arena };
    for (uint32_t i = 0; i < report->count; i++) {
        const struct problem_fix *fix = report->problems[i].fix;
        for (uint32_t j = 0; fix && j < fix->count; j++)
            edits_add(&edits, fix->edits[j].from, fix->edits[j].to, fix->edits[j].text);
        *words = fix ? fix->words : *words;
    }
    assert_true(edits_sort(&edits));
    return edits.count ? edits_apply(&edits, text).data : NULL;
}

static void check(struct context *context, struct workspace *workspace, size_t row, version_set versions)
{
    const struct validate_settings settings = {
        .version = MINOR_NEWEST, .versions = versions, .fixes = true, .unknown_fields = UNKNOWN_REFUSED,
    };
    struct source_set set;
    struct source *source;
    struct report report;
    struct arena arena;
    const char *words = NULL;
    source_set_init(&set, context, &settings);
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    assert_int_equal(source_set_add(&set, "x", bytes_of(rows[row].text), &source), FAILURE_NONE);
    assert_int_equal(source_set_prepare(&set), FAILURE_NONE);
    assert_int_equal(source_set_validate(&set, workspace, source, &report), FAILURE_NONE);
    const char *text = fixed(&report, bytes_of(rows[row].text), &arena, &words);
    EXPECT(text && rows[row].fixed ? strcmp(text, rows[row].fixed) == 0 : text == rows[row].fixed, "%s: %s", rows[row].name,
           text ? text : "no fix");
    EXPECT(!rows[row].words || (words && strcmp(words, rows[row].words) == 0), "%s: %s", rows[row].name, words ? words : "no words");
    arena_done(&arena);
    source_set_done(&set);
}

static void test_texts(void **state)
{
    struct context context;
    struct workspace workspace;
    (void)state;
    assert_int_equal(context_init(&context, &memory_malloc), FAILURE_NONE);
    assert_int_equal(workspace_init(&workspace, &context), FAILURE_NONE);
    for (size_t i = 0; i < COUNT(rows); i++) {
        check(&context, &workspace, i, 0);
        check(&context, &workspace, i, version_bit(MINOR_NEWEST) | version_bit(MINOR_NEWEST - 1));
    }
    workspace_done(&workspace);
    context_done(&context);
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_texts) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
