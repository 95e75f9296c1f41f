/* Bytes that somebody owns. What only reads them borrows: struct bytes (base/bytes.h). */
#ifndef DRAWBRIDGE_BASE_BUFFER_H
#define DRAWBRIDGE_BASE_BUFFER_H

#include <stdlib.h>

#include "base/bytes.h"

/* Begins empty ({ NULL, 0 }); release with buffer_free. */
struct buffer {
    char *data;      /* owned, from malloc; NULL only while length is 0. After the bytes stands a NUL that does not count */
    uint32_t length; /* bytes */
};

/* Valid as long as the buffer. */
static inline struct bytes buffer_bytes(const struct buffer *buffer)
{
    return (struct bytes){ buffer->data, buffer->length };
}

/* Leaves it empty. */
static inline void buffer_free(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){ NULL, 0 };
}

#endif
