/* A page for people that needs nothing else: no script, no load, all colours from its own style. Findings are written into a temporary file
 * first, since the page begins with what is known last: the counts, and the rules to choose from. */
#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "cli/report_html.h"
#include "cli/report_part.h"
#include "drawbridge.h"
#include "review/limits.h"

struct state {
    FILE *body;
    size_t rules[RULE_COUNT]; /* findings of each */
};

/* ---- a finding ---- */

/* The source as it is, but for what would move the text or hide: a space for a tab, U+FFFD for the rest. */
static void add_source(struct text *text, struct bytes bytes)
{
    uint32_t code;
    for (uint32_t at = 0, length; at < bytes.length; at += length) {
        char reference[8];
        length = utf8_decode((const unsigned char *)bytes.data + at, bytes.length - at, &code);
        bool unsafe = !length || (utf8_unsafe(code) && code != '\t');
        length = length ? length : 1;
        snprintf(reference, sizeof reference, "&#%u;", code < 0x80 ? code : 0);
        if (unsafe)
            text_add(text, code == '\r' ? "" : UTF8_REPLACEMENT);
        else
            text_add_bytes(text, code < 0x80 && strchr("\t&<>\"'", (int)code) ? bytes_of(code == '\t' ? " " : reference)
                                                                           : (struct bytes){ bytes.data + at, length });
    }
}

static uint32_t line_end(struct bytes text, uint32_t from)
{
    const char *end = memchr(text.data + from, '\n', text.length - from);
    return end ? (uint32_t)(end - text.data) : text.length;
}

/* Lines with their numbers; what is wrong is marked. */
static void add_excerpt(struct text *text, const struct region *region)
{
    struct bytes shown = region->excerpt;
    uint32_t number = region->from.line, mark_end = region->marked + region->marked_size;
    text_add(text, "<pre>");
    for (uint32_t from = 0, end; from <= shown.length; from = end + 1, number++) {
        end = line_end(shown, from);
        uint32_t mark = region->marked < from ? from : region->marked > end ? end : region->marked;
        uint32_t after = mark_end < mark ? mark : mark_end > end ? end : mark_end;
        bool marked = region->marked <= end && (after > mark || (!region->marked_size && region->marked >= from));
        text_add(text, "<span class=n>");
        text_add_integer(text, number);
        text_add(text, "</span>");
        add_source(text, (struct bytes){ shown.data + from, mark - from });
        text_add(text, marked ? "<mark>" : "");
        add_source(text, (struct bytes){ shown.data + mark, after - mark });
        text_add(text, marked ? "</mark>" : "");
        add_source(text, (struct bytes){ shown.data + after, end - after });
        text_add(text, "\n");
    }
    text_add(text, "</pre>\n");
}

static void add_words(struct text *text, const char *before, const char *words, const char *after)
{
    text_add(text, before);
    text_add_markup(text, bytes_of(words), LIMIT_MESSAGE_BYTES);
    text_add(text, after);
}

static void add_place(struct text *text, const struct item *item, const struct source *source, const struct position *position)
{
    add_words(text, "<span class=o>", object_name(text, item), "</span> <span class=w>");
    text_add_markup(text, bytes_of(source->name), LIMIT_FILE_NAME_BYTES);
    text_add(text, ":");
    text_add_integer(text, position->line);
    text_add(text, ":");
    text_add_integer(text, position->column);
    text_add(text, "</span>");
}

static enum failure add_other(struct text *text, const struct problem *problem)
{
    struct region region;
    enum failure failure = region_find(problem->other->source, problem->other_offset, problem->other_size, &region);
    if (failure)
        return failure;
    add_words(text, "<p>", problem->note ? problem->note : "The other object", ": ");
    add_place(text, problem->other, problem->other->source, &region.from);
    text_add(text, "</p>\n");
    add_excerpt(text, &region);
    return FAILURE_NONE;
}

