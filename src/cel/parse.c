/* The grammar: a function for each rule, with the sets of tokens that may follow the rules that it calls. */
#include "cel/parse.h"

#include "cel/limits.h"
#include "cel/parser.h"
#include "cel/tree.h"

#define LITERALS  (CEL_SET(TRUE) | CEL_SET(FALSE) | CEL_SET(NULL) | CEL_SET(FLOAT) | CEL_SET(INT) | CEL_SET(UINT) | CEL_SET(STRING) | \
                   CEL_SET(BYTES))
#define NUMBERS   (CEL_SET(INT) | CEL_SET(FLOAT)) /* to which a minus belongs */
#define PRIMARIES (LITERALS | CEL_SET(LEFT_BRACKET) | CEL_SET(LEFT_BRACE) | CEL_SET(LEFT) | CEL_SET(DOT) | CEL_SET(MINUS) | \
                   CEL_SET(IDENTIFIER))
#define STARTS    (PRIMARIES | CEL_SET(NOT)) /* of an expression */
#define ELEMENTS  (STARTS | CEL_SET(QUESTION))
#define NAMES     (CEL_SET(IDENTIFIER) | CEL_SET(QUOTED))
#define FIELDS    (NAMES | CEL_SET(QUESTION))
#define RELATIONS (CEL_SET(LESS) | CEL_SET(LESS_EQUALS) | CEL_SET(GREATER) | CEL_SET(GREATER_EQUALS) | CEL_SET(EQUALS) | \
                   CEL_SET(NOT_EQUALS) | CEL_SET(IN))
#define PRODUCTS  (CEL_SET(STAR) | CEL_SET(SLASH) | CEL_SET(PERCENT))
#define SUMS      (CEL_SET(PLUS) | CEL_SET(MINUS))
#define LINKS     (CEL_SET(DOT) | CEL_SET(LEFT_BRACKET)) /* of a chain of selections, calls and indexes */
#define END       CEL_SET_END

static struct cel_syntax *expression(struct cel_parser *p, uint64_t follow);

static struct cel_syntax *syntax_at(struct cel_parser *p, enum cel_syntax_kind kind, uint32_t token)
{
    struct cel_syntax *syntax = arena_alloc(p->errors->arena, sizeof *syntax);
    if (!syntax) {
        p->errors->failure = p->errors->arena->failure;
        cel_parser_abort(p);
        syntax = &p->spare;
    }
    *syntax = (struct cel_syntax){ .kind = (uint8_t)kind, .token = (uint16_t)token, .start = (uint16_t)token };
    return syntax;
}

static struct cel_syntax *nothing(struct cel_parser *p)
{
    return syntax_at(p, CEL_SYNTAX_NOTHING, p->index);
}

/* An operator, which is ahead and is taken, and what stands before it. */
static struct cel_syntax *take_operator(struct cel_parser *p, enum cel_syntax_kind kind, struct cel_syntax *before)
{
    struct cel_syntax *syntax = syntax_at(p, kind, p->index);
    syntax->first = before;
    cel_take(p);
    return syntax;
}

static bool take_mark(struct cel_parser *p)
{
    bool marked = cel_ahead(p, 1) == CEL_TOKEN_QUESTION;
    if (marked)
        cel_take(p);
    return marked;
}

/* ---- lists ---- */

/* Expressions with commas; returns their number. */
static uint16_t arguments(struct cel_parser *p, uint64_t follow, struct cel_syntax **end)
{
    struct cel_frame frame;
    uint16_t count = 0;
    cel_enter(p, &frame, follow);
    do {
        if (count)
            cel_take(p);
        *end = expression(p, CEL_SET(COMMA) | END);
        end = &(*end)->next;
        count++;
    } while (cel_ahead(p, 1) == CEL_TOKEN_COMMA);
    cel_leave(p);
    return count;
}

