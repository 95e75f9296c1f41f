#include "pki/verify.h"

#include <stdio.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/x509.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/limits.h"
#include "pki/describe.h"
#include "pki/match.h"

struct search {
    const struct pki_chain *served, *roots;
    const struct pki_facts *path[LIMIT_CHAIN_SIGNATURES + 2]; /* from the server's certificate up */
    size_t depth;
    unsigned candidates;
    size_t comparisons;
    int days;
    bool found;
    struct pki_report refusals; /* of the paths that lead nowhere */
    struct pki_report warnings; /* of the path that was found */
};

static void refuse(struct search *search, enum pki_problem_id id, const struct pki_facts *facts, const char *text)
{
    pki_report_add(&search->refusals, id, facts->file, facts->number, "%s", text);
}

/* ---- one certificate ---- */

bool pki_verify_usage(const struct pki_facts *facts)
{
    for (int i = 0; i < sk_ASN1_OBJECT_num(facts->usages); i++) {
        int id = OBJ_obj2nid(sk_ASN1_OBJECT_value(facts->usages, i));
        if (id == NID_server_auth || id == NID_anyExtendedKeyUsage)
            return true;
    }
    return sk_ASN1_OBJECT_num(facts->usages) <= 0;
}

/* Whether it is still to come. Not by X509_cmp_time, which knows fewer ways to write a time than Go. */
static bool is_after(const ASN1_TIME *moment)
{
    return ASN1_TIME_cmp_time_t(moment, clock_wall_seconds()) == 1;
}

void pki_verify_time(const struct pki_facts *facts, int days, struct pki_report *report)
{
    char text[PKI_TIME_BYTES];
    int day = 0, second = 0;
    const ASN1_TIME *begin = X509_get0_notBefore(facts->certificate), *end = X509_get0_notAfter(facts->certificate);
    if (is_after(begin)) {
        pki_time_text(begin, text);
        pki_report_add(report, PKI_PROBLEM_NOT_YET_VALID, facts->file, facts->number, "it is not valid before %s", text);
    }
    pki_time_text(end, text);
    if (!is_after(end))
        pki_report_add(report, PKI_PROBLEM_EXPIRED, facts->file, facts->number, "it ended on %s", text);
    else if (ASN1_TIME_diff(&day, &second, NULL, end) == 1 && day < days)
        pki_report_add(report, PKI_PROBLEM_ENDS_SOON, facts->file, facts->number, "it ends on %s, in %d days", text, day);
}

static bool is_valid_now(const struct pki_facts *facts)
{
    return !is_after(X509_get0_notBefore(facts->certificate)) && is_after(X509_get0_notAfter(facts->certificate));
}

/* ---- one step of a path ---- */

static struct bytes alternative_names(X509 *certificate)
{
    int at = X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1);
    if (at < 0)
        return (struct bytes){ NULL, 0 };
    const ASN1_OCTET_STRING *data = X509_EXTENSION_get_data(X509_get_ext(certificate, at));
    return (struct bytes){ (const char *)ASN1_STRING_get0_data(data), (uint32_t)ASN1_STRING_length(data) };
}

/* Same subject, key and alternative names: Go's alreadyInChain, against circles of CAs that signed each other. */
static bool same_holder(const struct pki_facts *a, const struct pki_facts *b)
{
    return pki_same_name(X509_get_subject_name(a->certificate), X509_get_subject_name(b->certificate)) && a->key && b->key &&
           EVP_PKEY_eq(a->key, b->key) == 1 && a->has_names == b->has_names &&
           bytes_equal(alternative_names(a->certificate), alternative_names(b->certificate));
}

static bool is_on_path(const struct search *search, const struct pki_facts *facts)
{
    for (size_t i = 0; i < search->depth; i++)
        if (same_holder(search->path[i], facts))
            return true;
    return false;
}

