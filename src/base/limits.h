/* Every bound on what input can make the program do, with its arithmetic. Nothing driven by input is unbounded. */
#ifndef DRAWBRIDGE_BASE_LIMITS_H
#define DRAWBRIDGE_BASE_LIMITS_H

/* One document or review. The API server sends at most 3 MiB in, and an update carries object and oldObject: the largest
 * legal update measured is 1.5 MB, 4.1 MB when every byte is escaped. Offsets are uint32_t, which this keeps far away. */
#define LIMIT_BODY_BYTES (8u << 20)

/* Nodes of one document: 48 bytes each, so 12 MiB. A slice of 128 devices with 32 attributes has about 12,000. */
#define LIMIT_NODES 262144u

/* Nesting of a document that is read into nodes; the deepest shape needs 17. */
#define LIMIT_DEPTH 64u

/* Nesting of text that is only checked for grammar: what the API server's own decoder takes. One bit a level. */
#define LIMIT_SKIPPED_DEPTH 10000u

/* Names of anchors in one YAML document; real ones have a handful. Finding them takes a set of 131,072 slots, 3 MiB, and as much again
 * for the smaller ones before it. Each place that is named takes 120 bytes, at most one for each node: 30 MiB. */
#define LIMIT_ANCHORS 65536u

/* Bytes of text in one YAML document, what aliases repeat counted again at each use: what could be written out twice. */
#define LIMIT_TEXT_BYTES (2 * LIMIT_BODY_BYTES)

/* Open brackets, mappings and sequences in YAML text. More than in the tree, because merge keys melt what they hold into the
 * object around them: each level may merge a list of mappings. */
#define LIMIT_TEXT_DEPTH (3 * LIMIT_DEPTH)

/* Everything one review or document allocates: nodes (12 MiB), strings with escapes or replaced bytes (at most three
 * times 8 MiB), sets for duplicates (24 bytes a slot, two to four slots a member: at most 24 MiB), findings and their
 * texts (1,024 of them, under 4 MiB; twice that where those that may deny are looked for among more, and four times that again where a policy
 * asks what was wrong with the old object, too). These do not meet in one document. Copies of nodes where members are repeated or null come
 * on top: a document that is made of nothing else may be refused for this limit before it reaches the others. */
#define LIMIT_ARENA_BYTES (64u << 20)

/* What an arena keeps between two reviews instead of giving it back. The update of a slice of 128 devices with 32 attributes each takes
 * 1.1 MiB. */
#define LIMIT_ARENA_KEPT_BYTES (2u << 20)

/* Fields of one object shape: PersistentVolumeSpec has the most, 33. Bounds the frames on the stack (LIMIT_DEPTH of them
 * would be 64 KiB; shapes nest 12 deep). Proved for every shape by the table test. */
#define LIMIT_FIELDS 64u

/* Outlines of object shapes that a thread keeps, 48 bytes each, so 6 KiB. A kind has up to 41 such shapes. */
#define LIMIT_OUTLINES 128u

/* Findings kept with their text; further ones are counted. */
#define LIMIT_FINDINGS 1024u
#define LIMIT_SAME_FINDINGS 256u

/* Causes in one response, as the API design has it; further ones are counted. */
#define LIMIT_CAUSES 256u

/* Bytes of a value that is repeated in a message, log, warning or terminal. */
#define LIMIT_ECHO_BYTES 128u

/* Problems of one file that are kept with their text; further ones are counted. */
#define LIMIT_PROBLEMS 10000u

/* How far around a syntax error a template is looked for. */
#define LIMIT_TEMPLATE_BYTES 2048u

/* Guesses at what was meant: only for so many findings of an object, and for texts of so many bytes. One guess compares with at
 * most LIMIT_FIELDS names, so 64 * 64 * 64 steps. */
#define LIMIT_HINTS 256u
#define LIMIT_HINT_BYTES 64u

