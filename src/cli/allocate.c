/* drawbridge allocate: on which nodes claims and pods can be allocated, with which devices, and if not, why not. */
#include "cli/allocate.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/limits.h"
#include "base/team.h"
#include "cli/limits.h"

static const char *const formats[] = { [ALLOCATE_TABLE] = "table", [ALLOCATE_JSON] = "json", [ALLOCATE_YAML] = "yaml", NULL };

static const struct option_row option_rows[] = {
    OPTION_LIST("node", "NAME", struct allocate_options, nodes, "only on that node; otherwise on all nodes"),
    OPTION_LIST("pod", "[KIND/][NAMESPACE/]NAME", struct allocate_options, pods,
                "only that pod, workload, claim or template; otherwise all pods that wait for claims, or else all claims"),
    OPTION_LIST("without-pod", "[NAMESPACE/]NAME", struct allocate_options, without_pods,
                "as if that pod were gone, with the claims that only it has"),
    OPTION_LIST("with-node", "FILE", struct allocate_options, new_nodes,
                "with a node that does not exist yet: the Node and the ResourceSlices of the file"),
    OPTION_NUMBER("count", "N", OPTION_COUNT, 1, LIMIT_ALLOCATE_NEW_NODES, struct allocate_options, count,
                  "so many of each --with-node", .default_value = "1", .needs = "with-node"),
    OPTION_NUMBER("replicas", "N", OPTION_COUNT, 1, LIMIT_ALLOCATE_COPIES, struct allocate_options, replicas,
                  "so many pods of each workload, or claims of each template, one after the other; otherwise as many as it says"),
    OPTION_CHOICE("output", "an output format", formats, struct allocate_options, format,
                  "a table for people, a JSON object for each pod or claim, or the status.allocation of claims as YAML",
                  .default_value = "table"),
    OPTION_FLAG("explain", struct allocate_options, explain,
                "with the steps of the search: which devices are tried, taken, refused and why"),
    OPTION_NUMBER("jobs", "N", OPTION_COUNT, 1, LIMIT_TEAM, struct allocate_options, jobs,
                  "threads that search; otherwise as many as there are processors", .letter = 'j'),
    OPTION_FLAG("worlds", struct allocate_options, worlds, "read worlds as lines of JSON from standard input, and print an answer to each"),
    OPTION_GATES(struct allocate_options, gates, "feature gates of the scheduler, others as that version has them"),
    OPTION_VERSIONS(struct allocate_options, versions,
                    "allocate as that version's scheduler does, 1.35 to 1.37, or as each in the range", .default_value = DEFAULT_VERSION),
    { .name = NULL },
};

struct job {
    const struct command *command;
    const struct allocate_options *options;
    struct inputs inputs;
    struct arena added;       /* of texts that are made */
    struct allocate_run run;
};

static int fail(const struct job *job, enum failure failure)
{
    return command_error(job->command, EXIT_USAGE, "%s",
                         failure == FAILURE_LIMIT ? "too much to allocate in memory and time that are bounded" : failure_text(failure));
}

/* ---- trying ---- */

static enum failure print(void *self, const struct allocate_report *report, bool fits)
{
    struct job *job = self;
    struct text text;
    enum failure failure = FAILURE_NONE;
    (void)fits;
    text_init(&text, report->arena);
    if (job->options->format == ALLOCATE_TABLE)
        allocate_report_add_table(&text, report);
    else if (job->options->format == ALLOCATE_YAML)
        failure = allocate_report_add_yaml(&text, report, job->inputs.context.key);
    else
        allocate_report_add_json(&text, report);
    text_add(&text, job->options->format == ALLOCATE_JSON ? "\n" : "");
    const char *end = text_end(&text);
    if (end && !failure)
        fwrite(end, 1, text.length, stdout);
    return failure || end ? failure : report->arena->failure;
}

/* What may be meant by the part of a name after its last "/". */
static struct nearest find_near(const struct allocate_run *run)
{
    const char *slash = strrchr(run->missing, '/');
    struct nearest nearest = { .wanted = bytes_of(slash ? slash + 1 : run->missing) };
    for (uint32_t i = 0; run->lack == LACKS_GONE && i < run->cluster.pods.count; i++)
        near_consider(&nearest, run->cluster.pods.list[i].item->name);
    for (uint32_t i = 0; run->lack == LACKS_POD && i < run->subjects.count; i++)
        near_consider(&nearest, run->subjects.list[i].name);
    for (uint32_t i = 0; run->lack == LACKS_NODE && i < run->world.node_count; i++)
        near_consider(&nearest, run->world.nodes[i].given.name);
    return nearest;
}

static int say_lack(const struct job *job)
{
    static const char *const names[] = {
        [LACKS_GONE] = "the name of a pod that is given",
        [LACKS_POD] = "the name of something that waits for devices",
        [LACKS_NODE] = "the name of a node that is given",
    };
    const struct allocate_run *run = &job->run;
    const struct nearest nearest = find_near(run);
    if (run->lack == LACKS_SUBJECT || run->lack == LACKS_NODES)
        return command_error(job->command, EXIT_USAGE, "%s", allocate_lack_text(run->lack));
    return usage_unknown(job->command, run->missing, names[run->lack], "", &nearest);
}