/* CheckSignatureFrom. */
static bool signed_by(struct search *search, const struct pki_facts *child, const struct pki_facts *parent)
{
    bool third = X509_get_version(parent->certificate) == X509_VERSION_3;
    if ((third && !parent->constrained) || (parent->constrained && !parent->authority))
        return refuse(search, PKI_PROBLEM_NOT_CA, parent, "it signed another certificate, but is not that of a CA"), false;
    if (!parent->may_sign)
        return refuse(search, PKI_PROBLEM_NO_CERT_SIGN, parent, "its key usage does not let it sign certificates"), false;
    if (child->signature == PKI_SIGNATURE_WEAK)
        return refuse(search, PKI_PROBLEM_WEAK_SIGNATURE, child, "it is signed with SHA-1 or MD5"), false;
    if (child->signature == PKI_SIGNATURE_UNKNOWN)
        return refuse(search, PKI_PROBLEM_SIGNATURE_KIND, child, "it is signed with an algorithm that API servers do not take"), false;
    if (parent->key_bits && parent->key_bits < LIMIT_RSA_BITS_MIN)
        return refuse(search, PKI_PROBLEM_KEY_SIZE, parent, "its RSA key has less than 1024 bits"), false;
    int result = X509_verify(child->certificate, parent->key);
    if (pki_out_of_memory())
        search->refusals.failed = true;
    if (result != 1)
        return refuse(search, PKI_PROBLEM_BAD_SIGNATURE, child, "the CA of this name has another key than the one that signed it"), false;
    return true;
}

/* isValid, for a certificate that would come next on the path. */
static bool fits(struct search *search, const struct pki_facts *facts, bool root)
{
    if (facts->critical)
        return refuse(search, PKI_PROBLEM_CRITICAL_EXTENSION, facts, "it has a critical extension that API servers do not know"), false;
    if (!is_valid_now(facts)) {
        pki_verify_time(facts, 0, &search->refusals);
        return false;
    }
    if (!root && (!facts->constrained || !facts->authority))
        return refuse(search, PKI_PROBLEM_NOT_CA, facts, "it signed another certificate, but is not that of a CA"), false;
    if (facts->constrained && facts->path_length >= 0 && (long)search->depth - 1 > facts->path_length)
        return refuse(search, PKI_PROBLEM_PATH_LENGTH, facts, "more CAs are below it than its path length lets"), false;
    return true;
}

/* ---- a whole path ---- */

/* The server's own usage is reported elsewhere. */
static bool usages_let(struct search *search)
{
    bool good = true;
    for (size_t i = 1; i < search->depth; i++)
        if (!pki_verify_usage(search->path[i])) {
            refuse(search, PKI_PROBLEM_USAGE, search->path[i], "the extended key usage of this CA has no serverAuth");
            good = false;
        }
    return good && pki_verify_usage(search->path[0]);
}

static bool names_keep(struct search *search, const struct pki_facts *child, const struct pki_facts *authority)
{
    const GENERAL_NAME *name = NULL;
    switch (pki_match_constraints(child, authority, &search->comparisons, &name)) {
    case PKI_MATCH_GOOD:
        return true;
    case PKI_MATCH_LIMIT:
        return refuse(search, PKI_PROBLEM_TOO_COMPLICATED, authority, "it has more name constraints than can be compared"), false;
    case PKI_MATCH_VIOLATED:
        break;
    }
    int type;
    char text[LIMIT_QUOTE_BYTES * 2] = "";
    const ASN1_STRING *value = GENERAL_NAME_get0_value(name, &type);
    if (type == GEN_IPADD)
        pki_address_text(value, text, sizeof text);
    else
        snprintf(text, sizeof text, "%.*s", ASN1_STRING_length(value), (const char *)ASN1_STRING_get0_data(value));
    pki_report_add(&search->refusals, PKI_PROBLEM_NAME_CONSTRAINTS, child->file, child->number,
                   "the name constraints of its CA do not let it have the name %s", escape_text(text).text);
    return false;
}

static bool constraints_let(struct search *search)
{
    for (size_t i = 0; i < search->depth; i++)
        for (size_t j = i + 1; j < search->depth; j++)
            if (!names_keep(search, search->path[i], search->path[j]))
                return false;
    return true;
}

static bool asks_for_policies(const struct search *search)
{
    for (size_t i = 0; i < search->depth; i++)
        if (X509_get_ext_by_NID(search->path[i]->certificate, NID_policy_constraints, -1) >= 0)
            return true;
    return false;
}