/* The arguments of a call, after its parenthesis, up to the closing one. */
static bool call_rest(struct cel_parser *p, struct cel_syntax *call, struct cel_syntax **end, enum cel_place place, uint64_t next)
{
    if (!cel_sync(p, place, STARTS | CEL_SET(RIGHT)))
        return false;
    if (cel_is_ahead(p, 1, STARTS))
        call->count = arguments(p, CEL_SET(RIGHT), end);
    return cel_match(p, place + 1, CEL_TOKEN_RIGHT, next);
}

/* An expression, perhaps with a question mark. */
static struct cel_syntax *element(struct cel_parser *p, uint64_t follow)
{
    struct cel_frame frame;
    struct cel_syntax *syntax;
    cel_enter(p, &frame, follow);
    if (cel_sync(p, CEL_PLACE_ELEMENT, ELEMENTS)) {
        bool marked = take_mark(p);
        syntax = expression(p, END);
        syntax->marked = marked;
    } else {
        syntax = nothing(p);
    }
    cel_leave(p);
    return syntax;
}

static void elements(struct cel_parser *p, struct cel_syntax *list)
{
    struct cel_frame frame;
    struct cel_syntax **end = &list->first;
    cel_enter(p, &frame, CEL_SET(COMMA) | CEL_SET(RIGHT_BRACKET));
    do {
        if (list->count)
            cel_take(p);
        *end = element(p, CEL_SET(COMMA) | END);
        end = &(*end)->next;
        list->count++;
    } while (cel_ahead(p, 1) == CEL_TOKEN_COMMA && cel_is_ahead(p, 2, ELEMENTS));
    cel_leave(p);
}

/* The colon and the value of an entry or field. False: without a colon. */
static bool entry_rest(struct cel_parser *p, struct cel_syntax *entry, struct cel_syntax **end, enum cel_place place)
{
    entry->token = (uint16_t)p->index;
    if (!cel_match(p, place, CEL_TOKEN_COLON, STARTS))
        return false;
    *end = expression(p, CEL_SET(COMMA) | END);
    return true;
}

static void entries(struct cel_parser *p, struct cel_syntax *map)
{
    struct cel_frame frame;
    struct cel_syntax **end = &map->first;
    cel_enter(p, &frame, CEL_SET(COMMA) | CEL_SET(RIGHT_BRACE));
    do {
        if (map->count)
            cel_take(p);
        struct cel_syntax *entry = *end = syntax_at(p, CEL_SYNTAX_ENTRY, p->index);
        end = &entry->next;
        map->count++;
        entry->first = element(p, CEL_SET(COLON));
        if (!entry_rest(p, entry, &entry->first->next, map->count == 1 ? CEL_PLACE_ENTRY_COLON : CEL_PLACE_NEXT_ENTRY_COLON))
            break;
    } while (cel_ahead(p, 1) == CEL_TOKEN_COMMA && cel_is_ahead(p, 2, ELEMENTS));
    cel_leave(p);
}

/* The name of a field, at the index of the parser. */
static void name(struct cel_parser *p, uint64_t follow, struct cel_syntax *of)
{
    struct cel_frame frame;
    cel_enter(p, &frame, follow);
    of->start = (uint16_t)p->index;
    of->missing = !cel_sync(p, CEL_PLACE_NAME, NAMES);
    of->name = (uint16_t)p->index;
    if (!of->missing)
        cel_take(p);
    cel_leave(p);
}

static struct cel_syntax *field(struct cel_parser *p)
{
    struct cel_frame frame;
    struct cel_syntax *syntax = syntax_at(p, CEL_SYNTAX_FIELD, p->index);
    cel_enter(p, &frame, CEL_SET(COLON));
    syntax->missing = !cel_sync(p, CEL_PLACE_FIELD, FIELDS);
    if (!syntax->missing) {
        syntax->optional = take_mark(p);
        name(p, END, syntax);
    }
    cel_leave(p);
    return syntax;
}

