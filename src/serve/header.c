/* The request line and the header: what the library lets pass and two programs could read in two ways is refused.
 *
 * The library shows values as strings, so it hides a NUL and what follows it; it joins folded lines in ways of its own, and
 * takes a lone LF for the end of a line. But it leaves the lines where it has read them, each as name, colon, value, CR and LF. So
 * when every line begins right after the CRLF of the one before, there was nothing between them that it does not show. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "serve/limits.h"
#include "serve/state.h"

static const struct answer bad_header = { .status = MHD_HTTP_BAD_REQUEST, .close = true };
static const struct answer not_found = { .status = MHD_HTTP_NOT_FOUND };
static const struct answer wrong_method = { .status = MHD_HTTP_METHOD_NOT_ALLOWED, .allow = "POST" };
static const struct answer wrong_type = { .status = MHD_HTTP_UNSUPPORTED_MEDIA_TYPE };
static const struct answer too_large = { .status = MHD_HTTP_CONTENT_TOO_LARGE, .close = true };

enum { LINE_END = 2 }; /* CR and LF */

/* ---- the request line ---- */

bool header_is_validate(const char *target)
{
    static const char path[] = "/validate";
    size_t scheme = strncasecmp(target, "https://", 8) == 0 ? 8 : strncasecmp(target, "http://", 7) == 0 ? 7 : 0;
    if (scheme) /* the absolute form (RFC 9112, 3.2.2) */
        target += scheme + strcspn(target + scheme, "/?");
    return strncmp(target, path, sizeof path - 1) == 0 && (target[sizeof path - 1] == '\0' || target[sizeof path - 1] == '?');
}

/* Milliseconds that a Go duration of one part says ("5s", "500ms"), as API servers write it; 0 when it is none. */
static int64_t read_duration(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    size_t unit = strspn(end, "abcdefghijklmnopqrstuvwxyz");
    bool over = end[unit] == '\0' || end[unit] == '&';
    if (*text < '0' || *text > '9' || !over || !(value < 1e6))
        return 0;
    if (unit == 1 && *end == 's')
        return (int64_t)(value * 1000);
    return unit == 2 && strncmp(end, "ms", 2) == 0 ? (int64_t)value : 0;
}

int64_t header_timeout(const char *target)
{
    static const char name[] = "timeout=";
    for (const char *query = strchr(target, '?'); query; query = strchr(query + 1, '&')) {
        if (strncmp(query + 1, name, sizeof name - 1) != 0)
            continue;
        int64_t asked = read_duration(query + sizeof name);
        if (asked <= 0 || asked > LIMIT_REQUEST_MS)
            break;
        return asked < LIMIT_REQUEST_MIN_MS ? LIMIT_REQUEST_MIN_MS : asked;
    }
    return LIMIT_REQUEST_MS;
}

/* ---- the header ---- */

struct header {
    const char *next;          /* where the next line must begin */
    const char *length, *type; /* Content-Length and Content-Type */
    unsigned lengths, types, encodings, hosts;
    bool malformed;      /* a name that is no token, or something between two lines */
    bool other_encoding; /* a Transfer-Encoding that is not chunked */
};

/* RFC 9110, 5.6.2 */
static bool is_token(const char *name, size_t size)
{
    static const char others[] = "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < size; i++) {
        char c = name[i];
        if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c && strchr(others, c))))
            return false;
    }
    return size > 0;
}

static enum MHD_Result take_line(void *closure, enum MHD_ValueKind kind, const char *name, size_t name_size, const char *value,
                                 size_t value_size)
{
    struct header *header = closure;
    (void)kind;
    header->malformed |= name != header->next || !is_token(name, name_size) || !value;
    if (!value)
        return MHD_YES;
    header->malformed |= memchr(value, '\r', value_size) || memchr(value, '\n', value_size);
    header->next = value + value_size + LINE_END;
    if (strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0) {
        header->length = value;
        header->lengths++;
    } else if (strcasecmp(name, MHD_HTTP_HEADER_CONTENT_TYPE) == 0) {
        header->type = value;
        header->types++;
    } else if (strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0) {
        header->hosts++;
    } else if (strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0) {
        header->encodings++;
        header->other_encoding |= strcasecmp(value, "chunked") != 0;
    }
    return MHD_YES;
}

static void take_header(struct MHD_Connection *connection, const struct request_line *line, struct header *header)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    *header = (struct header){ .next = line->version + strlen(line->version) + LINE_END };
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, take_line, header);
    header->malformed |= line->after_target != line->version || !info || header->next + LINE_END != line->method + info->header_size;
}

static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    if (strncasecmp(type, json, sizeof json - 1) != 0)
        return false;
    type += sizeof json - 1;
    type += strspn(type, " \t");
    return *type == '\0' || *type == ';';
}

/* Bytes that a Content-Length announces; more than any limit when it is no number. */
static size_t announced(const char *length)
{
    size_t value = 0;
    for (; *length; length++) {
        if (*length < '0' || *length > '9' || value > SIZE_MAX / 16)
            return SIZE_MAX;
        value = value * 10 + (size_t)(*length - '0');
    }
    return value;
}

/* RFC 9112, 3.2 for Host. */
static const char *check_framing(const struct request_line *line, const struct header *header)
{
    if (header->malformed)
        return "the header is malformed\n";
    if (header->hosts > 1 || (!header->hosts && strcmp(line->version, MHD_HTTP_VERSION_1_1) == 0))
        return "there must be one Host\n";
    if (header->lengths > 1)
        return "more than one Content-Length\n";
    if (header->lengths && header->encodings)
        return "both Content-Length and Transfer-Encoding\n";
    if (header->encodings > 1 || header->other_encoding)
        return "the only Transfer-Encoding is chunked\n";
    return NULL;
}

const char *header_check(struct MHD_Connection *connection, const struct request_line *line, size_t max_body, size_t *length,
                         const struct answer **answer)
{
    struct header header;
    take_header(connection, line, &header);
    const char *text = check_framing(line, &header);
    *answer = &bad_header;
    if (text)
        return text;
    *answer = &not_found;
    if (!line->known_path)
        return "reviews go to /validate\n";
    *answer = &wrong_method;
    if (strcmp(line->method, MHD_HTTP_METHOD_POST) != 0)
        return "reviews come by POST\n";
    *answer = &bad_header;
    if (!header.length && !header.encodings)
        return "neither Content-Length nor Transfer-Encoding\n";
    *answer = &wrong_type;
    if (header.types != 1 || !is_json(header.type))
        return "the Content-Type must be application/json\n";
    *length = header.length ? announced(header.length) : max_body;
    *answer = &too_large;
    return *length > max_body ? "the review is too large\n" : NULL;
}
