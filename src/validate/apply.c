#include "validate/apply.h"

#include <stdlib.h>

#include "check/context.h"
#include "validate/limits.h"
#include "validate/rewrite.h"

struct applying {
    const struct source *source;
    const struct problem **problems; /* with a fix, by place */
    uint32_t count;
    struct workspace *workspace;
    struct applied *applied;
    const struct item *left[LIMIT_FIX_ATTEMPTS]; /* objects that are left as they are */
    uint32_t left_count;
};

/* ---- which fixes ---- */

static uint32_t fix_from(const struct problem_fix *fix)
{
    return fix->edits[0].from;
}

static uint32_t fix_to(const struct problem_fix *fix)
{
    return fix->edits[fix->count - 1].to;
}

static int by_place(const void *left, const void *right)
{
    const struct problem *a = *(const struct problem *const *)left, *b = *(const struct problem *const *)right;
    uint32_t from_a = fix_from(a->fix), from_b = fix_from(b->fix);
    return from_a != from_b ? (from_a < from_b ? -1 : 1) : (a > b) - (a < b);
}

static enum failure collect(struct applying *applying, const struct report *report, struct arena *arena)
{
    applying->problems = arena_alloc(arena, (report->count + 1) * sizeof *applying->problems);
    if (!applying->problems)
        return arena->failure;
    for (uint32_t i = 0; i < report->count; i++)
        if (report->problems[i].fix && report->problems[i].fix->count && report->problems[i].source == applying->source)
            applying->problems[applying->count++] = &report->problems[i];
    if (applying->count)
        qsort(applying->problems, applying->count, sizeof *applying->problems, by_place);
    return FAILURE_NONE;
}

static bool is_left(const struct applying *applying, const struct item *item)
{
    for (uint32_t i = 0; i < applying->left_count; i++)
        if (applying->left[i] == item)
            return true;
    return false;
}

static void choose(struct applying *applying)
{
    struct applied *applied = applying->applied;
    const struct problem *last = NULL;
    applied->edits.count = 0;
    applied->fixes = 0;
    for (uint32_t i = 0; i < applying->count; i++) {
        const struct problem *problem = applying->problems[i];
        const struct problem_fix *fix = problem->fix;
        bool apart = !last || fix_from(fix) > fix_to(last->fix);
        bool alone = !last || last->item != problem->item || !(fix->moves || last->fix->moves);
        if (!apart || !alone || is_left(applying, problem->item))
            continue;
        for (uint32_t j = 0; j < fix->count; j++)
            edits_add(&applied->edits, fix->edits[j].from, fix->edits[j].to, fix->edits[j].text);
        applied->fixes++;
        last = problem;
    }
}

/* ---- whether the new objects are the old ones, but for the fixes ---- */

/* The first change that ends at or after a place, in the list from `from` on. */
static const struct edit *edit_at(const struct edits *edits, uint32_t place)
{
    uint32_t low = 0, high = edits->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (edits->list[middle].to < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < edits->count ? &edits->list[low] : NULL;
}

static bool is_changed(const struct edits *edits, uint32_t from, uint32_t to)
{
    const struct edit *edit = edit_at(edits, from);
    return edit && edit->from <= to;
}

static bool same_name(const struct edits *edits, const struct doc_node *a, const struct doc_node *b)
{
    bool same = a->name_length == b->name_length && memcmp(a->name, b->name, a->name_length) == 0;
    return same || is_changed(edits, a->name_offset, a->name_offset + a->name_length);
}

/* The same values in the same order, but for those that are changed. As deep as documents nest. */
static bool same_but_changed(const struct edits *edits, const struct doc_node *a, const struct doc_node *b)
{
    bool text = a->type == DOC_STRING || a->type == DOC_NUMBER;
    if (a->type != DOC_ARRAY && a->type != DOC_OBJECT)
        return (a->type == b->type && (!text || bytes_equal(doc_text(a), doc_text(b)))) ||
               is_changed(edits, a->offset, a->offset + a->size);
    const struct doc_node *other = doc_first(b);
    if (a->type != b->type || a->count != b->count)
        return false;
    doc_each(a, child) {
        if ((a->type == DOC_OBJECT && !same_name(edits, child, other)) || !same_but_changed(edits, child, other))
            return false;
        other = other->next;
    }
    return true;
}

/* Whether the object has a fix that moves something. Problems are sorted by place, as items are. */
static bool is_moved(const struct applying *applying, const struct item *item)
{
    uint32_t low = 0, high = applying->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fix_from(applying->problems[middle]->fix) < item->node->offset)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < applying->count && fix_from(applying->problems[low]->fix) < item->node->offset + item->node->size; low++)
        if (applying->problems[low]->fix->moves && applying->problems[low]->item == item)
            return is_changed(&applying->applied->edits, fix_from(applying->problems[low]->fix), fix_from(applying->problems[low]->fix));
    return false;
}

static bool same_item(const struct applying *applying, const struct item *item, const struct item *fresh)
{
    if (item->type == ITEM_UNREADABLE || fresh->type == ITEM_UNREADABLE)
        return item->type == fresh->type;
    if (same_but_changed(&applying->applied->edits, item->node, fresh->node))
        return true;
    return is_moved(applying, item) && rewrite_is_same(applying->workspace, applying->source->version, item, fresh);
}

/* Reads the new text. *wrong: the first object that is not what it should be; NULL: none. */
static enum failure compare(const struct applying *applying, const struct item **wrong)
{
    struct source fresh;
    const struct source *source = applying->source;
    const struct source_options options = source_options_of(source);
    enum failure failure = source_read(&fresh, applying->workspace->context, source->name, applying->applied->text, &options);
    const struct item *item = source->first, *other = fresh.first;
    while (!failure && item && other && same_item(applying, item, other)) {
        item = item->next;
        other = other->next;
    }
    *wrong = item ? item : other ? source->last : NULL;
    source_done(&fresh);
    return failure;
}

enum failure fixes_apply(const struct source *source, const struct report *report, struct workspace *workspace, struct arena *arena,
                         struct applied *applied)
{
    struct applying applying = { .source = source, .workspace = workspace, .applied = applied };
    *applied = (struct applied){ .edits = { .arena = arena } };
    enum failure failure = collect(&applying, report, arena);
    while (!failure && applying.left_count < LIMIT_FIX_ATTEMPTS) {
        const struct item *wrong = NULL;
        choose(&applying);
        if (!applied->fixes || arena->failure || !edits_sort(&applied->edits))
            break;
        applied->text = edits_apply(&applied->edits, source->text);
        failure = applied->text.data ? compare(&applying, &wrong) : arena->failure;
        if (failure || !wrong)
            return failure;
        applied->wrong = wrong;
        applying.left[applying.left_count++] = wrong;
    }
    applied->text = (struct bytes){ NULL, 0 };
    applied->fixes = 0;
    return failure ? failure : arena->failure;
}
