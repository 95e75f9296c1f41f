/* The metrics as Prometheus reads them: its text format, version 0.0.4. */
#ifndef DRAWBRIDGE_SERVE_EXPOSITION_H
#define DRAWBRIDGE_SERVE_EXPOSITION_H

#include "serve/state.h"

/* In a buffer from malloc; NULL: out of memory. */
char *exposition_text(struct server *server) __attribute__((warn_unused_result));

#endif
