/* CEL expressions: what the API server's compiler refuses, in cel-go's words, with the places in the document. */
#include "base/limits.h"
#include "cel/compile.h"
#include "cel/limits.h"
#include "cel/token.h"
#include "check/expression.h"
#include "check/limits.h"
#include "check/ops.h"
#include "check/report.h"
#include "doc/origin.h"
#include "schema/cel.h"

static void add_error(struct text *text, struct bytes expression, const struct cel_error *error)
{
    int line, column;
    cel_place(expression, error->offset, &line, &column);
    if (error->offset != CEL_NO_PLACE) {
        text_add_integer(text, line);
        text_add(text, ":");
        text_add_integer(text, column);
        text_add(text, ": ");
    }
    text_add_escaped(text, bytes_of(error->text), LIMIT_CEL_ERROR_BYTES);
}

/* Why the expression is refused; NULL: no memory. */
static const char *reason_text(struct evaluation *eval, struct bytes expression, const struct cel_expression *compiled)
{
    const struct cel_errors *errors = &compiled->errors;
    struct text text;
    text_init(&text, &eval->workspace->arena);
    if (compiled->class == CEL_TOO_COSTLY) {
        text_add(&text, "too complex, exceeds cost limit: may cost ");
        if (compiled->estimate.cost > INT64_MAX)
            text_add(&text, "more than 2^63");
        else
            text_add_integer(&text, (int64_t)compiled->estimate.cost);
        text_add(&text, ", and the limit is ");
        text_add_integer(&text, LIMIT_CEL_COST);
    } else if (compiled->class == CEL_TOO_COMPLEX) {
        text_add(&text, "too complex to be compiled in time and memory that are bounded");
    } else if (errors->count && errors->list[0].offset != CEL_NO_PLACE) {
        text_add(&text, "compilation failed: ");
    }
    for (uint32_t i = 0; i < errors->count && i < LIMIT_CEL_ERRORS_SHOWN; i++) {
        text_add(&text, i ? "; " : "");
        add_error(&text, expression, &errors->list[i]);
    }
    if (errors->count > LIMIT_CEL_ERRORS_SHOWN) {
        text_add(&text, "; and ");
        text_add_integer(&text, errors->count - LIMIT_CEL_ERRORS_SHOWN);
        text_add(&text, " more");
    }
    return evaluation_text(eval, &text);
}

/* The token at which an error is, in the document; nothing when that is its end. */
static struct finding_mark mark_of(const struct document *document, const struct doc_node *node, uint32_t offset)
{
    struct bytes text = doc_text(node);
    uint32_t at = offset < text.length ? offset : text.length;
    struct cel_token token = cel_token_next(text, at);
    bool is_token = token.type != CEL_TOKEN_EOF && token.offset == at;
    uint32_t start = doc_origin(document, node, at), end = is_token ? doc_origin_end(document, node, at + token.length - 1u) : 0;
    uint32_t one = start < document->source.length;
    return (struct finding_mark){ start, end > start ? end - start : one };
}

/* The places of the errors, without repetitions; the first is where the finding points to. */
static void mark_errors(struct evaluation *eval, struct finding *finding, const struct doc_node *node, const struct cel_errors *errors)
{
    struct finding_mark marks[LIMIT_CEL_ERRORS_SHOWN];
    uint32_t count = 0;
    for (uint32_t i = 0; i < errors->count && i < LIMIT_CEL_ERRORS_SHOWN; i++) {
        if (errors->list[i].offset == CEL_NO_PLACE || errors->list[i].offset == CEL_NOWHERE)
            continue;
        struct finding_mark mark = mark_of(eval->request->document, node, errors->list[i].offset);
        if (!count || marks[count - 1].offset != mark.offset)
            marks[count++] = mark;
    }
    if (!count)
        return;
    finding->offset = marks[0].offset;
    finding->size = marks[0].size;
    struct finding_mark *others = count > 1 ? evaluation_alloc(eval, (count - 1) * sizeof *others) : NULL;
    if (!others)
        return;
    memcpy(others, marks + 1, (count - 1) * sizeof *others);
    finding->marks = others;
    finding->mark_count = count - 1;
}

static void report_expression(struct evaluation *eval, const struct cursor *cursor, const struct check *check,
                              const struct cel_expression *compiled)
{
    struct bytes expression = doc_text(cursor->node);
    enum reason reason = compiled->class == CEL_TOO_COSTLY ? REASON_FORBIDDEN : compiled->no_program ? REASON_INTERNAL : REASON_OF_RULE;
    const char *why = reason_text(eval, expression, compiled);
    struct finding *finding = why ? report_finding(eval, cursor, check, reason, cursor->node, detail_text(why)) : NULL;
    if (!finding)
        return;
    if (!finding->in_old && !(cursor->node->flags & DOC_IMPLIED))
        mark_errors(eval, finding, cursor->node, &compiled->errors);
    if (eval->request->hint && check->library->hint)
        finding->hint = check->library->hint(check->library, compiled, expression, &eval->workspace->arena);
}

bool check_expression(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    if (!cursor->node)
        return false;
    const struct cel_expression *compiled = expression_compiled(eval, check->library, doc_text(cursor->node));
    bool broken = compiled && compiled->class != CEL_GOOD;
    if (broken)
        report_expression(eval, cursor, check, compiled);
    return broken;
}
