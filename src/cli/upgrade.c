/* drawbridge upgrade: what another version of Kubernetes makes of manifests. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/limits.h"
#include "base/text.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/upgrade.h"
#include "validate/limits.h"
#include "validate/upgrade.h"

struct upgrade_options {
    minor from, to;
    struct option_list formats;
    struct gate_settings gates;
    bool fix, diff;
};

static const struct option_row option_rows[] = {
    OPTION_ONE_VERSION("from", struct upgrade_options, from, "the version that the cluster has", .required = true),
    OPTION_ONE_VERSION("to", struct upgrade_options, to, "the version that it will have", .default_value = NEWEST_VERSION),
    OPTION_GATES(struct upgrade_options, gates,
                 "feature gates of both API servers; those that are not named are as each version has them"),
    OPTION_FORMATS(struct upgrade_options, formats),
    OPTION_FLAG("fix", struct upgrade_options, fix,
                "rewrite the files: API versions that are deprecated or gone, and what moves with them"),
    OPTION_FLAG("diff", struct upgrade_options, diff, "print what would be rewritten as a unified diff, and write nothing", .needs = "fix"),
    { .name = NULL },
};

struct job {
    const struct command *command;
    struct inputs inputs;
    struct upgrade upgrade;
    struct arena arena; /* of one source's report */
    struct reporters reporters;
    int status;
    struct report_run run;
};

static void raise_status(struct job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

/* ---- output ---- */

/* The last line, for people. */
static void summarize(const struct job *job)
{
    const struct upgrade *upgrade = &job->upgrade;
    const char *between = "";
    for (int change = 0; change < UPGRADE_CHANGE_COUNT; change++) {
        if (!upgrade->counts[change])
            continue;
        fprintf(stderr, "%s%zu %s", between, upgrade->counts[change], upgrade_words((enum upgrade_change)change));
        between = ", ";
    }
    fprintf(stderr, "%s in %zu of ", *between ? "" : "nothing to do", upgrade->objects);
    print_count(stderr, job->run.counts.validated, "object");
    fputs(" of ", stderr);
    print_count(stderr, job->run.file_count, "file");
    fprintf(stderr, ", from Kubernetes 1.%u to 1.%u\n", upgrade->from, upgrade->to);
}

/* ---- the upgrade ---- */

static enum failure upgrade_source(struct job *job, struct source *source)
{
    struct report report, changes;
    workspace_clear(&job->inputs.workspace);
    arena_clear(&job->arena);
    enum failure failure = source_set_validate(&job->inputs.sources, &job->inputs.workspace, source, &report);
    if (failure)
        return failure;
    failure = upgrade_report(&job->upgrade, &report, &job->arena, &changes);
    if (failure)
        return failure;
    report.counts.errors = changes.counts.errors;
    report.counts.warnings = changes.counts.warnings;
    report.counts.infos = changes.counts.infos;
    counts_add(&job->run.counts, &report.counts);
    raise_status(job, changes.counts.errors ? EXIT_FOUND : EXIT_GOOD);
    return reporters_report(&job->reporters, &job->inputs.workspace, source, &changes);
}

static enum failure upgrade_all(struct job *job, const struct options *options)
{
    for (int i = options->operands; i < options->argc; i++)
        inputs_add(&job->inputs, options->argv[i]);
    raise_status(job, job->inputs.status);
    enum failure failure = source_set_prepare(&job->inputs.sources);
    for (struct source *source = job->inputs.sources.sources.first; source && !failure && !ferror(stdout); source = source->next)
        failure = upgrade_source(job, source);
    return failure;
}

/* Ends the reports, and says on standard error what was done. */
static int end_upgrade(struct job *job)
{
    const struct reporter *printed = reporters_printed(&job->reporters);
    struct error error;
    bool nothing = !job->run.counts.validated && job->status == EXIT_GOOD;
    job->run.file_count = job->inputs.sources.sources.count;
    job->run.status = nothing ? EXIT_USAGE : (enum exit_status)job->status;
    if (!reporters_end(&job->reporters, &error))
        return command_failed(job->command, reporters_status(&error), &error);
    if (end_output(job->command, EXIT_GOOD) != EXIT_GOOD)
        return EXIT_INTERNAL;
    if (nothing)
        return command_error(job->command, EXIT_USAGE, "no object of a kind with rules");
    if (!printed || printed->format->summary)
        summarize(job);
    return job->status;
}

static int upgrade(struct job *job, const struct options *options)
{
    struct error error;
    if (!reporters_begin(&job->reporters, stdout, false, &error))
        return command_failed(job->command, reporters_status(&error), &error);
    enum failure failure = upgrade_all(job, options);
    if (failure)
        return command_error(job->command, EXIT_USAGE, "%s",
                             failure == FAILURE_LIMIT ? "too many objects for one run" : failure_text(failure));
    return end_upgrade(job);
}

static int fix(struct job *job, const struct options *options, const struct upgrade_options *values)
{
    for (int i = options->operands; i < options->argc; i++) {
        if (strcmp(options->argv[i], "-") == 0 && !values->diff)
            return usage_error(job->command, "--fix: standard input cannot be rewritten; --diff shows what would be");
        inputs_add(&job->inputs, options->argv[i]);
    }
    return upgrade_fix(&job->inputs, values->to, values->diff);
}

static int run_job(struct job *job, const struct options *options, const struct upgrade_options *values)
{
    minor newest = values->from > values->to ? values->from : values->to;
    enum failure failure = inputs_init(&job->inputs, job->command, newest);
    if (failure)
        return command_error(job->command, EXIT_USAGE, "%s", failure_text(failure));
    job->inputs.sources.settings.versions = version_bit(values->from) | version_bit(values->to);
    job->inputs.sources.settings.gates = values->gates;
    job->inputs.sources.settings.unknown_fields = UNKNOWN_REFUSED;
    arena_init(&job->arena, &memory_malloc, LIMIT_ARENA_BYTES);
    int status = values->fix ? fix(job, options, values) : upgrade(job, options);
    arena_done(&job->arena);
    inputs_done(&job->inputs);
    return status;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct upgrade_options values = { .from = 0 };
    struct options options;
    struct error error;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (options.operands == options.argc)
        return usage_error(command, "no file or directory given; - is standard input");
    if (values.fix && options_text(&options, "format"))
        return usage_error(command, "--fix: goes without --format");
    if (values.from == values.to)
        return usage_error(command, "--from and --to are the same version");
    if (!gate_settings_check(&values.gates, values.from, &error) || !gate_settings_check(&values.gates, values.to, &error))
        return usage_error(command, "--feature-gates: %s", error.text);
    struct job job = {
        .command = command,
        .upgrade = { .from = values.from, .to = values.to },
        .run = { .command = command->name, .from = values.from, .versions = { values.to, values.to } },
    };
    if (reporters_init(&job.reporters, &values.formats, &job.run, &error))
        status = run_job(&job, &options, &values);
    else
        status = usage_error(command, "--format: %s", error.text);
    reporters_done(&job.reporters);
    return status;
}

const struct command upgrade_command = {
    .name = "upgrade",
    .operands = "PATH...",
    .summary = "say what another version of Kubernetes makes of manifests",
    .description =
        "Says of each object in YAML and JSON files what an API server of another version will do otherwise: what it\n"
        "refuses or drops, and which API versions it has no more. PATH is a file, a directory, or - for standard input.\n",
    .options = option_rows,
    .run = run,
};
