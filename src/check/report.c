/* Turns broken checks into findings: the path, the message in Kubernetes' words, the position in the source. */
#include "check/report.h"

#include "base/limits.h"
#include "check/limits.h"
#include "check/others.h"
#include "check/path.h"
#include "doc/place.h"
#include "doc/quote.h"

/* A value that is in the source. */
struct written_value {
    const struct doc_node *node; /* NULL: none */
    const struct cursor *cursor; /* at it, or at the object that contains it */
};

/* What is written of the value at the cursor, in what is around it: a null that counts as unset, or the entry of that name. */
static const struct doc_node *find_member(const struct cursor *cursor)
{
    const struct cursor *up = cursor->up;
    if (!up || !up->node)
        return NULL;
    if (!cursor->field)
        return cursor->node && cursor->node->name ? doc_member_named(up->node, doc_name(cursor->node)) : NULL;
    doc_each(up->node, member)
        if (member->field < up->shape->field_count && &up->shape->fields[member->field] == cursor->field)
            return member;
    return NULL;
}

/* The value at the cursor, or the nearest one around it that is in the source. */
static struct written_value find_written(const struct cursor *cursor)
{
    for (; cursor; cursor = cursor->up) {
        if (cursor->node && !(cursor->node->flags & DOC_IMPLIED))
            return (struct written_value){ cursor->node, cursor };
        const struct doc_node *member = find_member(cursor);
        if (member)
            return (struct written_value){ member, cursor->up };
    }
    return (struct written_value){ NULL, NULL };
}

static bool is_kept(const struct cursor *cursor)
{
    for (; cursor; cursor = cursor->up)
        if (cursor->is_kept)
            return true;
    return false;
}

static void add_detail(struct text *text, const struct detail *detail)
{
    if (detail->before)
        text_add(text, detail->before);
    for (int i = 0; i < detail->number_count; i++) {
        text_add(text, i ? detail->between : "");
        text_add_integer(text, detail->numbers[i]);
    }
    for (const char *const *name = detail->names; name && *name; name++) {
        text_add(text, name == detail->names ? "" : ", ");
        text_add_quoted(text, bytes_of(*name), LIMIT_QUOTE_BYTES);
    }
    if (detail->after)
        text_add(text, detail->after);
}

/* An error has Kubernetes' form, "Invalid value: …: detail"; a warning is just the value and the detail. */
static void add_message(struct text *text, const struct finding *finding, const struct doc_node *value, const struct detail *detail)
{
    const struct reason_info *reason = reason_info(finding->reason);
    bool plain = finding->severity != SEVERITY_ERROR, says_value = reason->says_value && value;
    bool says_detail = detail->before || detail->number_count;
    if (!plain)
        text_add(text, reason->words);
    if (says_value && !plain)
        text_add(text, ": ");
    if (says_value)
        doc_quote(text, value, LIMIT_QUOTE_BYTES);
    if (says_detail && text->length)
        text_add(text, plain ? " " : ": ");
    if (says_detail)
        add_detail(text, detail);
    if (!text->length) /* a warning without value and detail */
        text_add(text, reason->words);
}

static void count_finding(struct findings *findings, enum severity severity)
{
    findings->errors += severity == SEVERITY_ERROR;
    findings->warnings += severity == SEVERITY_WARNING;
    findings->infos += severity == SEVERITY_INFO;
}

/* Whether the request wants findings like this one only counted. */
static bool is_unwanted(const struct check_request *request, const struct finding *finding)
{
    switch (finding->severity) {
    case SEVERITY_ERROR:   return request->errors_wanted && !request->errors_wanted[finding->rule];
    case SEVERITY_WARNING: return request->warnings_wanted && !request->warnings_wanted[finding->rule];
    case SEVERITY_INFO:    break;
    }
    return request->warnings_wanted;
}

/* Appends a finding. Returns NULL when it is only counted, or memory is short. */
static struct finding *keep_finding(struct evaluation *eval, const struct finding *values)
{
    struct findings *findings = eval->findings;
    bool left_out = is_unwanted(eval->request, values);
    struct finding *finding = left_out || findings->kept == LIMIT_FINDINGS ? NULL : evaluation_alloc(eval, sizeof *finding);
    findings->left_out += left_out && values->severity == SEVERITY_ERROR && !values->when_clean;
    if (!finding)
        return NULL;
    *finding = *values;
    if (findings->last)
        findings->last->next = finding;
    else
        findings->first = finding;
    findings->last = finding;
    findings->kept++;
    return finding;
}

static void set_message(struct evaluation *eval, struct finding *finding, const char *prefix, const struct doc_node *value,
                        const struct detail *detail)
{
    struct text text;
    text_init(&text, &eval->workspace->arena);
    text_add(&text, prefix);
    add_message(&text, finding, value, detail);
    finding->message = evaluation_text(eval, &text);
}

