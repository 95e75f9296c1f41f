/* The certificate that the server shows: from files, or issued by itself with a CA's key. New connections get the newest one; those
 * that are open stay as they are. There is one in a process. */
#ifndef DRAWBRIDGE_SERVE_TLS_H
#define DRAWBRIDGE_SERVE_TLS_H

#include <gnutls/abstract.h>

#include "pki/pki.h"
#include "observe/expiry.h"
#include "serve/issuer.h"
#include "serve/watch.h"

/* The source's name; the metrics know it by the same. */
#define TLS_WHAT "certificate"

struct tls_bundle;

/* Begins with the files or the issuer set by hand, and zeroes. Once the watch runs, only its thread touches it, but for the expiries. */
struct tls {
    const char *certificate_file, *key_file; /* NULL: the issuer has a folder */
    struct issuer issuer;
    int64_t renewal;            /* seconds since 1970: when the issuer has to issue again; 0: never */
    struct tls_bundle *retired; /* the last one first */
    struct expiry serving;      /* of what ends first in the chain */
    struct expiry authority;    /* of the issuer's CA */
    const char *weakness;       /* why API servers will not take what was loaded last, a constant; NULL: nothing */
};

/* What to watch; `tls` outlives the watch. */
struct watch_source tls_source(struct tls *tls);

/* For MHD_OPTION_HTTPS_CERT_CALLBACK. */
int tls_retrieve(gnutls_session_t session, const gnutls_datum_t *names, int name_count, const gnutls_pk_algorithm_t *algorithms,
                 int algorithm_count, gnutls_pcert_st **chain, unsigned *length, gnutls_privkey_t *key);

/* When no connection is left. */
void tls_done(struct tls *tls);

#endif
