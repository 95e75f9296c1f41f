/* Expressions: compiled, and evaluated on devices. */
#include "library/library.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "cel/evaluate.h"
#include "cel/limits.h"
#include "library/limits.h"
#include "library/value.h"

struct drawbridge_cel {
    struct memory memory;
    struct arena arena; /* for everything else */
    bool any_type;
    struct bytes text;
    struct cel_expression compiled;
    const struct cel_program *program; /* NULL: it cannot be evaluated */
    struct drawbridge_cel_info info;
    struct drawbridge_error *errors;
    size_t error_count;
};

/* ---- options ---- */

static enum drawbridge_result read_options(const struct drawbridge_cel_options *options, bool *any_type, minor *version)
{
    enum { FIRST_BYTES = offsetof(struct drawbridge_cel_options, any_type) + sizeof(int) };
    struct drawbridge_cel_options copy;
    *any_type = false;
    *version = MINOR_DEFAULT;
    if (!options)
        return DRAWBRIDGE_OK;
    if (!library_copy_options(options, FIRST_BYTES, sizeof copy, &copy))
        return DRAWBRIDGE_BAD_OPTION;
    if (copy.kubernetes_version && !version_read(copy.kubernetes_version, version))
        return DRAWBRIDGE_BAD_VERSION;
    *any_type = copy.any_type != 0;
    return DRAWBRIDGE_OK;
}

/* ---- what is known of an expression ---- */

static struct drawbridge_error error_at(struct bytes text, uint32_t offset, const char *message)
{
    struct drawbridge_error error = { .message = message, .source = "", .path = "" };
    int line, column;
    cel_place(text, offset, &line, &column);
    error.offset = offset < text.length ? offset : 0;
    if (offset == text.length)
        error.offset = offset; /* at the end */
    if (offset != CEL_NO_PLACE) {
        error.line = (size_t)line;
        error.column = (size_t)column;
    }
    return error;
}

/* What is wrong with the whole. */
static enum failure add_refusal(struct drawbridge_cel *cel)
{
    struct text text;
    text_init(&text, &cel->arena);
    cel_class_text(&text, &cel->compiled);
    const char *words = text_end(&text);
    if (words && *words)
        cel->errors[cel->error_count++] = error_at(cel->text, CEL_NO_PLACE, words);
    return cel->arena.failure;
}

static enum failure describe(struct drawbridge_cel *cel)
{
    const struct cel_errors *errors = &cel->compiled.errors;
    const struct cel_library *library = &cel_device_library;
    struct text type;
    cel->errors = arena_alloc(&cel->arena, (errors->count + 1) * sizeof *cel->errors);
    for (uint32_t i = 0; cel->errors && i < errors->count; i++)
        cel->errors[cel->error_count++] = error_at(cel->text, errors->list[i].offset, errors->list[i].text);
    text_init(&type, &cel->arena);
    if (cel->program)
        cel_type_text(&type, cel->compiled.tree.root->type, true);
    cel->info = (struct drawbridge_cel_info){
        .verdict = cel_class_name(cel->compiled.class), .can_evaluate = cel->program != NULL, .type = text_end(&type),
        .max_cost = cel->program ? cel->compiled.estimate.cost : 0,
        .hint = cel->compiled.class ? library->hint(library, &cel->compiled, cel->text, &cel->arena) : NULL,
    };
    return cel->arena.failure ? cel->arena.failure : add_refusal(cel);
}

static enum failure compile(struct drawbridge_cel *cel, minor version)
{
    const struct cel_library *library = &cel_device_library;
    struct cel_expression *compiled = &cel->compiled;
    enum failure failure = cel->any_type ? cel_compile_any(cel->text, library, cel_environment(version), &cel->arena, compiled)
                                         : cel_compile(cel->text, library, cel_environment(version), &cel->arena, compiled);
    if (!failure && (compiled->class == CEL_GOOD || compiled->class == CEL_TOO_COSTLY))
        failure = cel_program_new(compiled, library, version, &cel->arena, &cel->program);
    if (failure == FAILURE_LIMIT || compiled->class == CEL_TOO_COMPLEX) { /* the arena may be full */
        arena_clear(&cel->arena);
        *compiled = (struct cel_expression){ .class = CEL_TOO_COMPLEX };
        cel->text = (struct bytes){ "", 0 };
        cel->program = NULL;
        failure = FAILURE_NONE;
    }
    return failure;
}

/* Copies and compiles; text that is no UTF-8 is refused as one with a wrong character. */
static enum failure make(struct drawbridge_cel *cel, struct bytes text, minor version)
{
    static struct cel_error no_utf8 = { .offset = CEL_NO_PLACE, .text = "the expression is not UTF-8" };
    cel->text = (struct bytes){ "", 0 };
    if (text.length > LIMIT_CEL_BYTES) {
        cel->compiled = (struct cel_expression){ .class = CEL_TOO_LONG };
    } else if (!utf8_is_valid(text)) {
        cel->compiled = (struct cel_expression){ .class = CEL_SYNTAX, .errors = { .list = &no_utf8, .count = 1 } };
    } else {
        cel->text = (struct bytes){ library_copy_text(&cel->arena, text), text.length };
        enum failure failure = cel->text.data ? compile(cel, version) : cel->arena.failure;
        if (failure)
            return failure;
    }
    return describe(cel);
}

