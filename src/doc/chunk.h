/* The part of a file that holds one YAML document, as the parser sees it: lines ending in LF, the last one too, one CR before a LF
 * dropped. Turns the parser's marks, which count characters of that, into places in the file. */
#ifndef DRAWBRIDGE_DOC_CHUNK_H
#define DRAWBRIDGE_DOC_CHUNK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

enum chunk_encoding { CHUNK_UTF8, CHUNK_UTF16_LOW_FIRST, CHUNK_UTF16_HIGH_FIRST };

struct chunk {
    struct bytes source;     /* the whole file; not owned */
    uint32_t start, end;     /* the chunk's bytes in it */
    enum chunk_encoding encoding;
    uint32_t fed;            /* bytes handed to the parser end here */
    bool finished;           /* so was the LF behind the last line */
    uint32_t place;          /* where the character number `index` begins: marks come in order, so each is near the one before */
    size_t index;
};

/* The chunk from `start` to before `end`. A byte order mark tells its encoding. */
void chunk_init(struct chunk *chunk, struct bytes source, uint32_t start, uint32_t end);

/* libyaml's yaml_read_handler_t; `data` is the chunk. */
int chunk_feed(void *data, unsigned char *buffer, size_t size, size_t *written);

/* Where in the source the character number `index` of the parser's text begins, the byte order mark not counted. Takes time in
 * proportion to the distance from the place asked for before. At most chunk->end. */
uint32_t chunk_offset(struct chunk *chunk, size_t index);

/* The same for byte number `byte` of the parser's text. Takes time in proportion to it. */
uint32_t chunk_byte_offset(const struct chunk *chunk, size_t byte);

/* Bytes of a character in ASCII, and that character at `place`; '\0' for others. */
uint32_t chunk_unit(const struct chunk *chunk);
char chunk_ascii(const struct chunk *chunk, uint32_t place);

/* The first character that is neither white space nor comment; chunk->end if there is none. */
uint32_t chunk_content(const struct chunk *chunk);

/* The first byte order mark behind the start, where none belongs; chunk->end if there is none. */
uint32_t chunk_stray_mark(const struct chunk *chunk);

#endif
