/* Options that commands about certificates share. */
#include <stdio.h>
#include <string.h>

#include "cli/certs.h"

enum { PREFIX_CHARACTERS = 200 }; /* CERTS_PREFIX says so */

const char *const certs_formats[] = { [CERTS_TEXT] = "text", [CERTS_JSON] = "json", NULL };

bool certs_is_path(const char *text)
{
    return pki_is_plain(text, PKI_PATH_BYTES);
}

bool certs_is_prefix(const char *text)
{
    bool is_authoritys = strcmp(text, CERTS_AUTHORITY) == 0 || strcmp(text, CERTS_BUNDLE) == 0;
    return pki_is_plain(text, PREFIX_CHARACTERS) && !strchr(text, '/') && *text != '.' && !is_authoritys;
}

int certs_set_path(const struct command *command, const char *directory, const char *name, const char *ending, char path[PKI_PATH_BYTES])
{
    const char *slash = directory[strlen(directory) - 1] == '/' ? "" : "/";
    size_t length = (size_t)snprintf(path, PKI_PATH_BYTES, "%s%s%s%s", directory, slash, name, ending);
    return length < PKI_PATH_BYTES ? EXIT_GOOD : usage_error(command, "the path %s is too long", escape_text(directory).text);
}

int certs_read_names(const struct command *command, const struct certs_names *given,
                     bool (*add_service)(struct pki_names *names, const char *text, struct error *error), struct pki_names *names)
{
    const struct {
        const char *option;
        const struct option_list *values;
        bool (*add)(struct pki_names *names, const char *text, struct error *error);
    } kinds[] = {
        { "service", &given->services,  add_service },
        { "host",    &given->hosts,     pki_names_add_host },
        { "ip",      &given->addresses, pki_names_add_address },
    };
    struct error error;
    names->count = 0;
    if (given->services.count + given->hosts.count + given->addresses.count > LIMIT_CERTIFICATE_NAMES)
        return usage_error(command, "more than %d names for one certificate", LIMIT_CERTIFICATE_NAMES);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (unsigned i = 0; i < kinds[kind].values->count; i++)
            if (!kinds[kind].add(names, kinds[kind].values->values[i], &error))
                return usage_error(command, "--%s: %s", kinds[kind].option, error.text);
    return EXIT_GOOD;
}

bool certs_print_json(cJSON *object)
{
    char *line = object ? cJSON_PrintUnformatted(object) : NULL;
    if (line)
        puts(line);
    cJSON_free(line);
    cJSON_Delete(object);
    return line != NULL;
}
