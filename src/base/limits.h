/* Bounds on what input can make the program do, with their arithmetic. Nothing that input drives is unbounded. Each layer has a limits.h
 * of its own; a bound is in that of the lowest layer that needs it. Here: texts, arenas and files. */
#ifndef DRAWBRIDGE_BASE_LIMITS_H
#define DRAWBRIDGE_BASE_LIMITS_H

/* ---- texts ---- */

/* One AdmissionReview. etcd takes requests of 1.5 MiB, so no object is larger. An update contains two, object and oldObject. Go, in which
 * API servers are written, makes six bytes of each <, > and & (\u003c). So 1.5 MiB * 2 * 6 = 18 MiB; and 2 MiB for the request around the
 * objects, and for member names, which JSON repeats and etcd does not store. Offsets are uint32_t, which is far more. */
#define LIMIT_BODY_BYTES (20u << 20)

/* One file of manifests. kubectl writes 20,000 slices with four devices of nine attributes each in 147 MB of JSON or 59 MB of YAML.
 * Offsets are uint32_t. */
#define LIMIT_FILE_BYTES (256u << 20)

/* The text of a configuration: as much as a ConfigMap holds. */
#define LIMIT_CONFIGURATION_BYTES (1u << 20)

/* Bytes of a value that is quoted in a message, log, warning or terminal. */
#define LIMIT_QUOTE_BYTES 128u

/* Bytes of a file's name in a report: PATH_MAX of Linux. */
#define LIMIT_FILE_NAME_BYTES 4096u

/* Bytes of the words for a failure, with their NUL: a path, which is cut to four times LIMIT_QUOTE_BYTES, and a sentence. Two paths of
 * ordinary length fit as well. */
#define LIMIT_ERROR_BYTES 768u

/* ---- arenas ---- */

/* What one review or document allocates: nodes (30 MiB); strings with escapes or replaced bytes (at most three times 20 MiB); maps that
 * find duplicates (24 bytes a slot, up to three slots a member: at most 24 MiB each); findings with their texts (1,024 of them, under 4
 * MiB; twice that if the object is validated again for those that may deny, and four times that again if a policy asks for the findings
 * of the old object). One document cannot reach all of these. Copies of nodes with repeated or null members come on top: a document that
 * consists of nothing else may be refused for this limit before it reaches the others. */
#define LIMIT_ARENA_BYTES (160u << 20)

/* What an arena keeps between two reviews instead of freeing it. The update of a slice of 128 devices with 32 attributes each takes 1.1
 * MiB. */
#define LIMIT_ARENA_KEPT_BYTES (2u << 20)

/* The largest block by which an arena grows, and so the most of it that may be unused. */
#define LIMIT_ARENA_STEP_BYTES (32u << 20)

/* ---- threads ---- */

/* Threads that work for one other: as many as large machines have processors. */
#define LIMIT_TEAM 64u

/* ---- files ---- */

/* Directories inside each other. */
#define LIMIT_DIRECTORY_DEPTH 64u

/* A .gitignore, and the patterns that are in force in a folder, those of the folders around it included. Each name is compared with all of
 * them: 20 ns for a common pattern. */
#define LIMIT_IGNORE_BYTES (1u << 20)
#define LIMIT_IGNORE_PATTERNS 10000u

/* What is read of a FIFO, and kept in memory. What has more goes to a temporary file, and may have 4 GiB. */
#define LIMIT_SPOOL_BYTES (16u << 20)
#define LIMIT_SPOOLED_BYTES ((size_t)4 << 30)

/* Milliseconds for which a named FIFO may have no writer, and for which its writer may be silent. */
#define LIMIT_WRITER_MS 2000
#define LIMIT_SILENCE_MS 60000

#endif
