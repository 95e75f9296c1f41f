/* What is wrong with certificates, collected: findings, not failures. */
#ifndef DRAWBRIDGE_PKI_PROBLEM_H
#define DRAWBRIDGE_PKI_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "pki/limits.h"

enum pki_level { PKI_WARNING, PKI_ERROR }; /* error: an API server refuses the connection */

enum pki_problem_id {
#define PROBLEM(id, name, level, advice) PKI_PROBLEM_##id,
#include "pki/problems.def"
#undef PROBLEM
    PKI_PROBLEM_COUNT
};

struct pki_problem {
    enum pki_problem_id id;
    const char *file;     /* not owned */
    unsigned certificate; /* its number in the file, from 1; 0: the file as a whole */
    char text[LIMIT_CERTIFICATE_PROBLEM_BYTES];
};

/* Begins empty ({ 0 }). */
struct pki_report {
    struct pki_problem list[LIMIT_CERTIFICATE_PROBLEMS];
    size_t count, more; /* kept; seen beyond */
    bool refused;       /* there is an error, kept or not */
    bool failed;        /* memory ran out: nothing here can be relied on */
};

/* Words in lower case with hyphens; what to do about it, in English, without a final stop. */
const char *pki_problem_name(enum pki_problem_id id);
const char *pki_problem_advice(enum pki_problem_id id);
enum pki_level pki_problem_level(enum pki_problem_id id);

/* Adds a problem; one that is there already is not added again. `file` must outlive the report. */
void pki_report_add(struct pki_report *report, enum pki_problem_id id, const char *file, unsigned certificate, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Adds all of `from`. */
void pki_report_merge(struct pki_report *report, const struct pki_report *from);

#endif
