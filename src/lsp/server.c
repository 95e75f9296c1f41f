/* Requests and notifications, one after the other; diagnostics and the workspace's files when nothing else is to do. */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "lsp/place.h"
#include "review/configuration.h"
#include "validate/context.h"

/* ---- the session ---- */

static bool offers_utf8(const cJSON *parameters)
{
    const cJSON *encoding;
    cJSON_ArrayForEach(encoding, lsp_member(parameters, "capabilities.general.positionEncodings"))
        if (cJSON_IsString(encoding) && strcmp(encoding->valuestring, "utf-8") == 0)
            return true;
    return false;
}

/* What this server can do. NULL: no memory. */
static cJSON *capabilities(const struct lsp *lsp)
{
    static const char json[] =
        "{\"capabilities\":{\"positionEncoding\":\"utf-16\",\"textDocumentSync\":{\"openClose\":true,\"change\":2,\"save\":{}},"
        "\"hoverProvider\":true,\"completionProvider\":{\"triggerCharacters\":[\":\",\" \",\"\\\"\"]},"
        "\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\"]},"
        "\"workspace\":{\"workspaceFolders\":{\"supported\":true}}},\"serverInfo\":{\"name\":\"drawbridge\"}}";
    cJSON *result = cJSON_Parse(json);
    cJSON *encoding = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(result, "capabilities"), "positionEncoding");
    cJSON *program = cJSON_GetObjectItemCaseSensitive(result, "serverInfo");
    if (result && (!lsp->utf8 || cJSON_SetValuestring(encoding, "utf-8")) &&
        cJSON_AddStringToObject(program, "version", lsp->settings->program_version))
        return result;
    cJSON_Delete(result);
    return NULL;
}

static void add_folder(struct lsp *lsp, const char *uri)
{
    char *path = lsp_path_of_uri(uri);
    if (path && lsp->folder_count < LIMIT_LSP_FOLDERS)
        lsp->folders[lsp->folder_count++] = path;
    else
        free(path);
}

static cJSON *initialize(struct lsp *lsp, const cJSON *parameters)
{
    const cJSON *folder, *folders = lsp_member(parameters, "workspaceFolders");
    lsp->utf8 = offers_utf8(parameters);
    lsp->initialized = true;
    cJSON_ArrayForEach(folder, folders)
        add_folder(lsp, lsp_text(folder, "uri"));
    if (!cJSON_IsArray(folders) || !folders->child)
        add_folder(lsp, lsp_text(parameters, "rootUri"));
    return capabilities(lsp);
}

static cJSON *end(struct lsp *lsp, const cJSON *parameters)
{
    (void)parameters;
    lsp->ending = true;
    return cJSON_CreateNull();
}

/* ---- texts ---- */

static struct lsp_file *open_file(struct lsp *lsp, const cJSON *document, bool make)
{
    const char *uri = lsp_text(document, "uri");
    struct lsp_file *file = make ? lsp_file_get(lsp, uri) : lsp_file_find(lsp, uri);
    if (file)
        file->version = lsp_number(document, "version", -1);
    return file;
}

static void did_open(struct lsp *lsp, const cJSON *parameters)
{
    const cJSON *document = lsp_member(parameters, "textDocument");
    struct lsp_file *file = open_file(lsp, document, true);
    if (!file)
        return;
    file->open = true;
    if (!lsp_file_set(lsp, file, bytes_of(lsp_text(document, "text"))))
        file->open = false;
}

static void did_change(struct lsp *lsp, const cJSON *parameters)
{
    struct lsp_file *file = open_file(lsp, lsp_member(parameters, "textDocument"), false);
    const cJSON *change;
    if (!file || !file->open)
        return;
    cJSON_ArrayForEach(change, lsp_member(parameters, "contentChanges")) {
        const cJSON *range = lsp_member(change, "range");
        const struct bytes text = buffer_bytes(&file->text);
        uint32_t from = range ? lsp_offset(text, lsp_member(range, "start"), lsp->utf8) : 0;
        uint32_t to = range ? lsp_offset(text, lsp_member(range, "end"), lsp->utf8) : text.length;
        if (!lsp_file_edit(lsp, file, from, to < from ? from : to, bytes_of(lsp_text(change, "text")))) {
            file->open = false; /* it is too long, or there is no memory: nothing more is said about it */
            return;
        }
    }
}

static void did_close(struct lsp *lsp, const cJSON *parameters)
{
    struct lsp_file *file = lsp_file_find(lsp, lsp_text(lsp_member(parameters, "textDocument"), "uri"));
    if (!file)
        return;
    file->open = false;
    file->version = -1;
    lsp_file_load(lsp, file);
}

/* What is in force may be another thing, once a configuration was written. */
static void note_written(struct lsp *lsp, const char *uri)
{
    const char *slash = strrchr(uri, '/');
    if (slash && strcmp(slash + 1, CONFIGURATION_NAME) == 0)
        lsp_files_regroup(lsp);
}

static void did_save(struct lsp *lsp, const cJSON *parameters)
{
    note_written(lsp, lsp_text(lsp_member(parameters, "textDocument"), "uri"));
}

static void did_change_files(struct lsp *lsp, const cJSON *parameters)
{
    const cJSON *change;
    cJSON_ArrayForEach(change, lsp_member(parameters, "changes")) {
        struct lsp_file *file = lsp_file_get(lsp, lsp_text(change, "uri"));
        note_written(lsp, lsp_text(change, "uri"));
        if (file && !file->open)
            lsp_file_load(lsp, file);
    }
}

