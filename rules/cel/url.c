/* URLs in expressions. Source: k8s.io/apiserver v0.35.4 pkg/cel/library/urls.go. */
#include "value/url.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "rules/cel/calls.h"
#include "rules/cel/objects.h"

struct url_object {
    struct cel_object head;
    struct url url;
    struct bytes whole; /* as Go writes it: what == compares */
};

/* ---- reading ---- */

void url_add_error(struct text *text, struct bytes url, const struct url_error *error, size_t limit)
{
    text_add(text, "parse ");
    text_add_quoted(text, url, limit);
    text_add(text, ": ");
    text_add(text, error->words);
    if (!error->after)
        return;
    text_add_quoted(text, error->about, limit);
    text_add(text, error->after);
}

static struct cel_value parse_error(struct cel_evaluation *evaluation, struct bytes text, const struct url_error *error)
{
    struct text words;
    text_init(&words, evaluation->arena);
    text_add(&words, "URL parse error during conversion from string: ");
    url_add_error(&words, text, error, LIMIT_QUOTE_BYTES);
    struct cel_value made = cel_text_value(evaluation, &words);
    return made.type == CEL_STRING ? cel_fail(evaluation, made.text.data) : made;
}

/* The error of an evaluation whose arena failed. */
static struct cel_value no_memory(struct cel_evaluation *evaluation)
{
    return object_fail(evaluation, NULL, (struct bytes){ NULL, 0 });
}

/* It must be what a client may request, and is read anew: a fragment is part of it then. */
struct cel_value call_url(const struct cel_invocation *call)
{
    struct cel_evaluation *evaluation = call->evaluation;
    struct bytes text = call->arguments->text;
    struct url_error error;
    struct url_object *object = cel_evaluation_alloc(evaluation, 1, sizeof *object);
    if (!object)
        return cel_stopped(evaluation);
    object->head = (struct cel_object){ &url_class, false };
    if (url_read_request(text, evaluation->arena, &object->url, &error) ||
        (!error.words && url_read(text, evaluation->arena, &object->url, &error)))
        return no_memory(evaluation);
    if (error.words)
        return parse_error(evaluation, text, &error);
    struct text whole;
    text_init(&whole, evaluation->arena);
    url_add(&object->url, &whole);
    struct cel_value made = cel_text_value(evaluation, &whole);
    object->whole = made.text;
    return made.type == CEL_STRING ? cel_object_value(&object->head) : made;
}

struct cel_value call_is_url(const struct cel_invocation *call)
{
    struct url url;
    struct url_error error;
    struct bytes text = call->arguments->text;
    if (!cel_steps(call->evaluation, text.length))
        return cel_stopped(call->evaluation);
    if (url_read_request(text, call->evaluation->arena, &url, &error))
        return no_memory(call->evaluation);
    return cel_boolean(!error.words);
}

/* ---- parts ---- */

/* A decoded text as a value: what is no UTF-8 in it is replaced, as Go does where it looks at characters. */
static struct cel_value decoded_text(struct cel_evaluation *evaluation, struct bytes decoded)
{
    if (utf8_is_valid(decoded))
        return cel_string(decoded);
    struct text text;
    text_init(&text, evaluation->arena);
    while (decoded.length) {
        uint32_t code;
        unsigned length = utf8_decode((const unsigned char *)decoded.data, decoded.length, &code);
        if (length)
            text_add_bytes(&text, (struct bytes){ decoded.data, length });
        else
            text_add(&text, UTF8_REPLACEMENT);
        decoded.data += length ? length : 1;
        decoded.length -= length ? length : 1;
    }
    return cel_text_value(evaluation, &text);
}

/* What is called on; NULL: it is no URL, or the evaluation is stopped. */
static const struct url *receiver(const struct cel_invocation *call)
{
    const struct cel_value *value = call->arguments;
    if (!cel_is_object(value, &url_class))
        return NULL;
    const struct url_object *object = (const struct url_object *)value->object;
    return cel_steps(call->evaluation, object->whole.length) ? &object->url : NULL;
}

static struct cel_value no_receiver(const struct cel_invocation *call)
{
    return call->evaluation->stopped ? cel_stopped(call->evaluation) : cel_no_overload(call->evaluation);
}

struct cel_value call_get_scheme(const struct cel_invocation *call)
{
    const struct url *url = receiver(call);
    return url ? cel_string(url->scheme) : no_receiver(call);
}

struct cel_value call_get_host(const struct cel_invocation *call)
{
    const struct url *url = receiver(call);
    return url ? decoded_text(call->evaluation, url->host) : no_receiver(call);
}

struct cel_value call_get_hostname(const struct cel_invocation *call)
{
    struct bytes name, port;
    const struct url *url = receiver(call);
    if (!url)
        return no_receiver(call);
    url_split_host(url->host, &name, &port);
    return decoded_text(call->evaluation, name);
}

