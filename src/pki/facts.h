/* A certificate as Go's crypto/x509 reads it, which is what an API server decides by: what its parser refuses, and the fields
 * that its verification uses. Source: Go 1.26, crypto/x509/parser.go. */
#ifndef DRAWBRIDGE_PKI_FACTS_H
#define DRAWBRIDGE_PKI_FACTS_H

#include <openssl/x509v3.h>

#include "pki/pki.h"

enum pki_signature { PKI_SIGNATURE_GOOD, PKI_SIGNATURE_WEAK, PKI_SIGNATURE_UNKNOWN };

struct pki_facts {
    X509 *certificate;           /* not owned */
    const char *file;            /* not owned */
    unsigned number;             /* in the file, from 1 */
    bool repeated;               /* the same certificate stands in front of it in the file; Go keeps one */
    const char *malformed;       /* why Go's parser refuses it, a constant; NULL: it does not */
    const ASN1_OBJECT *critical; /* the first critical extension that Go does not know; NULL: none */
    EVP_PKEY *key;               /* of a kind that Go verifies with; not owned; NULL otherwise */
    int key_bits;                /* of an RSA key; 0: another kind */
    enum pki_signature signature;
    bool constrained;            /* there are basic constraints */
    bool authority;              /* which say that it is a CA */
    long path_length;            /* -1: any */
    bool may_sign;               /* no key usage, an empty one, or one with keyCertSign */
    bool may_serve;              /* the same with digitalSignature */
    bool has_names;              /* there are alternative names */
    GENERAL_NAMES *names;        /* owned; NULL: none */
    NAME_CONSTRAINTS *limits;    /* owned; NULL: none */
    EXTENDED_KEY_USAGE *usages;  /* owned; NULL: any */
};

/* Returns false when memory runs out. *facts is to be released in any case. */
bool pki_facts_read(X509 *certificate, const char *file, unsigned number, struct pki_facts *facts) MUST_USE;
void pki_facts_done(struct pki_facts *facts);

/* What Go's parser dislikes in the parts that are no extensions, in those that are, or NULL. *memory is set when memory runs out. */
const char *pki_strict_body(X509 *certificate) MUST_USE;
const char *pki_strict_extensions(X509 *certificate, bool *memory) MUST_USE;
const char *pki_strict_contents(const struct pki_facts *facts) MUST_USE;

/* Byte for byte, as Go compares an issuer with a subject; OpenSSL would take "Web" for "web". */
bool pki_same_name(const X509_NAME *a, const X509_NAME *b) MUST_USE;

/* Whether a byte string is a domain name for Go, or a constraint on one. */
bool pki_domain_valid(const char *text, size_t length, bool constraint) MUST_USE;

#endif
