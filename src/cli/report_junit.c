/* Reports for CI systems that show tests: JUnit's XML, a suite a file, a case an object. Errors fail; what else is found is its output. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "cli/report_part.h"
#include "review/limits.h"

static bool is_case(const struct item *item)
{
    return item->type == ITEM_OBJECT || item->type == ITEM_UNREADABLE;
}

static bool any_error(const struct problem *const *problems, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (problems[i]->severity == SEVERITY_ERROR)
            return true;
    return false;
}

/* FILE:LINE:COLUMN: path: message [rule] */
static enum failure add_problem(struct text *text, const struct problem *problem)
{
    struct position position;
    struct text words;
    enum failure failure = lines_find(&problem->source->lines, problem->offset, &position);
    if (failure)
        return failure;
    text_init(&words, text->arena);
    text_add(&words, problem->source->name);
    text_add(&words, ":");
    text_add_integer(&words, position.line);
    text_add(&words, ":");
    text_add_integer(&words, position.column);
    text_add(&words, ": ");
    text_add(&words, severity_word(problem->severity));
    text_add(&words, ": ");
    text_add(&words, problem->path);
    text_add(&words, *problem->path ? ": " : "");
    text_add(&words, problem->message);
    const char *end = text_end(&words);
    text->failed |= !end;
    text_add_markup(text, bytes_of(end ? end : ""), LIMIT_FILE_NAME_BYTES + 2 * LIMIT_MESSAGE_BYTES);
    text_add(text, " [");
    text_add(text, rule_info(problem->rule)->id);
    text_add(text, "]");
    if (problem->hint) {
        text_add(text, "\n  hint: ");
        text_add_markup(text, bytes_of(problem->hint), LIMIT_MESSAGE_BYTES);
    }
    text_add(text, "\n");
    return FAILURE_NONE;
}

/* <failure> for each error; everything else together in <system-out>. */
static enum failure add_problems(struct text *text, const struct problem *const *problems, uint32_t count)
{
    enum failure failure = FAILURE_NONE;
    bool others = false;
    for (uint32_t i = 0; i < count && !failure; i++) {
        others |= problems[i]->severity != SEVERITY_ERROR;
        if (problems[i]->severity != SEVERITY_ERROR)
            continue;
        text_add(text, "      <failure type=\"");
        text_add(text, rule_info(problems[i]->rule)->id);
        text_add(text, "\" message=\"");
        text_add_markup(text, bytes_of(problems[i]->message), LIMIT_MESSAGE_BYTES);
        text_add(text, "\">");
        failure = add_problem(text, problems[i]);
        text_add(text, "</failure>\n");
    }
    text_add(text, others ? "      <system-out>" : "");
    for (uint32_t i = 0; i < count && !failure; i++)
        if (problems[i]->severity != SEVERITY_ERROR)
            failure = add_problem(text, problems[i]);
    text_add(text, others ? "</system-out>\n" : "");
    return failure;
}

static enum failure add_case(struct text *text, const struct item *item, const struct by_item *by_item)
{
    uint32_t count;
    const struct problem *const *problems = by_item_find(by_item, item, &count);
    text_add(text, "    <testcase classname=\"");
    text_add_markup(text, bytes_of(item->source->name), LIMIT_FILE_NAME_BYTES);
    text_add(text, "\" name=\"");
    text_add_markup(text, bytes_of(object_name(text, item)), LIMIT_FILE_NAME_BYTES);
    text_add(text, count ? "\">\n" : "\"/>\n");
    enum failure failure = count ? add_problems(text, problems, count) : FAILURE_NONE;
    text_add(text, count ? "    </testcase>\n" : "");
    return failure;
}

static enum failure begin(struct reporter *reporter)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"drawbridge\">\n", reporter->out);
    return FAILURE_NONE;
}

/* Counts are left out for a large file: its pieces come one by one. */
static void add_counts(struct text *text, const struct source *source, const struct by_item *by_item)
{
    uint32_t tests = 0, failures = 0, count;
    for (const struct item *item = source->first; item; item = item->next) {
        const struct problem *const *problems = by_item_find(by_item, item, &count);
        tests += is_case(item) || count;
        failures += any_error(problems, count);
    }
    text_add(text, " tests=\"");
    text_add_integer(text, tests);
    text_add(text, "\" failures=\"");
    text_add_integer(text, failures);
    text_add(text, "\" errors=\"0\" skipped=\"0\"");
}

static void end_suite(struct reporter *reporter)
{
    if (!reporter->state)
        return;
    fputs("  </testsuite>\n", reporter->out);
    free(reporter->state);
    reporter->state = NULL;
}

/* The state is the name of the suite that has begun: pieces of one file are one suite. */
static enum failure begin_suite(struct reporter *reporter, struct text *text, const struct source *source, const struct by_item *by_item)
{
    if (source->is_piece && reporter->state && strcmp(reporter->state, source->name) == 0)
        return FAILURE_NONE;
    end_suite(reporter);
    reporter->state = strdup(source->name);
    if (!reporter->state)
        return FAILURE_MEMORY;
    text_add(text, "  <testsuite name=\"");
    text_add_markup(text, bytes_of(source->name), LIMIT_FILE_NAME_BYTES);
    text_add(text, "\"");
    if (!source->is_piece)
        add_counts(text, source, by_item);
    text_add(text, ">\n");
    return FAILURE_NONE;
}

static enum failure print_text(struct reporter *reporter, struct text *text)
{
    const char *printed = text_end(text);
    if (!printed)
        return text->arena->failure;
    fputs(printed, reporter->out);
    return FAILURE_NONE;
}

static enum failure print(struct reporter *reporter, struct workspace *workspace, const struct source *source, const struct report *report)
{
    struct by_item by_item;
    struct text text;
    arena_clear(&reporter->arena);
    enum failure failure = by_item_make(&reporter->arena, report, &by_item);
    if (failure)
        return failure;
    workspace_clear(workspace);
    text_init(&text, &workspace->arena);
    failure = begin_suite(reporter, &text, source, &by_item);
    if (!failure)
        failure = print_text(reporter, &text);
    for (const struct item *item = source->first; item && !failure; item = item->next) {
        uint32_t count;
        (void)by_item_find(&by_item, item, &count);
        if (!is_case(item) && !count)
            continue;
        workspace_clear(workspace);
        text_init(&text, &workspace->arena);
        failure = add_case(&text, item, &by_item);
        if (!failure)
            failure = print_text(reporter, &text);
    }
    if (!source->is_piece)
        end_suite(reporter);
    return failure;
}

static enum failure end(struct reporter *reporter)
{
    end_suite(reporter);
    fputs("</testsuites>\n", reporter->out);
    return FAILURE_NONE;
}

static void done(struct reporter *reporter)
{
    free(reporter->state);
}

const struct report_format report_junit = { .name = "junit", .begin = begin, .report = print, .end = end, .done = done };