/* The same where showing values is the purpose: subjects and alternative names of certificates. A DNS name has at most 253. */
#define LIMIT_SHOWN_NAME_BYTES 256u

/* Bytes of a map key in the path of a finding; a qualified name has at most 317. Shapes nest 12 deep, so no path is long. */
#define LIMIT_PATH_KEY_BYTES 320u

/* Bytes of an object's name in a response; a DNS subdomain has at most 253. */
#define LIMIT_NAME_BYTES 256u

/* Bytes of request.uid, which comes back whole; a real one has 36. */
#define LIMIT_UID_BYTES 256u

/* The message of a denial lists causes until it is this long. */
#define LIMIT_MESSAGE_BYTES 4096u

/* Documents of one file that `review` complains about one by one. */
#define LIMIT_REVIEW_ERRORS 100u

/* Warnings in one response: bytes each (Kubernetes asks for under 120) and in all (it cuts at 4,096). */
#define LIMIT_WARNING_BYTES 119u
#define LIMIT_WARNINGS_BYTES 4096u

/* Bytes of an audit annotation: every rule's id fits several times over in what etcd and audit logs take. */
#define LIMIT_ANNOTATION_BYTES 1024u

/* ---- a configuration of answers ---- */

/* Its text: as much as a ConfigMap holds. */
#define LIMIT_CONFIGURATION_BYTES (1u << 20)

/* Policies, and entries of their lists. A finding is held against all fields of the policies for its kind, at worst 128 * 64 texts that differ
 * in their first bytes, so 1,024 findings take under 50 ms with the longest configuration; without findings nothing is asked. */
#define LIMIT_POLICIES 128u
#define LIMIT_POLICY_ENTRIES 64u
#define LIMIT_POLICY_NAMESPACES 1024u

/* Mistakes in it that are told. */
#define LIMIT_CONFIGURATION_MISTAKES 8u
#define LIMIT_MISTAKE_BYTES 512u

/* Digits of a quantity, and its decimal exponent either way. Real values have under 20 digits; the API server's decoder
 * hangs on exponents in the billions. Comparing never expands an exponent, so this bounds nothing but nonsense. */
#define LIMIT_QUANTITY_BYTES 4096u
#define LIMIT_QUANTITY_EXPONENT 1000000

/* Bytes of a number token inside a value that may be anything; longer ones count as too large for a double. */
#define LIMIT_NUMBER_BYTES 4096u

/* PCRE2: steps, heap and backtracking depth of one match, and the stack that compiled patterns may use.
 * Its defaults would allow 10,000,000 steps and 20 GB. */
#define LIMIT_MATCH_STEPS 100000u
#define LIMIT_MATCH_HEAP_KIB 1024u
#define LIMIT_MATCH_DEPTH 1000u

/* ---- files ---- */

/* Directories inside each other. */
#define LIMIT_DIRECTORY_DEPTH 64u

/* Milliseconds that a named FIFO may have no writer, and that its writer may be silent. */
#define LIMIT_WRITER_MS 2000
#define LIMIT_SILENCE_MS 60000

/* Names of objects that are not there, of which each is told once; further ones are not told. Each is compared with those before it. */
#define LIMIT_MISSED 256u

/* Memory of the texts whose objects are judged together, with their trees; what comes on top is judged by itself. Indexes of these objects may
 * take twice as much and LIMIT_ARENA_BYTES more: at most as much for copies of trees, and less for keys and values. */
#define LIMIT_TOGETHER_BYTES (256u << 20)

/* Bytes of a key by which objects are found; names of drivers, pools and devices have at most 379 together. Longer ones are not valid, and
 * find nothing. */
#define LIMIT_KEY_BYTES 1024u

/* Bytes of a file's name in a report: Linux' PATH_MAX. */
#define LIMIT_FILE_NAME_BYTES 4096u

/* Bytes of a field's path, as `explain` compares it. */
#define LIMIT_EXPLAIN_PATH_BYTES 512u

/* ---- the server ---- */

