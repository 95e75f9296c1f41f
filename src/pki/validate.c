#include "pki/validate.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "pki/bundle.h"
#include "pki/match.h"
#include "pki/verify.h"

enum { GROUP_BYTES = 80 }; /* of a curve's name; OpenSSL's have under 30 */

/* ---- files ---- */

static void chain_done(struct pki_chain *chain)
{
    for (size_t i = 0; i < chain->count; i++)
        pki_facts_done(&chain->list[i]);
    free(chain->list);
    *chain = (struct pki_chain){ .count = 0 };
}

/* Compares digests: some two million times at most, for a file of LIMIT_PEM_BYTES. */
static void mark_repeated(struct pki_chain *chain)
{
    for (size_t i = 1; i < chain->count; i++)
        for (size_t j = 0; j < i && !chain->list[i].repeated; j++)
            chain->list[i].repeated = X509_cmp(chain->list[i].certificate, chain->list[j].certificate) == 0;
}

/* The facts point into the bundle. */
static bool read_chain(const char *file, struct pki_bundle *bundle, struct pki_chain *chain, struct error *error)
{
    *chain = (struct pki_chain){ .file = file };
    if (!pki_bundle_load(file, bundle, error))
        return false;
    if (!pki_bundle_first(bundle))
        return pki_fail(error, "there is no certificate in %s", escape_text(file).text);
    chain->list = calloc(bundle->count, sizeof *chain->list);
    bool good = chain->list != NULL;
    for (size_t i = 0; i < bundle->count && good; i++)
        if (bundle->blocks[i].certificate) {
            good = pki_facts_read(bundle->blocks[i].certificate, file, (unsigned)chain->count + 1, &chain->list[chain->count]);
            chain->count++;
        }
    mark_repeated(chain);
    return good || pki_fail_memory(error, "read", file);
}

/* API servers take only blocks that begin with BEGIN CERTIFICATE, and pass over what they cannot parse. */
static void check_authority_file(const struct pki_bundle *bundle, struct pki_chain *chain, struct pki_report *report)
{
    size_t at = 0;
    for (size_t i = 0; i < bundle->count; i++) {
        if (!bundle->blocks[i].certificate)
            continue;
        struct pki_facts *facts = &chain->list[at++];
        if (!facts->malformed && strcmp(bundle->blocks[i].name, PEM_STRING_X509) != 0)
            facts->malformed = "its first line is not BEGIN CERTIFICATE";
        if (facts->malformed)
            pki_report_add(report, PKI_PROBLEM_CA_SKIPPED, facts->file, facts->number, "API servers pass over it: %s", facts->malformed);
    }
}

/* ---- each certificate that the server shows ---- */

static void check_served(const struct pki_chain *served, struct pki_report *report)
{
    for (size_t i = 0; i < served->count; i++) {
        const struct pki_facts *facts = &served->list[i];
        if (facts->malformed)
            pki_report_add(report, PKI_PROBLEM_MALFORMED, facts->file, facts->number, "%s", facts->malformed);
        if (facts->key_bits > LIMIT_RSA_BITS)
            pki_report_add(report, PKI_PROBLEM_KEY_SIZE, facts->file, facts->number, "its RSA key has %d bits, more than 8192",
                           facts->key_bits);
    }
}

static void check_order(const struct pki_chain *served, struct pki_report *report)
{
    for (size_t i = 1; i < served->count; i++)
        if (!pki_same_name(X509_get_issuer_name(served->list[i - 1].certificate), X509_get_subject_name(served->list[i].certificate)))
            pki_report_add(report, PKI_PROBLEM_LOOSE_ORDER, served->file, served->list[i].number,
                           "it is not the issuer of the certificate in front of it");
}

/* ---- the server's own certificate ---- */

/* API servers take P-224 in a certificate, but offer no way to use it in TLS; P-521 is not among the groups that `serve` takes. */
static void check_curve(const struct pki_facts *facts, struct pki_report *report)
{
    char group[GROUP_BYTES] = "";
    size_t length;
    if (!facts->key || EVP_PKEY_get_base_id(facts->key) != EVP_PKEY_EC ||
        EVP_PKEY_get_group_name(facts->key, group, sizeof group, &length) != 1)
        return;
    int curve = OBJ_txt2nid(group);
    if (curve == NID_secp224r1)
        pki_report_add(report, PKI_PROBLEM_KEY_KIND, facts->file, facts->number,
                       "its key is on P-224, which API servers do not offer in TLS");
    if (curve == NID_secp521r1)
        pki_report_add(report, PKI_PROBLEM_KEY_CURVE, facts->file, facts->number,
                       "its key is on P-521, which API servers take, but 'drawbridge serve' does not");
}

