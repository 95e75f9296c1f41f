#include "serve/validity.h"

#include <gnutls/x509.h>
#include <string.h>

/* A datum for reading: GnuTLS has no constant one. */
static gnutls_datum_t datum_of(const char *text)
{
    union {
        const char *constant;
        unsigned char *plain;
    } data = { text };
    return (gnutls_datum_t){ data.plain, (unsigned)strlen(text) };
}

bool validity_read(const char *pem, int64_t *begin, int64_t *end)
{
    const gnutls_datum_t text = datum_of(pem);
    gnutls_x509_crt_t *list;
    unsigned count;
    bool found = false;
    if (gnutls_x509_crt_list_import2(&list, &count, &text, GNUTLS_X509_FMT_PEM, 0) < 0)
        return false;
    for (unsigned i = 0; i < count; i++) {
        time_t first = gnutls_x509_crt_get_activation_time(list[i]), last = gnutls_x509_crt_get_expiration_time(list[i]);
        if (first != (time_t)-1 && last != (time_t)-1 && (!found || last < *end)) {
            *begin = first;
            *end = last;
            found = true;
        }
        gnutls_x509_crt_deinit(list[i]);
    }
    gnutls_free(list);
    return found;
}
