/* The syntax of an expression as it was read: what stands between the grammar (parse.c) and the tree (tree.c), which cel-go walks after all
 * of the text is read. Parts that could not be read have their place in it, as cel-go's walk finds errors around them. */
#ifndef DRAWBRIDGE_CEL_SYNTAX_H
#define DRAWBRIDGE_CEL_SYNTAX_H

#include "cel/error.h"
#include "cel/token.h"

enum cel_syntax_kind {
    CEL_SYNTAX_NOTHING,   /* could not be read */
    CEL_SYNTAX_FAILED,    /* an operand that could not be read; cel-go's tree has a literal in its place */
    CEL_SYNTAX_CONDITION, /* a ? b : c */
    CEL_SYNTAX_OR,
    CEL_SYNTAX_AND,
    CEL_SYNTAX_BINARY,    /* relations and calculations */
    CEL_SYNTAX_NOT,       /* `count` signs before an operand; CEL_SYNTAX_MINUS, too */
    CEL_SYNTAX_MINUS,
    CEL_SYNTAX_SELECT,
    CEL_SYNTAX_INDEX,
    CEL_SYNTAX_MEMBER_CALL, /* what it is called on, arguments */
    CEL_SYNTAX_CALL,
    CEL_SYNTAX_IDENTIFIER,
    CEL_SYNTAX_LIST,
    CEL_SYNTAX_MAP,     /* entries */
    CEL_SYNTAX_ENTRY,   /* key, value; without the value, its colon is missing */
    CEL_SYNTAX_MESSAGE, /* fields */
    CEL_SYNTAX_FIELD,   /* value, or none as the colon is missing */
    CEL_SYNTAX_LITERAL,
};

struct cel_syntax {
    uint8_t kind;
    bool optional; /* of SELECT, INDEX and FIELD: with a question mark */
    bool marked;   /* an element of a list, or a key, with a question mark */
    bool dotted;   /* of IDENTIFIER, CALL and MESSAGE: with a leading dot */
    bool negative; /* of LITERAL: with a minus */
    bool missing;  /* of SELECT and FIELD: the name could not be read */
    /* Numbers of tokens. */
    uint16_t token;    /* the operator, opening bracket, colon or literal */
    uint16_t name;     /* of SELECT, FIELD and calls */
    uint16_t start;    /* where it begins; of SELECT: where its name does; of MESSAGE: where its fields do */
    uint16_t operator; /* of a part of OR and AND: what stands before it */
    uint16_t count;    /* of parts; of NOT and MINUS: of signs */
    struct cel_syntax *first, *next; /* parts; the next part of what this is a part of */
};

#endif
