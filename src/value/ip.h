/* IP addresses as the API server writes them.
 * Source: k8s.io/apimachinery v0.35.4 pkg/util/validation/ip.go and Go's net.IP.String; tested against both. */
#ifndef DRAWBRIDGE_VALUE_IP_H
#define DRAWBRIDGE_VALUE_IP_H

#include <stdbool.h>

#include "base/bytes.h"

/* Whether `text` is an interface address in canonical form: an address, a slash and the prefix length of its network. IPv6 is written as
 * RFC 5952 has it, and IPv4 not as IPv6; bits after the prefix may be set. */
bool ip_is_interface_cidr(struct bytes text);

#endif