/* The path as OpenSSL wants it, and any policy as the one that is wanted. */
static bool policies_fit(struct search *search)
{
    X509_POLICY_TREE *tree = NULL;
    int explicit = 0;
    STACK_OF(X509) *certificates = sk_X509_new_null();
    STACK_OF(ASN1_OBJECT) *wanted = sk_ASN1_OBJECT_new_null();
    bool ready = certificates && wanted && sk_ASN1_OBJECT_push(wanted, OBJ_nid2obj(NID_any_policy)) > 0;
    for (size_t i = 0; i < search->depth && ready; i++)
        ready = sk_X509_push(certificates, search->path[i]->certificate) > 0;
    bool fit = ready && X509_policy_check(&tree, &explicit, certificates, wanted, 0) == 1;
    search->refusals.failed = search->refusals.failed || !ready;
    X509_policy_tree_free(tree);
    sk_ASN1_OBJECT_free(wanted);
    sk_X509_free(certificates);
    return fit;
}

/* Only policy constraints make policies matter. */
static bool policies_let(struct search *search)
{
    if (!asks_for_policies(search) || policies_fit(search))
        return true;
    refuse(search, PKI_PROBLEM_POLICIES, search->path[0], "a CA asks for a certificate policy that the chain does not have");
    return false;
}

static void end_path(struct search *search)
{
    if (!policies_let(search) || !usages_let(search) || !constraints_let(search))
        return;
    if (!search->found)
        for (size_t i = 1; i < search->depth; i++)
            pki_verify_time(search->path[i], search->days, &search->warnings);
    search->found = true;
}

/* ---- all paths ---- */

static void extend(struct search *search);

static void consider(struct search *search, const struct pki_facts *candidate, bool root)
{
    const struct pki_facts *child = search->path[search->depth - 1];
    if (++search->candidates > LIMIT_CHAIN_SIGNATURES) {
        refuse(search, PKI_PROBLEM_TOO_COMPLICATED, child, "more than 100 certificates could have signed it and others of its chain");
        return;
    }
    if (is_on_path(search, candidate))
        return;
    if (!candidate->key) {
        refuse(search, PKI_PROBLEM_KEY_KIND, candidate, "it signed another certificate with a key of a kind that API servers do not take");
        return;
    }
    if (!signed_by(search, child, candidate) || !fits(search, candidate, root))
        return;
    search->path[search->depth++] = candidate;
    if (root)
        end_path(search);
    else
        extend(search);
    search->depth--;
}

/* Whether one of the chain bears the name of the issuer; all of them are considered. */
static bool consider_all(struct search *search, const struct pki_chain *chain, size_t first, bool root)
{
    const struct pki_facts *child = search->path[search->depth - 1];
    bool any = false;
    for (size_t i = first; i < chain->count && search->candidates <= LIMIT_CHAIN_SIGNATURES; i++) {
        const struct pki_facts *candidate = &chain->list[i];
        if (candidate->repeated || (root && candidate->malformed) ||
            !pki_same_name(X509_get_issuer_name(child->certificate), X509_get_subject_name(candidate->certificate)))
            continue;
        any = true;
        consider(search, candidate, root);
    }
    return any;
}

static void extend(struct search *search)
{
    const struct pki_facts *child = search->path[search->depth - 1];
    X509_NAME *issuer = X509_get_issuer_name(child->certificate);
    bool own = pki_same_name(issuer, X509_get_subject_name(child->certificate));
    bool rooted = consider_all(search, search->roots, 0, true), served = consider_all(search, search->served, 1, false);
    if (own && !rooted)
        refuse(search, PKI_PROBLEM_INCOMPLETE, child, "it is signed by itself, and not among the certificates of the CA");
    else if (!rooted && !served)
        pki_report_add(&search->refusals, PKI_PROBLEM_INCOMPLETE, child->file, child->number,
                       "the certificate of its issuer, %s, neither follows it nor is among those of the CA", pki_escape_name(issuer).text);
}

static bool is_root(const struct pki_chain *roots, const struct pki_facts *facts)
{
    for (size_t i = 0; i < roots->count; i++)
        if (!roots->list[i].malformed && X509_cmp(roots->list[i].certificate, facts->certificate) == 0)
            return true;
    return false;
}

void pki_verify_path(const struct pki_chain *served, const struct pki_chain *roots, int days, struct pki_report *report)
{
    struct search search = { .served = served, .roots = roots, .days = days, .path = { &served->list[0] }, .depth = 1 };
    if (is_root(roots, &served->list[0]))
        end_path(&search);
    else
        extend(&search);
    pki_report_merge(report, search.found && !search.refusals.failed ? &search.warnings : &search.refusals);
    ERR_clear_error();
}
