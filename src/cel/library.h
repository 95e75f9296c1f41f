/* The vocabulary of expressions, as rows: functions, macros, variables, types. rules/cel/ holds that of Kubernetes; nothing in src/cel
 * knows a function by name, but for the operators of the grammar. */
#ifndef DRAWBRIDGE_CEL_LIBRARY_H
#define DRAWBRIDGE_CEL_LIBRARY_H

#include "cel/type.h"

/* What the environment of expressions follows. */
struct cel_environment {
    unsigned version;      /* minor version of Kubernetes */
    unsigned features_off; /* bits of enum cel_feature */
};

/* With every feature. */
static inline struct cel_environment cel_environment(unsigned version)
{
    return (struct cel_environment){ .version = version };
}

/* Parts of a library that an operator can turn off. */
enum cel_feature {
    CEL_FEATURE_NONE,
    CEL_LIST_ATTRIBUTES = 1,      /* attributes may be lists */
    CEL_MULTIPLE_ALLOCATIONS = 2, /* devices say whether they can be allocated several times */
};

/* In which environments a row counts. */
struct cel_scope {
    unsigned since, until;   /* the first and last minor version of Kubernetes; 0: any */
    enum cel_feature needs;  /* a feature that must be on … */
    enum cel_feature avoids; /* … or off; CEL_FEATURE_NONE: none */
};

static inline bool cel_in_scope(const struct cel_scope *scope, struct cel_environment environment)
{
    return scope->since <= environment.version && (!scope->until || environment.version <= scope->until) &&
           !(scope->needs & environment.features_off) && (scope->avoids & environment.features_off) == scope->avoids;
}

/* ---- functions ---- */

#define CEL_ARGUMENTS_MAX 4 /* of an overload, with what it is called on */

/* What calling costs by estimate, and what is known of the size of the result. S is the size of the first argument (or of what it is called
 * on), A of the second, B of the third: numbers of characters, bytes or elements, at most. tenth(x) is a tenth, rounded up. */
enum cel_cost {
    CEL_COST_ONE,
    CEL_COST_NONE,
    CEL_COST_TENTH,    /* tenth(S) */
    CEL_COST_FIFTH,    /* S * 0.2 */
    CEL_COST_TEXT,     /* tenth(S); the result is as long as S */
    CEL_COST_QUOTE,    /* tenth(S); twice S and 2 */
    CEL_COST_ENCODE,   /* text to bytes: tenth(S); at most 4 * S */
    CEL_COST_DECODE,   /* bytes to text: tenth(S); at most S */
    CEL_COST_AFFIX,    /* tenth(A) */
    CEL_COST_CONTAINS, /* tenth(S) * tenth(A) */
    CEL_COST_MATCHES,  /* tenth(S + 1) * A * 0.25 */
    CEL_COST_FIND,     /* as MATCHES; at most S */
    CEL_COST_REPLACE,  /* S * 0.2; by the sizes of all */
    CEL_COST_SPLIT,    /* S * 0.2; at most S elements, or B where that is a literal */
    CEL_COST_JOIN,     /* tenth of the result */
    CEL_COST_EQUALS,   /* by the types; else as SHORTER */
    CEL_COST_SHORTER,  /* tenth of the smaller of S and A */
    CEL_COST_ADD_TEXT, /* tenth(S + A); S + A */
    CEL_COST_ADD_LIST, /* 1; S + A */
    CEL_COST_IN_LIST,  /* A */
    CEL_COST_INDEX_LIST,
    CEL_COST_INDEX_MAP,
    CEL_COST_CONDITIONAL,
    CEL_COST_DYN,      /* 1; of the size of S */
    CEL_COST_EACH,     /* S elements: 1 and a tenth of the size of each, if it is a text; a tenth(S) where it is no list */
    CEL_COST_SETS,     /* S * A + 1 */
    CEL_COST_SETS_TWICE, /* 2 * S * A + 1 */
    CEL_COST_SLICE,    /* elements between A and B, and 11 */
    CEL_COST_RANGE,    /* the number S and 11 */
    CEL_COST_REVERSE,  /* S + 11; S */
    CEL_COST_FLATTEN,  /* S * A + 11; S */
    CEL_COST_DISTINCT, /* 2 * S * S + 11; S * S */
    CEL_COST_SORT,     /* the same */
    CEL_COST_SORT_TEXT, /* 2.1 * S * S + 11; S * S */
    CEL_COST_SORT_BY,  /* as SORT, by the number of keys A */
    CEL_COST_SORT_BY_TEXT,
    CEL_COST_CONTAINS_IP,   /* 4, and tenth(A) of a text */
    CEL_COST_CONTAINS_CIDR, /* 7, and tenth(A) of a text */
    CEL_COST_VALIDATE,      /* tenth(A) * 32 */
    CEL_COST_INCLUDES,      /* 48: as many values as an attribute may have */
    CEL_COST_AUTHORIZE,     /* 350,000 */
    CEL_COST_AUTHORIZE_SELECTOR, /* 10 + tenth(A) + 50 * A * 0.5 */
};

struct cel_overload {
    const char *id;
    unsigned since; /* minor version of Kubernetes; 0: always */
    bool member; /* called on something: its first argument */
    unsigned count;
    enum cel_cost cost;
    const struct cel_type *result;
    const struct cel_type *arguments[CEL_ARGUMENTS_MAX];
};

/* What else is asked of a call whose argument is a literal, or constant. */
enum cel_literal_check {
    CEL_LITERAL_ANY,
    CEL_LITERAL_DURATION,  /* the first argument, a literal, can be converted */
    CEL_LITERAL_TIMESTAMP,
    CEL_LITERAL_CONVERTED, /* the argument, a constant, can be converted */
    CEL_LITERAL_PATTERN,   /* the last of the two texts is a regular expression */
    CEL_LITERAL_MATCHES,   /* that; and the first argument in parentheses is checked as one, too, as the API server does */
    CEL_LITERAL_FORMAT,    /* clauses of the text that it is called on fit the elements of the list */
};

