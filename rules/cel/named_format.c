/* Formats of strings by name: format.dns1123Label().validate(text). What an API server's own validation does not share with
 * rules/formats.def is here: these say what is wrong in Kubernetes' words, and some take what Go takes.
 * Source: k8s.io/apiserver v0.35.4 pkg/cel/library/format.go, k8s.io/apimachinery v0.35.4 pkg/util/validation, pkg/api/validate/content,
 * k8s.io/kube-openapi pkg/validation/strfmt. */
#include "base/utf8.h"
#include "rules/cel/calls.h"
#include "rules/cel/objects.h"
#include "value/time.h"
#include "value/url.h"

/* What is wrong with a text; `prefix` is put before the words. */
struct complaints {
    struct cel_evaluation *evaluation;
    const char *prefix;
    struct cel_value items[4];
    uint32_t count;
};

struct named_format {
    const char *name;
    uint64_t weight; /* the length of its regular expression, as Kubernetes counts it */
    void (*check)(struct complaints *complaints, struct bytes text);
};

struct format_object {
    struct cel_object head;
    const struct named_format *format;
};

static void complain(struct complaints *complaints, const char *words)
{
    struct text text;
    text_init(&text, complaints->evaluation->arena);
    text_add(&text, complaints->prefix);
    text_add(&text, words);
    complaints->items[complaints->count++] = cel_text_value(complaints->evaluation, &text);
}

/* ---- names ---- */

static bool is_lower(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
}

static bool is_letter_or_digit(char byte)
{
    return is_lower(byte) || (byte >= 'A' && byte <= 'Z');
}

/* Whether a text begins and ends with such a byte, and has only those and `marks` between them. */
static bool is_word(struct bytes text, bool (*is_end)(char), const char *marks)
{
    for (uint32_t i = 0; i < text.length; i++) {
        bool end = i == 0 || i + 1 == text.length;
        if (!is_end(text.data[i]) && (end || text.data[i] == '\0' || !strchr(marks, text.data[i])))
            return false;
    }
    return text.length > 0;
}

static bool is_label(struct bytes text)
{
    return is_word(text, is_lower, "-");
}

static bool is_subdomain(struct bytes text)
{
    for (;;) {
        const char *dot = text.length ? memchr(text.data, '.', text.length) : NULL;
        struct bytes label = { text.data, dot ? (uint32_t)(dot - text.data) : text.length };
        if (!is_label(label))
            return false;
        if (!dot)
            return true;
        text = (struct bytes){ dot + 1, text.length - label.length - 1 };
    }
}

#define RE_LABEL     "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define RE_SUBDOMAIN RE_LABEL "(\\." RE_LABEL ")*"
#define RE_1035      "[a-z]([-a-z0-9]*[a-z0-9])?"
#define RE_KEY       "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
#define REGEX(re)    "regex used for validation is '" re "')"
#define ENDS         "must start and end with an alphanumeric character"
#define KEY_WORDS    "must consist of alphanumeric characters, '-', '_' or '.', and " ENDS

