/* drawbridge explain: kinds and their fields, rules, feature gates, drivers, functions of CEL. */
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "cli/complete.h"
#include "cli/explain.h"
#include "schema/shape.h"

struct explain_options {
    minor version; /* 0: any */
};

static const struct option_row option_rows[] = {
    OPTION_VERSION(struct explain_options, version,
                   "show what applies in that version; without it, all constraints, with the versions in which each applies"),
    { .name = NULL },
};

/* The kind is known, but not in the API version that was named. */
static int unknown_version(const struct command *command, const char *asked, const struct kind *kind)
{
    char versions[LIMIT_OPTION_WORDS_BYTES] = "";
    size_t length = 0;
    for (size_t i = 0; i < kind_count && length < sizeof versions; i++)
        if (explain_same_rules(&kinds[i], kind))
            length += (size_t)snprintf(versions + length, sizeof versions - length, "%s%s", length ? ", " : "", kinds[i].version.data);
    return usage_error(command, "\"%s\" is not an API version of %s that has rules; these have: %s", escape_text(asked).text,
                       kind->kind.data, versions);
}

static int unknown_subject(const struct command *command, const char *asked)
{
    struct nearest nearest = { .wanted = { asked, (uint32_t)strcspn(asked, "./") } };
    kind_names_near(&nearest);
    rules_consider(&nearest);
    for (size_t i = 0; i < gate_count; i++)
        near_consider(&nearest, bytes_of(gates[i].name));
    struct nearest driver = { .wanted = bytes_of(asked) }; /* whose name has dots */
    for (uint32_t i = 0; i < built_in_drivers.count; i++)
        near_consider(&driver, built_in_drivers.list[i]->name);
    return usage_unknown(command, asked, "a kind with rules, a rule, a feature gate or a driver", "",
                         driver.found.data ? &driver : &nearest);
}

static int explain(const struct command *command, const char *asked, minor version)
{
    if (strchr(asked, ' ')) /* no name has one */
        return explain_words(command, asked);
    const struct gate *gate = gate_find(asked);
    if (gate)
        return explain_gate(command, gate, version);
    enum rule rule = rule_find(bytes_of(asked)); /* ids have no upper case, and those of kinds are none */
    if (rule != RULE_COUNT)
        return explain_rule(command, rule);
    const struct driver *driver = driver_find(&built_in_drivers, bytes_of(asked)); /* no kind has such a name */
    if (driver)
        return explain_driver(command, driver, asked);
    struct kind_name name = kind_name_read(asked, version);
    if (name.kind)
        return explain_fields(command, &name, version);
    const char *slash = strchr(asked, '/');
    return name.other && slash ? unknown_version(command, slash + 1, name.other) : unknown_subject(command, asked);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct explain_options values = { .version = 0 };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    char **operands = options.argv + options.operands; /* argv ends in NULL */
    int count = options.argc - options.operands;
    if (count == 0)
        return explain_list_kinds(command);
    if (count <= 2 && strcmp(operands[0], "cel") == 0)
        return explain_cel(command, operands[1]);
    if (count > 1)
        return usage_error(command, "takes one KIND, KIND.PATH, RULE, GATE, DRIVER or quoted WORDS");
    return explain(command, operands[0], values.version);
}

/* Kinds in small letters, as they are mostly typed, rules, gates and drivers. */
static void complete(const char *typed)
{
    char name[LIMIT_COMPLETE_BYTES];
    for (size_t i = 0; i < kind_count; i++)
        if (!(kinds[i].traits & KIND_CONTEXT) && explain_is_first(&kinds[i]) && kinds[i].kind.length < sizeof name) {
            for (uint32_t at = 0; at <= kinds[i].kind.length; at++)
                name[at] = near_lower(kinds[i].kind.data[at]);
            complete_word(typed, name, kinds[i].kind.data);
        }
    for (int rule = 0; rule < RULE_COUNT; rule++)
        complete_word(typed, rule_info((enum rule)rule)->id, rule_info((enum rule)rule)->asks);
    for (size_t i = 0; i < gate_count; i++)
        complete_word(typed, gates[i].name, "a feature gate");
    for (uint32_t i = 0; i < built_in_drivers.count; i++)
        complete_word(typed, built_in_drivers.list[i]->name.data + (*built_in_drivers.list[i]->name.data == '*'), "a driver");
    complete_word(typed, "cel", "what expressions can use");
}

const struct command explain_command = {
    .name = "explain",
    .operands = "[KIND[.PATH] | RULE | GATE | DRIVER | WORDS | cel [FUNCTION]]",
    .summary = "show the constraints of a kind or field, or explain a rule, feature gate or driver",
    .description =
        "Shows every constraint at a field and below it: what it asks for, when, in which versions of Kubernetes, and\n"
        "where it is from. KIND is a kind, its plural or its short name, in any case, as kubectl takes it: sc,\n"
        "storageclasses.storage.k8s.io, resourceclaims.v1beta1.resource.k8s.io, deviceclass/v1. Without KIND, the\n"
        "kinds are listed. RULE is the id of a rule, as lint prints it, and GATE a feature gate of API servers.\n"
        "DRIVER is the name of a driver whose parameters lint knows, such as ebs.csi.aws.com.\n"
        "WORDS are what the scheduler says about devices, such as \"cannot allocate all claims\", or the line of an event.\n"
        "'explain cel' lists what expressions of device selectors can use, 'explain cel FUNCTION' explains one of these.\n",
    .options = option_rows,
    .run = run,
    .complete = complete,
};
