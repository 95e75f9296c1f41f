#include "cli/trace.h"

#include "base/limits.h"
#include "base/near.h"
#include "base/text.h"
#include "check/path.h"
#include "cli/option.h"
#include "doc/quote.h"
#include "review/limits.h"
#include "schema/explain.h"
#include "schema/gate.h"
#include "schema/words.h"

/* ---- paths ---- */

/* One step of a path: a name, or what stands in brackets. In braces, as `explain` has them, stands nothing of interest. */
struct step {
    struct bytes text;
    bool bracket;
};

static bool next_step(const char **at, struct step *step)
{
    *at += **at == '.';
    if (!**at)
        return false;
    bool brace = **at == '{';
    step->bracket = brace || **at == '[';
    step->text.data = *at + step->bracket;
    step->text.length = (uint32_t)strcspn(step->text.data, brace ? "}" : step->bracket ? "]" : ".[{");
    *at = step->text.data + step->text.length;
    *at += step->bracket && **at;
    if (brace)
        step->text.length = 0;
    return true;
}

/* Where a value is, seen from the path that was asked for. */
enum relation { ELSEWHERE, ABOVE, THERE };

/* Indexes and keys may be left out of `asked`, or be empty. */
static enum relation relate(const char *asked, const char *path)
{
    struct step step, wanted;
    while (next_step(&path, &step)) {
        const char *before = asked;
        bool any = next_step(&asked, &wanted);
        if (step.bracket && !(any && wanted.bracket)) {
            asked = before;
            continue;
        }
        bool same = any && wanted.bracket == step.bracket && bytes_equal(wanted.text, step.text);
        if (!same && !(any && wanted.bracket && step.bracket && !wanted.text.length))
            return ELSEWHERE;
    }
    return next_step(&asked, &wanted) ? ABOVE : THERE;
}

/* A member as it stands in objects or in findings. */
static const struct field *find_field(const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        if (bytes_equal(field->name, name) || (field->segment && bytes_equal_text(name, field->segment)))
            return field;
    }
    return NULL;
}

/* Whether objects of that shape can have the path. Otherwise sets *near to a name that may be meant. */
static bool has_path(const struct shape *shape, const char *path, struct bytes *near)
{
    struct step step;
    while (next_step(&path, &step)) {
        while (shape->of && !step.bracket)
            shape = shape->of;
        const struct field *field = step.bracket ? NULL : find_field(shape, step.text);
        struct nearest nearest = { .wanted = step.text };
        for (uint16_t i = 0; i < shape->field_count && !step.bracket && !field; i++)
            near_consider(&nearest, shape->fields[i].name);
        *near = nearest.found;
        if (!field && !(step.bracket && shape->of))
            return false;
        shape = field ? field->shape : shape->of;
    }
    return true;
}

static const char *path_words(struct trace_printer *printer, const struct cursor *cursor, unsigned up, const char *below)
{
    struct text text;
    text_init(&text, &printer->arena);
    path_add(&text, cursor, printer->version, up, below);
    const char *path = text_end(&text);
    return path ? path : "";
}

/* ---- lines ---- */

/* A text that is begun with `words`, and printed with end_line. */
static struct text begin_line(struct trace_printer *printer, const char *words)
{
    struct text text;
    text_init(&text, &printer->arena);
    text_add(&text, words);
    return text;
}

static void end_line(struct trace_printer *printer, struct text *text)
{
    const char *line = text_end(text);
    fprintf(printer->out, "%s\n", line ? line : "      ran: there is not enough memory to say more");
    printer->printed = true;
}

static void print_line(struct trace_printer *printer, const char *words)
{
    struct text text = begin_line(printer, words);
    end_line(printer, &text);
}

/* `before`, the path, `after`. */
static void print_path(struct trace_printer *printer, const char *before, const char *path, const char *after)
{
    struct text text = begin_line(printer, before);
    text_add_escaped(&text, bytes_of(*path ? path : "the object"), LIMIT_MESSAGE_BYTES);
    text_add(&text, after);
    end_line(printer, &text);
}

