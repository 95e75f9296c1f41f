/* Bounds on what the allocator does. */
#ifndef DRAWBRIDGE_ALLOCATE_LIMITS_H
#define DRAWBRIDGE_ALLOCATE_LIMITS_H

/* Devices that one claim can have, as in Kubernetes (resourceapi.AllocationResultsMaxSize). */
#define LIMIT_ALLOCATE_RESULTS 32u

/* Claims that are allocated together, one bit of a word each. Pods have fewer than ten. */
#define LIMIT_ALLOCATE_CLAIMS 64u

/* Claims of a pod, beside the special one for extended resources. */
#define LIMIT_ALLOCATE_POD_CLAIMS (LIMIT_ALLOCATE_CLAIMS - 1u)

/* Work of one attempt: steps of the search, and devices that it looks at, with what is compared for each. A scheduler of Kubernetes 1.36
 * makes some 300,000 steps a second and gives up after 10 seconds; this is more than it can do in that time, and takes less. */
#ifndef LIMIT_ALLOCATE_STEPS /* a fuzzer takes less: see the Makefile */
#define LIMIT_ALLOCATE_STEPS 4000000u
#define LIMIT_ALLOCATE_LOOKS 1000000000u
#endif

/* The same of all attempts on all nodes: each has at most a fifth of what is left, but always as much as the last two. Devices
 * may interlock on every node: on 5,000 such nodes the searches take a minute or two, those of a scheduler half a day. */
#define LIMIT_ALLOCATE_ALL_STEPS (5u * LIMIT_ALLOCATE_STEPS)
#define LIMIT_ALLOCATE_ALL_LOOKS (5ull * LIMIT_ALLOCATE_LOOKS)
#define LIMIT_ALLOCATE_LEAST_STEPS 10000u
#define LIMIT_ALLOCATE_LEAST_LOOKS 2000000u

/* Looks of an attempt that only finds out what keeps devices from being together; there is one for each constraint. */
#define LIMIT_ALLOCATE_LIFTED_LOOKS 50000000u

/* Memory for what is known of all objects: slices and devices of some 300 bytes each, and what selectors say of them. */
#define LIMIT_ALLOCATE_WORLD_BYTES (1u << 30)

/* Memory of one attempt: the claims' requests, lists of devices, frames of the search. */
#define LIMIT_ALLOCATE_ATTEMPT_BYTES (256u << 20)

/* Evaluations of selectors in all: the cost of each, as Kubernetes counts it. 128,000 devices that all differ take some 5,000,000; what
 * takes more than 7 seconds was written to be slow. */
#define LIMIT_ALLOCATE_EVALUATION 200000000u

/* Pods of a workload that are tried one after the other. */
#define LIMIT_ALLOCATE_COPIES 10000u

/* Nodes of which it is said why a pod does not fit, if there are many pods. */
#define LIMIT_ALLOCATE_EXPLAINED 64u

/* What further nodes are expected to take, in steps and devices that are looked at, before they are tried by several at the same time:
 * 0.2 seconds or so; and so much for each device that there is, which each of them reads again. */
#define LIMIT_ALLOCATE_ALONE 5000000u
#define LIMIT_ALLOCATE_ALONE_DEVICE 200u

/* Steps of the search on a node that can be shown; some 80 bytes each. */
#define LIMIT_ALLOCATE_TOLD 100u

/* Bytes of a name in a message that is for people; in those of Kubernetes they are whole. */
#define LIMIT_ALLOCATE_NAME_BYTES 256u

/* Pods in a claim's status.reservedFor, as in Kubernetes (resourceapi.ResourceClaimReservedForMaxSize). */
#define LIMIT_ALLOCATE_CONSUMERS 256u

/* Containers of a pod with extended resources, and names of resources in one of them, or of extended ones in all. Requests for devices are
 * made of them for each node: 64 * 128 * 128 comparisons at most. More than 32 devices are never allocated. */
#define LIMIT_ALLOCATE_CONTAINERS 128u
#define LIMIT_ALLOCATE_RESOURCES 64u

/* Memory for what is found out about one pod. */
#define LIMIT_ALLOCATE_POD_BYTES (256u << 20)

#endif
