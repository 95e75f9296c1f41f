/* libFuzzer target: certificates, as `certs check` and `certs show` read them from files, and as `serve` gets them from clients. The first
 * byte says what follows: the text of a PEM file; or DER, first one certificate behind its length in two bytes, then that of a CA. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <openssl/pem.h>

#include "base/arena.h"
#include "pki/bundle.h"
#include "pki/client.h"
#include "pki/describe.h"
#include "pki/validate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARENA_BYTES = 1 << 20, PATH_BYTES = 32 };

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* A file without a name. */
struct file {
    int descriptor;
    char path[PATH_BYTES];
};

static struct file open_file(const void *data, size_t size)
{
    struct file file = { .descriptor = memfd_create("certificate", MFD_CLOEXEC) };
    require(file.descriptor >= 0 && write(file.descriptor, data, size) == (ssize_t)size);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.descriptor);
    return file;
}

static struct file open_pem(struct bytes der)
{
    BIO *text = BIO_new(BIO_s_mem());
    char *data;
    require(text && PEM_write_bio(text, "CERTIFICATE", "", (const unsigned char *)der.data, der.length) >= 0);
    size_t size = (size_t)BIO_get_mem_data(text, &data);
    struct file file = open_file(data, size);
    BIO_free(text);
    return file;
}

static void check_printable(const char *text)
{
    for (; text && *text; text++)
        require((unsigned char)*text >= ' ' && *text != 127);
}

static void show(const char *path)
{
    struct pki_bundle bundle = { .count = 0 };
    struct error error;
    if (!pki_bundle_load(path, &bundle, &error))
        check_printable(error.text);
    for (size_t i = 0; i < bundle.count; i++) {
        struct arena arena;
        struct pki_description description;
        arena_init(&arena, &memory_malloc, ARENA_BYTES);
        if (bundle.blocks[i].certificate && pki_describe(bundle.blocks[i].certificate, &arena, &description)) {
            check_printable(description.subject);
            check_printable(description.issuer);
            for (size_t j = 0; j < description.names.count; j++)
                check_printable(description.names.list[j]);
        }
        arena_done(&arena);
    }
    pki_bundle_done(&bundle);
}

static void validate(const char *certificate, const char *authority)
{
    struct pki_names names = { .count = 0 };
    struct pki_report report = { .count = 0 };
    struct error error;
    char end[PKI_TIME_BYTES];
    require(pki_names_add_host(&names, "localhost", &error) && pki_names_add_address(&names, "127.0.0.1", &error));
    const struct pki_question question = { certificate, NULL, authority, &names, 14 };
    if (!pki_validate(&question, &report, end, &error))
        check_printable(error.text);
    for (size_t i = 0; i < report.count; i++)
        check_printable(report.list[i].text);
}

static void check_client(struct bytes own, struct bytes authority, const char *authority_file)
{
    X509_STORE *store;
    struct error error;
    const struct bytes chain[] = { own, authority };
    char name[PKI_CLIENT_NAME];
    if (!pki_client_store(authority_file, &store, &error))
        return;
    enum pki_client client = pki_client_bearable(own) ? pki_client_verify(store, chain, sizeof chain / sizeof *chain, name) : PKI_CLIENT_UNTRUSTED;
    if (client == PKI_CLIENT_GOOD)
        check_printable(name);
    X509_STORE_free(store);
}

static void check_text(const uint8_t *data, size_t size)
{
    struct file file = open_file(data, size);
    show(file.path);
    validate(file.path, file.path);
    close(file.descriptor);
}

static void check_der(const uint8_t *data, size_t size)
{
    if (size < 2)
        return;
    size_t length = (size_t)data[0] << 8 | data[1];
    length = length > size - 2 ? size - 2 : length;
    const struct bytes own = { (const char *)data + 2, (uint32_t)length };
    const struct bytes authority = { own.data + own.length, (uint32_t)(size - 2 - length) };
    struct file own_file = open_pem(own), authority_file = open_pem(authority);
    show(own_file.path);
    validate(own_file.path, authority.length ? authority_file.path : NULL);
    check_client(own, authority, authority_file.path);
    close(own_file.descriptor);
    close(authority_file.descriptor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] & 1)
        check_text(data + 1, size - 1);
    else if (size)
        check_der(data + 1, size - 1);
    return 0;
}