enum drawbridge_result drawbridge_cel_new(const struct drawbridge_context *context, const struct drawbridge_cel_options *options,
                                          const struct drawbridge_text *expression, struct drawbridge_cel **cel)
{
    struct bytes text;
    bool any_type;
    minor version;
    if (!context || !expression || !cel)
        return DRAWBRIDGE_BAD_ARGUMENT;
    enum drawbridge_result result = read_options(options, &any_type, &version);
    if (!result)
        result = library_text(expression, &text);
    if (result)
        return result;
    struct drawbridge_cel *made = context->memory.allocate(sizeof *made, context->memory.data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    *made = (struct drawbridge_cel){ .memory = context->memory, .any_type = any_type };
    arena_init(&made->arena, &made->memory, LIMIT_ARENA_BYTES);
    enum failure failure = make(made, text, version);
    if (failure)
        drawbridge_cel_free(made);
    else
        *cel = made;
    return library_result(failure);
}

void drawbridge_cel_free(struct drawbridge_cel *cel)
{
    if (!cel)
        return;
    struct memory memory = cel->memory;
    arena_done(&cel->arena);
    memory.release(cel, memory.data);
}

const struct drawbridge_cel_info *drawbridge_cel_info(const struct drawbridge_cel *cel)
{
    return cel ? &cel->info : NULL;
}

size_t drawbridge_cel_error_count(const struct drawbridge_cel *cel)
{
    return cel ? cel->error_count : 0;
}

const struct drawbridge_error *drawbridge_cel_error(const struct drawbridge_cel *cel, size_t index)
{
    return cel && index < cel->error_count ? &cel->errors[index] : NULL;
}

/* ---- evaluation ---- */

/* What a caller sees is the first member. */
struct made_evaluation {
    struct drawbridge_evaluation shown;
    struct drawbridge_error error;
    struct memory memory;
    struct arena arena;
};

static enum failure fill(struct made_evaluation *made, const struct drawbridge_cel *cel, const struct cel_result *result)
{
    const struct cel_value *value = &result->value;
    const struct cel_fault *fault = &value->fault;
    made->shown = (struct drawbridge_evaluation){ .type = "", .cost = result->cost };
    if (value->type == CEL_ERROR) {
        made->error = error_at(cel->text, fault->node ? fault->node->offset : CEL_NO_PLACE,
                               library_copy_text(&made->arena, bytes_of(fault->words)));
        made->shown.error = &made->error;
        return made->arena.failure;
    }
    made->shown.match = value->type == CEL_BOOL && value->boolean;
    made->shown.type = library_copy_text(&made->arena, cel_value_type(value));
    return made->arena.failure ? made->arena.failure : library_value_json(&made->arena, value, &made->shown.value);
}

static enum failure evaluate(struct made_evaluation *made, const struct drawbridge_cel *cel, const struct library_device *device)
{
    struct cel_result result = { .value = { .type = CEL_ERROR, .fault = { device->fault, NULL } } };
    enum failure failure = FAILURE_NONE;
    struct arena arena;
    arena_init(&arena, &made->memory, LIMIT_CEL_EVALUATION_ARENA);
    if (!device->fault)
        failure = cel_evaluate(cel->program, &device->value, &arena, &result);
    if (!failure && !cel->any_type)
        cel_result_make_bool(&result);
    if (!failure)
        failure = fill(made, cel, &result);
    arena_done(&arena);
    return failure;
}

enum drawbridge_result drawbridge_cel_evaluate(const struct drawbridge_cel *cel, const struct drawbridge_devices *devices, size_t index,
                                               struct drawbridge_evaluation **evaluation)
{
    if (!cel || !devices || !evaluation || index >= devices->count || !cel->program)
        return DRAWBRIDGE_BAD_ARGUMENT;
    struct made_evaluation *made = cel->memory.allocate(sizeof *made, cel->memory.data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    *made = (struct made_evaluation){ .memory = cel->memory };
    arena_init(&made->arena, &made->memory, LIMIT_LIBRARY_VALUE_ARENA);
    enum failure failure = evaluate(made, cel, &devices->list[index]);
    if (failure)
        drawbridge_evaluation_free(&made->shown);
    else
        *evaluation = &made->shown;
    return library_result(failure);
}

void drawbridge_evaluation_free(struct drawbridge_evaluation *evaluation)
{
    struct made_evaluation *made = (struct made_evaluation *)evaluation;
    if (!made)
        return;
    struct memory memory = made->memory;
    arena_done(&made->arena);
    memory.release(made, memory.data);
}
