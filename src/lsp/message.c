#include "lsp/message.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lsp/limits.h"

enum { READ_BYTES = 64 * 1024, NAME_BYTES = 64 };

void lsp_input_done(struct lsp_input *input)
{
    free(input->data);
    *input = (struct lsp_input){ .descriptor = -1 };
}

/* ---- reading ---- */

/* Makes room for that many bytes after `start`, and for READ_BYTES more. */
static bool make_room(struct lsp_input *input, size_t wanted)
{
    if (input->start) {
        memmove(input->data, input->data + input->start, input->end - input->start);
        input->end -= input->start;
        input->start = 0;
    }
    if (input->capacity >= wanted + READ_BYTES)
        return true;
    size_t capacity = 2 * wanted + READ_BYTES;
    char *data = realloc(input->data, capacity);
    if (!data)
        return false;
    input->data = data;
    input->capacity = capacity;
    return true;
}

static enum lsp_read fail(struct lsp_input *input, enum failure failure)
{
    input->failure = failure;
    return LSP_READ_BROKEN;
}

/* Reads what is there. LSP_READ_MESSAGE: something was. */
static enum lsp_read read_more(struct lsp_input *input, size_t wanted, int milliseconds)
{
    struct pollfd ready = { .fd = input->descriptor, .events = POLLIN };
    int events;
    do
        events = poll(&ready, 1, milliseconds);
    while (events < 0 && errno == EINTR);
    if (events == 0)
        return LSP_READ_NOTHING;
    if (events < 0)
        return fail(input, FAILURE_INPUT);
    if (!make_room(input, wanted))
        return fail(input, FAILURE_MEMORY);
    ssize_t count = read(input->descriptor, input->data + input->end, input->capacity - input->end);
    if (count < 0)
        return errno == EINTR || errno == EAGAIN ? LSP_READ_MESSAGE : fail(input, FAILURE_INPUT);
    input->end += (size_t)count;
    return count ? LSP_READ_MESSAGE : LSP_READ_END;
}

/* The value of Content-Length in a header; -1: there is none, or it is too large. */
static long content_length(const char *header, size_t length)
{
    static const char name[] = "Content-Length:";
    for (const char *line = header, *end = header + length; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        size_t bytes = (size_t)((next ? next : end) - line);
        if (bytes > sizeof name - 1 && bytes < NAME_BYTES && strncasecmp(line, name, sizeof name - 1) == 0) {
            char digits[NAME_BYTES], *after;
            memcpy(digits, line + sizeof name - 1, bytes - (sizeof name - 1));
            digits[bytes - (sizeof name - 1)] = '\0';
            errno = 0;
            long value = strtol(digits, &after, 10);
            return errno || after == digits || value < 0 || value > (long)LIMIT_LSP_MESSAGE_BYTES ? -1 : value;
        }
        line = next ? next + 1 : end;
    }
    return -1;
}

/* Whether a whole message is there. Sets *wanted to the bytes that are needed for it, or for its header. */
static enum lsp_read take(struct lsp_input *input, size_t *wanted, struct bytes *message)
{
    const char *data = input->data + input->start;
    size_t left = input->end - input->start;
    const char *end = left ? memmem(data, left, "\r\n\r\n", 4) : NULL;
    *wanted = left;
    if (!end)
        return left > LIMIT_LSP_HEADER_BYTES ? LSP_READ_BROKEN : LSP_READ_NOTHING;
    size_t header = (size_t)(end - data) + 4;
    long length = header > LIMIT_LSP_HEADER_BYTES ? -1 : content_length(data, header);
    if (length < 0)
        return LSP_READ_BROKEN;
    *wanted = header + (size_t)length;
    if (left < *wanted)
        return LSP_READ_NOTHING;
    *message = (struct bytes){ data + header, (uint32_t)length };
    input->start += *wanted;
    return LSP_READ_MESSAGE;
}

enum lsp_read lsp_input_next(struct lsp_input *input, int milliseconds, struct bytes *message)
{
    size_t wanted;
    for (;;) {
        enum lsp_read result = take(input, &wanted, message);
        if (result != LSP_READ_NOTHING)
            return result;
        result = read_more(input, wanted, milliseconds);
        if (result == LSP_READ_END && input->end > input->start)
            return LSP_READ_BROKEN; /* it ends in the middle of a message */
        if (result != LSP_READ_MESSAGE)
            return result;
    }
}

/* ---- writing ---- */

/* Sends a message and frees it. NULL: there was no memory for it. */
static void send_message(struct lsp_output *output, cJSON *message)
{
    char *text = message ? cJSON_PrintUnformatted(message) : NULL;
    cJSON_Delete(message);
    if (!text || fprintf(output->out, "Content-Length: %zu\r\n\r\n%s", strlen(text), text) < 0 || fflush(output->out))
        output->failed = true;
    free(text);
}

/* A message with a member that is taken. */
static cJSON *message_with(const char *name, cJSON *value)
{
    cJSON *message = cJSON_CreateObject();
    if (value && message && cJSON_AddStringToObject(message, "jsonrpc", "2.0") && cJSON_AddItemToObject(message, name, value))
        return message;
    cJSON_Delete(value);
    cJSON_Delete(message);
    return NULL;
}

static cJSON *with_id(cJSON *message, const cJSON *id)
{
    cJSON *copy = id ? cJSON_Duplicate(id, true) : cJSON_CreateNull();
    if (message && copy && cJSON_AddItemToObject(message, "id", copy))
        return message;
    cJSON_Delete(copy);
    cJSON_Delete(message);
    return NULL;
}

void lsp_answer(struct lsp_output *output, const cJSON *id, cJSON *result)
{
    send_message(output, with_id(message_with("result", result), id));
}

void lsp_refuse(struct lsp_output *output, const cJSON *id, enum lsp_error code, const char *message)
{
    cJSON *error = cJSON_CreateObject();
    if (error && cJSON_AddNumberToObject(error, "code", code) && cJSON_AddStringToObject(error, "message", message)) {
        send_message(output, with_id(message_with("error", error), id));
        return;
    }
    cJSON_Delete(error);
    output->failed = true;
}

void lsp_notify(struct lsp_output *output, const char *method, cJSON *params)
{
    cJSON *message = message_with("params", params);
    if (message && cJSON_AddStringToObject(message, "method", method)) {
        send_message(output, message);
        return;
    }
    cJSON_Delete(message);
    output->failed = true;
}

/* ---- members ---- */

const char *lsp_text(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

double lsp_number(const cJSON *object, const char *name, double none)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(number) ? number->valuedouble : none;
}

const cJSON *lsp_member(const cJSON *object, const char *path)
{
    while (object) {
        char name[NAME_BYTES];
        size_t length = strcspn(path, ".");
        if (length >= sizeof name)
            return NULL;
        memcpy(name, path, length);
        name[length] = '\0';
        object = cJSON_GetObjectItemCaseSensitive(object, name);
        if (!path[length])
            return object;
        path += length + 1;
    }
    return NULL;
}
