/* What the tests of the lower layers share: table rows that name themselves when they fail, an allocator that counts and
 * fails when told to, processor time, and the expected text of bytes that cannot be printed. */
#ifndef DRAWBRIDGE_TESTS_UNIT_H
#define DRAWBRIDGE_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/limits.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- rows ---- */

static unsigned failed_rows;

/* Notes a row that fails and goes on with the next; what follows the condition names the row, as in printf. */
#define EXPECT(condition, ...)                                              \
    do {                                                                    \
        if (!(condition)) {                                                 \
            failed_rows++;                                                  \
            print_error("%s:%d: %s: ", __FILE__, __LINE__, #condition);     \
            print_error(__VA_ARGS__);                                       \
            print_error("\n");                                              \
        }                                                                   \
    } while (0)

/* Stands at the end of every test with rows. */
static inline void assert_rows(void)
{
    unsigned failed = failed_rows;
    failed_rows = 0;
    assert_int_equal(failed, 0);
}

/* Printable text for the name of a row: ASCII as it is, other bytes as \xHH, at most 80 bytes. Good until the fourth call. */
static inline const char *shown(struct bytes bytes)
{
    static char buffers[4][80 * 4 + 4];
    static unsigned turn;
    char *buffer = buffers[turn++ % 4], *at = buffer;
    for (uint32_t i = 0; i < bytes.length && i < 80; i++)
        at += bytes.data[i] >= ' ' && bytes.data[i] <= '~' ? sprintf(at, "%c", bytes.data[i]) : sprintf(at, "\\x%02x", (unsigned char)bytes.data[i]);
    strcpy(at, bytes.length > 80 ? "..." : "");
    return buffer;
}

/* ---- memory ---- */

/* Counts what it hands out; thread safe. */
struct counted_memory {
    struct memory memory;
    atomic_size_t live, calls; /* blocks not given back yet; allocations asked for */
    size_t failing;            /* the number of the one call that fails, from 1; 0: none; UNIT_ALWAYS: all */
};

enum { UNIT_ALWAYS = -1 };

static inline void *counted_allocate(size_t bytes, void *data)
{
    struct counted_memory *counted = data;
    size_t call = atomic_fetch_add(&counted->calls, 1) + 1;
    if (call == counted->failing || counted->failing == (size_t)UNIT_ALWAYS)
        return NULL;
    void *pointer = malloc(bytes);
    if (pointer)
        atomic_fetch_add(&counted->live, 1);
    return pointer;
}

static inline void counted_release(void *pointer, void *data)
{
    struct counted_memory *counted = data;
    if (pointer)
        atomic_fetch_sub(&counted->live, 1);
    free(pointer);
}

static inline void counted_init(struct counted_memory *counted, size_t failing)
{
    counted->memory = (struct memory){ counted_allocate, counted_release, counted };
    atomic_init(&counted->live, 0);
    atomic_init(&counted->calls, 0);
    counted->failing = failing;
}

enum { UNIT_VECTOR_BYTES = 64 };

/* A copy of `bytes` that ends where its block ends, so that reading beyond it is seen. Free its data. */
static inline struct bytes exact_copy(struct bytes bytes)
{
    char *copy = malloc(bytes.length ? bytes.length : 1);
    assert_non_null(copy);
    if (bytes.length)
        memcpy(copy, bytes.data, bytes.length);
    return (struct bytes){ copy, bytes.length };
}

static inline void free_copy(struct bytes copy)
{
    union {
        const char *constant;
        void *plain;
    } data = { copy.data };
    free(data.plain);
}

/* `count` times `unit`, with `tail` behind it. Free its data with free_copy. There are zeros behind it: machine code that PCRE2 makes
 * looks at whole vectors and then does not use what is behind the subject, which valgrind cannot know. */
static inline struct bytes repeated(const char *unit, size_t count, const char *tail)
{
    size_t size = strlen(unit), end = strlen(tail);
    char *text = calloc(1, size * count + end + UNIT_VECTOR_BYTES);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * size, unit, size);
    memcpy(text + size * count, tail, end);
    return (struct bytes){ text, (uint32_t)(size * count + end) };
}

/* ---- time and chance ---- */

static inline double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* By how much this run may be slower than a plain one: valgrind, the thread sanitizer and -O0 take their time. */
static inline unsigned slowness(void)
{
#if defined __SANITIZE_THREAD__ || !defined __OPTIMIZE__
    return 20;
#endif
    const char *preload = getenv("LD_PRELOAD");
    return preload && strstr(preload, "valgrind") ? 50 : 1;
}

/* xorshift64 (Marsaglia): the same numbers in every run. */
static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
