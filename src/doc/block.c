#include "doc/block.h"

#include <string.h>

struct bytes block_part(struct bytes source, uint32_t from, uint32_t to)
{
    return (struct bytes){ source.data + from, to - from };
}

uint32_t block_line_start(struct bytes source, uint32_t at)
{
    while (at && source.data[at - 1] != '\n')
        at--;
    return at;
}

uint32_t block_line_end(struct bytes source, uint32_t at)
{
    const char *end = at < source.length ? memchr(source.data + at, '\n', source.length - at) : NULL;
    return end ? (uint32_t)(end - source.data) + 1 : source.length;
}

const char *block_newline_after(struct bytes source, uint32_t at)
{
    uint32_t end = block_line_end(source, at);
    return end >= 2 && source.data[end - 1] == '\n' && source.data[end - 2] == '\r' ? "\r\n" : "\n";
}

uint32_t block_spaces_at(struct bytes source, uint32_t at, uint32_t end)
{
    uint32_t count = 0;
    while (at + count < end && source.data[at + count] == ' ')
        count++;
    return count;
}

uint32_t block_name_end(struct bytes source, const struct doc_node *member)
{
    char first = source.data[member->name_offset];
    return member->name_offset + member->name_length + (first == '"' || first == '\'' ? 2 : 0);
}

uint32_t block_value_end(struct bytes source, const struct doc_node *member)
{
    uint32_t end = member->offset + member->size, name = block_name_end(source, member);
    return end > name ? end : name;
}

bool block_in_braces(struct bytes source, const struct doc_node *object)
{
    return object->offset < source.length && source.data[object->offset] == '{';
}

void block_add_spaces(struct text *text, uint32_t count)
{
    while (count--)
        text_add(text, " ");
}

void block_add_lines(struct text *text, struct bytes lines, int more, bool tail)
{
    for (uint32_t at = 0, end; at < lines.length; at = end) {
        end = block_line_end(lines, at);
        uint32_t spaces = block_spaces_at(lines, at, end), fewer = more < 0 ? (uint32_t)-more : 0;
        uint32_t drop = spaces < fewer ? spaces : fewer;
        bool empty = !spaces && (at == end || lines.data[at] == '\n' || lines.data[at] == '\r');
        if (more > 0 && !empty && !(tail && !at))
            block_add_spaces(text, (uint32_t)more);
        text_add_bytes(text, block_part(lines, tail && !at ? at : at + drop, end));
    }
}

/* Comments above a line belong to what is in it: where they begin, but not before `bound`. */
static uint32_t comments_above(struct bytes source, uint32_t line, uint32_t bound)
{
    while (line > bound) {
        uint32_t above = block_line_start(source, line - 1);
        if (above < bound || source.data[above + block_spaces_at(source, above, line)] != '#')
            break;
        line = above;
    }
    return line;
}

/* Comments below the last member, indented as far as it, belong to it: where they end. */
static uint32_t comments_below(struct bytes source, uint32_t line, uint32_t column)
{
    while (line && line < source.length && source.data[line - 1] == '\n') {
        uint32_t end = block_line_end(source, line), spaces = block_spaces_at(source, line, end);
        if (spaces < column || source.data[line + spaces] != '#')
            break;
        line = end;
    }
    return line;
}

uint32_t block_rest_of_line(struct bytes source, uint32_t at)
{
    uint32_t end = block_line_end(source, at);
    if (at && source.data[at - 1] == '\n')
        return at;
    at += block_spaces_at(source, at, end);
    bool over = at == end || source.data[at] == '\n' || source.data[at] == '\r' || source.data[at] == '#';
    return over ? end : 0;
}

const char *block_pieces(struct bytes source, const struct doc_node *object, struct block_piece *pieces, uint32_t *column)
{
    static const char form[] = "the members of an object are not written one below the other";
    uint32_t bound = 0, i = 0;
    doc_each(object, member) {
        struct block_piece *piece = &pieces[i];
        uint32_t line = block_line_start(source, member->name_offset);
        *piece = (struct block_piece){ member, member->name_offset, 0 };
        if (!i) {
            *column = member->name_offset - line;
        } else if (block_spaces_at(source, line, member->name_offset) != *column || member->name_offset - line != *column) {
            return form;
        } else {
            piece->from = comments_above(source, line, bound);
            pieces[i - 1].to = piece->from;
        }
        bound = block_value_end(source, member);
        i++;
    }
    pieces[i - 1].to = comments_below(source, block_rest_of_line(source, bound), *column);
    return pieces[i - 1].to ? NULL : form;
}
