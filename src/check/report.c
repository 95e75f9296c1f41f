/* Turns a broken check into a finding: path, message in Kubernetes' words, position. */
#include "check/run.h"

/* The value as a message repeats it: texts quoted, everything else as it is written. */
static void add_value(struct text *text, const struct run *run, const struct doc_node *value)
{
    switch ((enum doc_type)value->type) {
    case DOC_NULL:   text_add(text, "null"); return;
    case DOC_FALSE:  text_add(text, "false"); return;
    case DOC_TRUE:   text_add(text, "true"); return;
    case DOC_NUMBER: text_add_echo(text, doc_text(value), LIMIT_ECHO_BYTES); return;
    case DOC_STRING: text_add_quoted(text, doc_text(value), LIMIT_ECHO_BYTES); return;
    case DOC_ARRAY:
    case DOC_OBJECT:
    case DOC_SKIPPED: break;
    }
    if (value->flags & DOC_IMPLIED)
        text_add(text, value->type == DOC_ARRAY ? "[]" : "{}");
    else
        text_add_echo(text, doc_source(run->request->document, value), LIMIT_ECHO_BYTES);
}

/* The value at the place, or the nearest one around it that is written. A null that counts as unset is written, too. */
static const struct doc_node *written(const struct place *place)
{
    for (; place; place = place->up) {
        if (place->node && !(place->node->flags & DOC_IMPLIED))
            return place->node;
        if (!place->field || !place->up->node)
            continue;
        for (const struct doc_node *member = place->up->node->first; member; member = member->next)
            if (member->field < place->up->shape->field_count && &place->up->shape->fields[member->field] == place->field)
                return member;
    }
    return NULL;
}

static struct finding *add_finding(struct run *run, enum severity severity)
{
    struct findings *findings = run->findings;
    findings->errors += severity == SEVERITY_ERROR;
    findings->warnings += severity == SEVERITY_WARNING;
    if (findings->kept == LIMIT_FINDINGS)
        return NULL;
    struct finding *finding = run_alloc(run, sizeof *finding);
    if (!finding)
        return NULL;
    *finding = (struct finding){ .severity = severity };
    if (findings->last)
        findings->last->next = finding;
    else
        findings->first = finding;
    findings->last = finding;
    findings->kept++;
    return finding;
}

/* An error in Kubernetes' words; a warning in plain ones. */
static void add_message(struct text *text, const struct run *run, const struct finding *finding, const struct doc_node *value, const char *detail)
{
    const struct reason_info *reason = reason_info(finding->reason);
    bool plain = finding->severity == SEVERITY_WARNING, says_value = reason->says_value && value;
    if (!plain)
        text_add(text, reason->words);
    if (says_value && !plain)
        text_add(text, ": ");
    if (says_value)
        add_value(text, run, value);
    if (detail && text->length)
        text_add(text, plain ? " " : ": ");
    if (detail)
        text_add(text, detail);
}

static void fill(struct run *run, struct finding *finding, const struct place *place, const struct doc_node *value, const char *prefix, const char *detail)
{
    const struct doc_node *where = written(place);
    struct text text;
    text_init(&text, &run->worker->arena);
    text_add(&text, prefix);
    add_message(&text, run, finding, value, detail);
    finding->message = run_text(run, &text);
    finding->offset = where ? where->offset : 0;
    finding->size = where ? where->size : 0;
}

/* Forgets the newest finding when it says once more what many before it said of the same path, so that they cannot crowd out
 * others. It stays counted. */
static void limit_repeats(struct findings *findings, struct finding *before)
{
    const struct finding *finding = findings->last;
    bool same = before && before->rule == finding->rule && before->reason == finding->reason && strcmp(before->path, finding->path) == 0;
    findings->repeats = same ? findings->repeats + 1 : 0;
    if (findings->repeats < LIMIT_SAME_FINDINGS)
        return;
    before->next = NULL;
    findings->last = before;
    findings->kept--;
}

void report(struct run *run, const struct place *place, const struct check *check, enum reason reason, const struct doc_node *value, const char *detail)
{
    struct finding *before = run->findings->last;
    struct finding *finding = run->failure ? NULL : add_finding(run, check->severity);
    if (!finding)
        return;
    finding->rule = check->rule;
    finding->reason = check->reason ? check->reason : reason ? reason : rule_info(check->rule)->reason;
    finding->when_clean = check->when == CREATE_CLEAN;
    finding->path = place_path(run, place, check->up, check->below);
    if (run->failure)
        return;
    fill(run, finding, place, value, "", check->detail ? check->detail : detail);
    limit_repeats(run->findings, before);
}

void report_rule(struct run *run, const struct place *place, enum rule rule, const struct doc_node *value, const char *prefix, const char *detail)
{
    if (run->failure)
        return;
    struct finding *finding = add_finding(run, SEVERITY_ERROR);
    if (!finding)
        return;
    finding->rule = rule;
    finding->reason = rule_info(rule)->reason;
    finding->path = place_path(run, place, 0, NULL);
    fill(run, finding, place, value, prefix, detail);
}

const char *report_detail(struct run *run, const char *before, int64_t number, const char *after)
{
    struct text text;
    if (run->failure)
        return NULL;
    text_init(&text, &run->worker->arena);
    text_add(&text, before);
    text_add_integer(&text, number);
    text_add(&text, after);
    return run_text(run, &text);
}

const char *report_list(struct run *run, const char *before, const char *const *names)
{
    struct text text;
    if (run->failure)
        return NULL;
    text_init(&text, &run->worker->arena);
    text_add(&text, before);
    for (const char *const *name = names; *name; name++) {
        if (name != names)
            text_add(&text, ", ");
        text_add_quoted(&text, bytes_of(*name), LIMIT_ECHO_BYTES);
    }
    return run_text(run, &text);
}
