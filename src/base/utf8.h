/* UTF-8, with every check of RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef DRAWBRIDGE_BASE_UTF8_H
#define DRAWBRIDGE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

#define UTF8_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */
#define UTF8_MAX_BYTES 4

/* Decodes the character at `at`, where `left` bytes are readable. Returns its length in bytes and sets *code, or returns 0 when the bytes
 * are not valid UTF-8. */
unsigned utf8_decode(const unsigned char *at, size_t left, uint32_t *code);

/* How many UTF-16 code units the character at `at` is, where `left` bytes are readable; sets *length to its bytes. A byte that is not valid
 * UTF-8 is one of each. */
unsigned utf8_units(const unsigned char *at, size_t left, uint32_t *length);

/* Whether the whole text is valid UTF-8. */
bool utf8_is_valid(struct bytes text);

/* Whether the last `left` bytes of a text, at `at`, are the valid beginning of a longer character. */
bool utf8_truncated(const unsigned char *at, size_t left);

/* Writes `code`, a Unicode scalar value, at `out`, which has room for UTF8_MAX_BYTES. Returns the number of bytes. */
unsigned utf8_encode(uint32_t code, char *out);

/* Whether this character could confuse a terminal or a log: controls, bidirectional marks, line and paragraph separators, the byte order
 * mark. */
bool utf8_unsafe(uint32_t code);

#endif
