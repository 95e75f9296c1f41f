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

enum upgrade_format { UPGRADE_TEXT, UPGRADE_JSON };

struct upgrade_options {
    minor from, to;
    enum upgrade_format format;
    struct gate_settings gates;
    bool fix, diff;
};

static const char *const formats[] = { [UPGRADE_TEXT] = "text", [UPGRADE_JSON] = "json", NULL };

static const struct option_row option_rows[] = {
    OPTION_ONE_VERSION("from", struct upgrade_options, from, "the version that the cluster has", .required = true),
    OPTION_ONE_VERSION("to", struct upgrade_options, to, "the version that it will have", .default_value = NEWEST_VERSION),
    OPTION_GATES(struct upgrade_options, gates,
                 "feature gates of both API servers; those that are not named are as each version has them"),
    OPTION_CHOICE("format", "a format", formats, struct upgrade_options, format, "text for people, or one JSON object a line",
                  .default_value = "text"),
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
    report_function *print;
    bool text;
    int status;
    struct counts counts;
};

static void raise_status(struct job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

/* ---- output ---- */

/* ResourceClaim "train", FILE:LINE */
static void print_heading(struct job *job, const struct problem *problem)
{
    const struct item *item = problem->item;
    struct position position = { .line = 1 };
    struct text text;
    text_init(&text, &job->arena);
    text_add_escaped(&text, item->kind_name, LIMIT_QUOTE_BYTES);
    text_add(&text, " ");
    text_add_quoted(&text, item->name, LIMIT_QUOTE_BYTES);
    text_add(&text, ", ");
    text_add_escaped(&text, bytes_of(item->source->name), LIMIT_FILE_NAME_BYTES);
    const char *words = text_end(&text);
    if (item->node && !lines_find(&item->source->lines, item->node->offset, &position) && words)
        printf("%s:%u\n", words, position.line);
}

/* Object by object. */
static enum failure print_changes(struct job *job, const struct report *changes)
{
    const struct report_settings output = { .out = stdout };
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0, next; i < changes->count && !failure; i = next) {
        for (next = i + 1; next < changes->count && changes->problems[next].item == changes->problems[i].item;)
            next++;
        const struct report part = { .problems = &changes->problems[i], .count = next - i };
        if (job->text && changes->problems[i].item->node)
            print_heading(job, &changes->problems[i]);
        failure = job->print(&output, &job->inputs.workspace, &part);
    }
    return failure;
}

static void print_count(size_t count, const char *noun)
{
    fprintf(stderr, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}

/* The last line, for people. */
static void summarize(const struct job *job, uint32_t files)
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
    print_count(job->counts.validated, "object");
    fputs(" of ", stderr);
    print_count(files, "file");
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
    counts_add(&job->counts, &report.counts);
    failure = upgrade_report(&job->upgrade, source, &report, &job->inputs.context, &job->arena, &changes);
    if (!failure)
        failure = print_changes(job, &changes);
    raise_status(job, changes.counts.errors ? EXIT_FOUND : EXIT_GOOD);
    return failure;
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

static int upgrade(struct job *job, const struct options *options)
{
    enum failure failure = upgrade_all(job, options);
    if (failure)
        return command_error(job->command, EXIT_USAGE, "%s",
                             failure == FAILURE_LIMIT ? "too many objects for one run" : failure_text(failure));
    if (end_output(job->command, EXIT_GOOD) != EXIT_GOOD)
        return EXIT_INTERNAL;
    if (!job->counts.validated && job->status == EXIT_GOOD)
        return command_error(job->command, EXIT_USAGE, "no object of a kind with rules");
    if (job->text)
        summarize(job, job->inputs.sources.sources.count);
    return job->status;
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
    if (values.fix && values.format != UPGRADE_TEXT)
        return usage_error(command, "--fix: goes without --format json");
    if (values.from == values.to)
        return usage_error(command, "--from and --to are the same version");
    if (!gate_settings_check(&values.gates, values.from, &error) || !gate_settings_check(&values.gates, values.to, &error))
        return usage_error(command, "--feature-gates: %s", error.text);
    struct job job = {
        .command = command, .upgrade = { .from = values.from, .to = values.to },
        .text = values.format == UPGRADE_TEXT, .print = values.format == UPGRADE_TEXT ? report_text : report_json,
    };
    minor newest = values.from > values.to ? values.from : values.to;
    enum failure failure = inputs_init(&job.inputs, command, newest);
    if (failure)
        return command_error(command, EXIT_USAGE, "%s", failure_text(failure));
    job.inputs.sources.settings.versions = version_bit(values.from) | version_bit(values.to);
    job.inputs.sources.settings.gates = values.gates;
    job.inputs.sources.settings.unknown_fields = UNKNOWN_REFUSED;
    arena_init(&job.arena, &memory_malloc, LIMIT_ARENA_BYTES);
    status = values.fix ? fix(&job, &options, &values) : upgrade(&job, &options);
    arena_done(&job.arena);
    inputs_done(&job.inputs);
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
