/* Reads a certificate and its key from files and checks that they can be used now; with more checks, as a CA. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "pki/bundle.h"

/* A pair of files and what OpenSSL made of them. */
struct loaded {
    struct pki_pair pair;
    X509 *certificate; /* the first one */
    EVP_PKEY *key;
};

static void loaded_done(struct loaded *loaded)
{
    pki_pair_done(&loaded->pair);
    X509_free(loaded->certificate);
    EVP_PKEY_free(loaded->key);
}

void pki_pair_done(struct pki_pair *pair)
{
    pki_text_free(pair->certificate);
    pki_text_free(pair->key);
    *pair = (struct pki_pair){ .certificate = NULL };
}

void pki_time_text(const ASN1_TIME *time, char text[PKI_TIME_BYTES])
{
    struct tm parts;
    if (ASN1_TIME_to_tm(time, &parts) != 1 || strftime(text, PKI_TIME_BYTES, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
        snprintf(text, PKI_TIME_BYTES, "an unknown time");
}

void pki_seconds_text(int64_t seconds, char text[PKI_TIME_BYTES])
{
    struct tm parts;
    time_t when = (time_t)seconds;
    if (!gmtime_r(&when, &parts) || strftime(text, PKI_TIME_BYTES, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
        snprintf(text, PKI_TIME_BYTES, "an unknown time");
}

int64_t pki_time_seconds(const ASN1_TIME *time)
{
    struct tm parts;
    return ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t)timegm(&parts) : 0;
}

/* ---- the certificates ---- */

/* Every certificate of the text must be good: clients get them all. Other blocks are passed over. */
static bool read_certificates(const char *text, const char *file, X509 **first, struct error *error)
{
    struct pki_bundle bundle = { .count = 0 };
    bool good = pki_bundle_parse(text, file, &bundle, error);
    X509 *certificate = good ? pki_bundle_first(&bundle) : NULL;
    good = good && (certificate || pki_fail(error, "there is no certificate in %s", escape_text(file).text));
    if (good && X509_up_ref(certificate))
        *first = certificate;
    pki_bundle_done(&bundle);
    return good;
}

/* ---- the key ---- */

/* OpenSSL would ask on the terminal otherwise. */
static int refuse_password(char *buffer, int size, int writing, void *data)
{
    bool *asked = data;
    (void)buffer, (void)size, (void)writing;
    *asked = true;
    return -1;
}

bool pki_key_parse(const char *text, const char *file, EVP_PKEY **key, bool *encrypted, struct error *error)
{
    *encrypted = false;
    BIO *bio = BIO_new_mem_buf(text, -1);
    *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, refuse_password, encrypted) : NULL;
    BIO_free(bio);
    if (*key)
        return true;
    if (pki_out_of_memory())
        return pki_fail_memory(error, "read", file);
    if (!strstr(text, "PRIVATE KEY-----"))
        return pki_fail(error, "there is no private key in %s", escape_text(file).text);
    if (*encrypted)
        return pki_fail(error, "the key in %s is protected by a password; it must be stored without one", escape_text(file).text);
    return pki_fail(error, "the key in %s cannot be read; it is damaged, cut off or of an unknown kind", escape_text(file).text);
}

/* A file's private part can be damaged while its public part still fits. */
bool pki_key_signs_for(EVP_PKEY *key, X509 *certificate)
{
    static const unsigned char sample[] = "drawbridge";
    unsigned char *signature = NULL;
    size_t length = 0;
    EVP_MD_CTX *signer = EVP_MD_CTX_new(), *verifier = EVP_MD_CTX_new();
    bool good = signer && verifier && EVP_DigestSignInit(signer, NULL, NULL, NULL, key) == 1 &&
                EVP_DigestSign(signer, NULL, &length, sample, sizeof sample) == 1 && (signature = OPENSSL_malloc(length)) &&
                EVP_DigestSign(signer, signature, &length, sample, sizeof sample) == 1 &&
                EVP_DigestVerifyInit(verifier, NULL, NULL, NULL, X509_get0_pubkey(certificate)) == 1 &&
                EVP_DigestVerify(verifier, signature, length, sample, sizeof sample) == 1;
    OPENSSL_free(signature);
    EVP_MD_CTX_free(signer);
    EVP_MD_CTX_free(verifier);
    return good;
}

static bool check_match(const struct loaded *loaded, const char *certificate_file, const char *key_file, struct error *error)
{
    struct escaped key = escape_text(key_file), certificate = escape_text(certificate_file);
    if (X509_check_private_key(loaded->certificate, loaded->key) != 1)
        return pki_fail(error, "the key in %s does not belong to the certificate in %s", key.text, certificate.text);
    if (!pki_key_signs_for(loaded->key, loaded->certificate))
        return pki_fail(error, "the key in %s is damaged: it does not sign for the certificate in %s", key.text, certificate.text);
    return true;
}

/* ---- the time ---- */

/* Only the first certificate's: chains with an older root in them that has ended still serve newer clients. */
static bool check_time(X509 *certificate, const char *file, struct error *error)
{
    char text[PKI_TIME_BYTES];
    int begin = X509_cmp_time(X509_get0_notBefore(certificate), NULL), end = X509_cmp_time(X509_get0_notAfter(certificate), NULL);
    if (begin == 0 || end == 0)
        return pki_fail(error, "the certificate in %s has no valid dates", escape_text(file).text);
    if (begin > 0) {
        pki_time_text(X509_get0_notBefore(certificate), text);
        return pki_fail(error, "the certificate in %s is not valid before %s", escape_text(file).text, text);
    }
    if (end < 0) {
        pki_time_text(X509_get0_notAfter(certificate), text);
        return pki_fail(error, "the certificate in %s expired on %s", escape_text(file).text, text);
    }
    return true;
}

/* ---- all of it ---- */

/* *loaded begins empty and is to be released in any case. */
static bool load(const char *certificate_file, const char *key_file, struct loaded *loaded, struct error *error)
{
    bool encrypted;
    return pki_read(certificate_file, &loaded->pair.certificate, error) &&
           read_certificates(loaded->pair.certificate, certificate_file, &loaded->certificate, error) &&
           pki_read(key_file, &loaded->pair.key, error) && pki_key_parse(loaded->pair.key, key_file, &loaded->key, &encrypted, error) &&
           check_match(loaded, certificate_file, key_file, error) && check_time(loaded->certificate, certificate_file, error);
}

/* Keys with which every client of the server can shake hands: the TLS library and the groups that serve/ offers leave no others. */
static bool is_usable(EVP_PKEY *key)
{
    char group[32] = "";
    if (EVP_PKEY_is_a(key, "ED25519"))
        return true;
    if (EVP_PKEY_is_a(key, "RSA"))
        return EVP_PKEY_get_bits(key) >= LIMIT_SERVING_RSA_BITS_MIN;
    return EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1 &&
           (strcmp(group, SN_X9_62_prime256v1) == 0 || strcmp(group, SN_secp384r1) == 0);
}

/* What keeps API servers from accepting a webhook's certificate, though the handshake itself works; NULL: nothing. */
static const char *weakness_of(X509 *certificate)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    bool named = names && sk_GENERAL_NAME_num(names) > 0;
    GENERAL_NAMES_free(names);
    if (!named)
        return "it has no subjectAltName, and API servers use no other name";
    if (X509_check_purpose(certificate, X509_PURPOSE_SSL_SERVER, 0) != 1)
        return "it is not for servers (extended key usage serverAuth)";
    return NULL;
}

bool pki_pair_load(const char *certificate_file, const char *key_file, struct pki_pair *pair, struct error *error)
{
    struct loaded loaded = { .certificate = NULL };
    bool good = load(certificate_file, key_file, &loaded, error) &&
        (is_usable(loaded.key) ||
         pki_fail(error, "the key in %s is of a type that clients cannot use; it must be P-256, P-384, Ed25519, or RSA of at least %d bits",
                  escape_text(key_file).text, LIMIT_SERVING_RSA_BITS_MIN));
    if (good) {
        *pair = loaded.pair;
        pair->weakness = weakness_of(loaded.certificate);
        pair->begins = pki_time_seconds(X509_get0_notBefore(loaded.certificate));
        pair->ends = pki_time_seconds(X509_get0_notAfter(loaded.certificate));
        loaded.pair = (struct pki_pair){ .certificate = NULL };
    }
    loaded_done(&loaded);
    ERR_clear_error();
    return good;
}

/* Certificates name the CA's key by its identifier, so it must have one. */
static bool check_authority(X509 *certificate, const char *file, struct error *error)
{
    if (X509_check_ca(certificate) != 1)
        return pki_fail(error, "the certificate in %s is not that of a CA", escape_text(file).text);
    return X509_get0_subject_key_id(certificate) ||
        pki_fail(error, "the certificate in %s has no subject key identifier", escape_text(file).text);
}

bool pki_authority_load(const char *certificate_file, const char *key_file, struct pki_authority *authority, struct error *error)
{
    struct loaded loaded = { .certificate = NULL };
    bool good = load(certificate_file, key_file, &loaded, error) && check_authority(loaded.certificate, certificate_file, error);
    if (good) {
        *authority = (struct pki_authority){
            .certificate = loaded.certificate,
            .key = loaded.key,
            .chain = loaded.pair.certificate,
            .begins = pki_time_seconds(X509_get0_notBefore(loaded.certificate)),
            .ends = pki_time_seconds(X509_get0_notAfter(loaded.certificate)),
            .root = X509_NAME_cmp(X509_get_issuer_name(loaded.certificate), X509_get_subject_name(loaded.certificate)) == 0,
        };
        loaded.certificate = NULL;
        loaded.key = NULL;
        loaded.pair.certificate = NULL;
    }
    loaded_done(&loaded);
    ERR_clear_error();
    return good;
}

void pki_authority_done(struct pki_authority *authority)
{
    X509_free(authority->certificate);
    EVP_PKEY_free(authority->key);
    pki_text_free(authority->chain);
    *authority = (struct pki_authority){ .certificate = NULL };
}
