/* The tokens of an expression. */
#ifndef DRAWBRIDGE_CEL_TOKEN_H
#define DRAWBRIDGE_CEL_TOKEN_H

#include "base/bytes.h"

/* In the order in which cel-go's messages list them. */
enum cel_token_type {
    CEL_TOKEN_EOF,
    CEL_TOKEN_EQUALS, CEL_TOKEN_NOT_EQUALS, CEL_TOKEN_IN, CEL_TOKEN_LESS, CEL_TOKEN_LESS_EQUALS, CEL_TOKEN_GREATER_EQUALS,
    CEL_TOKEN_GREATER, CEL_TOKEN_AND, CEL_TOKEN_OR,
    CEL_TOKEN_LEFT_BRACKET, CEL_TOKEN_RIGHT_BRACKET, CEL_TOKEN_LEFT_BRACE, CEL_TOKEN_RIGHT_BRACE, CEL_TOKEN_LEFT, CEL_TOKEN_RIGHT,
    CEL_TOKEN_DOT, CEL_TOKEN_COMMA, CEL_TOKEN_MINUS, CEL_TOKEN_NOT, CEL_TOKEN_QUESTION, CEL_TOKEN_COLON, CEL_TOKEN_PLUS, CEL_TOKEN_STAR,
    CEL_TOKEN_SLASH, CEL_TOKEN_PERCENT,
    CEL_TOKEN_TRUE, CEL_TOKEN_FALSE, CEL_TOKEN_NULL,
    CEL_TOKEN_FLOAT, CEL_TOKEN_INT, CEL_TOKEN_UINT, CEL_TOKEN_STRING, CEL_TOKEN_BYTES, CEL_TOKEN_IDENTIFIER,
    CEL_TOKEN_QUOTED, /* an identifier in backticks */
    CEL_TOKEN_TYPES,
    CEL_TOKEN_ERROR = CEL_TOKEN_TYPES, /* text that is no token */
};

struct cel_token {
    uint32_t offset, length; /* bytes in the expression */
    enum cel_token_type type;
};

/* The next token at or after `at`, after white space and comments. At the end it is CEL_TOKEN_EOF, as often as it is asked for. Text that
 * is no token reaches to the character that fits none, included: so does cel-go's lexer go on after an error. */
struct cel_token cel_token_next(struct bytes text, uint32_t at);

#endif
