/* Bounds on the values of strings and numbers. */
#ifndef DRAWBRIDGE_VALUE_LIMITS_H
#define DRAWBRIDGE_VALUE_LIMITS_H

/* Bytes of a quantity, and its decimal exponent in either direction. Real quantities have under 20 digits. The API server's decoder hangs
 * on exponents in the billions; here comparing never writes an exponent out, so these bounds refuse nothing that makes sense. */
#define LIMIT_QUANTITY_BYTES 4096u
#define LIMIT_QUANTITY_EXPONENT 1000000

/* Digits of a sum of two quantities. Of real ones it has under 40; those that are compared are at most twice LIMIT_QUANTITY_BYTES apart. */
#define LIMIT_QUANTITY_SUM_DIGITS (4 * LIMIT_QUANTITY_BYTES)

/* Bytes of a semantic version and of a URL in an expression of CEL, which compares them at a cost of 1. A literal has up to 10 KiB. */
#define LIMIT_SEMVER_BYTES 16384u
#define LIMIT_URL_BYTES 16384u

/* Groups inside each other in a pattern. The translation of a regular expression of CEL has at most 1,000 levels, each of up to three. */
#define LIMIT_PATTERN_NEST 3000u

/* PCRE2: steps, heap and backtracking depth of one match. The defaults of PCRE2 would allow 10,000,000 steps and 20 GB. */
#define LIMIT_MATCH_STEPS 100000u
#define LIMIT_MATCH_HEAP_KIB 1024u
#define LIMIT_MATCH_DEPTH 1000u

#endif
