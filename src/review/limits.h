/* Bounds on reviews, responses and the configuration. */
#ifndef DRAWBRIDGE_REVIEW_LIMITS_H
#define DRAWBRIDGE_REVIEW_LIMITS_H

/* ---- reviews and responses ---- */

/* Bytes of request.uid, which the response repeats in full; a real one has 36. */
#define LIMIT_UID_BYTES 256u

/* Causes in one response; others are counted. */
#define LIMIT_CAUSES 512u

/* Bytes of a denial's message after which it lists no further cause. */
#define LIMIT_MESSAGE_BYTES 4096u

/* Bytes of one warning (Kubernetes asks for under 120), and of all warnings in one response (Kubernetes cuts them at 4,096). */
#define LIMIT_WARNING_BYTES 119u
#define LIMIT_WARNINGS_BYTES 4096u

/* Bytes of an audit annotation, which lists ids of rules: etcd and audit logs take several times as much. */
#define LIMIT_ANNOTATION_BYTES 1024u

/* ---- audit logs ---- */

/* What is remembered of objects as they were stored, and lists in which they are found: a cluster of 1,000 nodes has some 2,000 slices of
 * 20 KB. The smallest object takes some 300 bytes, so a list holds four at most, on average. */
#define LIMIT_WRITTEN_BYTES (64u << 20)
#define LIMIT_WRITTEN_BUCKETS 65536u

/* ---- the configuration ---- */

/* Feature gates: kube-apiserver 1.37 has about 300. */
#define LIMIT_FEATURE_GATES 512u

/* Policies, and entries of their lists. A finding is compared with all fields of the policies for its kind: at worst 128 * 64 texts, of
 * which the first bytes differ. So 1,024 findings take under 50 ms with the longest configuration. */
#define LIMIT_POLICIES 128u
#define LIMIT_POLICY_ENTRIES 64u
#define LIMIT_POLICY_NAMESPACES 1024u

/* Texts of a list for lint, files with drivers (64 drivers each); bytes of such a text. A path is compared with all patterns. */
#define LIMIT_CONFIGURED_TEXTS 256u
#define LIMIT_CONFIGURED_DRIVERS 16u
#define LIMIT_CONFIGURED_FORMATS 16u
#define LIMIT_CONFIGURED_TEXT_BYTES 1024u

/* Bytes of a field's path in a policy, and in a question to `explain`. */
#define LIMIT_EXPLAIN_PATH_BYTES 512u

/* Mistakes in a configuration that are listed, bytes of each, and bytes of a word that they quote. */
#define LIMIT_CONFIGURATION_MISTAKES 8u
#define LIMIT_MISTAKE_BYTES 512u
#define LIMIT_HINT_BYTES 64u

#endif