/* Sets the position in the source: of the value; or, if that is not in the source, of the name of the one around it. */
static void set_position(const struct evaluation *eval, struct finding *finding, const struct cursor *cursor)
{
    struct written_value written = find_written(cursor);
    const struct doc_node *node = written.node;
    finding->in_old = eval->reads_old || is_kept(written.cursor);
    if (!node)
        return;
    const struct document *document = finding->in_old ? eval->request->old_document : eval->request->document;
    const bool is_key = cursor->is_key && node == cursor->node, is_root = node == written.cursor->node && !written.cursor->up;
    struct doc_place place = is_key    ? doc_place_of_name(document, doc_text(node), node->offset)
                             : is_root ? doc_place_of_root(document, node)
                                       : doc_place(document, node);
    finding->offset = place.offset;
    finding->size = place.size;
}

/* Whether parts of one container have broken the check, at one path, so often that more such findings would crowd out others. Several
 * checks take turns on each part, so the last FINDING_REPEATS of them are remembered. */
static bool is_repeated(struct findings *findings, const struct cursor *cursor, const struct check *check)
{
    const struct doc_node *container = check->up && cursor->up ? cursor->up->node : NULL;
    if (!container)
        return false;
    for (int i = 0; i < FINDING_REPEATS; i++) {
        struct finding_repeat *repeat = &findings->repeats[i];
        if (repeat->check == check && repeat->container == container)
            return repeat->count++ >= LIMIT_SAME_FINDINGS;
    }
    findings->repeats[findings->next_repeat] = (struct finding_repeat){ check, container, 1 };
    findings->next_repeat = (findings->next_repeat + 1) % FINDING_REPEATS;
    return false;
}

/* The document that the rows at the cursor are from: that of the nearest object. */
static const char *source_of_rows(const struct cursor *cursor)
{
    for (; cursor; cursor = cursor->up)
        if (cursor->shape && cursor->shape->source)
            return cursor->shape->source;
    return NULL;
}

static void add_hint(struct evaluation *eval, const struct hint *about, struct finding *finding)
{
    if (eval->request->hint)
        eval->request->hint(eval, about, finding);
}

struct finding *report_finding(struct evaluation *eval, const struct cursor *cursor, const struct check *check, enum reason reason,
                               const struct doc_node *value, struct detail detail)
{
    if (eval->failure)
        return NULL;
    count_finding(eval->findings, check->severity);
    if (is_repeated(eval->findings, cursor, check))
        return NULL;
    const struct finding values = {
        .rule = check->rule,
        .reason = check->reason ? check->reason : reason ? reason : rule_info(check->rule)->reason,
        .severity = check->severity,
        .when_clean = check->when == CREATE_CLEAN,
        .source = check->source ? check->source : source_of_rows(cursor),
    };
    struct finding *finding = keep_finding(eval, &values);
    if (check->detail)
        detail = detail_text(check->detail);
    if (!finding)
        return NULL;
    finding->path = path_of(eval, cursor, check->up, check->below);
    finding->field = eval->request->fields ? path_of_field(eval, cursor, check->up, check->below) : NULL;
    set_position(eval, finding, cursor);
    set_message(eval, finding, "", value, &detail);
    add_hint(eval, &(struct hint){ check->rule, check, cursor, value }, finding);
    return finding;
}

void report(struct evaluation *eval, const struct cursor *cursor, const struct check *check, enum reason reason,
            const struct doc_node *value, struct detail detail)
{
    (void)report_finding(eval, cursor, check, reason, value, detail);
}

void report_conflict(struct evaluation *eval, const struct cursor *cursor, const struct check *check, const struct doc_node *value,
                     const char *detail, const struct indexed *other)
{
    struct finding *finding = report_finding(eval, cursor, check, REASON_OF_RULE, value, detail_text(detail));
    if (!finding || !other)
        return;
    const struct doc_node *root = other->object->root.node, *node = other->value.node;
    bool is_root = node == root || (node->flags & DOC_IMPLIED);
    struct doc_place place = is_root ? doc_place_of_root(other->object->document, root) : doc_place(other->object->document, node);
    finding->other = other->object;
    finding->other_offset = place.offset;
    finding->other_size = place.size;
}

void report_rule(struct evaluation *eval, const struct cursor *cursor, const struct rule_report *about)
{
    if (eval->failure)
        return;
    bool unknown = about->rule == RULE_UNKNOWN_FIELD;
    const struct finding values = {
        .rule = about->rule,
        .reason = rule_info(about->rule)->reason,
        .severity = about->severity,
        .source = source_of_rows(cursor),
    };
    const struct detail detail = detail_text(about->text);
    count_finding(eval->findings, about->severity);
    struct finding *finding = keep_finding(eval, &values);
    if (!finding)
        return;
    finding->path = unknown ? path_of_json(eval, cursor) : path_of(eval, cursor, 0, NULL);
    finding->field = eval->request->fields ? path_of_field(eval, cursor, 0, NULL) : NULL;
    set_position(eval, finding, cursor);
    if (unknown) {
        struct doc_place place = doc_place_of_name(eval->request->document, doc_name(about->value), about->value->name_offset);
        finding->offset = place.offset;
        finding->size = place.size;
    }
    set_message(eval, finding, about->prefix ? about->prefix : "", about->value, &detail);
    add_hint(eval, &(struct hint){ about->rule, NULL, unknown ? cursor->up : cursor, about->value }, finding);
}
