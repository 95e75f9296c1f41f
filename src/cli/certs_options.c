#include "cli/certs.h"
#include "cli/limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX_CHARACTERS = 200 };

int certs_read_directory(const struct command *command, const char *value, const char **directory)
{
    if (value && !pki_is_plain(value, PKI_PATH_BYTES))
        return usage_error(command, "--dir must be a path in UTF-8 without control characters, not '%s'", escape_text(value).text);
    *directory = value ? value : "certs";
    return EXIT_GOOD;
}

int certs_read_prefix(const struct command *command, const char *value, const char **prefix)
{
    if (value && (!pki_is_plain(value, PREFIX_CHARACTERS) || strchr(value, '/') || *value == '.'))
        return usage_error(command, "--out must be the beginning of a file name, 1 to %d characters, no / and no . in front, not '%s'",
                           PREFIX_CHARACTERS, escape_text(value).text);
    if (value && (strcmp(value, CERTS_AUTHORITY) == 0 || strcmp(value, CERTS_BUNDLE) == 0))
        return usage_error(command, "--out must not be '%s': these files are the CA's", value);
    *prefix = value ? value : "tls";
    return EXIT_GOOD;
}

int certs_set_path(const struct command *command, const char *directory, const char *name, const char *ending, char path[PKI_PATH_BYTES])
{
    const char *slash = directory[strlen(directory) - 1] == '/' ? "" : "/";
    size_t length = (size_t)snprintf(path, PKI_PATH_BYTES, "%s%s%s%s", directory, slash, name, ending);
    return length < PKI_PATH_BYTES ? EXIT_GOOD : usage_error(command, "the path %s is too long", escape_text(directory).text);
}

int certs_read_days(const struct command *command, const char *option, const char *value, int default_value, int *days)
{
    char *end;
    long number = default_value;
    if (value) {
        errno = 0;
        number = strtol(value, &end, 10);
        if (errno || *value < '0' || *value > '9' || *end || number < 1 || number > LIMIT_CERTIFICATE_DAYS)
            return usage_error(command, "--%s must be a number from 1 to %d, not '%s'", option, LIMIT_CERTIFICATE_DAYS, escape_text(value).text);
    }
    *days = (int)number;
    return EXIT_GOOD;
}

int certs_read_format(const struct command *command, const char *value, bool *json)
{
    *json = value && strcmp(value, "json") == 0;
    if (!value || *json || strcmp(value, "text") == 0)
        return EXIT_GOOD;
    return usage_error(command, "--format must be text or json, not '%s'", escape_text(value).text);
}

int certs_read_names(const struct command *command, const struct options *options, const int rows[3],
                     bool (*add_service)(struct pki_names *names, const char *text, struct error *error), struct pki_names *names)
{
    bool (*const adders[3])(struct pki_names *, const char *, struct error *) = { add_service, pki_names_add_host, pki_names_add_address };
    struct error error;
    const char *value;
    int values = 0;
    names->count = 0;
    for (size_t kind = 0; kind < 3; kind++)
        for (int which = 0; (value = options_next(command, options, rows[kind], which)); which++)
            if (++values > LIMIT_CERTIFICATE_NAMES)
                return usage_error(command, "more than %d names for one certificate", LIMIT_CERTIFICATE_NAMES);
            else if (!adders[kind](names, value, &error))
                return usage_error(command, "%s", error.text);
    return EXIT_GOOD;
}

int certs_no_operands(const struct command *command, const struct options *options)
{
    if (options->operands == options->argc)
        return EXIT_GOOD;
    return usage_error(command, "'%s' is not an option", escape_text(options->argv[options->operands]).text);
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
