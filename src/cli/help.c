/* drawbridge help: the commands, and the manual pages. Pages are part of the program, so that they are there where no man(1) is, as in a
 * container image. The build makes them of src/cli/man/; HELP_FOLDER is where. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/embed.h"

/* PAGE(topic, symbol, file without ".txt"). */
#define PAGES(PAGE)                                           \
    PAGE("drawbridge",      program,       "drawbridge.1")           \
    PAGE("lint",            lint,          "drawbridge-lint.1")      \
    PAGE("scan",            scan,          "drawbridge-scan.1")      \
    PAGE("review",          review,        "drawbridge-review.1")    \
    PAGE("explain",         explain,       "drawbridge-explain.1")   \
    PAGE("cel",           cel,           "drawbridge-cel.1")       \
    PAGE("match",           match,         "drawbridge-match.1")     \
    PAGE("allocate",        allocate,      "drawbridge-allocate.1")  \
    PAGE("upgrade",         upgrade,       "drawbridge-upgrade.1")   \
    PAGE("rules",           rules,         "drawbridge-rules.1")     \
    PAGE("completion",      completion,    "drawbridge-completion.1") \
    PAGE("config",          config,        "drawbridge-config.1")    \
    PAGE("version",         version,       "drawbridge-version.1")   \
    PAGE("lsp",             lsp,           "drawbridge-lsp.1")       \
    PAGE("serve",           serve,         "drawbridge-serve.8")     \
    PAGE("certs",           certs,         "drawbridge-certs.1")     \
    PAGE("manifests",       manifests,     "drawbridge-manifests.1") \
    PAGE("drawbridge.yaml", configuration, "drawbridge.yaml.5")      \
    PAGE("drivers",         drivers,       "drawbridge-drivers.5")   \
    PAGE("libdrawbridge",   library,       "libdrawbridge.3")

#define EMBED(topic, symbol, file) EMBED_FILE(symbol, file)

PAGES(EMBED)

static const struct page {
    const char *topic, *text, *end;
} pages[] = {
#define ROW(topic, symbol, file) { topic, help_##symbol##_text, help_##symbol##_end },
    PAGES(ROW)
#undef ROW
};

enum { PAGE_COUNT = sizeof pages / sizeof *pages };

static const struct command command = { .name = "help" };

static int unknown_topic(const char *topic)
{
    struct nearest nearest = { .wanted = bytes_of(topic) };
    struct error error;
    for (int i = 0; i < PAGE_COUNT; i++)
        near_consider(&nearest, bytes_of(pages[i].topic));
    (void)option_unknown(&error, topic, "a manual page", "", &nearest);
    (void)command_failed(&command, EXIT_USAGE, &error);
    fputs("Manual pages:", stderr);
    for (int i = 0; i < PAGE_COUNT; i++)
        fprintf(stderr, "%s %s", i ? "," : "", pages[i].topic);
    fputs("\n", stderr);
    return EXIT_USAGE;
}

/* "drawbridge-lint" is the name of the page, "lint" that of the command. */
static const struct page *find_page(const char *topic)
{
    static const char prefix[] = "drawbridge-";
    if (strncmp(topic, prefix, strlen(prefix)) == 0)
        topic += strlen(prefix);
    for (int i = 0; i < PAGE_COUNT; i++)
        if (strcmp(topic, pages[i].topic) == 0)
            return &pages[i];
    return NULL;
}

int help_print(const char *topic)
{
    const struct page *page = find_page(topic);
    if (!page)
        return unknown_topic(topic);
    fwrite(page->text, 1, (size_t)(page->end - page->text), stdout);
    return end_output(&command, EXIT_GOOD);
}
