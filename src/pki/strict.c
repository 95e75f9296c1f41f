/* What Go's certificate parser refuses although OpenSSL reads it. Source: Go 1.26, crypto/x509/parser.go, in its order. */
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/objects.h>

#include "base/utf8.h"
#include "pki/facts.h"

enum { ADDRESS4 = 4, ADDRESS6 = 16 };

/* ---- names ---- */

static bool is_printable(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
        (byte && strchr(" '()*+,-./:=?&", byte));
}

static bool all_printable(const unsigned char *data, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!is_printable(data[i]))
            return false;
    return true;
}

static bool all_numeric(const unsigned char *data, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (data[i] != ' ' && (data[i] < '0' || data[i] > '9'))
            return false;
    return true;
}

static bool all_ascii(const unsigned char *data, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (data[i] > 0x7F)
            return false;
    return true;
}

static bool all_utf8(const unsigned char *data, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t code;
        unsigned size = utf8_decode(data + i, length - i, &code);
        if (size == 0)
            return false;
        i += size;
    }
    return true;
}

/* Whole units, none of them a surrogate or a character that can never be. */
static bool all_bmp(const unsigned char *data, size_t length)
{
    if (length % 2 != 0)
        return false;
    for (size_t i = 0; i < length; i += 2) {
        unsigned unit = (unsigned)data[i] << 8 | data[i + 1];
        if (unit >= 0xFFFE || (unit >= 0xFDD0 && unit <= 0xFDEF) || (unit >= 0xD800 && unit <= 0xDFFF))
            return false;
    }
    return true;
}

static bool is_text(const ASN1_STRING *string)
{
    const unsigned char *data = ASN1_STRING_get0_data(string);
    size_t length = (size_t)ASN1_STRING_length(string);
    switch (ASN1_STRING_type(string)) {
    case V_ASN1_T61STRING:       return true;
    case V_ASN1_PRINTABLESTRING: return all_printable(data, length);
    case V_ASN1_UTF8STRING:      return all_utf8(data, length);
    case V_ASN1_BMPSTRING:       return all_bmp(data, length);
    case V_ASN1_IA5STRING:       return all_ascii(data, length);
    case V_ASN1_NUMERICSTRING:   return all_numeric(data, length);
    }
    return false; /* any other number that an ASN.1 tag can have */
}

static bool is_name(const X509_NAME *name)
{
    for (int i = 0; i < X509_NAME_entry_count(name); i++)
        if (!is_text(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, i))))
            return false;
    return true;
}

/* ---- times and keys ---- */

/* UTCTime with or without seconds, GeneralizedTime with them and no fractions; Z or an offset such as +0100. OpenSSL's check knows
 * more forms. */
static bool is_time(const ASN1_TIME *time)
{
    size_t length = (size_t)ASN1_STRING_length(time);
    const unsigned char *text = ASN1_STRING_get0_data(time);
    return ASN1_TIME_check(time) == 1 && !memchr(text, '.', length) && !(ASN1_STRING_type(time) == V_ASN1_GENERALIZEDTIME && length < 15) &&
           (text[length - 1] == 'Z' || memchr(text, '+', length) || memchr(text, '-', length));
}

static bool is_curve(const ASN1_OBJECT *object)
{
    int id = OBJ_obj2nid(object);
    return id == NID_secp224r1 || id == NID_X9_62_prime256v1 || id == NID_secp384r1 || id == NID_secp521r1;
}

static const char *public_key_fault(X509 *certificate)
{
    ASN1_OBJECT *kind = NULL;
    const ASN1_OBJECT *same;
    const void *value = NULL;
    const unsigned char *data = NULL;
    X509_ALGOR *algorithm = NULL;
    int length = 0, type = V_ASN1_UNDEF;
    X509_PUBKEY_get0_param(&kind, &data, &length, &algorithm, X509_get_X509_PUBKEY(certificate));
    X509_ALGOR_get0(&same, &type, &value, algorithm);
    bool decodes = X509_get0_pubkey(certificate) != NULL;
    switch (OBJ_obj2nid(kind)) {
    case NID_rsaEncryption:
        return type != V_ASN1_NULL ? "its RSA key has no NULL parameters" : decodes ? NULL : "its RSA key is malformed";
    case NID_X9_62_id_ecPublicKey:
        if (type != V_ASN1_OBJECT || !is_curve(value))
            return "its key is on another curve than P-224, P-256, P-384 and P-521";
        return length == 0 || data[0] != POINT_CONVERSION_UNCOMPRESSED ? "its key is a compressed point" :
               !decodes ? "its key is no point of its curve" : NULL;
    case NID_ED25519:
    case NID_X25519:
        return type != V_ASN1_UNDEF ? "its key has parameters" : decodes ? NULL : "its key is malformed";
    }
    return NULL; /* other kinds of keys are parsed, and refused later */
}

