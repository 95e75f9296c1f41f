/* Name constraints: a CA that can issue for some names only, and the names of certificates read back. */
#include <arpa/inet.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "pki/describe.h"
#include "pki/match.h"

/* ---- making ---- */

/* Takes over `value`. */
static bool add_subtree(STACK_OF(GENERAL_SUBTREE) **list, int type, ASN1_STRING *value)
{
    GENERAL_SUBTREE *subtree = GENERAL_SUBTREE_new();
    GENERAL_NAME *base = GENERAL_NAME_new();
    if (!*list)
        *list = sk_GENERAL_SUBTREE_new_null();
    if (subtree && base && value && *list) {
        GENERAL_NAME_set0_value(base, type, value);
        GENERAL_NAME_free(subtree->base);
        subtree->base = base;
        if (sk_GENERAL_SUBTREE_push(*list, subtree) > 0)
            return true;
        GENERAL_SUBTREE_free(subtree);
        return false;
    }
    GENERAL_SUBTREE_free(subtree);
    GENERAL_NAME_free(base);
    ASN1_STRING_free(value);
    return false;
}

static ASN1_STRING *string_of(int type, const void *data, size_t length)
{
    ASN1_STRING *string = ASN1_STRING_type_new(type);
    if (string && ASN1_STRING_set(string, data, (int)length))
        return string;
    ASN1_STRING_free(string);
    return NULL;
}

/* "" is every name. A constraint takes the name and all below it, so that of *.NAME is NAME. */
static bool add_host(STACK_OF(GENERAL_SUBTREE) **list, const char *host)
{
    host += strncmp(host, "*.", 2) == 0 ? 2 : 0;
    return add_subtree(list, GEN_DNS, string_of(V_ASN1_IA5STRING, host, strlen(host)));
}

/* Just this address, or all of its length when `address` is NULL. */
static bool add_address(STACK_OF(GENERAL_SUBTREE) **list, const unsigned char *address, unsigned length)
{
    unsigned char network[2 * PKI_ADDRESS_BYTES] = { 0 };
    if (address) {
        memcpy(network, address, length);
        memset(network + length, 0xFF, length);
    }
    return add_subtree(list, GEN_IPADD, string_of(V_ASN1_OCTET_STRING, network, (size_t)length * 2));
}

/* Names of a kind that none is permitted of are excluded, as constraints say nothing about kinds that they do not name. */
static bool fill(NAME_CONSTRAINTS *limits, const struct pki_names *names)
{
    bool hosts = false, addresses = false, good = true;
    for (size_t i = 0; i < names->count && good; i++) {
        const struct pki_name *name = &names->list[i];
        hosts = hosts || name->address_length == 0;
        addresses = addresses || name->address_length != 0;
        good = name->address_length ? add_address(&limits->permittedSubtrees, name->address, name->address_length) :
                                      add_host(&limits->permittedSubtrees, name->text);
    }
    if (good && !hosts)
        good = add_host(&limits->excludedSubtrees, "");
    if (good && !addresses)
        good = add_address(&limits->excludedSubtrees, NULL, 4) && add_address(&limits->excludedSubtrees, NULL, 16);
    return good;
}

bool pki_constraints_add(X509 *certificate, const struct pki_names *names)
{
    NAME_CONSTRAINTS *limits = NAME_CONSTRAINTS_new();
    bool good = limits && fill(limits, names) && X509_add1_ext_i2d(certificate, NID_name_constraints, limits, 1, X509V3_ADD_DEFAULT) == 1;
    NAME_CONSTRAINTS_free(limits);
    return good;
}

/* ---- keeping to them ---- */

static bool refuse(const GENERAL_NAME *name, struct error *error)
{
    int type;
    char text[PKI_HOST_BYTES + 1] = "";
    const ASN1_STRING *value = GENERAL_NAME_get0_value(name, &type);
    if (type == GEN_IPADD)
        pki_address_text(value, text, sizeof text);
    else
        memcpy(text, ASN1_STRING_get0_data(value),
               (size_t)ASN1_STRING_length(value) < sizeof text ? (size_t)ASN1_STRING_length(value) : sizeof text - 1);
    return pki_fail(error, "the name constraints of the CA do not let it issue for %s", escape_text(text).text);
}

bool pki_constraints_let(X509 *certificate, X509 *authority, struct error *error)
{
    struct pki_facts child, parent = { .certificate = NULL };
    const GENERAL_NAME *name = NULL;
    size_t comparisons = 0;
    bool good = pki_facts_read(certificate, "", 1, &child) && pki_facts_read(authority, "", 1, &parent);
    if (!good)
        (void)pki_fail_memory(error, "compare", "name constraints");
    else if (pki_match_constraints(&child, &parent, &comparisons, &name) != PKI_MATCH_GOOD)
        good = name ? refuse(name, error) : pki_fail(error, "the CA has more name constraints than can be compared");
    pki_facts_done(&child);
    pki_facts_done(&parent);
    return good;
}

/* ---- reading back ---- */

static bool add_name(struct pki_names *names, const GENERAL_NAME *name, struct error *error)
{
    int type;
    char text[PKI_HOST_BYTES + 1] = "";
    const ASN1_STRING *value = GENERAL_NAME_get0_value(name, &type);
    const unsigned char *data = type == GEN_DNS || type == GEN_IPADD ? ASN1_STRING_get0_data(value) : NULL;
    size_t length = data ? (size_t)ASN1_STRING_length(value) : 0;
    if (type == GEN_DNS && length > 0 && length <= PKI_HOST_BYTES && !memchr(data, '\0', length)) {
        memcpy(text, data, length);
        return pki_names_add_host(names, text, error);
    }
    if (type == GEN_IPADD && (length == 4 || length == PKI_ADDRESS_BYTES))
        return inet_ntop(length == 4 ? AF_INET : AF_INET6, data, text, sizeof text) && pki_names_add_address(names, text, error);
    return pki_fail(error, "it has names of a kind that this program does not make");
}

bool pki_names_read(X509 *certificate, struct pki_names *names, struct error *error)
{
    GENERAL_NAMES *list = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    bool good = true;
    for (int i = 0; i < sk_GENERAL_NAME_num(list) && good; i++)
        good = add_name(names, sk_GENERAL_NAME_value(list, i), error);
    GENERAL_NAMES_free(list);
    return good;
}
