/* Bounds on what the library makes of expressions, devices and claims. */
#ifndef DRAWBRIDGE_LIBRARY_LIMITS_H
#define DRAWBRIDGE_LIBRARY_LIMITS_H

/* Devices with their values, of some 3 KB each: as much as `drawbridge match` takes for its objects. */
#define LIMIT_LIBRARY_DEVICES (1u << 30)

/* A value in JSON, and lists and maps inside each other: an expression can have the same list in a list many times. The arena has room for
 * the text, which grows by doubling. */
#define LIMIT_LIBRARY_VALUE_BYTES (8u << 20)
#define LIMIT_LIBRARY_VALUE_ARENA (4 * LIMIT_LIBRARY_VALUE_BYTES)
#define LIMIT_LIBRARY_VALUE_DEPTH 64u

/* What is said of claims: some 200 bytes for each request and device, of which the words are most. */
#define LIMIT_LIBRARY_MATCH (1u << 30)

/* What is said of pods and claims: some 400 bytes for each node and device, and the same in JSON. */
#define LIMIT_LIBRARY_ALLOCATION (1u << 30)

/* Names of nodes or pods that an option lists. Each is compared with all pods and claims, once. */
#define LIMIT_LIBRARY_NAMES 1000u

#endif
