/* drawbridge match: which devices fit the requests of a claim, and why others do not. */
#include "cli/match.h"

#include <stdio.h>

#include "base/escape.h"
#include "base/limits.h"
#include "cli/cli.h"
#include "cli/inputs.h"
#include "match/node.h"

enum match_format { MATCH_FORMAT_TEXT, MATCH_FORMAT_JSON };

struct match_options {
    minor version;
    enum match_format format;
    const char *node;
    bool all;
};

static const char *const formats[] = { [MATCH_FORMAT_TEXT] = "text", [MATCH_FORMAT_JSON] = "json", NULL };

static const struct option_row option_rows[] = {
    OPTION_TEXT("node", "NAME", struct match_options, node, "only devices that can be used on that node"),
    OPTION_FLAG("all", struct match_options, all, "show every device; otherwise at most three for each reason"),
    OPTION_CHOICE("format", "a format", formats, struct match_options, format,
                  "a table for people, or a JSON object for each claim, with every device", .default_value = "text"),
    OPTION_VERSION(struct match_options, version, "match as that version's scheduler does", .default_value = DEFAULT_VERSION),
    { .name = NULL },
};

struct job {
    const struct command *command;
    const struct match_options *options;
    struct inputs inputs;
    struct match_world world;
    struct match_output output;
    uint32_t subjects, enough;
};

static int fail(const struct job *job, enum failure failure)
{
    return command_error(job->command, EXIT_USAGE, "%s", failure == FAILURE_LIMIT ? "too much to match in time and memory that are bounded"
                                                                                  : failure_text(failure));
}

/* ---- what is matched ---- */

static bool is_claim(const struct item *item)
{
    return match_is_subject(item) && !bytes_equal_text(item->kind->kind, "DeviceClass");
}

typedef bool filter(const struct item *item);

static bool any(const struct source *from, const struct source *end, filter *fits)
{
    for (const struct source *source = from; source != end; source = source->next)
        for (const struct item *item = source->first; item; item = item->next)
            if (fits(item))
                return true;
    return false;
}

/* The sources of the first path end before `end`: claims and templates there, or else its classes; or else all claims and templates. */
static filter *choose(const struct source *first, const struct source **end)
{
    if (any(first, *end, is_claim))
        return is_claim;
    if (any(first, *end, match_is_subject))
        return match_is_subject;
    *end = NULL;
    return any(first, NULL, is_claim) ? is_claim : NULL;
}

static int match_item(struct job *job, const struct item *item)
{
    struct match_report report;
    struct position position = { .line = 0 };
    enum failure failure = lines_find(&item->source->lines, item->node->offset, &position);
    if (!failure) {
        failure = match_report_init(&report, &job->world, item);
        arena_clear(&job->output.arena);
        if (!failure)
            failure = job->options->format == MATCH_FORMAT_JSON ? match_print_json(&job->output, &report, position.line)
                                                                : match_print_text(&job->output, &report, position.line);
        job->subjects++;
        job->enough += report.enough;
        match_report_done(&report);
    }
    return failure ? fail(job, failure) : EXIT_GOOD;
}

static bool is_unknown(const struct item *item)
{
    static const char group[] = "resource.k8s.io/";
    return !item->kind && item->api_version.length > sizeof group - 1 && !memcmp(item->api_version.data, group, sizeof group - 1);
}

static int say_unknown(struct job *job, const struct item *item)
{
    struct text text;
    text_init(&text, &job->output.arena);
    text_add_escaped(&text, item->kind_name, LIMIT_QUOTE_BYTES);
    text_add(&text, " of API version ");
    text_add_quoted(&text, item->api_version, LIMIT_QUOTE_BYTES);
    const char *words = text_end(&text);
    return words ? command_error(job->command, EXIT_USAGE, "nothing to match: %s is not known", words)
                 : fail(job, job->output.arena.failure);
}

static int nothing(struct job *job)
{
    for (const struct source *source = job->inputs.sources.sources.first; source; source = source->next)
        for (const struct item *item = source->first; item; item = item->next)
            if (is_unknown(item))
                return say_unknown(job, item);
    return command_error(job->command, EXIT_USAGE, "nothing to match: no ResourceClaim, ResourceClaimTemplate or DeviceClass is given");
}

