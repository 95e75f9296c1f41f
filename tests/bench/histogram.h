/* Latencies, counted in buckets whose width grows with the value: exact to 1 in 128, from 1 ns to minutes, in fixed memory. */
#ifndef DRAWBRIDGE_TESTS_BENCH_HISTOGRAM_H
#define DRAWBRIDGE_TESTS_BENCH_HISTOGRAM_H

#include <stdint.h>

enum {
    HISTOGRAM_BITS = 7,                               /* of a value that count, beside the highest one */
    HISTOGRAM_BUCKETS = (64 - HISTOGRAM_BITS) << HISTOGRAM_BITS,
};

struct histogram {
    uint64_t total, max;
    uint32_t buckets[HISTOGRAM_BUCKETS];
};

static inline unsigned histogram_bucket(uint64_t value)
{
    if (value >> HISTOGRAM_BITS == 0)
        return (unsigned)value;
    unsigned shift = 63u - (unsigned)__builtin_clzll(value) - HISTOGRAM_BITS;
    return (shift << HISTOGRAM_BITS) + (unsigned)(value >> shift);
}

/* The largest value of a bucket. */
static inline uint64_t histogram_value(unsigned bucket)
{
    unsigned shift = bucket >> HISTOGRAM_BITS ? (bucket >> HISTOGRAM_BITS) - 1 : 0;
    return (((uint64_t)bucket - ((uint64_t)shift << HISTOGRAM_BITS) + 1) << shift) - 1;
}

static inline void histogram_add(struct histogram *histogram, uint64_t value)
{
    histogram->total++;
    histogram->buckets[histogram_bucket(value)]++;
    if (value > histogram->max)
        histogram->max = value;
}

/* The value that `share` (0 to 1) of all do not exceed; 0 when there are none. */
static inline uint64_t histogram_quantile(const struct histogram *histogram, double share)
{
    uint64_t wanted = (uint64_t)((double)histogram->total * share), seen = 0;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += histogram->buckets[i];
        if (seen > wanted)
            return histogram_value(i) < histogram->max ? histogram_value(i) : histogram->max;
    }
    return histogram->max;
}

#endif
