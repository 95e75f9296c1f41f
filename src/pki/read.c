/* Reads a whole file that holds PEM text, bounded, without leaving copies of it in memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "pki/pki.h"

/* Reads until the end or until `room` bytes are there. Returns false with errno set. */
static bool read_bytes(int descriptor, char *buffer, size_t room, size_t *length)
{
    size_t count = 0;
    while (count < room) {
        ssize_t got = read(descriptor, buffer + count, room - count);
        if (got < 0 && errno != EINTR)
            return false;
        if (got == 0)
            break;
        count += got > 0 ? (size_t)got : 0;
    }
    *length = count;
    return true;
}

/* Takes what is in `buffer` over into a text of just its size. */
static bool take_text(const char *path, const char *buffer, size_t length, char **text, struct error *error)
{
    if (length > PKI_FILE_BYTES)
        return pki_fail(error, "%s is too large: more than %d bytes", escape_text(path).text, PKI_FILE_BYTES);
    if (memchr(buffer, '\0', length))
        return pki_fail(error, "%s is not PEM text", escape_text(path).text);
    char *copy = malloc(length + 1);
    if (!copy)
        return pki_fail_memory(error, "read", path);
    memcpy(copy, buffer, length);
    copy[length] = '\0';
    *text = copy;
    return true;
}

/* One buffer of the largest size, so that nothing is left behind by growing; pages that are not used cost nothing. */
static bool read_open_file(const char *path, int descriptor, char **text, struct error *error)
{
    size_t length = 0;
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return pki_fail(error, "cannot read %s: %s", escape_text(path).text, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return pki_fail(error, "cannot read %s: it is %s", escape_text(path).text, S_ISDIR(status.st_mode) ? "a directory" : "not a regular file");
    char *buffer = malloc(PKI_FILE_BYTES + 1);
    if (!buffer)
        return pki_fail_memory(error, "read", path);
    bool good = read_bytes(descriptor, buffer, PKI_FILE_BYTES + 1, &length) || pki_fail(error, "cannot read %s: %s", escape_text(path).text, strerror(errno));
    good = good && take_text(path, buffer, length, text, error);
    OPENSSL_cleanse(buffer, PKI_FILE_BYTES + 1);
    free(buffer);
    return good;
}

/* O_NONBLOCK: opening a FIFO would wait for a writer. */
bool pki_read(const char *path, char **text, struct error *error)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return pki_fail(error, "cannot read %s: %s", escape_text(path).text, strerror(errno));
    bool good = read_open_file(path, descriptor, text, error);
    close(descriptor);
    return good;
}
