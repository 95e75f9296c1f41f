/* What a file's bytes are, in short, to find out whether they have changed. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "pki/pki.h"

/* Returns 0, an errno, or -1: out of memory. */
static int add_bytes(EVP_MD_CTX *context, int descriptor)
{
    unsigned char buffer[16 << 10];
    size_t total = 0;
    ssize_t got = 1;
    int result = 0;
    while (got != 0 && result == 0 && total < LIMIT_DIGEST_FILE_BYTES) {
        got = read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno != EINTR)
            result = errno;
        else if (got > 0 && EVP_DigestUpdate(context, buffer, (size_t)got) != 1)
            result = -1;
        total += got > 0 ? (size_t)got : 0;
    }
    OPENSSL_cleanse(buffer, sizeof buffer); /* perhaps a key */
    return result;
}

static int digest_open(int descriptor, unsigned char digest[PKI_DIGEST_BYTES])
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return errno;
    if (!S_ISREG(status.st_mode))
        return EISDIR;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int result = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1 ? add_bytes(context, descriptor) : -1;
    if (result == 0 && EVP_DigestFinal_ex(context, digest, NULL) != 1)
        result = -1;
    EVP_MD_CTX_free(context);
    return result;
}

/* O_NONBLOCK: opening a FIFO would wait for a writer. */
bool pki_digest_file(const char *path, unsigned char digest[PKI_DIGEST_BYTES])
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    int result = descriptor < 0 ? errno : digest_open(descriptor, digest);
    if (descriptor >= 0)
        close(descriptor);
    if (result > 0) {
        memset(digest, 0, PKI_DIGEST_BYTES);
        memcpy(digest, &result, sizeof result);
    }
    return result >= 0;
}