struct cel_value;
struct cel_invocation;

/* Computes the result of a call, see cel/evaluation.h. */
typedef struct cel_value cel_implementation(const struct cel_invocation *call);

/* Makes a message of its fields. */
struct cel_evaluation;
struct cel_message;
struct cel_table;
typedef struct cel_value cel_maker(struct cel_evaluation *evaluation, const struct cel_message *message, const struct cel_table *fields);

/* How arguments are treated when a function is called. */
enum cel_form {
    CEL_FORM_TESTED,   /* they must fit an overload; where several overloads are left, the first that is an error ends the call */
    CEL_FORM_UNTESTED, /* the same, but only their number must fit */
    CEL_FORM_ANY,      /* of any kind: the implementation sees what fits */
    CEL_FORM_ERRORS,   /* of any kind, errors too */
    CEL_FORM_OR,       /* the second only if the first is an optional without a value; else the first */
    CEL_FORM_OR_VALUE, /* the same, but the value of the first */
};

struct cel_function {
    const char *name;
    enum cel_literal_check check;
    enum cel_form form;
    cel_implementation *call; /* NULL: the grammar's own, or no value can fit */
    const char *words; /* what it does, for `explain` */
    struct cel_scope scope;
    unsigned count;
    const struct cel_overload *overloads; /* in the order in which they are tried */
};

/* ---- variables and types ---- */

struct cel_field {
    const char *name; /* NULL ends the rows */
    const struct cel_type *type;
    struct cel_scope scope;
};

/* A type with fields that can be selected, or written in a literal. */
struct cel_message {
    const char *name;
    const struct cel_type *type;    /* of the literal */
    const struct cel_field *fields; /* to select, and to write; NULL: nothing is known of them */
    bool literal;                   /* it may be written */
    bool any_field;                 /* it has a field of any name, of type dyn */
    cel_maker *make;                /* makes the value that is written; NULL: that is an error at run time */
};

/* A name that is no local variable: a variable, or a type. */
struct cel_name {
    const char *name;
    const struct cel_type *type;
    bool no_value; /* a type that cannot be used as a value: the check passes, the plan fails */
};

/* The most that the API server lets be in a place: what sizes are known of a variable. Places have a number. */
struct cel_place_size {
    uint64_t size;
    unsigned keys, values, items; /* places below: of a map's keys and values, of an index; 0: not known */
    const struct cel_place_field *fields; /* NULL: none; the last has no name */
    unsigned any_field;                   /* of any other field; 0: not known */
};

struct cel_place_field {
    const char *name;
    unsigned place;
};

/* What comparing two values of a type with == costs, where that does not follow from their sizes. */
struct cel_equality {
    const char *type; /* NULL ends the rows */
    uint64_t cost;    /* 0: a tenth of the size of the second; 1 where that is not known */
};

/* A type in which an expression may end. */
struct cel_result_type {
    const struct cel_type *type; /* exactly this, names and parameters too; NULL ends the rows */
    struct cel_scope scope;
};

/* ---- macros ---- */

/* What a macro expands to. */
enum cel_expansion {
    CEL_EXPAND_ALL, CEL_EXPAND_EXISTS, CEL_EXPAND_EXISTS_ONE, CEL_EXPAND_MAP, CEL_EXPAND_FILTER, CEL_EXPAND_TRANSFORM_LIST,
    CEL_EXPAND_TRANSFORM_MAP, CEL_EXPAND_TRANSFORM_MAP_ENTRY, CEL_EXPAND_BIND, CEL_EXPAND_HAS, CEL_EXPAND_OPT_MAP, CEL_EXPAND_OPT_FLAT_MAP,
    CEL_EXPAND_SORT_BY,
};

struct cel_macro {
    const char *name; /* NULL ends the rows */
    unsigned arguments;
    bool member;          /* called on something */
    const char *receiver; /* only on this identifier; NULL: on anything */
    enum cel_expansion expansion;
    unsigned since;       /* minor version of Kubernetes; 0: always */
    const char *words;    /* for `explain` */
    const char *calls[4]; /* functions that the expansion calls; cel/macro.c says which */
};

/* ---- the whole ---- */

struct cel_expression;
struct cel_library;

struct cel_library {
    const struct cel_function *functions; /* sorted by name */
    unsigned function_count;
    const struct cel_macro *macros;
    const struct cel_name *names;         /* sorted by name */
    unsigned name_count;
    const struct cel_message *messages;   /* sorted by name */
    unsigned message_count;
    const struct cel_result_type *results;     /* what an expression may end in; NULL ends the rows */
    const char *results_words;            /* the same in words, after "must evaluate to" */
    const struct cel_equality *equalities;
    const char *variable;                 /* of which the sizes are known */
    const struct cel_place_size *places;  /* 1 is that of the variable */
    /* What to write instead, a clause in English, in the arena or for ever; NULL: there is no guess, or no memory. */
    const char *(*hint)(const struct cel_library *library, const struct cel_expression *expression, struct bytes text, struct arena *arena);
};

/* Whether an expression can call a function of that name: operators and what macros expand to have names that nobody can write. */
bool cel_is_written(const char *name);

/* NULL: there is none of that name in that environment. */
const struct cel_function *cel_function_find(const struct cel_library *library, struct cel_environment environment, struct bytes name);
const struct cel_name *cel_name_find(const struct cel_library *library, struct bytes name);
const struct cel_message *cel_message_find(const struct cel_library *library, struct bytes name);

#endif
