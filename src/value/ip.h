/* IP addresses as the API server writes them.
 * Source: k8s.io/apimachinery v0.35.4 pkg/util/validation/ip.go and Go's net.IP.String, probed. */
#ifndef DRAWBRIDGE_VALUE_IP_H
#define DRAWBRIDGE_VALUE_IP_H

#include <stdbool.h>

#include "base/bytes.h"

/* Whether `text` is the address of an interface in canonical form: an address, a slash and the length of its network's prefix.
 * IPv6 as RFC 5952 has it; bits behind the prefix may be set; an IPv4 address must not be written as IPv6. */
bool ip_is_interface_cidr(struct bytes text);

#endif
