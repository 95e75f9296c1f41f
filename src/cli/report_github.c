/* Findings as workflow commands of GitHub Actions, which shows them beside the lines of a change. */
#include "base/text.h"
#include "cli/report_part.h"

/* What would end a property or the command: percent, CR and LF, and in a property colon and comma. */
static void add_value(struct text *text, const char *value, bool property)
{
    for (; value && *value; value++) {
        char code[4];
        snprintf(code, sizeof code, "%%%02X", (unsigned char)*value);
        bool special = *value == '%' || *value == '\r' || *value == '\n' || (property && (*value == ':' || *value == ','));
        text_add_bytes(text, special ? bytes_of(code) : (struct bytes){ value, 1 });
    }
}

static void add_number(struct text *text, const char *name, uint32_t number)
{
    text_add(text, ",");
    text_add(text, name);
    text_add(text, "=");
    text_add_integer(text, number);
}

static const char *message_of(struct arena *arena, const struct problem *problem)
{
    struct text text;
    text_init(&text, arena);
    text_add_finding(&text, problem);
    if (problem->hint) {
        text_add(&text, "\nhint: ");
        text_add(&text, problem->hint);
    }
    return text_end(&text);
}

static enum failure add_problem(struct reporter *reporter, struct text *text, const struct problem *problem)
{
    static const char *const commands[] = { [SEVERITY_ERROR] = "error", [SEVERITY_WARNING] = "warning", [SEVERITY_INFO] = "notice" };
    struct region region;
    (void)reporter;
    enum failure failure = region_find(problem->source, problem->offset, problem->size, &region);
    if (failure)
        return failure;
    text_add(text, "::");
    text_add(text, commands[problem->severity]);
    text_add(text, " file=");
    add_value(text, problem->source->name, true);
    add_number(text, "line", region.from.line);
    add_number(text, "endLine", region.to.line);
    if (region.from.line == region.to.line) { /* GitHub takes no columns across lines */
        add_number(text, "col", region.from.column);
        add_number(text, "endColumn", region.to.column);
    }
    text_add(text, ",title=");
    text_add(text, rule_info(problem->rule)->id);
    text_add(text, "::");
    const char *message = message_of(text->arena, problem);
    text->failed |= !message;
    add_value(text, message, false);
    text_add(text, "\n");
    return FAILURE_NONE;
}

static enum failure print(struct reporter *reporter, struct workspace *workspace, const struct source *source, const struct report *report)
{
    (void)source;
    return text_print_each(reporter, workspace, report, reporter->out, add_problem);
}

const struct report_format report_github = { .name = "github", .summary = true, .report = print };
