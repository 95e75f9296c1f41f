#include "validate/row_report.h"

#ifdef COUNT_ROWS

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "check/row_counts.h"
#include "object/object.h"
#include "schema/gate.h"
#include "schema/kind.h"
#include "schema/words.h"

enum { MAX_ROWS = 8192, MAX_PATH = 512 };

struct row_report {
    FILE *out;
    const struct kind *kind;
    minor oldest;   /* the first minor in which an object can have what is visited */
    bool canonical; /* the checks are visited, which only canonical shapes have; else the fields */
    struct arena arena;
    const void *seen[MAX_ROWS]; /* rows that have been printed: shapes of several kinds are reported once */
    unsigned count;
};

static bool is_new(struct row_report *report, const void *row)
{
    for (unsigned i = 0; i < report->count; i++)
        if (report->seen[i] == row)
            return false;
    if (report->count < MAX_ROWS)
        report->seen[report->count++] = row;
    return true;
}

static void print_start(struct row_report *report, const char *path, const char *severity, const char *words)
{
    fprintf(report->out, "%s\t%s\t%s\t%s\t%s\t", report->kind->group.data, report->kind->kind.data, *path ? path : ".", severity, words);
}

/* What has to be proved, and how often it was: in that version, or with 0 in any. */
static void print_count(struct row_report *report, const char *what, const void *row, enum row_count count, minor version)
{
    unsigned long counted = 0;
    for (minor any = MINOR_OLDEST; any <= MINOR_NEWEST; any++)
        if (!version || any == version)
            counted += row_counted(row, any, count);
    fprintf(report->out, " %s", what);
    if (version)
        fprintf(report->out, " in 1.%u", (unsigned)version);
    fprintf(report->out, "=%lu", counted);
}

/* The first and the last version with the row, and those beside them. The first is no bound where no API version is older. */
static void print_bounds(struct row_report *report, const void *row, struct versions versions)
{
    if (versions.since > report->oldest) {
        print_count(report, "broken", row, ROW_BROKEN, versions.since);
        print_count(report, "left out", row, ROW_EXCLUDED, (minor)(versions.since - 1));
    }
    if (versions.until && versions.until < MINOR_NEWEST) {
        print_count(report, "broken", row, ROW_BROKEN, versions.until);
        print_count(report, "left out", row, ROW_EXCLUDED, (minor)(versions.until + 1));
    }
}

static void print_check(struct row_report *report, const char *path, const char *words, const struct check *check)
{
    if (!is_new(report, check))
        return;
    print_start(report, path, severity_word((enum severity)check->severity), words);
    print_count(report, "broken", check, ROW_BROKEN, 0);
    print_count(report, "passed", check, ROW_PASSED, 0);
    print_bounds(report, check, check->versions);
    fputc('\n', report->out);
}

static void visit_checks(struct row_report *report, const char *path, const struct check *checks)
{
    for (int ordinal = 1; checks && checks->op != CHECK_END; checks++, ordinal++) {
        if (checks->op == CHECK_KEYS) {
            char keys[MAX_PATH];
            snprintf(keys, sizeof keys, "%s{key}", path);
            visit_checks(report, keys, checks->each);
        }
        if (checks->op == CHECK_KEYS || checks->op == CHECK_SKIP || checks->op == CHECK_RATCHET)
            continue;
        struct text text;
        text_init(&text, &report->arena);
        text_add(&text, rule_info(checks->rule)->id);
        text_add(&text, ": ");
        if (checks->detail)
            text_add(&text, checks->detail);
        else
            words_add_check(&text, checks);
        text_add(&text, " #");
        text_add_integer(&text, ordinal);
        const char *words = text_end(&text);
        print_check(report, path, words ? words : "", checks);
    }
}

static void visit_shape(struct row_report *report, const char *path, const struct shape *shape);

static void print_default(struct row_report *report, const char *path, const struct field *field)
{
    if (!field->default_value || !is_new(report, ROW_DEFAULT(field)))
        return;
    print_start(report, path, "error", "default");
    print_count(report, "filled in", ROW_DEFAULT(field), ROW_BROKEN, 0);
    print_count(report, "set", ROW_DEFAULT(field), ROW_PASSED, 0);
    fputc('\n', report->out);
}

