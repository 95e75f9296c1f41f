#include "pki/bundle.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

/* OpenSSL skips lines that only resemble the beginning of a block, such as one that is cut off. */
static size_t count_beginnings(const char *text)
{
    size_t count = 0;
    for (; (text = strstr(text, "-----BEGIN ")); text++)
        count++;
    return count;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static enum pki_block_kind kind_of(const char *name)
{
    if (strcmp(name, PEM_STRING_X509) == 0 || strcmp(name, PEM_STRING_X509_OLD) == 0)
        return PKI_BLOCK_CERTIFICATE;
    return ends_with(name, "PRIVATE KEY") ? PKI_BLOCK_KEY : PKI_BLOCK_OTHER;
}

/* NULL when the bytes are no certificate, or more than one. */
static X509 *decode_certificate(const unsigned char *data, long length)
{
    const unsigned char *at = data;
    X509 *certificate = d2i_X509(NULL, &at, length);
    if (certificate && at == data + length)
        return certificate;
    X509_free(certificate);
    return NULL;
}

static bool make_room(struct pki_bundle *bundle)
{
    if (bundle->count < bundle->capacity)
        return true;
    size_t capacity = bundle->capacity * 2 + 4;
    struct pki_block *blocks = realloc(bundle->blocks, capacity * sizeof *blocks);
    if (!blocks) {
        ERR_raise(ERR_LIB_USER, ERR_R_MALLOC_FAILURE);
        return false;
    }
    bundle->blocks = blocks;
    bundle->capacity = capacity;
    return true;
}

/* Takes over `name`, and adds what the bytes are. Only encrypted blocks have a header. */
static bool add_block(struct pki_bundle *bundle, char *name, const char *header, const unsigned char *data, long length)
{
    struct pki_block block = { .kind = kind_of(name), .name = name };
    const unsigned char *at = data;
    if (block.kind == PKI_BLOCK_CERTIFICATE && !*header)
        block.certificate = decode_certificate(data, length);
    if (block.kind == PKI_BLOCK_KEY) {
        block.encrypted = *header || strcmp(name, PEM_STRING_PKCS8) == 0;
        block.key = block.encrypted ? NULL : d2i_AutoPrivateKey(NULL, &at, length);
    }
    bool good = block.kind != PKI_BLOCK_CERTIFICATE || block.certificate;
    if (good && make_room(bundle)) {
        bundle->blocks[bundle->count++] = block;
        return true;
    }
    OPENSSL_free(name);
    X509_free(block.certificate);
    EVP_PKEY_free(block.key);
    return false;
}

/* Takes the next block. Sets *more when there was one; returns whether it can be read. */
static bool next_block(BIO *bio, struct pki_bundle *bundle, bool *more)
{
    char *name = NULL, *header = NULL;
    unsigned char *data = NULL;
    long length = 0;
    *more = PEM_read_bio(bio, &name, &header, &data, &length) == 1;
    bool good = *more ? add_block(bundle, name, header, data, length) : ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    OPENSSL_free(header);
    OPENSSL_clear_free(data, (size_t)length); /* perhaps a key */
    return good;
}

/* Each step takes a block of the text, so they end. */
bool pki_bundle_parse(const char *text, const char *file, struct pki_bundle *bundle, struct error *error)
{
    ERR_clear_error();
    BIO *bio = BIO_new_mem_buf(text, -1);
    if (!bio)
        return pki_fail_openssl(error, "read a certificate");
    bool more, good;
    do
        good = next_block(bio, bundle, &more);
    while (more && good);
    BIO_free(bio);
    if (!good && pki_out_of_memory())
        return pki_fail_memory(error, "read", file);
    if (!good || bundle->count != count_beginnings(text))
        return pki_fail(error, "a certificate in %s cannot be read; it is damaged or cut off", escape_text(file).text);
    ERR_clear_error();
    return true;
}

bool pki_bundle_load(const char *file, struct pki_bundle *bundle, struct error *error)
{
    char *text = NULL;
    bool good = pki_read(file, &text, error) && pki_bundle_parse(text, file, bundle, error);
    pki_text_free(text);
    return good;
}

void pki_bundle_done(struct pki_bundle *bundle)
{
    for (size_t i = 0; i < bundle->count; i++) {
        OPENSSL_free(bundle->blocks[i].name);
        X509_free(bundle->blocks[i].certificate);
        EVP_PKEY_free(bundle->blocks[i].key);
    }
    free(bundle->blocks);
    *bundle = (struct pki_bundle){ NULL, 0, 0 };
}

X509 *pki_bundle_first(const struct pki_bundle *bundle)
{
    for (size_t i = 0; i < bundle->count; i++)
        if (bundle->blocks[i].certificate)
            return bundle->blocks[i].certificate;
    return NULL;
}
