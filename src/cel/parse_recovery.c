/* What the parser does about tokens that do not fit, and in which words it reports them: those of ANTLR. */
#include "cel/parser.h"

#include "base/utf8.h"
#include "cel/limits.h"
#include "cel/node.h"

_Static_assert(LIMIT_CEL_BYTES < UINT16_MAX, "numbers of tokens are of 16 bits");

static const char *const type_names[CEL_TOKEN_TYPES] = {
    "<EOF>", "'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'", "'&&'", "'||'", "'['", "']'", "'{'", "'}'", "'('", "')'", "'.'", "','",
    "'-'", "'!'", "'?'", "':'", "'+'", "'*'", "'/'", "'%'", "'true'", "'false'", "'null'", "NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING",
    "BYTES", "IDENTIFIER", "ESC_IDENTIFIER",
};

/* ---- ends ---- */

void cel_parser_abort(struct cel_parser *p)
{
    p->aborted = p->complete = true;
    p->tokens[p->count] = cel_token_next(p->text, p->text.length);
    p->index = p->count++;
}

void cel_parser_limit(struct cel_parser *p, const char *words, unsigned limit)
{
    struct text text;
    if (p->aborted)
        return;
    text_init(&text, p->errors->arena);
    text_add(&text, words);
    text_add_integer(&text, limit);
    cel_error_add(p->errors, CEL_ERROR_OTHER, CEL_NO_PLACE, text_end(&text));
    cel_parser_abort(p);
}

/* ---- words ---- */

/* Text of the expression; a NUL, which would end a message, as the character that stands for what cannot be shown. */
static void add_source(struct text *text, struct cel_parser *p, uint32_t start, uint32_t end)
{
    while (start < end) {
        const char *nul = memchr(p->text.data + start, 0, end - start);
        uint32_t stop = nul ? (uint32_t)(nul - p->text.data) : end;
        text_add_bytes(text, (struct bytes){ p->text.data + start, stop - start });
        if (nul)
            text_add(text, UTF8_REPLACEMENT);
        start = stop + (nul != NULL);
    }
}

static void add_token_text(struct text *text, struct cel_parser *p, const struct cel_token *token)
{
    if (token->type == CEL_TOKEN_EOF)
        text_add(text, "<EOF>");
    else
        add_source(text, p, token->offset, token->offset + token->length);
}

/* In quotes, with white space as escapes, from byte `start` of the text. */
static void quote_rest(struct text *text, uint32_t start)
{
    struct bytes quoted = { text->data + start, (uint32_t)text->length - start };
    struct text out;
    text_init(&out, text->arena);
    for (uint32_t i = 0; i < quoted.length && !text->failed; i++) {
        char c = quoted.data[i];
        if (c == '\t' || c == '\n' || c == '\r')
            text_add(&out, c == '\t' ? "\\t" : c == '\n' ? "\\n" : "\\r");
        else
            text_add_bytes(&out, (struct bytes){ &quoted.data[i], 1 });
    }
    text->length = start;
    text_add(text, "'");
    text_add_bytes(text, (struct bytes){ out.data, (uint32_t)out.length });
    text_add(text, "'");
    text->failed = text->failed || out.failed;
}

static void add_quoted_token(struct text *text, struct cel_parser *p, const struct cel_token *token)
{
    uint32_t start = (uint32_t)text->length;
    add_token_text(text, p, token);
    quote_rest(text, start);
}

static void add_set(struct text *text, uint64_t set)
{
    bool several = set & (set - 1);
    const char *separator = several ? "{" : "";
    for (unsigned type = 0; type < CEL_TOKEN_TYPES; type++)
        if (set >> type & 1) {
            text_add(text, separator);
            text_add(text, type_names[type]);
            separator = ", ";
        }
    if (several)
        text_add(text, "}");
}

