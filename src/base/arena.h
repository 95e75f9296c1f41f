/* A bump allocator for everything that lives as long as one request: nodes, strings, findings, paths. */
#ifndef DRAWBRIDGE_BASE_ARENA_H
#define DRAWBRIDGE_BASE_ARENA_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "base/memory.h"

struct arena_block;

struct arena {
    const struct memory *memory; /* not owned, outlives the arena */
    struct arena_block *blocks;  /* newest first */
    char *at, *end;              /* free part of the newest block */
    size_t taken, limit;         /* bytes taken from `memory`, and their maximum */
    size_t expected;             /* what the first block has room for; 0: nobody knows */
    enum failure failure;        /* sticky until the next clear: FAILURE_MEMORY or FAILURE_LIMIT */
};

/* An empty arena that takes at most `limit` bytes from `memory`. Allocates nothing yet. */
void arena_init(struct arena *arena, const struct memory *memory, size_t limit);

/* Says before the first allocation how much there will be, about. If that is little, the first block has no more, as many small arenas may
 * be kept; otherwise nothing changes. */
void arena_expect(struct arena *arena, size_t bytes);

/* Returns `bytes` uninitialised bytes, aligned for any object and valid until the next clear. NULL when memory or the limit is exhausted;
 * arena->failure then says which, until the next clear. */
static inline void *arena_alloc(struct arena *arena, size_t bytes) MUST_USE;

/* The same without alignment, for text. */
char *arena_text(struct arena *arena, size_t bytes) MUST_USE;

/* Frees the newest allocation, which begins at `start`. Does nothing if it is not in the newest block. */
void arena_take_back(struct arena *arena, const void *start);

/* How much was allocated at some time. */
struct arena_mark {
    struct arena_block *blocks;
    char *at, *end;
    enum failure failure;
};

static inline struct arena_mark arena_mark(const struct arena *arena)
{
    return (struct arena_mark){ arena->blocks, arena->at, arena->end, arena->failure };
}

/* Frees all that was allocated since the mark, and forgets a failure since then. The arena was not cleared meanwhile. */
void arena_rewind(struct arena *arena, struct arena_mark mark);

/* Frees everything, but keeps one block of at most LIMIT_ARENA_KEPT_BYTES for reuse. */
void arena_clear(struct arena *arena);

/* Gives all memory back. The arena is empty then, and may be used again. */
void arena_done(struct arena *arena);

/* Bytes that are in use. */
static inline size_t arena_used(const struct arena *arena)
{
    return arena->taken - (size_t)(arena->end - arena->at);
}

/* The slow path of arena_alloc: the newest block has no room. */
void *arena_alloc_more(struct arena *arena, size_t bytes) MUST_USE;

static inline void *arena_alloc(struct arena *arena, size_t bytes)
{
    size_t padding = -(uintptr_t)arena->at % alignof(max_align_t);
    size_t left = (size_t)(arena->end - arena->at); /* 0 after a failure */
    if (bytes == 0 || bytes > left || padding > left - bytes)
        return arena_alloc_more(arena, bytes);
    char *start = arena->at + padding;
    arena->at = start + bytes;
    return start;
}

#endif
