/* What the two files of the parser share. It is a recursive descent that follows the parser which ANTLR makes for cel-go in everything that
 * shows in errors: where tokens are dropped, or taken for given, or skipped. A rule that fails returns normally, and its caller goes on. */
#ifndef DRAWBRIDGE_CEL_PARSER_H
#define DRAWBRIDGE_CEL_PARSER_H

#include "cel/syntax.h"

/* A set of types of tokens. */
#define CEL_SET(type) (UINT64_C(1) << CEL_TOKEN_##type)
#define CEL_SET_END (UINT64_C(1) << 63) /* in what follows a rule: the rule that calls it may end there */

/* Places in the grammar at which a rule may fail. A rule that fails twice at one place and one token drops that token. */
enum cel_place {
    CEL_PLACE_SURE, /* cannot fail: the token was looked at */
    CEL_PLACE_END, CEL_PLACE_CONDITION_COLON, CEL_PLACE_UNARY, CEL_PLACE_MINUS, CEL_PLACE_MEMBER, CEL_PLACE_INDEX, CEL_PLACE_INDEX_END,
    CEL_PLACE_MEMBER_ARGUMENTS, CEL_PLACE_MEMBER_CALL_END, CEL_PLACE_NAME, CEL_PLACE_PRIMARY, CEL_PLACE_NESTED_END, CEL_PLACE_ARGUMENTS,
    CEL_PLACE_CALL_END, CEL_PLACE_LIST, CEL_PLACE_LIST_COMMA, CEL_PLACE_LIST_END, CEL_PLACE_MAP, CEL_PLACE_MAP_COMMA, CEL_PLACE_MAP_END,
    CEL_PLACE_MESSAGE, CEL_PLACE_MESSAGE_COMMA, CEL_PLACE_MESSAGE_END, CEL_PLACE_ELEMENT, CEL_PLACE_ENTRY_COLON, CEL_PLACE_NEXT_ENTRY_COLON,
    CEL_PLACE_FIELD, CEL_PLACE_FIELD_COLON, CEL_PLACE_NEXT_FIELD_COLON, CEL_PLACE_LITERAL,
};

/* A rule that is open: what may follow it where it is called. */
struct cel_frame {
    uint64_t follow;
    const struct cel_frame *above;
};

struct cel_parser {
    struct bytes text;
    struct cel_errors *errors;
    struct cel_token *tokens; /* so far; with room for one more */
    uint32_t count, capacity;
    uint32_t at;      /* where the next token is read */
    bool complete;    /* the last token is CEL_TOKEN_EOF */
    uint32_t index;   /* of the token that is looked at */
    const struct cel_frame *frame;
    unsigned expressions, relations, calculations; /* that are open */
    /* ---- errors ---- */
    bool aborted;     /* at a limit: nothing more is read, and no tree is made */
    bool recovering;  /* since the last error no token has fitted */
    unsigned reports, attempts;
    uint32_t failed_at;     /* token at which rules failed since a token fitted */
    uint64_t failed_places; /* and where */
    struct cel_syntax spare; /* where there is no memory */
};

/* Reads tokens until there is number `index`, or the last; perhaps more. */
void cel_parser_read(struct cel_parser *p, uint32_t index);

/* Ends the parse: only CEL_TOKEN_EOF is ahead from now on. */
void cel_parser_abort(struct cel_parser *p);

/* Adds an error without a place, the words and the number, and ends the parse. */
void cel_parser_limit(struct cel_parser *p, const char *words, unsigned limit);

/* What cel_match() and cel_sync() do where the token does not fit. */
bool cel_match_other(struct cel_parser *p, enum cel_place place, enum cel_token_type type, uint64_t next);
bool cel_sync_other(struct cel_parser *p, enum cel_place place, uint64_t set);

/* Where none of `set` is ahead, reports that and skips tokens up to one of the set, or one that may follow any open rule. */
void cel_sync_loop(struct cel_parser *p, uint64_t set);

/* The open rule fails as no alternative begins with the next `count` tokens. */
void cel_parser_fail(struct cel_parser *p, enum cel_place place, uint32_t count);

/* Token `k` ahead, from 1. */
static inline enum cel_token_type cel_ahead(struct cel_parser *p, uint32_t k)
{
    uint32_t index = p->index + k - 1;
    if (index >= p->count) {
        cel_parser_read(p, index);
        if (index >= p->count)
            index = p->count - 1;
    }
    return p->tokens[index].type;
}

static inline bool cel_is_ahead(struct cel_parser *p, uint32_t k, uint64_t set)
{
    return set >> cel_ahead(p, k) & 1;
}

static inline void cel_consume(struct cel_parser *p)
{
    if (p->tokens[p->index].type != CEL_TOKEN_EOF && ++p->index >= p->count)
        cel_parser_read(p, p->index);
}

/* A token has fitted. */
static inline void cel_fitted(struct cel_parser *p)
{
    p->recovering = false;
    p->failed_places = 0;
}

/* Takes a token that is ahead. */
static inline void cel_take(struct cel_parser *p)
{
    cel_fitted(p);
    cel_consume(p);
}

/* Takes a token of that type. `next` may follow it. False: the rule fails, which is reported; it has to return. */
static inline bool cel_match(struct cel_parser *p, enum cel_place place, enum cel_token_type type, uint64_t next)
{
    if (cel_ahead(p, 1) != type)
        return cel_match_other(p, place, type, next);
    cel_take(p);
    return true;
}

/* Sees to it that one of `set` is ahead. False: the rule fails, which is reported; it has to return. */
static inline bool cel_sync(struct cel_parser *p, enum cel_place place, uint64_t set)
{
    return p->recovering || cel_is_ahead(p, 1, set) || cel_sync_other(p, place, set);
}

static inline void cel_enter(struct cel_parser *p, struct cel_frame *frame, uint64_t follow)
{
    *frame = (struct cel_frame){ follow, p->frame };
    p->frame = frame;
}

static inline void cel_leave(struct cel_parser *p)
{
    p->frame = p->frame->above;
}

#endif
