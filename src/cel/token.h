/* Tokens of CEL expressions, as the lexer of cel-go finds them: the longest token that fits, and where none fits, an error and on after it.
 * What tokens mean, and what values literals have, is for others.
 * Source: google/cel-go v0.26 parser/gen/CEL.g4; antlr4-go/antlr v4.13 lexer.go for what an error skips. */
#ifndef DRAWBRIDGE_CEL_TOKEN_H
#define DRAWBRIDGE_CEL_TOKEN_H

#include "base/bytes.h"

/* Kinds of tokens, in the order of the grammar: ROW(ID, "as messages of cel-go show it"). Those in quotes are the text itself. */
#define CEL_TOKEN_ROWS(ROW)                                                                          \
    ROW(EQUAL, "'=='")           ROW(NOT_EQUAL, "'!='")       ROW(IN, "'in'")                        \
    ROW(LESS, "'<'")             ROW(LESS_EQUAL, "'<='")      ROW(GREATER_EQUAL, "'>='")             \
    ROW(GREATER, "'>'")          ROW(AND, "'&&'")             ROW(OR, "'||'")                        \
    ROW(LEFT_BRACKET, "'['")     ROW(RIGHT_BRACKET, "']'")    ROW(LEFT_BRACE, "'{'")                 \
    ROW(RIGHT_BRACE, "'}'")      ROW(LEFT_PARENTHESIS, "'('") ROW(RIGHT_PARENTHESIS, "')'")          \
    ROW(DOT, "'.'")              ROW(COMMA, "','")            ROW(MINUS, "'-'")                      \
    ROW(NOT, "'!'")              ROW(QUESTION, "'?'")         ROW(COLON, "':'")                      \
    ROW(PLUS, "'+'")             ROW(STAR, "'*'")             ROW(SLASH, "'/'")                      \
    ROW(PERCENT, "'%'")          ROW(TRUE, "'true'")          ROW(FALSE, "'false'")                  \
    ROW(NULL, "'null'")          ROW(FLOAT, "NUM_FLOAT")      ROW(INT, "NUM_INT")                    \
    ROW(UINT, "NUM_UINT")        ROW(STRING, "STRING")        ROW(BYTES, "BYTES")                    \
    ROW(IDENTIFIER, "IDENTIFIER")                                                                    \
    ROW(ESCAPED_IDENTIFIER, "ESC_IDENTIFIER") /* between backticks */                                \
    ROW(END, "<EOF>")            /* of the expression; its text is empty, and at the end */          \
    ROW(ERROR, "")               /* no token; its text is what was skipped */

enum cel_token_kind {
#define CEL_TOKEN_ROW(id, name) CEL_TOKEN_##id,
    CEL_TOKEN_ROWS(CEL_TOKEN_ROW)
#undef CEL_TOKEN_ROW
    CEL_TOKENS
};

struct cel_token {
    enum cel_token_kind kind;
    struct bytes text; /* as it is written, in the expression: quotes, prefixes and escapes included */
};

struct cel_lexer {
    const char *at, *end;
};

/* A lexer at the beginning of an expression, which must outlive its tokens. Of one that is longer than LIMIT_CEL_BYTES it reads nothing. */
struct cel_lexer cel_lexer(struct bytes expression);

/* The next token; CEL_TOKEN_END again and again at the end. White space and comments are left out. */
struct cel_token cel_token_next(struct cel_lexer *lexer);

/* What is between the quotes of a STRING or BYTES, as it is written. */
struct bytes cel_token_quoted(struct cel_token token);

/* Whether its backslashes are plain characters: r"…". */
bool cel_token_is_raw(struct cel_token token);

/* A kind as messages of cel-go show it. */
const char *cel_token_name(enum cel_token_kind kind);

#endif
