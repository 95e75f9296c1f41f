#include "doc/edit.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3 }; /* lines around a change */

void edits_add(struct edits *edits, uint32_t from, uint32_t to, struct bytes text)
{
    if (edits->count == edits->capacity) {
        uint32_t capacity = edits->capacity ? 2 * edits->capacity : 16;
        struct edit *grown = arena_alloc(edits->arena, capacity * sizeof *grown);
        if (!grown)
            return;
        if (edits->count)
            memcpy(grown, edits->list, edits->count * sizeof *grown);
        edits->list = grown;
        edits->capacity = capacity;
    }
    edits->list[edits->count++] = (struct edit){ from, to, text };
}

static int by_place(const void *left, const void *right)
{
    const struct edit *a = left, *b = right;
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : a->to < b->to ? -1 : a->to > b->to;
}

bool edits_sort(struct edits *edits)
{
    if (edits->count)
        qsort(edits->list, edits->count, sizeof *edits->list, by_place);
    for (uint32_t i = 1; i < edits->count; i++)
        if (edits->list[i].from < edits->list[i - 1].to)
            return false;
    return true;
}

static struct bytes part(struct bytes source, uint32_t from, uint32_t to)
{
    return (struct bytes){ source.data + from, to - from };
}

/* Appends a part of the text, in which those changes are made. */
static void add_changed(struct text *text, struct bytes source, uint32_t from, uint32_t to, const struct edit *first,
                        const struct edit *end)
{
    for (const struct edit *edit = first; edit != end; edit++) {
        text_add_bytes(text, part(source, from, edit->from));
        text_add_bytes(text, edit->text);
        from = edit->to;
    }
    text_add_bytes(text, part(source, from, to));
}

struct bytes edits_apply(const struct edits *edits, struct bytes source)
{
    struct text text;
    text_init(&text, edits->arena);
    add_changed(&text, source, 0, source.length, edits->list, edits->list + edits->count);
    const char *end = text_end(&text);
    return end && text.length <= UINT32_MAX ? (struct bytes){ end, (uint32_t)text.length } : (struct bytes){ NULL, 0 };
}

/* ---- changes after changes ---- */

/* Writes a changed text as changes of the first one: what is copied, and what is put between. */
struct composing {
    struct edits out;
    struct text fresh; /* between what was copied and what comes next */
    uint32_t at;       /* in the first text: the end of what was copied */
};

static void put(struct composing *composing, struct bytes text)
{
    text_add_bytes(&composing->fresh, text);
}

static void copy(struct composing *composing, uint32_t from, uint32_t to)
{
    struct text *fresh = &composing->fresh;
    if (from == to)
        return;
    if (from > composing->at || fresh->length) {
        const char *text = text_end(fresh);
        if (text)
            edits_add(&composing->out, composing->at, from, (struct bytes){ text, (uint32_t)fresh->length });
        text_init(fresh, composing->out.arena);
    }
    composing->at = to;
}

/* A walk through the text that the first changes make. */
struct passing {
    const struct edits *edits;
    uint32_t next;  /* change */
    uint32_t at;    /* in the first text */
    uint32_t shown; /* bytes of the next change's text that were passed; they come before anything after it */
};

/* Passes over that many bytes, which are kept or left out. */
static void pass(struct passing *passing, struct composing *composing, uint32_t bytes, bool kept)
{
    while (bytes) {
        const struct edit *edit = passing->next < passing->edits->count ? &passing->edits->list[passing->next] : NULL;
        uint32_t before = edit ? edit->from - passing->at : bytes, count = bytes < before ? bytes : before;
        if (kept)
            copy(composing, passing->at, passing->at + count);
        passing->at += count;
        bytes -= count;
        if (!edit || passing->at < edit->from)
            return;
        uint32_t left = edit->text.length - passing->shown;
        count = bytes < left ? bytes : left;
        if (kept)
            put(composing, part(edit->text, passing->shown, passing->shown + count));
        bytes -= count;
        passing->shown += count;
        if (passing->shown < edit->text.length)
            return;
        passing->at = edit->to;
        passing->shown = 0;
        passing->next++;
    }
}