static void check_own(const struct pki_facts *facts, int days, struct pki_report *report)
{
    if (facts->critical)
        pki_report_add(report, PKI_PROBLEM_CRITICAL_EXTENSION, facts->file, facts->number,
                       "it has a critical extension that API servers do not know");
    pki_verify_time(facts, days, report);
    if (!facts->key)
        pki_report_add(report, PKI_PROBLEM_KEY_KIND, facts->file, facts->number, "its key is of a kind that API servers do not take");
    if (facts->key_bits && facts->key_bits < LIMIT_RSA_BITS_MIN)
        pki_report_add(report, PKI_PROBLEM_KEY_SIZE, facts->file, facts->number, "its RSA key has %d bits, less than 1024",
                       facts->key_bits);
    check_curve(facts, report);
    if (!pki_verify_usage(facts))
        pki_report_add(report, PKI_PROBLEM_USAGE, facts->file, facts->number, "its extended key usage has no serverAuth");
    if (!facts->may_serve) /* an API server does not check it, but GnuTLS does, and ends the handshake */
        pki_report_add(report, PKI_PROBLEM_KEY_USAGE, facts->file, facts->number,
                       "its key usage has no digitalSignature, so 'drawbridge serve' cannot use it");
}

/* An address among the names: clients look for addresses among the addresses. */
static void check_addresses(const struct pki_facts *facts, struct pki_report *report)
{
    char text[PKI_HOST_BYTES + 1];
    unsigned char address[PKI_ADDRESS_BYTES];
    for (int i = 0; i < sk_GENERAL_NAME_num(facts->names); i++) {
        int type;
        const ASN1_STRING *value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(facts->names, i), &type);
        if (type != GEN_DNS || ASN1_STRING_length(value) > PKI_HOST_BYTES || ASN1_STRING_length(value) == 0)
            continue;
        memcpy(text, ASN1_STRING_get0_data(value), (size_t)ASN1_STRING_length(value));
        text[ASN1_STRING_length(value)] = '\0';
        if (inet_pton(AF_INET, text, address) == 1 || inet_pton(AF_INET6, text, address) == 1)
            pki_report_add(report, PKI_PROBLEM_ADDRESS_AS_NAME, facts->file, facts->number,
                           "the address %s is among its DNS names, where no client looks for it", escape_text(text).text);
    }
}

static bool has_kind(const struct pki_facts *facts, int first, int second)
{
    for (int i = 0; i < sk_GENERAL_NAME_num(facts->names); i++) {
        int type = sk_GENERAL_NAME_value(facts->names, i)->type;
        if (type == first || type == second)
            return true;
    }
    return false;
}

static void check_names(const struct pki_facts *facts, const struct pki_names *names, struct pki_report *report)
{
    check_addresses(facts, report);
    if (!has_kind(facts, GEN_DNS, GEN_IPADD)) {
        pki_report_add(report, PKI_PROBLEM_NO_NAMES, facts->file, facts->number,
                       "it has no alternative names, and its common name does not count");
        return;
    }
    for (size_t i = 0; i < names->count; i++)
        if (!pki_match_name(facts, &names->list[i]))
            pki_report_add(report, PKI_PROBLEM_WRONG_NAME, facts->file, facts->number, "it is not valid for %s", names->list[i].text);
}

/* ---- the key ---- */

static bool belongs(EVP_PKEY *key, const struct pki_facts *facts)
{
    return X509_check_private_key(facts->certificate, key) == 1;
}

static void check_key(EVP_PKEY *key, const char *file, const struct pki_chain *served, struct pki_report *report)
{
    if (belongs(key, &served->list[0])) {
        if (!pki_key_signs_for(key, served->list[0].certificate))
            pki_report_add(report, PKI_PROBLEM_KEY_MISMATCH, file, 0, "the key is damaged: what it signs does not fit the certificate");
        return;
    }
    for (size_t i = 1; i < served->count; i++)
        if (belongs(key, &served->list[i])) {
            pki_report_add(report, PKI_PROBLEM_ORDER, served->file, served->list[i].number,
                           "the key belongs to this certificate, but it is not the first");
            return;
        }
    pki_report_add(report, PKI_PROBLEM_KEY_MISMATCH, file, 0, "the key does not belong to the certificate in %s",
                   escape_text(served->file).text);
}

