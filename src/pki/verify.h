/* Whether an API server takes a certificate for a webhook: crypto/tls and crypto/x509 of Go with the caBundle as the only roots,
 * as of Go 1.26. Everything wrong is collected, where Go stops at the first. */
#ifndef DRAWBRIDGE_PKI_VERIFY_H
#define DRAWBRIDGE_PKI_VERIFY_H

#include "pki/facts.h"
#include "pki/problem.h"

/* The certificates of one file. */
struct pki_chain {
    const char *file;
    struct pki_facts *list; /* owned */
    size_t count;
};

/* Looks for a path from the first certificate of `served` over others of it to one of `roots`; adds what is in the way when
 * there is none. Go stops after 100 signatures, and so does this. Days: a CA on the path that ends sooner is warned of. */
void pki_verify_path(const struct pki_chain *served, const struct pki_chain *roots, int days, struct pki_report *report);

/* What one certificate is by itself, for both files: dates. */
void pki_verify_time(const struct pki_facts *facts, int days, struct pki_report *report);

/* Whether the extended key usage lets it be a server's. */
bool pki_verify_usage(const struct pki_facts *facts) MUST_USE;

#endif
