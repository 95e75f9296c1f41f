#include "serve/listener.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/escape.h"
#include "serve/limits.h"

/* Splits at the last colon; brackets around an IPv6 address go. */
bool listener_parse(const char *text, struct listener_address *address)
{
    const char *colon = strrchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : 0;
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    if (digits == 0 || digits >= sizeof address->port || colon[1 + digits] || strtol(colon + 1, NULL, 10) > 65535)
        return false;
    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
        text++;
        length -= 2;
    } else if (memchr(text, ':', length)) {
        return false;
    }
    if (length >= sizeof address->host)
        return false;
    memcpy(address->host, text, length);
    address->host[length] = '\0';
    memcpy(address->port, colon + 1, digits + 1);
    return true;
}

static int listen_at(const struct addrinfo *where, int *error)
{
    int one = 1, zero = 0, fd = socket(where->ai_family, where->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, where->ai_protocol);
    if (fd < 0) {
        *error = errno;
        return -1;
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (where->ai_family == AF_INET6) /* every address means those of IPv4, too */
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero);
    if (bind(fd, where->ai_addr, where->ai_addrlen) == 0 && listen(fd, LIMIT_BACKLOG) == 0)
        return fd;
    *error = errno;
    close(fd);
    return -1;
}

static bool fail(const struct listener_address *address, const char *reason, struct error *error)
{
    const char *host = *address->host ? address->host : "every address";
    return error_set(error, FAILURE_INPUT, "cannot listen on port %s of %s: %s", address->port, escape_text(host).text, reason);
}

bool listener_open(const struct listener_address *address, int *socket, struct error *error)
{
    struct addrinfo hints = { .ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM }, *found = NULL;
    int failed = 0, fd = -1;
    int unresolved = getaddrinfo(*address->host ? address->host : NULL, address->port, &hints, &found);
    if (unresolved)
        return fail(address, gai_strerror(unresolved), error);
    for (int ipv6 = 1; ipv6 >= 0; ipv6--)
        for (const struct addrinfo *where = found; where && fd < 0; where = where->ai_next)
            if ((where->ai_family == AF_INET6) == ipv6)
                fd = listen_at(where, &failed);
    freeaddrinfo(found);
    if (fd < 0)
        return fail(address, strerror(failed), error);
    *socket = fd;
    return true;
}

void listener_name(int socket, char text[LISTENER_NAME])
{
    struct sockaddr_storage name;
    socklen_t length = sizeof name;
    char host[128] = "?", port[16] = "?";
    if (getsockname(socket, (struct sockaddr *)&name, &length) == 0)
        getnameinfo((struct sockaddr *)&name, length, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(text, LISTENER_NAME, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}