#define LABEL_WORDS                                                                                                                   \
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and " ENDS                                 \
    " (e.g. 'my-name',  or '123-abc', " REGEX(RE_LABEL)

static void check_label(struct complaints *complaints, struct bytes text)
{
    if (text.length > 63)
        complain(complaints, "must be no more than 63 characters");
    if (!is_label(text))
        complain(complaints, is_subdomain(text) ? "must not contain dots" : LABEL_WORDS);
}

static void check_1035_label(struct complaints *complaints, struct bytes text)
{
    if (text.length > 63)
        complain(complaints, "must be no more than 63 characters");
    if (!is_label(text) || (text.data[0] >= '0' && text.data[0] <= '9'))
        complain(complaints, "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
                             "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', " REGEX(RE_1035));
}

/* Of a text as a whole and of the domain of a name, Kubernetes says it in different words. */
static void check_subdomain(struct complaints *complaints, struct bytes text)
{
    if (text.length > 253)
        complain(complaints, *complaints->prefix ? "must be no more than 253 bytes" : "must be no more than 253 characters");
    if (!is_subdomain(text))
        complain(complaints, "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and "
                             ENDS " (e.g. 'example.com', " REGEX(RE_SUBDOMAIN));
}

/* The beginning of a name may end with a dash: Kubernetes puts an a in the place of the last two bytes. */
static void check_prefix(struct complaints *complaints, struct bytes text, void (*check)(struct complaints *, struct bytes))
{
    char *masked = cel_evaluation_alloc(complaints->evaluation, text.length, 1);
    if (!masked || text.length < 2 || text.data[text.length - 1] != '-') {
        check(complaints, text);
        return;
    }
    memcpy(masked, text.data, text.length);
    masked[text.length - 2] = 'a';
    check(complaints, (struct bytes){ masked, text.length - 1 });
}

static void check_label_prefix(struct complaints *complaints, struct bytes text)
{
    check_prefix(complaints, text, check_label);
}

static void check_1035_label_prefix(struct complaints *complaints, struct bytes text)
{
    check_prefix(complaints, text, check_1035_label);
}

static void check_subdomain_prefix(struct complaints *complaints, struct bytes text)
{
    check_prefix(complaints, text, check_subdomain);
}

static void check_qualified_name(struct complaints *complaints, struct bytes text)
{
    const char *slash = text.length ? memchr(text.data, '/', text.length) : NULL;
    struct bytes name = text;
    if (slash) {
        struct bytes prefix = { text.data, (uint32_t)(slash - text.data) };
        name = (struct bytes){ slash + 1, text.length - prefix.length - 1 };
        if (name.length && memchr(name.data, '/', name.length)) {
            complain(complaints, "a valid label key " KEY_WORDS " (e.g. 'MyName',  or 'my.name',  or '123-abc', " REGEX(RE_KEY)
                                 " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
            return;
        }
        complaints->prefix = "prefix part ";
        if (prefix.length == 0)
            complain(complaints, "must be non-empty");
        else
            check_subdomain(complaints, prefix);
    }
    complaints->prefix = "name part ";
    if (name.length == 0 || name.length > 63)
        complain(complaints, name.length ? "must be no more than 63 bytes" : "must be non-empty");
    if (!is_word(name, is_letter_or_digit, "-_."))
        complain(complaints, KEY_WORDS " (e.g. 'MyName',  or 'my.name',  or '123-abc', " REGEX(RE_KEY));
}

static void check_label_value(struct complaints *complaints, struct bytes text)
{
    if (text.length > 63)
        complain(complaints, "must be no more than 63 bytes");
    if (text.length && !is_word(text, is_letter_or_digit, "-_."))
        complain(complaints, "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and "
                             ENDS " (e.g. 'MyValue',  or 'my_value',  or '12345', " REGEX("(" RE_KEY ")?"));
}

/* ---- others ---- */

static void check_uri(struct complaints *complaints, struct bytes text)
{
    struct url url;
    struct url_error error;
    struct text words;
    if (url_read_request(text, complaints->evaluation->arena, &url, &error) || !error.words)
        return; /* call_validate() sees a failure of the arena */
    text_init(&words, complaints->evaluation->arena);
    url_add_error(&words, text, &error, text.length);
    complaints->items[complaints->count++] = cel_text_value(complaints->evaluation, &words);
}

static bool is_hex(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

/* Each dash may be missing. */
static void check_uuid(struct complaints *complaints, struct bytes text)
{
    static const unsigned char groups[] = { 8, 4, 4, 4, 12 };
    uint32_t at = 0;
    bool good = true;
    for (size_t i = 0; i < sizeof groups && good; i++) {
        at += i && at < text.length && text.data[at] == '-';
        for (unsigned digit = 0; digit < groups[i] && good; digit++, at++)
            good = at < text.length && is_hex(text.data[at]);
    }
    if (!good || at != text.length)
        complain(complaints, "does not match the UUID format");
}

/* Not empty, with padding. */
static void check_byte(struct complaints *complaints, struct bytes text)
{
    uint32_t length = text.length, padding = 0;
    while (padding < 2 && padding < length && text.data[length - 1 - padding] == '=')
        padding++;
    bool good = length > 0 && length % 4 == 0;
    for (uint32_t i = 0; i + padding < length && good; i++)
        good = is_letter_or_digit(text.data[i]) || text.data[i] == '+' || text.data[i] == '/';
    if (!good)
        complain(complaints, "invalid base64");
}

static bool is_date(struct bytes text)
{
    enum { DATE_BYTES = 10 };
    static const char midnight[] = "T00:00:00Z";
    char whole[DATE_BYTES + sizeof midnight];
    struct instant instant;
    if (text.length != DATE_BYTES)
        return false;
    memcpy(whole, text.data, DATE_BYTES);
    memcpy(whole + DATE_BYTES, midnight, sizeof midnight);
    return instant_read(bytes_of(whole), &instant);
}

static void check_date(struct complaints *complaints, struct bytes text)
{
    if (!is_date(text))
        complain(complaints, "invalid date");
}

static bool take_digit(struct bytes *text)
{
    if (text->length == 0 || *text->data < '0' || *text->data > '9')
        return false;
    text->data++;
    text->length--;
    return true;
}

static bool take_byte(struct bytes *text, const char *bytes)
{
    if (text->length == 0 || *text->data == '\0' || !strchr(bytes, *text->data))
        return false;
    text->data++;
    text->length--;
    return true;
}

/* Two digits, at most `most`. */
static bool take_pair(struct bytes *text, const char *most)
{
    const char *start = text->data;
    return take_digit(text) && take_digit(text) && memcmp(start, most, 2) <= 0;
}

/* Z, or hours and minutes of any size, and nothing after it. */
static bool is_zone(struct bytes text)
{
    if (take_byte(&text, "zZ"))
        return text.length == 0;
    return take_byte(&text, "+-") && take_pair(&text, "99") && take_byte(&text, ":") && take_pair(&text, "99") && text.length == 0;
}

/* What is after a T, up to the next. Any character may stand before the digits of a fraction. */
static bool is_clock(struct bytes text)
{
    uint32_t code;
    if (!take_pair(&text, "23") || !take_byte(&text, ":") || !take_pair(&text, "59") || !take_byte(&text, ":") || !take_pair(&text, "59"))
        return false;
    if (is_zone(text))
        return true;
    unsigned mark = text.length ? utf8_decode((const unsigned char *)text.data, text.length, &code) : 0;
    if (mark == 0 || code == '\n')
        return false;
    text = (struct bytes){ text.data + mark, text.length - mark };
    if (!take_digit(&text))
        return false;
    while (take_digit(&text))
        continue;
    return is_zone(text);
}

static struct bytes until_t(struct bytes text)
{
    uint32_t length = 0;
    while (length < text.length && (text.data[length] | 0x20) != 't')
        length++;
    return (struct bytes){ text.data, length };
}

static void check_datetime(struct complaints *complaints, struct bytes text)
{
    struct bytes date = until_t(text);
    struct bytes rest = { text.data + date.length + 1, text.length - date.length - 1 };
    if (date.length == text.length || !is_date(date) || !is_clock(until_t(rest)))
        complain(complaints, "invalid datetime");
}

/* ---- functions ---- */

static const struct named_format formats[] = {
    { "byte", 84, check_byte },
    { "date", 71, check_date },
    { "datetime", 71, check_datetime },
    { "dns1035Label", 30, check_1035_label },
    { "dns1035LabelPrefix", 30, check_1035_label_prefix },
    { "dns1123Label", 30, check_label },
    { "dns1123LabelPrefix", 30, check_label_prefix },
    { "dns1123Subdomain", 60, check_subdomain },
    { "dns1123SubdomainPrefix", 60, check_subdomain_prefix },
    { "labelValue", 40, check_label_value },
    { "qualifiedName", 60, check_qualified_name },
    { "uri", 1103, check_uri },
    { "uuid", 70, check_uuid },
};

/* The format of that name; CEL_OPTIONAL without a value: there is none. */
static struct cel_value find(struct cel_evaluation *evaluation, struct bytes name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!bytes_equal_text(name, formats[i].name))
            continue;
        struct format_object *object = cel_evaluation_alloc(evaluation, 1, sizeof *object);
        if (!object)
            return cel_stopped(evaluation);
        *object = (struct format_object){ { &named_format_class, false }, &formats[i] };
        return cel_object_value(&object->head);
    }
    return cel_optional(NULL);
}

/* format.uuid() and the like: the function's name says which. */
struct cel_value call_named_format(const struct cel_invocation *call)
{
    return find(call->evaluation, bytes_of(call->function->name + strlen("format.")));
}

struct cel_value call_format_named(const struct cel_invocation *call)
{
    struct cel_value format = find(call->evaluation, call->arguments->text);
    const struct cel_value *kept = format.type == CEL_STRUCT ? cel_value_keep(call->evaluation, &format) : NULL;
    if (format.type != CEL_STRUCT)
        return format;
    return kept ? cel_optional(kept) : cel_stopped(call->evaluation);
}

/* An optional list of what is wrong; without a value where nothing is. */
struct cel_value call_validate(const struct cel_invocation *call)
{
    struct cel_evaluation *evaluation = call->evaluation;
    struct complaints complaints = { .evaluation = evaluation, .prefix = "" };
    if (!cel_is_object(&call->arguments[0], &named_format_class) || call->arguments[1].type != CEL_STRING)
        return cel_no_overload(evaluation);
    ((const struct format_object *)call->arguments[0].object)->format->check(&complaints, call->arguments[1].text);
    size_t size = complaints.count * sizeof *complaints.items;
    struct cel_value *items = cel_evaluation_alloc(evaluation, complaints.count, sizeof *items);
    if (!items)
        return cel_stopped(evaluation);
    if (complaints.count == 0)
        return cel_optional(NULL);
    struct cel_value list = cel_list_of(memcpy(items, complaints.items, size), complaints.count);
    const struct cel_value *kept = cel_value_keep(evaluation, &list);
    return kept ? cel_optional(kept) : cel_stopped(evaluation);
}

/* ---- as values ---- */

static enum cel_equality_result equal(const struct cel_object *a, const struct cel_object *b)
{
    const struct format_object *left = (const struct format_object *)a, *right = (const struct format_object *)b;
    return left->format == right->format ? CEL_EQUAL : CEL_DIFFERENT;
}

static uint64_t weight(const struct cel_object *object)
{
    return ((const struct format_object *)object)->format->weight;
}

static void print(const struct cel_object *object, struct text *text)
{
    text_add(text, ((const struct format_object *)object)->format->name);
}

const struct cel_object_class named_format_class = {
    .type = "kubernetes.NamedFormat", .equal = equal, .print = print, .keeps = true, .weight = weight,
};
