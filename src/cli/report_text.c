/* Problems for people, in the form of compilers: FILE:LINE:COLUMN: error: KIND NAME: PATH: MESSAGE [RULE], the line, and what to do. */
#include "base/limits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/report_part.h"

enum { SHOWN_BEFORE = 60, SHOWN = 120 }; /* characters of a source line, and of them before the place */

#define BOLD   "\033[1m"
#define RED    "\033[1;31m"
#define YELLOW "\033[1;33m"
#define GREEN  "\033[1;32m"
#define BLUE   "\033[1;34m"
#define PLAIN  "\033[0m"

/* "error:" */
static void add_severity(struct text *text, bool colour, enum severity severity, const char *label)
{
    static const char *const colours[] = { [SEVERITY_ERROR] = RED, [SEVERITY_WARNING] = YELLOW, [SEVERITY_INFO] = BLUE };
    text_add(text, colour ? colours[severity] : "");
    text_add(text, label ? label : severity_word(severity));
    text_add(text, colour ? ":" PLAIN : ":");
}

static void add_repeated(struct text *text, char byte, uint32_t count)
{
    while (count--)
        text_add_bytes(text, (struct bytes){ &byte, 1 });
}

/* Bytes of the character at `at`; 1 for a byte that is none. */
static uint32_t step(struct bytes line, uint32_t at, uint32_t *code)
{
    unsigned length = utf8_decode((const unsigned char *)line.data + at, line.length - at, code);
    if (length == 0)
        *code = UINT32_MAX;
    return length ? length : 1;
}

/* The part of the line that is shown: from a byte, so many characters before the place. */
struct window {
    uint32_t from, before;
};

static struct window window_of(const struct position *position)
{
    struct window window = { position->at, 0 };
    while (window.from && window.before < SHOWN_BEFORE) {
        do
            window.from--;
        while (window.from && ((unsigned char)position->text.data[window.from] & 0xC0) == 0x80);
        window.before++;
    }
    return window;
}

/* One column for each character: what would move the cursor is a space or a question mark. Returns the columns from the place to
 * the end of the value, one at least. */
static uint32_t add_line(struct text *text, const struct position *position, struct window window, uint32_t size)
{
    struct bytes line = position->text;
    uint32_t marked = 0, code = 0, shown = 0;
    text_add(text, window.from ? "..." : "");
    for (uint32_t at = window.from, bytes; at < line.length && shown < SHOWN; at += bytes, shown++) {
        bytes = step(line, at, &code);
        marked += at >= position->at && at - position->at < size;
        if (code == '\t' || code == UINT32_MAX || utf8_unsafe(code))
            text_add(text, code == '\t' ? " " : "?");
        else
            text_add_bytes(text, (struct bytes){ line.data + at, bytes });
    }
    text_add(text, shown == SHOWN ? "..." : "");
    return marked ? marked : 1;
}

static void add_excerpt(struct text *text, bool colour, uint32_t size, const struct position *position)
{
    char number[16];
    struct window window = window_of(position);
    snprintf(number, sizeof number, "%5u", position->line);
    text_add(text, number);
    text_add(text, " | ");
    uint32_t marked = add_line(text, position, window, size);
    text_add(text, "\n      | ");
    add_repeated(text, ' ', window.before + (window.from ? 3 : 0));
    text_add(text, colour ? GREEN : "");
    text_add(text, "^");
    add_repeated(text, '~', marked - 1);
    text_add(text, colour ? PLAIN : "");
    text_add(text, "\n");
}

/* The lines and carets of further parts of the value. */
static enum failure add_marks(struct text *text, bool colour, const struct problem *problem)
{
    for (uint32_t i = 0; i < problem->mark_count; i++) {
        struct position position;
        enum failure failure = lines_find(&problem->source->lines, problem->marks[i].offset, &position);
        if (failure)
            return failure;
        add_excerpt(text, colour, problem->marks[i].size, &position);
    }
    return FAILURE_NONE;
}

/* FILE:LINE:COLUMN: */
static void add_place(struct text *text, bool colour, const struct source *source, const struct position *position)
{
    text_add(text, colour ? BOLD : "");
    text_add_escaped(text, bytes_of(source->name), LIMIT_FILE_NAME_BYTES);
    text_add(text, ":");
    text_add_integer(text, position->line);
    text_add(text, ":");
    text_add_integer(text, position->column);
    text_add(text, ":");
    text_add(text, colour ? PLAIN " " : " ");
}

static void add_other_words(struct text *text, const struct problem *problem)
{
    if (problem->note) {
        text_add(text, problem->note);
        return;
    }
    text_add_escaped(text, problem->other->kind_name, LIMIT_QUOTE_BYTES);
    if (problem->other->name.length) {
        text_add(text, " ");
        text_add_quoted(text, problem->other->name, LIMIT_QUOTE_BYTES);
    }
    text_add(text, " is here");
}

/* Where the object is with which this one clashes, or the value that counted before. */
static enum failure add_other(struct text *text, bool colour, const struct problem *problem)
{
    struct position position;
    struct source *source = problem->other->source;
    enum failure failure = lines_find(&source->lines, problem->other_offset, &position);
    if (failure)
        return failure;
    add_place(text, colour, source, &position);
    text_add(text, "note: ");
    add_other_words(text, problem);
    text_add(text, "\n");
    add_excerpt(text, colour, problem->other_size, &position);
    return FAILURE_NONE;
}

static enum failure add_problem(struct reporter *reporter, struct text *text, const struct problem *problem)
{
    const bool colour = reporter->colour;
    struct position position;
    enum failure failure = lines_find(&problem->source->lines, problem->offset, &position);
    if (failure)
        return failure;
    add_place(text, colour, problem->source, &position);
    add_severity(text, colour, problem->severity, problem->label);
    text_add(text, " ");
    text_add_finding(text, problem);
    text_add(text, " [");
    text_add(text, rule_info(problem->rule)->id);
    text_add(text, "]");
    if (problem->versions) {
        text_add(text, " (in ");
        text_add(text, version_set_words(problem->versions).text);
        text_add(text, ")");
    }
    text_add(text, "\n");
    add_excerpt(text, colour, problem->size, &position);
    failure = add_marks(text, colour, problem);
    if (failure)
        return failure;
    if (problem->hint) {
        text_add(text, "      = hint: ");
        text_add(text, problem->hint);
        text_add(text, "\n");
    }
    return problem->other ? add_other(text, colour, problem) : FAILURE_NONE;
}

static enum failure print(struct reporter *reporter, struct workspace *workspace, const struct source *source, const struct report *report)
{
    (void)source;
    return text_print_each(reporter, workspace, report, reporter->out, add_problem);
}

const struct report_format report_text = { .name = "text", .summary = true, .report = print };