static void add_rule(struct text *text, const struct check *check)
{
    text_add(text, " [");
    text_add(text, rule_info(check->rule)->id);
    text_add(text, "]");
}

static void add_version(struct text *text, minor version)
{
    text_add(text, "1.");
    text_add_integer(text, version);
}

/* "only since 1.36 (validating as 1.35)" */
static void add_versions(struct text *text, struct versions versions, minor version)
{
    text_add(text, "only ");
    text_add(text, versions_words(versions).text);
    text_add(text, " (validating as ");
    add_version(text, version);
    text_add(text, ")");
}

static const char *operation_words(enum operation operation)
{
    return operation == CREATE ? "a create" : operation == UPDATE ? "an update of the object" : "an update of the status";
}

static void add_operations(struct text *text, unsigned when, enum operation operation)
{
    text_add(text, when & (CREATE | CREATE_CLEAN)     ? "only on create"
                   : (when & UPDATE && when & STATUS) ? "only on update"
                   : when & UPDATE                    ? "only on updates of the object"
                                                      : "only on updates of the status");
    text_add(text, " (validating ");
    text_add(text, operation_words(operation));
    text_add(text, ")");
}

static void add_condition(struct text *text, const struct predicate *predicate)
{
    if (predicate && predicate->op == PREDICATE_TRAIT) {
        text_add(text, "not for this kind");
        return;
    }
    text_add(text, "its condition does not hold: ");
    if (predicate)
        words_add_predicate(text, predicate, predicate->negated);
}

/* ---- objects ---- */

static void begin_object(struct trace_printer *printer, const struct evaluation *eval)
{
    const struct check_request *request = eval->request;
    const struct doc_node *name = doc_member(doc_member(request->object, "metadata"), "name");
    struct position position = { 0 };
    struct bytes near;
    printer->printed = false;
    printer->follows = has_path(request->kind->shape, printer->path, &near);
    printer->known |= printer->follows;
    arena_clear(&printer->headings);
    printer->heading = NULL;
    if (!printer->follows && !printer->missing_in) {
        printer->missing_in = request->kind;
        printer->near = near;
    }
    if (!printer->follows || lines_find(&printer->source->lines, request->object->offset, &position))
        return;
    struct text text = begin_line(printer, "");
    text_add_escaped(&text, bytes_of(printer->source->name), LIMIT_FILE_NAME_BYTES);
    text_add(&text, ":");
    text_add_integer(&text, position.line);
    text_add(&text, ": ");
    text_add_bytes(&text, request->kind->kind);
    if (name && name->type == DOC_STRING) {
        text_add(&text, " ");
        text_add_quoted(&text, doc_text(name), LIMIT_QUOTE_BYTES);
    }
    text_add(&text, ", ");
    text_add(&text, operation_words(request->operation));
    text_add(&text, ", as ");
    add_version(&text, request->version);
    end_line(printer, &text);
    printer->printed = false;
}

/* Values of a wrong type are reported before any row runs. */
static void print_undecodable(struct trace_printer *printer, const struct evaluation *eval)
{
    print_line(printer, "  no row runs: a value has a wrong type");
    for (const struct finding *finding = eval->findings->first; finding; finding = finding->next) {
        struct text text = begin_line(printer, "    ");
        text_add_escaped(&text, bytes_of(finding->path), LIMIT_MESSAGE_BYTES);
        text_add(&text, *finding->path ? ": " : "");
        text_add(&text, finding->message);
        end_line(printer, &text);
    }
}

/* ---- values ---- */

