/* A TLS client whose certificate has a key of any size, and that signs with garbage: heavy_client PORT CERTIFICATE BITS PRIORITIES. Ends with 0
 * when the server was fed up with it. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>

static unsigned bits;
static gnutls_pcert_st certificate;
static gnutls_privkey_t key;

static int sign(gnutls_privkey_t own, gnutls_sign_algorithm_t algorithm, void *closure, unsigned flags, const gnutls_datum_t *hash, gnutls_datum_t *signature)
{
    (void)own, (void)algorithm, (void)closure, (void)flags, (void)hash;
    signature->size = bits / 8;
    signature->data = gnutls_malloc(signature->size);
    memset(signature->data, 0x11, signature->size);
    return 0;
}

static int describe(gnutls_privkey_t own, unsigned flags, void *closure)
{
    (void)own, (void)closure;
    return flags & GNUTLS_PRIVKEY_INFO_PK_ALGO ? GNUTLS_PK_RSA : flags & GNUTLS_PRIVKEY_INFO_PK_ALGO_BITS ? (int)bits : flags & GNUTLS_PRIVKEY_INFO_HAVE_SIGN_ALGO ? 1 : -1;
}

static int show(gnutls_session_t session, const gnutls_datum_t *names, int count, const gnutls_pk_algorithm_t *algorithms, int length, gnutls_pcert_st **chain,
                unsigned *chain_length, gnutls_privkey_t *chain_key)
{
    (void)session, (void)names, (void)count, (void)algorithms, (void)length;
    *chain = &certificate;
    *chain_length = 1;
    *chain_key = key;
    return 0;
}

int main(int argc, char **argv)
{
    gnutls_datum_t text;
    gnutls_certificate_credentials_t credentials;
    gnutls_session_t session;
    char byte;
    int code;
    if (argc != 5 || gnutls_load_file(argv[2], &text) < 0)
        return 2;
    bits = (unsigned)atoi(argv[3]);
    const struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int plain = socket(AF_INET, SOCK_STREAM, 0);
    if (gnutls_pcert_import_x509_raw(&certificate, &text, GNUTLS_X509_FMT_PEM, 0) < 0 || gnutls_privkey_init(&key) < 0 ||
        gnutls_privkey_import_ext4(key, NULL, NULL, sign, NULL, NULL, describe, 0) < 0 || gnutls_certificate_allocate_credentials(&credentials) < 0)
        return 2;
    gnutls_certificate_set_retrieve_function2(credentials, show);
    if (gnutls_init(&session, GNUTLS_CLIENT) < 0 || gnutls_priority_set_direct(session, argv[4], NULL) < 0 ||
        gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials) < 0 || connect(plain, (const struct sockaddr *)&address, sizeof address) != 0)
        return 2;
    gnutls_transport_set_int(session, plain);
    do
        code = gnutls_handshake(session);
    while (code < 0 && !gnutls_error_is_fatal(code));
    if (code == 0) /* in TLS 1.3 a client is done before the server has looked at it */
        code = (int)gnutls_record_recv(session, &byte, 1);
    return code < 0 ? 0 : 1;
}