static void fields(struct cel_parser *p, struct cel_syntax *message)
{
    struct cel_frame frame;
    struct cel_syntax **end = &message->first;
    message->start = (uint16_t)p->index;
    cel_enter(p, &frame, CEL_SET(COMMA) | CEL_SET(RIGHT_BRACE));
    do {
        if (message->count)
            cel_take(p);
        struct cel_syntax *entry = *end = field(p);
        end = &entry->next;
        message->count++;
        if (!entry_rest(p, entry, &entry->first, message->count == 1 ? CEL_PLACE_FIELD_COLON : CEL_PLACE_NEXT_FIELD_COLON))
            break;
    } while (cel_ahead(p, 1) == CEL_TOKEN_COMMA && cel_is_ahead(p, 2, FIELDS));
    cel_leave(p);
}

/* ---- operands ---- */

static struct cel_syntax *literal(struct cel_parser *p)
{
    struct cel_frame frame;
    struct cel_syntax *syntax;
    cel_enter(p, &frame, END);
    bool negative = cel_ahead(p, 1) == CEL_TOKEN_MINUS;
    if (negative && !cel_is_ahead(p, 2, NUMBERS)) {
        cel_parser_fail(p, CEL_PLACE_LITERAL, 2);
        syntax = nothing(p);
    } else {
        syntax = syntax_at(p, CEL_SYNTAX_LITERAL, p->index + negative);
        syntax->start = (uint16_t)p->index;
        syntax->negative = negative;
        if (negative)
            cel_take(p);
        cel_take(p);
    }
    cel_leave(p);
    return syntax;
}

static struct cel_syntax *nested(struct cel_parser *p)
{
    cel_take(p);
    struct cel_syntax *syntax = expression(p, CEL_SET(RIGHT));
    (void)cel_match(p, CEL_PLACE_NESTED_END, CEL_TOKEN_RIGHT, END);
    return syntax;
}

/* Elements in brackets or braces, the opening one of which is ahead. From `place` on there are three: for what follows it, for the comma at
 * the end, and for the closing one. */
static struct cel_syntax *collection(struct cel_parser *p, struct cel_syntax *syntax, uint64_t starts, enum cel_token_type closing,
                                     enum cel_place place, void (*read)(struct cel_parser *, struct cel_syntax *))
{
    uint64_t ends = CEL_SET(COMMA) | UINT64_C(1) << closing;
    cel_take(p);
    if (!cel_sync(p, place, starts | ends))
        return syntax;
    if (cel_is_ahead(p, 1, starts))
        read(p, syntax);
    if (!cel_sync(p, place + 1, ends))
        return syntax;
    if (cel_ahead(p, 1) == CEL_TOKEN_COMMA)
        cel_take(p);
    (void)cel_match(p, place + 2, closing, END);
    return syntax;
}

/* A name with dots, which begins with a dot or an identifier: of a message, a function or a variable. */
static struct cel_syntax *named(struct cel_parser *p)
{
    uint32_t start = p->index;
    bool dotted = cel_ahead(p, 1) == CEL_TOKEN_DOT;
    if (cel_ahead(p, 1 + dotted) != CEL_TOKEN_IDENTIFIER) {
        cel_parser_fail(p, CEL_PLACE_PRIMARY, 1 + dotted);
        return nothing(p);
    }
    uint32_t after = 2 + dotted;
    bool call = cel_ahead(p, after) == CEL_TOKEN_LEFT;
    while (!call && cel_ahead(p, after) == CEL_TOKEN_DOT && cel_ahead(p, after + 1) == CEL_TOKEN_IDENTIFIER)
        after += 2;
    bool message = cel_ahead(p, after) == CEL_TOKEN_LEFT_BRACE;
    if (!message)
        after = 2 + dotted;
    enum cel_syntax_kind kind = message ? CEL_SYNTAX_MESSAGE : call ? CEL_SYNTAX_CALL : CEL_SYNTAX_IDENTIFIER;
    struct cel_syntax *syntax = syntax_at(p, kind, start + after - 1);
    syntax->start = (uint16_t)start;
    syntax->name = (uint16_t)(start + dotted);
    syntax->dotted = dotted;
    for (uint32_t i = 1; i < after; i++)
        cel_take(p);
    if (message)
        return collection(p, syntax, FIELDS, CEL_TOKEN_RIGHT_BRACE, CEL_PLACE_MESSAGE, fields);
    if (call) {
        cel_take(p);
        (void)call_rest(p, syntax, &syntax->first, CEL_PLACE_ARGUMENTS, END);
    }
    return syntax;
}

