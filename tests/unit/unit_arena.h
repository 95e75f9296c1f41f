/* A fixture: an arena of the usual size for all tests of a program. */
#ifndef DRAWBRIDGE_TESTS_UNIT_ARENA_H
#define DRAWBRIDGE_TESTS_UNIT_ARENA_H

#include "base/arena.h"
#include "base/limits.h"

static struct arena arena;

static int start_arena(void **state)
{
    (void)state;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    return 0;
}

static int end_arena(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

#endif
