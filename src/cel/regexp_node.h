/* The tree of a regular expression, while it is read. It is built as Go builds it, node for node, since what Go refuses as too large or too
 * deep depends on that. Used by regexp*.c only. */
#ifndef DRAWBRIDGE_CEL_REGEXP_NODE_H
#define DRAWBRIDGE_CEL_REGEXP_NODE_H

#include "base/bytes.h"
#include "cel/regexp.h"

/* In the order in which Go compares them: of two that are merged to a class, the later one stays. */
enum regexp_op {
    REGEXP_NOTHING, /* matches nothing */
    REGEXP_EMPTY,   /* matches the empty string */
    REGEXP_LITERAL,
    REGEXP_CLASS,
    REGEXP_ANY_BUT_LINE_END,
    REGEXP_ANY,
    REGEXP_LINE_BEGIN,
    REGEXP_LINE_END,
    REGEXP_TEXT_BEGIN,
    REGEXP_TEXT_END,
    REGEXP_WORD_BOUNDARY,
    REGEXP_NO_WORD_BOUNDARY,
    REGEXP_CAPTURE,
    REGEXP_STAR,
    REGEXP_PLUS,
    REGEXP_QUEST,
    REGEXP_REPEAT,
    REGEXP_CONCAT,
    REGEXP_ALTERNATE,
    REGEXP_LEFT_PAREN, /* from here on: marks on the stack */
    REGEXP_VERTICAL_BAR,
};

enum regexp_flag {
    REGEXP_FOLD = 1 << 0,       /* (?i) */
    REGEXP_DOT_ALL = 1 << 1,    /* (?s) */
    REGEXP_LINES = 1 << 2,      /* (?m) */
    REGEXP_NON_GREEDY = 1 << 3, /* (?U); of a repetition: it is not greedy */
};

struct regexp_node {
    enum regexp_op op;
    unsigned flags;               /* of enum regexp_flag, where the node was made */
    int min, max;                 /* of REGEXP_REPEAT; max -1: no end */
    bool capturing;               /* of REGEXP_LEFT_PAREN */
    uint32_t *codes;              /* of REGEXP_LITERAL; the least of the same but for case, where REGEXP_FOLD is set */
    uint32_t code_count, code_capacity;
    struct ranges set;            /* of REGEXP_CLASS */
    struct regexp_merger *merger; /* of REGEXP_CLASS: what the set becomes when no alternative joins it any more; NULL: it is complete */
    struct regexp_node **below;   /* REGEXP_CAPTURE to REGEXP_ALTERNATE */
    uint32_t below_count;
    struct regexp_node *only[1];  /* where there is one below */
    struct regexp_node *next_free;
    int64_t size;                 /* instructions, as Go counts them; 0: not counted. Survives the node, as in Go */
    unsigned height;              /* nodes from here down; 0: not counted */
    uint32_t class_number;        /* of regexp_program.c: its set among those of the program, from 1 */
};

enum { REGEXP_JOINED = 8 };

/* What makes one class of alternatives; used again, with its memory. */
struct regexp_merger {
    struct ranges_builder builder;
    const struct range *joined[REGEXP_JOINED]; /* sets that were added last: they need not be added again */
    unsigned joined_count;
    struct regexp_merger *next_free;
};

struct regexp_parser {
    struct arena *arena;
    struct cel_regexp_classes *classes;
    struct bytes text;
    const char *at, *end;
    unsigned flags;
    struct regexp_node **stack;
    uint32_t stack_count, stack_capacity;
    struct regexp_node *free_nodes;
    struct regexp_merger *free_mergers;
    uint32_t node_count;     /* without those that are used again */
    uint64_t range_ends;     /* in all classes, as Go counts them */
    int64_t repeats;         /* the product of all counts of repetitions */
    bool sizes, heights;     /* they are counted from now on */
    unsigned factor_depth;
    struct ranges_builder builder, loose; /* of the bracket that is being read: the class, and single characters and ranges of it */
    struct bytes error;      /* of the result */
    enum failure failure;    /* no memory */
};

/* Ends reading: `words`, and the text between `from` and `to`, is what is wrong. Returns false. */
bool regexp_refuse(struct regexp_parser *parser, const char *words, const char *from, const char *to);

/* Ends reading for lack of memory, if `there` is not. Returns `there`. */
bool regexp_memory(struct regexp_parser *parser, bool there);

/* A new node, or one that was given back. NULL: no memory. */
struct regexp_node *regexp_node_new(struct regexp_parser *parser, enum regexp_op op);
void regexp_node_free(struct regexp_parser *parser, struct regexp_node *node);

/* Whether Go takes a tree of this size and height. Returns false when reading ends. */
bool regexp_check_limits(struct regexp_parser *parser, struct regexp_node *node);

/* Whether the counts of repetitions inside each other multiply to at most `most`. */
bool regexp_repeat_is_valid(const struct regexp_node *node, int most);

/* Whether a node is one character of a set: so that alternatives of them are a class. */
bool regexp_is_class(const struct regexp_node *node);
bool regexp_equal(const struct regexp_node *a, const struct regexp_node *b);

/* Appends characters to a literal. */
bool regexp_add_codes(struct regexp_parser *parser, struct regexp_node *node, const uint32_t *codes, uint32_t count);

/* Makes `into` match what `from` matches, too; both are classes, and the op of `into` is not the lower one. Nothing else may ask for the
 * set of `into` before regexp_clean_class(). */
bool regexp_merge_class(struct regexp_parser *parser, struct regexp_node *into, const struct regexp_node *from);

/* No alternative joins the class any more. One of all characters, or of all but the line end, gets the op of that. Returns false when there
 * is no memory. */
bool regexp_clean_class(struct regexp_parser *parser, struct regexp_node *node);

/* One node of `count` nodes, one after the other or as alternatives, with what they begin with alike taken out. NULL: reading ends. */
struct regexp_node *regexp_collapse(struct regexp_parser *parser, struct regexp_node **nodes, uint32_t count, enum regexp_op op);

/* ---- the stack ---- */

/* Pushes a node. Returns false when reading ends. */
bool regexp_push(struct regexp_parser *parser, struct regexp_node *node);
bool regexp_push_op(struct regexp_parser *parser, enum regexp_op op);
bool regexp_push_literal(struct regexp_parser *parser, uint32_t code);
bool regexp_push_group(struct regexp_parser *parser, bool capturing);

/* Repeats what is on top of the stack. `from` and `to` are around the operator, for the error. */
bool regexp_push_repeat(struct regexp_parser *parser, enum regexp_op op, int min, int max, bool non_greedy, const char *from,
                        const char *to);
bool regexp_vertical_bar(struct regexp_parser *parser);
bool regexp_right_paren(struct regexp_parser *parser);

/* The end of the text: sets *root. */
bool regexp_end(struct regexp_parser *parser, struct regexp_node **root);

/* ---- classes and escapes ---- */

/* The next character before `end`; U+FFFD, and nothing is taken, at the end. Returns false when it is not UTF-8. */
bool regexp_next(struct regexp_parser *parser, const char **at, const char *end, uint32_t *code);

/* An escape of one character, at the backslash. */
bool regexp_escape(struct regexp_parser *parser, const char **at, uint32_t *code);

/* Takes a class at *at: \p{name}, \pN, \d and the like. *found: there was one, *set. Equal classes share their list. */
bool regexp_escaped_class(struct regexp_parser *parser, const char **at, bool *found, struct ranges *set);

/* Takes a class in brackets, and pushes it. */
bool regexp_bracket(struct regexp_parser *parser);

#endif
