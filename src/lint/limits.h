/* Bounds on what is around validation: suppressions, baselines. */
#ifndef DRAWBRIDGE_LINT_LIMITS_H
#define DRAWBRIDGE_LINT_LIMITS_H

/* Comments of a source, and annotations of its objects, that suppress findings. Each problem is compared with all of them: 10,000 times
 * 1,024 at most. */
#define LIMIT_SUPPRESSIONS 1024u

/* Bytes of a suppression's reason that are kept. */
#define LIMIT_REASON_BYTES 256u

/* A baseline's file, and the findings in it that differ: each takes seven nodes of the JSON reader, which has LIMIT_NODES. */
#define LIMIT_BASELINE_BYTES (64u << 20)
#define LIMIT_BASELINE_ENTRIES 65536u

#endif
