/* URLs, read and written as Go's net/url does, as of Go 1.25: that decides what an API server takes for one.
 * Source: Go's net/url, tested against it. */
#ifndef DRAWBRIDGE_VALUE_URL_H
#define DRAWBRIDGE_VALUE_URL_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/text.h"

/* The parts are pieces of the text, or in the arena. What is decoded may be no UTF-8. */
struct url {
    struct bytes scheme;         /* in lower case */
    struct bytes opaque;         /* after the scheme, if no slash follows it */
    struct bytes user, password; /* decoded */
    struct bytes host;           /* decoded; with the port, and [ ] around IPv6 */
    struct bytes path;           /* as written */
    struct bytes query;          /* as written */
    struct bytes fragment;       /* as written */
    bool has_user, has_password;
    bool empty_query; /* there is a ? at the end */
    bool no_host;     /* there is no // after the scheme */
};

/* Why a text is no URL: words, what they are about in quotes, words. */
struct url_error {
    const char *words; /* NULL: there is none */
    struct bytes about;
    const char *after;
};

/* What a client may request: an absolute URL or path, in which # is nothing special. Fails when the arena does. */
enum failure url_read_request(struct bytes text, struct arena *arena, struct url *url, struct url_error *error) MUST_USE;

/* Any reference, with a fragment. */
enum failure url_read(struct bytes text, struct arena *arena, struct url *url, struct url_error *error) MUST_USE;

/* The host without its port, and the port. */
void url_split_host(struct bytes host, struct bytes *name, struct bytes *port);

/* Appends the path, with all escapes that it needs. */
void url_add_path(const struct url *url, struct text *text);

/* Appends the whole. */
void url_add(const struct url *url, struct text *text);

/* Decodes a name or value of a query. False: an escape is wrong, or the arena failed. */
bool url_decode_query(struct bytes text, struct arena *arena, struct bytes *decoded) MUST_USE;

#endif
