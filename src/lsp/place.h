/* Places as editors give them: lines and characters from 0. Characters are UTF-16 units, or bytes if the client takes UTF-8. */
#ifndef DRAWBRIDGE_LSP_PLACE_H
#define DRAWBRIDGE_LSP_PLACE_H

#include <cjson/cJSON.h>

#include "base/arena.h"
#include "doc/lines.h"

/* The byte that a member "position", "start" or "end" names; the end of the line or text, if it is beyond that. */
uint32_t lsp_offset(struct bytes text, const cJSON *position, bool utf8);

/* Adds a member { "start": …, "end": … } for the bytes from `from` up to `to`. False: no memory. */
bool lsp_add_range(cJSON *object, const char *name, struct lines *lines, uint32_t from, uint32_t to, bool utf8) MUST_USE;

/* The path of a "file" URI, from malloc; NULL: it is none, or there is no memory. */
char *lsp_path_of_uri(const char *uri) MUST_USE;

/* The URI of an absolute path, in the arena; NULL: no memory. */
const char *lsp_uri_of_path(struct arena *arena, const char *path) MUST_USE;

#endif