static struct cel_syntax *primary(struct cel_parser *p)
{
    struct cel_frame frame;
    struct cel_syntax *syntax;
    cel_enter(p, &frame, LINKS | END);
    if (!cel_sync(p, CEL_PLACE_PRIMARY, PRIMARIES)) {
        syntax = nothing(p);
    } else if (cel_is_ahead(p, 1, LITERALS | CEL_SET(MINUS))) {
        syntax = literal(p);
    } else if (cel_is_ahead(p, 1, CEL_SET(DOT) | CEL_SET(IDENTIFIER))) {
        syntax = named(p);
    } else if (cel_ahead(p, 1) == CEL_TOKEN_LEFT) {
        syntax = nested(p);
    } else if (cel_ahead(p, 1) == CEL_TOKEN_LEFT_BRACKET) {
        syntax = collection(p, syntax_at(p, CEL_SYNTAX_LIST, p->index), ELEMENTS, CEL_TOKEN_RIGHT_BRACKET, CEL_PLACE_LIST, elements);
    } else if (cel_ahead(p, 1) == CEL_TOKEN_LEFT_BRACE) {
        syntax = collection(p, syntax_at(p, CEL_SYNTAX_MAP, p->index), ELEMENTS, CEL_TOKEN_RIGHT_BRACE, CEL_PLACE_MAP, entries);
    } else {
        cel_parser_fail(p, CEL_PLACE_PRIMARY, 1);
        syntax = nothing(p);
    }
    cel_leave(p);
    return syntax;
}

/* ---- chains ---- */

/* A link of a chain; sets *of to the whole. False: the chain ends, with an error. */
static bool index_link(struct cel_parser *p, struct cel_syntax **of)
{
    struct cel_syntax *syntax = *of = take_operator(p, CEL_SYNTAX_INDEX, *of);
    if (!cel_sync(p, CEL_PLACE_INDEX, ELEMENTS)) {
        syntax->first->next = nothing(p);
        return false;
    }
    syntax->optional = take_mark(p);
    syntax->first->next = expression(p, CEL_SET(RIGHT_BRACKET));
    return cel_match(p, CEL_PLACE_INDEX_END, CEL_TOKEN_RIGHT_BRACKET, LINKS | END);
}

static bool call_link(struct cel_parser *p, struct cel_syntax **of)
{
    struct cel_syntax *syntax = *of = take_operator(p, CEL_SYNTAX_MEMBER_CALL, *of);
    syntax->name = (uint16_t)p->index;
    cel_take(p);
    syntax->token = (uint16_t)p->index;
    cel_take(p);
    return call_rest(p, syntax, &syntax->first->next, CEL_PLACE_MEMBER_ARGUMENTS, LINKS | END);
}

static bool select_link(struct cel_parser *p, struct cel_syntax **of)
{
    *of = take_operator(p, CEL_SYNTAX_SELECT, *of);
    (*of)->optional = take_mark(p);
    name(p, LINKS | END, *of);
    return true;
}

static bool chain_link(struct cel_parser *p, struct cel_syntax **of)
{
    if (cel_ahead(p, 1) == CEL_TOKEN_LEFT_BRACKET)
        return index_link(p, of);
    if (cel_ahead(p, 2) == CEL_TOKEN_IDENTIFIER && cel_ahead(p, 3) == CEL_TOKEN_LEFT)
        return call_link(p, of);
    if (cel_is_ahead(p, 2, FIELDS))
        return select_link(p, of);
    cel_parser_fail(p, CEL_PLACE_MEMBER, 2);
    return false;
}

