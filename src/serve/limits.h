/* Bounds on the server: what clients can make it do and keep. Times are in milliseconds unless a comment says otherwise. */
#ifndef DRAWBRIDGE_SERVE_LIMITS_H
#define DRAWBRIDGE_SERVE_LIMITS_H

/* ---- connections ---- */

/* Connections at a time. An idle TLS connection takes about 41 KiB, so 164 MiB; an API server keeps at most 25 idle ones. With few file
 * descriptors there may be fewer connections, but not fewer than the minimum, which is enough for two API servers and other clients. */
#define LIMIT_CONNECTIONS 4096u
#define LIMIT_CONNECTIONS_MIN 64u

/* Connections whose client has not sent a ClientHello yet, beyond which the oldest one is ended: as for the status port below. With few
 * file descriptors there may be fewer, but not fewer than the minimum. */
#define LIMIT_HELLO_WAITING 2048u
#define LIMIT_HELLO_WAITING_MIN 32u

/* When all connections are taken and another client has sent its ClientHello: for how long a client may have been sending a request
 * before its connection counts as one that can be ended; which part of the connections is ended at a time if they have never
 * asked anything (48 of 4,096); the time between two looks whether one is closed, and after how many looks further ones are ended. */
#define LIMIT_ROOM_REQUEST_MS 1000
#define LIMIT_ROOM_SHARE 64u
#define LIMIT_ROOM_PAUSE_MS 1
#define LIMIT_ROOM_PAUSES 20u

/* A connection's requests, and its milliseconds, after which the next answer ends it; for each connection up to a quarter less, by
 * chance. An API server then connects anew, perhaps with a replica that was not there before. A handshake takes as long as some 16 small
 * reviews. */
#define LIMIT_CONNECTION_REQUESTS 16384u
#define LIMIT_CONNECTION_MS 300000u

/* Connections to the status port that are answered, by one thread one after the other, before others are accepted; and connections whose
 * client has not sent a header yet, beyond which the oldest one is ended. If somebody opens 20,000 a second, each still has 100 ms to
 * send a header; probes take 1 ms. With few file descriptors there may be fewer, but not fewer than the minimum. What these clients have
 * sent takes at most 32 KiB of the kernel's memory each, 64 MiB. */
#define LIMIT_STATUS_CONNECTIONS 32u
#define LIMIT_STATUS_WAITING 2048u
#define LIMIT_STATUS_WAITING_MIN 32u

/* Connections that wait in a socket's queue to be accepted, and that are still accepted when the socket is closed. The system may allow
 * fewer; Linux allows as many by default. When the queue is full, further clients get no answer and try again after a second, which is
 * too late for a probe. */
#define LIMIT_BACKLOG 4096

/* When no connection can be taken, as there are enough or no file descriptor is left: the time before another try. */
#define LIMIT_ACCEPT_PAUSE_MS 50

/* Events of sockets that are taken from the system at a time; further ones come with the next call. 3 KiB of stack. */
#define LIMIT_EVENTS 256

/* Above this share of the connections, idle ones are ended after LIMIT_SHORT_IDLE_MS. */
#define LIMIT_CROWDED_PERCENT 75u

/* Threads of a pool; there are two pools: threads that read and answer, and workers that validate. */
#define LIMIT_THREADS 16u

/* File descriptors other than those of connections: two for each of at most 16 threads of the library and one for the status port's; one
 * for each of our threads, and another for handshakes, files and the filter; listening sockets, standard streams, and what the libraries
 * open. 23 with two threads, 51 with 16. */
#define LIMIT_OTHER_DESCRIPTORS 64u

/* Bytes of what libmicrohttpd says when it does not start. */
#define LIMIT_LIBRARY_ERROR_BYTES 256

/* ---- requests ---- */

/* Request line and header of one request; also the library's buffer for each connection. */
#define LIMIT_HEADER_BYTES (32u << 10)

/* The same on the status port: kubelets and Prometheus send under 1 KiB, browsers 4 KiB. */
#define LIMIT_STATUS_HEADER_BYTES (8u << 10)

/* A response on the status port: all counters with all their labels take 115 KiB. */
#define LIMIT_STATUS_ANSWER_BYTES (128u << 10)

/* Requests whose header has been read and whose response has not been sent; further ones get 503. Three quarters of the connections. */
#define LIMIT_REQUESTS 3072u

/* ---- bodies and workers ---- */

/* Bodies in memory at a time, over all connections; further requests get 503. Large bodies leave a quarter for those of at most
 * LIMIT_SMALL_BODY_BYTES, which nearly all reviews have. There is room for four of the largest.
 *
 * The memory of a server, in MiB: bodies 128; LIMIT_HEAVY_WORKERS reviews with an arena and scratch memory each, 3 * (160 + 64) = 672;
 * 13 other workers with up to 256 KiB, of which validation makes 64 times as much at worst (lists of nulls), 208; 16 threads that validate
 * up to 32 KiB themselves, 32; 4,096 connections of 64 KiB, 256; the status port 64; the program 16. Together 1,376; the manifests allow
 * 1,536. */
#define LIMIT_BODIES_BYTES (128u << 20)
#define LIMIT_LARGE_BODIES_BYTES (96u << 20)
#define LIMIT_SMALL_BODY_BYTES (256u << 10)

