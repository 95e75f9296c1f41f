#include "pki/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *advice;
    enum pki_level level;
} rows[] = {
#define PROBLEM(id, name, level, advice) [PKI_PROBLEM_##id] = { name, advice, PKI_##level },
#include "pki/problems.def"
#undef PROBLEM
};

_Static_assert(sizeof rows / sizeof *rows == PKI_PROBLEM_COUNT, "every problem has a row");

const char *pki_problem_name(enum pki_problem_id id)
{
    return rows[id].name;
}

const char *pki_problem_advice(enum pki_problem_id id)
{
    return rows[id].advice;
}

enum pki_level pki_problem_level(enum pki_problem_id id)
{
    return rows[id].level;
}

static bool same(const struct pki_problem *a, const struct pki_problem *b)
{
    return a->id == b->id && a->certificate == b->certificate && strcmp(a->file, b->file) == 0 && strcmp(a->text, b->text) == 0;
}

static void add(struct pki_report *report, const struct pki_problem *problem)
{
    report->refused = report->refused || rows[problem->id].level == PKI_ERROR;
    for (size_t i = 0; i < report->count; i++)
        if (same(&report->list[i], problem))
            return;
    if (report->count < LIMIT_CERTIFICATE_PROBLEMS)
        report->list[report->count++] = *problem;
    else
        report->more++;
}

void pki_report_add(struct pki_report *report, enum pki_problem_id id, const char *file, unsigned certificate, const char *format, ...)
{
    struct pki_problem problem = { .id = id, .file = file, .certificate = certificate };
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem.text, sizeof problem.text, format, arguments);
    va_end(arguments);
    add(report, &problem);
}

void pki_report_merge(struct pki_report *report, const struct pki_report *from)
{
    for (size_t i = 0; i < from->count; i++)
        add(report, &from->list[i]);
    report->more += from->more;
    report->refused = report->refused || from->refused;
    report->failed = report->failed || from->failed;
}
