#include "serve/tls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "serve/limits.h"
#include "serve/validity.h"

/* What one handshake needs. GnuTLS only reads it, from any number of threads. */
struct tls_bundle {
    gnutls_pcert_st chain[LIMIT_CHAIN]; /* the server's own certificate first */
    unsigned length;
    gnutls_privkey_t key;
    struct tls_bundle *next; /* among those retired */
    int64_t retired;         /* milliseconds of the monotonic clock */
};

/* Static, because the library's callback knows no closure. */
static _Atomic(struct tls_bundle *) current;

/* ---- a bundle ---- */

static void bundle_free(struct tls_bundle *bundle)
{
    for (unsigned i = 0; i < bundle->length; i++)
        gnutls_pcert_deinit(&bundle->chain[i]);
    if (bundle->key)
        gnutls_privkey_deinit(bundle->key);
    free(bundle);
}

static gnutls_datum_t datum_of(char *text)
{
    return (gnutls_datum_t){ (unsigned char *)text, (unsigned)strlen(text) };
}

/* The same as the TLS library's own reading of files, with a chain of any order that the file has. Returns 0 or its error. */
static int import(const struct pki_pair *pair, struct tls_bundle *bundle)
{
    const gnutls_datum_t chain = datum_of(pair->certificate), key = datum_of(pair->key);
    unsigned length = LIMIT_CHAIN;
    int code =
        gnutls_pcert_list_import_x509_raw(bundle->chain, &length, &chain, GNUTLS_X509_FMT_PEM, GNUTLS_X509_CRT_LIST_IMPORT_FAIL_IF_EXCEED);
    if (code < 0)
        return code;
    bundle->length = length;
    code = gnutls_privkey_init(&bundle->key);
    return code < 0 ? code : gnutls_privkey_import_x509_raw(bundle->key, &key, GNUTLS_X509_FMT_PEM, NULL, 0);
}

static struct tls_bundle *bundle_new(const struct pki_pair *pair, const char *file, struct error *error)
{
    struct tls_bundle *bundle = calloc(1, sizeof *bundle);
    int code = bundle ? import(pair, bundle) : GNUTLS_E_MEMORY_ERROR;
    if (code == 0)
        return bundle;
    if (bundle)
        bundle_free(bundle);
    if (code == GNUTLS_E_SHORT_MEMORY_BUFFER)
        (void)pki_fail(error, "there are more than %u certificates in %s", LIMIT_CHAIN, escape_text(file).text);
    else
        (void)pki_fail(error, "the TLS library cannot use the certificate in %s: %s", escape_text(file).text, gnutls_strerror(code));
    return NULL;
}

/* ---- one takes the place of another ---- */

/* Frees those that no handshake can still use. */
static void free_retired(struct tls *tls, int64_t before)
{
    struct tls_bundle **link = &tls->retired;
    while (*link) {
        struct tls_bundle *bundle = *link;
        if (bundle->retired > before) {
            link = &bundle->next;
            continue;
        }
        *link = bundle->next;
        bundle_free(bundle);
    }
}

/* NULL: no more handshakes. */
static void show(struct tls *tls, struct tls_bundle *bundle)
{
    struct tls_bundle *old = atomic_exchange(&current, bundle);
    if (!old)
        return;
    old->retired = clock_milliseconds();
    old->next = tls->retired;
    tls->retired = old;
}

/* The chain ends with that of its certificates that ends first. */
static void take_over(struct tls *tls, const struct pki_pair *pair, struct tls_bundle *bundle)
{
    int64_t begins, ends;
    bool known = validity_read(pair->certificate, &begins, &ends);
    show(tls, bundle);
    expiry_set(&tls->serving, known ? begins : pair->begins, known ? ends : pair->ends);
    tls->weakness = pair->weakness;
}

/* Ends with the pair. */
static bool use(struct tls *tls, struct pki_pair *pair, const char *file, struct error *error)
{
    struct tls_bundle *bundle = bundle_new(pair, file, error);
    if (bundle)
        take_over(tls, pair, bundle);
    pki_pair_done(pair);
    return bundle != NULL;
}