/* A body's buffer: this much for its first bytes; then as much as Content-Length says, up to LIMIT_BODY_SECOND_BYTES; then four times as
 * much whenever it is full. Connections that send one byte each take 4,096 * 16 KiB = 64 MiB, which leaves room for others. */
#define LIMIT_BODY_FIRST_BYTES (16u << 10)
#define LIMIT_BODY_SECOND_BYTES (1u << 20)

/* A body up to this is validated by the thread that has read it, in some 100 us; passing it to a worker costs 12 us. */
#define LIMIT_INLINE_BYTES (32u << 10)

/* Larger bodies than this are heavy: validation of 20 MiB can take a second, and all the memory that a review may have. So only this many
 * are validated at a time, and one worker is always left for other bodies. */
#define LIMIT_HEAVY_BYTES LIMIT_SMALL_BODY_BYTES
#define LIMIT_HEAVY_WORKERS 3u

/* Reviews that wait for a worker; further ones get 503. 512 of 143 KB take the workers a quarter of a second. */
#define LIMIT_QUEUE 512u

/* The nice value of workers (see nice(2)): threads that read and answer go first. */
#define LIMIT_WORKER_NICE 5

/* Freed memory that malloc keeps at the end of each of its arenas (one for each thread that reads bodies, and one more), and the size
 * from which an allocation has pages of its own. With malloc's default of 128 KiB for both, the pages of every large body would be
 * returned to the system and faulted in again, which costs more than reading the body. */
#define LIMIT_HEAP_SPARE_BYTES (4u << 20)
#define LIMIT_HEAP_BLOCK_BYTES (512u << 10)

/* ---- times of a connection ---- */

/* The time that a client has in all, whatever it sends: to connect, finish the TLS handshake and send a request line; to send the rest of
 * the header; to send the body and get the response, unless it asks for less, which may be as little as the minimum; and between two
 * requests. An API server closes idle connections after 90 s, and would lose a request that it sends while the server closes: so the
 * server waits longer. */
#define LIMIT_CONNECT_MS 15000
#define LIMIT_HEADER_MS 10000
#define LIMIT_REQUEST_MS 30000
#define LIMIT_REQUEST_MIN_MS 1000
#define LIMIT_GRACE_MS 1000 /* to send the response that the time is over */
#define LIMIT_IDLE_MS 120000

/* How often these times are checked, and so how late the end of one may be noticed. */
#define LIMIT_LATE_MS 250

/* In place of LIMIT_CONNECT_MS while connections are scarce. */
#define LIMIT_CROWDED_CONNECT_MS 5000

/* In place of LIMIT_IDLE_MS while connections are scarce, and after a response other than 200. */
#define LIMIT_SHORT_IDLE_MS 10000

/* On the status port: to send a header, and again to get the response. */
#define LIMIT_STATUS_MS 1000

/* The end of the server: the time that requests have to end after SIGTERM and --shutdown-delay. With the default delay of one second this
 * is below the 30 s after which a kubelet kills. */
#define LIMIT_DRAIN_MS 24000

/* For how long the end of the server waits for a client that has begun a request and sends nothing more. If connections were scarce, it
 * waits for the second time, and only for clients that send at least so many bytes in it. */
#define LIMIT_DRAIN_SILENT_MS 3000
#define LIMIT_DRAIN_CROWDED_MS 300
#define LIMIT_DRAIN_MIN_BYTES 1024u

/* How often the end of the server asks whether it can go on. */
#define LIMIT_DRAIN_PAUSE_MS 20

/* ---- watched files and certificates ---- */

/* What is watched: the certificate, the CA of clients and the configuration, and room for as many again; the files of one of them: an
 * issuer has four; and the bytes of a message: those of a struct error, twice. */
#define LIMIT_WATCH_SOURCES 8
#define LIMIT_WATCH_FILES 4
#define LIMIT_WATCH_TEXT_BYTES 1536

/* How often files are checked when inotify reports no change; how long a check waits after a change, for the other files that belong to
 * it. */
#define LIMIT_WATCH_POLL_MS 5000
#define LIMIT_WATCH_PAUSE_MS 200

/* Files that cannot be used may be half of a change: for how long (a key is copied after its certificate within seconds), how often
 * they are tried in that time, and how often after it. A check reads a few kilobytes. */
#define LIMIT_WATCH_PATIENCE_MS 6000
#define LIMIT_WATCH_AGAIN_MS 500
#define LIMIT_WATCH_RETRY_MS 60000

/* For how long a replaced certificate stays in memory, for handshakes that have begun with it. These end after LIMIT_CONNECT_MS, 15 s;
 * the rest is for a thread that is busy. As files are checked at most every LIMIT_WATCH_PAUSE_MS, there are at most 300 old certificates
 * of some 10 KiB. */
#define LIMIT_RETIRED_MS 60000

/* Certificates in the server's chain; a real one has up to 4. They are sent in every handshake. */
#define LIMIT_CHAIN 16u

/* Bytes of one handshake message when clients are asked for certificates: a chain of five with RSA keys has under 8 KiB. */
#define LIMIT_CLIENT_CHAIN_BYTES (32u << 10)

/* After this time the client certificate of a connection is verified again, as it may have expired: 0.2 ms of work a minute. */
#define LIMIT_CLIENT_KNOWN_MS 60000

#endif
