/* libFuzzer target: what a client sends to the webhook inside TLS, request lines, headers and bodies, with the server's own callbacks, but in
 * one thread, over a pair of sockets. Whatever comes: answers are whole, and nothing is left of the requests. The first byte says in how many
 * pieces the rest is sent. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/settings.h"
#include "serve/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ANSWER_BYTES = 1 << 20, TURNS = 1000 };

static struct server server;
static struct settings_holder settings;
static char answer[ANSWER_BYTES];

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void no_gauges(void *closure, struct gauges *gauges)
{
    (void)closure;
    *gauges = (struct gauges){ .draining = false };
}

static void ignore_message(void *closure, const char *format, va_list arguments)
{
    (void)closure;
    (void)format;
    (void)arguments;
}

static void start(void)
{
    static struct configuration_mistakes mistakes;
    const struct review_overrides none = { .version = 0 };
    const struct observer_config observer = { .gauges = no_gauges, .program_version = "0", .http_library = "", .tls_library = "",
                                              .log_descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC) };
    require(settings_init(&settings, &none, (struct bytes){ NULL, 0 }, &mistakes) == FAILURE_NONE);
    server.config = (struct server_config){ .settings = &settings, .max_body = LIMIT_BODY_BYTES, .threads = 1 };
    require(observer_start(&server.observer, &observer) == 0 && workspace_pool_init(&server.workspaces, 2) == FAILURE_NONE);
    require(deadlines_start(&server.deadlines, LIMIT_CONNECTIONS) == 0);
    server.https = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, request_handle, &server,
        MHD_OPTION_EXTERNAL_LOGGER, ignore_message, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, connection_watch_https, &server, MHD_OPTION_URI_LOG_CALLBACK, request_begin, &server,
        MHD_OPTION_NOTIFY_COMPLETED, request_completed, &server, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LIMIT_HEADER_BYTES,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    require(server.https != NULL);
}

/* The server works; what it has sent is kept as far as there is room. False: it has closed the connection. */
static bool turn(int client, size_t *length)
{
    require(MHD_run(server.https) == MHD_YES);
    ssize_t got = recv(client, answer + *length, sizeof answer - *length, MSG_DONTWAIT);
    *length += got > 0 ? (size_t)got : 0;
    return got != 0;
}

/* An answer has a status of ours or the library's, and its whole body; "go on" has none. Returns what follows it. */
static const char *check_answer(const char *text, const char *end)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    unsigned status = 0;
    if (strncmp(text, go_on, strlen(go_on)) == 0)
        return text + strlen(go_on);
    const char *body = strstr(text, "\r\n\r\n"), *length = strcasestr(text, "\r\nContent-Length: ");
    require(sscanf(text, "HTTP/1.%*1[01] %3u ", &status) == 1 && status >= 200 && status <= 505 && body && length && length < body);
    body += strlen("\r\n\r\n");
    if (strncmp(body, text, (size_t)(body - text)) == 0)
        return body; /* libmicrohttpd 0.9.75 writes the header of an answer of its own twice */
    unsigned long bytes = strtoul(length + strlen("\r\nContent-Length: "), NULL, 10);
    require(bytes <= (size_t)(end - body));
    require(status != MHD_HTTP_OK || memmem(body, bytes, "\"allowed\":", strlen("\"allowed\":")) != NULL);
    return body + bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int sockets[2];
    size_t length = 0;
    const struct sockaddr address = { .sa_family = AF_UNIX };
    if (!server.https)
        start();
    if (!size)
        return 0;
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sockets) == 0);
    atomic_fetch_add(&server.acceptor.held, 1);
    require(MHD_add_connection(server.https, sockets[0], &address, sizeof address) == MHD_YES);
    size_t pieces = 1 + data[0] % 8, piece = (size - 1) / pieces + 1;
    bool open = true;
    for (size_t at = 1; at < size && open; at += piece) {
        (void)!send(sockets[1], data + at, size - at < piece ? size - at : piece, MSG_NOSIGNAL);
        open = turn(sockets[1], &length);
    }
    shutdown(sockets[1], SHUT_WR);
    for (unsigned i = 0; i < TURNS && open && length < sizeof answer - 1; i++)
        open = turn(sockets[1], &length);
    bool whole = length < sizeof answer - 1;
    answer[length] = '\0';
    for (const char *text = answer; whole && text < answer + length;)
        text = check_answer(text, answer + length);
    close(sockets[1]);
    for (unsigned i = 0; i < TURNS && atomic_load(&server.deadlines.open[PORT_HTTPS]); i++)
        require(MHD_run(server.https) == MHD_YES);
    require(!atomic_load(&server.deadlines.open[PORT_HTTPS]) && !atomic_load(&server.observer.metrics.requests) &&
            !atomic_load(&server.observer.metrics.body_bytes));
    return 0;
}
