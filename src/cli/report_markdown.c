/* A table in Markdown, for comments on changes and summaries of steps. */
#include "cli/report_part.h"

struct state {
    size_t bytes, shown, left_out;
};

static void add_code(struct text *text, const char *words)
{
    text_add(text, "<code>");
    text_add_markup(text, bytes_of(words), LIMIT_EXCERPT_BYTES);
    text_add(text, "</code>");
}

static enum failure add_row(struct text *text, const struct problem *problem)
{
    struct position position;
    enum failure failure = lines_find(&problem->source->lines, problem->offset, &position);
    if (failure)
        return failure;
    text_add(text, "| ");
    text_add(text, problem->label ? problem->label : severity_word(problem->severity));
    text_add(text, " | <code>");
    text_add_markup(text, bytes_of(problem->source->name), LIMIT_EXCERPT_BYTES);
    text_add(text, ":");
    text_add_integer(text, position.line);
    text_add(text, "</code> | ");
    add_code(text, object_name(text, problem->item));
    text_add(text, " | ");
    if (*problem->path) {
        add_code(text, problem->path);
        text_add(text, "<br>");
    }
    text_add_markup(text, bytes_of(problem->message), LIMIT_EXCERPT_BYTES);
    if (problem->hint) {
        text_add(text, "<br>*hint:* ");
        text_add_markup(text, bytes_of(problem->hint), LIMIT_EXCERPT_BYTES);
    }
    text_add(text, " | `");
    text_add(text, rule_info(problem->rule)->id);
    text_add(text, "` |\n");
    return FAILURE_NONE;
}

static enum failure begin(struct reporter *reporter)
{
    struct state *state = arena_alloc(&reporter->arena, sizeof *state);
    if (!state)
        return reporter->arena.failure;
    *state = (struct state){ .bytes = 0 };
    reporter->state = state;
    fputs("### drawbridge\n", reporter->out);
    return FAILURE_NONE;
}

static enum failure print(struct reporter *reporter, struct workspace *workspace, const struct source *source, const struct report *report)
{
    struct state *state = reporter->state;
    (void)source;
    for (uint32_t i = 0; i < report->count; i++) {
        struct text text;
        workspace_clear(workspace);
        text_init(&text, &workspace->arena);
        enum failure failure = state->bytes < LIMIT_MARKDOWN_BYTES ? add_row(&text, &report->problems[i]) : FAILURE_NONE;
        const char *row = text_end(&text);
        if (failure || !row)
            return failure ? failure : workspace->arena.failure;
        if (!text.length || state->bytes + text.length > LIMIT_MARKDOWN_BYTES) {
            state->bytes = LIMIT_MARKDOWN_BYTES;
            state->left_out++;
            continue;
        }
        if (!state->shown++)
            fputs("\n| | where | object | finding | rule |\n|---|---|---|---|---|\n", reporter->out);
        state->bytes += text.length;
        fputs(row, reporter->out);
    }
    return FAILURE_NONE;
}

static enum failure end(struct reporter *reporter)
{
    const struct state *state = reporter->state;
    const struct counts *counts = &reporter->run->counts;
    FILE *out = reporter->out;
    if (state->left_out)
        fprintf(out, "\n… and %zu more, for which there is no room here.\n", state->left_out);
    fputs("\n", out);
    print_count(out, counts->errors, "error");
    fputs(", ", out);
    print_count(out, counts->warnings, "warning");
    fputs(", ", out);
    print_count(out, counts->infos, "info");
    fputs(" in ", out);
    print_count(out, counts->validated, "object");
    fputs(" of ", out);
    print_count(out, reporter->run->file_count, "file");
    fprintf(out, ", validated as Kubernetes %s.\n", versions_words(reporter->run->versions).text);
    return FAILURE_NONE;
}

const struct report_format report_markdown = { .name = "markdown", .begin = begin, .report = print, .end = end };
