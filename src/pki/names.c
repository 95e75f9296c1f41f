/* The names a certificate can bear: what is a DNS name, an address, plain text, and which names a service has. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "pki/pki.h"

_Static_assert(INET6_ADDRSTRLEN <= PKI_HOST_BYTES, "an address fits where a DNS name does");
_Static_assert(2 * PKI_LABEL_BYTES + sizeof "..svc.cluster.local" <= PKI_HOST_BYTES, "so does every name of a service");

/* Letters, digits and hyphens, the latter not at an end. Not isalnum: it depends on the locale. */
static bool is_label(const char *at, size_t length)
{
    if (length == 0 || length > PKI_LABEL_BYTES || at[0] == '-' || at[length - 1] == '-')
        return false;
    for (size_t i = 0; i < length; i++)
        if (!(at[i] >= 'a' && at[i] <= 'z') && !(at[i] >= '0' && at[i] <= '9') && at[i] != '-')
            return false;
    return true;
}

static bool is_host(const char *text)
{
    if (strncmp(text, "*.", 2) == 0)
        text += 2;
    for (const char *dot; (dot = strchr(text, '.')); text = dot + 1)
        if (!is_label(text, (size_t)(dot - text)))
            return false;
    return is_label(text, strlen(text));
}

/* Fills *name, in the one spelling that the address has. */
static bool read_address(const char *text, struct pki_name *name)
{
    int family = strchr(text, ':') ? AF_INET6 : AF_INET;
    if (inet_pton(family, text, name->address) != 1)
        return false;
    name->address_length = family == AF_INET ? 4 : 16;
    return inet_ntop(family, name->address, name->text, sizeof name->text) != NULL;
}

/* A name that is there already is not added again. At most LIMIT_CERTIFICATE_NAMES squared steps for all. */
static bool add(struct pki_names *names, const struct pki_name *name, struct error *error)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i].text, name->text) == 0)
            return true;
    if (names->count == LIMIT_CERTIFICATE_NAMES)
        return pki_fail(error, "more than %d names for one certificate", LIMIT_CERTIFICATE_NAMES);
    names->list[names->count++] = *name;
    return true;
}

static bool is_service(const char *text, struct error *error)
{
    const char *dot = strchr(text, '.');
    return (dot && is_label(text, (size_t)(dot - text)) && is_label(dot + 1, strlen(dot + 1))) ||
           pki_fail(error, "\"%s\" is not NAME.NAMESPACE: both of a-z, 0-9 and - inside, at most %d characters each",
                    escape_text(text).text, PKI_LABEL_BYTES);
}

bool pki_names_add_called(struct pki_names *names, const char *text, struct error *error)
{
    struct pki_name name = { .address_length = 0 };
    if (!is_service(text, error))
        return false;
    snprintf(name.text, sizeof name.text, "%s.svc", text);
    return add(names, &name, error);
}

bool pki_names_add_service(struct pki_names *names, const char *text, struct error *error)
{
    static const char *const suffixes[] = { ".svc", ".svc.cluster.local", "" };
    if (!is_service(text, error))
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        struct pki_name name = { .address_length = 0 };
        snprintf(name.text, sizeof name.text, "%s%s", text, suffixes[i]);
        if (!add(names, &name, error))
            return false;
    }
    struct pki_name name = { .address_length = 0 };
    memcpy(name.text, text, strcspn(text, "."));
    return add(names, &name, error);
}

/* Capital letters mean the same as small ones in DNS; small ones are what clients compare fastest. */
bool pki_names_add_host(struct pki_names *names, const char *text, struct error *error)
{
    struct pki_name name = { .address_length = 0 }, address;
    size_t length = strlen(text);
    if (length > PKI_HOST_BYTES)
        return pki_fail(error, "\"%s\" is not a DNS name: it has more than %d characters", escape_text(text).text, PKI_HOST_BYTES);
    if (read_address(text, &address))
        return pki_fail(error, "\"%s\" is not a DNS name but an address, which stands elsewhere in a certificate", escape_text(text).text);
    for (size_t i = 0; i < length; i++)
        name.text[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
    if (!is_host(name.text))
        return pki_fail(error, "\"%s\" is not a DNS name: labels of letters, digits and - inside, 1 to %d characters each, joined by dots",
                        escape_text(text).text, PKI_LABEL_BYTES);
    return add(names, &name, error);
}

bool pki_names_add_address(struct pki_names *names, const char *text, struct error *error)
{
    struct pki_name name = { .address_length = 0 };
    if (!read_address(text, &name))
        return pki_fail(error, "\"%s\" is not an IPv4 or IPv6 address", escape_text(text).text);
    return add(names, &name, error);
}

bool pki_is_plain(const char *text, size_t max)
{
    size_t left = strlen(text), characters = 0;
    for (; left && characters <= max; characters++) {
        uint32_t code;
        unsigned size = utf8_decode((const unsigned char *)text, left, &code);
        if (size == 0 || utf8_unsafe(code))
            return false;
        text += size;
        left -= size;
    }
    return characters >= 1 && characters <= max;
}
