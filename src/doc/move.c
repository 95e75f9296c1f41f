#include "doc/move.h"

#include <string.h>

#include "doc/block.h"

/* The member of the object that is, or contains, what is at that place; NULL: none. */
static const struct doc_node *member_at(const struct doc_node *object, uint32_t at)
{
    doc_each(object, member)
        if (member->name_offset <= at && at < member->offset + member->size)
            return member;
    return NULL;
}

/* The member after which the moved one shall stand. */
static const struct doc_node *neighbour(const struct move *move)
{
    const struct doc_node *last = doc_first(move->to);
    if (move->to->offset <= move->object->offset && move->to != move->object &&
        move->to->offset + move->to->size >= move->object->offset + move->object->size)
        return member_at(move->to, move->object->offset);
    while (last && last->next)
        last = last->next;
    return last;
}

/* ---- one member below the other ---- */

/* A member's piece of an object. */
static bool find_piece(const struct move *move, const struct doc_node *object, const struct doc_node *member, struct block_piece *piece,
                       uint32_t *column)
{
    struct block_piece *pieces = arena_alloc(move->edits->arena, object->count * sizeof *pieces);
    if (!pieces || block_pieces(move->source, object, pieces, column))
        return false;
    for (uint32_t i = 0; i < object->count; i++)
        if (pieces[i].member == member)
            *piece = pieces[i];
    return true;
}

/* The first member of an object begins its line, or follows a dash; then the next one shall follow it. */
static bool widen_first(const struct move *move, struct block_piece *piece)
{
    const struct doc_node *first = doc_first(move->object);
    uint32_t line = block_line_start(move->source, first->name_offset), column = first->name_offset - line;
    if (piece->member != first)
        return true;
    if (block_spaces_at(move->source, line, first->name_offset) == column) {
        piece->from = line;
        return true;
    }
    uint32_t next = first->next->name_offset;
    bool comments = block_line_start(move->source, next) != piece->to;
    piece->to = next;
    return !comments;
}

static bool move_lines(const struct move *move)
{
    struct bytes source = move->source;
    struct block_piece cut = { .member = NULL }, after = { .member = NULL };
    const struct doc_node *beside = neighbour(move);
    uint32_t column, new_column;
    struct text text;
    if (!find_piece(move, move->object, move->member, &cut, &column) || !find_piece(move, move->to, beside, &after, &new_column) ||
        !cut.member || !after.member)
        return false;
    struct bytes lines = block_part(source, cut.from, cut.to);
    bool first = move->member == doc_first(move->object), own_line = after.to == 0 || source.data[after.to - 1] == '\n';
    text_init(&text, move->edits->arena);
    if (!own_line && after.to != cut.to)
        text_add(&text, block_newline_after(source, move->member->name_offset));
    if (first)
        block_add_spaces(&text, new_column);
    block_add_lines(&text, lines, (int)new_column - (int)column, first);
    bool ends = source.data[cut.to - 1] == '\n';
    if (own_line && !ends)
        text_add(&text, block_newline_after(source, move->member->name_offset));
    const char *moved = text_end(&text);
    if (!moved || !widen_first(move, &cut))
        return false;
    if (!own_line && ends) /* the last line has no end, and shall have none */
        text.length -= strlen(block_newline_after(source, move->member->name_offset));
    edits_add(move->edits, cut.from, cut.to, (struct bytes){ "", 0 });
    edits_add(move->edits, after.to, after.to, (struct bytes){ moved, (uint32_t)text.length });
    return true;
}

/* ---- in braces ---- */

/* What is between two members, or between the bracket and a single one: white space, and a comma. */
static struct bytes separator(const struct move *move, const struct doc_node *object, const struct doc_node *member, struct text *text)
{
    struct bytes source = move->source;
    const struct doc_node *before = NULL;
    for (const struct doc_node *at = doc_first(object); at && at != member; at = at->next)
        before = at;
    const struct doc_node *left = before ? before : member, *right = before ? member : member->next;
    text_init(text, move->edits->arena);
    if (left && right) {
        text_add_bytes(text, block_part(source, block_value_end(source, left), right->name_offset));
    } else {
        struct bytes start = block_part(source, object->offset + 1, member->name_offset);
        bool lines = start.length && memchr(start.data, '\n', start.length);
        text_add(text, lines ? "," : ", ");
        text_add_bytes(text, lines ? start : (struct bytes){ "", 0 });
    }
    const char *end = text_end(text);
    return (struct bytes){ end ? end : "", end ? (uint32_t)text->length : 0 };
}

/* Spaces after the last line break of a text; -1: it has none. */
static int indentation(struct bytes text)
{
    int spaces = 0;
    for (uint32_t i = text.length; i > 0; i--, spaces++)
        if (text.data[i - 1] == '\n')
            return spaces;
    return -1;
}

static bool move_in_braces(const struct move *move)
{
    struct bytes source = move->source;
    const struct doc_node *before = NULL, *beside = neighbour(move), *member = move->member;
    struct text old_separator, new_separator, text;
    for (const struct doc_node *at = doc_first(move->object); at && at != member; at = at->next)
        before = at;
    uint32_t from = before ? block_value_end(source, before) : member->name_offset, end = block_value_end(source, member);
    uint32_t to = before ? end : member->next->name_offset;
    if (!beside || !block_in_braces(source, move->to) || !member->size || memchr(source.data + from, '#', to - from))
        return false;
    struct bytes old = separator(move, move->object, member, &old_separator), fresh = separator(move, move->to, beside, &new_separator);
    int column = indentation(old), new_column = indentation(fresh);
    uint32_t at = block_value_end(source, beside);
    if (memchr(fresh.data, '#', fresh.length) || (column < 0) != (new_column < 0))
        return false;
    text_init(&text, move->edits->arena);
    text_add_bytes(&text, fresh);
    block_add_lines(&text, block_part(source, member->name_offset, end), column < 0 ? 0 : new_column - column, true);
    const char *moved = text_end(&text);
    if (!moved)
        return false;
    edits_add(move->edits, from, to, (struct bytes){ "", 0 });
    edits_add(move->edits, at, at, (struct bytes){ moved, (uint32_t)text.length });
    return true;
}

bool move_member(const struct move *move)
{
    bool braces = block_in_braces(move->source, move->object);
    if (move->object->count < 2 || !move->to->count || move->member == move->to)
        return false;
    if (braces)
        return move_in_braces(move);
    return doc_first(move->object)->name_offset == move->object->offset && !block_in_braces(move->source, move->to) &&
           doc_first(move->to)->name_offset == move->to->offset && move_lines(move);
}
