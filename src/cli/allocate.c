/* drawbridge allocate: on which nodes claims and pods can be allocated, with which devices, and if not, why not. */
#include "cli/allocate.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/limits.h"
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
                  "so many pods of each workload, or claims, one after the other; otherwise as many as it says"),
    OPTION_CHOICE("output", "an output format", formats, struct allocate_options, format,
                  "a table for people, a JSON object for each pod or claim, or the status.allocation of claims as YAML",
                  .default_value = "table"),
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
    struct allocate_cluster cluster;
    struct allocate_world world;
    struct allocate_trial trial;
    struct allocate_subjects subjects;
    struct arena arena;       /* of the run */
    struct arena added;       /* of texts that are made */
    uint32_t fitting;         /* pods or claims */
    minor version;            /* of the scheduler */
};

static int fail(const struct job *job, enum failure failure)
{
    return command_error(job->command, EXIT_USAGE, "%s",
                         failure == FAILURE_LIMIT ? "too much to allocate in memory and time that are bounded" : failure_text(failure));
}

/* ---- which subjects and nodes ---- */

/* Takes what is before the first slash off a text. */
static struct bytes take_part(struct bytes *text)
{
    const char *slash = text->length ? memchr(text->data, '/', text->length) : NULL;
    struct bytes part = { text->data, slash ? (uint32_t)(slash - text->data) : 0 };
    if (slash)
        *text = (struct bytes){ slash + 1, text->length - part.length - 1 };
    return part;
}

static bool equal_ignoring_case(struct bytes a, struct bytes b)
{
    if (a.length != b.length)
        return false;
    for (uint32_t i = 0; i < a.length; i++)
        if (near_lower(a.data[i]) != near_lower(b.data[i]))
            return false;
    return true;
}

/* "name", "namespace/name", "kind/name" or "kind/namespace/name". */
static bool is_named(const struct allocate_subject *subject, const char *typed)
{
    struct bytes name = bytes_of(typed), first = take_part(&name), second = take_part(&name);
    struct bytes kind = subject->object->item->kind_name;
    if (!bytes_equal(name, subject->name))
        return false;
    if (second.length)
        return equal_ignoring_case(first, kind) && bytes_equal(second, subject->space);
    return !first.length || equal_ignoring_case(first, kind) || bytes_equal(first, subject->space);
}

static bool is_wanted(const struct job *job, const struct allocate_subject *subject)
{
    const struct option_list *pods = &job->options->pods;
    for (unsigned i = 0; i < pods->count; i++)
        if (is_named(subject, pods->values[i]))
            return true;
    return !pods->count;
}

static bool any_named(const struct job *job, const char *typed)
{
    for (uint32_t i = 0; i < job->subjects.count; i++)
        if (is_named(&job->subjects.list[i], typed))
            return true;
    return false;
}

/* Names of options that nothing has. */
static int check_names(struct job *job)
{
    for (unsigned i = 0; i < job->options->pods.count; i++)
        if (!any_named(job, job->options->pods.values[i]))
            return command_error(job->command, EXIT_USAGE, "nothing that waits for devices is named \"%s\"",
                                 escape_text(job->options->pods.values[i]).text);
    for (unsigned i = 0; i < job->options->nodes.count; i++) {
        struct nearest nearest = { .wanted = bytes_of(job->options->nodes.values[i]) };
        for (uint32_t j = 0; j < job->world.node_count; j++)
            near_consider(&nearest, job->world.nodes[j].given.name);
        if (!allocate_node_named(&job->world, nearest.wanted))
            return usage_unknown(job->command, job->options->nodes.values[i], "the name of a node that is given", "", &nearest);
    }
    return EXIT_GOOD;
}

static bool skips(void *self, const struct allocate_node *node)
{
    const struct option_list *nodes = &((const struct job *)self)->options->nodes;
    for (unsigned i = 0; i < nodes->count; i++)
        if (bytes_equal_text(node->given.name, nodes->values[i]))
            return false;
    return nodes->count;
}

/* ---- trying ---- */

