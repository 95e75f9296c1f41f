/* Turns a broken check into a finding: path, message in Kubernetes' words, position. */
#include "check/run.h"
#include "doc/echo.h"

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
static void add_message(struct text *text, const struct finding *finding, const struct doc_node *value, const struct detail *detail)
{
    const struct reason_info *reason = reason_info(finding->reason);
    bool plain = finding->severity == SEVERITY_WARNING, says_value = reason->says_value && value;
    bool says_detail = detail->before || detail->number_count;
    if (!plain)
        text_add(text, reason->words);
    if (says_value && !plain)
        text_add(text, ": ");
    if (says_value)
        doc_echo(text, value, LIMIT_ECHO_BYTES);
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

/* The message; `prefix` begins it. */
static void word(struct run *run, struct finding *finding, const char *prefix, const struct doc_node *value, const struct detail *detail)
{
    struct text text;
    text_init(&text, &run->worker->arena);
    text_add(&text, prefix);
    add_message(&text, finding, value, detail);
    finding->message = run_text(run, &text);
}

/* The place in the source: of the value or, of what is not written, where the object around it begins. */
static void locate(struct finding *finding, const struct place *place)
{
    const struct doc_node *where = written(place);
    bool around = where && where != place->node && (where->type == DOC_OBJECT || where->type == DOC_ARRAY);
    finding->offset = where ? where->offset : 0;
    finding->size = where && !around ? where->size : 0;
}

static void locate_name(struct finding *finding, const struct doc_node *member)
{
    finding->offset = member->name_offset;
    finding->size = member->name_length;
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
    if (!finding)
        return;
    finding->path = place_path(run, place, check->up, check->below);
    locate(finding, place);
    word(run, finding, "", value, &detail);
    finding->hint = hint_text(run, &(struct hint){ check->rule, check, place, value });
}

void report_rule(struct run *run, const struct place *place, const struct rule_report *about)
{
    if (run->failure)
        return;
    bool unknown = about->rule == RULE_UNKNOWN_FIELD;
    const struct finding values = { .rule = about->rule, .reason = rule_info(about->rule)->reason, .severity = about->severity };
    const struct detail detail = detail_text(about->text);
    count_finding(run->findings, about->severity);
    struct finding *finding = keep_finding(run, &values);
    if (!finding)
        return;
    finding->path = place_path(run, place, 0, NULL);
    if (unknown)
        locate_name(finding, about->value);
    else
        locate(finding, place);
    word(run, finding, about->prefix ? about->prefix : "", about->value, &detail);
    finding->hint = hint_text(run, &(struct hint){ about->rule, NULL, unknown ? place->up : place, about->value });
}