void edits_then(struct edits *edits, const struct edits *further)
{
    struct composing composing = { .out = { .arena = edits->arena } };
    struct passing passing = { .edits = edits };
    uint32_t at = 0;
    text_init(&composing.fresh, edits->arena);
    for (uint32_t i = 0; i < further->count; i++) {
        pass(&passing, &composing, further->list[i].from - at, true);
        put(&composing, further->list[i].text);
        pass(&passing, &composing, further->list[i].to - further->list[i].from, false);
        at = further->list[i].to;
    }
    for (; passing.next < edits->count; passing.next++, passing.shown = 0) { /* after the last of the further changes */
        const struct edit *edit = &edits->list[passing.next];
        copy(&composing, passing.at, edit->from);
        put(&composing, part(edit->text, passing.shown, edit->text.length));
        passing.at = edit->to;
    }
    copy(&composing, passing.at, UINT32_MAX);
    *edits = composing.out;
}

/* ---- the diff ---- */

/* The end of the line in which `at` is, after its LF. */
static uint32_t line_end(struct bytes source, uint32_t at)
{
    const char *end = at < source.length ? memchr(source.data + at, '\n', source.length - at) : NULL;
    return end ? (uint32_t)(end - source.data) + 1 : source.length;
}

static uint32_t line_start(struct bytes source, uint32_t at)
{
    while (at && source.data[at - 1] != '\n')
        at--;
    return at;
}

/* The start of the line that is so many lines before the one that begins at `at`, but not before `bound`. */
static uint32_t lines_before(struct bytes source, uint32_t at, unsigned lines, uint32_t bound)
{
    while (lines-- && at > bound)
        at = line_start(source, at - 1);
    return at > bound ? at : bound;
}

static uint32_t lines_after(struct bytes source, uint32_t at, unsigned lines)
{
    while (lines-- && at < source.length)
        at = line_end(source, at);
    return at;
}

static uint32_t count_lines(struct bytes text)
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < text.length; at = line_end(text, at))
        count++;
    return count;
}

static void add_lines(struct text *diff, const char *sign, struct bytes lines)
{
    for (uint32_t at = 0, end; at < lines.length; at = end) {
        end = line_end(lines, at);
        text_add(diff, sign);
        text_add_bytes(diff, part(lines, at, end));
        if (lines.data[end - 1] != '\n')
            text_add(diff, "\n\\ No newline at end of file\n");
    }
}

/* Whole lines of the text, and what becomes of them. */
struct change {
    uint32_t from, to;
    struct bytes old, fresh;
};

/* The end of the last line that the change concerns. */
static uint32_t end_of(struct bytes source, const struct edit *edit)
{
    return edit->to > edit->from && source.data[edit->to - 1] == '\n' ? edit->to : line_end(source, edit->to);
}

/* Leaves out lines that stay, at the start and at the end. */
static void trim(struct change *change)
{
    struct bytes *old = &change->old, *fresh = &change->fresh;
    for (uint32_t line; (line = line_end(*old, 0)) && line == line_end(*fresh, 0) && memcmp(old->data, fresh->data, line) == 0;) {
        change->from += line;
        *old = part(*old, line, old->length);
        *fresh = part(*fresh, line, fresh->length);
    }
    while (old->length && fresh->length) {
        uint32_t old_line = line_start(*old, old->length - 1), fresh_line = line_start(*fresh, fresh->length - 1);
        if (!bytes_equal(part(*old, old_line, old->length), part(*fresh, fresh_line, fresh->length)))
            break;
        change->to -= old->length - old_line;
        old->length = old_line;
        fresh->length = fresh_line;
    }
}

