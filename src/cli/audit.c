#include "cli/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/escape.h"
#include "cli/stream.h"
#include "doc/lines.h"
#include "validate/context.h"

struct audit {
    const struct command *command;
    const struct review_settings *settings;
    bool json, quiet;      /* quiet: what cannot be read was said before */
    struct context context;
    struct workspace workspace;
    struct replay replay;
    struct audit_tally tally;
    struct audit_place place;
    struct bytes text;     /* of the line */
    uint64_t found, errors; /* in this file: events; what is none */
    enum failure failure;  /* that ends everything */
    int status;            /* so far */
};

static void raise_status(struct audit *audit, int status)
{
    if (status > audit->status)
        audit->status = status;
}

/* Says once, whatever the number of versions, what is wrong with a file. */
static void complain(struct audit *audit, const char *name, const char *why)
{
    raise_status(audit, EXIT_USAGE);
    if (!audit->quiet)
        command_error(audit->command, EXIT_USAGE, "%s: %s", name, why);
}

static void on_event(void *self, const struct replayed *replayed)
{
    struct audit *audit = self;
    struct arena *arena = &audit->workspace.arena;
    bool denied = audit_is_denied(replayed);
    audit->found++;
    raise_status(audit, denied ? EXIT_FOUND : EXIT_GOOD);
    if (!audit->failure)
        audit->failure = audit_tally_add(&audit->tally, arena, &audit->place, replayed);
    if (!audit->failure && denied && audit->json)
        audit->failure = audit_json_record(audit->settings, arena, &audit->place, replayed);
}

/* Says what is wrong with a line; after so many of one file, only counts. */
static void on_trouble(void *self, uint32_t offset, const char *message)
{
    struct audit *audit = self;
    struct position position = { .column = 1 };
    struct lines lines;
    raise_status(audit, EXIT_USAGE);
    audit->tally.unread++;
    if (audit->errors++ >= LIMIT_REVIEW_ERRORS || audit->quiet)
        return;
    lines_init(&lines, &memory_malloc, audit->text);
    if (lines_find(&lines, offset, &position))
        position.column = 1;
    lines_done(&lines);
    fprintf(stderr, "%s:%llu:%u: %s\n", audit->place.file, (unsigned long long)audit->place.line, position.column, message);
}

static bool is_blank(struct bytes line)
{
    uint32_t at = 0;
    while (at < line.length && (line.data[at] == ' ' || line.data[at] == '\t' || line.data[at] == '\r'))
        at++;
    return at == line.length;
}

static void read_lines(struct audit *audit, struct stream *stream)
{
    bool too_long;
    while (!audit->failure && !ferror(stdout)) {
        enum failure failure = FAILURE_NONE;
        audit->failure = stream_line(stream, &audit->text, &too_long);
        if (audit->failure || !audit->text.data)
            return;
        audit->place.line++;
        if (too_long)
            on_trouble(audit, 0, "the line is longer than 20 MiB");
        else if (!is_blank(audit->text))
            failure = replay_text(&audit->replay, audit->text);
        if (!audit->failure) /* of on_event */
            audit->failure = failure;
    }
}

/* `name` is fit to print. */
static void read_log(struct audit *audit, const char *name, int descriptor)
{
    struct stream stream;
    stream_init(&stream, descriptor);
    audit->place = (struct audit_place){ .file = name };
    audit->found = audit->errors = 0;
    read_lines(audit, &stream);
    if (audit->errors > LIMIT_REVIEW_ERRORS && !audit->quiet)
        fprintf(stderr, "%s: and %llu more errors\n", name, (unsigned long long)(audit->errors - LIMIT_REVIEW_ERRORS));
    if (stream.error)
        complain(audit, name, strerror(stream.error));
    else if (!audit->failure && !audit->found && !audit->errors && descriptor != STDIN_FILENO)
        complain(audit, name, "there is no event in it");
    stream_done(&stream);
}

static void read_file(struct audit *audit, const char *name)
{
    if (strcmp(name, "-") == 0) {
        read_log(audit, "-", STDIN_FILENO);
        return;
    }
    const struct escaped escaped = escape_text(name);
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        complain(audit, escaped.text, strerror(errno));
        return;
    }
    read_log(audit, escaped.text, descriptor);
    close(descriptor);
}

/* Where the log has none of the objects that could be validated, the summary says nothing about them. */
static void check_objects(struct audit *audit)
{
    const uint64_t *outcomes = audit->tally.outcomes;
    uint64_t missed = outcomes[REPLAY_NO_OBJECT] + outcomes[REPLAY_PATCH];
    if (missed && !audit_sum(&audit->tally.writes))
        raise_status(audit, command_error(audit->command, EXIT_USAGE,
                                          "nothing to validate: the objects of %llu writes are not in the log; "
                                          "the audit policy must log them at level Request or RequestResponse",
                                          (unsigned long long)missed));
}

static void print_summary(struct audit *audit)
{
    struct arena *arena = &audit->workspace.arena;
    workspace_clear(&audit->workspace);
    audit->failure = audit->json ? audit_json_summary(&audit->tally, audit->settings, arena)
                                 : audit_text(&audit->tally, audit->settings, arena);
    if (!audit->failure && (fflush(stdout) || ferror(stdout)))
        raise_status(audit, command_error(audit->command, EXIT_USAGE, "cannot write: %s", strerror(errno)));
    check_objects(audit);
}

static void read_all(struct audit *audit, const struct options *options)
{
    audit->failure = replay_init(&audit->replay, &audit->workspace, audit->settings);
    if (audit->failure)
        return;
    audit->replay.event = on_event;
    audit->replay.trouble = on_trouble;
    audit->replay.self = audit;
    audit->failure = audit_tally_init(&audit->tally, audit->context.key);
    for (int i = options->operands; i < options->argc && !audit->failure && !ferror(stdout); i++)
        read_file(audit, options->argv[i]);
    if (!audit->failure)
        print_summary(audit);
    audit_tally_done(&audit->tally);
    replay_done(&audit->replay);
}

/* For one version. */
static int review_logs(struct audit *audit, const struct options *options)
{
    enum failure failure = context_init(&audit->context, &memory_malloc);
    if (!failure) {
        failure = workspace_init(&audit->workspace, &audit->context);
        if (!failure) {
            read_all(audit, options);
            failure = audit->failure;
            workspace_done(&audit->workspace);
        }
        context_done(&audit->context);
    }
    return failure ? command_error(audit->command, EXIT_USAGE, "%s", failure_text(failure)) : audit->status;
}

/* Standard input can be read only once. */
static bool names_stdin(const struct options *options)
{
    for (int i = options->operands; i < options->argc; i++)
        if (strcmp(options->argv[i], "-") == 0)
            return true;
    return false;
}

int audit_logs(const struct command *command, const struct options *options, const struct review_settings *settings,
               struct versions versions, bool json)
{
    int worst = EXIT_GOOD;
    struct review_settings own = *settings;
    if (!versions.since)
        versions = (struct versions){ settings->version, settings->version };
    if (versions.since < versions.until && names_stdin(options))
        return usage_error(command, "--audit-log: standard input is read for one version");
    for (own.version = versions.since; own.version <= versions.until && !ferror(stdout); own.version++) {
        bool first = own.version == versions.since;
        struct audit audit = { .command = command, .settings = &own, .json = json, .quiet = !first };
        if (!first && !json)
            putchar('\n');
        int status = review_logs(&audit, options);
        worst = status > worst ? status : worst;
    }
    return worst;
}