static struct cel_syntax *member(struct cel_parser *p)
{
    struct cel_frame frame;
    cel_enter(p, &frame, END);
    struct cel_syntax *syntax = primary(p);
    while (cel_is_ahead(p, 1, LINKS) && chain_link(p, &syntax))
        ;
    cel_leave(p);
    return syntax;
}

/* ---- operators ---- */

static struct cel_syntax *negation(struct cel_parser *p)
{
    struct cel_syntax *syntax = syntax_at(p, CEL_SYNTAX_NOT, p->index);
    do {
        cel_take(p);
        syntax->count++;
        cel_sync_loop(p, STARTS);
    } while (cel_ahead(p, 1) == CEL_TOKEN_NOT);
    syntax->first = member(p);
    return syntax;
}

/* Minus signs, but for one alone before a number, which is the literal's. */
static struct cel_syntax *minus(struct cel_parser *p)
{
    struct cel_syntax *syntax = syntax_at(p, CEL_SYNTAX_MINUS, p->index);
    do {
        cel_take(p);
        syntax->count++;
        cel_sync_loop(p, PRIMARIES);
        bool sign = cel_ahead(p, 1) == CEL_TOKEN_MINUS;
        if ((sign && !cel_is_ahead(p, 2, PRIMARIES)) || !cel_is_ahead(p, 1, PRIMARIES)) {
            cel_parser_fail(p, CEL_PLACE_MINUS, 1 + sign);
            syntax->first = nothing(p);
            return syntax;
        }
    } while (cel_ahead(p, 1) == CEL_TOKEN_MINUS);
    syntax->first = member(p);
    return syntax;
}

static struct cel_syntax *unary(struct cel_parser *p)
{
    struct cel_frame frame;
    struct cel_syntax *syntax = NULL;
    uint32_t start = p->index;
    cel_enter(p, &frame, PRODUCTS | SUMS | END);
    if (cel_sync(p, CEL_PLACE_UNARY, STARTS)) {
        bool sign = cel_ahead(p, 1) == CEL_TOKEN_MINUS && !cel_is_ahead(p, 2, NUMBERS);
        if (cel_ahead(p, 1) == CEL_TOKEN_NOT)
            syntax = negation(p);
        else if (sign && cel_is_ahead(p, 2, PRIMARIES))
            syntax = minus(p);
        else if (!sign && cel_is_ahead(p, 1, PRIMARIES))
            syntax = member(p);
        else
            cel_parser_fail(p, CEL_PLACE_UNARY, 1 + sign);
    }
    if (!syntax)
        syntax = syntax_at(p, CEL_SYNTAX_FAILED, start);
    cel_leave(p);
    return syntax;
}

/* Ends the parse where too many rules of a kind are open: cel-go counts each kind by itself. */
static bool is_too_deep(struct cel_parser *p, unsigned open)
{
    if (open > LIMIT_CEL_OPEN)
        cel_parser_limit(p, "expression recursion limit exceeded: ", LIMIT_CEL_OPEN);
    return p->aborted;
}

/* Operators from `level` on: sums are of level 1, products of level 2. Each binds what is on its right from the next level on. */
static struct cel_syntax *calculation(struct cel_parser *p, uint64_t follow, unsigned level)
{
    struct cel_frame frame;
    if (is_too_deep(p, ++p->calculations))
        return nothing(p);
    cel_enter(p, &frame, follow);
    struct cel_syntax *syntax = unary(p);
    while ((level <= 2 && cel_is_ahead(p, 1, PRODUCTS)) || (level <= 1 && cel_is_ahead(p, 1, SUMS))) {
        unsigned next = cel_is_ahead(p, 1, PRODUCTS) ? 3 : 2;
        syntax = take_operator(p, CEL_SYNTAX_BINARY, syntax);
        syntax->first->next = calculation(p, PRODUCTS | SUMS | END, next);
    }
    cel_leave(p);
    p->calculations--;
    return syntax;
}

