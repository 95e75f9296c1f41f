/* A new CA in the place of an old one, with an overlap: clients trust both while servers change from one to the other. */
#ifndef DRAWBRIDGE_PKI_ROTATE_H
#define DRAWBRIDGE_PKI_ROTATE_H

#include "pki/pki.h"

struct pki_rotation_files {
    const char *authority; /* the CA's certificate */
    const char *bundle;    /* what clients shall trust; a file that need not exist: then it is the authority alone */
    const char *server;    /* the serving certificate; need not exist */
};

/* Free with pki_rotation_done. */
struct pki_rotation {
    struct pki_pair authority;
    char *bundle;            /* PEM: the new CA, then those before it that are still valid */
    int kept;                /* how many of the latter */
    bool serves;             /* there is a server; then: */
    struct pki_pair server;
    struct pki_validity validity;
    struct pki_names names;
};

/* Makes a CA with the old one's name, kind of key and name constraints, and a serving certificate with the names and kind of key of the
 * old one, which must be from the old CA. Nothing is written. The old CA's key is not needed. */
bool pki_rotate(const struct pki_rotation_files *files, int days, int server_days, struct pki_rotation *rotation, struct error *error)
    MUST_USE;
void pki_rotation_done(struct pki_rotation *rotation);

/* What the bundle is when the old CAs are gone, with how many go; free with pki_text_free. An error, too: there is no bundle, or the
 * serving certificate is still from another CA. */
bool pki_rotation_finish(const struct pki_rotation_files *files, char **bundle, int *gone, struct error *error) MUST_USE;

#endif
