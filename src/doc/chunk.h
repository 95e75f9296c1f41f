/* The part of a file that is one YAML document, as input for libyaml: a CR before a LF is left out, and the last line ends in LF. Turns
 * libyaml's marks, which count characters of that input, into offsets in the file. */
#ifndef DRAWBRIDGE_DOC_CHUNK_H
#define DRAWBRIDGE_DOC_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

enum chunk_encoding { CHUNK_UTF8, CHUNK_UTF16_LOW_FIRST, CHUNK_UTF16_HIGH_FIRST };

struct chunk {
    struct bytes source; /* the whole file; not owned */
    uint32_t start, end; /* the chunk's bytes in it */
    enum chunk_encoding encoding;
    uint32_t fed;        /* offset up to which the parser has got bytes */
    bool finished;       /* the parser has got the LF after the last line, too */
    uint32_t offset;     /* where character number `index` begins; marks come in order, so the next one is near */
    size_t index;
};

/* The chunk from `start` to before `end`. Its encoding is that of the byte order mark; UTF-8 without one. */
void chunk_init(struct chunk *chunk, struct bytes source, uint32_t start, uint32_t end);

/* libyaml's yaml_read_handler_t; `data` is the chunk. */
int chunk_feed(void *data, unsigned char *buffer, size_t size, size_t *written);

/* The offset in the source of character number `index` of the parser's input, the byte order mark not counted; at most chunk->end. Takes
 * time in proportion to the distance from the index asked for before. */
uint32_t chunk_offset(struct chunk *chunk, size_t index);

/* The same for byte number `byte` of the parser's input. Takes time in proportion to `byte`. */
uint32_t chunk_byte_offset(const struct chunk *chunk, size_t byte);

/* Bytes of an ASCII character in this encoding: 1 or 2. */
uint32_t chunk_unit(const struct chunk *chunk);

/* The ASCII character at `offset`; '\0' when another character stands there. */
char chunk_ascii(const struct chunk *chunk, uint32_t offset);

/* The offset of the first character that is neither white space nor part of a comment; chunk->end if there is none. */
uint32_t chunk_content(const struct chunk *chunk);

/* The offset of the first byte order mark after the start, where none belongs; chunk->end if there is none. */
uint32_t chunk_stray_bom(const struct chunk *chunk);

#endif