/* In the last version that has the gate off, or any if none has it on; and in the first that has it on, as far as they have the field. */
static void print_gate(struct row_report *report, const char *path, const struct field *field)
{
    if (!field->gate || !is_new(report, ROW_GATE(field)))
        return;
    minor first = field->versions.since > MINOR_OLDEST ? field->versions.since : MINOR_OLDEST, on = first;
    minor last = field->versions.until ? field->versions.until : MINOR_NEWEST;
    if (field->gated_since > first)
        first = field->gated_since;
    const struct gate *gate = gate_find(field->gate);
    if (gate && gate->alpha > first)
        first = gate->alpha;
    on = first;
    const struct gate_settings by_default = { .on = 0 };
    while (on <= last && (gates_off(&by_default, on) & gate_bit(field->gate)))
        on++;
    print_start(report, path, "warning", field->gate);
    if (on > first)
        print_count(report, "off", ROW_GATE(field), ROW_BROKEN, on > last ? 0 : (minor)(on - 1));
    if (on <= last)
        print_count(report, "on", ROW_GATE(field), ROW_PASSED, on);
    fputc('\n', report->out);
}

static void print_field(struct row_report *report, const char *path, const struct field *field)
{
    if ((field->versions.since <= report->oldest && !field->versions.until) || !is_new(report, field))
        return;
    print_start(report, path, "error", "field");
    print_bounds(report, field, field->versions);
    fputc('\n', report->out);
}

static void visit_field(struct row_report *report, const char *path, const struct field *field)
{
    char below[MAX_PATH];
    minor oldest = report->oldest;
    snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", field->name.data);
    if (report->canonical) {
        print_default(report, below, field);
        print_gate(report, below, field);
        visit_checks(report, below, field->checks);
    } else {
        print_field(report, below, field);
    }
    if (field->versions.since > oldest)
        report->oldest = field->versions.since;
    visit_shape(report, below, field->shape);
    report->oldest = oldest;
}

static void visit_shape(struct row_report *report, const char *path, const struct shape *shape)
{
    char below[MAX_PATH];
    if (report->canonical)
        visit_checks(report, path, shape->checks);
    for (uint16_t i = 0; i < shape->field_count; i++)
        visit_field(report, path, &shape->fields[i]);
    snprintf(below, sizeof below, "%s%s", path, shape->type == SHAPE_LIST ? "[]" : "{}");
    if (shape->of)
        visit_shape(report, below, shape->of); /* recursion is as deep as shapes nest */
}

/* The first minor that serves a kind whose checks the shape has. */
static minor oldest_server(const struct shape *shape)
{
    minor oldest = MINOR_NEWEST;
    for (size_t i = 0; i < kind_count; i++)
        if (object_canonical_shape(kinds[i].shape) == shape && kinds[i].served.since < oldest)
            oldest = kinds[i].served.since;
    return oldest;
}

static void visit_checks_of(struct row_report *report, const struct kind *kind)
{
    const struct shape *shape = object_canonical_shape(kind->shape);
    report->kind = kind;
    report->canonical = true;
    report->oldest = oldest_server(shape);
    visit_shape(report, "", shape);
}

static void visit_fields_of(struct row_report *report, const struct kind *kind)
{
    report->kind = kind;
    report->canonical = false;
    report->oldest = kind->served.since;
    visit_shape(report, "", kind->shape);
}

/* Others than those for which there are conformance cases. */
static bool is_other(const struct kind *kind)
{
    return !kind->group.length || kind->successor;
}

/* A shape of several kinds is reported at the first of them; its fields, where an object can have them first. */
static void visit_all(struct row_report *report)
{
    for (int other = 0; other <= 1; other++) {
        for (minor since = 0; since <= MINOR_NEWEST; since++)
            for (size_t i = 0; i < kind_count; i++)
                if (is_other(&kinds[i]) == other && kinds[i].served.since == since)
                    visit_fields_of(report, &kinds[i]);
        for (size_t i = 0; i < kind_count; i++)
            if (is_other(&kinds[i]) == other)
                visit_checks_of(report, &kinds[i]);
    }
}

static void print_all(void)
{
    static struct row_report report;
    char name[4096];
    snprintf(name, sizeof name, "%s/%ld", getenv("ROW_COUNTS"), (long)getpid());
    report.out = fopen(name, "w");
    if (!report.out)
        return;
    arena_init(&report.arena, &memory_malloc, LIMIT_ARENA_BYTES);
    visit_all(&report);
    arena_done(&report.arena);
    fclose(report.out);
}

void row_report_at_exit(void)
{
    if (getenv("ROW_COUNTS"))
        atexit(print_all);
}

#else

void row_report_at_exit(void)
{
}

#endif