static void print_heading(struct trace_printer *printer, const struct cursor *cursor, const char *path)
{
    if (printer->heading && strcmp(printer->heading, path) == 0 && printer->key_heading == cursor->is_key)
        return;
    struct text text = begin_line(printer, "  "), heading;
    const char *type = explain_type(cursor->shape, &printer->arena);
    text_add_escaped(&text, bytes_of(*path ? path : "the object"), LIMIT_MESSAGE_BYTES);
    text_add(&text, " <");
    text_add(&text, type ? type : "");
    text_add(&text, ">: ");
    if (!cursor->node)
        text_add(&text, "not set");
    else if (cursor->is_key)
        text_add(&text, "a key");
    else
        doc_quote(&text, cursor->node, LIMIT_QUOTE_BYTES);
    text_add(&text, cursor->node && cursor->node->flags & DOC_IMPLIED ? ", which is not written" : "");
    end_line(printer, &text);
    arena_clear(&printer->headings);
    text_init(&heading, &printer->headings);
    text_add(&heading, path);
    printer->heading = text_end(&heading);
    printer->key_heading = cursor->is_key;
}

static void print_default(struct trace_printer *printer, const struct cursor *cursor)
{
    const struct field *field = cursor->field;
    bool written = cursor->node && !(cursor->node->flags & DOC_IMPLIED);
    struct text text = begin_line(printer, "    default: ");
    doc_quote(&text, field->default_value, LIMIT_QUOTE_BYTES);
    end_line(printer, &text);
    text = begin_line(printer, "      ");
    if (cursor->node == field->default_value)
        text_add(&text, "ran: the value is filled in");
    else if (written || !field->default_if)
        text_add(&text, "not run: the value is set");
    else
        text_add(&text, "not run: its condition does not hold: ");
    for (const struct predicate *predicate = field->default_if; predicate && predicate->op != PREDICATE_END && !written; predicate++)
        if (cursor->node != field->default_value) {
            text_add(&text, predicate == field->default_if ? "" : " and ");
            words_add_predicate(&text, predicate, predicate->negated);
        }
    end_line(printer, &text);
}

static void print_gate(struct trace_printer *printer, const struct evaluation *eval, const struct cursor *cursor)
{
    const struct check_request *request = eval->request;
    struct text text = begin_line(printer, "    needs the feature gate ");
    text_add(&text, cursor->field->gate);
    text_add(&text, " [");
    text_add(&text, rule_info(RULE_FEATURE_GATE)->id);
    text_add(&text, "]");
    end_line(printer, &text);
    text = begin_line(printer, "      ");
    bool off = request->gates_off & gate_bit(cursor->field->gate);
    text_add(&text, off ? "it is off: what is written was dropped, and reported" : "it is on");
    end_line(printer, &text);
}

static void print_value(struct trace_printer *printer, const struct evaluation *eval, const struct cursor *cursor, const char *path)
{
    static const char *const prepares[] = {
        [DROP] = "    what is written does not count: the API server drops it",
        [KEEP_OLD] = "    what is written does not count: the API server keeps the old value",
        [KEEP_OLD_IF_UNSET] = "    if it is not set, the API server keeps the old value",
        [KEEP_OLD_IF_SET] = "    what is written does not count where there is an old value: the API server keeps that",
    };
    const struct field *field = cursor->field;
    print_heading(printer, cursor, path);
    if (field && field->on[eval->request->operation])
        print_line(printer, prepares[field->on[eval->request->operation]]);
    if (field && field->default_value)
        print_default(printer, cursor);
    if (field && field->gate)
        print_gate(printer, eval, cursor);
    if (!cursor->node && cursor->shape->checks)
        print_line(printer, "    the rows of its type do not run: it is not set");
}

/* What is asked for is below the value. Says so if the walk does not go there. */
static void print_above(struct trace_printer *printer, const struct trace_event *event, const char *path)
{
    const struct doc_node *node = event->cursor->node;
    enum shape_type type = event->cursor->shape->type;
    if (event->result == TRACE_VALUE && !node)
        print_path(printer, "  nothing is checked there: ", path, " is not set");
    else if (event->result == TRACE_VALUE && (type == SHAPE_LIST || type == SHAPE_MAP) && !node->count)
        print_path(printer, "  nothing is checked there: ", path, " is empty");
    if (event->result != TRACE_BROKEN || !event->check->stop || printer->version < event->check->stop_since)
        return;
    struct text text = begin_line(printer, "  nothing is checked there: ");
    text_add_escaped(&text, bytes_of(*path ? path : "the object"), LIMIT_MESSAGE_BYTES);
    const char *words = explain_check(event->check, &printer->arena);
    text_add(&text, event->check->op == CHECK_SKIP ? " ends the checks " : " ");
    text_add(&text, words ? words : "");
    if (event->check->op != CHECK_SKIP)
        add_rule(&text, event->check);
    end_line(printer, &text);
}

