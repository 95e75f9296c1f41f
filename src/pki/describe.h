/* What a certificate or key is, as texts for people and programs: all of them cut and escaped. */
#ifndef DRAWBRIDGE_PKI_DESCRIBE_H
#define DRAWBRIDGE_PKI_DESCRIBE_H

#include <stdint.h>

#include "base/arena.h"
#include "pki/pki.h"

struct pki_list {
    const char *list[LIMIT_SHOWN_NAMES];
    size_t count, more; /* shown; left out */
};

/* Texts belong to the arena. */
struct pki_description {
    const char *subject, *issuer;
    const char *serial, *fingerprint; /* hexadecimal with colons; the latter SHA-256 */
    const char *key, *signature;      /* as "ECDSA P-256", "ecdsa-with-SHA256" */
    char begin[PKI_TIME_BYTES], end[PKI_TIME_BYTES];
    int days_left;                    /* whole days, negative when it has ended */
    struct pki_list names;            /* as "web.prod.svc", "10.0.0.1", "email:a@b", "URI:…" */
    struct pki_list usages;           /* key usages, then extended ones */
    bool authority;
    long path_length;                 /* -1: any, or no CA */
};

/* False when memory runs out. */
bool pki_describe(X509 *certificate, struct arena *arena, struct pki_description *description) MUST_USE;

/* "RSA 2048 bits", "ECDSA P-256", "Ed25519"; NULL when memory runs out. */
const char *pki_describe_key(const EVP_PKEY *key, struct arena *arena) MUST_USE;

/* A subject or issuer for a message, and an address; what has not 4 or 16 bytes is no address. */
struct escaped pki_escape_name(const X509_NAME *name) MUST_USE;
void pki_address_text(const ASN1_STRING *address, char *text, size_t size);

#endif
