/* The blocks of a PEM file in their order: certificates, keys, and others by name. */
#ifndef DRAWBRIDGE_PKI_BUNDLE_H
#define DRAWBRIDGE_PKI_BUNDLE_H

#include "pki/pki.h"

enum pki_block_kind {
    PKI_BLOCK_CERTIFICATE,
    PKI_BLOCK_KEY,       /* a private key; .key is NULL when it is encrypted or cannot be decoded */
    PKI_BLOCK_OTHER,
};

struct pki_block {
    enum pki_block_kind kind;
    char *name;        /* as after BEGIN, from OpenSSL; owned */
    X509 *certificate; /* owned; NULL for others */
    EVP_PKEY *key;     /* the same */
    bool encrypted;
};

/* Begins empty ({ 0 }); free with pki_bundle_done. A file has at most LIMIT_PEM_BYTES, so at most a 32nd of that in blocks. */
struct pki_bundle {
    struct pki_block *blocks;
    size_t count, capacity;
};

/* Takes the blocks of the text. False with *error set when a certificate cannot be read, or a block is cut off; `file` is for
 * the message. Keys that cannot be read are no error. *bundle is to be released in any case. */
bool pki_bundle_parse(const char *text, const char *file, struct pki_bundle *bundle, struct error *error) MUST_USE;

/* The same from a file. */
bool pki_bundle_load(const char *file, struct pki_bundle *bundle, struct error *error) MUST_USE;

void pki_bundle_done(struct pki_bundle *bundle);

/* The first certificate, NULL if there is none. */
X509 *pki_bundle_first(const struct pki_bundle *bundle) MUST_USE;

#endif
