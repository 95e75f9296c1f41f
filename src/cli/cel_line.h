/* Lines that people type: with an editor, a history and completion on a terminal where libedit is installed; as they come elsewhere. */
#ifndef DRAWBRIDGE_CLI_CEL_LINE_H
#define DRAWBRIDGE_CLI_CEL_LINE_H

#include <stdbool.h>

#include "base/bytes.h"

enum cel_line_result { CEL_LINE_READ, CEL_LINE_TOO_LONG /* it was passed over */, CEL_LINE_END };

/* Says to `add` what the end of `line`, which ends at the cursor, can be completed to: whole texts in place of what begins at *start. */
typedef void cel_line_complete(void *self, struct bytes line, uint32_t *start, void (*add)(const char *candidate));

/* One at a time. `self` is for `complete`. */
void cel_line_start(cel_line_complete *complete, void *self);

/* Keeps the history for the next time. */
void cel_line_stop(void);

/* Sets *line to the next line without its end, if it was read. The text lives until the next call. */
enum cel_line_result cel_line_read(struct bytes *line);

#endif
