/* drawbridge lint: manifests in files and directories, validated as an API server would on create or update. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "cli/lint.h"
#include "cli/limits.h"
#include "cli/revision.h"
#include "lint/selection.h"
#include "review/configuration_schema.h"
#include "validate/range.h"

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* What is typed, and what is made of it. */
struct values {
    struct lint_options options;
    enum colour colour;
};

static bool parse_role(const char *text, void *value, struct error *error);
static bool parse_rules(const char *text, void *value, struct error *error);

static const char *const colours[] = { [COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never", NULL };

static const struct option_row option_rows[] = {
    OPTION_VERSIONS(struct values, options.versions,
                    "validate as an API server of that version does, or of each in the range",
                    .default_value = DEFAULT_VERSION),
    OPTION_GATES(struct values, options.gates, "feature gates of the API server; those that are not named are as that version has them"),
    OPTION_FORMATS(struct values, options.formats),
    OPTION_TEXT("config", "FILE", struct values, options.config,
                "the configuration, in place of each .drawbridge.yaml that stands above the files; none: there is none"),
    OPTION_FLAG("no-config", struct values, options.no_config, "read no configuration", .excludes = "config"),
    OPTION_FLAG("show-config", struct values, options.show_config, "print what is in force for the files, and lint nothing"),
    OPTION_PARSED("select", "RULE,...", struct values, options.select, parse_rules,
                  "report findings of these rules only; may be repeated; all: every rule"),
    OPTION_PARSED("ignore", "RULE,...", struct values, options.ignore, parse_rules,
                  "report no findings of these rules; may be repeated; all: every rule"),
    OPTION_CHOICE("fail-on", "a severity", fail_on_words, struct values, options.fail_on,
                  "the mildest findings for which the exit status is 1", .default_value = "error"),
    OPTION_FLAG("no-suppressions", struct values, options.no_suppressions,
                "report what comments (# drawbridge: ignore[RULE]) and annotations suppress, too"),
    OPTION_TEXT("baseline", "FILE", struct values, options.baseline, "report only what is not in that file: what is new"),
    OPTION_TEXT("write-baseline", "FILE", struct values, options.write_baseline,
                "write what is found to that file, in place of reports: for --baseline"),
    OPTION_LIST("exclude", "PATTERN", struct values, options.excludes,
                "leave out files and folders that match, as a line of a .gitignore in the current folder does"),
    OPTION_FLAG("no-gitignore", struct values, options.no_gitignore, "read what .gitignore and .git/info/exclude leave out"),
    OPTION_CHOICE("templates", "a way to treat templates", templates_words, struct values, options.templates,
                  "what is made of templates that nobody has rendered: they are skipped and counted, or errors", .default_value = "skip"),
    OPTION_FLAG("helm", struct values, options.helm, "validate what 'helm template' makes of the charts in folders"),
    OPTION_LIST("values", "FILE", struct values, options.values, "a file with values for all charts", .needs = "helm"),
    OPTION_FLAG("kustomize", struct values, options.kustomize,
                "validate what 'kustomize build', or 'kubectl kustomize', makes of the kustomizations in folders"),
    OPTION_FLAG("allow-nothing", struct values, options.allow_nothing, "exit with 0 if there is nothing to validate"),
    OPTION_TEXT("stdin-filename", "NAME", struct values, options.stdin_name, "the name of standard input in reports, for -"),
    OPTION_LIST("with", "PATH", struct values, options.with,
                "a file or directory with objects that others may refer to; they are not validated"),
    OPTION_TEXT("old", "PATH", struct values, options.old,
                "a file or directory with older objects: validate objects of the same name as updates of these"),
    OPTION_TEXT("old-rev", "REVISION", struct values, options.old_revision,
                "the same with the objects of the same paths in that revision of git, such as HEAD~1", .excludes = "old"),
    OPTION_FLAG("as-status", struct values, options.as_status, "validate updates of the status subresource"),
    OPTION_CHOICE("unknown-fields", "a way to report unknown fields", unknown_fields_words, struct values, options.unknown_fields,
                  "how a field is reported that the kind does not have", .default_value = "error"),
    OPTION_CHOICE("color", "a choice of colours", colours, struct values, colour,
                  "whether text is coloured; auto: on a terminal, and if NO_COLOR is not set", .default_value = "auto"),
    OPTION_PARSED("as", "ROLE", struct values, options.role, parse_role,
                  "also validate objects that have a role: recycler-pod-template (a Pod)"),
    OPTION_FLAG("inside-configmaps", struct values, options.inside_configmaps,
                "also validate objects that are written in the values of ConfigMaps"),
    OPTION_TEXT("drivers", "FILE", struct values, options.drivers,
                "also compare parameters with those of the drivers in that file: see 'drawbridge help drivers'"),
    OPTION_FLAG("fix", struct values, options.fix, "mend what can be mended for sure in the files, and report the rest",
                .excludes = "trace"),
    OPTION_FLAG("diff", struct values, options.diff, "print what --fix would change as a unified diff, and write nothing",
                .excludes = "trace"),
    OPTION_FLAG("quiet", struct values, options.quiet, "print findings, and nothing beside them", .letter = 'q', .excludes = "verbose"),
    OPTION_FLAG("verbose", struct values, options.verbose, "say what is skipped, and why", .letter = 'v'),
    OPTION_FLAG("statistics", struct values, options.statistics, "print how often each rule was found, in place of findings"),
    OPTION_NUMBER("jobs", "N", OPTION_COUNT, 1, LIMIT_TEAM, struct values, options.jobs,
                  "how many threads read files; otherwise as many as there are processors", .letter = 'j'),
    OPTION_TEXT("trace", "FIELD", struct values, options.trace,
                "print what became of each row at that path, such as spec.drivers.name, in place of findings"),
    { .name = NULL },
};

static bool wants_colour(enum colour colour)
{
    const char *no_colour = getenv("NO_COLOR");
    return colour == COLOUR_ALWAYS || (colour == COLOUR_AUTO && isatty(STDOUT_FILENO) && !(no_colour && *no_colour));
}

static bool parse_rules(const char *text, void *value, struct error *error)
{
    struct lint_rules *rules = value;
    rules->given = true;
    return selection_rules(text, rules->rules, error);
}

/* The kind with that role. */
static bool parse_role(const char *text, void *value, struct error *error)
{
    char roles[LIMIT_OPTION_WORDS_BYTES] = "";
    size_t length = 0;
    const struct kind *kind = kind_find_role(text);
    *(const struct kind **)value = kind;
    for (size_t i = 0; i < kind_count && length < sizeof roles; i++)
        if (kinds[i].role)
            length += (size_t)snprintf(roles + length, sizeof roles - length, "%s%s", length ? ", " : "", kinds[i].role);
    return kind || error_set(error, FAILURE_INPUT, "\"%s\" is not a role; one of %s", escape_text(text).text, roles);
}

static struct lint_given given(const struct options *options)
{
    return (struct lint_given){
        .versions = options_text(options, "kubernetes-version"),
        .gates = options_text(options, "feature-gates"),
        .unknown_fields = options_text(options, "unknown-fields"),
        .templates = options_text(options, "templates"),
        .drivers = options_text(options, "drivers"),
        .fail_on = options_text(options, "fail-on"),
        .formats = options_text(options, "format"),
    };
}

static int run(const struct command *command, int argc, char **argv)
{
    struct values values = { .options.versions = { MINOR_DEFAULT, MINOR_DEFAULT } };
    struct lint_options *asked = &values.options;
    struct options options;
    struct error error;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (options.operands == options.argc)
        return usage_error(command, "no file or directory given; - is standard input");
    if (asked->trace && options_text(&options, "format"))
        return usage_error(command, "--trace: is text for people: it goes without --format");
    if (asked->trace && version_range(asked->versions))
        return usage_error(command, "--trace: follows one version, not a range of them");
    asked->given = given(&options);
    if (asked->given.versions && !gate_settings_check_all(&asked->gates, asked->versions, &error))
        return usage_error(command, "--feature-gates: %s", error.text);
    if (asked->old_revision && !revision_check(asked->old_revision, &error))
        return usage_error(command, "--old-rev: %s", error.text);
    if ((asked->fix || asked->diff) && (asked->helm || asked->kustomize))
        return usage_error(command, "--fix: what %s renders is in no file that can be fixed", asked->helm ? "helm" : "kustomize");
    asked->colour = wants_colour(values.colour);
    return lint_run(command, asked, options.argv + options.operands, options.argc - options.operands);
}

const struct command lint_command = {
    .name = "lint",
    .operands = "PATH...",
    .summary = "validate manifests in files and directories",
    .description =
        "Validates the objects in YAML and JSON files as a Kubernetes API server would when they are created or, with\n"
        "--old, updated. PATH is a file, a directory (its .yaml, .yml and .json files, and those in folders below), a\n"
        "pattern such as 'k8s/**/*.yaml', or - for standard input. Hidden files, and what .gitignore names, are left out\n"
        "of directories. Objects of kinds without rules are skipped.\n",
    .options = option_rows,
    .run = run,
};
