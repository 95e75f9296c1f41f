/* The four stages of a validation, in order: types, terms, checks, findings. */
#include "validate/validate.h"

#include "check/alike.h"
#include "check/equal.h"
#include "check/report.h"
#include "check/trace.h"
#include "check/walk.h"
#include "object/object.h"

/* Reports that the old object is of an API version without rules: none of its members can be read. */
static void report_unknown_version(struct evaluation *eval, const struct shape *shape, const struct doc_node *old)
{
    const struct cursor root = { .shape = shape, .node = old };
    struct cursor version = { .up = &root, .field = &shape->fields[evaluation_field(eval, shape, "apiVersion")], .shape = &shape_string };
    version.node = doc_member(old, version.field->name.data);
    report_rule(eval, &version, &(struct rule_report){
        .rule = RULE_SERVED, .value = version.node, .prefix = "in the old object: ", .text = "the kind is not known in this API version",
    });
}

static void check_old_types(struct evaluation *eval)
{
    const struct check_request *request = eval->request;
    struct check_request old = *request;
    struct evaluation old_eval = {
        .request = &old, .workspace = eval->workspace, .findings = eval->findings, .failure = eval->failure, .reads_old = true,
    };
    old.document = request->old_document;
    if (request->old_kind)
        object_check_types(&old_eval, request->old_kind->shape, request->old, "in the old object: ");
    else
        report_unknown_version(&old_eval, request->kind->shape, request->old);
    eval->failure = old_eval.failure;
}

/* Stage 1, types: what the API server's decoder refuses. If a value has a wrong type, nothing else is checked, as in the API server. */
static void check_types(struct evaluation *eval, struct check_result *result)
{
    const struct check_request *request = eval->request;
    object_check_types(eval, request->kind->shape, request->object, "");
    result->undecodable = result->findings.errors > 0;
    if (request->old && (!result->undecodable || (request->beyond_types && request->old_document != request->document))) {
        const uint32_t errors = result->findings.errors;
        check_old_types(eval);
        result->old_undecodable = result->findings.errors > errors;
    }
    if (request->unknown_fields && !(request->kind->traits & KIND_PARTIAL))
        object_check_unknown(eval, request->kind->shape, request->object);
}

/* Whether the rest of an object with values of wrong types is to be checked: not where members are repeated, as what counts of those is not
 * known then. */
static bool goes_beyond_types(const struct evaluation *eval, const struct check_result *result)
{
    const struct check_request *request = eval->request;
    bool same = request->old && request->old_document == request->document; /* then the old object has the same mistakes */
    bool wanted = request->beyond_types && !same && !eval->trace && !eval->failure && !request->document->has_duplicates;
    return wanted && result->undecodable && !result->old_undecodable && request->object->type == DOC_OBJECT;
}

/* Stage 2, terms: merges repeated members of both objects, converts them to the API version of the rules, and leaves out fields of the new
 * one whose feature gates are off. */
static struct cursor canonical_root(struct evaluation *eval)
{
    const struct check_request *request = eval->request;
    const struct doc_node *object = request->object;
    if (eval->partial)
        object = object_without_wrong(eval, request->kind->shape, object);
    struct cursor root = {
        .shape = object_canonical_shape(request->kind->shape),
        .has_old = request->old != NULL,
        .options = request->options,
        .node = object_canonical(eval, request->kind->shape, object),
        .old = request->old ? object_canonical(eval, request->old_kind->shape, request->old) : NULL,
    };
    if (eval->findings)
        root.node = object_drop_gated(eval, root.shape, root.node, root.old);
    return root;
}

/* Stage 4, findings: drops those with when_clean if there is any other error. */
static void drop_when_clean(struct findings *findings)
{
    struct finding **link = &findings->first;
    uint32_t others = findings->left_out;
    for (const struct finding *finding = findings->first; finding; finding = finding->next)
        others += finding->severity == SEVERITY_ERROR && !finding->when_clean;
    if (others == 0)
        return;
    findings->last = NULL;
    while (*link) {
        if ((*link)->when_clean) {
            findings->errors -= (*link)->severity == SEVERITY_ERROR;
            findings->kept--;
            *link = (*link)->next;
        } else {
            findings->last = *link;
            link = &(*link)->next;
        }
    }
}

enum failure validate_object(const struct check_request *request, struct check_result *result)
{
    struct evaluation eval = {
        .request = request, .workspace = request->workspace, .findings = &result->findings, .trace = request->trace,
    };
    *result = (struct check_result){ .undecodable = false };
    if (eval.trace)
        trace_object(&eval, TRACE_OBJECT);
    check_types(&eval, result);
    eval.partial = goes_beyond_types(&eval, result);
    eval.may_compare = !eval.partial && alike_allowed(request);
    if (!eval.partial && (result->undecodable || result->old_undecodable || eval.failure)) {
        if (eval.trace)
            trace_object(&eval, TRACE_UNDECODABLE);
        return eval.failure;
    }
    struct cursor root = canonical_root(&eval);
    walk_value(&eval, &root); /* stage 3, checks */
    drop_when_clean(&result->findings);
    if (eval.trace)
        trace_object(&eval, TRACE_END);
    return eval.failure;
}

enum failure validate_types(struct workspace *workspace, const struct document *document, const struct shape *shape,
                            const struct doc_node *node, minor version, struct check_result *result)
{
    const struct check_request request = { .version = version, .document = document };
    struct evaluation eval = { .request = &request, .workspace = workspace, .findings = &result->findings };
    *result = (struct check_result){ .undecodable = false };
    object_check_types(&eval, shape, node, "");
    result->undecodable = result->findings.errors > 0;
    return eval.failure;
}

enum failure validate_changes_only(const struct check_request *request, const char *const *names, bool *only)
{
    static const char *const metadata[] = { "metadata", "apiVersion", NULL }; /* the objects may be of different API versions */
    struct evaluation eval = { .request = request, .workspace = request->workspace };
    const struct cursor root = canonical_root(&eval);
    const struct shape *meta = root.shape->fields[evaluation_field(&eval, root.shape, metadata[0])].shape;
    *only = !eval.failure && equal_objects(&eval, root.shape, root.node, root.old, metadata, false);
    if (*only && names)
        *only = equal_objects(&eval, meta, cursor_element_member(&eval, root.shape, root.node, metadata[0]),
                              cursor_element_member(&eval, root.shape, root.old, metadata[0]), names, false);
    return eval.failure;
}