/* Text between tokens, both included, as the lexer had it: without what is no token. */
static void add_quoted_range(struct text *text, struct cel_parser *p, const struct cel_token *first, const struct cel_token *last)
{
    uint32_t start = (uint32_t)text->length, end = last->offset + last->length;
    if (first->type == CEL_TOKEN_EOF)
        text_add(text, "<EOF>");
    for (uint32_t at = first->offset; at < end;) {
        struct cel_token token = cel_token_next(p->text, at);
        uint32_t next = token.offset + token.length, stop = token.type == CEL_TOKEN_ERROR ? token.offset : next;
        add_source(text, p, at, stop);
        at = next;
    }
    quote_rest(text, start);
}

/* ---- reports ---- */

static void begin(struct text *text, struct cel_parser *p, const char *words)
{
    text_init(text, p->errors->arena);
    text_add(text, "Syntax error: ");
    text_add(text, words);
}

static void add_error(struct cel_parser *p, const struct cel_token *token, struct text *text)
{
    if (p->reports++ == LIMIT_CEL_ERRORS) {
        cel_parser_abort(p);
        return;
    }
    cel_error_add(p->errors, CEL_ERROR_SYNTAX, p->text.length ? token->offset : CEL_NOWHERE, text_end(text));
    if (p->errors->failure)
        cel_parser_abort(p);
}

/* Whether an error is to be reported: only one until a token fits. */
static bool begins_report(struct cel_parser *p)
{
    if (p->recovering || p->aborted)
        return false;
    return p->recovering = true;
}

static void report_unfit(struct cel_parser *p, const char *words, uint64_t set)
{
    struct text text;
    if (!begins_report(p))
        return;
    const struct cel_token *token = &p->tokens[p->index];
    begin(&text, p, words);
    add_quoted_token(&text, p, token);
    text_add(&text, " expecting ");
    add_set(&text, set);
    add_error(p, token, &text);
}

static void report_missing(struct cel_parser *p, enum cel_token_type type)
{
    struct text text;
    if (!begins_report(p))
        return;
    const struct cel_token *token = &p->tokens[p->index];
    begin(&text, p, "missing ");
    text_add(&text, type_names[type]);
    text_add(&text, " at ");
    add_quoted_token(&text, p, token);
    add_error(p, token, &text);
}

/* Where one character stands before a word of the language, cel-go has other words. */
static void report_no_alternative(struct cel_parser *p, uint32_t count)
{
    struct text text;
    if (!begins_report(p))
        return;
    uint32_t index = p->index + count - 1 < p->count ? p->index + count - 1 : p->count - 1;
    const struct cel_token *first = &p->tokens[p->index], *last = &p->tokens[index];
    begin(&text, p, "no viable alternative at input ");
    size_t words = text.length;
    add_quoted_range(&text, p, first, last);
    bool word = last->type == CEL_TOKEN_TRUE || last->type == CEL_TOKEN_FALSE || last->type == CEL_TOKEN_NULL;
    if (word && count > 1 && text.length - words == last->length + sizeof "' '" - 1) {
        begin(&text, p, "mismatched input ");
        add_quoted_token(&text, p, last);
        text_add(&text, " expecting IDENTIFIER");
    }
    add_error(p, last, &text);
}

/* ---- tokens ---- */

/* Room for twice as many tokens. */
static void grow(struct cel_parser *p)
{
    struct cel_token *tokens = arena_alloc(p->errors->arena, 2 * p->capacity * sizeof *tokens);
    if (!tokens) {
        p->errors->failure = p->errors->arena->failure;
        cel_parser_abort(p);
        return;
    }
    memcpy(tokens, p->tokens, p->count * sizeof *tokens);
    p->tokens = tokens;
    p->capacity *= 2;
}

static void add_token(struct cel_parser *p, struct cel_token token)
{
    if (p->count + 2 > p->capacity)
        grow(p);
    if (p->aborted)
        return;
    p->tokens[p->count++] = token;
    p->complete = token.type == CEL_TOKEN_EOF;
}

static void report_no_token(struct cel_parser *p, struct cel_token token)
{
    struct text text;
    begin(&text, p, "token recognition error at: '");
    add_token_text(&text, p, &token);
    text_add(&text, "'");
    add_error(p, &token, &text);
}

