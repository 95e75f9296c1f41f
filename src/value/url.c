#include "value/url.h"

#include "value/ip.h"
#include "value/limits.h"

/* ---- escapes ---- */

enum part { PART_PATH, PART_HOST, PART_ZONE, PART_USER, PART_QUERY, PART_FRAGMENT };

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_one_of(const char *bytes, char byte)
{
    return byte != '\0' && strchr(bytes, byte);
}

/* Whether a byte stands for itself in that part. */
static bool is_plain(char byte, enum part part)
{
    static const char *const plain[] = {
        [PART_PATH] = "$&+,/:;=@",
        [PART_HOST] = "!$&'()*+,;=:[]<>\"",
        [PART_ZONE] = "!$&'()*+,;=:[]<>\"",
        [PART_USER] = "$&+,;=",
        [PART_QUERY] = "",
        [PART_FRAGMENT] = "$&+,/:;=?@!()*",
    };
    return is_letter(byte) || is_digit(byte) || is_one_of("-_.~", byte) || is_one_of(plain[part], byte);
}

static int hex_value(char byte)
{
    if (is_digit(byte))
        return byte - '0';
    char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static bool fail(struct url_error *error, const char *words, struct bytes about, const char *after)
{
    *error = (struct url_error){ words, about, after };
    return false;
}

static bool fail_words(struct url_error *error, const char *words)
{
    return fail(error, words, (struct bytes){ NULL, 0 }, NULL);
}

/* Whether the escape at the beginning of `rest` may stand in that part. */
static bool check_escape(struct bytes rest, enum part part, struct url_error *error)
{
    struct bytes escape = { rest.data, rest.length < 3 ? rest.length : 3 };
    bool whole = rest.length >= 3 && hex_value(rest.data[1]) >= 0 && hex_value(rest.data[2]) >= 0;
    bool allowed = whole;
    if (whole && (part == PART_HOST || part == PART_ZONE) && !bytes_equal_text(escape, "%25")) {
        char byte = (char)(hex_value(rest.data[1]) << 4 | hex_value(rest.data[2]));
        allowed = part == PART_HOST ? hex_value(rest.data[1]) >= 8 : byte == ' ' || is_plain(byte, PART_HOST);
    }
    return allowed || fail(error, "invalid URL escape ", escape, "");
}

static bool check_escapes(struct bytes text, enum part part, struct url_error *error)
{
    for (uint32_t i = 0; i < text.length; i++) {
        struct bytes rest = { text.data + i, text.length - i };
        if (text.data[i] == '%') {
            if (!check_escape(rest, part, error))
                return false;
            i += 2;
        } else if ((part == PART_HOST || part == PART_ZONE) && (unsigned char)text.data[i] < 0x80 && !is_plain(text.data[i], part)) {
            return fail(error, "invalid character ", (struct bytes){ text.data + i, 1 }, " in host name");
        }
    }
    return true;
}

/* Decodes a part. False: *error says why not, or the arena failed. */
static bool decode(struct bytes text, enum part part, struct arena *arena, struct bytes *decoded, struct url_error *error)
{
    if (!check_escapes(text, part, error))
        return false;
    *decoded = text;
    if (text.length == 0 || (!memchr(text.data, '%', text.length) && (part != PART_QUERY || !memchr(text.data, '+', text.length))))
        return true;
    char *out = arena_text(arena, text.length);
    if (!out)
        return false;
    *decoded = (struct bytes){ out, 0 };
    for (uint32_t i = 0; i < text.length; i++) {
        char byte = text.data[i];
        if (byte == '%') {
            byte = (char)(hex_value(text.data[i + 1]) << 4 | hex_value(text.data[i + 2]));
            i += 2;
        } else if (byte == '+' && part == PART_QUERY) {
            byte = ' ';
        }
        out[decoded->length++] = byte;
    }
    return true;
}

bool url_decode_query(struct bytes text, struct arena *arena, struct bytes *decoded)
{
    struct url_error error;
    return decode(text, PART_QUERY, arena, decoded, &error);
}

static void add_escaped_byte(struct text *text, char byte, enum part part)
{
    static const char digits[] = "0123456789ABCDEF";
    char escape[] = { '%', digits[(unsigned char)byte >> 4], digits[byte & 15] };
    if (is_plain(byte, part))
        text_add_bytes(text, (struct bytes){ &byte, 1 });
    else
        text_add_bytes(text, (struct bytes){ escape, 3 });
}

/* Appends what was decoded. */
static void add_escaped(struct text *text, struct bytes decoded, enum part part)
{
    for (uint32_t i = 0; i < decoded.length; i++)
        add_escaped_byte(text, decoded.data[i], part);
}

/* Appends what was written; if a byte in it needs an escape, everything is escaped anew. */
static void add_written(struct text *text, struct bytes written, enum part part)
{
    bool valid = true;
    for (uint32_t i = 0; i < written.length; i++)
        valid = valid && (is_plain(written.data[i], part) || is_one_of("!$&'()*+,;=:@[]%", written.data[i]));
    if (valid) {
        text_add_bytes(text, written);
        return;
    }
    for (uint32_t i = 0; i < written.length; i++) {
        char byte = written.data[i];
        if (byte == '%') {
            byte = (char)(hex_value(written.data[i + 1]) << 4 | hex_value(written.data[i + 2]));
            i += 2;
        }
        add_escaped_byte(text, byte, part);
    }
}

/* ---- reading ---- */

static struct bytes from(struct bytes text, uint32_t start)
{
    return (struct bytes){ text.data + start, text.length - start };
}

/* Cuts off what follows the first of that byte. False: there is none. */
static bool cut(struct bytes *text, char byte, struct bytes *after)
{
    const char *at = text->length ? memchr(text->data, byte, text->length) : NULL;
    *after = (struct bytes){ NULL, 0 };
    if (!at)
        return false;
    uint32_t before = (uint32_t)(at - text->data);
    *after = from(*text, before + 1);
    text->length = before;
    return true;
}

/* The place of the last of that byte; the length where there is none. */
static uint32_t last_of(struct bytes text, char byte)
{
    const char *at = text.length ? memrchr(text.data, byte, text.length) : NULL;
    return at ? (uint32_t)(at - text.data) : text.length;
}

static bool begins(struct bytes text, const char *with)
{
    size_t length = strlen(with);
    return text.length >= length && memcmp(text.data, with, length) == 0;
}

/* Takes a scheme and its colon off the text. */
static bool read_scheme(struct bytes *text, struct arena *arena, struct bytes *scheme, struct url_error *error)
{
    uint32_t length = 0;
    for (char byte; length < text->length; length++) {
        byte = text->data[length];
        if (!is_letter(byte) && (length == 0 || (!is_digit(byte) && !is_one_of("+-.", byte))))
            break;
    }
    if (length == text->length || text->data[length] != ':')
        return true;
    if (length == 0)
        return fail_words(error, "missing protocol scheme");
    char *lower = arena_text(arena, length);
    if (!lower)
        return false;
    for (uint32_t i = 0; i < length; i++)
        lower[i] = (char)(text->data[i] | (is_letter(text->data[i]) ? 0x20 : 0));
    *scheme = (struct bytes){ lower, length };
    *text = from(*text, length + 1);
    return true;
}

static bool is_port(struct bytes text)
{
    for (uint32_t i = 1; i < text.length; i++)
        if (!is_digit(text.data[i]))
            return false;
    return text.length == 0 || text.data[0] == ':';
}

/* Only an address of IPv6 may stand in brackets. A zone, which follows it, begins with %. */
static bool check_bracketed(struct bytes address, struct bytes with_zone, struct url_error *error)
{
    struct ip_address read;
    if (!ip_read_six(address, &read))
        return ip_read(with_zone, &read) ? fail_words(error, "invalid IP-literal")
                                         : fail(error, "invalid host: ParseAddr(", with_zone, "): unable to parse IP");
    return with_zone.length != address.length + 1 ||
           fail(error, "invalid host: ParseAddr(", with_zone, "): zone must be a non-empty string");
}

/* Reads an address in brackets, and a port. */
static bool read_bracketed(struct bytes host, struct arena *arena, struct bytes *decoded, struct url_error *error)
{
    uint32_t close = last_of(host, ']');
    if (close == host.length)
        return fail_words(error, "missing ']' in host");
    struct bytes port = from(host, close + 1), name = { host.data + 1, close - 1 }, zone, address;
    if (!is_port(port))
        return fail(error, "invalid port ", port, " after host");
    const char *mark = name.length ? memmem(name.data, name.length, "%25", 3) : NULL;
    uint32_t length = mark ? (uint32_t)(mark - name.data) : name.length;
    if (!decode((struct bytes){ name.data, length }, PART_HOST, arena, &address, error) ||
        !decode(from(name, length), PART_ZONE, arena, &zone, error))
        return false;
    struct text text;
    text_init(&text, arena);
    text_add(&text, "[");
    text_add_bytes(&text, address);
    text_add_bytes(&text, zone);
    text_add(&text, "]");
    text_add_bytes(&text, port);
    const char *data = text_end(&text);
    if (!data)
        return false;
    *decoded = (struct bytes){ data, (uint32_t)text.length };
    return check_bracketed(address, (struct bytes){ data + 1, address.length + zone.length }, error);
}

static bool read_host(struct bytes host, struct arena *arena, struct bytes *decoded, struct url_error *error)
{
    uint32_t bracket = last_of(host, '['), colon = last_of(host, ':');
    if (host.length && bracket == 0)
        return read_bracketed(host, arena, decoded, error);
    if (bracket < host.length)
        return fail_words(error, "invalid IP-literal");
    if (!is_port(from(host, colon)))
        return fail(error, "invalid port ", from(host, colon), " after host");
    return decode(host, PART_HOST, arena, decoded, error);
}

static bool read_authority(struct bytes authority, struct arena *arena, struct url *url, struct url_error *error)
{
    uint32_t at = last_of(authority, '@');
    url->has_user = at < authority.length;
    if (!read_host(url->has_user ? from(authority, at + 1) : authority, arena, &url->host, error))
        return false;
    if (!url->has_user)
        return true;
    struct bytes user = { authority.data, at }, password;
    for (uint32_t i = 0; i < user.length; i++)
        if (!is_letter(user.data[i]) && !is_digit(user.data[i]) && !is_one_of("-._:~!$&'()*+,;=%@", user.data[i]))
            return fail_words(error, "net/url: invalid userinfo");
    url->has_password = cut(&user, ':', &password);
    return decode(user, PART_USER, arena, &url->user, error) && decode(password, PART_USER, arena, &url->password, error);
}

/* What may stand before the path: false if it may not. */
static bool check_relative(struct bytes rest, bool request, struct url_error *error)
{
    struct bytes ignored;
    if (request)
        return fail_words(error, "invalid URI for request");
    (void)cut(&rest, '/', &ignored);
    if (rest.length && memchr(rest.data, ':', rest.length))
        return fail_words(error, "first path segment in URL cannot contain colon");
    return true;
}

static bool read_after_scheme(struct bytes rest, bool request, struct arena *arena, struct url *url, struct url_error *error)
{
    if (!begins(rest, "/") && url->scheme.length) {
        url->opaque = rest;
        return true;
    }
    if (!begins(rest, "/") && !check_relative(rest, request, error))
        return false;
    if (begins(rest, "//") && (url->scheme.length || (!request && !begins(rest, "///")))) {
        struct bytes authority = from(rest, 2), path = authority;
        const char *slash = authority.length ? memchr(authority.data, '/', authority.length) : NULL;
        authority.length = slash ? (uint32_t)(slash - authority.data) : authority.length;
        rest = from(path, authority.length);
        if (!read_authority(authority, arena, url, error))
            return false;
    } else {
        url->no_host = url->scheme.length && begins(rest, "/");
    }
    url->path = rest;
    return check_escapes(rest, PART_PATH, error);
}

static bool read(struct bytes text, bool request, struct arena *arena, struct url *url, struct url_error *error)
{
    *url = (struct url){ .has_user = false };
    *error = (struct url_error){ .words = NULL };
    if (text.length > LIMIT_URL_BYTES)
        return fail_words(error, "the URL is too long");
    for (uint32_t i = 0; i < text.length; i++)
        if ((unsigned char)text.data[i] < ' ' || text.data[i] == 0x7F)
            return fail_words(error, "net/url: invalid control character in URL");
    if (text.length == 0 && request)
        return fail_words(error, "empty url");
    if (bytes_equal_text(text, "*")) {
        url->path = text;
        return true;
    }
    if (!read_scheme(&text, arena, &url->scheme, error))
        return false;
    url->empty_query = cut(&text, '?', &url->query) && url->query.length == 0;
    return read_after_scheme(text, request, arena, url, error);
}

enum failure url_read_request(struct bytes text, struct arena *arena, struct url *url, struct url_error *error)
{
    (void)read(text, true, arena, url, error);
    return error->words ? FAILURE_NONE : arena->failure;
}

enum failure url_read(struct bytes text, struct arena *arena, struct url *url, struct url_error *error)
{
    struct bytes fragment;
    (void)cut(&text, '#', &fragment);
    if (read(text, false, arena, url, error)) {
        url->fragment = fragment;
        (void)check_escapes(fragment, PART_FRAGMENT, error);
    }
    return error->words ? FAILURE_NONE : arena->failure;
}

/* ---- parts and the whole ---- */

void url_split_host(struct bytes host, struct bytes *name, struct bytes *port)
{
    uint32_t colon = last_of(host, ':');
    *name = host;
    *port = (struct bytes){ NULL, 0 };
    if (colon < host.length && is_port(from(host, colon))) {
        *port = from(host, colon + 1);
        name->length = colon;
    }
    if (name->length >= 2 && name->data[0] == '[' && name->data[name->length - 1] == ']')
        *name = (struct bytes){ name->data + 1, name->length - 2 };
}

void url_add_path(const struct url *url, struct text *text)
{
    add_written(text, url->path, PART_PATH);
}

static void add_authority(const struct url *url, struct text *text)
{
    if (url->host.length || url->path.length || url->has_user)
        text_add(text, "//");
    if (url->has_user) {
        add_escaped(text, url->user, PART_USER);
        text_add(text, url->has_password ? ":" : "");
        add_escaped(text, url->password, PART_USER);
        text_add(text, "@");
    }
    add_escaped(text, url->host, PART_HOST);
}

void url_add(const struct url *url, struct text *text)
{
    if (url->scheme.length) {
        text_add_bytes(text, url->scheme);
        text_add(text, ":");
    }
    text_add_bytes(text, url->opaque);
    if (url->opaque.length == 0) {
        if (!url->no_host && (url->scheme.length || url->host.length || url->has_user))
            add_authority(url, text);
        url_add_path(url, text);
    }
    if (url->query.length || url->empty_query)
        text_add(text, "?");
    text_add_bytes(text, url->query);
    if (url->fragment.length) {
        text_add(text, "#");
        add_written(text, url->fragment, PART_FRAGMENT);
    }
}