static struct cel_syntax *relation(struct cel_parser *p, uint64_t follow, bool right)
{
    struct cel_frame frame;
    if (is_too_deep(p, ++p->relations))
        return nothing(p);
    cel_enter(p, &frame, follow);
    struct cel_syntax *syntax = calculation(p, RELATIONS | END, 1);
    while (!right && cel_is_ahead(p, 1, RELATIONS)) {
        syntax = take_operator(p, CEL_SYNTAX_BINARY, syntax);
        syntax->first->next = relation(p, RELATIONS | END, true);
    }
    cel_leave(p);
    p->relations--;
    return syntax;
}

static struct cel_syntax *conjunction(struct cel_parser *p)
{
    struct cel_frame frame;
    cel_enter(p, &frame, CEL_SET(OR) | END);
    struct cel_syntax *syntax = relation(p, CEL_SET(AND) | END, false), *last = syntax;
    while (cel_ahead(p, 1) == CEL_TOKEN_AND) {
        if (last == syntax) {
            syntax = syntax_at(p, CEL_SYNTAX_AND, p->index);
            syntax->first = last;
            syntax->count = 1;
        }
        uint16_t operator = (uint16_t)p->index;
        cel_take(p);
        last = last->next = relation(p, CEL_SET(AND) | END, false);
        last->operator = operator;
        syntax->count++;
    }
    cel_leave(p);
    return syntax;
}

static struct cel_syntax *disjunction(struct cel_parser *p, uint64_t follow)
{
    struct cel_frame frame;
    cel_enter(p, &frame, follow);
    struct cel_syntax *syntax = conjunction(p), *last = syntax;
    while (cel_ahead(p, 1) == CEL_TOKEN_OR) {
        if (last == syntax) {
            syntax = syntax_at(p, CEL_SYNTAX_OR, p->index);
            syntax->first = last;
            syntax->count = 1;
        }
        uint16_t operator = (uint16_t)p->index;
        cel_take(p);
        last = last->next = conjunction(p);
        last->operator = operator;
        syntax->count++;
    }
    cel_leave(p);
    return syntax;
}

static struct cel_syntax *expression(struct cel_parser *p, uint64_t follow)
{
    struct cel_frame frame;
    if (is_too_deep(p, ++p->expressions))
        return nothing(p);
    cel_enter(p, &frame, follow);
    struct cel_syntax *syntax = disjunction(p, CEL_SET(QUESTION) | END);
    if (cel_ahead(p, 1) == CEL_TOKEN_QUESTION) {
        syntax = take_operator(p, CEL_SYNTAX_CONDITION, syntax);
        struct cel_syntax *second = syntax->first->next = disjunction(p, CEL_SET(COLON));
        second->next = cel_match(p, CEL_PLACE_CONDITION_COLON, CEL_TOKEN_COLON, STARTS) ? expression(p, END) : nothing(p);
    }
    cel_leave(p);
    p->expressions--;
    return syntax;
}

enum failure cel_parse(struct bytes expression_text, const struct cel_macro *macros, unsigned version, struct cel_errors *errors,
                       struct cel_tree *tree)
{
    enum { FIRST_TOKENS = 64 };
    struct cel_parser p = { .text = expression_text, .errors = errors, .capacity = FIRST_TOKENS };
    struct cel_frame frame;
    *tree = (struct cel_tree){ 0 };
    p.tokens = arena_alloc(errors->arena, FIRST_TOKENS * sizeof *p.tokens);
    if (!p.tokens || expression_text.length > LIMIT_CEL_BYTES)
        return errors->failure = p.tokens ? FAILURE_LIMIT : errors->arena->failure;
    cel_enter(&p, &frame, 0);
    cel_parser_read(&p, 0);
    struct cel_syntax *syntax = expression(&p, CEL_SET(EOF));
    (void)cel_match(&p, CEL_PLACE_END, CEL_TOKEN_EOF, 0);
    if (!p.aborted)
        cel_tree_build(p.text, p.tokens, macros, version, syntax, errors, tree);
    return errors->failure;
}
