#include "cel/compile.h"

#include "cel/convert_text.h"
#include "cel/check.h"
#include "cel/limits.h"
#include "cel/literals.h"
#include "cel/plan.h"

static enum cel_class class_of_errors(const struct cel_errors *errors)
{
    for (uint32_t i = 0; i < errors->count; i++)
        if (errors->list[i].kind == CEL_ERROR_SYNTAX)
            return CEL_SYNTAX;
    return errors->count ? CEL_CHECK : CEL_GOOD;
}

/* Whether two types are the same; rows of results have one parameter at most, of a simple type. */
static bool is_type(const struct cel_type *row, const struct cel_type *type)
{
    bool same = row->kind == type->kind && (row->kind != CEL_STRUCT || strcmp(row->name, type->name) == 0);
    return same && (!row->parameters[0] || is_type(row->parameters[0], type->parameters[0]));
}

static void check_result(struct cel_expression *expression, const struct cel_library *library, struct cel_environment environment)
{
    const struct cel_type *type = expression->tree.root->type;
    for (const struct cel_result_type *result = library->results; result->type; result++)
        if (cel_in_scope(&result->scope, environment) && is_type(result->type, type))
            return;
    struct text text;
    text_init(&text, expression->errors.arena);
    text_add(&text, "must evaluate to ");
    text_add(&text, library->results_words);
    text_add(&text, ", not ");
    cel_type_text(&text, type, true);
    cel_error_add(&expression->errors, CEL_ERROR_OTHER, CEL_NO_PLACE, text_end(&text));
    expression->class = CEL_RESULT_TYPE;
}

static void check_plan(struct cel_expression *expression, const struct cel_library *library, struct cel_patterns *patterns)
{
    const char *error = NULL;
    enum failure failure = cel_plan(&expression->tree, library, patterns, expression->errors.arena, &error);
    if (failure && !expression->errors.failure)
        expression->errors.failure = failure;
    if (!error)
        return;
    struct text text;
    text_init(&text, expression->errors.arena);
    text_add(&text, "program instantiation failed: ");
    text_add(&text, error);
    cel_error_add(&expression->errors, CEL_ERROR_OTHER, CEL_NO_PLACE, text_end(&text));
    expression->class = CEL_CHECK;
    expression->no_program = true;
}

/* The steps, up to the first that finds something. */
static enum failure run(struct bytes text, const struct cel_library *library, struct cel_environment environment, bool any_type,
                        struct cel_patterns *patterns, struct cel_expression *expression)
{
    struct cel_errors *errors = &expression->errors;
    enum failure failure = cel_parse(text, library->macros, environment.version, errors, &expression->tree);
    if (!failure && !errors->count)
        failure = cel_check(&expression->tree, library, environment, errors);
    if (!failure && !errors->count)
        failure = cel_check_literals(&expression->tree, patterns, errors);
    expression->class = class_of_errors(errors);
    if (!failure && !expression->class && !any_type)
        check_result(expression, library, environment);
    if (!failure && !expression->class)
        check_plan(expression, library, patterns);
    if (!failure && !errors->failure && !expression->class) {
        failure = cel_estimate(&expression->tree, library, errors->arena, &expression->estimate);
        if (!failure && expression->estimate.cost > LIMIT_CEL_COST)
            expression->class = CEL_TOO_COSTLY;
    }
    return failure ? failure : errors->failure;
}

static enum failure compile(struct bytes text, const struct cel_library *library, struct cel_environment environment, bool any_type,
                            struct arena *arena, struct cel_expression *expression)
{
    struct cel_patterns patterns;
    *expression = (struct cel_expression){ .class = CEL_GOOD };
    cel_errors_init(&expression->errors, arena);
    if (text.length > LIMIT_CEL_BYTES) {
        expression->class = CEL_TOO_LONG;
        return FAILURE_NONE;
    }
    cel_patterns_init(&patterns, environment.version, arena->memory);
    enum failure failure = run(text, library, environment, any_type, &patterns, expression);
    cel_patterns_done(&patterns);
    cel_errors_sort(&expression->errors);
    if (failure == FAILURE_LIMIT) { /* of the compiler, or of the arena, which is full then */
        expression->class = CEL_TOO_COMPLEX;
        expression->errors.count = 0;
        expression->tree.root = NULL;
        return FAILURE_NONE;
    }
    return failure;
}

enum failure cel_compile(struct bytes text, const struct cel_library *library, struct cel_environment environment, struct arena *arena,
                         struct cel_expression *expression)
{
    return compile(text, library, environment, false, arena, expression);
}

enum failure cel_compile_any(struct bytes text, const struct cel_library *library, struct cel_environment environment, struct arena *arena,
                             struct cel_expression *expression)
{
    return compile(text, library, environment, true, arena, expression);
}

const char *cel_class_name(enum cel_class class)
{
    static const char *const names[] = {
        [CEL_GOOD] = "good", [CEL_TOO_LONG] = "too-long", [CEL_SYNTAX] = "syntax", [CEL_CHECK] = "check",
        [CEL_RESULT_TYPE] = "result-type", [CEL_TOO_COSTLY] = "too-costly", [CEL_TOO_COMPLEX] = "too-complex",
    };
    return names[class];
}

void cel_class_text(struct text *text, const struct cel_expression *expression)
{
    if (expression->class == CEL_TOO_LONG) {
        text_add(text, "longer than ");
        text_add_integer(text, LIMIT_CEL_BYTES);
        text_add(text, " bytes");
    } else if (expression->class == CEL_TOO_COMPLEX) {
        text_add(text, "too complex to be compiled in time and memory that are bounded");
    } else if (expression->class == CEL_TOO_COSTLY) {
        text_add(text, "too complex, exceeds cost limit: at most ");
        cel_write_unsigned(text, expression->estimate.cost);
        text_add(text, ", and ");
        text_add_integer(text, LIMIT_CEL_COST);
        text_add(text, " is the limit");
    }
}
