#include "base/arena.h"

#include <stdbool.h>

#include "base/limits.h"

/* Of the first block: what it has if nobody knows better, and the most that may be expected. */
enum { BLOCK_BYTES = 4 * 1024, EXPECTED_BYTES = 32 * 1024 };

struct arena_block {
    struct arena_block *older;
    size_t bytes; /* of the whole block, this header included */
    alignas(max_align_t) char content[];
};

void arena_init(struct arena *arena, const struct memory *memory, size_t limit)
{
    *arena = (struct arena){ .memory = memory, .limit = limit };
}

void arena_expect(struct arena *arena, size_t bytes)
{
    arena->expected = bytes <= EXPECTED_BYTES ? bytes : 0;
}

static bool fail(struct arena *arena, enum failure failure)
{
    arena->failure = failure;
    arena->at = arena->end; /* arena_alloc finds no room from now on */
    return false;
}

/* Adds a block with room for `bytes`. It is twice as large as the newest one, up to LIMIT_ARENA_STEP_BYTES, so there are few blocks. */
static bool add_block(struct arena *arena, size_t bytes)
{
    size_t first = arena->expected ? arena->expected + sizeof(struct arena_block) : BLOCK_BYTES;
    size_t size = arena->blocks ? arena->blocks->bytes * 2 : first;
    if (size > LIMIT_ARENA_STEP_BYTES)
        size = LIMIT_ARENA_STEP_BYTES;
    if (bytes > arena->limit || bytes > SIZE_MAX - sizeof(struct arena_block))
        return fail(arena, FAILURE_LIMIT);
    if (size < bytes + sizeof(struct arena_block))
        size = bytes + sizeof(struct arena_block);
    if (size > arena->limit - arena->taken)
        size = arena->limit - arena->taken;
    if (size < bytes + sizeof(struct arena_block))
        return fail(arena, FAILURE_LIMIT);
    struct arena_block *block = arena->memory->allocate(size, arena->memory->data);
    if (!block)
        return fail(arena, FAILURE_MEMORY);
    block->older = arena->blocks;
    block->bytes = size;
    arena->blocks = block;
    arena->taken += size;
    arena->at = block->content;
    arena->end = (char *)block + size;
    return true;
}

char *arena_text(struct arena *arena, size_t bytes)
{
    if (arena->failure)
        return NULL;
    if ((!arena->at || bytes > (size_t)(arena->end - arena->at)) && !add_block(arena, bytes))
        return NULL;
    char *start = arena->at;
    arena->at += bytes;
    return start;
}

void *arena_alloc_more(struct arena *arena, size_t bytes)
{
    arena->at = arena->end; /* the next block begins aligned */
    return arena_text(arena, bytes);
}

void arena_take_back(struct arena *arena, const void *start)
{
    char *from = (char *)(uintptr_t)start;
    if (!arena->failure && arena->blocks && from >= arena->blocks->content && from <= arena->at)
        arena->at = from;
}

static void release(struct arena *arena, struct arena_block *block, const struct arena_block *end)
{
    while (block != end) {
        struct arena_block *older = block->older;
        arena->taken -= block->bytes;
        arena->memory->release(block, arena->memory->data);
        block = older;
    }
}

void arena_rewind(struct arena *arena, struct arena_mark mark)
{
    release(arena, arena->blocks, mark.blocks);
    arena->blocks = mark.blocks;
    arena->at = mark.at;
    arena->end = mark.end;
    arena->failure = mark.failure;
}

void arena_clear(struct arena *arena)
{
    arena->failure = FAILURE_NONE;
    struct arena_block *kept = arena->blocks;
    while (kept && kept->bytes > LIMIT_ARENA_KEPT_BYTES) {
        struct arena_block *older = kept->older;
        kept->older = NULL;
        release(arena, kept, NULL);
        kept = older;
    }
    arena->blocks = kept;
    arena->at = arena->end = NULL;
    if (!kept)
        return;
    release(arena, kept->older, NULL);
    kept->older = NULL;
    arena->at = kept->content;
    arena->end = (char *)kept + kept->bytes;
}

void arena_done(struct arena *arena)
{
    release(arena, arena->blocks, NULL);
    arena_init(arena, arena->memory, arena->limit);
}
