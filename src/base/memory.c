#include "base/memory.h"

#include <stdlib.h>

static void *allocate(size_t bytes, void *data)
{
    (void)data;
    return malloc(bytes);
}

static void release(void *pointer, void *data)
{
    (void)data;
    free(pointer);
}

const struct memory memory_malloc = { allocate, release, NULL };
