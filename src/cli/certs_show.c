/* drawbridge certs show: what the certificates and keys of files are. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "cli/certs.h"
#include "pki/bundle.h"
#include "pki/describe.h"

struct show_options {
    enum certs_format format;
};

static const struct option_row rows[] = {
    CERTS_FORMAT(struct show_options, "one object a line for each certificate and key"),
    { .name = NULL },
};

/* ---- text ---- */

static void print_list(const char *label, const struct pki_list *list, const char *none)
{
    printf("  %-10s ", label);
    for (size_t i = 0; i < list->count; i++)
        printf("%s%s", i ? ", " : "", list->list[i]);
    if (list->more)
        printf(" and %zu more", list->more);
    puts(list->count ? "" : none);
}

static void print_validity(const struct pki_description *certificate)
{
    printf("  %-10s %s to %s, ", "valid", certificate->begin, certificate->end);
    if (certificate->days_left < 0)
        puts("ended");
    else
        printf("%d %s left\n", certificate->days_left, certificate->days_left == 1 ? "day" : "days");
}

static void print_certificate(const struct pki_description *certificate)
{
    printf("  %-10s %s\n", "subject", *certificate->subject ? certificate->subject : "(empty)");
    printf("  %-10s %s\n", "issuer", *certificate->issuer ? certificate->issuer : "(empty)");
    print_list("names", &certificate->names, "none");
    print_validity(certificate);
    printf("  %-10s %s\n", "key", certificate->key);
    printf("  %-10s %s\n", "signature", certificate->signature);
    print_list("usages", &certificate->usages, "any");
    printf("  %-10s %s", "CA", certificate->authority ? "yes" : "no");
    if (certificate->path_length >= 0)
        printf(", path length %ld", certificate->path_length);
    printf("\n  %-10s %s\n", "serial", certificate->serial);
    printf("  %-10s %s\n", "SHA-256", certificate->fingerprint);
}

/* ---- JSON ---- */

static bool add_list(cJSON *object, const char *name, const char *more_name, const struct pki_list *list)
{
    cJSON *array = cJSON_AddArrayToObject(object, name);
    bool good = array != NULL;
    for (size_t i = 0; i < list->count && good; i++) {
        cJSON *item = cJSON_CreateString(list->list[i]);
        good = item && cJSON_AddItemToArray(array, item);
    }
    return good && (!list->more || cJSON_AddNumberToObject(object, more_name, (double)list->more));
}

static bool fill_certificate(cJSON *object, const struct pki_description *certificate)
{
    return cJSON_AddStringToObject(object, "subject", certificate->subject) &&
           cJSON_AddStringToObject(object, "issuer", certificate->issuer) &&
           add_list(object, "names", "namesLeftOut", &certificate->names) &&
           cJSON_AddStringToObject(object, "notBefore", certificate->begin) &&
           cJSON_AddStringToObject(object, "notAfter", certificate->end) &&
           cJSON_AddNumberToObject(object, "daysLeft", certificate->days_left) &&
           cJSON_AddStringToObject(object, "key", certificate->key) &&
           cJSON_AddStringToObject(object, "signature", certificate->signature) &&
           add_list(object, "usages", "usagesLeftOut", &certificate->usages) &&
           cJSON_AddBoolToObject(object, "authority", certificate->authority) &&
           (certificate->path_length < 0 || cJSON_AddNumberToObject(object, "pathLength", (double)certificate->path_length)) &&
           cJSON_AddStringToObject(object, "serial", certificate->serial) &&
           cJSON_AddStringToObject(object, "sha256", certificate->fingerprint);
}

/* An object that names the file and the block's place in it; NULL when memory runs out. */
static cJSON *begin_object(const char *file, const char *kind, size_t number)
{
    cJSON *object = cJSON_CreateObject();
    if (object && cJSON_AddStringToObject(object, "file", escape_text(file).text) && cJSON_AddNumberToObject(object, kind, (double)number))
        return object;
    cJSON_Delete(object);
    return NULL;
}

