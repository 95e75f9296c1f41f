/* Keys and certificates on OpenSSL 3: a small CA, serving certificates from it, and the checks that `serve` makes on its own
 * certificate. Nothing here prints; errors are texts for people. */
#ifndef DRAWBRIDGE_PKI_PKI_H
#define DRAWBRIDGE_PKI_PKI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/types.h>

#include "base/error.h"
#include "base/escape.h"
#include "pki/limits.h"

enum {
    PKI_HOST_BYTES = 253,       /* of a DNS name, without the final dot (RFC 1035) */
    PKI_LABEL_BYTES = 63,       /* of one label of it */
    PKI_ADDRESS_BYTES = 16,     /* IPv6 */
    PKI_COMMON_NAME = 64,       /* characters (RFC 5280, ub-common-name) */
    PKI_PATH_BYTES = 4096,      /* of a path, with its NUL, as PATH_MAX */
    PKI_DIGEST_BYTES = 32,      /* SHA-256 */
    PKI_TIME_BYTES = 32,        /* "2025-01-02 03:04:05 UTC" and its NUL, with years of any length that ASN.1 has */
};

/* A certificate chain (leaf first) and its private key, both as PEM text. Free with pki_pair_done. */
struct pki_pair {
    char *certificate; /* NUL-terminated, from malloc */
    char *key;         /* the same; wiped before it is freed */
    int64_t begins, ends; /* when the certificate does, in seconds since 1970 */
    const char *weakness; /* of one that was loaded: why API servers will not accept it, although it can be used; NULL: nothing */
};

/* Reads both files (each at most 1 MiB) and checks that a TLS server can use them now: PEM that can be read, a key that belongs
 * to the first certificate, a certificate that is valid now, a key of
 * a type with which every client can shake hands. Returns false with *error set otherwise. */
bool pki_pair_load(const char *certificate_file, const char *key_file, struct pki_pair *pair, struct error *error) MUST_USE;
void pki_pair_done(struct pki_pair *pair);

/* ---- the names of a serving certificate ---- */

struct pki_name {
    char text[PKI_HOST_BYTES + 1];
    unsigned char address[PKI_ADDRESS_BYTES];
    unsigned address_length; /* bytes, 4 or 16; 0: a DNS name */
};

/* In the order in which they were added, each once. Begin with count 0. */
struct pki_names {
    struct pki_name list[LIMIT_CERTIFICATE_NAMES];
    size_t count;
};

/* Add the names that a Kubernetes service "NAME.NAMESPACE" answers to (the one that the API server calls first), a DNS name
 * (perhaps with a leading "*."), an IPv4 or IPv6 address. Return false with *error set when the text is none, or there are
 * more than LIMIT_CERTIFICATE_NAMES. */
bool pki_names_add_service(struct pki_names *names, const char *text, struct error *error) MUST_USE;
bool pki_names_add_host(struct pki_names *names, const char *text, struct error *error) MUST_USE;
bool pki_names_add_address(struct pki_names *names, const char *text, struct error *error) MUST_USE;

/* Adds only the name by which the API server calls the service, NAME.NAMESPACE.svc. */
bool pki_names_add_called(struct pki_names *names, const char *text, struct error *error) MUST_USE;

/* Adds the alternative names of a certificate; none when there are none. False with *error set when they cannot be put into pki_names. */
bool pki_names_read(X509 *certificate, struct pki_names *names, struct error *error) MUST_USE;

/* Whether it is UTF-8, 1 to `max` characters, all of which a terminal can show. */
bool pki_is_plain(const char *text, size_t max) MUST_USE;

/* ---- the CA and what it issues ---- */

enum pki_key_type { PKI_KEY_P256, PKI_KEY_ED25519, PKI_KEY_RSA2048, PKI_KEY_RSA3072 };

/* "p256", "ed25519", "rsa2048", "rsa3072", by enum pki_key_type; ended by NULL. */
extern const char *const pki_key_type_words[];

/* A CA that signs. Free with pki_authority_done. */
struct pki_authority {
    X509 *certificate;
    EVP_PKEY *key;
    char *chain;          /* PEM text of its file, certificate and what follows it */
    int64_t begins, ends; /* seconds since 1970 */
    bool root;            /* signed by itself, so that clients need not get it */
};

/* When a certificate ends. */
struct pki_validity {
    char end[PKI_TIME_BYTES]; /* as "2025-01-02 03:04:05 UTC" */
    bool cut;                 /* earlier than was asked for: with its CA */
};

/* A new key and a self-signed CA certificate. `common_name` is plain, at most PKI_COMMON_NAME characters; `names` are those that it may
 * issue for, and all below them, none: any name; `days` is 1 to 36,500, a century. */
