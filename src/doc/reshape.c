#include "doc/reshape.h"

#include <string.h>

#include "doc/block.h"
#include "doc/limits.h"

enum { UNIT = 2 }; /* spaces of one level */

static const char alone[] = "nothing else is in the object", flow[] = "an object in { } has a member without a value, or comments";

bool reshape_is_plain(const struct doc_node *node)
{
    uint32_t at = node->offset;
    doc_each(node, child) {
        bool member = node->type == DOC_OBJECT;
        if ((member && child->name_offset < at) || child->offset < at || child->offset + child->size > node->offset + node->size ||
            (member && child->offset < child->name_offset) || !reshape_is_plain(child)) /* as deep as documents nest */
            return false;
        at = child->offset + child->size;
    }
    return true;
}

/* ---- one member below the other ---- */

struct block {
    const struct reshape *reshape;
    struct bytes source;
    struct block_piece *pieces;
    uint32_t count, column; /* of the names */
    const char *newline;
    struct text text;
};

/* The lines of a piece, all of which begin in the first column; the first one of an object may follow a dash. */
static void add_piece(struct block *block, const struct block_piece *piece, int more)
{
    if (piece == block->pieces)
        block_add_spaces(&block->text, block->column + (more > 0 ? (uint32_t)more : 0));
    block_add_lines(&block->text, block_part(block->source, piece->from, piece->to), more, piece == block->pieces);
    if (block->source.data[piece->to - 1] != '\n')
        text_add(&block->text, block->newline);
}

/* A comment after the name, or after a value in braces, as a line of its own. */
static void add_comment(struct block *block, uint32_t from, uint32_t to)
{
    const char *comment = memchr(block->source.data + from, '#', to - from);
    if (!comment)
        return;
    block_add_spaces(&block->text, block->column);
    text_add_bytes(&block->text, block_part(block->source, (uint32_t)(comment - block->source.data), to));
    if (block->source.data[to - 1] != '\n')
        text_add(&block->text, block->newline);
}

/* Whether between the members of an object in braces is nothing but commas, and each has a value. */
static bool is_simple_flow(struct bytes source, const struct doc_node *object)
{
    uint32_t at = object->offset + 1;
    doc_each(object, member) {
        if (!member->size || memchr(source.data + at, '#', member->name_offset - at))
            return false;
        at = block_value_end(source, member);
    }
    uint32_t end = object->offset + object->size;
    return end > at && source.data[end - 1] == '}' && !memchr(source.data + at, '#', end - at);
}

/* Members in braces, each in a line. */
static const char *raise_flow(struct block *block, const struct block_piece *piece)
{
    const struct doc_node *value = piece->member;
    uint32_t end = value->offset + value->size;
    if (!is_simple_flow(block->source, value))
        return flow;
    add_comment(block, end, piece->to);
    doc_each(value, member) {
        block_add_spaces(&block->text, block->column);
        text_add_bytes(&block->text, block_part(block->source, member->name_offset, block_value_end(block->source, member)));
        text_add(&block->text, block->newline);
    }
    return NULL;
}

/* The members of an object in place of the object. */
static const char *raise_piece(struct block *block, const struct block_piece *piece)
{
    static const char form[] = "an object whose members move up is not written in lines of their own";
    const struct doc_node *value = piece->member, *first = doc_first(value);
    struct bytes source = block->source;
    uint32_t line = piece == block->pieces ? piece->from : block_line_start(source, value->name_offset);
    uint32_t colon = block_name_end(source, value);
    block_add_lines(&block->text, block_part(source, piece->from, line), 0, false);
    if (value->type == DOC_OBJECT && block_in_braces(source, value))
        return raise_flow(block, piece);
    if (!first) { /* null */
        add_comment(block, colon, piece->to);
        return NULL;
    }
    uint32_t body = block_line_end(source, colon), inner = block_line_start(source, first->name_offset);
    uint32_t column = first->name_offset - inner;
    bool own_lines = colon < source.length && source.data[colon] == ':' && block_rest_of_line(source, colon + 1) && inner >= body &&
                     block_spaces_at(source, inner, first->name_offset) == column && column > block->column;
    if (!own_lines)
        return form;
    add_comment(block, colon, body);
    block_add_lines(&block->text, block_part(source, body, piece->to), -(int)(column - block->column), false);
    if (source.data[piece->to - 1] != '\n')
        text_add(&block->text, block->newline);
    return NULL;
}

