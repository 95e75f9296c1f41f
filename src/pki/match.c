#include "pki/match.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#include "base/bytes.h"

enum { ADDRESS4 = 4, ADDRESS6 = 16 };

static struct bytes bytes_of_string(const ASN1_STRING *string)
{
    return (struct bytes){ (const char *)ASN1_STRING_get0_data(string), (uint32_t)ASN1_STRING_length(string) };
}

static struct bytes after(struct bytes bytes, uint32_t count)
{
    return (struct bytes){ bytes.data + count, bytes.length - count };
}

/* ---- the name that a client asks for ---- */

/* Whether wildcards count in it: letters, digits, hyphens not in front of a label, underscores, and "*" as the first label. */
static bool is_pattern(struct bytes text)
{
    uint32_t label = 0;
    if (text.length == 0 || bytes_equal_text(text, "*"))
        return false;
    uint32_t at = text.length >= 2 && memcmp(text.data, "*.", 2) == 0 ? 2 : 0;
    for (; at < text.length; at++) {
        char byte = text.data[at];
        bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
        if (byte == '.' ? label == 0 : !letter && (byte != '-' || label == 0))
            return false;
        label = byte == '.' ? 0 : label + 1;
    }
    return label > 0;
}

static bool equal_without_case(struct bytes a, struct bytes b)
{
    return a.length == b.length && strncasecmp(a.data, b.data, a.length) == 0;
}

/* The star stands for one whole label. */
static bool matches(struct bytes pattern, struct bytes host)
{
    if (!is_pattern(pattern))
        return false;
    if (pattern.data[0] != '*')
        return equal_without_case(pattern, host);
    const char *dot = memchr(host.data, '.', host.length);
    return dot && equal_without_case(after(pattern, 1), after(host, (uint32_t)(dot - host.data)));
}

/* IPv4 also in the form that IPv6 has for it. */
static bool same_address(struct bytes address, const struct pki_name *name)
{
    static const char mapped[12] = "\0\0\0\0\0\0\0\0\0\0\xFF\xFF";
    const char *asked = (const char *)name->address;
    uint32_t length = name->address_length;
    if (address.length == ADDRESS6 && memcmp(address.data, mapped, sizeof mapped) == 0)
        address = after(address, sizeof mapped);
    if (length == ADDRESS6 && memcmp(asked, mapped, sizeof mapped) == 0) {
        asked += sizeof mapped;
        length = ADDRESS4;
    }
    return bytes_equal(address, (struct bytes){ asked, length });
}

bool pki_match_name(const struct pki_facts *facts, const struct pki_name *name)
{
    for (int i = 0; i < sk_GENERAL_NAME_num(facts->names); i++) {
        int type;
        const ASN1_STRING *value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(facts->names, i), &type);
        if (name->address_length ? type == GEN_IPADD && same_address(bytes_of_string(value), name)
                                 : type == GEN_DNS && matches(bytes_of_string(value), bytes_of(name->text)))
            return true;
    }
    return false;
}

/* ---- name constraints ---- */

/* A constraint with a leading dot asks for one label more; an empty one takes all. */
static bool is_below(struct bytes name, struct bytes constraint)
{
    if (constraint.length == 0)
        return true;
    if (constraint.length > name.length)
        return false;
    uint32_t head = name.length - constraint.length;
    if (!equal_without_case(after(name, head), constraint))
        return false;
    return constraint.data[0] == '.' || head == 0 || name.data[head - 1] == '.';
}

/* An excluded a.example.com also takes *.example.com, which could stand for it. */
static bool is_excluded(struct bytes name, struct bytes constraint)
{
    if (is_below(name, constraint))
        return true;
    const char *dot = constraint.length ? memchr(constraint.data, '.', constraint.length) : NULL;
    if (!dot || name.length == 0 || name.data[0] != '*')
        return false;
    const char *name_dot = memchr(name.data, '.', name.length);
    return name_dot &&
        equal_without_case(after(name, (uint32_t)(name_dot - name.data)), after(constraint, (uint32_t)(dot - constraint.data)));
}

static bool is_in_network(struct bytes address, struct bytes network)
{
    if (network.length != 2 * address.length)
        return false;
    for (uint32_t i = 0; i < address.length; i++)
        if ((address.data[i] & network.data[address.length + i]) != (network.data[i] & network.data[address.length + i]))
            return false;
    return true;
}

/* The domain after the last @; false when there is none, or nothing before it. */
static bool mailbox_domain(struct bytes mailbox, struct bytes *domain)
{
    const char *at = mailbox.length ? memrchr(mailbox.data, '@', mailbox.length) : NULL;
    if (!at || at == mailbox.data)
        return false;
    *domain = after(mailbox, (uint32_t)(at + 1 - mailbox.data));
    return domain->length > 0;
}

