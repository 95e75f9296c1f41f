/* Users' files with the parameters of drivers. */
#include "library/library.h"

#include "base/limits.h"

/* Reads the text, or keeps what is wrong with it. */
static enum failure read_drivers(struct drawbridge_drivers *made, const struct context *context, struct bytes text)
{
    struct workspace workspace;
    enum failure failure = workspace_init(&workspace, context);
    if (failure)
        return failure;
    failure = driver_file_read(&made->file, &workspace, text, &made->mistake);
    workspace_done(&workspace);
    made->is_wrong = failure == FAILURE_SYNTAX;
    return made->is_wrong ? FAILURE_NONE : failure;
}

enum drawbridge_result drawbridge_drivers_new(const struct drawbridge_context *context, const struct drawbridge_text *text,
                                              struct drawbridge_drivers **drivers)
{
    struct bytes bytes;
    if (!context || !text || !drivers)
        return DRAWBRIDGE_BAD_ARGUMENT;
    enum drawbridge_result result = library_text(text, &bytes);
    if (result)
        return result;
    struct drawbridge_drivers *made = context->memory.allocate(sizeof *made, context->memory.data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    *made = (struct drawbridge_drivers){ .memory = context->memory };
    enum failure failure = read_drivers(made, &context->context, bytes);
    if (failure) {
        made->memory.release(made, made->memory.data);
        return library_result(failure);
    }
    made->error = (struct drawbridge_error){
        .message = made->mistake.text, .source = "", .path = "", .line = made->mistake.line, .column = made->mistake.column,
    };
    *drivers = made;
    return DRAWBRIDGE_OK;
}

const struct drawbridge_error *drawbridge_drivers_error(const struct drawbridge_drivers *drivers)
{
    return drivers && drivers->is_wrong ? &drivers->error : NULL;
}

void drawbridge_drivers_free(struct drawbridge_drivers *drivers)
{
    if (!drivers)
        return;
    struct memory memory = drivers->memory;
    if (!drivers->is_wrong)
        driver_file_done(&drivers->file);
    memory.release(drivers, memory.data);
}
