/* drawbridge lint: manifests in files and directories, validated as an API server would on create or update. */
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "cli/limits.h"
#include "cli/lint_options.h"
#include "cli/revision.h"
#include "validate/range.h"

static bool parse_role(const char *text, void *value, struct error *error);

static const struct option_row option_rows[] = {
    OPTION_VERSIONS(struct lint_values, options.versions,
                    "validate as an API server of that version does, or of each in the range",
                    .default_value = DEFAULT_VERSION),
    LINT_OPTIONS_CONFIG
    OPTION_FLAG("show-config", struct lint_values, options.show_config, "print what is in force for the files, and lint nothing"),
    LINT_OPTIONS_SELECT
    OPTION_LIST("exclude", "PATTERN", struct lint_values, options.excludes,
                "leave out files and folders that match, as a line of a .gitignore in the current folder does"),
    OPTION_FLAG("no-gitignore", struct lint_values, options.no_gitignore, "read what .gitignore and .git/info/exclude leave out"),
    OPTION_CHOICE("templates", "a way to treat templates", templates_words, struct lint_values, options.templates,
                  "what is made of templates that nobody has rendered: they are skipped and counted, or errors", .default_value = "skip"),
    OPTION_FLAG("helm", struct lint_values, options.helm, "validate what 'helm template' makes of the charts in folders"),
    OPTION_LIST("values", "FILE", struct lint_values, options.values, "a file with values for all charts", .needs = "helm"),
    OPTION_FLAG("kustomize", struct lint_values, options.kustomize,
                "validate what 'kustomize build', or 'kubectl kustomize', makes of the kustomizations in folders"),
    OPTION_FLAG("allow-nothing", struct lint_values, options.allow_nothing, "exit with 0 if there is nothing to validate"),
    OPTION_TEXT("stdin-filename", "NAME", struct lint_values, options.stdin_name, "the name of standard input in reports, for -"),
    OPTION_LIST("with", "PATH", struct lint_values, options.with,
                "a file or directory with objects that others may refer to; they are not validated"),
    OPTION_TEXT("old", "PATH", struct lint_values, options.old,
                "a file or directory with older objects: validate objects of the same name as updates of these"),
    OPTION_TEXT("old-rev", "REVISION", struct lint_values, options.old_revision,
                "the same with the objects of the same paths in that revision of git, such as HEAD~1", .excludes = "old"),
    OPTION_FLAG("as-status", struct lint_values, options.as_status, "validate updates of the status subresource"),
    LINT_OPTIONS_REPORT
    OPTION_PARSED("as", "ROLE", struct lint_values, options.role, parse_role,
                  "also validate objects that have a role: recycler-pod-template (a Pod)"),
    OPTION_FLAG("inside-configmaps", struct lint_values, options.inside_configmaps,
                "also validate objects that are written in the values of ConfigMaps"),
    OPTION_FLAG("fix", struct lint_values, options.fix, "mend what can be mended for sure in the files, and report the rest",
                .excludes = "trace"),
    OPTION_FLAG("diff", struct lint_values, options.diff, "print what --fix would change as a unified diff, and write nothing",
                .excludes = "trace"),
    OPTION_NUMBER("jobs", "N", OPTION_COUNT, 1, LIMIT_TEAM, struct lint_values, options.jobs,
                  "how many threads read files; otherwise as many as there are processors", .letter = 'j'),
    OPTION_TEXT("trace", "FIELD", struct lint_values, options.trace,
                "print what became of each row at that path, such as spec.drivers.name, in place of findings"),
    { .name = NULL },
};

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

static int run(const struct command *command, int argc, char **argv)
{
    struct lint_values values = { .options.versions = { MINOR_DEFAULT, MINOR_DEFAULT } };
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
    asked->given.templates = options_text(&options, "templates");
    if (!lint_take_values(command, &options, &values))
        return EXIT_USAGE;
    if (asked->old_revision && !revision_check(asked->old_revision, &error))
        return usage_error(command, "--old-rev: %s", error.text);
    if ((asked->fix || asked->diff) && (asked->helm || asked->kustomize))
        return usage_error(command, "--fix: what %s renders is in no file that can be fixed", asked->helm ? "helm" : "kustomize");
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