/* ---- rows ---- */

static bool needs_value(const struct check *check)
{
    const struct check row[] = { *check, { .op = CHECK_END } };
    return checks_need_value(row);
}

/* The path of a finding stands in the heading, unless the row reports elsewhere. */
static void add_found(struct text *text, const struct trace_printer *printer, const struct trace_event *event)
{
    if (event->check->op == CHECK_SKIP) {
        text_add(text, "ran: ended the checks of this value");
        return;
    }
    text_add(text, event->found ? "ran: found " : "ran: found something, which is only counted");
    for (const struct finding *finding = event->found; finding; finding = finding->next) {
        text_add(text, finding == event->found ? "" : "; ");
        bool elsewhere = !printer->heading || strcmp(printer->heading, finding->path) != 0;
        text_add_escaped(text, bytes_of(elsewhere ? finding->path : ""), LIMIT_MESSAGE_BYTES);
        text_add(text, elsewhere && *finding->path ? ": " : "");
        text_add(text, finding->message);
    }
}

static void add_passed(struct text *text, const struct trace_event *event)
{
    const struct check *check = event->check;
    bool of_old = check->op == CHECK_IMMUTABLE || check->op == CHECK_IMMUTABLE_BY_KEY || check->op == CHECK_NO_ADDITIONS;
    text_add(text, check->op == CHECK_RATCHET ? "ran: turned on" : "ran: ok");
    if (of_old && !event->cursor->has_old)
        text_add(text, ", as there is no old value");
    else if (!event->cursor->node && needs_value(check) && check->op != CHECK_RATCHET)
        text_add(text, ", as the value is not set");
}

static void add_result(struct text *text, const struct trace_printer *printer, const struct evaluation *eval,
                       const struct trace_event *event)
{
    bool runs = event->result == TRACE_PASSED || event->result == TRACE_BROKEN;
    text_add(text, runs ? "      " : "      not run: ");
    switch (event->result) {
    case TRACE_PASSED:    add_passed(text, event); return;
    case TRACE_BROKEN:    add_found(text, printer, event); return;
    case TRACE_VERSION:   add_versions(text, event->check->versions, eval->request->version); return;
    case TRACE_NEEDS_SET: text_add(text, "it compares objects, and this one is validated by itself"); return;
    case TRACE_OPERATION: add_operations(text, event->check->when, eval->request->operation); return;
    case TRACE_CONDITION: add_condition(text, event->predicate); return;
    default:              break; /* TRACE_STOPPED */
    }
    const char *words = event->stopper->op == CHECK_SKIP ? NULL : explain_check(event->stopper, text->arena);
    text_add(text, words ? words : "a row before it ended the checks");
    if (words)
        add_rule(text, event->stopper);
    text_add(text, words ? " failed before" : "");
}

static void print_row(struct trace_printer *printer, const struct evaluation *eval, const struct trace_event *event, const char *path)
{
    const struct check *check = event->check;
    bool runs = event->result == TRACE_PASSED || event->result == TRACE_BROKEN;
    if (check->op == CHECK_KEYS && runs)
        return; /* its rows are traced one by one */
    print_heading(printer, event->cursor, path);
    struct text text = begin_line(printer, "    ");
    const char *words = explain_check(check, &printer->arena);
    text_add(&text, check->op == CHECK_SKIP      ? "ends the checks of this value "
                    : check->op == CHECK_RATCHET ? "excuses stored values below "
                    : check->op == CHECK_KEYS    ? "checks on keys "
                                                 : "");
    text_add(&text, words ? words : "");
    if (check->op != CHECK_SKIP && check->op != CHECK_RATCHET && check->op != CHECK_KEYS)
        add_rule(&text, check);
    end_line(printer, &text);
    text = begin_line(printer, "");
    add_result(&text, printer, eval, event);
    end_line(printer, &text);
}

