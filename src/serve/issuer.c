#include "serve/issuer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

/* A mounted Secret has a CA as tls.crt and tls.key, perhaps with the ca.crt of another; a folder of `drawbridge certs` has it as ca.crt and
 * ca.key, perhaps with a server's tls.crt. So ca.key decides which it is. */
enum { CA_CERTIFICATE, CA_KEY, TLS_CERTIFICATE, TLS_KEY };
static const char *const names[] = { "ca.crt", "ca.key", "tls.crt", "tls.key" };
_Static_assert(sizeof names / sizeof *names == LIMIT_WATCH_FILES, "one path for each");

bool issuer_init(struct issuer *issuer)
{
    for (int i = 0; i < LIMIT_WATCH_FILES; i++)
        if ((size_t)snprintf(issuer->files[i], PKI_PATH_BYTES, "%s/%s", issuer->folder, names[i]) >= PKI_PATH_BYTES)
            return false;
    return true;
}

int64_t issuer_renewal(int64_t now, int64_t ends)
{
    return now + (ends - now) * 2 / 3;
}

static bool load_authority(const struct issuer *issuer, struct pki_authority *authority, struct error *error)
{
    int first = access(issuer->files[CA_KEY], F_OK) == 0 ? CA_CERTIFICATE : TLS_CERTIFICATE;
    return pki_authority_load(issuer->files[first], issuer->files[first + 1], authority, error);
}

/* Appends the CA's certificates; false: out of memory. */
static bool add_chain(struct pki_pair *pair, const char *chain)
{
    char *text;
    if (asprintf(&text, "%s%s", pair->certificate, chain) < 0)
        return false;
    pki_text_free(pair->certificate);
    pair->certificate = text;
    return true;
}

bool issuer_issue(const struct issuer *issuer, struct issued *issued, struct error *error)
{
    struct pki_authority authority;
    struct pki_validity validity;
    if (!load_authority(issuer, &authority, error))
        return false;
    struct issued made = { .ca_begins = authority.begins, .ca_ends = authority.ends };
    bool good = pki_issue(&authority, &issuer->names, (int64_t)issuer->hours * 3600, PKI_KEY_P256, &made.pair, &validity, error);
    if (good && !authority.root && !add_chain(&made.pair, authority.chain))
        good = pki_fail(error, "out of memory");
    pki_authority_done(&authority);
    if (!good) {
        pki_pair_done(&made.pair);
        return false;
    }
    made.renewal = validity.cut ? INT64_MAX : issuer_renewal(clock_wall_seconds(), made.pair.ends);
    *issued = made;
    return true;
}
