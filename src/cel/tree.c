#include "cel/tree.h"

#include "cel/limits.h"
#include "cel/literal.h"
#include "cel/macro.h"

/* Words that are no names of variables and functions. in, true, false and null are tokens of their own. */
static const char *const reserved[] = {
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "namespace", "package", "return", "var",
    "void", "while",
};

static struct cel_node *build(struct cel_builder *b, const struct cel_syntax *syntax);

static struct bytes token_text(const struct cel_builder *b, uint16_t token)
{
    return (struct bytes){ b->text.data + b->tokens[token].offset, b->tokens[token].length };
}

static uint32_t token_offset(const struct cel_builder *b, uint16_t token)
{
    return b->text.length ? b->tokens[token].offset : CEL_NOWHERE;
}

static bool is_reserved(struct bytes word)
{
    for (unsigned i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (word.data[0] == reserved[i][0] && bytes_equal_text(word, reserved[i]))
            return true;
    return false;
}

/* ---- calls ---- */

static struct cel_node *call_of(struct cel_builder *b, uint32_t offset, struct bytes name, struct cel_node **arguments, uint32_t count)
{
    struct cel_node *node = cel_build_node(b, CEL_NODE_CALL, offset);
    node->call.name = name;
    node->call.arguments = arguments;
    node->call.count = count;
    return node;
}

/* The parts of a syntax from `first` on. */
static struct cel_node **parts(struct cel_builder *b, const struct cel_syntax *first, uint32_t count)
{
    struct cel_node **nodes = cel_build_array(b, count, sizeof *nodes);
    for (uint32_t i = 0; i < count && !b->stopped; i++, first = first->next)
        nodes[i] = build(b, first);
    return nodes;
}

/* An operator and its two operands, or a condition and its three. */
static struct cel_node *operation(struct cel_builder *b, const struct cel_syntax *syntax, struct bytes name, uint32_t count)
{
    struct cel_node **operands = parts(b, syntax->first, count);
    return call_of(b, token_offset(b, syntax->token), name, operands, count);
}

static struct bytes operator_name(enum cel_token_type type)
{
    switch (type) {
    case CEL_TOKEN_EQUALS: return bytes_of("_==_");
    case CEL_TOKEN_NOT_EQUALS: return bytes_of("_!=_");
    case CEL_TOKEN_IN: return bytes_of("@in");
    case CEL_TOKEN_LESS: return bytes_of("_<_");
    case CEL_TOKEN_LESS_EQUALS: return bytes_of("_<=_");
    case CEL_TOKEN_GREATER_EQUALS: return bytes_of("_>=_");
    case CEL_TOKEN_GREATER: return bytes_of("_>_");
    case CEL_TOKEN_PLUS: return bytes_of("_+_");
    case CEL_TOKEN_MINUS: return bytes_of("_-_");
    case CEL_TOKEN_STAR: return bytes_of("_*_");
    case CEL_TOKEN_SLASH: return bytes_of("_/_");
    case CEL_TOKEN_PERCENT: return bytes_of("_%_");
    default: return bytes_of("");
    }
}

static struct cel_node *sign(struct cel_builder *b, const struct cel_syntax *syntax)
{
    if (syntax->count % 2 == 0)
        return build(b, syntax->first);
    return operation(b, syntax, bytes_of(syntax->kind == CEL_SYNTAX_NOT ? "!_" : "-_"), 1);
}

/* Operands first to last of a chain of && or ||, as a tree that is as flat as can be. Its depth is the logarithm of their number. */
static struct cel_node *balanced(struct cel_builder *b, struct bytes name, struct cel_node **operands, const uint32_t *offsets,
                                 uint32_t count)
{
    if (count == 1)
        return operands[0];
    uint32_t left = (count + 1) / 2;
    struct cel_node **two = cel_build_array(b, 2, sizeof *two);
    if (!two)
        return &b->spare;
    two[0] = balanced(b, name, operands, offsets, left);
    two[1] = balanced(b, name, operands + left, offsets + left, count - left);
    return call_of(b, offsets[left - 1], name, two, 2);
}

static struct cel_node *chain(struct cel_builder *b, const struct cel_syntax *syntax)
{
    uint32_t *offsets = cel_build_array(b, syntax->count, sizeof *offsets), i = 0;
    struct cel_node **operands = parts(b, syntax->first, syntax->count);
    if (b->stopped)
        return &b->spare;
    for (const struct cel_syntax *part = syntax->first->next; part; part = part->next)
        offsets[i++] = token_offset(b, part->operator);
    return balanced(b, bytes_of(syntax->kind == CEL_SYNTAX_AND ? "_&&_" : "_||_"), operands, offsets, syntax->count);
}

/* A call that is written as one: a macro, or an ordinary one. */
static struct cel_node *written_call(struct cel_builder *b, const struct cel_syntax *syntax, struct cel_node *receiver,
                                     const struct cel_syntax *first)
{
    struct cel_written_call call = { token_text(b, syntax->name), receiver, NULL, syntax->count, token_offset(b, syntax->token) };
    call.arguments = parts(b, first, call.count);
    struct cel_node *node = b->stopped ? &b->spare : syntax->dotted ? NULL : cel_macro_expand(b, &call);
    if (!node) {
        node = call_of(b, call.offset, call.name, call.arguments, call.count);
        node->call.receiver = receiver;
        node->dotted = syntax->dotted;
    }
    return node;
}

static struct cel_node *global_call(struct cel_builder *b, const struct cel_syntax *syntax)
{
    struct bytes name = token_text(b, syntax->name);
    if (is_reserved(name)) /* its arguments are not looked at */
        return cel_build_error_about(b, token_offset(b, syntax->start), "reserved identifier: ", name);
    return written_call(b, syntax, NULL, syntax->first);
}

static struct cel_node *member_call(struct cel_builder *b, const struct cel_syntax *syntax)
{
    struct cel_node *receiver = build(b, syntax->first);
    return written_call(b, syntax, receiver, syntax->first->next);
}

/* ---- names ---- */

static struct cel_node *identifier(struct cel_builder *b, const struct cel_syntax *syntax)
{
    struct bytes name = token_text(b, syntax->name);
    if (is_reserved(name))
        return cel_build_error_about(b, token_offset(b, syntax->start), "reserved identifier: ", name);
    struct cel_node *node = cel_build_node(b, CEL_NODE_IDENTIFIER, token_offset(b, syntax->name));
    node->name = name;
    node->dotted = syntax->dotted;
    return node;
}

enum { QUOTED_SINCE = 37 };

/* The name of a selection or field; since 1.37 it may be in backquotes. False: it is none, which is reported at `offset`. */
static bool field_name(struct cel_builder *b, const struct cel_syntax *syntax, uint32_t offset, struct bytes *name)
{
    bool quoted = !syntax->missing && b->tokens[syntax->name].type == CEL_TOKEN_QUOTED;
    bool good = !syntax->missing && (!quoted || b->version >= QUOTED_SINCE);
    *name = good ? token_text(b, syntax->name) : bytes_of("");
    if (good && quoted)
        *name = (struct bytes){ name->data + 1, name->length - 2 };
    if (!good)
        (void)cel_build_error(b, offset, quoted ? "unsupported syntax: '`'" : "unsupported ident kind");
    return good;
}

static struct cel_node *selection(struct cel_builder *b, const struct cel_syntax *syntax)
{
    struct cel_node *operand = build(b, syntax->first), *node;
    struct bytes name;
    (void)field_name(b, syntax, token_offset(b, syntax->start), &name);
    uint32_t dot = token_offset(b, syntax->token);
    if (!syntax->optional) {
        node = cel_build_node(b, CEL_NODE_SELECT, dot);
        node->select.operand = operand;
        node->select.field = name;
        return node;
    }
    struct cel_node **two = cel_build_array(b, 2, sizeof *two);
    if (!two)
        return &b->spare;
    two[0] = operand;
    two[1] = cel_build_node(b, CEL_NODE_LITERAL, token_offset(b, syntax->start));
    two[1]->literal = (struct cel_literal){ .type = CEL_STRING, .text = name };
    return call_of(b, dot, bytes_of("_?._"), two, 2);
}

/* ---- literals ---- */

static struct cel_node *literal(struct cel_builder *b, const struct cel_syntax *syntax)
{
    struct cel_node *node = cel_build_node(b, CEL_NODE_LITERAL, token_offset(b, syntax->start));
    const char *wrong = cel_literal_read(b->tokens[syntax->token].type, token_text(b, syntax->token), syntax->negative,
                                         b->errors->arena, &node->literal);
    if (b->errors->arena->failure)
        cel_build_stop(b, b->errors->arena->failure);
    return wrong ? cel_build_error(b, node->offset, wrong) : node;
}

/* What cel-go has in place of an operand that could not be read: no name, and no error of its own. */
static struct cel_node *failed(struct cel_builder *b, const struct cel_syntax *syntax)
{
    struct cel_node *node = cel_build_node(b, CEL_NODE_LITERAL, token_offset(b, syntax->start));
    node->literal = (struct cel_literal){ .type = CEL_STRING, .text = bytes_of("<<error>>") };
    return node;
}

static struct cel_node *list(struct cel_builder *b, const struct cel_syntax *syntax)
{
    struct cel_entry *entries = cel_build_array(b, syntax->count, sizeof *entries);
    uint32_t i = 0;
    for (const struct cel_syntax *part = syntax->first; part && !b->stopped; part = part->next)
        entries[i++] = (struct cel_entry){ .value = build(b, part), .optional = part->marked };
    struct cel_node *node = cel_build_node(b, CEL_NODE_LIST, token_offset(b, syntax->token));
    node->literals.entries = entries;
    node->literals.count = i;
    return node;
}

static struct cel_node *map(struct cel_builder *b, const struct cel_syntax *syntax)
{
    struct cel_entry *entries = cel_build_array(b, syntax->count, sizeof *entries);
    uint32_t i = 0;
    for (const struct cel_syntax *part = syntax->first; part && part->first->next && !b->stopped; part = part->next) {
        struct cel_node *key = build(b, part->first), *value = build(b, part->first->next);
        entries[i++] = (struct cel_entry){ .key = key, .value = value, .offset = token_offset(b, part->token),
                                           .optional = part->first->marked };
    }
    struct cel_node *node = cel_build_node(b, CEL_NODE_MAP, token_offset(b, syntax->token));
    node->literals.entries = entries;
    node->literals.count = i;
    return node;
}

/* The name of a message: of the expression, or in the arena where there is more than dots between its words. */
static struct bytes message_name(struct cel_builder *b, const struct cel_syntax *syntax)
{
    struct bytes first = token_text(b, syntax->name), last = token_text(b, (uint16_t)(syntax->token - 1));
    struct bytes whole = { first.data, (uint32_t)(last.data + last.length - first.data) };
    uint32_t length = 0;
    for (uint16_t i = syntax->name; i < syntax->token; i++)
        length += b->tokens[i].length;
    char *name = length == whole.length ? NULL : cel_build_array(b, length, 1);
    if (!name)
        return whole;
    length = 0;
    for (uint16_t i = syntax->name; i < syntax->token; i++) {
        memcpy(name + length, token_text(b, i).data, b->tokens[i].length);
        length += b->tokens[i].length;
    }
    return (struct bytes){ name, length };
}

static struct cel_node *message(struct cel_builder *b, const struct cel_syntax *syntax)
{
    struct cel_entry *entries = cel_build_array(b, syntax->count, sizeof *entries);
    uint32_t i = 0;
    struct bytes name;
    for (const struct cel_syntax *part = syntax->first; part && part->first && !b->stopped; part = part->next)
        if (field_name(b, part, token_offset(b, syntax->start), &name))
            entries[i++] = (struct cel_entry){ .field = name, .value = build(b, part->first), .offset = token_offset(b, part->token),
                                               .optional = part->optional };
    struct cel_node *node = cel_build_node(b, CEL_NODE_MESSAGE, token_offset(b, syntax->token));
    node->literals.name = message_name(b, syntax);
    node->literals.entries = entries;
    node->literals.count = i;
    node->dotted = syntax->dotted;
    return node;
}

/* ---- the whole ---- */

static struct cel_node *build_any(struct cel_builder *b, const struct cel_syntax *syntax)
{
    switch ((enum cel_syntax_kind)syntax->kind) {
    case CEL_SYNTAX_CONDITION: return operation(b, syntax, bytes_of("_?_:_"), 3);
    case CEL_SYNTAX_OR:
    case CEL_SYNTAX_AND: return chain(b, syntax);
    case CEL_SYNTAX_BINARY: return operation(b, syntax, operator_name(b->tokens[syntax->token].type), 2);
    case CEL_SYNTAX_NOT:
    case CEL_SYNTAX_MINUS: return sign(b, syntax);
    case CEL_SYNTAX_SELECT: return selection(b, syntax);
    case CEL_SYNTAX_INDEX: return operation(b, syntax, bytes_of(syntax->optional ? "_[?_]" : "_[_]"), 2);
    case CEL_SYNTAX_MEMBER_CALL: return member_call(b, syntax);
    case CEL_SYNTAX_CALL: return global_call(b, syntax);
    case CEL_SYNTAX_IDENTIFIER: return identifier(b, syntax);
    case CEL_SYNTAX_LIST: return list(b, syntax);
    case CEL_SYNTAX_MAP: return map(b, syntax);
    case CEL_SYNTAX_MESSAGE: return message(b, syntax);
    case CEL_SYNTAX_LITERAL: return literal(b, syntax);
    case CEL_SYNTAX_FAILED: return failed(b, syntax);
    case CEL_SYNTAX_NOTHING:
    case CEL_SYNTAX_ENTRY:
    case CEL_SYNTAX_FIELD: break;
    }
    return cel_build_node(b, CEL_NODE_ABSENT, CEL_NOWHERE);
}

/* Whether cel-go counts it among those that may be inside each other LIMIT_CEL_NESTED times. The others are bounded by LIMIT_CEL_OPEN, as
 * parentheses are around each. */
static bool is_counted(enum cel_syntax_kind kind)
{
    return kind == CEL_SYNTAX_CONDITION || kind == CEL_SYNTAX_BINARY || kind == CEL_SYNTAX_SELECT || kind == CEL_SYNTAX_INDEX ||
           kind == CEL_SYNTAX_MEMBER_CALL;
}

static struct cel_node *build(struct cel_builder *b, const struct cel_syntax *syntax)
{
    bool counted = is_counted((enum cel_syntax_kind)syntax->kind);
    if (b->stopped)
        return &b->spare;
    if (counted && b->nested == LIMIT_CEL_NESTED) {
        (void)cel_build_error(b, CEL_NO_PLACE, "max recursion depth exceeded");
        b->stopped = true;
        return &b->spare;
    }
    b->nested += counted;
    struct cel_node *node = build_any(b, syntax);
    b->nested -= counted;
    return node;
}

void cel_tree_build(struct bytes text, const struct cel_token *tokens, const struct cel_macro *macros, unsigned version,
                    const struct cel_syntax *syntax, struct cel_errors *errors, struct cel_tree *tree)
{
    struct cel_builder b = { .text = text, .tokens = tokens, .macros = macros, .version = version, .errors = errors };
    struct cel_node *root = build(&b, syntax);
    bool good = !errors->count && !errors->failure;
    *tree = (struct cel_tree){ good ? root : NULL, good ? b.count : 0 };
}
