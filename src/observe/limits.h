/* Bounds on what the server keeps about its work. */
#ifndef DRAWBRIDGE_OBSERVE_LIMITS_H
#define DRAWBRIDGE_OBSERVE_LIMITS_H

/* ---- metrics and history ---- */

/* Names of clients that --client-cn allows. Each is counted in the metrics. */
#define LIMIT_CLIENT_NAMES 64u

/* Sets of counters: one for each thread that reads or validates, 16 of each. About 9 KiB each, of which a thread uses a part. */
#define LIMIT_SHARDS 32u

/* What the status page shows of the past: minutes, with 3 KiB of counters each, and the slowest reviews of each minute, 24 bytes each. */
#define LIMIT_HISTORY_MINUTES 60u
#define LIMIT_SLOW_REVIEWS 10u

/* The status page: the rules that it lists, and how often a browser loads it again. */
#define LIMIT_PAGE_RULES 8
#define LIMIT_PAGE_REFRESH_SECONDS 30

/* How often freed memory goes back to the system while no request is there. */
#define LIMIT_TRIM_MS 5000

/* ---- the log ---- */

/* The log: bytes of a line, which a pipe takes at once (PIPE_BUF of Linux); bytes of text from outside in it, each of which takes at most
 * six when it is escaped; bytes of all lines that wait to be written, which are some 500 lines; and milliseconds to write them at the
 * end. */
#define LIMIT_LOG_LINE_BYTES 4096u
#define LIMIT_LOG_FIELD_BYTES 512u
#define LIMIT_LOG_BYTES (128u << 10)
#define LIMIT_LOG_END_MS 1000

/* Rules that one line of the log names, their bytes (of at most 40 each), and bytes of a request's uid; a real one has 36;
 * and of its namespace and name, a DNS subdomain at most. */
#define LIMIT_LOG_RULES 8u
#define LIMIT_LOG_RULES_BYTES 512u
#define LIMIT_LOG_UID_BYTES 64u
#define LIMIT_LOG_NAME_BYTES 253u

/* A review that takes longer than this has a line. */
#define LIMIT_LOG_SLOW_MS 1000

/* Between two lines that say how many others were left out. */
#define LIMIT_LOG_NOTICE_MS 5000

/* ---- certificates ---- */

/* Seconds before a certificate expires from which on it is reported: at most 30 days. */
#define LIMIT_EXPIRY_SECONDS (30 * 86400)

#endif