/* ---- the visitor ---- */

/* What is said of a value and all below it. */
static void print_passed_over(struct trace_printer *printer, const struct evaluation *eval, const struct trace_event *event,
                              const char *path)
{
    if (event->result == TRACE_NO_FIELD) {
        struct text text = begin_line(printer, "  ");
        text_add_escaped(&text, bytes_of(path), LIMIT_MESSAGE_BYTES);
        text_add(&text, ": no such field: ");
        add_versions(&text, event->cursor->field->versions, eval->request->version);
        end_line(printer, &text);
    } else if (event->result == TRACE_REST_SKIPPED) {
        print_path(printer, "  ", path, ": nothing is checked there: a row of the list found a mistake in it");
    } else {
        print_path(printer, "  ", path, ": fast path: if it is not traced, it is skipped");
        print_line(printer, "    because it breaks no row by itself");
    }
}

/* Whether a row that stands elsewhere reports at the path, or has found something there. */
static bool reports_there(struct trace_printer *printer, const struct trace_event *event)
{
    const struct check *check = event->check;
    for (const struct finding *finding = event->found; finding; finding = finding->next)
        if (relate(printer->path, finding->path) == THERE)
            return true;
    return (check->up || check->below) && relate(printer->path, path_words(printer, event->cursor, check->up, check->below)) == THERE;
}

static void visit_value(struct trace_printer *printer, const struct evaluation *eval, const struct trace_event *event)
{
    const char *path = path_words(printer, event->cursor, 0, NULL);
    enum relation relation = relate(printer->path, path);
    if (event->check && (relation == THERE || reports_there(printer, event)))
        print_row(printer, eval, event, path);
    else if (event->result == TRACE_VALUE && relation == THERE)
        print_value(printer, eval, event->cursor, path);
    else if (relation != ELSEWHERE && event->result >= TRACE_NO_FIELD && event->result <= TRACE_CLEAN)
        print_passed_over(printer, eval, event, path);
    else if (relation == ABOVE)
        print_above(printer, event, path);
}

static void visit(void *self, struct evaluation *eval, const struct trace_event *event)
{
    struct trace_printer *printer = self;
    printer->version = eval->request->version;
    if (event->result == TRACE_OBJECT)
        begin_object(printer, eval);
    else if (!printer->follows)
        return;
    else if (event->cursor)
        visit_value(printer, eval, event);
    else if (event->result == TRACE_UNDECODABLE)
        print_undecodable(printer, eval);
    else if (!printer->printed)
        print_line(printer, "  the object has no such value");
    arena_clear(&printer->arena);
}

void trace_printer_init(struct trace_printer *printer, FILE *out, const char *path, const struct memory *memory)
{
    *printer = (struct trace_printer){ .out = out, .path = path };
    printer->trace = (struct trace){ .self = printer, .visit = visit };
    arena_init(&printer->arena, memory, LIMIT_ARENA_BYTES);
    arena_init(&printer->headings, memory, LIMIT_ARENA_BYTES);
}

void trace_printer_done(struct trace_printer *printer)
{
    arena_done(&printer->arena);
    arena_done(&printer->headings);
}

bool trace_printer_check(const struct trace_printer *printer, struct error *error)
{
    char what[64];
    const struct nearest nearest = { .found = printer->near };
    if (!printer->path || printer->known || !printer->missing_in)
        return true;
    snprintf(what, sizeof what, "a field of %s", printer->missing_in->kind.data);
    return option_unknown(error, printer->path, what, "", &nearest);
}
