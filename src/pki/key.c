/* New keys, and keys and certificates as PEM text. */
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/pem.h>

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

EVP_PKEY *pki_key_new(void)
{
    return EVP_EC_gen("P-256");
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
