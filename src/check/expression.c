#include "check/expression.h"

/* An expression and what was made of it, in workspace->expressions. */
struct compiled {
    struct bytes text; /* by its address: of a document of this request */
    const struct cel_library *library;
    struct cel_expression expression;
};

static bool is_last(const struct compiled *last, const struct cel_library *library, struct bytes text)
{
    return last && last->library == library && last->text.data == text.data && last->text.length == text.length;
}

/* The features of the environment are those whose gates are on. */
static struct cel_environment environment_of(const struct check_request *request)
{
    bool lists = !(request->expression_gates_off & gate_bit("DRAListTypeAttributes"));
    bool multiple = !(request->expression_gates_off & gate_bit("DRAConsumableCapacity"));
    return (struct cel_environment){
        .version = request->version,
        .features_off = (lists ? 0u : CEL_LIST_ATTRIBUTES) | (multiple ? 0u : CEL_MULTIPLE_ALLOCATIONS),
    };
}

const struct cel_expression *expression_compiled(struct evaluation *eval, const struct cel_library *library, struct bytes text)
{
    struct workspace *workspace = eval->workspace;
    if (is_last(workspace->compiled, library, text))
        return &workspace->compiled->expression;
    arena_clear(&workspace->expressions);
    struct compiled *compiled = workspace->compiled = arena_alloc(&workspace->expressions, sizeof *compiled);
    struct cel_environment environment = environment_of(eval->request);
    enum failure failure = compiled ? cel_compile(text, library, environment, &workspace->expressions, &compiled->expression)
                                    : workspace->expressions.failure;
    if (failure) {
        workspace->compiled = NULL;
        eval->failure = eval->failure ? eval->failure : failure;
        return NULL;
    }
    compiled->text = text;
    compiled->library = library;
    return &compiled->expression;
}
