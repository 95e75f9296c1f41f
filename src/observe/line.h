/* One line of the log, in text or JSON, in memory of fixed size. */
#ifndef DRAWBRIDGE_OBSERVE_LINE_H
#define DRAWBRIDGE_OBSERVE_LINE_H

#include <stddef.h>

#include "observe/limits.h"
#include "observe/log.h"

struct line {
    enum log_format format;
    size_t length;
    char data[LIMIT_LOG_LINE_BYTES]; /* not NUL-terminated */
};

/* Begins with the time and what happened. */
void line_begin(struct line *line, enum log_format format, enum log_event event);

/* Left out when it does not fit. */
void line_add(struct line *line, const struct log_field *field);
void line_end(struct line *line);

#endif
