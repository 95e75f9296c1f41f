/* Bounds on documents. */
#ifndef DRAWBRIDGE_DOC_LIMITS_H
#define DRAWBRIDGE_DOC_LIMITS_H

/* Nodes of one document, or of one object in the List of a file: one for each 32 bytes of the largest body (LIMIT_BODY_BYTES / 32). A
 * node has 48 bytes, so 30 MiB. A slice of 128 devices with 32 attributes has about 12,000 nodes. */
#define LIMIT_NODES 655360u

/* Nesting of a document that is read into nodes; the deepest shape needs 17 levels. */
#define LIMIT_DEPTH 64u

/* Nesting of text of which only the grammar is checked: as much as the API server's own decoder takes. One bit for each level. */
#define LIMIT_SKIPPED_DEPTH 10000u

/* Fields of one object shape: PersistentVolumeSpec has the most, 33. Sets of fields are 64 bits. It also bounds the members on the stack
 * of the walk: 2 * 64 pointers are 1 KiB for each level, and shapes nest 12 deep. The table test checks every shape. */
#define LIMIT_FIELDS 64u

/* Bytes of a number in a value of any type. Longer ones count as too large for a double. */
#define LIMIT_NUMBER_BYTES 4096u

/* ---- YAML ---- */

/* Different names of anchors in one document; real documents have a handful. The map that finds them has 131,072 slots of 24 bytes, 3
 * MiB, and the smaller maps before it take as much again. Each anchored value takes 120 bytes, and there is at most one for each node: 75
 * MiB. */
#define LIMIT_ANCHORS 65536u

/* Values that aliases repeat, of which a document knows one by one where they are; they are looked through for each fix. */
#define LIMIT_SHARED_VALUES 32u

/* Bytes of text that aliases repeat in one document, counted at each use: ten times more than etcd stores of any object. */
#define LIMIT_ALIASED_BYTES (16u << 20)

/* Open mappings and sequences in the text. More than in the tree, because merge keys add no level there: each level of the tree may merge
 * a list of mappings, which is two more in the text. */
#define LIMIT_TEXT_DEPTH (3 * LIMIT_DEPTH)

#endif
