/* A server that has a CA's key issues its own certificates, which are short-lived and never written to a file. */
#ifndef DRAWBRIDGE_SERVE_ISSUER_H
#define DRAWBRIDGE_SERVE_ISSUER_H

#include "pki/pki.h"
#include "serve/watch.h"

/* Begins with the first three fields set by hand. */
struct issuer {
    const char *folder;      /* with ca.crt and ca.key, or a CA in tls.crt and tls.key; NULL: no certificate is issued */
    struct pki_names names;  /* of the certificates */
    unsigned hours;          /* how long they last */
    char files[LIMIT_WATCH_FILES][PKI_PATH_BYTES];
};

/* What was issued. */
struct issued {
    struct pki_pair pair;         /* with the CA's chain after the certificate unless it is a root */
    int64_t renewal;              /* seconds since 1970; INT64_MAX: a new one would not last longer, as the CA ends */
    int64_t ca_begins, ca_ends;   /* the same */
};

/* Finds out the names of files. False: they are too long. */
bool issuer_init(struct issuer *issuer) MUST_USE;

/* Loads the CA, issues, and forgets the CA's key. Free issued->pair with pki_pair_done. */
bool issuer_issue(const struct issuer *issuer, struct issued *issued, struct error *error) MUST_USE;

/* When a certificate that was issued `now` has to be renewed: after two thirds of its life, which leaves one third for repairs. */
int64_t issuer_renewal(int64_t now, int64_t ends) MUST_USE;

#endif
