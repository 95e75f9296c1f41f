/* drawbridge lint: manifests in files and directories, validated as an API server would on create or update. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/text.h"
#include "base/escape.h"
#include "cli/cli.h"
#include "cli/limits.h"
#include "match/in_set.h"
#include "validate/driver_file.h"
#include "validate/limits.h"
#include "validate/source_set.h"
#include "cli/kept_files.h"
#include "cli/report.h"
#include "cli/served.h"
#include "cli/trace.h"
#include "validate/context.h"

enum report_format { REPORT_TEXT, REPORT_JSON };
enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct lint_options {
    struct versions versions;
    struct gate_settings gates;
    enum report_format format;
    const char *old;
    bool as_status;
    enum unknown_fields unknown_fields;
    enum colour colour;
    const struct kind *role;
    const char *drivers;
    const char *trace;
};

static bool parse_role(const char *text, void *value, struct error *error);

static const char *const formats[] = { [REPORT_TEXT] = "text", [REPORT_JSON] = "json", NULL };
static const char *const unknown_fields[] = { [UNKNOWN_IGNORED] = "ignore", [UNKNOWN_WARNED] = "warn", [UNKNOWN_REFUSED] = "error", NULL };
static const char *const colours[] = { [COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never", NULL };

static const struct option_row option_rows[] = {
    OPTION_VERSIONS(struct lint_options, versions,
                    "validate as an API server of that version does, or of each in the range",
                    .default_value = DEFAULT_VERSION),
    OPTION_GATES(struct lint_options, gates, "feature gates of the API server; those that are not named are as that version has them"),
    OPTION_CHOICE("format", "a format", formats, struct lint_options, format, "text for people, or one JSON object a line",
                  .default_value = "text"),
    OPTION_TEXT("old", "PATH", struct lint_options, old,
                "a file or directory with older objects: validate objects of the same name as updates of these"),
    OPTION_FLAG("as-status", struct lint_options, as_status, "validate updates of the status subresource"),
    OPTION_CHOICE("unknown-fields", "a way to report unknown fields", unknown_fields, struct lint_options, unknown_fields,
                  "how a field is reported that the kind does not have", .default_value = "error"),
    OPTION_CHOICE("color", "a choice of colours", colours, struct lint_options, colour,
                  "whether text is coloured; auto: on a terminal, and if NO_COLOR is not set", .default_value = "auto"),
    OPTION_PARSED("as", "ROLE", struct lint_options, role, parse_role,
                  "also validate objects that have a role: recycler-pod-template (a Pod)"),
    OPTION_TEXT("drivers", "FILE", struct lint_options, drivers,
                "also compare parameters with those of the drivers in that file: see 'drawbridge help drivers'"),
    OPTION_TEXT("trace", "FIELD", struct lint_options, trace,
                "print what became of each row at that path, such as spec.drivers.name, in place of findings"),
    { .name = NULL },
};

struct job {
    const struct command *command;
    struct context context;
    struct workspace workspace;
    struct versions versions; /* one, or several */
    struct validate_settings settings;
    struct report_settings output;
    report_function *print;
    struct trace_printer trace;
    struct source_set source_set;
    struct kept_files files, old_files;
    struct driver_file drivers;
    const char *drivers_path; /* NULL: none */
    struct arena arena; /* what is said on standard error */
    const char *trace_path; /* NULL: findings are reported */
    const char *old; /* a file or directory; NULL: none */
    bool parted;
    int status; /* so far */
    size_t file_count;
    struct counts counts;
    struct served_notes served;
};

