#include "pki/facts.h"

#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>

enum { KEY_CERT_SIGN_BIT = 5, DIGITAL_SIGNATURE_BIT = 0 }; /* RFC 5280, 4.2.1.3 */

/* ---- the signature and the key ---- */

static const struct {
    int id;
    enum pki_signature state;
} signatures[] = {
    { NID_md5WithRSAEncryption,    PKI_SIGNATURE_WEAK },
    { NID_sha1WithRSAEncryption,   PKI_SIGNATURE_WEAK },
    { NID_sha1WithRSA,             PKI_SIGNATURE_WEAK },
    { NID_dsaWithSHA1,             PKI_SIGNATURE_WEAK },
    { NID_ecdsa_with_SHA1,         PKI_SIGNATURE_WEAK },
    { NID_sha256WithRSAEncryption, PKI_SIGNATURE_GOOD },
    { NID_sha384WithRSAEncryption, PKI_SIGNATURE_GOOD },
    { NID_sha512WithRSAEncryption, PKI_SIGNATURE_GOOD },
    { NID_ecdsa_with_SHA256,       PKI_SIGNATURE_GOOD },
    { NID_ecdsa_with_SHA384,       PKI_SIGNATURE_GOOD },
    { NID_ecdsa_with_SHA512,       PKI_SIGNATURE_GOOD },
    { NID_ED25519,                 PKI_SIGNATURE_GOOD },
};

/* OpenSSL's flag for PSS is set for just what Go asks for: one digest of three in both places, and a salt of its length. */
static enum pki_signature read_signature(X509 *certificate)
{
    uint32_t flags = 0;
    int id = X509_get_signature_nid(certificate);
    if (id == NID_rsassaPss)
        return X509_get_signature_info(certificate, NULL, NULL, NULL, &flags) && (flags & X509_SIG_INFO_TLS) ?
            PKI_SIGNATURE_GOOD : PKI_SIGNATURE_UNKNOWN;
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (signatures[i].id == id)
            return signatures[i].state;
    return PKI_SIGNATURE_UNKNOWN;
}

static void read_public_key(struct pki_facts *facts)
{
    EVP_PKEY *key = X509_get0_pubkey(facts->certificate);
    int kind = key ? EVP_PKEY_get_base_id(key) : EVP_PKEY_NONE;
    if (kind == EVP_PKEY_RSA || kind == EVP_PKEY_EC || kind == EVP_PKEY_ED25519)
        facts->key = key;
    if (kind == EVP_PKEY_RSA)
        facts->key_bits = EVP_PKEY_get_bits(key);
}

/* ---- extensions ---- */

static void read_constraints(struct pki_facts *facts)
{
    BASIC_CONSTRAINTS *constraints = X509_get_ext_d2i(facts->certificate, NID_basic_constraints, NULL, NULL);
    facts->constrained = constraints != NULL;
    facts->authority = constraints && constraints->ca;
    facts->path_length = constraints && constraints->pathlen ? ASN1_INTEGER_get(constraints->pathlen) : -1;
    if (facts->path_length < 0 && constraints && constraints->pathlen && !facts->malformed)
        facts->malformed = "its path length is negative or too large";
    BASIC_CONSTRAINTS_free(constraints);
}

/* A key usage without any bit is none for Go. */
static void read_key_usage(struct pki_facts *facts)
{
    ASN1_BIT_STRING *usage = X509_get_ext_d2i(facts->certificate, NID_key_usage, NULL, NULL);
    bool any = false;
    for (int bit = 0; usage && bit < 9; bit++)
        any = any || ASN1_BIT_STRING_get_bit(usage, bit);
    facts->may_sign = !any || ASN1_BIT_STRING_get_bit(usage, KEY_CERT_SIGN_BIT);
    facts->may_serve = !any || ASN1_BIT_STRING_get_bit(usage, DIGITAL_SIGNATURE_BIT);
    ASN1_BIT_STRING_free(usage);
}

