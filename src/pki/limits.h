/* Bounds on certificates. */
#ifndef DRAWBRIDGE_PKI_LIMITS_H
#define DRAWBRIDGE_PKI_LIMITS_H

/* Bytes of a subject or alternative name that is shown; a DNS name has at most 253. */
#define LIMIT_ESCAPED_NAME_BYTES 256u

#endif
