#include "cli/report.h"

#include <string.h>

#include "base/escape.h"
#include "base/limits.h"

#define ADDRESS(id, name) &report_##id,
#define NAME(id, name) name,

static const struct report_format *const formats[] = { REPORT_FORMATS(ADDRESS) };
enum { REPORT_FORMAT_COUNT = sizeof formats / sizeof *formats };
const char *const report_format_names[] = { REPORT_FORMATS(NAME) NULL };

/* ---- what was typed ---- */

/* '"x" is not a format; did you mean …', or those that there are. */
static bool refuse_format(struct error *error, struct bytes name)
{
    char typed[NEAR_BYTES], what[LIMIT_OPTION_WORDS_BYTES] = "a format; one of ";
    struct nearest nearest = { .wanted = name };
    size_t length = strlen(what);
    snprintf(typed, sizeof typed, "%.*s", (int)(name.length < sizeof typed ? name.length : sizeof typed - 1), name.data);
    for (int i = 0; i < REPORT_FORMAT_COUNT; i++) {
        near_consider(&nearest, bytes_of(report_format_names[i]));
        if (length < sizeof what)
            length += (size_t)snprintf(what + length, sizeof what - length, "%s%s", i ? ", " : "", report_format_names[i]);
    }
    return option_unknown(error, typed, what, "", &nearest);
}

static bool read_typed(struct reporter *reporter, const char *typed, struct error *error)
{
    struct bytes name = { typed, (uint32_t)strcspn(typed, "=") };
    const char *path = typed[name.length] ? typed + name.length + 1 : NULL;
    for (int i = 0; i < REPORT_FORMAT_COUNT; i++)
        if (bytes_equal_text(name, report_format_names[i]))
            reporter->format = formats[i];
    if (!reporter->format)
        return refuse_format(error, name);
    if (path && !*path)
        return error_set(error, FAILURE_INPUT, "\"%s\" names no file", escape_text(typed).text);
    reporter->path = path && strcmp(path, "-") != 0 ? path : NULL;
    return true;
}

/* Two reports would be mixed up. */
static bool check_places(const struct reporters *reporters, struct error *error)
{
    for (unsigned i = 0; i < reporters->count; i++)
        for (unsigned j = i + 1; j < reporters->count; j++) {
            const char *one = reporters->list[i].path, *other = reporters->list[j].path;
            if (!one && !other)
                return error_set(error, FAILURE_INPUT, "only one report goes to standard output: name a file, as %s=FILE",
                                 reporters->list[j].format->name);
            if (one && other && strcmp(one, other) == 0)
                return error_set(error, FAILURE_INPUT, "two reports go to %s", escape_text(one).text);
        }
    return true;
}

bool reporters_init(struct reporters *reporters, const struct option_list *typed, const struct report_run *run, struct error *error)
{
    *reporters = (struct reporters){ .count = 0 };
    for (unsigned i = 0; i < typed->count; i++) {
        struct reporter *reporter = &reporters->list[reporters->count++];
        *reporter = (struct reporter){ .run = run, .out = stdout };
        arena_init(&reporter->arena, &memory_malloc, LIMIT_ARENA_BYTES);
        if (!read_typed(reporter, typed->values[i], error))
            return false;
    }
    return check_places(reporters, error);
}

bool reporters_count_rules(struct reporters *reporters, struct error *error)
{
    for (unsigned i = 0; i < reporters->count; i++) {
        const struct report_format **format = &reporters->list[i].format;
        if (*format != &report_text && *format != &report_json)
            return error_set(error, FAILURE_INPUT, "goes with text or json, not with --format %s", (*format)->name);
        *format = *format == &report_text ? &statistics_text : &statistics_json;
    }
    return true;
}

const struct reporter *reporters_printed(const struct reporters *reporters)
{
    for (unsigned i = 0; i < reporters->count; i++)
        if (!reporters->list[i].path)
            return &reporters->list[i];
    return NULL;
}

/* ---- the work ---- */

static bool say_failure(struct error *error, const struct reporter *reporter, enum failure failure)
{
    return !failure || error_set(error, failure, "%s: %s", reporter->path ? escape_text(reporter->path).text : reporter->format->name,
                                 failure == FAILURE_INPUT ? "a temporary file cannot be written" : failure_text(failure));
}

bool reporters_begin(struct reporters *reporters, FILE *out, bool colour, struct error *error)
{
    for (unsigned i = 0; i < reporters->count; i++) {
        struct reporter *reporter = &reporters->list[i];
        reporter->colour = colour && !reporter->path;
        if (reporter->path && !output_file_open(&reporter->file, reporter->path, error))
            return false;
        reporter->out = reporter->path ? reporter->file.out : out;
        if (reporter->format->begin && !say_failure(error, reporter, reporter->format->begin(reporter)))
            return false;
    }
    return true;
}

enum failure reporters_report(struct reporters *reporters, struct workspace *workspace, const struct source *source,
                              const struct report *report)
{
    enum failure failure = FAILURE_NONE;
    for (unsigned i = 0; i < reporters->count && !failure; i++)
        failure = reporters->list[i].format->report(&reporters->list[i], workspace, source, report);
    return failure;
}

bool reporters_end(struct reporters *reporters, struct error *error)
{
    for (unsigned i = 0; i < reporters->count; i++) {
        struct reporter *reporter = &reporters->list[i];
        if (reporter->format->end && !say_failure(error, reporter, reporter->format->end(reporter)))
            return false;
        if (reporter->path && !output_file_end(&reporter->file, error))
            return false;
    }
    return true;
}

int reporters_status(const struct error *error)
{
    return error->code == FAILURE_INPUT ? EXIT_INTERNAL : EXIT_USAGE;
}

void reporters_done(struct reporters *reporters)
{
    for (unsigned i = 0; i < reporters->count; i++) {
        if (reporters->list[i].format && reporters->list[i].format->done)
            reporters->list[i].format->done(&reporters->list[i]);
        output_file_drop(&reporters->list[i].file);
        arena_done(&reporters->list[i].arena);
    }
}