/* Reads on as long as there are tokens; what is none is reported only when the parser gets there, as it may end before. */
void cel_parser_read(struct cel_parser *p, uint32_t index)
{
    while (!p->complete) {
        struct cel_token token = cel_token_next(p->text, p->at);
        if (token.type == CEL_TOKEN_ERROR && index < p->count)
            break;
        p->at = token.offset + token.length;
        if (token.type == CEL_TOKEN_ERROR)
            report_no_token(p, token);
        else
            add_token(p, token);
    }
}

/* ---- recovery ---- */

/* Counts an attempt to go on. False: there were too many, or the parse has ended. */
static bool attempt(struct cel_parser *p)
{
    struct text text;
    if (p->aborted || p->attempts++ < LIMIT_CEL_RECOVERIES)
        return !p->aborted;
    begin(&text, p, "error recovery attempt limit exceeded: ");
    text_add_integer(&text, LIMIT_CEL_RECOVERIES);
    add_error(p, &p->tokens[p->index], &text);
    if (!p->aborted)
        cel_parser_abort(p);
    return false;
}

/* What may follow any open rule. */
static uint64_t follow_of_all(const struct cel_parser *p)
{
    uint64_t set = 0;
    for (const struct cel_frame *frame = p->frame; frame; frame = frame->above)
        set |= frame->follow;
    return set & ~CEL_SET_END;
}

/* The rule that is open fails: skips what may follow none, and drops a token if it failed here before. */
static void recover(struct cel_parser *p, enum cel_place place)
{
    unsigned skipped = 0;
    if (!attempt(p))
        return;
    if (p->failed_at == p->index && p->failed_places >> place & 1) {
        cel_consume(p);
        skipped = 1;
    }
    p->failed_at = p->index;
    p->failed_places |= UINT64_C(1) << place;
    uint64_t set = follow_of_all(p) | CEL_SET(EOF);
    for (; !cel_is_ahead(p, 1, set); skipped++) {
        if (skipped == LIMIT_CEL_SKIPPED) {
            cel_parser_limit(p, "error recovery token lookahead limit exceeded: ", LIMIT_CEL_SKIPPED);
            return;
        }
        cel_consume(p);
    }
}

static void drop(struct cel_parser *p)
{
    cel_consume(p);
    cel_fitted(p);
}

bool cel_match_other(struct cel_parser *p, enum cel_place place, enum cel_token_type type, uint64_t next)
{
    if (!attempt(p))
        return false;
    if (cel_ahead(p, 2) == type) {
        report_unfit(p, "extraneous input ", UINT64_C(1) << type);
        drop(p);
        cel_consume(p);
        return true;
    }
    for (const struct cel_frame *frame = p->frame; next & CEL_SET_END; frame = frame->above) {
        next &= ~CEL_SET_END;
        next |= frame ? frame->follow : CEL_SET(EOF);
        if (!frame)
            break;
    }
    if (cel_is_ahead(p, 1, next)) {
        report_missing(p, type);
        return true;
    }
    report_unfit(p, "mismatched input ", UINT64_C(1) << type);
    recover(p, place);
    return false;
}

bool cel_sync_other(struct cel_parser *p, enum cel_place place, uint64_t set)
{
    if (cel_is_ahead(p, 2, set)) {
        report_unfit(p, "extraneous input ", set);
        drop(p);
        return true;
    }
    report_unfit(p, "mismatched input ", set);
    recover(p, place);
    return false;
}

void cel_sync_loop(struct cel_parser *p, uint64_t set)
{
    if (p->recovering || cel_is_ahead(p, 1, set))
        return;
    report_unfit(p, "extraneous input ", set);
    set |= follow_of_all(p) | CEL_SET(EOF);
    while (!cel_is_ahead(p, 1, set))
        cel_consume(p);
}

void cel_parser_fail(struct cel_parser *p, enum cel_place place, uint32_t count)
{
    report_no_alternative(p, count);
    recover(p, place);
}