/* The lines of the changes from *at on that have lines in common, or follow one another. Moves *at after them. */
static struct change next_change(const struct edits *edits, struct bytes source, uint32_t *at)
{
    const struct edit *first = &edits->list[*at], *last = first, *end = edits->list + edits->count;
    struct change change = { .from = line_start(source, first->from), .to = end_of(source, first) };
    while (last + 1 != end && line_start(source, last[1].from) <= change.to) {
        last++;
        change.to = last->to > change.to ? end_of(source, last) : change.to;
    }
    *at = (uint32_t)(last + 1 - edits->list);
    struct text text;
    text_init(&text, edits->arena);
    add_changed(&text, source, change.from, change.to, first, last + 1);
    const char *fresh = text_end(&text);
    change.old = part(source, change.from, change.to);
    change.fresh = (struct bytes){ fresh ? fresh : "", fresh ? (uint32_t)text.length : 0 };
    trim(&change);
    return change;
}

/* A hunk: its lines are collected before its head can be written. */
struct hunk {
    struct text body;
    uint32_t from, to;            /* in the old text */
    uint32_t old_lines, fresh_lines;
    uint32_t line, fresh_line;    /* of its start, from 1 */
};

static void add_context(struct hunk *hunk, struct bytes source, uint32_t to)
{
    struct bytes lines = part(source, hunk->to, to);
    uint32_t count = count_lines(lines);
    add_lines(&hunk->body, " ", lines);
    hunk->old_lines += count;
    hunk->fresh_lines += count;
    hunk->to = to;
}

static void add_range(struct text *diff, const char *sign, uint32_t line, uint32_t count)
{
    text_add(diff, sign);
    text_add_integer(diff, count ? line : line - 1);
    if (count != 1) {
        text_add(diff, ",");
        text_add_integer(diff, count);
    }
}

static void end_hunk(struct hunk *hunk, struct bytes source, struct text *diff)
{
    add_context(hunk, source, lines_after(source, hunk->to, CONTEXT));
    add_range(diff, "@@ -", hunk->line, hunk->old_lines);
    add_range(diff, " +", hunk->fresh_line, hunk->fresh_lines);
    text_add(diff, " @@\n");
    text_add_bytes(diff, (struct bytes){ hunk->body.data, (uint32_t)hunk->body.length });
}

static void begin_hunk(struct hunk *hunk, struct bytes source, const struct edits *edits, const struct change *change)
{
    uint32_t before = hunk->to, from = lines_before(source, change->from, CONTEXT, before);
    uint32_t between = count_lines(part(source, before, from));
    *hunk = (struct hunk){
        .from = from, .to = from,
        .line = hunk->line + hunk->old_lines + between, .fresh_line = hunk->fresh_line + hunk->fresh_lines + between,
    };
    text_init(&hunk->body, edits->arena);
}

void edits_diff(const struct edits *edits, struct bytes source, const char *name, struct text *diff)
{
    struct hunk hunk = { .line = 1, .fresh_line = 1 };
    bool open = false;
    for (uint32_t at = 0; at < edits->count;) {
        const struct change change = next_change(edits, source, &at);
        if (!change.old.length && !change.fresh.length)
            continue;
        if (open && lines_after(source, hunk.to, 2 * CONTEXT) < change.from) {
            end_hunk(&hunk, source, diff);
            open = false;
        } else if (!open) {
            text_add(diff, "--- ");
            text_add(diff, name);
            text_add(diff, "\n+++ ");
            text_add(diff, name);
            text_add(diff, "\n");
        }
        if (!open)
            begin_hunk(&hunk, source, edits, &change);
        open = true;
        add_context(&hunk, source, change.from);
        add_lines(&hunk.body, "-", change.old);
        add_lines(&hunk.body, "+", change.fresh);
        hunk.old_lines += count_lines(change.old);
        hunk.fresh_lines += count_lines(change.fresh);
        hunk.to = change.to;
    }
    if (open)
        end_hunk(&hunk, source, diff);
}
