#include "pki/describe.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509v3.h>

#include "base/limits.h"
#include "base/text.h"
#include "pki/limits.h"

enum { GROUP_BYTES = 80, OBJECT_BYTES = 80, ADDRESS4 = 4, ADDRESS6 = 16 };

static const unsigned long NAME_FLAGS = XN_FLAG_ONELINE & ~XN_FLAG_SPC_EQ & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;

void pki_address_text(const ASN1_STRING *address, char *text, size_t size)
{
    int length = ASN1_STRING_length(address), family = length == ADDRESS4 ? AF_INET : AF_INET6;
    if ((length != ADDRESS4 && length != ADDRESS6) || !inet_ntop(family, ASN1_STRING_get0_data(address), text, (socklen_t)size))
        snprintf(text, size, "malformed address");
}

struct escaped pki_escape_name(const X509_NAME *name)
{
    char *data = NULL, text[LIMIT_QUOTE_BYTES * 4] = "";
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio && X509_NAME_print_ex(bio, name, 0, NAME_FLAGS) >= 0) {
        long length = BIO_get_mem_data(bio, &data);
        size_t size = length > 0 ? (size_t)length : 0;
        size = size < sizeof text ? size : sizeof text - 1;
        if (size)
            memcpy(text, data, size);
        text[size] = '\0';
    }
    BIO_free(bio);
    return escape_text(*text ? text : "(empty)");
}

/* ---- single texts ---- */

static const char *escape(struct arena *arena, const char *prefix, const void *data, size_t length)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, prefix);
    text_add_escaped(&text, (struct bytes){ data, (uint32_t)length }, LIMIT_ESCAPED_NAME_BYTES);
    return text_end(&text);
}

static const char *describe_name(const X509_NAME *name, struct arena *arena)
{
    char *data = NULL;
    const char *text = NULL;
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio && X509_NAME_print_ex(bio, name, 0, NAME_FLAGS) >= 0) {
        long length = BIO_get_mem_data(bio, &data);
        text = escape(arena, "", data, length > 0 ? (size_t)length : 0);
    }
    BIO_free(bio);
    return text;
}

/* Hexadecimal with colons, at most LIMIT_ESCAPED_NAME_BYTES bytes of it. */
static const char *hexadecimal(struct arena *arena, const char *sign, const unsigned char *data, size_t length)
{
    struct text text;
    char digits[4];
    text_init(&text, arena);
    text_add(&text, sign);
    for (size_t i = 0; i < length && i < LIMIT_ESCAPED_NAME_BYTES; i++) {
        snprintf(digits, sizeof digits, "%s%02x", i ? ":" : "", data[i]);
        text_add(&text, digits);
    }
    if (length > LIMIT_ESCAPED_NAME_BYTES)
        text_add(&text, "...");
    return text_end(&text);
}

static const char *describe_serial(const ASN1_INTEGER *serial, struct arena *arena)
{
    return hexadecimal(arena, ASN1_STRING_type(serial) == V_ASN1_NEG_INTEGER ? "-" : "", ASN1_STRING_get0_data(serial),
                       (size_t)ASN1_STRING_length(serial));
}

static const char *describe_fingerprint(const X509 *certificate, struct arena *arena)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    return X509_digest(certificate, EVP_sha256(), digest, &length) ? hexadecimal(arena, "", digest, length) : NULL;
}

const char *pki_describe_key(const EVP_PKEY *key, struct arena *arena)
{
    char group[GROUP_BYTES] = "", text[2 * GROUP_BYTES];
    int kind = EVP_PKEY_get_base_id(key);
    if (kind == EVP_PKEY_EC) {
        size_t length = 0;
        if (!EVP_PKEY_get_group_name(key, group, sizeof group, &length) || length == 0)
            return NULL; /* a key with parameters of its own has been refused before: memory is short */
        const char *known = EC_curve_nid2nist(OBJ_txt2nid(group));
        snprintf(text, sizeof text, "ECDSA %s", known ? known : group);
    } else if (kind == EVP_PKEY_RSA || kind == EVP_PKEY_RSA_PSS || kind == EVP_PKEY_DSA) {
        snprintf(text, sizeof text, "%s %d bits", kind == EVP_PKEY_RSA ? "RSA" : kind == EVP_PKEY_DSA ? "DSA" : "RSA-PSS",
                 EVP_PKEY_get_bits(key));
    } else {
        const char *name = kind == EVP_PKEY_ED25519 ? "Ed25519" : kind == EVP_PKEY_ED448 ? "Ed448" : OBJ_nid2sn(kind);
        snprintf(text, sizeof text, "%s", name ? name : "of an unknown kind");
    }
    return escape(arena, "", text, strlen(text));
}

static const char *describe_object(const ASN1_OBJECT *object, struct arena *arena)
{
    char text[OBJECT_BYTES];
    int length = OBJ_obj2txt(text, sizeof text, object, 0);
    return length > 0 ? escape(arena, "", text, strlen(text)) : escape(arena, "", "unknown", strlen("unknown"));
}