const char *pki_strict_body(X509 *certificate)
{
    const X509_ALGOR *outer;
    X509_get0_signature(NULL, &outer, certificate);
    if (X509_get_version(certificate) < X509_VERSION_1 || X509_get_version(certificate) > X509_VERSION_3)
        return "it has another version than 1, 2 and 3";
    if (ASN1_STRING_type(X509_get0_serialNumber(certificate)) == V_ASN1_NEG_INTEGER)
        return "its serial number is negative";
    if (X509_ALGOR_cmp(outer, X509_get0_tbs_sigalg(certificate)) != 0)
        return "it names two different signature algorithms";
    if (!is_name(X509_get_issuer_name(certificate)))
        return "its issuer holds text with bytes that its type forbids";
    if (!is_time(X509_get0_notBefore(certificate)) || !is_time(X509_get0_notAfter(certificate)))
        return "its dates are not written as YYMMDDHHMMSSZ or YYYYMMDDHHMMSSZ, or do not exist";
    if (!is_name(X509_get_subject_name(certificate)))
        return "its subject holds text with bytes that its type forbids";
    return public_key_fault(certificate);
}

/* ---- extensions ---- */

static int compare_objects(const void *a, const void *b)
{
    const ASN1_OBJECT *const *left = a, *const *right = b;
    return OBJ_cmp(*left, *right);
}

/* Sorted, because a hostile certificate may have a hundred thousand. */
static bool has_duplicates(X509 *certificate, bool *memory)
{
    int count = X509_get_ext_count(certificate);
    if (count < 2)
        return false;
    const ASN1_OBJECT **objects = malloc((size_t)count * sizeof *objects);
    if (!objects) {
        *memory = false;
        return false;
    }
    for (int i = 0; i < count; i++)
        objects[i] = X509_EXTENSION_get_object(X509_get_ext(certificate, i));
    qsort(objects, (size_t)count, sizeof *objects, compare_objects);
    bool found = false;
    for (int i = 1; i < count; i++)
        found = found || OBJ_cmp(objects[i - 1], objects[i]) == 0;
    free(objects);
    return found;
}

/* X509V3_EXT_d2i's result, freed by the method that made it. */
static bool decodes(X509_EXTENSION *extension)
{
    const X509V3_EXT_METHOD *method = X509V3_EXT_get(extension);
    void *value = method ? X509V3_EXT_d2i(extension) : NULL;
    if (value && method->it)
        ASN1_item_free(value, ASN1_ITEM_ptr(method->it));
    else if (value)
        method->ext_free(value);
    return value != NULL;
}

static const char *extension_fault(X509_EXTENSION *extension)
{
    static const struct {
        int id;
        const char *malformed, *critical; /* critical: NULL when it may be */
    } rows[] = {
        { NID_key_usage,                "its key usage is malformed",                  NULL },
        { NID_basic_constraints,        "its basic constraints are malformed",         NULL },
        { NID_subject_alt_name,         "its alternative names are malformed",         NULL },
        { NID_name_constraints,         "its name constraints are malformed",          NULL },
        { NID_crl_distribution_points,  "its CRL distribution points are malformed",   NULL },
        { NID_authority_key_identifier, "its authority key identifier is malformed",   "its authority key identifier is critical" },
        { NID_policy_constraints,       "its policy constraints are malformed",        NULL },
        { NID_ext_key_usage,            "its extended key usage is malformed",         NULL },
        { NID_subject_key_identifier,   "its subject key identifier is malformed",     "its subject key identifier is critical" },
        { NID_certificate_policies,     "its policies are malformed",                  NULL },
        { NID_policy_mappings,          "its policy mappings are malformed",           NULL },
        { NID_inhibit_any_policy,       "its inhibitAnyPolicy is malformed",           NULL },
        { NID_info_access,              "its authority information access is malformed", "its authority information access is critical" },
    };
    int id = OBJ_obj2nid(X509_EXTENSION_get_object(extension));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].id == id) {
            if (rows[i].critical && X509_EXTENSION_get_critical(extension))
                return rows[i].critical;
            return decodes(extension) ? NULL : rows[i].malformed;
        }
    return NULL;
}

