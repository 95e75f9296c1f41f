/* drawbridge review: captured AdmissionReviews in, one response each out. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/limits.h"
#include "cli/audit.h"
#include "cli/configuration.h"
#include "cli/limits.h"
#include "cli/stream.h"
#include "review/enforcement.h"
#include "review/review.h"
#include "validate/context.h"

enum answer_format { ANSWER_JSON, ANSWER_TEXT };

struct review_options {
    struct review_overrides overrides;
    struct versions versions; /* 0: not given */
    const char *config;
    enum answer_format format;
    bool audit_log;
};

static const char *const formats[] = { [ANSWER_JSON] = "json", [ANSWER_TEXT] = "text", NULL };

static const struct option_row option_rows[] = {
    OPTION_VERSIONS(struct review_options, versions,
                    "validate as an API server of that version does, or of each in the range; without it, as " DEFAULT_VERSION
                    ", or, with --config or --mode, so that errors only warn"),
    OPTION_GATES(struct review_options, overrides.gates,
                 "feature gates of the API server, others as that version has them; without it, every field that is there is taken for one "
                 "whose gate is on"),
    OPTION_TEXT("config", "FILE", struct review_options, config,
                "answer as 'drawbridge serve' does with that configuration; without this and --mode, exactly as an API server"),
    OPTION_CHOICE("mode", "a mode", enforcement_words, struct review_options, overrides.mode,
                  "answer as 'drawbridge serve' does in that mode; takes precedence over that of the configuration"),
    OPTION_CHOICE("format", "a format", formats, struct review_options, format,
                  "responses as an API server expects them, one a line, or text for people; --audit-log alone prints text",
                  .default_value = "json"),
    OPTION_FLAG("audit-log", struct review_options, audit_log,
                "read audit logs (audit.k8s.io/v1), and sum up which of the writes in them would be denied"),
    { .name = NULL },
};

struct job {
    const struct command *command;
    struct workspace workspace;
    struct review_settings settings;
    struct versions versions; /* a range of them; 0: there is one, in settings */
    bool text;
    int status;               /* so far */
    bool broken;              /* answers cannot be written any more */
    uint64_t documents;       /* of this file */
    uint64_t errors;          /* of this file */
};