/* Connections at a time. An idle TLS connection takes about 41 KiB, so 164 MiB; the API server keeps at most 25 idle ones.
 * Fewer when there are fewer file descriptors, but not fewer than the least, which is two API servers and their rivals. */
#define LIMIT_CONNECTIONS 4096u
#define LIMIT_CONNECTIONS_LEAST 64u
#define LIMIT_STATUS_CONNECTIONS 64u

/* Connections that wait at a socket to be taken, and that are still taken when it is closed. The system may allow fewer. */
#define LIMIT_BACKLOG 1024

/* Above this share of the connections, those at rest are ended after LIMIT_SHORT_IDLE_MS. */
#define LIMIT_CROWDED_PERCENT 75u

/* File descriptors beside connections: two for each of at most 16 threads and both servers, two for handshakes, listening sockets, standard
 * streams, and what the libraries open: under 50. */
#define LIMIT_THREADS 16u
#define LIMIT_OTHER_DESCRIPTORS 64u

/* Sets of counters: one for each thread that reads or judges, 2 * LIMIT_THREADS. About 9 KiB each, of which a thread uses a part. */
#define LIMIT_SHARDS (2 * LIMIT_THREADS)

/* Names of clients that --client-cn allows, each counted. */
#define LIMIT_CLIENT_NAMES 64u

/* The log: bytes of a line, which a pipe takes at once (Linux' PIPE_BUF); of a foreign text in it, each of which takes six at most when it
 * is escaped; of all lines that wait to be written, some 500; and milliseconds that they have at the end. */
#define LIMIT_LOG_LINE_BYTES 4096u
#define LIMIT_LOG_FIELD_BYTES 512u
#define LIMIT_LOG_BYTES (128u << 10)
#define LIMIT_LOG_END_MS 1000

/* Rules that one line of the log names, and bytes of a request's uid in it; a real one has 36. */
#define LIMIT_LOG_RULES 8u
#define LIMIT_LOG_UID_BYTES 64u

/* What the status page looks back on: minutes, with 3 KiB of counters each, and the slowest reviews of each, 24 bytes. */
#define LIMIT_HISTORY_MINUTES 60u
#define LIMIT_SLOW_REVIEWS 10u

/* Bodies in memory at a time, over all connections; more are told to come back (503). Large ones leave a quarter to those of
 * at most LIMIT_SMALL_BODY_BYTES, as nearly all reviews are. */
#define LIMIT_BODIES_BYTES (128u << 20)
#define LIMIT_LARGE_BODIES_BYTES (96u << 20)
#define LIMIT_SMALL_BODY_BYTES (256u << 10)

/* Room for a body at its first bytes; then for all that is announced, up to LIMIT_BODY_SECOND_BYTES, and four times as much whenever
 * it is full. Connections that send one byte each take 4,096 * 16 KiB = 64 MiB, which leaves room for others. */
#define LIMIT_BODY_FIRST_BYTES (16u << 10)
#define LIMIT_BODY_SECOND_BYTES (1u << 20)

/* A body up to this is judged by the thread that has read it, in some 100 us; handing it to another costs 12 us. */
#define LIMIT_INLINE_BYTES (32u << 10)

/* Larger ones than this may take every worker but one, as judging 8 MiB takes hundreds of milliseconds. */
#define LIMIT_HEAVY_BYTES (1u << 20)

/* Reviews that wait for a worker: 512 of 143 KB take the workers a quarter of a second. */
#define LIMIT_QUEUE 512u

/* Requests whose header is here and whose answer is not out; more are told to come back. Three quarters of the connections. */
#define LIMIT_REQUESTS 3072u

/* How much nicer (see nice(2)) workers are than the threads that read and answer. */
#define LIMIT_WORKER_NICE 5

/* What malloc keeps of freed memory at the end of each of its arenas (one for each thread that takes bodies, and one more), and from which size
 * memory has pages of its own. With its own 128 KiB for both, the pages of every large body are given back and fetched again,
 * which costs more than reading it. */
