/* IP addresses and networks, read and written as Go's net/netip does; IPv4 in IPv6 and zones are refused, as Kubernetes does.
 * Source: k8s.io/apimachinery v0.35.4 pkg/util/validation/ip.go, k8s.io/apiserver v0.35.4 pkg/cel/library/ip.go; tested against both. */
#ifndef DRAWBRIDGE_VALUE_IP_H
#define DRAWBRIDGE_VALUE_IP_H

#include <stdbool.h>

#include "base/bytes.h"

struct ip_address {
    bool six;                /* IPv6; else IPv4 */
    unsigned char bytes[16]; /* of IPv4 the first four */
};

/* Reads an address. False: it is none. */
bool ip_read(struct bytes text, struct ip_address *address);

/* Reads an address of IPv6, in which there may be one of IPv4. */
bool ip_read_six(struct bytes text, struct ip_address *address);

/* Reads an address, a slash and the length of a prefix in bits; bits after the prefix may be set. False: it is none. */
bool ip_read_network(struct bytes text, struct ip_address *address, unsigned *bits);

enum { IP_TEXT_BYTES = sizeof "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" };

/* Writes the canonical form, of IPv6 that of RFC 5952. */
void ip_write(const struct ip_address *address, char text[IP_TEXT_BYTES]);

static inline unsigned ip_bits(const struct ip_address *address)
{
    return address->six ? 128 : 32;
}

/* Whether the first bits of two addresses of one family are the same. */
bool ip_same_prefix(const struct ip_address *a, const struct ip_address *b, unsigned bits);

/* Reads a network as API servers did up to 1.32: numbers may begin with zeros, and an address of IPv4 in one of IPv6 is that address, whose
 * prefix may have as many bits as one of IPv6. Source: k8s.io/utils net.ParseCIDRSloppy. */
bool ip_read_sloppy_network(struct bytes text, struct ip_address *address, unsigned *bits);
bool ip_is_sloppy_cidr(struct bytes text);

/* Whether `text` is an interface address in canonical form: an address, a slash and the prefix length of its network. */
bool ip_is_interface_cidr(struct bytes text);

#endif
