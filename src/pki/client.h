/* Whether a client's certificate is one that a CA of ours issued for clients. */
#ifndef DRAWBRIDGE_PKI_CLIENT_H
#define DRAWBRIDGE_PKI_CLIENT_H

#include "base/bytes.h"
#include "pki/pki.h"

enum { PKI_CLIENT_NAME = 4 * PKI_COMMON_NAME + 1 }; /* bytes, UTF-8 and its NUL */

enum pki_client {
    PKI_CLIENT_GOOD,
    PKI_CLIENT_UNTRUSTED,   /* no path to one of the CAs, or a date, signature, key or constraint on it is not accepted */
    PKI_CLIENT_WRONG_USAGE, /* it is for something else: an extended key usage without clientAuth */
    PKI_CLIENT_FAILED,      /* memory ran out, nothing is known */
};

/* Takes all certificates of the file as CAs, whether they are signed by themselves or not. The store is freed with X509_STORE_free. */
bool pki_client_store(const char *file, X509_STORE **store, struct error *error) MUST_USE;

/* `chain` is DER, the client's own first; not empty. When the result is good, `name` has the one common name of the subject, or "". Any
 * number of threads may use a store. */
enum pki_client pki_client_verify(X509_STORE *store, const struct bytes *chain, size_t count, char name[PKI_CLIENT_NAME]) MUST_USE;

/* Whether a signature can be checked with the key of this certificate (DER) in reasonable time. */
bool pki_client_bearable(struct bytes certificate) MUST_USE;

#endif