struct cel_value call_get_port(const struct cel_invocation *call)
{
    struct bytes name, port;
    const struct url *url = receiver(call);
    if (!url)
        return no_receiver(call);
    url_split_host(url->host, &name, &port);
    return cel_string(port);
}

struct cel_value call_get_escaped_path(const struct cel_invocation *call)
{
    struct text text;
    const struct url *url = receiver(call);
    if (!url)
        return no_receiver(call);
    text_init(&text, call->evaluation->arena);
    url_add_path(url, &text);
    return cel_text_value(call->evaluation, &text);
}

/* ---- queries ---- */

struct parameter {
    struct cel_value value;
    uint32_t group; /* its name's number */
};

static struct bytes take_until(struct bytes *rest, char byte)
{
    const char *at = rest->length ? memchr(rest->data, byte, rest->length) : NULL;
    struct bytes taken = { rest->data, at ? (uint32_t)(at - rest->data) : rest->length };
    uint32_t used = taken.length + (at != NULL);
    rest->data += used;
    rest->length -= used;
    return taken;
}

/* Reads one name=value. False: it does not count. */
static bool read_parameter(struct cel_evaluation *evaluation, struct bytes text, struct cel_value *name, struct cel_value *value)
{
    struct bytes decoded_name, decoded_value;
    if (text.length == 0 || memchr(text.data, ';', text.length))
        return false;
    struct bytes written_name = take_until(&text, '=');
    if (!url_decode_query(written_name, evaluation->arena, &decoded_name) || !url_decode_query(text, evaluation->arena, &decoded_value))
        return false;
    *name = decoded_text(evaluation, decoded_name);
    *value = decoded_text(evaluation, decoded_value);
    return name->type == CEL_STRING && value->type == CEL_STRING;
}

/* Reads all parameters. *names: from names to their numbers. Returns their count. */
static uint32_t read_parameters(struct cel_evaluation *evaluation, struct bytes query, struct parameter *parameters,
                                struct cel_table *names)
{
    uint32_t count = 0;
    while (query.length && !evaluation->arena->failure) {
        struct cel_pair pair;
        if (!read_parameter(evaluation, take_until(&query, '&'), &pair.key, &parameters[count].value))
            continue;
        struct cel_pair *there = cel_table_exact(names, &pair.key);
        pair.value = cel_unsigned(names->count);
        parameters[count++].group = there ? (uint32_t)there->value.unsigned_integer : names->count;
        if (!there && !cel_table_add(names, evaluation->arena, &pair))
            break;
    }
    return count;
}

/* Puts a list of values in the place of each name's number. False: the evaluation is stopped. */
static bool make_lists(struct cel_evaluation *evaluation, const struct parameter *parameters, uint32_t count, struct cel_table *names)
{
    struct cel_value *items = cel_evaluation_alloc(evaluation, count, sizeof *items);
    uint32_t *ends = cel_evaluation_alloc(evaluation, names->count, sizeof *ends), start = 0;
    if (!items || !ends)
        return false;
    memset(ends, 0, names->count * sizeof *ends);
    for (uint32_t i = 0; i < count; i++)
        ends[parameters[i].group]++;
    for (uint32_t i = 0; i < names->count; i++) {
        names->pairs[i].value = cel_list_of(items + start, ends[i]);
        start += ends[i];
        ends[i] = start;
    }
    for (uint32_t i = count; i-- > 0;)
        items[--ends[parameters[i].group]] = parameters[i].value;
    return true;
}

struct cel_value call_get_query(const struct cel_invocation *call)
{
    enum { GO_PARAMETERS = 10000 }; /* Go reads no query with more */
    struct cel_evaluation *evaluation = call->evaluation;
    const struct url *url = receiver(call);
    if (!url)
        return no_receiver(call);
    uint32_t most = 1;
    for (uint32_t i = 0; i < url->query.length; i++)
        most += url->query.data[i] == '&';
    struct bytes query = most > GO_PARAMETERS ? (struct bytes){ NULL, 0 } : url->query;
    struct parameter *parameters = cel_evaluation_alloc(evaluation, most, sizeof *parameters);
    struct cel_table *names = cel_table_new(evaluation->arena, 0);
    if (!parameters || !names)
        return no_memory(evaluation);
    uint32_t count = read_parameters(evaluation, query, parameters, names);
    if (evaluation->arena->failure || !make_lists(evaluation, parameters, count, names))
        return no_memory(evaluation);
    return (struct cel_value){ .type = CEL_MAP, .map = { .table = names } };
}

/* ---- as values ---- */

static enum cel_equality_result equal(const struct cel_object *a, const struct cel_object *b)
{
    const struct url_object *left = (const struct url_object *)a, *right = (const struct url_object *)b;
    return bytes_equal(left->whole, right->whole) ? CEL_EQUAL : CEL_DIFFERENT;
}

static void print(const struct cel_object *object, struct text *text)
{
    text_add_bytes(text, ((const struct url_object *)object)->whole);
}

const struct cel_object_class url_class = { .type = "kubernetes.URL", .equal = equal, .print = print };
