/* Bounds on what is made of devices. */
#ifndef DRAWBRIDGE_MATCH_LIMITS_H
#define DRAWBRIDGE_MATCH_LIMITS_H

/* Bytes of an attribute's name in a message; Kubernetes takes 96. */
#define LIMIT_MATCH_NAME_BYTES 128u

#endif
