#include "value/ip.h"

#include <arpa/inet.h>
#include <stdio.h>

enum { GROUPS = 8, IP_SLOPPY_BYTES = sizeof "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128" };

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

static const unsigned char mapped[12] = { [10] = 0xFF, [11] = 0xFF };

bool ip_read(struct bytes text, struct ip_address *address)
{
    return read_family(text, AF_INET, address) ||
           (ip_read_six(text, address) && memcmp(address->bytes, mapped, sizeof mapped) != 0);
}

/* Reads the length of a prefix, of at most three digits. */
static bool read_bits(struct bytes digits, unsigned max, unsigned *bits)
{
    if (!digits.length || digits.length > 3)
        return false;
    *bits = 0;
    for (uint32_t i = 0; i < digits.length; i++) {
        if (digits.data[i] < '0' || digits.data[i] > '9')
            return false;
        *bits = *bits * 10 + (unsigned)(digits.data[i] - '0');
    }
    return *bits <= max;
}

bool ip_read_network(struct bytes text, struct ip_address *address, unsigned *bits)
{
    const char *slash = text.length ? memrchr(text.data, '/', text.length) : NULL;
    if (!slash || !ip_read((struct bytes){ text.data, (uint32_t)(slash - text.data) }, address))
        return false;
    const struct bytes digits = { slash + 1, text.length - (uint32_t)(slash - text.data) - 1 };
    return !(digits.length > 1 && *digits.data == '0') && read_bits(digits, ip_bits(address), bits);
}

/* Copies an address or network without zeros at the beginning of numbers. False: it is too long for one. */
static bool strip_zeros(struct bytes text, char copy[IP_SLOPPY_BYTES], struct bytes *stripped)
{
    uint32_t length = 0;
    bool begins = true; /* a number */
    for (uint32_t i = 0; i < text.length; i++) {
        char c = text.data[i], next = i + 1 < text.length ? text.data[i + 1] : '/';
        bool mark = c == '.' || c == ':' || c == '/', next_mark = next == '.' || next == ':' || next == '/';
        if (begins && c == '0' && !next_mark)
            continue;
        if (length == IP_SLOPPY_BYTES)
            return false;
        copy[length++] = c;
        begins = mark;
    }
    *stripped = (struct bytes){ copy, length };
    return true;
}

bool ip_read_sloppy_network(struct bytes text, struct ip_address *address, unsigned *bits)
{
    char copy[IP_SLOPPY_BYTES];
    struct bytes whole;
    if (!strip_zeros(text, copy, &whole))
        return false;
    const char *slash = whole.length ? memchr(whole.data, '/', whole.length) : NULL;
    const struct bytes before = { whole.data, slash ? (uint32_t)(slash - whole.data) : 0 };
    if (!slash || !(read_family(before, AF_INET, address) || ip_read_six(before, address)))
        return false;
    unsigned max = ip_bits(address);
    if (address->six && memcmp(address->bytes, mapped, sizeof mapped) == 0) {
        address->six = false;
        memmove(address->bytes, address->bytes + sizeof mapped, 4);
    }
    return read_bits((struct bytes){ slash + 1, whole.length - before.length - 1 }, max, bits);
}

bool ip_is_sloppy_cidr(struct bytes text)
{
    struct ip_address address;
    unsigned bits;
    return ip_read_sloppy_network(text, &address, &bits);
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