/* ---- blocks: each shower returns false when memory runs out ---- */

static bool show_certificate(const char *file, size_t number, const struct pki_block *block, struct arena *arena, bool json)
{
    struct pki_description description;
    if (!pki_describe(block->certificate, arena, &description))
        return false;
    if (!json) {
        printf("%s: certificate %zu\n", escape_text(file).text, number);
        print_certificate(&description);
        return true;
    }
    cJSON *object = begin_object(file, "certificate", number);
    if (object && fill_certificate(object, &description))
        return certs_print_json(object);
    cJSON_Delete(object);
    return false;
}

static bool show_key(const char *file, size_t number, const struct pki_block *block, struct arena *arena, bool json)
{
    const char *kind = block->key ? pki_describe_key(block->key, arena) : block->encrypted ? "protected by a password" : "cannot be read";
    if (!kind)
        return false;
    if (!json) {
        printf("%s: private key, %s\n", escape_text(file).text, kind);
        return true;
    }
    cJSON *object = begin_object(file, "privateKey", number);
    if (object && cJSON_AddStringToObject(object, "key", kind) && cJSON_AddBoolToObject(object, "encrypted", block->encrypted))
        return certs_print_json(object);
    cJSON_Delete(object);
    return false;
}

static bool show_other(const char *file, size_t number, const struct pki_block *block, bool json)
{
    if (!json) {
        printf("%s: %s\n", escape_text(file).text, escape_text(block->name).text);
        return true;
    }
    cJSON *object = begin_object(file, "other", number);
    if (object && cJSON_AddStringToObject(object, "block", escape_text(block->name).text))
        return certs_print_json(object);
    cJSON_Delete(object);
    return false;
}

static bool show_block(const char *file, size_t numbers[], const struct pki_block *block, struct arena *arena, bool json)
{
    size_t number = ++numbers[block->kind];
    switch (block->kind) {
    case PKI_BLOCK_CERTIFICATE: return show_certificate(file, number, block, arena, json);
    case PKI_BLOCK_KEY:         return show_key(file, number, block, arena, json);
    case PKI_BLOCK_OTHER:       return show_other(file, number, block, json);
    }
    return false;
}

/* ---- files ---- */

static int show_file(const struct command *command, const char *file, bool json)
{
    struct pki_bundle bundle = { .count = 0 };
    struct error error;
    struct arena arena;
    size_t numbers[PKI_BLOCK_OTHER + 1] = { 0 };
    bool good = true;
    int status = EXIT_GOOD;
    if (!pki_bundle_load(file, &bundle, &error))
        status = command_failed(command, EXIT_SETUP, &error);
    else if (bundle.count == 0)
        status = command_error(command, EXIT_SETUP, "there is neither a certificate nor a key in %s", escape_text(file).text);
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    for (size_t i = 0; i < bundle.count && !status && good; i++) {
        good = show_block(file, numbers, &bundle.blocks[i], &arena, json);
        arena_clear(&arena);
    }
    arena_done(&arena);
    pki_bundle_done(&bundle);
    return good ? status : command_error(command, EXIT_INTERNAL, "cannot show %s: out of memory", escape_text(file).text);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct show_options values = { .format = CERTS_TEXT };
    struct options options;
    int status, worst = EXIT_GOOD;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (options.operands == options.argc)
        return usage_error(command, "no file given");
    for (int i = options.operands; i < options.argc; i++) {
        status = show_file(command, options.argv[i], values.format == CERTS_JSON);
        worst = status > worst ? status : worst;
    }
    return end_output(command, worst);
}

const struct command certs_show_command = {
    .name = "certs show",
    .operands = "FILE...",
    .summary = "say what the certificates and keys in files are",
    .description =
        "Says what is in PEM files: of each certificate the names, dates, key, usages, serial number and fingerprint,\n"
        "of a private key only its type. Text from certificates is cut and escaped.\n",
    .options = rows,
    .run = run,
};
