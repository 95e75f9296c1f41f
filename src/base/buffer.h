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

/* A copy of a text. False: no memory. */
static inline bool buffer_copy(struct bytes text, struct buffer *buffer)
{
    char *data = malloc((size_t)text.length + 1);
    if (!data)
        return false;
    if (text.length)
        memcpy(data, text.data, text.length);
    data[text.length] = '\0';
    *buffer = (struct buffer){ data, text.length };
    return true;
}

/* Leaves it empty. */
static inline void buffer_free(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){ NULL, 0 };
}

#endif