static int try_all(struct job *job)
{
    struct allocate_run *run = &job->run;
    if (!run->cluster.nodes_are_known)
        fprintf(stderr, "drawbridge allocate: no Node is given: what slices ask of labels counts as fulfilled\n");
    enum failure failure = allocate_run_all(run, print, job);
    if (failure)
        return fail(job, failure);
    fflush(stdout);
    if (job->options->format == ALLOCATE_TABLE)
        fprintf(stderr, "%u of %llu fit, as the scheduler of Kubernetes 1.%u decides\n", run->fitting, (unsigned long long)run->copies,
                run->order.version);
    return run->fitting == run->copies ? EXIT_GOOD : EXIT_FOUND;
}

/* ---- the whole ---- */

static void say_undecodable(struct job *job)
{
    for (const struct match_undecodable *object = job->run.cluster.matching.undecodable; object; object = object->next)
        inputs_say(&job->inputs, object->item->source->name, &object->item->source->lines, object->offset, "%s: %s",
                   escape_text(object->path).text, object->message);
}

static struct allocate_name_list names_of(const struct option_list *list)
{
    return (struct allocate_name_list){ list->values, list->count };
}

/* As one version's scheduler does it. */
static int allocate_as(struct job *job, minor version)
{
    const struct allocate_options *options = job->options;
    struct source *sources = job->inputs.sources.sources.first;
    const struct allocate_order order = {
        .version = version,
        .gates = &options->gates,
        .nodes = names_of(&options->nodes),
        .pods = names_of(&options->pods),
        .gone = names_of(&options->without_pods),
        .replicas = options->replicas,
        .tells = options->explain,
        .spreader = { options->jobs ? options->jobs : team_processors(), allocate_spread, NULL },
        .now = clock_wall_seconds(),
    };
    for (struct source *source = sources; source; source = source->next)
        source_bind(source, version);
    enum failure failure = allocate_run_init(&job->run, &job->inputs.context, sources, &order);
    say_undecodable(job);
    int status = failure ? fail(job, failure) : job->run.lack ? say_lack(job) : try_all(job);
    allocate_run_done(&job->run);
    return status;
}

static int allocate_versions(struct job *job)
{
    const struct versions *versions = &job->options->versions;
    bool several = versions->since != versions->until;
    int worst = EXIT_GOOD;
    for (minor version = versions->since; version <= versions->until; version++) {
        if (several && job->options->format == ALLOCATE_TABLE)
            printf("%sKubernetes 1.%u:\n", version == versions->since ? "" : "\n", version);
        int status = allocate_as(job, version);
        fflush(stdout);
        worst = status > worst ? status : worst;
        if (status > EXIT_FOUND)
            break;
    }
    return worst;
}

static int allocate_paths(struct job *job, const struct options *options)
{
    for (int i = options->operands; i < options->argc; i++)
        inputs_add(&job->inputs, options->argv[i]);
    for (unsigned i = 0; i < job->options->new_nodes.count; i++)
        if (!allocate_add_nodes(&job->inputs, &job->added, job->options->new_nodes.values[i], job->options->count))
            return EXIT_USAGE;
    if (job->inputs.status)
        return job->inputs.status;
    int status = allocate_versions(job);
    return status ? status : job->inputs.status;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct allocate_options values = { .versions = { MINOR_DEFAULT, MINOR_DEFAULT } };
    struct options options;
    struct error error;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (values.versions.since < ALLOCATE_OLDEST || values.versions.until > ALLOCATE_NEWEST)
        return usage_error(command, "the allocators of Kubernetes 1.35, 1.36 and 1.37 are known, no others");
    if (!gate_settings_check_all(&values.gates, values.versions, &error))
        return usage_error(command, "--feature-gates: %s", error.text);
    if (values.worlds && values.versions.since != values.versions.until)
        return usage_error(command, "--worlds takes one version");
    if (options.operands == options.argc)
        return usage_error(command, "give files or directories with claims, slices and nodes; - is standard input");
    struct job job = { .command = command, .options = &values };
    enum failure failure = inputs_init(&job.inputs, command, values.versions.since);
    if (failure)
        return fail(&job, failure);
    arena_init(&job.added, &memory_malloc, 2 * (size_t)LIMIT_FILE_BYTES);
    status = values.worlds ? allocate_answer_worlds(command, &job.inputs.context, &values) : allocate_paths(&job, &options);
    inputs_done(&job.inputs);
    arena_done(&job.added); /* the inputs' texts may be there */
    return end_output(command, status);
}

const struct command allocate_command = {
    .name = "allocate",
    .operands = "PATH...",
    .summary = "say where pods and claims fit, with which devices, and why not",
    .description =
        "Allocates devices to pods and ResourceClaims as the scheduler does, on the nodes, slices, classes, taint rules and\n"
        "claims of the paths: manifests, dumps of kubectl get, or both. A path is a file, a directory (its .yaml, .yml and\n"
        ".json files, and those in folders below), or - for standard input.\n",
    .options = option_rows,
    .run = run,
};