bool pki_authority_new(const char *common_name, const struct pki_names *names, int days, enum pki_key_type type, struct pki_pair *pair,
                       struct error *error) MUST_USE;

/* A new CA with the name, the kind of key and the name constraints of another, in both forms. */
bool pki_authority_renew(X509 *old, int days, struct pki_authority *authority, struct pki_pair *pair, struct error *error) MUST_USE;

/* As pki_pair_load; the certificate must be that of a CA, too. */
bool pki_authority_load(const char *certificate_file, const char *key_file, struct pki_authority *authority, struct error *error)
    MUST_USE;
void pki_authority_done(struct pki_authority *authority);

/* A new key and a serving certificate for `names` (at least one); `seconds` is up to a century of them, but never longer than the CA has.
 * It begins five minutes ago, as clocks differ. An error, too: the CA's name constraints do not let it have a name. */
bool pki_issue(const struct pki_authority *authority, const struct pki_names *names, int64_t seconds, enum pki_key_type type,
               struct pki_pair *pair, struct pki_validity *validity, struct error *error) MUST_USE;

/* ---- files ---- */

struct pki_output {
    const char *path;
    const char *text; /* NUL-terminated */
    bool secret;      /* mode 0600, otherwise 0644, whatever the umask */
};

enum { PKI_OUTPUTS = 5, PKI_DAY_SECONDS = 86400 };

/* Writes all files, up to PKI_OUTPUTS, or none. What is there is replaced with `force`; otherwise it is an error. */
bool pki_write(const struct pki_output *outputs, int count, bool force, struct error *error) MUST_USE;

/* Makes the directory, mode 0700, if nothing has its name; *made: whether it did. */
bool pki_make_directory(const char *path, bool *made, struct error *error) MUST_USE;

/* A time in seconds since 1970 as people read it, in UTC. */
void pki_seconds_text(int64_t seconds, char text[PKI_TIME_BYTES]);

/* A digest of the file's bytes, or something of that size that says why it cannot be read. False: out of memory. */
bool pki_digest_file(const char *path, unsigned char digest[PKI_DIGEST_BYTES]) MUST_USE;

/* ---- between the files of this folder ---- */

/* Set *error and return false: FAILURE_INPUT; "cannot DOING FILE: out of memory"; "cannot DOING: " and OpenSSL's own reason. All leave its
 * error queue empty. */
bool pki_fail(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool pki_fail_memory(struct error *error, const char *doing, const char *file);
bool pki_fail_openssl(struct error *error, const char *doing);

/* Whether an allocation of OpenSSL's failed, as its error queue has it; empties the queue. */
bool pki_out_of_memory(void) MUST_USE;

/* The whole file as text, from malloc, free with pki_text_free; false when it is too large, or no text. */
bool pki_read(const char *path, char **text, struct error *error) MUST_USE;

/* Wipes, then frees; accepts NULL. */
void pki_text_free(char *text);

/* PEM texts from malloc, free with pki_text_free; NULL when OpenSSL or malloc fails. */
char *pki_key_text(EVP_PKEY *key) MUST_USE;
char *pki_certificate_text(X509 *certificate) MUST_USE;

/* The type that comes closest to the key; of those that this program does not make, P-256. */
enum pki_key_type pki_key_type_of(const EVP_PKEY *key) MUST_USE;

/* A new key, or NULL. */
EVP_PKEY *pki_key_new(enum pki_key_type type) MUST_USE;

/* Has a CA issue for these names only, before it is signed; false when OpenSSL fails. Critical, as RFC 5280 wants it (4.2.1.10). */
bool pki_constraints_add(X509 *certificate, const struct pki_names *names) MUST_USE;

/* Whether the certificate's names keep to the constraints of the CA, by Go's rules; otherwise *error names the first that does not. */
bool pki_constraints_let(X509 *certificate, X509 *authority, struct error *error) MUST_USE;

/* The key in PEM text; `file` is for the message. On failure *encrypted: whether a password protects it. */
bool pki_key_parse(const char *text, const char *file, EVP_PKEY **key, bool *encrypted, struct error *error) MUST_USE;

/* Whether what the key signs fits the certificate: also finds a private part that is damaged. */
bool pki_key_signs_for(EVP_PKEY *key, X509 *certificate) MUST_USE;

/* A time as people read it, in UTC. */
void pki_time_text(const ASN1_TIME *time, char text[PKI_TIME_BYTES]);

/* In seconds since 1970; 0 when it is none. */
int64_t pki_time_seconds(const ASN1_TIME *time) MUST_USE;

#endif
