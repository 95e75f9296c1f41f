/* `drawbridge certs check`: the files of a webhook together, validated as an API server does. */
#ifndef DRAWBRIDGE_PKI_VALIDATE_H
#define DRAWBRIDGE_PKI_VALIDATE_H

#include "pki/problem.h"
#include "pki/pki.h"

struct pki_question {
    const char *certificate_file;   /* the chain that the server shows */
    const char *key_file;           /* NULL: not checked */
    const char *authority_file;     /* the caBundle; NULL: whoever signed the last certificate of the chain is trusted */
    const struct pki_names *names;  /* by which clients call; may be empty */
    int days;                       /* warn of what ends sooner */
};

/* Fills *report (which begins empty) and *end, when the first certificate ends. Returns false with *error set when a file cannot be
 * read. The report's texts refer to the names of the files. */
bool pki_validate(const struct pki_question *question, struct pki_report *report, char end[PKI_TIME_BYTES], struct error *error)
    MUST_USE;

#endif
