/* Bounds on what is made of devices, and on matching claims with them. */
#ifndef DRAWBRIDGE_MATCH_LIMITS_H
#define DRAWBRIDGE_MATCH_LIMITS_H

/* Bytes of an attribute's name in a message; Kubernetes takes 96. */
#define LIMIT_MATCH_NAME_BYTES 128u

/* What is known of the objects that are given: slices, pools, devices of some 100 bytes each, and copies of what is in an older API
 * version. 5,000 nodes with 8 devices each take 10 MB. */
#define LIMIT_MATCH_BYTES (1u << 30)

/* Values of devices that are kept from one request to the next; of further ones, each is made again. 128 devices take about 400 KB. */
#define LIMIT_MATCH_VALUES (256u << 20)

/* What becomes of the devices for the requests of one claim: 16 bytes for each device and request. */
#define LIMIT_MATCH_REPORT (512u << 20)

/* A selector, compiled; and all that differ, with their programs. */
#define LIMIT_MATCH_EXPRESSION (32u << 20)
#define LIMIT_MATCH_EXPRESSIONS 4096u

/* Work on one set of objects: the cost of all evaluations, and comparisons of taints, capacities and labels. A claim with three selectors
 * and 40,000 devices takes about a million; what takes more than this has an expression that was written to be slow. */
#define LIMIT_MATCH_WORK 1000000000u

/* The same for the rows that ask about a set of objects: a third of a GiB of memory in all, and the work of some 80 claims for 40,000
 * devices, 4 seconds. What takes more is not said. */
#define LIMIT_MATCH_SET_BYTES (256u << 20)
#define LIMIT_MATCH_SET_VALUES (32u << 20)
#define LIMIT_MATCH_SET_REPORT (32u << 20)
#define LIMIT_MATCH_SET_WORK 40000000u

/* Reasons that are counted in one message; different parts that decide, of which the commonest is said; and devices for which it decides
 * that are looked at for the commonest value. */
#define LIMIT_MATCH_SUMS 4u
#define LIMIT_MATCH_TALLIES 16u
#define LIMIT_MATCH_SAMPLES 32u

/* Devices that one claim can have, as in Kubernetes. */
#define LIMIT_MATCH_DEVICES 32u

/* Requests of one claim, those to choose from in one of them, selectors of a request or class: as many as the API server takes. */
#define LIMIT_MATCH_REQUESTS 32u
#define LIMIT_MATCH_CHOICES 8u
#define LIMIT_MATCH_SELECTORS 32u

/* Different reasons in a report; devices with another one are counted together. */
#define LIMIT_MATCH_GROUPS 64u

/* Classes that a name without a class is compared with. */
#define LIMIT_MATCH_NEAR 256u

/* Alternatives of an expression whose values are said, and bytes of a value or of a part of an expression in an explanation. */
#define LIMIT_MATCH_ALTERNATIVES 4u
#define LIMIT_MATCH_VALUE_BYTES 200u
#define LIMIT_MATCH_PART_BYTES 400u

#endif
