/* Messages of the Language Server Protocol 3.17 over two descriptors: a header with Content-Length, then JSON-RPC 2.0. */
#ifndef DRAWBRIDGE_LSP_MESSAGE_H
#define DRAWBRIDGE_LSP_MESSAGE_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "base/bytes.h"
#include "base/failure.h"

struct lsp_input {
    int descriptor;          /* not owned */
    char *data;              /* owned; from malloc */
    size_t capacity;
    size_t start, end;       /* the bytes that were read and not taken */
    enum failure failure;    /* why it is broken: FAILURE_MEMORY, FAILURE_INPUT if it cannot be read; else by what has come */
};

void lsp_input_done(struct lsp_input *input);

enum lsp_read {
    LSP_READ_MESSAGE,
    LSP_READ_NOTHING, /* nothing has come in time */
    LSP_READ_END,
    LSP_READ_BROKEN,  /* no header, one that is too long, a message of more than LIMIT_LSP_MESSAGE_BYTES, no memory, a failed read */
};

/* The next message, without its header, until the next call. Waits as long as that, for ever if it is -1. */
enum lsp_read lsp_input_next(struct lsp_input *input, int milliseconds, struct bytes *message);

struct lsp_output {
    FILE *out;   /* not owned */
    bool failed; /* no memory, or it cannot be written */
};

/* Sends the answer to a request. Takes `result`, NULL for lack of memory; `id` is copied. */
void lsp_answer(struct lsp_output *output, const cJSON *id, cJSON *result);

/* Codes of JSON-RPC and of the protocol. */
enum lsp_error {
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_METHOD_NOT_FOUND = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_NOT_INITIALIZED = -32002,
};

void lsp_refuse(struct lsp_output *output, const cJSON *id, enum lsp_error code, const char *message);

/* Sends a notification. Takes `params`. */
void lsp_notify(struct lsp_output *output, const char *method, cJSON *params);

/* Reads of a message: the text, number or member; "" , `none` or NULL if it is of another type. */
const char *lsp_text(const cJSON *object, const char *name);
double lsp_number(const cJSON *object, const char *name, double none);
const cJSON *lsp_member(const cJSON *object, const char *path); /* "textDocument.uri" */

#endif
