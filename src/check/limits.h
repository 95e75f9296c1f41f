/* Bounds on the checks of one object. */
#ifndef DRAWBRIDGE_CHECK_LIMITS_H
#define DRAWBRIDGE_CHECK_LIMITS_H

/* What one call of a function in rules/cross/ allocates: a map (24 MiB), lists to be sorted (16 MiB), texts (no more than 20 MiB). */
#define LIMIT_SCRATCH_BYTES (64u << 20)

/* What compiling one expression allocates: 65,536 nodes of some 330 bytes with what is known of them (22 MiB), types (2,000,000 steps make
 * at most a few hundred thousand of them, of 40 bytes), and the same again for the tree of a regular expression. */
#define LIMIT_EXPRESSION_BYTES (64u << 20)

/* Of an expression that is refused: errors that are shown, and bytes of each. */
#define LIMIT_CEL_ERRORS_SHOWN 8u
#define LIMIT_CEL_ERROR_BYTES 256u

/* Object shapes of all kinds, with a summary of 152 bytes each and 8 bytes for each field, and the slots of the hash table that finds them,
 * of which at least half stay free. The table test checks it. */
#define LIMIT_SHAPES 512u
#define LIMIT_SHAPE_SLOTS (2 * LIMIT_SHAPES)

/* Findings of one object that are kept with their texts, in all and of one check at one path; others are counted. */
#define LIMIT_FINDINGS 1024u
#define LIMIT_SAME_FINDINGS 512u

/* Bytes of a map's key in the path of a finding; a qualified name has at most 317. Shapes nest 12 deep, so no path is long. */
#define LIMIT_PATH_KEY_BYTES 320u

/* Bytes of a regular expression for a driver's parameter, with its NUL; and how many of them a thread keeps compiled: those of one driver,
 * as the classes of a file are much alike. Real ones have under 100 bytes; 8 of 256 are 2 KiB for each thread. */
#define LIMIT_PARAMETER_PATTERN_BYTES 256u
#define LIMIT_KEPT_PATTERNS 8u

/* Names with which one that is not allowed is compared, for a hint; an API server takes at most 32 requests. With 256 hints, and 64 * 64
 * steps for each name, some 70 million steps for an object. */
#define LIMIT_NEAR_NAMES 64u

/* Bytes of a key in an index of objects. Names of driver, pool and device have at most 379 together; longer keys are not valid names, and
 * nothing is found by them. */
#define LIMIT_KEY_BYTES 1024u

#endif
