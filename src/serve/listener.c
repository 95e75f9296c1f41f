#include "serve/listener.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 1024 };

/* Splits HOST:PORT at its last colon; brackets around an IPv6 address go. */
static bool split(const char *address, char *host, size_t host_room, const char **port)
{
    const char *colon = strrchr(address, ':');
    size_t length = colon ? (size_t)(colon - address) : 0;
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    if (digits == 0 || digits > 5 || colon[1 + digits] || atoi(colon + 1) > 65535)
        return false;
    if (length >= 2 && address[0] == '[' && address[length - 1] == ']') {
        address++;
        length -= 2;
    } else if (memchr(address, ':', length)) {
        return false;
    }
    if (length >= host_room)
        return false;
    memcpy(host, address, length);
    host[length] = '\0';
    *port = colon + 1;
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
    if (bind(fd, where->ai_addr, where->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    *error = errno;
    close(fd);
    return -1;
}

bool listener_open(const char *address, int *socket, char *error, size_t room)
{
    struct addrinfo hints = { .ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM }, *found = NULL;
    char host[256];
    const char *port;
    int failed = 0, fd = -1;
    if (!split(address, host, sizeof host, &port)) {
        snprintf(error, room, "'%s' is no HOST:PORT", address);
        return false;
    }
    int unresolved = getaddrinfo(*host ? host : NULL, port, &hints, &found);
    if (unresolved) {
        snprintf(error, room, "cannot listen on %s: %s", address, gai_strerror(unresolved));
        return false;
    }
    for (int ipv6 = 1; ipv6 >= 0; ipv6--)
        for (const struct addrinfo *where = found; where && fd < 0; where = where->ai_next)
            if ((where->ai_family == AF_INET6) == ipv6)
                fd = listen_at(where, &failed);
    freeaddrinfo(found);
    if (fd < 0) {
        snprintf(error, room, "cannot listen on %s: %s", address, strerror(failed));
        return false;
    }
    *socket = fd;
    return true;
}

void listener_address(int socket, char *address, size_t room)
{
    struct sockaddr_storage name;
    socklen_t length = sizeof name;
    char host[128] = "?", port[16] = "?";
    if (getsockname(socket, (struct sockaddr *)&name, &length) == 0)
        getnameinfo((struct sockaddr *)&name, length, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(address, room, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}
