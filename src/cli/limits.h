/* Bounds on commands and their options. */
#ifndef DRAWBRIDGE_CLI_LIMITS_H
#define DRAWBRIDGE_CLI_LIMITS_H

/* Rows in a command's table of options. */
#define LIMIT_OPTIONS 64

/* How often an option can be given: names of one certificate (LIMIT_CERTIFICATE_NAMES), clients (LIMIT_CLIENT_NAMES). */
#define LIMIT_OPTION_VALUES 100u

/* Of the words that an error lists as allowed. */
#define LIMIT_OPTION_WORDS_BYTES 256u

/* How often lint --fix validates and fixes files: after a fix there may be another one. Of an object's fixes that move something, each
 * takes a round. */
#define LIMIT_FIX_ROUNDS 16u

/* What git may print about a revision: the names of all files in a folder, and all manifests in it, as much as one file may have; and the
 * seconds for each. */
#define LIMIT_REVISION_NAMES_BYTES (64u << 20)
#define LIMIT_REVISION_BYTES (256u << 20)
#define LIMIT_GIT_SECONDS 60u

/* What helm or kustomize may print of one chart or kustomization, the seconds for it, and how many there may be. */
#define LIMIT_RENDERED_BYTES (64u << 20)
#define LIMIT_RENDERED_SECONDS 60u
#define LIMIT_RENDERED 1000u

/* What a program that is run may write to standard error; it is looked at once a second. */
#define LIMIT_COMPLAINTS_BYTES (16u << 20)

/* What kubectl may print of all objects of a kind, as much as one file may have: some 50,000 pods; the most seconds for it that may
 * be asked for, and those that it has otherwise; and what it may print of the server's version and of its API versions. */
#define LIMIT_SCAN_BYTES (256u << 20)
#define LIMIT_SCAN_SECONDS 3600u
#define DEFAULT_SCAN_SECONDS 120
#define LIMIT_SCAN_WORDS_BYTES (1u << 20)

/* Kinds that kubectl may not read, as far as they are named: some 60 bytes each, for all that there are. */
#define LIMIT_SCAN_REFUSED_BYTES 2048u

/* Of the source that is shown with a finding: whole lines, or this much of them. */
#define LIMIT_EXCERPT_BYTES 1024u

/* How far into a line columns are counted in UTF-16 code units, which takes a walk from its beginning: 10,000 findings, 0.3 s. */
#define LIMIT_UTF16_BYTES 65536u

/* Of a report in Markdown: GitHub takes comments of 65,536 characters, and its summary of a step 1 MiB. */
#define LIMIT_MARKDOWN_BYTES 60000u

/* Of a PolicyReport: results, and bytes of the texts in one, which quotes may double. With names, a result takes 2.6 KB at most, and a
 * report 1.1 MB: API servers take 1.5 MB. What all reports of a run keep, in some 100 MB; the rest is counted. */
#define LIMIT_POLICY_RESULTS 400u
#define LIMIT_POLICY_MESSAGE_BYTES 400u
#define LIMIT_POLICY_WORDS_BYTES 200u
#define LIMIT_POLICY_ALL_RESULTS 40000u

/* Of the name of a namespace, for which there is a report: as long as names may be. */
#define LIMIT_POLICY_NAMESPACE_BYTES 253u

/* Reports of one run, each in a format and to a place of its own. */
#define LIMIT_REPORTS 16

/* Documents of one file for which `review` reports an error each; others are counted. */
#define LIMIT_REVIEW_ERRORS 100u

/* Of an audit log: users of denied writes that are counted one by one (up to 5 MB), bytes of a name, and rows that a table shows. */
#define LIMIT_AUDIT_USERS 10000u
#define LIMIT_AUDIT_USER_BYTES 256u
#define LIMIT_AUDIT_ROWS 20u

/* Writes that are shown as examples of a rule: each takes some 5 KB at most, and there are some 150 rules. */
#define LIMIT_AUDIT_EXAMPLES 3u

/* Fields of a kind that `explain RULE` names, others are counted; and sources, of which there are some 200. */
#define LIMIT_EXPLAIN_FIELDS 5u
#define LIMIT_EXPLAIN_SOURCES 24u

/* Bytes of a word that a shell is offered; what is longer is not offered. */
#define LIMIT_COMPLETE_BYTES 512u

/* Of lint: what is read of a file is cut into pieces if it is larger. */
#define LIMIT_CUT_BYTES (8u << 20)

/* Files and pieces that threads read ahead, and bytes of their texts for each thread: two pieces. Their trees take up to five times as
 * much. One larger file is read alone. */
#define LIMIT_AHEAD 64u
#define LIMIT_AHEAD_BYTES (2u << 20)

/* Objects that are compared with each other, with the texts of files that are not mapped. When a set has reached it, the next file or
 * piece begins another. Indexes take up to half as much, devices for selectors 100 MiB (match/), and what is read ahead some 20 MiB for
 * each of two threads: lint stays below 300 MiB for dumps of any size; for other large texts there is LIMIT_SOURCE_BYTES. With a range of
 * versions, findings take up to as much as the objects about which they are. */
#define LIMIT_LINT_SET_BYTES (104u << 20)
#define LIMIT_LINT_RANGE_SET_BYTES (72u << 20)

/* Devices on which expressions are evaluated, with their values: some 3 KB each. */
#define LIMIT_CEL_DEVICES_BYTES (1u << 30)

/* Bytes of a line of the repl: LIMIT_CEL_BYTES, and room for a command. */
#define LIMIT_CEL_LINE_BYTES 10300u

/* Lines of its history, and candidates of a completion. */
#define LIMIT_CEL_HISTORY 1000
#define LIMIT_CEL_CANDIDATES 200u

/* Bytes of a value of CEL that is printed. */
#define LIMIT_CEL_SHOWN_BYTES 4096u

/* Errors of evaluations that are shown with their place; others are counted. */
#define LIMIT_CEL_SHOWN_FAULTS 10u

/* Days for which a certificate is valid: a century. */
#define LIMIT_CERTIFICATE_DAYS 36500

/* Hours for which a certificate is valid that the server issues for itself: few, because nobody can revoke it. */
#define LIMIT_CERT_HOURS 720u

/* Seconds of --shutdown-delay. */
#define LIMIT_SHUTDOWN_DELAY 60u

/* Copies of a node that does not exist yet. */
#define LIMIT_ALLOCATE_NEW_NODES 10000u

#endif