static bool same_mailbox(struct bytes a, struct bytes b)
{
    struct bytes a_domain, b_domain;
    return mailbox_domain(a, &a_domain) && mailbox_domain(b, &b_domain) && equal_without_case(a_domain, b_domain) &&
           a.length == b.length && memcmp(a.data, b.data, a.length - a_domain.length) == 0;
}

/* The host of scheme://user@host:port/path; false when there is none, or it is an address. */
static bool uri_host(struct bytes uri, struct bytes *host)
{
    char text[PKI_HOST_BYTES + 1];
    unsigned char address[ADDRESS6];
    const char *slashes = uri.length ? memmem(uri.data, uri.length, "://", 3) : NULL;
    if (!slashes)
        return false;
    *host = after(uri, (uint32_t)(slashes + 3 - uri.data));
    uint32_t length = 0;
    while (length < host->length && !strchr("/?#", host->data[length]))
        length++;
    host->length = length;
    const char *user = length ? memrchr(host->data, '@', length) : NULL;
    if (user)
        *host = after(*host, (uint32_t)(user + 1 - host->data));
    const char *port = host->length && host->data[0] != '[' ? memchr(host->data, ':', host->length) : NULL;
    if (port)
        host->length = (uint32_t)(port - host->data);
    if (host->length == 0 || host->length > PKI_HOST_BYTES || host->data[0] == '[')
        return false;
    memcpy(text, host->data, host->length);
    text[host->length] = '\0';
    return inet_pton(AF_INET, text, address) != 1;
}

/* What of a name is compared; false when constraints cannot be applied to it, which Go takes as a violation. */
static bool comparable(const GENERAL_NAME *name, struct bytes *part)
{
    int type;
    *part = bytes_of_string(GENERAL_NAME_get0_value(name, &type));
    switch (type) {
    case GEN_IPADD: return true;
    case GEN_DNS:   return pki_domain_valid(part->data, part->length, false);
    case GEN_URI:   return uri_host(*part, part) && pki_domain_valid(part->data, part->length, false);
    }
    struct bytes domain;
    return mailbox_domain(*part, &domain) && pki_domain_valid(domain.data, domain.length, false); /* GEN_EMAIL */
}

static bool covers(int type, struct bytes constraint, struct bytes name, bool excluded)
{
    if (type == GEN_IPADD)
        return is_in_network(name, constraint);
    if (type == GEN_EMAIL && memchr(constraint.data ? constraint.data : "", '@', constraint.length))
        return same_mailbox(name, constraint);
    if (type == GEN_EMAIL && !mailbox_domain(name, &name))
        return false;
    return excluded ? is_excluded(name, constraint) : is_below(name, constraint);
}

/* Whether one of the subtrees of its type covers it; *any: whether there is one of its type. */
static bool covered(const STACK_OF(GENERAL_SUBTREE) *subtrees, int type, struct bytes name, bool excluded, bool *any, size_t *comparisons)
{
    *any = false;
    for (int i = 0; i < sk_GENERAL_SUBTREE_num(subtrees) && *comparisons < LIMIT_NAME_COMPARISONS; i++) {
        int kind;
        const ASN1_STRING *value = GENERAL_NAME_get0_value(sk_GENERAL_SUBTREE_value(subtrees, i)->base, &kind);
        ++*comparisons;
        if (kind != type)
            continue;
        *any = true;
        if (covers(type, bytes_of_string(value), name, excluded))
            return true;
    }
    return false;
}

static bool is_permitted(const GENERAL_NAME *name, const NAME_CONSTRAINTS *limits, size_t *comparisons)
{
    bool any;
    struct bytes part;
    if (!comparable(name, &part))
        return false;
    if (!covered(limits->permittedSubtrees, name->type, part, false, &any, comparisons) && any)
        return false;
    return !covered(limits->excludedSubtrees, name->type, part, true, &any, comparisons);
}

enum pki_match pki_match_constraints(const struct pki_facts *child, const struct pki_facts *authority, size_t *comparisons,
                                     const GENERAL_NAME **name)
{
    if (!authority->limits)
        return PKI_MATCH_GOOD;
    for (int i = 0; i < sk_GENERAL_NAME_num(child->names); i++) {
        const GENERAL_NAME *one = sk_GENERAL_NAME_value(child->names, i);
        if (one->type != GEN_EMAIL && one->type != GEN_DNS && one->type != GEN_URI && one->type != GEN_IPADD)
            continue;
        bool permitted = is_permitted(one, authority->limits, comparisons);
        if (*comparisons >= LIMIT_NAME_COMPARISONS)
            return PKI_MATCH_LIMIT;
        if (!permitted) {
            *name = one;
            return PKI_MATCH_VIOLATED;
        }
    }
    return PKI_MATCH_GOOD;
}