static bool check_key_file(const char *file, const struct pki_chain *served, struct pki_report *report, struct error *error)
{
    char *text = NULL;
    EVP_PKEY *key = NULL;
    bool encrypted = false;
    if (!pki_read(file, &text, error))
        return false;
    bool good = pki_key_parse(text, file, &key, &encrypted, error);
    pki_text_free(text);
    if (good)
        check_key(key, file, served, report);
    else if (encrypted)
        pki_report_add(report, PKI_PROBLEM_KEY_ENCRYPTED, file, 0,
                       "the key is protected by a password, which is not asked for when the server starts");
    EVP_PKEY_free(key);
    report->failed = pki_out_of_memory() || report->failed;
    return good || encrypted;
}

/* ---- the path to the CA ---- */

static bool issued_within(const struct pki_chain *chain, const struct pki_facts *facts)
{
    const X509_NAME *issuer = X509_get_issuer_name(facts->certificate);
    if (pki_same_name(issuer, X509_get_subject_name(facts->certificate)))
        return false;
    for (size_t i = 1; i < chain->count; i++)
        if (pki_same_name(issuer, X509_get_subject_name(chain->list[i].certificate)))
            return true;
    return false;
}

/* Without a CA, the ends of the chain stand in for it. */
static void check_path_alone(const struct pki_chain *served, int days, struct pki_report *report)
{
    const struct pki_facts *own = &served->list[0];
    bool self = pki_same_name(X509_get_issuer_name(own->certificate), X509_get_subject_name(own->certificate));
    if (served->count == 1) {
        if (!self && own->signature == PKI_SIGNATURE_WEAK)
            pki_report_add(report, PKI_PROBLEM_WEAK_SIGNATURE, own->file, own->number, "it is signed with SHA-1 or MD5");
        if (!self && own->signature == PKI_SIGNATURE_UNKNOWN)
            pki_report_add(report, PKI_PROBLEM_SIGNATURE_KIND, own->file, own->number,
                           "it is signed with an algorithm that API servers do not take");
        return;
    }
    struct pki_chain roots = { .file = served->file, .list = calloc(served->count, sizeof *roots.list) };
    report->failed = report->failed || !roots.list;
    for (size_t i = 1; i < served->count && roots.list; i++)
        if (!issued_within(served, &served->list[i]))
            roots.list[roots.count++] = served->list[i]; /* what they own stays with `served` */
    if (roots.list)
        pki_verify_path(served, &roots, days, report);
    free(roots.list);
}

static bool check_path(const struct pki_question *question, const struct pki_chain *served, struct pki_report *report, struct error *error)
{
    struct pki_bundle bundle = { .count = 0 };
    struct pki_chain roots = { .count = 0 };
    if (!question->authority_file) {
        check_path_alone(served, question->days, report);
        return true;
    }
    bool good = read_chain(question->authority_file, &bundle, &roots, error);
    if (good) {
        check_authority_file(&bundle, &roots, report);
        pki_verify_path(served, &roots, question->days, report);
    }
    chain_done(&roots);
    pki_bundle_done(&bundle);
    return good;
}

/* ---- all of it ---- */

/* A CA in front that another certificate of the file names as its issuer explains what else is wrong. */
static void explain_order(const struct pki_chain *served, struct pki_report *report)
{
    const struct pki_facts *first = &served->list[0];
    for (size_t i = 0; i < report->count; i++)
        if (report->list[i].id == PKI_PROBLEM_ORDER)
            return;
    for (size_t i = 1; i < served->count && first->authority && report->refused; i++)
        if (!served->list[i].authority &&
            pki_same_name(X509_get_issuer_name(served->list[i].certificate), X509_get_subject_name(first->certificate))) {
            pki_report_add(report, PKI_PROBLEM_ORDER, first->file, first->number,
                           "it is the CA that signed certificate %u, which should be the first", served->list[i].number);
            return;
        }
}

static bool validate(const struct pki_question *question, const struct pki_chain *served, struct pki_report *report, struct error *error)
{
    check_served(served, report);
    check_own(&served->list[0], question->days, report);
    check_names(&served->list[0], question->names, report);
    check_order(served, report);
    if (question->key_file && !check_key_file(question->key_file, served, report, error))
        return false;
    if (!check_path(question, served, report, error))
        return false;
    explain_order(served, report);
    return true;
}

bool pki_validate(const struct pki_question *question, struct pki_report *report, char end[PKI_TIME_BYTES], struct error *error)
{
    struct pki_bundle bundle = { .count = 0 };
    struct pki_chain served;
    bool good = read_chain(question->certificate_file, &bundle, &served, error) && validate(question, &served, report, error);
    if (good)
        pki_time_text(X509_get0_notAfter(served.list[0].certificate), end);
    chain_done(&served);
    pki_bundle_done(&bundle);
    ERR_clear_error();
    return good;
}
