/* The tree of an expression. Everything is in the arena of its compilation, and texts are of the expression or of that arena. */
#ifndef DRAWBRIDGE_CEL_NODE_H
#define DRAWBRIDGE_CEL_NODE_H

#include "cel/type.h"

enum cel_node_kind {
    CEL_NODE_ABSENT, /* could not be read; the error is known. Checked as an error type, without another error */
    CEL_NODE_LITERAL,
    CEL_NODE_IDENTIFIER,
    CEL_NODE_SELECT,
    CEL_NODE_CALL,
    CEL_NODE_LIST,
    CEL_NODE_MAP,
    CEL_NODE_MESSAGE,
    CEL_NODE_LOOP, /* a comprehension: what macros expand to */
};

/* The place of a node that came from nothing: line 1, column 0. */
#define CEL_NOWHERE UINT32_MAX

struct cel_literal {
    enum cel_type_kind type; /* CEL_NULL, CEL_BOOL, CEL_INT, CEL_UINT, CEL_DOUBLE, CEL_STRING or CEL_BYTES */
    union {
        bool boolean;
        int64_t integer;
        uint64_t unsigned_integer;
        double number;
        struct bytes text; /* of CEL_STRING, in UTF-8, and of CEL_BYTES */
    };
};

/* An element of a list, an entry of a map or a field of a message. */
struct cel_entry {
    struct cel_node *key;   /* of a map */
    struct bytes field;     /* of a message */
    struct cel_node *value;
    uint32_t offset;        /* of the colon: of a map or message */
    bool optional;          /* with a question mark */
};

/* A function that is called. Operators have the names that CEL gives them: _&&_, !_, -_ (negation), _[_], @in, _?_:_, _?._, _[?_]. */
struct cel_function;

struct cel_node {
    enum cel_node_kind kind;
    bool dotted;     /* an identifier, call or message with a leading dot: no local variable is meant */
    uint32_t number; /* among the nodes of the expression: from 0, in the order in which they were made */
    uint32_t offset; /* where errors of the node are reported: bytes into the expression, or CEL_NOWHERE */
    union {
        struct cel_literal literal;
        struct {
            struct bytes name;            /* of an identifier, without a leading dot */
            const struct cel_node *bound; /* by the checker: what cel.bind() gave that name; NULL: it is no such name */
        };
        struct {
            struct cel_node *operand;
            struct bytes field;
            bool presence; /* has(operand.field) */
        } select;
        struct {
            struct bytes name;            /* without a leading dot */
            struct cel_node *receiver;    /* NULL: not called on anything */
            struct cel_node **arguments;
            uint32_t count;
            const struct cel_function *function; /* by the checker: NULL where there is an error */
            uint32_t candidates;                 /* by the checker: a bit for each of the function's overloads that may be called */
        } call;
        struct {
            struct bytes name; /* of a message: its type's, without a leading dot */
            struct cel_entry *entries;
            uint32_t count;
        } literals; /* of a list, map or message */
        struct {
            struct bytes variables[2]; /* the second without data: there is one */
            struct bytes accumulator;
            struct cel_node *range, *init, *condition, *step, *result;
        } loop;
    };
    const struct cel_type *type; /* by the checker */
};

/* Whether the node is what cel.bind() expands to: a loop over nothing that gives a value, loop.init, a name in loop.result. */
bool cel_is_binding(const struct cel_node *node);

/* Part `i` of a node, in the order of the text: operand; receiver and arguments; elements; keys and values; range, init, condition, step
 * and result. NULL: there are no more. */
struct cel_node *cel_part(const struct cel_node *node, uint32_t i);

#endif
