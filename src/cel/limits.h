/* Bounds on what an expression can make the compiler do. Those of CEL itself are the API server's (cel-go v0.26 as Kubernetes 1.35 sets it
 * up); the others keep time and memory bounded where its compiler would not end. */
#ifndef DRAWBRIDGE_CEL_LIMITS_H
#define DRAWBRIDGE_CEL_LIMITS_H

/* ---- of CEL: the API server refuses what is beyond ---- */

/* Bytes of an expression. */
#define LIMIT_CEL_BYTES 10240u

/* Expressions that are open at the same time: parentheses, arguments, elements, the last part of ?:. */
#define LIMIT_CEL_OPEN 250u

/* Operators, selections, member calls and indexes inside each other. */
#define LIMIT_CEL_NESTED 250u

/* Errors that are kept of one expression. */
#define LIMIT_CEL_ERRORS 100u

/* Attempts to go on after an error of syntax, and tokens that one of them may skip. */
#define LIMIT_CEL_RECOVERIES 30u
#define LIMIT_CEL_SKIPPED 256u

/* The most that an evaluation may cost by estimate, in CEL's units. */
#define LIMIT_CEL_COST 1000000u

/* Of a regular expression, as Go bounds them: nodes inside each other, which is also how deep functions recurse that walk the tree (twice
 * that while alternatives are put together); instructions, of which 40 bytes each make 128 MiB; ends of ranges in classes, of which 4 bytes
 * each make 128 MiB; what a count may be, and counts inside each other multiplied. */
#define LIMIT_CEL_REGEXP_HEIGHT 1000u
#define LIMIT_CEL_REGEXP_SIZE ((128 << 20) / 40)
#define LIMIT_CEL_REGEXP_RANGE_ENDS ((128u << 20) / 4)
#define LIMIT_CEL_REGEXP_COUNT 1000

/* ---- of this compiler ---- */

/* Nodes of the tree. 10,240 bytes write at most about 10,000; macros add up to 20 for each 10 bytes, so 40,000 are more than any expression
 * needs, but that optMap() repeats what it is called on: chains of it double the tree with each link. */
#define LIMIT_CEL_NODES 65536u

/* Calls of a function that walks the tree, inside each other: LIMIT_CEL_OPEN expressions, in each of which LIMIT_CEL_NESTED is used up once
 * by all, and five nodes of a macro's expansion around each. Each level takes under 300 bytes of stack. Evaluation takes about 600, and
 * goes into values of cel.bind() where their names are read, so that it may be refused where Kubernetes goes on. */
#define LIMIT_CEL_DEPTH 4096u

/* Parts of types that are compared or copied in one expression, and types inside each other. A literal with its variable in it twice
 * doubles its type: 30 of them would be a type of 2^30 parts. */
#define LIMIT_CEL_TYPE_STEPS 2000000u
#define LIMIT_CEL_TYPE_DEPTH 1024u

/* Bytes of a type in a message. */
#define LIMIT_CEL_TYPE_TEXT 1024u

/* What one evaluation may take: memory, and work that costs nothing in CEL's terms. A text that costs LIMIT_CEL_COST to make has 10 MB, a
 * list 24 MB; both are copied a few times. Comparing lists of lists may take any time at a cost of 1: 20 million elements take about a
 * second. */
#define LIMIT_CEL_EVALUATION_ARENA (128u << 20)
#define LIMIT_CEL_EVALUATION_STEPS 20000000u

/* Lists, maps and optionals inside each other: that functions go into, and that are printed for people. */
#define LIMIT_CEL_VALUE_DEPTH 1024u
#define LIMIT_CEL_VALUE_PRINTED 16u

/* Time zones: bytes of a name, and of a file of the database, of which the largest have under 4 KiB. */
#define LIMIT_CEL_ZONE_NAME 128u
#define LIMIT_CEL_ZONE_BYTES (64u << 10)

/* Bytes of a regular expression: a literal is a part of LIMIT_CEL_BYTES, one that is put together by an expression could be longer. */
#define LIMIT_CEL_REGEXP_BYTES 65536u

/* What reading one takes: Go bounds nodes and ranges to 128 MiB each, of which a pattern of 10 KiB reaches a part. */
#define LIMIT_CEL_PATTERN_ARENA (64u << 20)

/* Instructions of its program, of 16 bytes each: Go's own limit of 128 MiB is twelve times as high. */
#define LIMIT_CEL_REGEXP_PROGRAM (256u << 10)

/* Nodes that become instructions, those that are repeated once for each copy: twice as many, as most become at least one. */
#define LIMIT_CEL_REGEXP_VISITS (2 * LIMIT_CEL_REGEXP_PROGRAM)

/* What a search remembers of where it was, in bits, and the ways that it leaves for later, of 8 bytes each. Beyond that it goes all ways at
 * the same time, which takes longer for each character, and memory by the size of the program alone: at most 10 MiB. */
#define LIMIT_CEL_REGEXP_SEEN (256u << 10)

/* Steps of all matches of an evaluation. An evaluation may cost LIMIT_CEL_COST, of which a match takes a 40th of the product of text and
 * pattern: so 40 million, with two instructions a character, unless there are counts. */
#define LIMIT_CEL_REGEXP_STEPS 100000000u

/* Steps that compiling counts as when it is done at evaluation: for a byte of text, and for an instruction. Classes such as \pL make
 * a byte as expensive as 100 steps. */
#define LIMIT_CEL_REGEXP_BYTE_STEPS 100u
#define LIMIT_CEL_REGEXP_INSTRUCTION_STEPS 4u

#endif
