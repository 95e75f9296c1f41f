/* New keys, and keys and certificates as PEM text. */
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "pki/pki.h"

void pki_text_free(char *text)
{
    if (text)
        OPENSSL_cleanse(text, strlen(text));
    free(text);
}

/* What was written to `bio` so far. */
static char *copy_text(BIO *bio)
{
    char *data;
    long length = BIO_get_mem_data(bio, &data);
    char *text = length > 0 ? malloc((size_t)length + 1) : NULL;
    if (!text)
        return NULL;
    memcpy(text, data, (size_t)length);
    text[length] = '\0';
    return text;
}

const char *const pki_key_type_words[] = {
    [PKI_KEY_P256]    = "p256",
    [PKI_KEY_ED25519] = "ed25519",
    [PKI_KEY_RSA2048] = "rsa2048",
    [PKI_KEY_RSA3072] = "rsa3072",
    NULL,
};

enum pki_key_type pki_key_type_of(const EVP_PKEY *key)
{
    if (EVP_PKEY_is_a(key, "ED25519"))
        return PKI_KEY_ED25519;
    if (EVP_PKEY_is_a(key, "RSA"))
        return EVP_PKEY_get_bits(key) > 2048 ? PKI_KEY_RSA3072 : PKI_KEY_RSA2048;
    return PKI_KEY_P256;
}

EVP_PKEY *pki_key_new(enum pki_key_type type)
{
    switch (type) {
    case PKI_KEY_P256:    return EVP_EC_gen("P-256");
    case PKI_KEY_ED25519: return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    case PKI_KEY_RSA2048: return EVP_RSA_gen(2048);
    case PKI_KEY_RSA3072: return EVP_RSA_gen(3072);
    }
    return NULL;
}

/* PKCS#8, not encrypted. A secure memory BIO wipes what it frees. */
char *pki_key_text(EVP_PKEY *key)
{
    BIO *bio = BIO_new(BIO_s_secmem());
    char *text = bio && PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) == 1 ? copy_text(bio) : NULL;
    BIO_free(bio);
    return text;
}

char *pki_certificate_text(X509 *certificate)
{
    BIO *bio = BIO_new(BIO_s_mem());
    char *text = bio && PEM_write_bio_X509(bio, certificate) == 1 ? copy_text(bio) : NULL;
    BIO_free(bio);
    return text;
}