#define LIMIT_HEAP_SPARE_BYTES (4u << 20)
#define LIMIT_HEAP_BLOCK_BYTES (512u << 10)

/* Header and request line of one request; also MHD's buffer for each connection. */
#define LIMIT_HEADER_BYTES (32u << 10)

/* Milliseconds a client has in all, however busy it keeps the line: for connecting, TLS handshake and first request line; for the
 * rest of a header; for the rest of a request, body and response, unless it asks for less; between two requests. The API server closes its
 * idle connections after 90 s, and a request that meets our close is lost, so ours stay longer. */
#define LIMIT_CONNECT_MS 15000
#define LIMIT_HEADER_MS 10000
#define LIMIT_REQUEST_MS 30000
#define LIMIT_REQUEST_LEAST_MS 1000
#define LIMIT_GRACE_MS 1000 /* for the answer that it is too late */
#define LIMIT_IDLE_MS 120000

/* How late the end of such a time may be noticed: they are looked at as often. */
#define LIMIT_LATE_MS 250

/* The first while connections are scarce; the last after an answer other than 200, and while connections are scarce. */
#define LIMIT_CROWDED_CONNECT_MS 5000
#define LIMIT_SHORT_IDLE_MS 10000

/* Files that are watched, in milliseconds: how often they are looked at when nothing tells of a change; how long a look waits after a
 * change for those that belong to it; how long files that do not do may be half of a change (nobody takes longer to copy a key behind
 * its certificate), and how often they are tried meanwhile; how often they are tried after that. A look reads a few kilobytes. */
#define LIMIT_WATCH_POLL_MS 5000
#define LIMIT_WATCH_PAUSE_MS 200
#define LIMIT_WATCH_PATIENCE_MS 6000
#define LIMIT_WATCH_AGAIN_MS 500
#define LIMIT_WATCH_RETRY_MS 60000

/* Milliseconds that a certificate stays in memory after another took its place, for handshakes that have begun with it. They end after
 * LIMIT_CONNECT_MS at the latest, 15 s; the rest is for a thread that is busy elsewhere. As a look takes place at most every
 * LIMIT_WATCH_PAUSE_MS, this makes 300 old certificates of some 10 KiB at most. */
#define LIMIT_RETIRED_MS 60000

/* Certificates in the chain that the server shows; a real one has up to 4. Each goes over the line at every handshake. */
#define LIMIT_CHAIN 16u

/* Hours that a certificate lasts which the server issues for itself: short, as nobody can revoke it. */
#define LIMIT_CERT_HOURS 720u
#define LIMIT_CERT_HOURS_DEFAULT 24u

/* Seconds before its end that a certificate is warned of, at most: 30 days. */
#define LIMIT_EXPIRY_SECONDS (30 * 86400)

/* Bytes of one message of a handshake when clients are asked for certificates: a chain of five with RSA keys has under 8 KiB. */
#define LIMIT_CLIENT_CHAIN_BYTES (32u << 10)

/* Milliseconds after which the client of a connection is judged again, as its certificate may have ended: 0.2 ms of work a minute. */
#define LIMIT_CLIENT_KNOWN_MS 60000

/* The status port: one request, in all. Whoever takes all its connections holds up a probe for as long. */
#define LIMIT_STATUS_MS 1000

/* Milliseconds that requests under way have to end after SIGTERM and --shutdown-delay; with the default of one second this
 * stays below the 30 s after which a kubelet kills. */
#define LIMIT_DRAIN_MS 24000

/* How long the end of the server waits for a client that has begun something and sends nothing more. When connections were scarce, sending
 * means at least so many bytes in that time. */
#define LIMIT_DRAIN_SILENT_MS 3000
#define LIMIT_DRAIN_CROWDED_MS 300
#define LIMIT_DRAIN_LEAST_BYTES 1024u

#define LIMIT_SHUTDOWN_DELAY 60u /* seconds */

#endif