static void raise_status(struct job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

/* A file's name, safe for a terminal. */
static const char *escaped(struct job *job, const char *path)
{
    struct text text;
    text_init(&text, &job->arena);
    text_add_escaped(&text, bytes_of(path), LIMIT_FILE_NAME_BYTES);
    const char *end = text_end(&text);
    return end ? end : "a file";
}

static void trouble(void *self, const char *path, const char *why)
{
    struct job *job = self;
    raise_status(job, command_error(job->command, EXIT_USAGE, "%s: %s", escaped(job, path), why));
}

static void fail(struct job *job, const char *path, enum failure failure)
{
    static const char too_much[] = "too much in one file: what is read out of it takes more than 1 GiB, or what is wrong with it more than "
                                   "64 MiB";
    trouble(job, path, failure == FAILURE_LIMIT ? too_much : failure_text(failure));
}

/* ---- files ---- */

/* Reads a file and keeps it; NULL: it cannot be read. */
static struct kept_file *keep_file(struct job *job, struct kept_files *files, const char *path)
{
    struct error error;
    struct kept_file *kept = kept_files_read(files, path, &error);
    if (!kept)
        trouble(job, path, error.text);
    return kept;
}

static void keep_old(void *self, const char *path)
{
    struct job *job = self;
    struct kept_file *kept = keep_file(job, &job->old_files, path);
    enum failure failure = kept ? source_set_add_old(&job->source_set, kept->name, buffer_bytes(&kept->text), &kept->source) : FAILURE_NONE;
    if (failure)
        fail(job, path, failure);
}

/* What does not parse in older files is no problem of the new ones, but something that cannot be read. */
static void report_old(struct job *job, struct source *source)
{
    for (const struct item *item = source->first; item; item = item->next) {
        struct position position;
        if (item->type != ITEM_UNREADABLE || lines_find(&source->lines, item->error.offset, &position))
            continue;
        raise_status(job, command_error(job->command, EXIT_USAGE, "%s:%u:%u: %s", escaped(job, source->name), position.line,
                                        position.column, item->error.message));
    }
}

/* ---- validation ---- */

static void count_report(struct job *job, const struct report *report)
{
    counts_add(&job->counts, &report->counts);
    raise_status(job, report->counts.errors ? EXIT_FOUND : EXIT_GOOD);
}

static void validate_source(struct job *job, struct source *source)
{
    struct report report;
    workspace_clear(&job->workspace);
    job->trace.source = source;
    for (const struct item *item = source->first; item; item = item->next)
        served_note(&job->served, item->kind, job->versions.since);
    enum failure failure = source_set_validate(&job->source_set, &job->workspace, source, &report);
    if (!failure) {
        count_report(job, &report);
        failure = job->print(&job->output, &job->workspace, &report);
    }
    if (failure)
        fail(job, source->name, failure);
    else if (counts_findings(&report.counts) > report.count)
        fprintf(stderr, "%s: and %zu more\n", escaped(job, source->name), counts_findings(&report.counts) - report.count);
}

/* Validates the files that are kept, together, and forgets them. */
static void validate_files(struct job *job)
{
    enum failure failure = source_set_prepare(&job->source_set);
    if (failure)
        raise_status(job, command_error(job->command, EXIT_USAGE, "%s",
                                        failure == FAILURE_LIMIT ? "too many objects for one run" : failure_text(failure)));
    for (struct source *source = job->source_set.sources.first; source && !failure && !ferror(stdout); source = source->next)
        validate_source(job, source);
    if (job->source_set.apart)
        fputs("drawbridge lint: too many objects to compare: some were validated by themselves\n", stderr);
    source_set_clear(&job->source_set);
    kept_files_clear(&job->files);
}

/* Whether a file has nothing to validate and nothing to report: such files need not be kept. */
static bool is_of_no_interest(struct job *job, struct source *source)
{
    struct report report;
    for (const struct item *item = source->first; item; item = item->next)
        if (item->kind || item->type == ITEM_UNREADABLE)
            return false;
    workspace_clear(&job->workspace);
    if (source_set_validate(&job->source_set, &job->workspace, source, &report) || report.count)
        return false;
    count_report(job, &report);
    return true;
}

/* What is kept is enough to be validated together. */
static void begin_set(struct job *job)
{
    if (!job->parted)
        fprintf(stderr, "drawbridge lint: files and their objects take more than %u MiB: objects are not compared with all others\n",
                LIMIT_TOGETHER_BYTES >> 20);
    job->parted = true;
    validate_files(job);
}

/* A report in place of which rows are traced. */
static enum failure report_nothing(const struct report_settings *settings, struct workspace *workspace, const struct report *report)
{
    (void)settings;
    (void)workspace;
    (void)report;
    return FAILURE_NONE;
}

/* An error if no object can have the path whose rows are traced. */
static void check_trace(struct job *job)
{
    const struct trace_printer *trace = &job->trace;
    if (!trace->path || trace->known || !trace->missing_in)
        return;
    char what[64];
    struct error error;
    const struct nearest nearest = { .found = trace->near };
    snprintf(what, sizeof what, "a field of %s", trace->missing_in->kind.data);
    (void)option_unknown(&error, trace->path, what, "", &nearest);
    raise_status(job, command_error(job->command, EXIT_USAGE, "--trace: %s", error.text));
}

static void lint_file(void *self, const char *path)
{
    struct job *job = self;
    if (job->source_set.bytes >= LIMIT_TOGETHER_BYTES)
        begin_set(job);
    struct kept_file *before = job->files.last, *kept = keep_file(job, &job->files, path);
    job->file_count++;
    if (!kept)
        return;
    enum failure failure = source_set_add(&job->source_set, kept->name, buffer_bytes(&kept->text), &kept->source);
    if (failure) {
        fail(job, path, failure);
        kept_files_forget_last(&job->files, before);
    } else if (is_of_no_interest(job, kept->source)) {
        source_set_forget_last(&job->source_set);
        kept_files_forget_last(&job->files, before);
    }
}

static void print_count(FILE *out, size_t count, const char *noun)
{
    fprintf(out, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}

/* The last line, for people. */
static void summarize(const struct job *job)
{
    const struct counts *counts = &job->counts;
    FILE *out = stderr;
    served_print(&job->served, &job->settings.gates, job->versions.since);
    print_count(out, counts->errors, "error");
    fputs(", ", out);
    print_count(out, counts->warnings, "warning");
    if (counts->infos) {
        fputs(", ", out);
        print_count(out, counts->infos, "info");
    }
    fputs(" in ", out);
    print_count(out, counts->validated, "object");
    fputs(" of ", out);
    print_count(out, job->file_count, "file");
    if (job->old)
        fprintf(out, ", %zu of them against older ones", counts->updates);
    fprintf(out, ", validated as Kubernetes %s", versions_words(job->versions).text);
    if (counts->other_kinds || counts->no_objects)
        fputs("; skipped ", out);
    if (counts->other_kinds) {
        print_count(out, counts->other_kinds, "object");
        fputs(" of kinds without rules", out);
    }
    if (counts->no_objects) {
        fputs(counts->other_kinds ? ", " : "", out);
        print_count(out, counts->no_objects, "document");
        fputs(" without apiVersion and kind", out);
    }
    fputs("\n", out);
}

static int lint(struct job *job, const struct options *options)
{
    const struct file_visitor visitor = { lint_file, trouble, job }, old_visitor = { keep_old, trouble, job };
    if (job->old)
        files_visit(job->old, &old_visitor);
    for (struct source *source = job->source_set.old.first; source; source = source->next)
        report_old(job, source);
    enum failure failure = source_set_pair(&job->source_set);
    if (failure)
        return command_error(job->command, EXIT_USAGE, "%s: %s", escape_text(job->old).text, failure_text(failure));
    if (job->source_set.twice)
        fprintf(stderr, "drawbridge lint: %u of the older objects are there twice; the first one counts\n", job->source_set.twice);
    for (int i = options->operands; i < options->argc && !ferror(stdout); i++)
        files_visit(options->argv[i], &visitor);
    validate_files(job);
    if (end_output(job->command, EXIT_GOOD) != EXIT_GOOD)
        return EXIT_INTERNAL;
    if (!job->counts.validated && !job->counts.errors && job->status == EXIT_GOOD)
        return command_error(job->command, EXIT_USAGE,
                             "nothing to validate: no object of a kind with rules, %zu of other kinds, %zu documents that are no objects",
                             job->counts.other_kinds, job->counts.no_objects);
    check_trace(job);
    if (job->print != report_json)
        summarize(job);
    return job->status;
}

/* Reads the user's file with drivers. */
static int read_drivers(struct job *job)
{
    struct buffer text;
    struct error error;
    struct driver_mistake mistake;
    const char *name = escaped(job, job->drivers_path);
    if (!files_read(job->drivers_path, LIMIT_DRIVER_FILE_BYTES, FILE_ANY, &text, &error))
        return command_error(job->command, EXIT_USAGE, "%s: %s", name, error.text);
    enum failure failure = driver_file_read(&job->drivers, &job->workspace, buffer_bytes(&text), &mistake);
    buffer_free(&text);
    if (failure == FAILURE_SYNTAX)
        return command_error(job->command, EXIT_USAGE, "%s:%u:%u: %s", name, mistake.line, mistake.column, mistake.text);
    if (failure)
        return command_error(job->command, EXIT_USAGE, "%s: %s", name, failure_text(failure));
    job->settings.drivers = &job->drivers.drivers;
    return EXIT_GOOD;
}

static int run_lint(struct job *job, const struct options *options)
{
    enum failure failure = context_init(&job->context, &memory_malloc);
    if (!failure) {
        failure = workspace_init(&job->workspace, &job->context);
        if (!failure) {
            arena_init(&job->arena, &memory_malloc, LIMIT_ARENA_BYTES);
            trace_printer_init(&job->trace, stdout, job->trace_path, &memory_malloc);
            job->settings.trace = job->trace_path ? &job->trace.trace : NULL;
            job->status = job->drivers_path ? read_drivers(job) : EXIT_GOOD;
            if (job->status == EXIT_GOOD) {
                source_set_init(&job->source_set, &job->context, &job->settings);
                job->status = lint(job, options);
                source_set_done(&job->source_set);
                driver_file_done(&job->drivers);
            }
            kept_files_clear(&job->old_files);
            arena_done(&job->arena);
            trace_printer_done(&job->trace);
            workspace_done(&job->workspace);
        }
        context_done(&job->context);
    }
    return failure ? command_error(job->command, EXIT_USAGE, "%s", failure_text(failure)) : job->status;
}

/* ---- options ---- */

static bool wants_colour(enum colour colour)
{
    const char *no_colour = getenv("NO_COLOR");
    return colour == COLOUR_ALWAYS || (colour == COLOUR_AUTO && isatty(STDOUT_FILENO) && !(no_colour && *no_colour));
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

static int run(const struct command *command, int argc, char **argv)
{
    struct lint_options values = { .versions = { MINOR_DEFAULT, MINOR_DEFAULT } };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (options.operands == options.argc)
        return usage_error(command, "no file or directory given; - is standard input");
    if (values.trace && values.format != REPORT_TEXT)
        return usage_error(command, "--trace: is text for people: it goes without --format json");
    if (values.trace && version_range(values.versions))
        return usage_error(command, "--trace: follows one version, not a range of them");
    struct error error;
    if (!gate_settings_check_all(&values.gates, values.versions, &error))
        return usage_error(command, "--feature-gates: %s", error.text);
    struct job job = {
        .command = command,
        .versions = values.versions,
        .settings = {
            .version = values.versions.until,
            .versions = version_range(values.versions),
            .gates = values.gates,
            .unknown_fields = values.unknown_fields,
            .as_status = values.as_status,
            .as = values.role,
            .matcher = &match_in_set,
        },
        .output = { .out = stdout, .colour = wants_colour(values.colour) },
        .print = values.trace ? report_nothing : values.format == REPORT_JSON ? report_json : report_text,
        .old = values.old,
        .drivers_path = values.drivers,
        .trace_path = values.trace,
    };
    return run_lint(&job, &options);
}

const struct command lint_command = {
    .name = "lint",
    .operands = "PATH...",
    .summary = "validate manifests in files and directories",
    .description =
        "Validates the objects in YAML and JSON files as a Kubernetes API server would when they are created or, with\n"
        "--old, updated. PATH is a file, a directory (its .yaml, .yml and .json files, and those in folders below), or\n"
        "- for standard input. Objects of kinds without rules are skipped.\n",
    .options = option_rows,
    .run = run,
};