static void did_change_folders(struct lsp *lsp, const cJSON *parameters)
{
    const cJSON *folder;
    cJSON_ArrayForEach(folder, lsp_member(parameters, "event.added"))
        add_folder(lsp, lsp_text(folder, "uri"));
}

/* ---- messages ---- */

static const struct {
    const char *method;
    cJSON *(*answer)(struct lsp *lsp, const cJSON *parameters); /* the result; NULL: no memory */
} requests[] = {
    { "initialize", initialize },
    { "shutdown", end },
    { "textDocument/hover", lsp_hover },
    { "textDocument/completion", lsp_completion },
    { "textDocument/codeAction", lsp_code_action },
};

static const struct {
    const char *method;
    void (*take)(struct lsp *lsp, const cJSON *parameters);
} notifications[] = {
    { "textDocument/didOpen", did_open },
    { "textDocument/didChange", did_change },
    { "textDocument/didClose", did_close },
    { "textDocument/didSave", did_save },
    { "workspace/didChangeWatchedFiles", did_change_files },
    { "workspace/didChangeWorkspaceFolders", did_change_folders },
};

/* What lacks words, as there was no memory for them, is no answer. */
static void answer_with(struct lsp *lsp, const cJSON *id, cJSON *result)
{
    lsp->output.failed |= lsp->arena.failure == FAILURE_MEMORY;
    if (!lsp->output.failed)
        lsp_answer(&lsp->output, id, result);
    else
        cJSON_Delete(result);
}

static void answer(struct lsp *lsp, const char *method, const cJSON *id, const cJSON *parameters)
{
    size_t i = 0;
    while (i < sizeof requests / sizeof *requests && strcmp(requests[i].method, method) != 0)
        i++;
    if (i == sizeof requests / sizeof *requests)
        lsp_refuse(&lsp->output, id, LSP_METHOD_NOT_FOUND, "no such method");
    else if (i > 0 && !lsp->initialized)
        lsp_refuse(&lsp->output, id, LSP_NOT_INITIALIZED, "initialize comes first");
    else if (lsp->ending)
        lsp_refuse(&lsp->output, id, LSP_INVALID_REQUEST, "the server is shutting down");
    else if (lsp_refresh(lsp))
        lsp->output.failed = true;
    else
        answer_with(lsp, id, requests[i].answer(lsp, parameters));
}

static void take_notification(struct lsp *lsp, const char *method, const cJSON *parameters)
{
    for (size_t i = 0; i < sizeof notifications / sizeof *notifications && lsp->initialized; i++)
        if (strcmp(notifications[i].method, method) == 0)
            notifications[i].take(lsp, parameters);
}

/* False: it was the last one. */
static bool take_message(struct lsp *lsp, struct bytes text)
{
    cJSON *message = cJSON_ParseWithLength(text.data, text.length);
    const char *method = lsp_text(message, "method");
    const cJSON *id = lsp_member(message, "id"), *parameters = lsp_member(message, "params");
    bool last = strcmp(method, "exit") == 0;
    arena_clear(&lsp->arena);
    if (!message)
        lsp_refuse(&lsp->output, NULL, LSP_PARSE_ERROR, "not JSON");
    else if (!*method && !lsp_member(message, "result") && !lsp_member(message, "error"))
        lsp_refuse(&lsp->output, id, LSP_INVALID_REQUEST, "no method");
    else if (id && *method)
        answer(lsp, method, id, parameters);
    else if (*method)
        take_notification(lsp, method, parameters);
    cJSON_Delete(message);
    return !last;
}

/* What is left to do while no message comes: first what people wait for. False: nothing. */
static bool work(struct lsp *lsp)
{
    if (lsp->stale || (lsp->loaded && lsp->found_next == lsp->found_count)) {
        lsp_diagnose(lsp);
        return true;
    }
    if (lsp_files_load_next(lsp))
        return true;
    if (!lsp->folder_count)
        return false;
    char *folder = lsp->folders[--lsp->folder_count];
    lsp_files_search(lsp, folder);
    free(folder);
    return true;
}

/* Returns whether shutdown came before the end. */
static bool serve(struct lsp *lsp, struct lsp_input *input)
{
    struct bytes message;
    for (bool busy = true; !lsp->output.failed;) {
        switch (lsp_input_next(input, busy ? 0 : -1, &message)) {
        case LSP_READ_MESSAGE:
            if (!take_message(lsp, message))
                return lsp->ending;
            busy = true;
            break;
        case LSP_READ_NOTHING:
            busy = work(lsp);
            break;
        case LSP_READ_END:
        case LSP_READ_BROKEN:
            return false;
        }
    }
    return false;
}

bool lsp_serve(int input, FILE *output, const struct lsp_settings *settings, enum failure *failure)
{
    struct lsp lsp = { .output = { .out = output }, .settings = settings };
    struct lsp_input in = { .descriptor = input };
    bool good = false;
    *failure = context_init(&lsp.context, &memory_malloc);
    if (*failure)
        return false;
    *failure = workspace_init(&lsp.workspace, &lsp.context);
    if (!*failure) {
        arena_init(&lsp.arena, &memory_malloc, LIMIT_LSP_REQUEST_BYTES);
        good = serve(&lsp, &in);
        *failure = lsp.output.failed && !ferror(output) ? FAILURE_MEMORY : in.failure;
        lsp_files_done(&lsp);
        lsp_input_done(&in);
        arena_done(&lsp.arena);
        workspace_done(&lsp.workspace);
    }
    context_done(&lsp.context);
    return good;
}
