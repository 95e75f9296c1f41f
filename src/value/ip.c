#include "value/ip.h"

#include <arpa/inet.h>
#include <stdio.h>

enum { GROUPS = 8, CIDR_BYTES = sizeof "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128" };

static unsigned group(const struct in6_addr *address, int i)
{
    return (unsigned)address->s6_addr[2 * i] << 8 | address->s6_addr[2 * i + 1];
}

/* Finds the groups that `::` replaces: the longest run of at least two zeros, the first of equally long ones. *end is 0 when there is
 * none. */
static void find_zeros(const struct in6_addr *address, int *start, int *end)
{
    *start = *end = 0;
    for (int i = 0; i < GROUPS; i++) {
        int j = i;
        while (j < GROUPS && group(address, j) == 0)
            j++;
        if (j - i >= 2 && j - i > *end - *start) {
            *start = i;
            *end = j;
        }
        i = j > i ? j - 1 : i;
    }
}

/* Not inet_ntop, because it writes ::1:2 as ::0.1.0.2, which Go does not. */
static void write_ipv6(const struct in6_addr *address, char text[CIDR_BYTES])
{
    int start, end, length = 0;
    find_zeros(address, &start, &end);
    for (int i = 0; i < GROUPS; i++) {
        if (end && i == start) {
            length += snprintf(text + length, (size_t)(CIDR_BYTES - length), "::");
            i = end - 1;
        } else {
            const char *colon = i == 0 || (end && i == end) ? "" : ":";
            length += snprintf(text + length, (size_t)(CIDR_BYTES - length), "%s%x", colon, group(address, i));
        }
    }
}

/* Writes the canonical form of the address `text`. Returns the maximum length of its prefix in bits, or -1 if it is not an address. */
static int write_address(const char *text, char canonical[CIDR_BYTES])
{
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, text, &v4) == 1)
        return inet_ntop(AF_INET, &v4, canonical, CIDR_BYTES) ? 32 : -1;
    if (inet_pton(AF_INET6, text, &v6) != 1 || IN6_IS_ADDR_V4MAPPED(&v6))
        return -1;
    write_ipv6(&v6, canonical);
    return 128;
}

bool ip_is_interface_cidr(struct bytes text)
{
    char given[CIDR_BYTES] = "", canonical[CIDR_BYTES + sizeof "/128"];
    if (text.length == 0 || text.length >= CIDR_BYTES)
        return false;
    memcpy(given, text.data, text.length);
    char *slash = strchr(given, '/');
    if (!slash)
        return false;
    *slash = '\0';
    int bits = 0, max = write_address(given, canonical);
    for (const char *digit = slash + 1; *digit >= '0' && *digit <= '9' && bits <= max; digit++)
        bits = bits * 10 + (*digit - '0');
    if (bits > max)
        return false;
    size_t length = strlen(canonical);
    snprintf(canonical + length, sizeof canonical - length, "/%d", bits);
    return bytes_equal_text(text, canonical); /* also refuses a sign, leading zeros, a NUL, and text after the prefix length */
}
