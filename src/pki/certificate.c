/* Makes certificates: that of the CA, signed by itself, and those for servers, signed by the CA. */
#include <string.h>

#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/clock.h"
#include "pki/pki.h"

enum {
    SERIAL_BITS = 159,       /* at most 20 bytes as a positive number (RFC 5280, 4.1.2.2) */
    CLOCK_SKEW_SECONDS = 300, /* by which a client's clock may be late */
};

/* Extensions as OpenSSL's configuration spells them. */
struct extension {
    int id;
    const char *value;
};

static const struct extension authority_extensions[] = {
    { NID_basic_constraints,      "critical,CA:TRUE,pathlen:0" },
    { NID_key_usage,              "critical,keyCertSign,cRLSign" },
    { NID_subject_key_identifier, "hash" },
    { NID_undef,                  NULL },
};

static const struct extension server_extensions[] = {
    { NID_basic_constraints,        "critical,CA:FALSE" },
    { NID_key_usage,                "critical,digitalSignature" },
    { NID_ext_key_usage,            "serverAuth" },
    { NID_subject_key_identifier,   "hash" },
    { NID_authority_key_identifier, "keyid:always" },
    { NID_undef,                    NULL },
};

static bool add_extensions(X509 *certificate, X509 *issuer, const struct extension *rows)
{
    X509V3_CTX context = { 0 };
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    for (; rows->value; rows++) {
        X509_EXTENSION *extension = X509V3_EXT_nconf_nid(NULL, &context, rows->id, rows->value);
        bool added = extension && X509_add_ext(certificate, extension, -1);
        X509_EXTENSION_free(extension);
        if (!added)
            return false;
    }
    return true;
}

static bool add_alternative_name(GENERAL_NAMES *list, const struct pki_name *name)
{
    bool dns = name->address_length == 0;
    const void *data = dns ? (const void *)name->text : name->address;
    size_t length = dns ? strlen(name->text) : name->address_length;
    GENERAL_NAME *entry = GENERAL_NAME_new();
    ASN1_STRING *value = ASN1_STRING_type_new(dns ? V_ASN1_IA5STRING : V_ASN1_OCTET_STRING);
    if (entry && value && ASN1_STRING_set(value, data, (int)length)) {
        GENERAL_NAME_set0_value(entry, dns ? GEN_DNS : GEN_IPADD, value);
        value = NULL; /* the entry owns it */
        if (sk_GENERAL_NAME_push(list, entry))
            return true;
    }
    ASN1_STRING_free(value);
    GENERAL_NAME_free(entry);
    return false;
}

static bool add_alternative_names(X509 *certificate, const struct pki_names *names, bool critical)
{
    GENERAL_NAMES *list = GENERAL_NAMES_new();
    bool good = list != NULL;
    for (size_t i = 0; i < names->count && good; i++)
        good = add_alternative_name(list, &names->list[i]);
    good = good && X509_add1_ext_i2d(certificate, NID_subject_alt_name, list, critical, X509V3_ADD_DEFAULT) == 1;
    GENERAL_NAMES_free(list);
    return good;
}

/* The highest bit is set, so that it is never 0. */
static bool set_serial(X509 *certificate)
{
    BIGNUM *number = BN_new();
    bool good = number && BN_rand(number, SERIAL_BITS, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) &&
                BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
    BN_free(number);
    return good;
}

/* common_name: NULL for an empty subject. */
static bool set_subject(X509 *certificate, const char *common_name)
{
    X509_NAME *subject = X509_get_subject_name(certificate);
    return !common_name ||
        X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, (const unsigned char *)common_name, -1, -1, 0);
}

/* What all certificates have; the issuer, extensions and signature are still to come. NULL when OpenSSL fails. */
static X509 *begin_certificate(EVP_PKEY *key, const char *common_name, int64_t seconds)
{
    time_t now = clock_wall_seconds();
    X509 *certificate = X509_new();
    if (certificate && X509_set_version(certificate, X509_VERSION_3) && set_serial(certificate) && X509_set_pubkey(certificate, key) &&
        X509_time_adj_ex(X509_getm_notBefore(certificate), 0, -CLOCK_SKEW_SECONDS, &now) &&
        X509_time_adj_ex(X509_getm_notAfter(certificate), (int)(seconds / PKI_DAY_SECONDS), (long)(seconds % PKI_DAY_SECONDS), &now) &&
        set_subject(certificate, common_name))
        return certificate;
    X509_free(certificate);
    return NULL;
}

/* Ed25519 and Ed448 have their digest built in, and take no other. */
static bool sign(X509 *certificate, EVP_PKEY *key)
{
    bool builtin = EVP_PKEY_is_a(key, "ED25519") || EVP_PKEY_is_a(key, "ED448");
    return X509_sign(certificate, key, builtin ? NULL : EVP_sha256()) > 0;
}