static int match_items(struct job *job, const struct source *end)
{
    int status = EXIT_GOOD;
    const struct source *first = job->inputs.sources.sources.first;
    filter *fits = choose(first, &end);
    if (!fits)
        return nothing(job);
    for (const struct source *source = first; source != end && !status; source = source->next)
        for (const struct item *item = source->first; item && !status; item = item->next)
            if (fits(item))
                status = match_item(job, item);
    return status;
}

/* ---- what is said beside the reports ---- */

/* Objects that count as not given, because a value has a wrong type. */
static void say_undecodable(struct job *job)
{
    for (const struct match_undecodable *object = job->world.undecodable; object; object = object->next)
        inputs_say(&job->inputs, object->item->source->name, &object->item->source->lines, object->offset, "%s: %s",
                   escape_text(object->path).text, object->message);
}

/* Whether the labels of the node would matter, and are not known. */
static void say_unknown_node(const struct job *job)
{
    const struct match_world *world = &job->world;
    bool known = !world->node.data || world->node_given;
    for (uint32_t i = 0; i < world->device_count && !known; i++) {
        if (!value_is_set(match_at(match_location(&world->devices[i]), "nodeSelector")))
            continue;
        fprintf(stderr, "drawbridge match: no Node \"%s\" is given: what node selectors ask of its labels counts as fulfilled\n",
                escape_text(job->options->node).text);
        return;
    }
}

static void summarize(const struct job *job)
{
    if (job->options->format == MATCH_FORMAT_TEXT)
        fprintf(stderr, "enough devices for %u of %u\n", job->enough, job->subjects);
}

/* ---- the whole ---- */

static int match_world(struct job *job, const struct source *end)
{
    const struct bytes node = { job->options->node, job->options->node ? (uint32_t)strlen(job->options->node) : 0 };
    enum failure failure =
        match_world_init(&job->world, &job->inputs.context, job->inputs.sources.sources.first, job->options->version, node);
    int status = failure ? fail(job, failure) : EXIT_GOOD;
    if (!status && !job->world.device_count && !job->world.undecodable)
        status = command_error(job->command, EXIT_USAGE, "no devices: no ResourceSlice with any is given");
    say_unknown_node(job);
    if (!status)
        status = match_items(job, end);
    say_undecodable(job);
    if (!status)
        status = end_output(job->command, EXIT_GOOD);
    if (!status)
        summarize(job);
    match_world_done(&job->world);
    return status ? status : job->inputs.status;
}

static int match_paths(struct job *job, const struct options *options)
{
    const struct source *last_of_first = NULL;
    for (int i = options->operands; i < options->argc; i++) {
        inputs_add(&job->inputs, options->argv[i]);
        if (i == options->operands)
            last_of_first = job->inputs.sources.sources.last;
    }
    if (job->inputs.status)
        return job->inputs.status;
    const struct source *end = last_of_first ? last_of_first->next : job->inputs.sources.sources.first;
    int status = match_world(job, end);
    return status || job->enough == job->subjects ? status : EXIT_FOUND;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct match_options values = { .version = MINOR_DEFAULT };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (options.operands == options.argc)
        return usage_error(command, "give files or directories with a claim and with ResourceSlices; - is standard input");
    struct job job = { .command = command, .options = &values, .output = { .all = values.all } };
    enum failure failure = inputs_init(&job.inputs, command, values.version);
    if (failure)
        return fail(&job, failure);
    arena_init(&job.output.arena, &memory_malloc, LIMIT_ARENA_BYTES);
    status = match_paths(&job, &options);
    arena_done(&job.output.arena);
    inputs_done(&job.inputs);
    return end_output(command, status);
}

const struct command match_command = {
    .name = "match",
    .operands = "CLAIM PATH...",
    .summary = "say which devices fit a claim, and why others do not",
    .description =
        "Matches ResourceClaims, ResourceClaimTemplates or DeviceClasses of the first path with the devices of the\n"
        "ResourceSlices of all paths, by the DeviceClasses, DeviceTaintRules and Nodes there. If the first path has none of\n"
        "them, all claims and templates are matched. A path is a file, a directory (its .yaml, .yml and .json files, and those\n"
        "in folders below), or - for standard input.\n",
    .options = option_rows,
    .run = run,
};
