#include "validate/row_report.h"

#ifdef COUNT_ROWS

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "check/row_counts.h"
#include "object/object.h"
#include "schema/kind.h"
#include "schema/words.h"

enum { MAX_ROWS = 8192, MAX_PATH = 512 };

struct row_report {
    FILE *out;
    const struct kind *kind;
    minor oldest;   /* the first minor that serves an API version with the shape */
    bool canonical; /* now come the checks, which only canonical shapes have; else the fields */
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

static void print_row(struct row_report *report, const char *path, const char *words, const void *row, struct versions versions)
{
    if (!is_new(report, row))
        return;
    fprintf(report->out, "%s\t%s\t%s\t%s", report->kind->group.data, report->kind->kind.data, *path ? path : ".", words);
    fprintf(report->out, "\t%u\t%u", versions.since > report->oldest ? versions.since : 0u, (unsigned)versions.until);
    for (int i = 0; i < ROW_COUNTS; i++)
        fprintf(report->out, "\t%lu", row_counted(row, (enum row_count)i));
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
        print_row(report, path, words ? words : "", checks, checks->versions);
    }
}

static void visit_shape(struct row_report *report, const char *path, const struct shape *shape);

static const struct versions all_versions = { 0, 0 };

static void visit_field(struct row_report *report, const char *path, const struct field *field)
{
    char below[MAX_PATH];
    snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", field->name.data);
    if (field->versions.since > report->oldest || field->versions.until)
        print_row(report, below, "field", field, field->versions);
    if (report->canonical) {
        if (field->default_value)
            print_row(report, below, "default", ROW_DEFAULT(field), all_versions);
        if (field->gate)
            print_row(report, below, "gate", ROW_GATE(field), all_versions);
        visit_checks(report, below, field->checks);
    }
    visit_shape(report, below, field->shape);
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

/* The first minor in which a kind with that shape is served. */
static minor oldest_server(const struct shape *shape)
{
    minor oldest = MINOR_NEWEST;
    for (size_t i = 0; i < kind_count; i++)
        if ((kinds[i].shape == shape || kinds[i].shape->as == shape) && kinds[i].served.since < oldest)
            oldest = kinds[i].served.since;
    return oldest;
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
    for (int canonical = 0; canonical <= 1; canonical++)
        for (size_t i = 0; i < kind_count; i++) {
            report.kind = &kinds[i];
            report.canonical = canonical;
            const struct shape *shape = canonical ? object_canonical_shape(kinds[i].shape) : kinds[i].shape;
            report.oldest = oldest_server(shape);
            visit_shape(&report, "", shape);
        }
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
