/* An allocator. The program uses malloc; tests pass one that fails. */
#ifndef DRAWBRIDGE_BASE_MEMORY_H
#define DRAWBRIDGE_BASE_MEMORY_H

#include <stddef.h>

struct memory {
    void *(*allocate)(size_t bytes, void *data); /* NULL on failure; aligned as malloc aligns */
    void (*release)(void *pointer, void *data);  /* accepts NULL */
    void *data;
};

extern const struct memory memory_malloc;

#endif
