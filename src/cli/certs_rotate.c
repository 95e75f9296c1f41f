/* drawbridge certs rotate: a new CA, with an overlap in which clients trust both. */
#include <stdio.h>
#include <unistd.h>

#include "cli/certs.h"
#include "pki/rotate.h"

struct rotate_options {
    const char *directory, *prefix;
    unsigned days, server_days;
    bool finish;
};

static const struct option_row rows[] = {
    CERTS_DIR(struct rotate_options, "folder with the CA"),
    CERTS_OUT(struct rotate_options, "the serving certificate is DIR/PREFIX.crt and DIR/PREFIX.key"),
    OPTION_NUMBER("days", "N", OPTION_DAYS, 1, LIMIT_CERTIFICATE_DAYS, struct rotate_options, days,
                  "how long the new CA is valid", .default_value = OPTION_DIGITS(CERTS_AUTHORITY_DAYS), .excludes = "finish"),
    OPTION_NUMBER("server-days", "N", OPTION_DAYS, 1, LIMIT_CERTIFICATE_DAYS, struct rotate_options, server_days,
                  "how long the new serving certificate is valid", .default_value = OPTION_DIGITS(CERTS_SERVER_DAYS), .excludes = "finish"),
    OPTION_FLAG("finish", struct rotate_options, finish, "take the CAs before this one out of ca-bundle.crt"),
    { .name = NULL },
};

struct paths {
    char authority[PKI_PATH_BYTES], authority_key[PKI_PATH_BYTES], bundle[PKI_PATH_BYTES], server[PKI_PATH_BYTES],
        server_key[PKI_PATH_BYTES];
};

static int set_paths(const struct command *command, const char *directory, const char *prefix, struct paths *paths)
{
    const struct {
        const char *name, *ending;
        char *path;
    } list[] = {
        { CERTS_AUTHORITY, ".crt", paths->authority }, { CERTS_AUTHORITY, ".key", paths->authority_key },
        { CERTS_BUNDLE, ".crt", paths->bundle },       { prefix, ".crt", paths->server },
        { prefix, ".key", paths->server_key },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        int status = certs_set_path(command, directory, list[i].name, list[i].ending, list[i].path);
        if (status)
            return status;
    }
    return EXIT_GOOD;
}

/* ---- the beginning ---- */

/* In an order that does no harm when it is cut off between two: at first more is trusted than has to be. */
static int write_all(const struct command *command, const struct paths *paths, const struct pki_rotation *rotation)
{
    struct error error;
    const struct pki_output outputs[PKI_OUTPUTS] = {
        { paths->bundle, rotation->bundle, false },
        { paths->authority, rotation->authority.certificate, false },
        { paths->authority_key, rotation->authority.key, true },
        { paths->server, rotation->server.certificate, false },
        { paths->server_key, rotation->server.key, true },
    };
    int count = rotation->serves ? 5 : 3;
    if (!pki_write(outputs, count, true, &error))
        return command_failed(command, EXIT_SETUP, &error);
    for (int i = 0; i < count; i++)
        printf("wrote %s\n", outputs[i].path);
    return EXIT_GOOD;
}

static int print_steps(const struct command *command, const struct paths *paths, const struct pki_rotation *rotation)
{
    if (rotation->serves) {
        for (size_t i = 0; i < rotation->names.count; i++)
            printf("%s%s", i == 0 ? "names " : ", ", rotation->names.list[i].text);
        printf("\nvalid until %s\n", rotation->validity.end);
    }
    printf("\nApply, in this order; each step when the one before is everywhere:\n"
           "1. the caBundle of the webhook's configuration: %s, the new CA and %d before it\n", paths->bundle, rotation->kept);
    if (rotation->serves)
        printf("2. the server's Secret: %s and %s\n", paths->server, paths->server_key);
    printf("%s with 'serve --ca-dir', the CA's Secret: %s and %s\n", rotation->serves ? "  " : "2.", paths->authority,
           paths->authority_key);
    printf("3. 'drawbridge certs rotate --finish', then the caBundle again\n");
    return end_output(command, EXIT_GOOD);
}

static int rotate(const struct command *command, const struct paths *paths, int days, int server_days)
{
    const struct pki_rotation_files files = { paths->authority, paths->bundle, paths->server };
    struct pki_rotation rotation;
    struct error error;
    if (!pki_rotate(&files, days, server_days, &rotation, &error))
        return command_failed(command, EXIT_SETUP, &error);
    int status = write_all(command, paths, &rotation);
    if (!status)
        status = print_steps(command, paths, &rotation);
    pki_rotation_done(&rotation);
    return status;
}

/* ---- the end ---- */

static int finish(const struct command *command, const struct paths *paths)
{
    const struct pki_rotation_files files = { paths->authority, paths->bundle, paths->server };
    struct error error;
    char *text;
    int gone;
    if (access(paths->bundle, F_OK) != 0)
        return command_error(command, EXIT_SETUP, "there is no %s, so no rotation to finish", paths->bundle);
    if (!pki_rotation_finish(&files, &text, &gone, &error))
        return command_failed(command, EXIT_SETUP, &error);
    const struct pki_output output = { paths->bundle, text, false };
    bool written = pki_write(&output, 1, true, &error);
    pki_text_free(text);
    if (!written)
        return command_failed(command, EXIT_SETUP, &error);
    printf("wrote %s\n\nCAs taken out: %d. Apply it as the caBundle of the webhook's configuration.\n", paths->bundle, gone);
    return end_output(command, EXIT_GOOD);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct rotate_options values = { .finish = false };
    struct options options;
    struct paths paths;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if ((status = set_paths(command, values.directory, values.prefix, &paths)))
        return status;
    return values.finish ? finish(command, &paths) : rotate(command, &paths, (int)values.days, (int)values.server_days);
}

const struct command certs_rotate_command = {
    .name = "certs rotate",
    .operands = "",
    .summary = "replace the CA, with an overlap in which both are trusted",
    .description =
        "Makes a new CA in the place of DIR/ca.crt and ca.key, with the same name, type of key and name constraints, and a\n"
        "new serving certificate with the same names if there is one. DIR/ca-bundle.crt, which becomes the caBundle, has the\n"
        "new CA and those before it, so that API servers trust the server before, while and after it changes. All files are\n"
        "written or none; the old keys are gone. It prints what to apply in which order. When that is done, --finish takes\n"
        "the old CAs out of the bundle.\n",
    .options = rows,
    .run = run,
};