static enum failure add_problem(struct reporter *reporter, struct text *text, const struct problem *problem)
{
    struct state *state = reporter->state;
    const char *severity = severity_word(problem->severity), *rule = rule_info(problem->rule)->id;
    struct region region;
    enum failure failure = region_find(problem->source, problem->offset, problem->size, &region);
    if (failure)
        return failure;
    state->rules[problem->rule]++;
    text_add(text, "<article class=\"");
    text_add(text, severity);
    text_add(text, " r-");
    text_add(text, rule);
    text_add(text, "\">\n<h3><span class=s>");
    text_add(text, problem->label ? problem->label : severity);
    text_add(text, "</span> ");
    add_place(text, problem->item, problem->source, &region.from);
    text_add(text, "</h3>\n<p>");
    if (*problem->path)
        add_words(text, "<code>", problem->path, "</code>: ");
    add_words(text, "", problem->message, " <span class=r>");
    text_add(text, rule);
    text_add(text, "</span></p>\n");
    add_excerpt(text, &region);
    if (problem->hint)
        add_words(text, "<p class=h>", problem->hint, "</p>\n");
    failure = problem->other ? add_other(text, problem) : FAILURE_NONE;
    text_add(text, "</article>\n");
    return failure;
}

static enum failure print(struct reporter *reporter, struct workspace *workspace, const struct source *source, const struct report *report)
{
    (void)source;
    const struct state *state = reporter->state;
    return text_print_each(reporter, workspace, report, state->body, add_problem);
}

/* ---- the page ---- */

static void print_choice(FILE *out, const char *id, const char *word, size_t count)
{
    fprintf(out, "<label><input type=checkbox id=\"%s\" checked> %s <b>%zu</b></label>\n", id, word, count);
}

/* What a box hides is said by style alone. */
static void print_head(FILE *out, const struct state *state)
{
    fputs(PAGE_HEAD, out);
    for (int rule = 0; rule < RULE_COUNT; rule++)
        if (state->rules[rule])
            fprintf(out, "body:has(#f-%s:not(:checked)) .r-%s{display:none}\n", rule_info((enum rule)rule)->id,
                    rule_info((enum rule)rule)->id);
    fputs("</style>\n</head>\n<body>\n<header>\n", out);
}

static void print_filters(FILE *out, const struct state *state, const struct counts *counts)
{
    fputs("<fieldset><legend>Severity</legend>\n", out);
    print_choice(out, "f-error", "error", counts->errors);
    print_choice(out, "f-warning", "warning", counts->warnings);
    print_choice(out, "f-info", "info", counts->infos);
    fputs("</fieldset>\n<details><summary>Rules</summary><fieldset><legend>Rule</legend>\n", out);
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        char id[64];
        snprintf(id, sizeof id, "f-%s", rule_info((enum rule)rule)->id);
        if (state->rules[rule])
            print_choice(out, id, rule_info((enum rule)rule)->id, state->rules[rule]);
    }
    fputs("</fieldset></details>\n</header>\n<main>\n", out);
}

static bool copy(FILE *from, FILE *to)
{
    char part[8192];
    size_t length;
    if (fflush(from) != 0)
        return false;
    rewind(from);
    while ((length = fread(part, 1, sizeof part, from)))
        fwrite(part, 1, length, to);
    return !ferror(from);
}

static void done(struct reporter *reporter)
{
    struct state *state = reporter->state;
    if (state && state->body)
        fclose(state->body);
    reporter->state = NULL;
}

static enum failure begin(struct reporter *reporter)
{
    struct state *state = arena_alloc(&reporter->arena, sizeof *state);
    if (!state)
        return reporter->arena.failure;
    memset(state, 0, sizeof *state);
    reporter->state = state;
    errno = ENOMEM; /* unless the system says otherwise */
    state->body = tmpfile();
    return state->body ? FAILURE_NONE : errno == ENOMEM ? FAILURE_MEMORY : FAILURE_INPUT;
}

static enum failure end(struct reporter *reporter)
{
    struct state *state = reporter->state;
    const struct report_run *run = reporter->run;
    FILE *out = reporter->out;
    print_head(out, state);
    fprintf(out, "<h1>drawbridge %s</h1>\n<p>", run->command);
    print_count(out, run->counts.validated, "object");
    fputs(" of ", out);
    print_count(out, run->file_count, "file");
    fprintf(out, ", validated as Kubernetes %s</p>\n", versions_words(run->versions).text);
    print_filters(out, state, &run->counts);
    if (!counts_findings(&run->counts))
        fputs("<p>Nothing was found.</p>\n", out);
    bool good = !ferror(state->body) && copy(state->body, out);
    fputs("</main>\n<footer>drawbridge " DRAWBRIDGE_VERSION "</footer>\n</body>\n</html>\n", out);
    return good ? FAILURE_NONE : FAILURE_INPUT;
}

const struct report_format report_html = { .name = "html", .begin = begin, .report = print, .end = end, .done = done };
