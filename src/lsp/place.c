#include "lsp/place.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "lsp/message.h"

/* ---- places ---- */

/* Units of the character at `at`, and its bytes. */
static uint32_t units_at(struct bytes line, uint32_t at, bool utf8, uint32_t *bytes)
{
    unsigned units = utf8_units((const unsigned char *)line.data + at, line.length - at, bytes);
    return utf8 ? *bytes : units;
}

/* The line that begins at `from`, without its end. */
static struct bytes line_at(struct bytes text, uint32_t from)
{
    const char *start = text.data + from, *end = from < text.length ? memchr(start, '\n', text.length - from) : NULL;
    uint32_t length = end ? (uint32_t)(end - start) : text.length - from;
    return (struct bytes){ start, length && end && start[length - 1] == '\r' ? length - 1 : length };
}

uint32_t lsp_offset(struct bytes text, const cJSON *position, bool utf8)
{
    double line = lsp_number(position, "line", 0), character = lsp_number(position, "character", 0);
    uint32_t from = 0;
    for (; line >= 1 && from < text.length; line--) {
        const char *end = memchr(text.data + from, '\n', text.length - from);
        from = end ? (uint32_t)(end - text.data) + 1 : text.length;
    }
    if (line >= 1)
        return text.length;
    const struct bytes here = line_at(text, from);
    uint32_t at = 0, bytes;
    for (double units = 0; at < here.length; at += bytes) {
        units += units_at(here, at, utf8, &bytes);
        if (units > character)
            break;
    }
    return from + at;
}

static bool add_place(cJSON *range, const char *name, struct lines *lines, uint32_t offset, bool utf8)
{
    struct position position;
    uint32_t units = 0, bytes;
    if (lines_find(lines, offset, &position))
        return false;
    for (uint32_t at = 0; at < position.at && at < position.text.length; at += bytes)
        units += units_at(position.text, at, utf8, &bytes);
    cJSON *place = cJSON_AddObjectToObject(range, name);
    return place && cJSON_AddNumberToObject(place, "line", position.line - 1) && cJSON_AddNumberToObject(place, "character", units);
}

bool lsp_add_range(cJSON *object, const char *name, struct lines *lines, uint32_t from, uint32_t to, bool utf8)
{
    cJSON *range = cJSON_AddObjectToObject(object, name);
    return range && add_place(range, "start", lines, from, utf8) && add_place(range, "end", lines, to, utf8);
}

/* ---- URIs ---- */

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

char *lsp_path_of_uri(const char *uri)
{
    static const char scheme[] = "file://";
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0 || !strchr(uri + sizeof scheme - 1, '/'))
        return NULL;
    const char *from = strchr(uri + sizeof scheme - 1, '/'); /* after the host, which is this one */
    char *path = malloc(strlen(from) + 1), *to = path;
    if (!path)
        return NULL;
    for (; *from; from++) {
        bool encoded = *from == '%' && hex(from[1]) >= 0 && hex(from[2]) >= 0;
        *to++ = encoded ? (char)(hex(from[1]) * 16 + hex(from[2])) : *from;
        from += encoded ? 2 : 0;
    }
    *to = '\0';
    return path;
}

const char *lsp_uri_of_path(struct arena *arena, const char *path)
{
    struct text uri;
    text_init(&uri, arena);
    text_add(&uri, "file://");
    text_add_uri_path(&uri, path);
    return text_end(&uri);
}
