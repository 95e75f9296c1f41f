/* The ceiling: a bare libmicrohttpd server with drawbridge's TLS settings that reads a body, throws it away and answers 300 fixed
 * bytes. One thread, epoll, no checks, no deadlines.
 * usage: echo CERTIFICATE KEY */
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>

#include "serve/limits.h"
#include "serve/priorities.h"

enum { ANSWER_BYTES = 300, FILE_BYTES = 64 << 10 };

static struct MHD_Response *response;

static enum MHD_Result answer(void *closure, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                              const char *data, size_t *data_size, void **state)
{
    static char seen;
    (void)closure, (void)url, (void)method, (void)version, (void)data;
    if (!*state) {
        *state = &seen;
        return MHD_YES;
    }
    if (*data_size) {
        *data_size = 0;
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_OK, response);
}

/* The whole file, ended by NUL. */
static char *read_file(const char *name)
{
    static char buffers[2][FILE_BYTES];
    static int used;
    char *buffer = buffers[used++];
    int file = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, buffer, FILE_BYTES - 1);
    if (size < 0) {
        perror(name);
        exit(2);
    }
    close(file);
    return buffer;
}

static struct MHD_Daemon *start(const char *certificate, const char *key)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_TLS, 0, NULL, NULL, answer, NULL,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_HTTPS_MEM_CERT, certificate,
        MHD_OPTION_HTTPS_MEM_KEY, key,
        MHD_OPTION_HTTPS_PRIORITIES, TLS_PRIORITIES,
        MHD_OPTION_CONNECTION_LIMIT, LIMIT_CONNECTIONS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LIMIT_HEADER_BYTES,
        MHD_OPTION_END);
}

int main(int argc, char **argv)
{
    static char text[ANSWER_BYTES];
    int signalled;
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    signal(SIGPIPE, SIG_IGN);
    if (argc != 3)
        return 2;
    memset(text, 'x', sizeof text);
    response = MHD_create_response_from_buffer(sizeof text, text, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
    struct MHD_Daemon *daemon = start(read_file(argv[1]), read_file(argv[2]));
    if (!daemon)
        return 3;
    printf("listening https=127.0.0.1:%u\n", (unsigned)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    sigwait(&ends, &signalled);
    MHD_stop_daemon(daemon);
    MHD_destroy_response(response);
    return 0;
}