static void raise_status(struct job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

/* ---- answers ---- */

/* An answer, and the versions that give it: of a range, not all give the same. */
struct answer {
    char *text; /* NULL: no memory */
    version_set versions;
};

/* The answer, to be freed. NULL: no memory, which is said. */
static char *answer_of(struct job *job, const struct review *review)
{
    char *answer;
    if (job->text) {
        const char *text = review_text(&job->workspace, review);
        answer = text ? strdup(text) : NULL;
    } else {
        answer = review_response(&job->workspace, review);
    }
    if (!answer)
        raise_status(job, command_error(job->command, EXIT_USAGE, "out of memory"));
    raise_status(job, review->outcome == REVIEW_DENIED ? EXIT_FOUND : EXIT_GOOD);
    return answer;
}

/* "…}" becomes "…,"kubernetesVersions":["1.34"]}". */
static void print_json(const struct answer *answer, version_set versions)
{
    const char *between = "";
    fprintf(stdout, "%.*s,\"kubernetesVersions\":[", (int)strlen(answer->text) - 1, answer->text);
    for (minor version = MINOR_OLDEST; version <= MINOR_NEWEST; version++) {
        if (!(versions & version_bit(version)))
            continue;
        fprintf(stdout, "%s\"1.%u\"", between, version);
        between = ",";
    }
    fputs("]}\n", stdout);
}

/* versions: those that give the answer; 0: all. */
static void print_answer(struct job *job, const struct answer *answer, version_set versions)
{
    if (job->text && versions)
        fprintf(stdout, "Kubernetes %s: ", version_set_words(versions).text);
    if (!job->text && versions)
        print_json(answer, versions);
    else
        fprintf(stdout, job->text ? "%s" : "%s\n", answer->text);
    if (ferror(stdout) || fflush(stdout)) {
        raise_status(job, command_error(job->command, EXIT_USAGE, "cannot write: %s", strerror(errno)));
        job->broken = true;
    }
}

/* Adds an answer, or its version to the same answer of another version. Takes the text. */
static void add_answer(struct answer *answers, unsigned *count, char *text, minor version)
{
    unsigned i = 0;
    while (text && i < *count && strcmp(answers[i].text, text) != 0)
        i++;
    if (text && i == *count)
        answers[(*count)++] = (struct answer){ text, 0 };
    else
        free(text);
    if (text)
        answers[i].versions |= version_bit(version);
}

/* The answers of all versions after the first, whose review is given: each answer is printed once. */
static void answer_range(struct job *job, struct bytes bytes, const struct review *first)
{
    struct answer answers[MINOR_NEWEST - MINOR_OLDEST + 1];
    unsigned count = 0;
    add_answer(answers, &count, answer_of(job, first), job->versions.since);
    for (minor version = (minor)(job->versions.since + 1); version <= job->versions.until; version++) {
        struct review review;
        struct review_settings settings = job->settings;
        settings.version = version;
        review_validate(&job->workspace, &settings, bytes, 0, false, &review);
        if (review.outcome <= REVIEW_SKIPPED)
            add_answer(answers, &count, answer_of(job, &review), version);
        else
            raise_status(job, command_error(job->command, EXIT_USAGE, "as 1.%u: %s", version, review.message));
    }
    for (unsigned i = 0; i < count; i++) {
        print_answer(job, &answers[i], count > 1 ? answers[i].versions : 0);
        free(answers[i].text);
    }
}

static void answer_review(struct job *job, struct bytes bytes, const struct review *review)
{
    if (job->versions.since) {
        answer_range(job, bytes, review);
        return;
    }
    const struct answer answer = { answer_of(job, review), 0 };
    if (answer.text)
        print_answer(job, &answer, 0);
    free(answer.text);
}

/* ---- documents ---- */

/* Says why a document cannot be validated; after so many of one file, only counts. */
static void report_error(struct job *job, const char *name, uint64_t offset, const char *message)
{
    if (job->errors++ < LIMIT_REVIEW_ERRORS)
        fprintf(stderr, "%s:%llu: %s\n", name, (unsigned long long)offset, message);
    raise_status(job, EXIT_USAGE);
}

/* Validates the document at hand, and goes on after it. Sets *more when it is incomplete and more was read. */
static enum failure next_review(struct job *job, const char *name, struct stream *stream, struct bytes bytes, bool *more)
{
    struct review review;
    review_validate(&job->workspace, &job->settings, bytes, 0, false, &review);
    if (review.truncated && !stream_has_more(stream)) {
        enum failure failure = stream_more(stream, more);
        if (failure || *more)
            return failure;
    } else if (review.truncated) {
        review.message = "the document is larger than 20 MiB";
    }
    if (review.outcome == REVIEW_ALLOWED || review.outcome == REVIEW_DENIED || review.outcome == REVIEW_SKIPPED) {
        answer_review(job, bytes, &review);
        stream_consume(stream, review.end);
        return FAILURE_NONE;
    }
    report_error(job, name, stream->offset + review.offset, review.message);
    if (review.outcome == REVIEW_FAILED)
        stream_end(stream); /* ours, not the document's: the next one would fare no better */
    else if (review.end)
        stream_consume(stream, review.end);
    else
        return stream_resume(stream, review.offset < bytes.length ? review.offset : bytes.length);
    return FAILURE_NONE;
}

/* `name` is fit to print. */
static void review_stream(struct job *job, const char *name, int descriptor)
{
    struct stream stream;
    enum failure failure;
    stream_init(&stream, descriptor);
    job->documents = job->errors = 0;
    do {
        struct bytes bytes;
        bool more = false;
        failure = stream_peek(&stream, &bytes);
        if (failure || bytes.length == 0)
            break;
        failure = next_review(job, name, &stream, bytes, &more);
        job->documents += !more;
    } while (!failure && !job->broken);
    if (job->errors > LIMIT_REVIEW_ERRORS)
        fprintf(stderr, "%s: and %llu more errors\n", name, (unsigned long long)(job->errors - LIMIT_REVIEW_ERRORS));
    if (!failure && !stream.error && !job->documents && descriptor != STDIN_FILENO) /* a pipe may have nothing to ask */
        raise_status(job, command_error(job->command, EXIT_USAGE, "%s: there is no review in it", name));
    if (failure || stream.error)
        raise_status(job,
                     command_error(job->command, EXIT_USAGE, "%s: %s", name, failure ? failure_text(failure) : strerror(stream.error)));
    stream_done(&stream);
}

static void review_file(struct job *job, const char *name)
{
    if (strcmp(name, "-") == 0) {
        review_stream(job, "-", STDIN_FILENO);
        return;
    }
    const struct escaped escaped = escape_text(name);
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        raise_status(job, command_error(job->command, EXIT_USAGE, "%s: %s", escaped.text, strerror(errno)));
        return;
    }
    review_stream(job, escaped.text, descriptor);
    close(descriptor);
}

