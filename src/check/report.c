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
        text_add_quoted(text, bytes_of(*name), LIMIT_ECHO_BYTES);
    }
    if (detail->after)
        text_add(text, detail->after);
}

/* An error in Kubernetes' words; a warning in plain ones. */
static void add_message(struct text *text, const struct run *run, const struct finding *finding, const struct doc_node *value, const struct detail *detail)
{
    const struct reason_info *reason = reason_info(finding->reason);
    bool plain = finding->severity == SEVERITY_WARNING, says_value = reason->says_value && value;
    bool says_detail = detail->before || detail->number_count;
    if (!plain)
        text_add(text, reason->words);
    if (says_value && !plain)
        text_add(text, ": ");
    if (says_value)
        add_value(text, run, value);
    if (says_detail && text->length)
        text_add(text, plain ? " " : ": ");
    if (says_detail)
        add_detail(text, detail);
}

static void count_finding(struct findings *findings, enum severity severity)
{
    findings->errors += severity == SEVERITY_ERROR;
    findings->warnings += severity == SEVERITY_WARNING;
}

/* A new last finding; NULL when no more are kept, or memory is short. */
static struct finding *keep_finding(struct run *run, const struct finding *values)
{
    struct findings *findings = run->findings;
    struct finding *finding = findings->kept == LIMIT_FINDINGS ? NULL : run_alloc(run, sizeof *finding);
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

/* Path, place and message; `prefix` begins the latter. */
static void word(struct run *run, struct finding *finding, const struct place *place, const char *path, const struct doc_node *value, const char *prefix, const struct detail *detail)
{
    const struct doc_node *where = written(place);
    struct text text;
    text_init(&text, &run->worker->arena);
    text_add(&text, prefix);
    add_message(&text, run, finding, value, detail);
    finding->path = path;
    finding->message = run_text(run, &text);
    finding->offset = where ? where->offset : 0;
    finding->size = where ? where->size : 0;
}

/* Whether the check has been broken so often by parts of one container, and reported at one path, that further ones would only
 * crowd out other findings. Several checks take turns on each part, so several are remembered. */
static bool is_repeated(struct findings *findings, const struct place *place, const struct check *check)
{
    const struct doc_node *container = check->up && place->up ? place->up->node : NULL;
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

void report(struct run *run, const struct place *place, const struct check *check, enum reason reason, const struct doc_node *value, struct detail detail)
{
    if (run->failure)
        return;
    count_finding(run->findings, check->severity);
    if (is_repeated(run->findings, place, check))
        return;
    const struct finding values = {
        .rule = check->rule,
        .reason = check->reason ? check->reason : reason ? reason : rule_info(check->rule)->reason,
        .severity = check->severity,
        .when_clean = check->when == CREATE_CLEAN,
    };
    struct finding *finding = keep_finding(run, &values);
    if (check->detail)
        detail = detail_text(check->detail);
    if (finding)
        word(run, finding, place, place_path(run, place, check->up, check->below), value, "", &detail);
}

void report_rule(struct run *run, const struct place *place, enum rule rule, const struct doc_node *value, const char *prefix, const char *text)
{
    if (run->failure)
        return;
    const struct finding values = { .rule = rule, .reason = rule_info(rule)->reason, .severity = SEVERITY_ERROR };
    const struct detail detail = detail_text(text);
    count_finding(run->findings, SEVERITY_ERROR);
    struct finding *finding = keep_finding(run, &values);
    if (finding)
        word(run, finding, place, place_path(run, place, 0, NULL), value, prefix, &detail);
}