/* Those that processExtensions has a case for. */
static bool is_known(int id)
{
    static const int known[] = {
        NID_key_usage, NID_basic_constraints, NID_subject_alt_name, NID_name_constraints, NID_crl_distribution_points,
        NID_authority_key_identifier, NID_policy_constraints, NID_ext_key_usage, NID_subject_key_identifier,
        NID_certificate_policies, NID_policy_mappings, NID_inhibit_any_policy, NID_info_access,
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == id)
            return true;
    return false;
}

/* Alternative names of none of the kinds that Go knows do not count as handled. */
static bool knows_a_name(const GENERAL_NAMES *names)
{
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        int type = sk_GENERAL_NAME_value(names, i)->type;
        if (type == GEN_EMAIL || type == GEN_DNS || type == GEN_URI || type == GEN_IPADD)
            return true;
    }
    return false;
}

static bool knows_all_subtrees(const STACK_OF(GENERAL_SUBTREE) *subtrees)
{
    for (int i = 0; i < sk_GENERAL_SUBTREE_num(subtrees); i++) {
        int type = sk_GENERAL_SUBTREE_value(subtrees, i)->base->type;
        if (type != GEN_EMAIL && type != GEN_DNS && type != GEN_URI && type != GEN_IPADD)
            return false;
    }
    return true;
}

static bool is_handled(const struct pki_facts *facts, int id)
{
    if (id == NID_subject_alt_name)
        return knows_a_name(facts->names);
    if (id == NID_name_constraints)
        return facts->limits && knows_all_subtrees(facts->limits->permittedSubtrees) && knows_all_subtrees(facts->limits->excludedSubtrees);
    return is_known(id);
}

static const ASN1_OBJECT *find_critical(const struct pki_facts *facts)
{
    for (int i = 0; i < X509_get_ext_count(facts->certificate); i++) {
        X509_EXTENSION *extension = X509_get_ext(facts->certificate, i);
        ASN1_OBJECT *object = X509_EXTENSION_get_object(extension);
        if (X509_EXTENSION_get_critical(extension) && !is_handled(facts, OBJ_obj2nid(object)))
            return object;
    }
    return NULL;
}

static void read_extensions(struct pki_facts *facts)
{
    X509 *certificate = facts->certificate;
    read_constraints(facts);
    read_key_usage(facts);
    facts->has_names = X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1) >= 0;
    facts->names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    facts->limits = X509_get_ext_d2i(certificate, NID_name_constraints, NULL, NULL);
    facts->usages = X509_get_ext_d2i(certificate, NID_ext_key_usage, NULL, NULL);
    facts->critical = find_critical(facts);
}

bool pki_same_name(const X509_NAME *a, const X509_NAME *b)
{
    const unsigned char *a_bytes = NULL, *b_bytes = NULL;
    size_t a_length = 0, b_length = 0;
    return X509_NAME_get0_der(a, &a_bytes, &a_length) == 1 && X509_NAME_get0_der(b, &b_bytes, &b_length) == 1 && a_length == b_length &&
           memcmp(a_bytes, b_bytes, a_length) == 0;
}

/* ---- all of it ---- */

bool pki_facts_read(X509 *certificate, const char *file, unsigned number, struct pki_facts *facts)
{
    bool memory = true;
    *facts = (struct pki_facts){
        .certificate = certificate, .file = file, .number = number, .path_length = -1, .may_sign = true, .may_serve = true };
    ERR_clear_error();
    facts->malformed = pki_strict_body(certificate);
    if (!facts->malformed)
        facts->malformed = pki_strict_extensions(certificate, &memory);
    facts->signature = read_signature(certificate);
    read_public_key(facts);
    if (X509_get_version(certificate) == X509_VERSION_3) /* Go passes over the extensions of others */
        read_extensions(facts);
    if (!facts->malformed)
        facts->malformed = pki_strict_contents(facts);
    return !pki_out_of_memory() && memory;
}

void pki_facts_done(struct pki_facts *facts)
{
    GENERAL_NAMES_free(facts->names);
    NAME_CONSTRAINTS_free(facts->limits);
    EXTENDED_KEY_USAGE_free(facts->usages);
    *facts = (struct pki_facts){ .certificate = NULL };
}