/* ---- from files ---- */

static bool load_files(struct tls *tls, char text[LIMIT_WATCH_TEXT_BYTES], struct error *error)
{
    struct pki_pair pair;
    char end[PKI_TIME_BYTES];
    if (!pki_pair_load(tls->certificate_file, tls->key_file, &pair, error))
        return false;
    pki_seconds_text(pair.ends, end);
    if (!use(tls, &pair, tls->certificate_file, error))
        return false;
    snprintf(text, LIMIT_WATCH_TEXT_BYTES, "%s is in use, until %s%s%s", escape_text(tls->certificate_file).text, end,
             tls->weakness ? "; warning: " : "", tls->weakness ? tls->weakness : "");
    return true;
}

/* ---- by an issuer ---- */

static bool issue(struct tls *tls, char text[LIMIT_WATCH_TEXT_BYTES], struct error *error)
{
    struct issued issued;
    char end[PKI_TIME_BYTES];
    if (!issuer_issue(&tls->issuer, &issued, error))
        return false;
    pki_seconds_text(issued.pair.ends, end);
    if (!use(tls, &issued.pair, tls->issuer.folder, error))
        return false;
    expiry_set(&tls->authority, issued.ca_begins, issued.ca_ends);
    tls->renewal = issued.renewal;
    snprintf(text, LIMIT_WATCH_TEXT_BYTES, "a new one from %s is in use, until %s%s", escape_text(tls->issuer.folder).text, end,
             issued.renewal == INT64_MAX ? ", when its CA ends" : "");
    return true;
}

/* Before it begins, too: the clock was wrong when it was issued, and clients do not take it. */
static bool is_renewal_due(struct tls *tls, int64_t now)
{
    return tls->renewal && (now >= tls->renewal || now < atomic_load(&tls->serving.begins));
}

/* ---- what is watched ---- */

static bool load(void *closure, char text[LIMIT_WATCH_TEXT_BYTES])
{
    struct tls *tls = closure;
    struct error error;
    bool good = tls->issuer.folder ? issue(tls, text, &error) : load_files(tls, text, &error);
    if (!good)
        snprintf(text, LIMIT_WATCH_TEXT_BYTES, "%s", error.text);
    return good;
}

static bool due(void *closure, char text[LIMIT_WATCH_TEXT_BYTES])
{
    struct tls *tls = closure;
    int64_t now = clock_wall_seconds();
    free_retired(tls, clock_milliseconds() - LIMIT_RETIRED_MS);
    if (!expiry_warn(&tls->serving, "the certificate", now, text, LIMIT_WATCH_TEXT_BYTES) &&
        !expiry_warn(&tls->authority, "its CA", now, text, LIMIT_WATCH_TEXT_BYTES))
        text[0] = '\0';
    return is_renewal_due(tls, now);
}

struct watch_source tls_source(struct tls *tls)
{
    struct watch_source source = {
        .what = TLS_WHAT, .files = { tls->certificate_file, tls->key_file }, .closure = tls, .load = load, .due = due
    };
    for (int i = 0; i < LIMIT_WATCH_FILES && tls->issuer.folder; i++)
        source.files[i] = tls->issuer.files[i];
    return source;
}

void tls_done(struct tls *tls)
{
    show(tls, NULL);
    free_retired(tls, INT64_MAX);
}

/* ---- handshakes ---- */

int tls_retrieve(gnutls_session_t session, const gnutls_datum_t *names, int name_count, const gnutls_pk_algorithm_t *algorithms,
                 int algorithm_count, gnutls_pcert_st **chain, unsigned *length, gnutls_privkey_t *key)
{
    struct tls_bundle *bundle = atomic_load(&current);
    (void)session, (void)names, (void)name_count, (void)algorithms, (void)algorithm_count;
    if (!bundle)
        return -1;
    *chain = bundle->chain;
    *length = bundle->length;
    *key = bundle->key;
    return 0;
}
