#include "pki/client.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "pki/bundle.h"

enum { SECURITY_LEVEL = 2 }; /* OpenSSL's: 112 bits; no SHA-1, no RSA below 2048 bits */

/* ---- the CAs ---- */

/* Partial chains: a CA that another signed can be trusted without that one, as in Go. */
static bool set_up(X509_STORE *store)
{
    X509_VERIFY_PARAM *parameters = X509_STORE_get0_param(store);
    X509_VERIFY_PARAM_set_auth_level(parameters, SECURITY_LEVEL);
    X509_VERIFY_PARAM_set_depth(parameters, LIMIT_CLIENT_CHAIN);
    return X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_CLIENT) == 1 &&
           X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_PARTIAL_CHAIN) == 1;
}

static bool add_certificates(X509_STORE *store, const struct pki_bundle *bundle, const char *file, struct error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < bundle->count; i++) {
        X509 *certificate = bundle->blocks[i].certificate;
        if (!certificate)
            continue;
        if (++count > LIMIT_CLIENT_CAS)
            return pki_fail(error, "there are more than %d certificates in %s", LIMIT_CLIENT_CAS, escape_text(file).text);
        if (X509_check_ca(certificate) == 0)
            return pki_fail(error, "certificate %zu in %s is not that of a CA", count, escape_text(file).text);
        if (X509_STORE_add_cert(store, certificate) != 1)
            return pki_fail_openssl(error, "take the CAs of clients");
    }
    return count > 0 || pki_fail(error, "there is no certificate in %s", escape_text(file).text);
}

bool pki_client_store(const char *file, X509_STORE **store, struct error *error)
{
    struct pki_bundle bundle = { .count = 0 };
    X509_STORE *made = NULL;
    bool good = pki_bundle_load(file, &bundle, error);
    if (good) {
        made = X509_STORE_new();
        good = (made && set_up(made)) || pki_fail_openssl(error, "take the CAs of clients");
    }
    good = good && add_certificates(made, &bundle, file, error);
    pki_bundle_done(&bundle);
    if (good)
        *store = made;
    else
        X509_STORE_free(made);
    ERR_clear_error();
    return good;
}

/* ---- a client ---- */

static X509 *decode(struct bytes der)
{
    const unsigned char *at = (const unsigned char *)der.data;
    return d2i_X509(NULL, &at, (long)der.length);
}

/* The common name, if there is just one, and it can be compared as text. */
static void read_name(X509 *certificate, char name[PKI_CLIENT_NAME])
{
    X509_NAME *subject = X509_get_subject_name(certificate);
    int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    unsigned char *text = NULL;
    name[0] = '\0';
    if (at < 0 || X509_NAME_get_index_by_NID(subject, NID_commonName, at) >= 0)
        return;
    int length = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
    if (length > 0 && length < PKI_CLIENT_NAME && !memchr(text, '\0', (size_t)length)) {
        memcpy(name, text, (size_t)length);
        name[length] = '\0';
    }
    OPENSSL_free(text);
}

static enum pki_client validate(X509_STORE *store, X509 *own, STACK_OF(X509) *others)
{
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    enum pki_client result = PKI_CLIENT_FAILED;
    if (context && X509_STORE_CTX_init(context, store, own, others) == 1) {
        int verified = X509_verify_cert(context), code = X509_STORE_CTX_get_error(context);
        if (verified == 1)
            result = PKI_CLIENT_GOOD;
        else if (code == X509_V_ERR_INVALID_PURPOSE && X509_STORE_CTX_get_error_depth(context) == 0)
            result = PKI_CLIENT_WRONG_USAGE;
        else if (code != X509_V_ERR_OUT_OF_MEM && !pki_out_of_memory())
            result = PKI_CLIENT_UNTRUSTED;
    }
    X509_STORE_CTX_free(context);
    return result;
}

enum pki_client pki_client_verify(X509_STORE *store, const struct bytes *chain, size_t count, char name[PKI_CLIENT_NAME])
{
    enum pki_client result = PKI_CLIENT_UNTRUSTED;
    STACK_OF(X509) *others = sk_X509_new_null();
    X509 *own = decode(chain[0]);
    bool good = others && own && count <= LIMIT_CLIENT_CHAIN;
    for (size_t i = 1; i < count && good; i++) {
        X509 *other = decode(chain[i]);
        good = other && sk_X509_push(others, other) > 0;
        if (!good)
            X509_free(other);
    }
    if (!good && pki_out_of_memory())
        result = PKI_CLIENT_FAILED;
    if (good)
        result = validate(store, own, others);
    if (result == PKI_CLIENT_GOOD)
        read_name(own, name);
    X509_free(own);
    sk_X509_pop_free(others, X509_free);
    ERR_clear_error();
    return result;
}

bool pki_client_bearable(struct bytes der)
{
    X509 *certificate = decode(der);
    EVP_PKEY *key = certificate ? X509_get0_pubkey(certificate) : NULL;
    BIGNUM *exponent = NULL;
    bool good = key &&
        (!EVP_PKEY_is_a(key, "RSA") ||
         (EVP_PKEY_get_bits(key) <= LIMIT_CLIENT_RSA_BITS && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent) == 1 &&
          BN_num_bits(exponent) <= LIMIT_EXPONENT_BITS));
    BN_free(exponent);
    X509_free(certificate);
    ERR_clear_error();
    return good;
}