static const char *write_block(struct block *block)
{
    const struct reshape *reshape = block->reshape;
    const char *reason = NULL;
    bool down = false;
    for (uint32_t i = 0; i < block->count && !reason; i++) {
        if (reshape->fates[i] == RESHAPE_UP)
            reason = raise_piece(block, &block->pieces[i]);
        else if (reshape->fates[i] == RESHAPE_STAYS)
            add_piece(block, &block->pieces[i], 0);
        down |= reshape->fates[i] == RESHAPE_DOWN;
    }
    if (down) {
        block_add_spaces(&block->text, block->column);
        text_add(&block->text, reshape->below);
        text_add(&block->text, ":");
        text_add(&block->text, block->newline);
    }
    for (uint32_t i = 0; i < block->count; i++)
        if (reshape->fates[i] == RESHAPE_DOWN)
            add_piece(block, &block->pieces[i], UNIT);
    return reason;
}

static const char *reshape_block(const struct reshape *reshape)
{
    struct block block = { .reshape = reshape, .source = reshape->source, .count = reshape->object->count };
    block.pieces = arena_alloc(reshape->edits->arena, block.count * sizeof *block.pieces);
    if (!block.pieces)
        return NULL;
    const char *reason = block_pieces(block.source, reshape->object, block.pieces, &block.column);
    if (reason)
        return reason;
    uint32_t from = block.pieces[0].from, to = block.pieces[block.count - 1].to;
    block.newline = block_newline_after(block.source, from);
    text_init(&block.text, reshape->edits->arena);
    reason = write_block(&block);
    const char *text = reason ? NULL : text_end(&block.text);
    if (reason || !text)
        return reason;
    size_t length = block.text.length, last = block.source.data[to - 1] == '\n' ? 0 : strlen(block.newline);
    if (length <= block.column + last)
        return alone;
    edits_add(reshape->edits, from, to, (struct bytes){ text + block.column, (uint32_t)(length - block.column - last) });
    return NULL;
}

/* ---- in braces ---- */

struct braces {
    const struct reshape *reshape;
    struct bytes source;
    const struct doc_node **members;
    uint32_t count, written; /* members so far */
    struct text text;
};

/* The indentation of a member that begins a line; UINT32_MAX: it begins none. */
static uint32_t own_indentation(struct bytes source, uint32_t at)
{
    uint32_t spaces = 0;
    while (spaces < at && (source.data[at - spaces - 1] == ' ' || source.data[at - spaces - 1] == '\t'))
        spaces++;
    return spaces < at && source.data[at - spaces - 1] == '\n' ? spaces : UINT32_MAX;
}

/* Spaces by which the members stand further in than the closing brace; 0: they are in one line with it. */
static uint32_t unit_of(struct bytes source, const struct doc_node *object)
{
    const struct doc_node *first = doc_first(object);
    uint32_t outer = own_indentation(source, object->offset + object->size - 1);
    uint32_t inner = first ? own_indentation(source, first->name_offset) : 0;
    return outer == UINT32_MAX || inner == UINT32_MAX || inner <= outer ? 0 : inner - outer;
}

/* What stands between the members, by place; a comma where the new text has more of them. */
static void add_separator(struct braces *braces, uint32_t number, int more)
{
    if (number + 1 < braces->count) {
        uint32_t from = block_value_end(braces->source, braces->members[number]), to = braces->members[number + 1]->name_offset;
        block_add_lines(&braces->text, block_part(braces->source, from, to), 0, true);
        if (more && memchr(braces->source.data + from, '\n', to - from))
            block_add_spaces(&braces->text, (uint32_t)more);
    } else {
        text_add(&braces->text, ", ");
    }
}

/* The members of an object in braces, without these. */
static void raise_members(struct braces *braces, const struct doc_node *value)
{
    const struct doc_node *first = doc_first(value), *last = first;
    uint32_t unit = unit_of(braces->source, value);
    if (!first)
        return;
    while (last->next)
        last = last->next;
    if (braces->written)
        add_separator(braces, braces->written - 1, 0);
    braces->written++;
    block_add_lines(&braces->text, block_part(braces->source, first->name_offset, block_value_end(braces->source, last)), -(int)unit, true);
}

