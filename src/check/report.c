/* Turns a broken check into a finding: path, message in Kubernetes' words, position. */
#include "check/run.h"
#include "doc/echo.h"

/* A value that is written, and in which object. */
struct spot {
    const struct doc_node *node; /* NULL: nothing is */
    const struct place *place;
};

/* The value at the place, or the nearest one around it that is written. A null that counts as unset is written, too. */
static struct spot written(const struct place *place)
{
    for (; place; place = place->up) {
        if (place->node && !(place->node->flags & DOC_IMPLIED))
            return (struct spot){ place->node, place };
        if (!place->field || !place->up->node)
            continue;
        for (const struct doc_node *member = place->up->node->first; member; member = member->next)
            if (member->field < place->up->shape->field_count && &place->up->shape->fields[member->field] == place->field)
                return (struct spot){ member, place->up };
    }
    return (struct spot){ NULL, NULL };
}

static bool is_kept(const struct place *place)
{
    for (; place; place = place->up)
        if (place->is_kept)
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
        text_add_quoted(text, bytes_of(*name), LIMIT_ECHO_BYTES);
    }
    if (detail->after)
        text_add(text, detail->after);
}

/* An error in Kubernetes' words; a warning in plain ones. */
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
        doc_echo(text, value, LIMIT_ECHO_BYTES);
    if (says_detail && text->length)
        text_add(text, plain ? " " : ": ");
    if (says_detail)
        add_detail(text, detail);
    if (!text->length) /* a warning that has nothing else to say */
        text_add(text, reason->words);
}

static void count_finding(struct findings *findings, enum severity severity)
{
    findings->errors += severity == SEVERITY_ERROR;
    findings->warnings += severity == SEVERITY_WARNING;
    findings->infos += severity == SEVERITY_INFO;
}

static bool is_left_out(const struct check_request *request, const struct finding *finding)
{
    switch (finding->severity) {
    case SEVERITY_ERROR:   return request->only_errors && !request->only_errors[finding->rule];
    case SEVERITY_WARNING: return request->only && !request->only[finding->rule];
    case SEVERITY_INFO:    break;
    }
    return request->only;
}

/* A new last finding; NULL when no more are kept, or memory is short. */
static struct finding *keep_finding(struct run *run, const struct finding *values)
{
    struct findings *findings = run->findings;
    bool left_out = is_left_out(run->request, values);
    struct finding *finding = left_out || findings->kept == LIMIT_FINDINGS ? NULL : run_alloc(run, sizeof *finding);
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
static void locate(const struct run *run, struct finding *finding, const struct place *place)
{
    struct spot where = written(place);
    bool around = where.node && where.node != place->node && (where.node->type == DOC_OBJECT || where.node->type == DOC_ARRAY);
    finding->offset = where.node ? where.node->offset : 0;
    finding->size = where.node && !around ? where.node->size : 0;
    finding->in_old = run->reads_old || is_kept(where.place);
}

/* A name is as long as it is written, which may be in quotes; 0 where it is written in another way. */
static void locate_name(const struct run *run, struct finding *finding, const struct doc_node *member)
{
    struct bytes source = run->request->document->source, name = doc_name(member);
    finding->offset = member->name_offset;
    for (uint32_t quote = 0; quote < 2 && !finding->size; quote++) {
        uint32_t from = member->name_offset + quote;
        bool fits = from <= source.length && name.length + quote <= source.length - from;
        if (fits && bytes_equal((struct bytes){ source.data + from, name.length }, name))
            finding->size = name.length + 2 * quote;
    }
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

/* Returns the finding; NULL when it is only counted, or memory is short. */
static struct finding *add_finding(struct run *run, const struct place *place, const struct check *check, enum reason reason, const struct doc_node *value, struct detail detail)
{
    if (run->failure)
        return NULL;
    count_finding(run->findings, check->severity);
    if (is_repeated(run->findings, place, check))
        return NULL;
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
        return NULL;
    finding->path = place_path(run, place, check->up, check->below);
    finding->field = run->request->fields ? place_field_path(run, place, check->up, check->below) : NULL;
    locate(run, finding, place);
    word(run, finding, "", value, &detail);
    finding->hint = hint_text(run, &(struct hint){ check->rule, check, place, value });
    return finding;
}

void report(struct run *run, const struct place *place, const struct check *check, enum reason reason, const struct doc_node *value, struct detail detail)
{
    (void)add_finding(run, place, check, reason, value, detail);
}

void report_clash(struct run *run, const struct place *place, const struct check *check, const struct doc_node *value, const char *detail, const struct gathered *other)
{
    struct finding *finding = add_finding(run, place, check, REASON_OF_RULE, value, detail_text(detail));
    if (!finding || !other)
        return;
    const struct doc_node *node = other->node->flags & DOC_IMPLIED ? other->root : other->node;
    finding->other = other->object;
    finding->other_offset = node->offset;
    finding->other_size = node == other->root ? 0 : node->size;
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
    finding->path = unknown ? place_decoded_path(run, place) : place_path(run, place, 0, NULL);
    finding->field = run->request->fields ? place_field_path(run, place, 0, NULL) : NULL;
    if (unknown)
        locate_name(run, finding, about->value);
    else
        locate(run, finding, place);
    word(run, finding, about->prefix ? about->prefix : "", about->value, &detail);
    finding->hint = hint_text(run, &(struct hint){ about->rule, NULL, unknown ? place->up : place, about->value });
}