static enum failure print(struct job *job, const struct allocate_report *report)
{
    struct text text;
    enum failure failure = FAILURE_NONE;
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

static enum failure try_copy(struct job *job, const struct allocate_subject *subject, uint32_t copy, bool *fits)
{
    struct allocate_report report;
    enum failure failure = allocate_trial_run(&job->trial, subject, copy, &report);
    *fits = report.fitting || (!report.count && !report.problem);
    job->fitting += *fits;
    return failure ? failure : print(job, &report);
}

static int try_all(struct job *job)
{
    uint64_t copies = 0;
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0; i < job->subjects.count; i++)
        copies += is_wanted(job, &job->subjects.list[i]) ? job->subjects.list[i].copies : 0;
    job->trial.several = copies > 1;
    for (uint32_t i = 0; i < job->subjects.count && !failure; i++) {
        const struct allocate_subject *subject = &job->subjects.list[i];
        bool fits = is_wanted(job, subject);
        for (uint32_t copy = 1; copy <= subject->copies && fits && !failure; copy++)
            failure = try_copy(job, subject, subject->copies > 1 ? copy : 0, &fits);
    }
    if (failure)
        return fail(job, failure);
    fflush(stdout);
    if (job->options->format == ALLOCATE_TABLE)
        fprintf(stderr, "%u of %llu fit, as the scheduler of Kubernetes 1.%u decides\n", job->fitting, (unsigned long long)copies,
                job->version);
    return job->fitting == copies ? EXIT_GOOD : EXIT_FOUND;
}

/* ---- the whole ---- */

static void say_undecodable(struct job *job)
{
    for (const struct match_undecodable *object = job->cluster.matching.undecodable; object; object = object->next)
        inputs_say(&job->inputs, object->item->source->name, &object->item->source->lines, object->offset, "%s: %s",
                   escape_text(object->path).text, object->message);
}

static int allocate_subjects(struct job *job)
{
    enum failure failure = allocate_subjects_find(&job->cluster, &job->arena, job->options->replicas, &job->subjects);
    if (failure)
        return fail(job, failure);
    if (!job->subjects.count)
        return command_error(job->command, EXIT_USAGE, "nothing to allocate: no pod that waits for claims, and no claim without devices");
    if (!job->world.node_count)
        return command_error(job->command, EXIT_USAGE, "no node: neither a Node nor a ResourceSlice is given");
    int status = check_names(job);
    if (status)
        return status;
    if (!job->cluster.nodes_are_known)
        fprintf(stderr, "drawbridge allocate: no Node is given: what slices ask of labels counts as fulfilled\n");
    return try_all(job);
}

static int allocate_in_world(struct job *job)
{
    const struct allocate_features features = allocate_features_of(&job->options->gates, job->version);
    const struct allocate_mode mode = allocate_mode_of(job->version, features);
    enum failure failure = allocate_cluster_world(&job->cluster, &mode, &job->world);
    if (!failure)
        failure = allocate_trial_init(&job->trial, &job->cluster, &job->world, clock_wall_seconds());
    job->trial.skips = skips;
    job->trial.self = job;
    int status = failure ? fail(job, failure) : allocate_subjects(job);
    allocate_trial_done(&job->trial);
    allocate_world_done(&job->world);
    return status;
}

/* As one version's scheduler does it. */
static int allocate_as(struct job *job, minor version)
{
    struct source *sources = job->inputs.sources.sources.first;
    job->version = version;
    job->fitting = 0;
    for (struct source *source = sources; source; source = source->next)
        source_bind(source, version);
    enum failure failure = allocate_cluster_init(&job->cluster, &job->inputs.context, sources, version);
    for (unsigned i = 0; i < job->options->without_pods.count && !failure; i++)
        if (!allocate_cluster_remove(&job->cluster, bytes_of(job->options->without_pods.values[i])))
            failure = FAILURE_INPUT;
    int status = failure == FAILURE_INPUT ? command_error(job->command, EXIT_USAGE, "--without-pod: no such pod is given")
                 : failure                ? fail(job, failure)
                                          : EXIT_GOOD;
    say_undecodable(job);
    if (!status)
        status = allocate_in_world(job);
    allocate_cluster_done(&job->cluster);
    arena_clear(&job->arena);
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
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (values.versions.since < ALLOCATE_OLDEST || values.versions.until > ALLOCATE_NEWEST)
        return usage_error(command, "the allocators of Kubernetes 1.35, 1.36 and 1.37 are known, no others");
    if (values.worlds && values.versions.since != values.versions.until)
        return usage_error(command, "--worlds takes one version");
    if (options.operands == options.argc)
        return usage_error(command, "give files or directories with claims, slices and nodes; - is standard input");
    struct job job = { .command = command, .options = &values };
    enum failure failure = inputs_init(&job.inputs, command, values.versions.since);
    if (failure)
        return fail(&job, failure);
    arena_init(&job.arena, &memory_malloc, LIMIT_ARENA_BYTES);
    arena_init(&job.added, &memory_malloc, 2 * (size_t)LIMIT_FILE_BYTES);
    status = values.worlds ? allocate_answer_worlds(command, &job.inputs.context, &values) : allocate_paths(&job, &options);
    arena_done(&job.arena);
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