const char *pki_strict_extensions(X509 *certificate, bool *memory)
{
    if (X509_get_version(certificate) != X509_VERSION_3)
        return NULL;
    if (has_duplicates(certificate, memory))
        return "it has the same extension twice";
    for (int i = 0; i < X509_get_ext_count(certificate); i++) {
        const char *fault = extension_fault(X509_get_ext(certificate, i));
        if (fault)
            return fault;
    }
    return NULL;
}

/* ---- what is in the names ---- */

bool pki_domain_valid(const char *text, size_t length, bool constraint)
{
    if (length == 0)
        return true;
    if (text[length - 1] == '.')
        return false;
    size_t at = constraint && text[0] == '.' ? 1 : 0, label = 0;
    for (; at < length; at++) {
        unsigned char byte = (unsigned char)text[at];
        if (byte < 33 || byte > 126 || (byte == '.' && label == 0))
            return false;
        label = byte == '.' ? 0 : label + 1;
    }
    return true;
}

static const char *name_fault(const GENERAL_NAME *name)
{
    int type;
    const ASN1_STRING *value = GENERAL_NAME_get0_value(name, &type);
    if (type == GEN_IPADD)
        return ASN1_STRING_length(value) == ADDRESS4 || ASN1_STRING_length(value) == ADDRESS6 ? NULL :
               "an address among its names has not 4 or 16 bytes";
    if (type != GEN_EMAIL && type != GEN_DNS && type != GEN_URI)
        return NULL;
    return all_ascii(ASN1_STRING_get0_data(value), (size_t)ASN1_STRING_length(value)) ? NULL :
           "one of its names has bytes that are not ASCII";
}

static bool is_mask(const unsigned char *mask, size_t length)
{
    bool ended = false;
    for (size_t i = 0; i < length; i++) {
        unsigned inverse = (unsigned char)~mask[i];
        if ((inverse & (inverse + 1)) != 0 || (ended && mask[i] != 0))
            return false;
        ended = ended || mask[i] != 0xFF;
    }
    return true;
}

static const char *subtree_fault(const GENERAL_NAME *base)
{
    int type;
    const ASN1_STRING *value = GENERAL_NAME_get0_value(base, &type);
    if (type != GEN_EMAIL && type != GEN_DNS && type != GEN_URI && type != GEN_IPADD)
        return NULL;
    const unsigned char *data = ASN1_STRING_get0_data(value);
    size_t length = (size_t)ASN1_STRING_length(value);
    if (type == GEN_IPADD)
        return (length == 2 * ADDRESS4 || length == 2 * ADDRESS6) && is_mask(data + length / 2, length / 2) ? NULL :
               "its name constraints have a malformed address";
    bool mailbox = type == GEN_EMAIL && memchr(data, '@', length);
    return mailbox || pki_domain_valid((const char *)data, length, true) ? NULL : "its name constraints have a malformed domain";
}

static const char *subtrees_fault(const STACK_OF(GENERAL_SUBTREE) *subtrees)
{
    for (int i = 0; i < sk_GENERAL_SUBTREE_num(subtrees); i++) {
        const char *fault = subtree_fault(sk_GENERAL_SUBTREE_value(subtrees, i)->base);
        if (fault)
            return fault;
    }
    return NULL;
}

static const char *limits_fault(const NAME_CONSTRAINTS *limits)
{
    if (sk_GENERAL_SUBTREE_num(limits->permittedSubtrees) <= 0 && sk_GENERAL_SUBTREE_num(limits->excludedSubtrees) <= 0)
        return "its name constraints are empty";
    const char *fault = subtrees_fault(limits->permittedSubtrees);
    return fault ? fault : subtrees_fault(limits->excludedSubtrees);
}

const char *pki_strict_contents(const struct pki_facts *facts)
{
    for (int i = 0; i < sk_GENERAL_NAME_num(facts->names); i++) {
        const char *fault = name_fault(sk_GENERAL_NAME_value(facts->names, i));
        if (fault)
            return fault;
    }
    return facts->limits ? limits_fault(facts->limits) : NULL;
}