static void add_member(struct braces *braces, const struct doc_node *member, int more)
{
    block_add_lines(&braces->text, block_part(braces->source, member->name_offset, block_value_end(braces->source, member)), more, true);
}

/* The new object, with all members that move down. Its lines end as the first one of the object around it. */
static void add_below(struct braces *braces)
{
    struct bytes source = braces->source;
    const struct doc_node *object = braces->reshape->object, *first = braces->members[0];
    uint32_t unit = unit_of(source, object), indentation = own_indentation(source, first->name_offset);
    uint32_t colon = block_name_end(source, first);
    const char *quote = source.data[first->name_offset] == '"' ? "\"" : "";
    bool padded = !unit && source.data[object->offset + 1] == ' ', begun = false;
    const char *gap = unit ? block_newline_after(source, object->offset) : padded ? " " : "";
    text_add(&braces->text, quote);
    text_add(&braces->text, braces->reshape->below);
    text_add(&braces->text, quote);
    text_add(&braces->text, *quote && source.data[colon] == ':' && first->offset == colon + 1 ? ":{" : ": {");
    text_add(&braces->text, gap);
    block_add_spaces(&braces->text, unit ? indentation + unit : 0);
    for (uint32_t i = 0; i < braces->count; i++) {
        if (braces->reshape->fates[i] != RESHAPE_DOWN)
            continue;
        if (begun)
            add_separator(braces, i - 1, (int)unit);
        begun = true;
        add_member(braces, braces->members[i], (int)unit);
    }
    text_add(&braces->text, gap);
    block_add_spaces(&braces->text, unit ? indentation : 0);
    text_add(&braces->text, "}");
}

static void write_braces(struct braces *braces)
{
    const struct reshape *reshape = braces->reshape;
    bool down = false;
    for (uint32_t i = 0; i < braces->count; i++) {
        const struct doc_node *member = braces->members[i];
        down |= reshape->fates[i] == RESHAPE_DOWN;
        if (reshape->fates[i] == RESHAPE_UP)
            raise_members(braces, member);
        if (reshape->fates[i] != RESHAPE_STAYS)
            continue;
        if (braces->written)
            add_separator(braces, braces->written - 1, 0);
        braces->written++;
        add_member(braces, member, 0);
    }
    if (down && braces->written)
        add_separator(braces, braces->written - 1, 0);
    if (down)
        add_below(braces);
}

static bool is_simple(const struct reshape *reshape)
{
    uint32_t i = 0;
    bool simple = is_simple_flow(reshape->source, reshape->object);
    doc_each(reshape->object, member) {
        if (reshape->fates[i++] == RESHAPE_UP && member->type == DOC_OBJECT)
            simple &= is_simple_flow(reshape->source, member);
    }
    return simple;
}

static const char *reshape_braces(const struct reshape *reshape)
{
    struct braces braces = { .reshape = reshape, .source = reshape->source };
    if (!is_simple(reshape))
        return flow;
    braces.members = arena_alloc(reshape->edits->arena, reshape->object->count * sizeof(void *));
    if (!braces.members)
        return NULL;
    doc_each(reshape->object, member)
        braces.members[braces.count++] = member;
    text_init(&braces.text, reshape->edits->arena);
    write_braces(&braces);
    const char *text = text_end(&braces.text);
    if (!text)
        return NULL;
    if (!braces.text.length)
        return alone;
    edits_add(reshape->edits, braces.members[0]->name_offset, block_value_end(reshape->source, braces.members[braces.count - 1]),
                    (struct bytes){ text, (uint32_t)braces.text.length });
    return NULL;
}

const char *reshape_object(const struct reshape *reshape)
{
    if (block_in_braces(reshape->source, reshape->object))
        return reshape_braces(reshape);
    const struct doc_node *first = doc_first(reshape->object);
    return !first ? NULL : first->name_offset == reshape->object->offset ? reshape_block(reshape) : "an object has an anchor or a tag";
}
