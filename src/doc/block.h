/* Shared by the files that change the places of members in a text: lines, and the members of an object that stand one below the other. */
#ifndef DRAWBRIDGE_DOC_BLOCK_H
#define DRAWBRIDGE_DOC_BLOCK_H

#include "base/text.h"
#include "doc/doc.h"

struct bytes block_part(struct bytes source, uint32_t from, uint32_t to);

/* The line in which `at` is: its start, and its end after the LF. */
uint32_t block_line_start(struct bytes source, uint32_t at);
uint32_t block_line_end(struct bytes source, uint32_t at);

/* How that line ends: LF or CR LF. */
const char *block_newline_after(struct bytes source, uint32_t at);

/* Where the line ends, if nothing but a comment follows in it; 0: something does. */
uint32_t block_rest_of_line(struct bytes source, uint32_t at);

uint32_t block_spaces_at(struct bytes source, uint32_t at, uint32_t end);

/* After a member's name, with its quotes; after its value, or its name if it has none. */
uint32_t block_name_end(struct bytes source, const struct doc_node *member);
uint32_t block_value_end(struct bytes source, const struct doc_node *member);

bool block_in_braces(struct bytes source, const struct doc_node *object);

void block_add_spaces(struct text *text, uint32_t count);

/* Appends lines with so many spaces more before each, or fewer; empty lines stay so, but not lines of spaces, which may be in a block
 * scalar. `tail`: the first line stays. */
void block_add_lines(struct text *text, struct bytes lines, int more, bool tail);

/* A member with the comments above it, and those below if it is the last one. That of the first member begins with its name. */
struct block_piece {
    const struct doc_node *member;
    uint32_t from, to;
};

/* Finds the pieces of an object that has members, one for each, and the column of their names. NULL, or why not, a clause in English. */
const char *block_pieces(struct bytes source, const struct doc_node *object, struct block_piece *pieces, uint32_t *column) MUST_USE;

#endif
