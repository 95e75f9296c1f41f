/* JSON documents one after the other from a file descriptor, with or without line breaks between them. */
#ifndef DRAWBRIDGE_CLI_STREAM_H
#define DRAWBRIDGE_CLI_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/failure.h"

struct stream {
    int descriptor;
    char *buffer;        /* owned; from malloc */
    size_t capacity;
    size_t start, end;   /* the bytes that were read and not consumed */
    uint64_t offset;     /* of buffer[start] in the input */
    bool ended;          /* no more input */
    int error;           /* errno of a failed read; the input ends there */
    size_t scanned;      /* bytes after start that the brackets below cover */
    uint32_t depth;      /* open brackets */
    bool in_string, escaped;
    size_t taken;        /* bytes of the line that stream_line gave last */
    size_t longest;      /* bytes that a line may have: LIMIT_BODY_BYTES, unless the caller sets it */
};

void stream_init(struct stream *stream, int descriptor);
void stream_done(struct stream *stream);

/* The bytes at hand, at most LIMIT_BODY_BYTES, from the beginning of the next document: white space is consumed. Empty: the input
 * has ended. */
enum failure stream_peek(struct stream *stream, struct bytes *bytes) MUST_USE;

/* Reads on when the bytes at hand are an incomplete document: until its brackets are closed, or there is twice as much, so
 * that trying again after each call costs no more than the input is long. Sets *more to whether anything was added. */
enum failure stream_more(struct stream *stream, bool *more) MUST_USE;

/* Whether more bytes were read than stream_peek may hand out. */
bool stream_has_more(const struct stream *stream);

/* Consumes `count` bytes. */
void stream_consume(struct stream *stream, size_t count);

/* The next line, without its end, until the next call: white space counts, an empty line too. Its data is NULL where the input has ended. A
 * line of more than stream->longest bytes is passed over, and *too_long set. Not to be mixed with the functions above. */
enum failure stream_line(struct stream *stream, struct bytes *line, bool *too_long) MUST_USE;

/* Ends the input here. */
void stream_end(struct stream *stream);

/* Consumes everything before the next line that begins with `{`, at or after byte `from`, but one byte at least. */
enum failure stream_resume(struct stream *stream, size_t from) MUST_USE;

#endif
