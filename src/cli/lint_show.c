/* What is in force for which files; drawbridge lint --show-config: for which folders, and whether an option or a configuration says so. */
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "cli/lint_run.h"
#include "review/configuration_schema.h"

struct lint_force lint_force_of(const struct lint_options *options, const struct lint_config *config)
{
    const struct lint_given *given = &options->given;
    const struct configuration *configuration = &config->configuration;
    struct lint_force force = {
        .versions = options->versions,
        .gates = options->gates,
        .unknown_fields = options->unknown_fields,
        .templates = options->templates,
        .fail_on = options->fail_on,
        .select = options->select.given ? options->select.rules : configuration->select,
        .ignore = options->ignore.given ? options->ignore.rules : configuration->ignore,
    };
    if (!given->versions && configuration->version)
        force.versions = configuration->versions;
    if (!given->gates && configuration->has_gates)
        force.gates = configuration->gates;
    if (!given->unknown_fields && configuration->has_unknown_fields)
        force.unknown_fields = configuration->unknown_fields;
    if (!given->templates && configuration->has_templates)
        force.templates = configuration->templates;
    if (!given->fail_on && configuration->has_fail_on)
        force.fail_on = configuration->fail_on;
    return force;
}

static const char *origin(bool option, bool configured)
{
    return option ? "option" : configured ? "configuration" : "default";
}

static void print_gates(const struct gate_settings *settings, const char *from)
{
    bool any = settings->on || settings->off || settings->all_alpha_on || settings->all_alpha_off || settings->all_beta_on ||
               settings->all_beta_off;
    if (!any)
        return;
    fputs("  featureGates:", stdout);
    const struct {
        const char *name;
        bool on, off;
    } all[] = {
        { "AllAlpha", settings->all_alpha_on, settings->all_alpha_off },
        { "AllBeta", settings->all_beta_on, settings->all_beta_off },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].on || all[i].off)
            printf(" %s=%s", all[i].name, all[i].on ? "true" : "false");
    for (size_t i = 0; i < gate_count; i++)
        if ((settings->on | settings->off) & gate_bit(gates[i].name))
            printf(" %s=%s", gates[i].name, settings->on & gate_bit(gates[i].name) ? "true" : "false");
    printf(" (%s)\n", from);
}

static void print_rules(const char *name, const bool *rules, const char *none, const char *from)
{
    int count = 0;
    for (int i = 0; rules && i < RULE_COUNT; i++)
        count += rules[i];
    printf("  %s:%s%s", name, rules ? "" : " ", rules ? "" : none);
    if (count == RULE_COUNT)
        fputs(" all", stdout);
    for (int i = 0; count < RULE_COUNT && rules && i < RULE_COUNT; i++)
        if (rules[i])
            printf(" %s", rule_info((enum rule)i)->id);
    printf(" (%s)\n", from);
}

static void print_texts(const char *name, const struct configured_texts *texts)
{
    if (!texts->count)
        return;
    printf("  %s:", name);
    for (uint32_t i = 0; i < texts->count; i++)
        printf(" %s", escape_text(texts->list[i].text).text);
    fputs(" (configuration)\n", stdout);
}

/* Folders of the files, each once where files of one folder come one after another. */
static void print_folders(const struct lint_group *first, const struct lint_config *config)
{
    const char *before = NULL;
    size_t before_length = 0;
    for (const struct lint_group *group = first; group; group = group->next) {
        for (const struct lint_path *path = group->config == config ? group->first : NULL; path; path = path->next) {
            const char *slash = strrchr(path->name, '/');
            size_t length = slash ? (size_t)(slash - path->name) : 0;
            if (before && length == before_length && strncmp(before, path->name, length) == 0)
                continue;
            char folder[256];
            snprintf(folder, sizeof folder, "%.*s", (int)(length < sizeof folder ? length : sizeof folder - 1), path->name);
            printf("  for %s\n", length ? escape_text(folder).text : slash ? "/" : ".");
            before = path->name;
            before_length = length;
        }
    }
}

static void print_values(const struct lint_options *options, const struct lint_config *config, const struct lint_force *force)
{
    const struct configuration *configuration = &config->configuration;
    const struct lint_given *given = &options->given;
    const struct versions versions = force->versions;
    printf("  kubernetesVersion: %s (%s)\n", versions_words(versions).text, origin(given->versions, configuration->version));
    print_gates(&force->gates, origin(given->gates, configuration->has_gates));
    print_rules("select", force->select, "all", origin(options->select.given, configuration->select));
    print_rules("ignore", force->ignore, "none", origin(options->ignore.given, configuration->ignore));
    printf("  failOn: %s (%s)\n", fail_on_words[force->fail_on], origin(given->fail_on, configuration->has_fail_on));
    printf("  unknownFields: %s (%s)\n", unknown_fields_words[force->unknown_fields],
           origin(given->unknown_fields, configuration->has_unknown_fields));
    printf("  templates: %s (%s)\n", templates_words[force->templates], origin(given->templates, configuration->has_templates));
    uint32_t count = 0;
    for (uint32_t i = 0; i < configuration->policies.count; i++)
        count += configuration->policies.list[i].has_severity || configuration->policies.list[i].locked;
    if (count)
        printf("  policies: %u (configuration)\n", count);
    print_texts("drivers", &configuration->drivers);
    print_texts("exclude", &configuration->exclude);
    print_texts("sets", &configuration->sets);
    print_texts("with", &configuration->with);
    if (!given->formats)
        print_texts("formats", &configuration->formats);
}

void lint_show(const struct lint_options *options, const struct lint_groups *groups)
{
    for (const struct lint_config *config = groups->configs.first; config; config = config->next) {
        const struct lint_force force = lint_force_of(options, config);
        puts(config->file ? escape_text(config->file).text : "no configuration");
        print_folders(groups->first, config);
        print_values(options, config, &force);
    }
}
