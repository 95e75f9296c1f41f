/* drawbridge scan: the objects that a cluster has, validated together as lint validates files. */
#include <stdio.h>
#include <string.h>

#include "cli/kubectl.h"
#include "cli/limits.h"
#include "cli/lint_options.h"
#include "cli/stored_list.h"

struct values {
    struct lint_values lint; /* first: its rows count from here */
    struct kubectl kubectl;
    minor version; /* 0: that of the cluster */
};

/* What is done while objects are read. */
struct scan {
    const struct command *command;
    const struct kubectl *kubectl;
    minor version;
    struct buffer api_versions; /* that the server has, each on a line */
    bool (*take)(void *taker, struct bytes text);
    void *taker;
    char refused[LIMIT_SCAN_REFUSED_BYTES]; /* kinds that the user may not read: "nodes, pods" */
    unsigned read;                          /* kinds */
    bool failed;                            /* another kind cannot be read */
};

static const struct option_row option_rows[] = {
    OPTION_TEXT("context", "NAME", struct values, kubectl.context, "the context of the kubeconfig; otherwise the current one"),
    OPTION_TEXT("kubeconfig", "FILE", struct values, kubectl.kubeconfig, "the kubeconfig; otherwise the one that kubectl finds"),
    OPTION_TEXT("kubectl", "PROGRAM", struct values, kubectl.program, "kubectl, by its name in PATH or its path",
                .default_value = "kubectl"),
    OPTION_TEXT("namespace", "NAMESPACE", struct values, kubectl.space,
                "read that namespace, and what is in none; otherwise all namespaces", .letter = 'n'),
    OPTION_NUMBER("timeout", "SECONDS", OPTION_SECONDS, 1, LIMIT_SCAN_SECONDS, struct values, kubectl.seconds,
                  "how long kubectl may take for one kind", .default_value = OPTION_DIGITS(DEFAULT_SCAN_SECONDS)),
    OPTION_VERSION(struct values, version, "validate as an API server of that version does; otherwise as that of the cluster"),
    LINT_OPTIONS_CONFIG
    LINT_OPTIONS_SELECT
    LINT_OPTIONS_REPORT
    { .name = NULL },
};

/* ---- kinds ---- */

/* Whether the server has that API version. */
static bool is_served(const struct scan *scan, const struct kind *kind)
{
    struct bytes rest = buffer_bytes(&scan->api_versions);
    while (rest.length) {
        const struct api_version api = api_version_split(bytes_take_line(&rest));
        if (bytes_equal(api.group, kind->group) && bytes_equal(api.version, kind->version))
            return true;
    }
    return false;
}

/* Whether an earlier row is one of the same kind: each is read once. */
static bool was_before(const struct kind *kind)
{
    for (const struct kind *row = kinds; row < kind; row++)
        if (!row->role && kind_same(row, kind))
            return true;
    return false;
}

static void note_refused(struct scan *scan, const struct kind *kind)
{
    size_t length = strlen(scan->refused);
    snprintf(scan->refused + length, sizeof scan->refused - length, "%s%.*s%s%.*s", length ? ", " : "", (int)kind->resource.length,
             kind->resource.data, kind->group.length ? "." : "", (int)kind->group.length, kind->group.data);
}

static void fail(struct scan *scan, const struct kind *kind, const char *why)
{
    scan->failed = true;
    (void)command_error(scan->command, EXIT_USAGE, "%.*s: %s", (int)kind->resource.length, kind->resource.data, why);
}