/* ---- lists ---- */

/* Takes NULL for memory that ran out. */
static bool push(struct pki_list *list, const char *text)
{
    if (text && list->count < LIMIT_SHOWN_NAMES)
        list->list[list->count++] = text;
    else if (text)
        list->more++;
    return text != NULL;
}

static const char *describe_alternative(const GENERAL_NAME *name, struct arena *arena)
{
    char address[INET6_ADDRSTRLEN];
    int type;
    const ASN1_STRING *value = GENERAL_NAME_get0_value(name, &type);
    if (type == GEN_IPADD) {
        pki_address_text(value, address, sizeof address);
        return escape(arena, "", address, strlen(address));
    }
    if (type != GEN_DNS && type != GEN_EMAIL && type != GEN_URI)
        return escape(arena, "", "(another kind of name)", strlen("(another kind of name)"));
    const char *prefix = type == GEN_DNS ? "" : type == GEN_EMAIL ? "email:" : "URI:";
    return escape(arena, prefix, ASN1_STRING_get0_data(value), (size_t)ASN1_STRING_length(value));
}

static bool describe_names(X509 *certificate, struct arena *arena, struct pki_list *list)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    bool good = true;
    for (int i = 0; i < sk_GENERAL_NAME_num(names) && good; i++)
        if (i < LIMIT_SHOWN_NAMES)
            good = push(list, describe_alternative(sk_GENERAL_NAME_value(names, i), arena));
        else
            list->more++;
    GENERAL_NAMES_free(names);
    return good;
}

static bool describe_usages(X509 *certificate, struct arena *arena, struct pki_list *list)
{
    static const char *const bits[] = { "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement",
                                        "keyCertSign", "cRLSign", "encipherOnly", "decipherOnly" };
    ASN1_BIT_STRING *usage = X509_get_ext_d2i(certificate, NID_key_usage, NULL, NULL);
    EXTENDED_KEY_USAGE *more = X509_get_ext_d2i(certificate, NID_ext_key_usage, NULL, NULL);
    bool good = true;
    for (int i = 0; usage && i < (int)(sizeof bits / sizeof *bits); i++)
        if (ASN1_BIT_STRING_get_bit(usage, i))
            good = push(list, bits[i]) && good;
    for (int i = 0; i < sk_ASN1_OBJECT_num(more) && good; i++) {
        const ASN1_OBJECT *object = sk_ASN1_OBJECT_value(more, i);
        int id = OBJ_obj2nid(object);
        good = push(list, id == NID_undef ? describe_object(object, arena) : OBJ_nid2sn(id));
    }
    ASN1_BIT_STRING_free(usage);
    EXTENDED_KEY_USAGE_free(more);
    return good;
}

/* ---- all of it ---- */

static void describe_constraints(X509 *certificate, struct pki_description *description)
{
    BASIC_CONSTRAINTS *constraints = X509_get_ext_d2i(certificate, NID_basic_constraints, NULL, NULL);
    description->authority = constraints && constraints->ca;
    description->path_length = description->authority && constraints->pathlen ? ASN1_INTEGER_get(constraints->pathlen) : -1;
    BASIC_CONSTRAINTS_free(constraints);
}

static bool describe_texts(X509 *certificate, struct arena *arena, struct pki_description *description)
{
    const X509_ALGOR *algorithm;
    const ASN1_OBJECT *object;
    const EVP_PKEY *key = X509_get0_pubkey(certificate);
    X509_get0_signature(NULL, &algorithm, certificate);
    X509_ALGOR_get0(&object, NULL, NULL, algorithm);
    description->subject = describe_name(X509_get_subject_name(certificate), arena);
    description->issuer = describe_name(X509_get_issuer_name(certificate), arena);
    description->serial = describe_serial(X509_get0_serialNumber(certificate), arena);
    description->fingerprint = describe_fingerprint(certificate, arena);
    description->key = key ? pki_describe_key(key, arena) : escape(arena, "", "cannot be read", strlen("cannot be read"));
    description->signature = describe_object(object, arena);
    return description->subject && description->issuer && description->serial && description->fingerprint && description->key &&
        description->signature;
}

bool pki_describe(X509 *certificate, struct arena *arena, struct pki_description *description)
{
    int days = 0, seconds = 0;
    *description = (struct pki_description){ .path_length = -1 };
    ERR_clear_error();
    bool good = describe_texts(certificate, arena, description) && describe_names(certificate, arena, &description->names) &&
                describe_usages(certificate, arena, &description->usages);
    describe_constraints(certificate, description);
    pki_time_text(X509_get0_notBefore(certificate), description->begin);
    pki_time_text(X509_get0_notAfter(certificate), description->end);
    if (ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(certificate)) == 1)
        description->days_left = days - (seconds < 0);
    return !pki_out_of_memory() && good;
}
