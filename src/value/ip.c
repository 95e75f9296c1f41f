#include "value/ip.h"

#include <arpa/inet.h>
#include <stdio.h>

enum { GROUPS = 8 };

static unsigned group(const struct ip_address *address, int i)
{
    return (unsigned)address->bytes[2 * i] << 8 | address->bytes[2 * i + 1];
}

/* Finds the groups that `::` replaces: the longest run of at least two zeros, the first of equally long ones. *end is 0 when there is
 * none. */
static void find_zeros(const struct ip_address *address, int *start, int *end)
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
static void write_ipv6(const struct ip_address *address, char text[IP_TEXT_BYTES])
{
    int start, end, length = 0;
    find_zeros(address, &start, &end);
    for (int i = 0; i < GROUPS; i++) {
        if (end && i == start) {
            length += snprintf(text + length, (size_t)(IP_TEXT_BYTES - length), "::");
            i = end - 1;
        } else {
            const char *colon = i == 0 || (end && i == end) ? "" : ":";
            length += snprintf(text + length, (size_t)(IP_TEXT_BYTES - length), "%s%x", colon, group(address, i));
        }
    }
}

void ip_write(const struct ip_address *address, char text[IP_TEXT_BYTES])
{
    const unsigned char *bytes = address->bytes;
    if (address->six)
        write_ipv6(address, text);
    else
        snprintf(text, IP_TEXT_BYTES, "%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
}

static bool read_family(struct bytes text, int family, struct ip_address *address)
{
    char copy[INET6_ADDRSTRLEN] = "";
    *address = (struct ip_address){ .six = family == AF_INET6 };
    if (text.length == 0 || text.length >= sizeof copy || memchr(text.data, '\0', text.length))
        return false;
    memcpy(copy, text.data, text.length);
    return inet_pton(family, copy, address->bytes) == 1;
}

bool ip_read_six(struct bytes text, struct ip_address *address)
{
    return read_family(text, AF_INET6, address);
}

bool ip_read(struct bytes text, struct ip_address *address)
{
    static const unsigned char mapped[12] = { [10] = 0xFF, [11] = 0xFF };
    return read_family(text, AF_INET, address) ||
           (ip_read_six(text, address) && memcmp(address->bytes, mapped, sizeof mapped) != 0);
}

bool ip_read_network(struct bytes text, struct ip_address *address, unsigned *bits)
{
    const char *slash = text.length ? memrchr(text.data, '/', text.length) : NULL;
    if (!slash || !ip_read((struct bytes){ text.data, (uint32_t)(slash - text.data) }, address))
        return false;
    const char *digits = slash + 1, *end = text.data + text.length;
    if (digits == end || end - digits > 3 || (*digits == '0' && end - digits > 1))
        return false;
    *bits = 0;
    for (const char *digit = digits; digit < end; digit++) {
        if (*digit < '0' || *digit > '9')
            return false;
        *bits = *bits * 10 + (unsigned)(*digit - '0');
    }
    return *bits <= ip_bits(address);
}

bool ip_same_prefix(const struct ip_address *a, const struct ip_address *b, unsigned bits)
{
    unsigned whole = bits / 8, rest = bits % 8;
    if (a->six != b->six || memcmp(a->bytes, b->bytes, whole) != 0)
        return false;
    return rest == 0 || (a->bytes[whole] ^ b->bytes[whole]) >> (8 - rest) == 0;
}

bool ip_is_interface_cidr(struct bytes text)
{
    struct ip_address address;
    unsigned bits;
    char canonical[IP_TEXT_BYTES];
    if (!ip_read_network(text, &address, &bits))
        return false;
    ip_write(&address, canonical);
    size_t length = strlen(canonical);
    return text.length > length && memcmp(text.data, canonical, length) == 0 && text.data[length] == '/';
}
