#include "pki/rotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "base/clock.h"
#include "pki/bundle.h"

/* ---- what is there ---- */

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* The first certificate of the file, for the caller to free. */
static bool load_first(const char *file, X509 **certificate, struct error *error)
{
    struct pki_bundle bundle = { .count = 0 };
    bool good = pki_bundle_load(file, &bundle, error);
    X509 *first = good ? pki_bundle_first(&bundle) : NULL;
    good = good && (first || pki_fail(error, "there is no certificate in %s", escape_text(file).text));
    if (good && X509_up_ref(first))
        *certificate = first;
    pki_bundle_done(&bundle);
    return good;
}

static bool load_authority(const char *file, X509 **certificate, struct error *error)
{
    if (!load_first(file, certificate, error))
        return false;
    return X509_check_ca(*certificate) == 1 || pki_fail(error, "the certificate in %s is not that of a CA", escape_text(file).text);
}

/* False with *error set, too, when it is from another CA. */
static bool load_server(const struct pki_rotation_files *files, X509 *authority, X509 **certificate, struct error *error)
{
    if (!load_first(files->server, certificate, error))
        return false;
    bool own = X509_NAME_cmp(X509_get_issuer_name(*certificate), X509_get_subject_name(authority)) == 0 &&
               X509_verify(*certificate, X509_get0_pubkey(authority)) == 1;
    return own ||
        pki_fail(error, "the certificate in %s is not from the CA in %s", escape_text(files->server).text,
                 escape_text(files->authority).text);
}

/* ---- the bundle ---- */

/* Its text is kept in a buffer that OpenSSL doubles, so that no step is quadratic. */
static bool add_certificate(BIO *out, X509 *certificate)
{
    char *text = pki_certificate_text(certificate);
    bool good = text && BIO_puts(out, text) > 0;
    pki_text_free(text);
    return good;
}

/* Those that have not ended, and differ from `old`, which is there already. */
static bool add_others(BIO *out, const struct pki_bundle *bundle, X509 *old, int *kept, struct error *error)
{
    for (size_t i = 0; i < bundle->count; i++) {
        X509 *certificate = bundle->blocks[i].certificate;
        if (!certificate || X509_cmp(certificate, old) == 0 || pki_time_seconds(X509_get0_notAfter(certificate)) <= clock_wall_seconds())
            continue;
        if (*kept + 1 == LIMIT_BUNDLE_CAS)
            return pki_fail(error, "more than %d CAs would be trusted; end the rotations before this one with --finish", LIMIT_BUNDLE_CAS);
        if (!add_certificate(out, certificate))
            return pki_fail_openssl(error, "make a bundle");
        ++*kept;
    }
    return true;
}

static bool take_text(BIO *out, char **text, struct error *error)
{
    char *data;
    long length = BIO_get_mem_data(out, &data);
    *text = length > 0 ? strndup(data, (size_t)length) : NULL;
    return *text || pki_fail_memory(error, "make", "a bundle");
}

static bool fill_bundle(BIO *out, const char *file, X509 *old, X509 *new, int *kept, struct error *error)
{
    struct pki_bundle bundle = { .count = 0 };
    bool valid = pki_time_seconds(X509_get0_notAfter(old)) > clock_wall_seconds();
    if (!add_certificate(out, new) || (valid && !add_certificate(out, old)))
        return pki_fail_openssl(error, "make a bundle");
    *kept = valid;
    bool good = !is_there(file) || (pki_bundle_load(file, &bundle, error) && add_others(out, &bundle, old, kept, error));
    pki_bundle_done(&bundle);
    return good;
}

static bool make_bundle(const char *file, X509 *old, X509 *new, struct pki_rotation *rotation, struct error *error)
{
    BIO *out = BIO_new(BIO_s_mem());
    bool good = out ? fill_bundle(out, file, old, new, &rotation->kept, error) && take_text(out, &rotation->bundle, error) :
                      pki_fail_openssl(error, "make a bundle");
    BIO_free(out);
    return good;
}

/* ---- rotation ---- */

static bool make_server(const struct pki_rotation_files *files, X509 *old, const struct pki_authority *authority, int days,
                        struct pki_rotation *rotation, struct error *error)
{
    X509 *certificate = NULL;
    struct error reason;
    bool good = load_server(files, old, &certificate, error);
    if (good && !pki_names_read(certificate, &rotation->names, &reason))
        good = pki_fail(error, "cannot make the certificate in %s anew: %s", escape_text(files->server).text, reason.text);
    if (good && rotation->names.count == 0)
        good = pki_fail(error, "the certificate in %s has no alternative names", escape_text(files->server).text);
    good = good &&
        pki_issue(authority, &rotation->names, (int64_t)days * PKI_DAY_SECONDS, pki_key_type_of(X509_get0_pubkey(certificate)),
                  &rotation->server, &rotation->validity, error);
    X509_free(certificate);
    rotation->serves = good;
    return good;
}

bool pki_rotate(const struct pki_rotation_files *files, int days, int server_days, struct pki_rotation *rotation, struct error *error)
{
    X509 *old = NULL;
    struct pki_authority authority = { .certificate = NULL };
    *rotation = (struct pki_rotation){ .bundle = NULL };
    bool good = load_authority(files->authority, &old, error) && pki_authority_renew(old, days, &authority, &rotation->authority, error) &&
                make_bundle(files->bundle, old, authority.certificate, rotation, error) &&
                (!is_there(files->server) || make_server(files, old, &authority, server_days, rotation, error));
    pki_authority_done(&authority);
    X509_free(old);
    ERR_clear_error();
    if (!good)
        pki_rotation_done(rotation);
    return good;
}

void pki_rotation_done(struct pki_rotation *rotation)
{
    pki_pair_done(&rotation->authority);
    pki_pair_done(&rotation->server);
    pki_text_free(rotation->bundle);
    *rotation = (struct pki_rotation){ .bundle = NULL };
}

static bool count_others(const char *file, X509 *authority, int *others, struct error *error)
{
    struct pki_bundle bundle = { .count = 0 };
    bool good = pki_bundle_load(file, &bundle, error);
    *others = 0;
    for (size_t i = 0; i < bundle.count && good; i++)
        *others += bundle.blocks[i].certificate && X509_cmp(bundle.blocks[i].certificate, authority) != 0;
    pki_bundle_done(&bundle);
    return good;
}

bool pki_rotation_finish(const struct pki_rotation_files *files, char **bundle, int *gone, struct error *error)
{
    X509 *authority = NULL, *server = NULL;
    char *text = NULL;
    bool good = load_authority(files->authority, &authority, error) && count_others(files->bundle, authority, gone, error) &&
                (!is_there(files->server) || load_server(files, authority, &server, error));
    if (good) {
        text = pki_certificate_text(authority);
        good = text || pki_fail_openssl(error, "make a bundle");
    }
    if (good)
        *bundle = text;
    X509_free(authority);
    X509_free(server);
    ERR_clear_error();
    return good;
}
