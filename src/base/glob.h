/* Patterns of file names, as git has them in .gitignore: *, ?, [a-z], \ and, between slashes, ** for any number of folders. */
#ifndef DRAWBRIDGE_BASE_GLOB_H
#define DRAWBRIDGE_BASE_GLOB_H

#include "base/bytes.h"

/* Whether a name without slashes matches. ** is * here. At most as many steps as pattern and name have bytes, multiplied. */
bool glob_matches_name(struct bytes pattern, struct bytes name);

/* Whether a path matches: neither begins or ends with a slash. The same steps for each folder of the path and each part of the pattern. */
bool glob_matches_path(struct bytes pattern, struct bytes path);

/* The bytes before the first wildcard or backslash. */
uint32_t glob_plain(struct bytes pattern);

#endif
