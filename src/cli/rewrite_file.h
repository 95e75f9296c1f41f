/* Writes a file anew. */
#ifndef DRAWBRIDGE_CLI_REWRITE_FILE_H
#define DRAWBRIDGE_CLI_REWRITE_FILE_H

#include "base/bytes.h"
#include "base/failure.h"

/* Gives a file another text: whoever reads it sees the old one or the new one. Its mode and, as far as that is allowed, its owner stay; a
 * symbolic link stays one. A file with several names is written in place, so that all of them have the new text. Signals that end the
 * program wait meanwhile, so that no half of a file is left, and nothing beside it. Returns 0 or errno. */
int file_rewrite(const char *path, struct bytes text) MUST_USE;

#endif
