#include "cli/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"

enum { CHUNK_BYTES = 1024 * 1024 };

void stream_init(struct stream *stream, int descriptor)
{
    *stream = (struct stream){ .descriptor = descriptor, .longest = LIMIT_BODY_BYTES };
}

void stream_done(struct stream *stream)
{
    free(stream->buffer);
    stream->buffer = NULL;
}

/* Room for one more chunk after what is there. */
static enum failure make_room(struct stream *stream)
{
    size_t held = stream->end - stream->start;
    if (stream->capacity - stream->end >= CHUNK_BYTES)
        return FAILURE_NONE;
    if (stream->start >= held && stream->capacity - held >= CHUNK_BYTES) { /* moving is paid for by what was consumed */
        memmove(stream->buffer, stream->buffer + stream->start, held);
    } else {
        size_t capacity = held * 2 + CHUNK_BYTES;
        char *buffer = malloc(capacity);
        if (!buffer)
            return FAILURE_MEMORY;
        if (held)
            memcpy(buffer, stream->buffer + stream->start, held);
        free(stream->buffer);
        stream->buffer = buffer;
        stream->capacity = capacity;
    }
    stream->start = 0;
    stream->end = held;
    return FAILURE_NONE;
}

static enum failure read_chunk(struct stream *stream)
{
    enum failure failure = make_room(stream);
    if (failure)
        return failure;
    ssize_t count;
    do
        count = read(stream->descriptor, stream->buffer + stream->end, CHUNK_BYTES);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        stream->error = errno;
    if (count <= 0)
        stream->ended = true;
    else
        stream->end += (size_t)count;
    return FAILURE_NONE;
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

void stream_consume(struct stream *stream, size_t count)
{
    stream->start += count;
    stream->offset += count;
    stream->scanned = 0;
    stream->depth = 0;
    stream->in_string = stream->escaped = false;
}

enum failure stream_peek(struct stream *stream, struct bytes *bytes)
{
    for (;;) {
        size_t blank = stream->start;
        while (blank < stream->end && is_space(stream->buffer[blank]))
            blank++;
        stream_consume(stream, blank - stream->start);
        if (stream->start < stream->end || stream->ended)
            break;
        enum failure failure = read_chunk(stream);
        if (failure)
            return failure;
    }
    size_t held = stream->end - stream->start;
    *bytes = (struct bytes){ stream->buffer + stream->start, (uint32_t)(held > LIMIT_BODY_BYTES ? LIMIT_BODY_BYTES : held) };
    return FAILURE_NONE;
}

/* From inside a string to after its end. */
static const char *follow_string(struct stream *stream, const char *at, const char *end)
{
    bool escaped = stream->escaped;
    while (at < end && (escaped || *at != '"')) {
        escaped = !escaped && *at == '\\';
        at++;
    }
    stream->escaped = escaped;
    stream->in_string = at == end;
    return at == end ? at : at + 1;
}

/* Follows the brackets through what was read since the last call; returns whether they are closed. */
static bool follow_brackets(struct stream *stream)
{
    const char *start = stream->buffer + stream->start, *at = start + stream->scanned, *end = stream->buffer + stream->end;
    bool closed = false;
    while (at < end && !closed) {
        if (stream->in_string) {
            at = follow_string(stream, at, end);
            continue;
        }
        char byte = *at++;
        stream->in_string = byte == '"';
        if (byte == '{' || byte == '[')
            stream->depth++;
        else if (byte == '}' || byte == ']')
            closed = stream->depth == 0 || --stream->depth == 0;
    }
    stream->scanned = (size_t)(at - start);
    return closed;
}

enum failure stream_more(struct stream *stream, bool *more)
{
    size_t before = stream->end - stream->start;
    (void)follow_brackets(stream);
    for (;;) {
        size_t held = stream->end - stream->start;
        enum failure failure = stream->ended ? FAILURE_NONE : read_chunk(stream);
        *more = stream->end - stream->start > before;
        if (failure || stream->ended || stream->end - stream->start > LIMIT_BODY_BYTES)
            return failure;
        bool closed = stream->end - stream->start > held && follow_brackets(stream);
        if (closed || stream->end - stream->start >= 2 * before)
            return FAILURE_NONE;
    }
}

enum failure stream_line(struct stream *stream, struct bytes *line, bool *too_long)
{
    size_t length;
    stream_consume(stream, stream->taken);
    for (*too_long = false;;) {
        const char *start = stream->buffer + stream->start;
        size_t held = stream->end - stream->start, known = stream->scanned;
        const char *newline = held > known ? memchr(start + known, '\n', held - known) : NULL;
        length = newline ? (size_t)(newline - start) : held;
        stream->taken = length + (newline != NULL);
        *too_long |= length > stream->longest;
        if (newline || stream->ended)
            break;
        stream->scanned = held;
        if (*too_long)
            stream_consume(stream, held);
        enum failure failure = read_chunk(stream);
        if (failure)
            return failure;
    }
    if (*too_long)
        *line = (struct bytes){ "", 0 };
    else
        *line = (struct bytes){ stream->taken ? stream->buffer + stream->start : NULL, (uint32_t)length };
    return FAILURE_NONE;
}

bool stream_has_more(const struct stream *stream)
{
    return stream->end - stream->start > LIMIT_BODY_BYTES;
}

void stream_end(struct stream *stream)
{
    stream->start = stream->end;
    stream->ended = true;
}

enum failure stream_resume(struct stream *stream, size_t from)
{
    from = from ? from : 1;
    bool line_start = stream->buffer[stream->start + from - 1] == '\n';
    stream_consume(stream, from);
    for (;;) {
        for (; stream->start < stream->end; stream_consume(stream, 1)) {
            if (line_start && stream->buffer[stream->start] == '{')
                return FAILURE_NONE;
            line_start = stream->buffer[stream->start] == '\n';
        }
        if (stream->ended)
            return FAILURE_NONE;
        enum failure failure = read_chunk(stream);
        if (failure)
            return failure;
    }
}