/* With a configuration or mode, answers are those of the webhook; .settings point into *configuration. */
static int load_settings(struct job *job, const struct review_options *values, struct configuration *configuration)
{
    const char *file = values->config;
    struct configuration_mistakes mistakes;
    struct buffer text = { NULL, 0 };
    int status = file ? configuration_text(job->command, EXIT_USAGE, file, LIMIT_CONFIGURATION_BYTES, &text) : EXIT_GOOD;
    if (status != EXIT_GOOD)
        return status;
    enum failure failure = file ? configuration_read(&memory_malloc, buffer_bytes(&text), configuration, &mistakes) : FAILURE_NONE;
    buffer_free(&text);
    if (!failure && file)
        failure = configuration_drivers(configuration, file, &mistakes);
    if (failure)
        return configuration_error(job->command, EXIT_USAGE, file, failure, &mistakes);
    if (file)
        configuration_warnings(job->command, file, &mistakes);
    job->settings = configuration_settings(file ? configuration : NULL, &values->overrides);
    if (!file && !values->overrides.has_mode)
        job->settings.profile = PROFILE_API_SERVER;
    if (job->settings.profile == PROFILE_API_SERVER && !values->overrides.has_gates)
        job->settings.gates = gates_with_alpha();
    struct error error;
    const struct versions asked = job->versions.since ? job->versions : (struct versions){ job->settings.version, job->settings.version };
    bool of_file = !values->overrides.has_gates && file && configuration->has_gates; /* perhaps for another version than its own */
    if (gate_settings_check_all(of_file ? &configuration->gates : &values->overrides.gates, asked, &error))
        return EXIT_GOOD;
    configuration_done(configuration);
    return usage_error(job->command, "%s: %s", of_file ? "featureGates of the configuration" : "--feature-gates", error.text);
}

static int review_files(struct job *job, const struct options *options)
{
    struct context context;
    enum failure failure = context_init(&context, &memory_malloc);
    if (!failure) {
        failure = workspace_init(&job->workspace, &context);
        for (int i = options->operands; i < options->argc && !failure && !job->broken; i++)
            review_file(job, options->argv[i]);
        if (!failure)
            workspace_done(&job->workspace);
        context_done(&context);
    }
    return failure ? command_error(job->command, EXIT_USAGE, "%s", failure_text(failure)) : job->status;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct configuration configuration = { .version = 0 };
    struct review_options values = { .config = NULL };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (options.operands == options.argc)
        return usage_error(command, "no file given; - is standard input");
    const bool range = values.versions.since < values.versions.until;
    values.overrides.version = range ? values.versions.since : values.versions.until;
    values.overrides.has_mode = options_text(&options, "mode") != NULL;
    values.overrides.has_gates = options_text(&options, "feature-gates") != NULL;
    struct job job = { .command = command, .text = values.format == ANSWER_TEXT };
    if (range)
        job.versions = values.versions;
    status = load_settings(&job, &values, &configuration);
    if (status != EXIT_GOOD)
        return status;
    status = !values.audit_log ? review_files(&job, &options)
                               : audit_logs(command, &options, &job.settings, job.versions,
                                            options_text(&options, "format") && !job.text);
    configuration_done(&configuration);
    return status;
}

const struct command review_command = {
    .name = "review",
    .operands = "FILE...",
    .summary = "validate captured admission reviews, or the writes of audit logs",
    .description =
        "Reads AdmissionReviews (admission.k8s.io/v1) as an API server sends them, any number in a file, one after\n"
        "the other, and answers each. FILE may be - for standard input. With --audit-log, reads the audit logs of\n"
        "API servers, and says which writes would be denied.\n",
    .options = option_rows,
    .run = run,
};
