#include "check/expression.h"

#include "schema/cel.h"

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

const struct cel_expression *expression_compiled(struct evaluation *eval, const struct cel_library *library, struct bytes text)
{
    struct workspace *workspace = eval->workspace;
    if (is_last(workspace->compiled, library, text))
        return &workspace->compiled->expression;
    arena_clear(&workspace->expressions);
    struct compiled *compiled = workspace->compiled = arena_alloc(&workspace->expressions, sizeof *compiled);
    struct cel_environment environment = cel_environment_of(eval->request->version, eval->request->expression_gates_off);
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
