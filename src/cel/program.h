/* What an expression is evaluated from: its tree with constants computed, names looked up, and selections and indexes put into chains, as
 * cel-go's planner does. Nothing in it changes, so that threads can share it. */
#ifndef DRAWBRIDGE_CEL_PROGRAM_H
#define DRAWBRIDGE_CEL_PROGRAM_H

#include "cel/evaluate.h"
#include "cel/evaluation.h"
#include "cel/library.h"

enum cel_plan_kind {
    CEL_PLAN_CONSTANT,
    CEL_PLAN_CHAIN,    /* a variable, and selections and indexes from it or from any other value */
    CEL_PLAN_PRESENCE, /* has(): a chain whose last step is only tested */
    CEL_PLAN_AND,
    CEL_PLAN_OR,
    CEL_PLAN_CONDITION,
    CEL_PLAN_CALL,
    CEL_PLAN_ALTERNATIVE, /* a call of form CEL_FORM_OR or CEL_FORM_OR_VALUE */
    CEL_PLAN_IN_SET,      /* x in a list of constants */
    CEL_PLAN_LIST,
    CEL_PLAN_MAP,
    CEL_PLAN_MESSAGE,
    CEL_PLAN_LOOP,
    CEL_PLAN_BINDING, /* a loop over nothing, which gives a value a name */
    CEL_PLAN_APPEND,  /* accumulator + [element], in the step of a loop */
};

enum cel_base {
    CEL_BASE_LOCAL,     /* a variable of a loop or binding */
    CEL_BASE_VARIABLE,  /* the variable of the library */
    CEL_BASE_CONDITION, /* a ? b : c */
    CEL_BASE_OTHER,
};

/* A selection or index. `index` NULL: by `key`, a constant. */
struct cel_step {
    const struct cel_plan *index;
    struct cel_value key;
    bool field;    /* .name, not [key] */
    bool optional; /* .?name or [?key] */
};

struct cel_plan_entry {
    const struct cel_plan *key; /* of a map; NULL in a list */
    const struct cel_plan *value;
    struct bytes field;         /* of a message */
    bool optional;
};

struct cel_plan {
    enum cel_plan_kind kind;
    const struct cel_node *node;
    union {
        struct cel_value constant;
        struct {
            enum cel_base base;
            uint32_t slot;               /* of CEL_BASE_LOCAL */
            const struct cel_plan *from; /* of CEL_BASE_CONDITION and CEL_BASE_OTHER */
            struct cel_step *steps;
            uint32_t count; /* 0: a variable alone */
            bool optional;  /* one of the steps is */
        } chain;
        const struct cel_plan *parts[3]; /* AND, OR, CONDITION, ALTERNATIVE; IN_SET: the value and the constant list */
        struct {
            const struct cel_plan *const *arguments;
            uint32_t count;
            const struct cel_overload *overload; /* the only one that is left; NULL: there are several */
            bool stops;                          /* at the first argument that is an error */
            const struct cel_regexp_program *pattern; /* the second argument, compiled; NULL: it is no constant regular expression */
        } call;
        struct {
            const struct cel_plan_entry *entries;
            uint32_t count;
            const struct cel_message *message;
        } literal;
        struct {
            uint32_t first, second, accumulator; /* slots; `second` is CEL_NO_SLOT where there is one variable */
            const struct cel_plan *range, *init, *condition, *step, *result;
            const struct cel_plan *next; /* another binding of the program */
        } loop; /* of CEL_PLAN_BINDING: accumulator, init, result and next */
        struct {
            uint32_t accumulator;
            const struct cel_plan *element;
            bool constant; /* the list of the element is one */
        } append;
    };
};

#define CEL_NO_SLOT UINT32_MAX

struct cel_program {
    const struct cel_library *library;
    unsigned version;
    const struct cel_plan *root;
    const struct cel_plan **plans; /* by the number of the node; NULL: the node has none of its own */
    uint32_t node_count;
    uint32_t slot_count;
    const struct cel_plan *bindings; /* all of them, the last first */
};

#endif