/* Both as text, or neither. */
static bool write_texts(X509 *certificate, EVP_PKEY *key, struct pki_pair *pair)
{
    struct pki_pair made = {
        .certificate = pki_certificate_text(certificate),
        .key = pki_key_text(key),
        .begins = pki_time_seconds(X509_get0_notBefore(certificate)),
        .ends = pki_time_seconds(X509_get0_notAfter(certificate)),
    };
    if (!made.certificate || !made.key) {
        pki_pair_done(&made);
        return false;
    }
    *pair = made;
    return true;
}

bool pki_authority_new(const char *common_name, const struct pki_names *names, int days, enum pki_key_type type, struct pki_pair *pair,
                       struct error *error)
{
    EVP_PKEY *key = pki_key_new(type);
    X509 *certificate = key ? begin_certificate(key, common_name, (int64_t)days * PKI_DAY_SECONDS) : NULL;
    bool good = certificate && X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) &&
        add_extensions(certificate, certificate, authority_extensions) && (names->count == 0 || pki_constraints_add(certificate, names)) &&
        sign(certificate, key) && write_texts(certificate, key, pair);
    X509_free(certificate);
    EVP_PKEY_free(key);
    return good || pki_fail_openssl(error, "make a CA");
}

static bool copy_constraints(X509 *certificate, const X509 *old)
{
    int at = X509_get_ext_by_NID(old, NID_name_constraints, -1);
    return at < 0 || X509_add_ext(certificate, X509_get_ext(old, at), -1) == 1;
}

bool pki_authority_renew(X509 *old, int days, struct pki_authority *authority, struct pki_pair *pair, struct error *error)
{
    EVP_PKEY *key = pki_key_new(pki_key_type_of(X509_get0_pubkey(old)));
    X509 *certificate = key ? begin_certificate(key, NULL, (int64_t)days * PKI_DAY_SECONDS) : NULL;
    bool good = certificate && X509_set_subject_name(certificate, X509_get_subject_name(old)) &&
        X509_set_issuer_name(certificate, X509_get_subject_name(old)) && add_extensions(certificate, certificate, authority_extensions) &&
        copy_constraints(certificate, old) && sign(certificate, key) && write_texts(certificate, key, pair);
    if (good) {
        *authority = (struct pki_authority){
        .certificate = certificate, .key = key, .begins = pair->begins, .ends = pair->ends, .root = true };
        return true;
    }
    X509_free(certificate);
    EVP_PKEY_free(key);
    return pki_fail_openssl(error, "make a CA");
}

/* Clients refuse what outlives its CA only when that has ended; it is better not to make it. */
static bool cut_validity(X509 *certificate, const X509 *issuer, bool *cut)
{
    int order = ASN1_TIME_compare(X509_get0_notAfter(certificate), X509_get0_notAfter(issuer));
    if (order == -2 || (order > 0 && !X509_set1_notAfter(certificate, X509_get0_notAfter(issuer))))
        return false;
    *cut = order > 0;
    return true;
}

/* NULL when it is too long; or an address, which clients that use common names at all would take for a host there, and hold against
 * name constraints. */
static const char *common_name_of(const struct pki_names *names)
{
    const struct pki_name *first = &names->list[0];
    return first->address_length == 0 && strlen(first->text) <= PKI_COMMON_NAME ? first->text : NULL;
}

/* All but the signature; NULL when OpenSSL fails. An empty subject makes the alternative names critical (RFC 5280, 4.2.1.6). */
static X509 *make(const struct pki_authority *authority, const struct pki_names *names, EVP_PKEY *key, int64_t seconds, bool *cut)
{
    const char *common_name = common_name_of(names);
    X509 *certificate = begin_certificate(key, common_name, seconds);
    if (certificate && X509_set_issuer_name(certificate, X509_get_subject_name(authority->certificate)) &&
        cut_validity(certificate, authority->certificate, cut) && add_extensions(certificate, authority->certificate, server_extensions) &&
        add_alternative_names(certificate, names, !common_name))
        return certificate;
    X509_free(certificate);
    return NULL;
}

bool pki_issue(const struct pki_authority *authority, const struct pki_names *names, int64_t seconds, enum pki_key_type type,
               struct pki_pair *pair, struct pki_validity *validity, struct error *error)
{
    EVP_PKEY *key = pki_key_new(type);
    bool cut = false;
    X509 *certificate = key ? make(authority, names, key, seconds, &cut) : NULL;
    bool let = certificate && pki_constraints_let(certificate, authority->certificate, error);
    bool good = let && sign(certificate, authority->key) && write_texts(certificate, key, pair);
    if (good) {
        pki_time_text(X509_get0_notAfter(certificate), validity->end);
        validity->cut = cut;
    } else if (let || !certificate) {
        (void)pki_fail_openssl(error, "make a certificate");
    }
    X509_free(certificate);
    EVP_PKEY_free(key);
    return good;
}