/* Reads the objects of a kind in one API version. False: the server has none of it. *more is whether objects are still taken. */
static bool read_version(struct scan *scan, const struct kind *kind, bool *more)
{
    struct buffer list = { NULL, 0 };
    struct error error;
    switch (kubectl_get(scan->kubectl, kind, &list, &error)) {
    case KUBECTL_MISSING: return false;
    case KUBECTL_REFUSED: note_refused(scan, kind); break;
    case KUBECTL_FAILED:  fail(scan, kind, error.text); break;
    case KUBECTL_READ:
        scan->read++;
        if (!stored_list_each(&list, scan->take, scan->taker, more)) {
            scan->read--;
            fail(scan, kind, "kubectl prints no List in JSON");
        }
        buffer_free(&list);
        break;
    }
    return true;
}

/* Reads the objects of a kind in the newest API version that the server has of it. */
static bool read_kind(struct scan *scan, const struct kind *kind)
{
    bool more = true, found = false;
    for (const struct kind *row = kind_newest(kind->group, kind->kind, scan->version); row && !found; row = kind_older(row, scan->version))
        found = is_served(scan, row) && read_version(scan, row, &more);
    return more;
}

/* Gives lint all objects. That some kinds cannot be read is no failure where the user may not read them. */
static bool give(void *self, bool (*take)(void *taker, struct bytes text), void *taker, int *status)
{
    struct scan *scan = self;
    bool more = true;
    scan->take = take;
    scan->taker = taker;
    for (const struct kind *kind = kinds; kind < kinds + kind_count && more; kind++)
        if (!kind->role && !was_before(kind))
            more = read_kind(scan, kind);
    if (*scan->refused)
        (void)command_error(scan->command, EXIT_GOOD, "may not be listed, and are left out: %s", scan->refused);
    if (!scan->read)
        *status = command_error(scan->command, EXIT_USAGE, "nothing could be read");
    else if (scan->failed)
        *status = EXIT_USAGE;
    return scan->read;
}

/* ---- the command ---- */

/* The version of the server, or the nearest one that is known here: then what is new there is no mistake. */
static bool ask_version(const struct command *command, struct values *values, const struct options *given)
{
    struct lint_options *lint = &values->lint.options;
    unsigned number = values->version;
    struct error error;
    if (!number && !kubectl_version(&values->kubectl, &number, &error)) {
        (void)command_failed(command, EXIT_USAGE, &error);
        return false;
    }
    minor known = number < MINOR_OLDEST ? MINOR_OLDEST : number > MINOR_NEWEST ? MINOR_NEWEST : (minor)number;
    lint->versions = (struct versions){ known, known };
    if (known == number)
        return true;
    fprintf(stderr, "drawbridge scan: Kubernetes 1.%u is not known here: validated as %s\n", number, versions_words(lint->versions).text);
    if (number > MINOR_NEWEST && !options_text(given, "unknown-fields"))
        lint->unknown_fields = UNKNOWN_IGNORED;
    return true;
}

static int scan_cluster(struct scan *scan, struct lint_options *options)
{
    struct error error;
    const struct lint_supply supply = { give, scan };
    if (!kubectl_api_versions(scan->kubectl, &scan->api_versions, &error))
        return command_failed(scan->command, EXIT_USAGE, &error);
    options->supply = &supply;
    int status = lint_run(scan->command, options, NULL, 0);
    buffer_free(&scan->api_versions);
    return status;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct values values = { .lint.options = { .templates = TEMPLATES_REFUSED, .given.templates = true, .allow_nothing = true } };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (!ask_version(command, &values, &options) || !lint_take_values(command, &options, &values.lint))
        return EXIT_USAGE;
    values.lint.options.given.versions = true;
    struct scan scan = { .command = command, .kubectl = &values.kubectl, .version = values.lint.options.versions.until };
    return scan_cluster(&scan, &values.lint.options);
}

const struct command scan_command = {
    .name = "scan",
    .operands = "",
    .summary = "validate what a cluster has stored, read through kubectl",
    .description =
        "Validates the objects in a cluster together, as its API server would if they were created now, and their status as\n"
        "if it were written now. kubectl reads them: of all kinds that 'drawbridge explain' lists and the server has.\n",
    .options = option_rows,
    .run = run,
};
