/* Bounds on sources, sets of objects, and reports. */
#ifndef DRAWBRIDGE_VALIDATE_LIMITS_H
#define DRAWBRIDGE_VALIDATE_LIMITS_H

/* ---- sources ---- */

/* One object in a file, as it is written: 1.5 MiB in etcd, and up to four times that with the indentation of kubectl. */
#define LIMIT_OBJECT_BYTES (8u << 20)

/* What is read of one file. The dumps at LIMIT_FILE_BYTES take 120 MB: 2.4 million nodes, and the objects around them. The largest file
 * may take four times its bytes: a node for every 12 bytes, which is the most that JSON without white space has; slices have one for
 * every 20. */
#define LIMIT_SOURCE_BYTES (1u << 30)

/* Bytes of a string in which something to fill in is looked for. */
#define LIMIT_TEMPLATE_BYTES 2048u

/* A piece of a large text: trees take twice as much, and each thread has some of them. A larger one, because its text cannot be cut, is
 * said to be from LIMIT_UNCUT_BYTES on. */
#define LIMIT_PIECE_BYTES (1u << 20)
#define LIMIT_UNCUT_BYTES (32u << 20)

/* ---- sets of objects ---- */

/* Sources of one set, with their trees. When a set has reached it, the next file begins another set. */
#define LIMIT_TOGETHER_BYTES (512u << 20)

/* Indexes of a set may take twice what its sources take, and LIMIT_ARENA_BYTES more: at most as much for copies of trees, and less for
 * keys and values. But never more than this, and less than as much again for hashes of the keys. So `lint` stays below 3.5 GiB:
 * LIMIT_TOGETHER_BYTES, then the largest file with its tree (LIMIT_FILE_BYTES, LIMIT_SOURCE_BYTES), these indexes, a third of a GiB of
 * devices (LIMIT_MATCH_SET_BYTES and the next two in match/), and 4 bytes for each line of a file with problems; with a range of versions,
 * below 4 GiB (LIMIT_RANGES_BYTES). */
#define LIMIT_INDEX_BYTES (1u << 30)

/* Names of missing objects. Each is reported once, and compared with all before it; further ones are not reported. */
#define LIMIT_MISSED 256u

/* ---- files with drivers ---- */

/* One file: as much as a ConfigMap holds. What is kept of it is its texts, and 120 bytes for each row, which takes at least 20 bytes of the
 * file: under 8 MiB. */
#define LIMIT_DRIVER_FILE_BYTES (1u << 20)
#define LIMIT_DRIVER_ARENA_BYTES (16u << 20)

/* Drivers of a file, tables of a driver, rows of a table; values, partners and replacements of a row; bytes of a name or text in it. A
 * parameter is compared with every row of its table: API servers take 512 of them, so 65,536 comparisons for each of four checks. */
#define LIMIT_DRIVERS 64u
#define LIMIT_PARAMETER_TABLES 16u
#define LIMIT_PARAMETERS 128u
#define LIMIT_PARAMETER_VALUES 64u
#define LIMIT_PARAMETER_NEEDS 8u
#define LIMIT_PARAMETER_TEXT_BYTES 256u

/* Bytes of what is said about a mistake in such a file. */
#define LIMIT_DRIVER_MISTAKE_BYTES 512u

/* ---- reports ---- */

/* Problems of one source that are kept with their texts; others are counted. */
#define LIMIT_PROBLEMS 10000u

/* Problems of all sources of a set in a range of versions, with their texts: they are kept until the last version is done. */
#define LIMIT_RANGES_BYTES (512u << 20)

/* Findings of an object that get a hint, or a fix. A hint compares a name with at most LIMIT_FIELDS others of at most NEAR_BYTES: 64 * 64
 * * 64 steps. */
#define LIMIT_HINTS 256u

/* Objects of a source whose fixes are given up one after the other, because the object would not be what it was. The text is read anew
 * after each. */
#define LIMIT_FIX_ATTEMPTS 4u

/* Bytes of white space, and of a tag or an anchor, between which and a value a fix looks. */
#define LIMIT_PROPERTY_BYTES 256u

/* Bytes of an object's name in a message; a DNS subdomain has at most 253. */
#define LIMIT_NAME_BYTES 256u

/* Names that a hint about a reference looks at, and those that it says; and how many of the changes of a value that must not change. */
#define LIMIT_NAMES_COMPARED  64u
#define LIMIT_NAMES_SAID      5u
#define LIMIT_CHANGES_SAID    3u
#define LIMIT_PATH_SAID_BYTES 512u

#endif
