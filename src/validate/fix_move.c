/* Fixes that move members of an object to another place. */
#include "base/limits.h"
#include "doc/move.h"
#include "doc/reshape.h"
#include "validate/fix.h"

/* Whether the value and what is in it can be moved: it is written where it is, and nowhere else. */
static bool can_move(const struct guess *guess, const struct doc_node *around)
{
    const struct document *document = guess->eval->request->document;
    return fix_is_possible(guess) && !(around->flags & (DOC_IMPLIED | DOC_INLINED)) && !fix_has_no_room(&guess->eval->workspace->arena) &&
           !doc_is_shared(document, around->offset, around->offset + around->size) && reshape_is_plain(around);
}

static void set(struct guess *guess, struct edits *edits, const char *words, struct bytes name)
{
    struct arena *arena = &guess->eval->workspace->arena;
    struct problem_fix *fix = arena_alloc(arena, sizeof *fix);
    struct text text;
    text_init(&text, arena);
    text_add(&text, words);
    text_add_escaped(&text, name, LIMIT_QUOTE_BYTES);
    const char *end = text_end(&text);
    if (!fix || !end || !edits_sort(edits) || !edits->count)
        return;
    *fix = (struct problem_fix){ .words = end, .edits = edits->list, .count = edits->count, .moves = true };
    guess->fix = fix;
}

void fix_move(struct guess *guess, const struct cursor *object, const struct doc_node *member, const struct doc_node *to)
{
    struct edits edits = { .arena = &guess->eval->workspace->arena };
    const struct doc_node *around = to ? object->node : object->up->node;
    const struct move move = {
        .edits = &edits, .source = guess->eval->request->document->source, .object = object->node, .member = member, .to = to ? to : around,
    };
    if (can_move(guess, around) && move_member(&move))
        set(guess, &edits, to ? "move it into " : "move it one level up", to ? doc_name(to) : (struct bytes){ "", 0 });
}

/* Moves members of the object to or from an object below it. */
static void reshape(struct guess *guess, const struct doc_node *object, const struct doc_node *moved, enum reshape_fate fate,
                    const char *below)
{
    struct edits edits = { .arena = &guess->eval->workspace->arena };
    enum reshape_fate *fates = can_move(guess, object) ? arena_alloc(edits.arena, object->count * sizeof *fates) : NULL;
    uint32_t count = 0;
    if (!fates)
        return;
    doc_each(object, member)
        fates[count++] = member == moved ? fate : RESHAPE_STAYS;
    const struct reshape reshape = {
        .edits = &edits, .source = guess->eval->request->document->source, .object = object, .fates = fates, .below = below,
    };
    if (!reshape_object(&reshape))
        set(guess, &edits, below ? "move it into " : "move the fields in it one level up", bytes_of(below ? below : ""));
}

void fix_wrap(struct guess *guess, const struct cursor *object, const struct doc_node *member, struct bytes name)
{
    reshape(guess, object->node, member, RESHAPE_DOWN, name.data); /* the name of a field ends in NUL */
}

void fix_unwrap(struct guess *guess, const struct cursor *object, const struct doc_node *member)
{
    reshape(guess, object->node, member, RESHAPE_UP, NULL);
}
