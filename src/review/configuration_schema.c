#include "review/configuration_schema.h"

#include "review/enforcement.h"
#include "review/limits.h"
#include "schema/rows.h"

const char *const level_words[] = {
    [LEVEL_ERROR] = "error", [LEVEL_WARNING] = "warning", [LEVEL_INFO] = "info", [LEVEL_OFF] = "off", NULL,
};
const char *const fail_on_words[] = {
    [LEVEL_ERROR] = "error", [LEVEL_WARNING] = "warning", [LEVEL_INFO] = "info", [LEVEL_OFF] = "never", NULL,
};
const char *const unknown_fields_words[] = {
    [UNKNOWN_IGNORED] = "ignore", [UNKNOWN_WARNED] = "warn", [UNKNOWN_REFUSED] = "error", NULL,
};
const char *const templates_words[] = { [TEMPLATES_SKIPPED] = "skip", [TEMPLATES_REFUSED] = "error", NULL };

#define NOT_EMPTY    NON_EMPTY(DETAIL("must not be empty: leave it out to match everything"))
#define WORDS(limit) LIST(STRING), POINTER, CHECKS(NOT_EMPTY, MAX_ITEMS(limit))
#define TEXTS(limit) LIST(STRING_WITH(REQUIRED(STOP), MAX_BYTES(LIMIT_CONFIGURED_TEXT_BYTES))), CHECKS(MAX_ITEMS(limit))

/* A severity may be false: that is what YAML makes of off. */
static const struct field policy_fields[] = {
    FIELD("namespaces", WORDS(LIMIT_POLICY_NAMESPACES)),
    FIELD("kinds",      WORDS(LIMIT_POLICY_ENTRIES)),
    FIELD("rules",      WORDS(LIMIT_POLICY_ENTRIES)),
    FIELD("fields",     WORDS(LIMIT_POLICY_ENTRIES)),
    FIELD("paths",      LIST(STRING_WITH(REQUIRED(STOP), MAX_BYTES(LIMIT_CONFIGURED_TEXT_BYTES))), POINTER,
          CHECKS(NOT_EMPTY, MAX_ITEMS(LIMIT_POLICY_ENTRIES))),
    FIELD("mode",       STRING, POINTER, CHECKS(ENUM(enforcement_words))),
    FIELD("severity",   RAW),
    FIELD("locked",     BOOL),
};
static const struct shape policy_shape = OBJECT(policy_fields);

static const struct field configuration_fields[] = {
    FIELD("apiVersion",        STRING,
          CHECKS(REQUIRED(STOP,
                     DETAIL("a configuration begins with apiVersion: drawbridge.dev/v1alpha1")),
              ENUM(NAMES("drawbridge.dev/v1alpha1")))),
    FIELD("kind",              STRING,
          CHECKS(REQUIRED(STOP,
                     DETAIL("a configuration has kind: Configuration")), ENUM(NAMES("Configuration")))),
    FIELD("kubernetesVersion", STRING),
    FIELD("featureGates",      MAP(BOOL), CHECKS(MAX_ITEMS(LIMIT_FEATURE_GATES))),
    FIELD("mode",              STRING, POINTER, CHECKS(ENUM(enforcement_words))),
    FIELD("policies",          LIST(&policy_shape), CHECKS(MAX_ITEMS(LIMIT_POLICIES))),
    FIELD("drivers",           TEXTS(LIMIT_CONFIGURED_DRIVERS)),
    FIELD("exclude",           TEXTS(LIMIT_CONFIGURED_TEXTS)),
    FIELD("sets",              TEXTS(LIMIT_CONFIGURED_TEXTS)),
    FIELD("with",              TEXTS(LIMIT_CONFIGURED_TEXTS)),
    FIELD("formats",           TEXTS(LIMIT_CONFIGURED_FORMATS)),
    FIELD("select",            WORDS(RULE_COUNT)),
    FIELD("ignore",            LIST(STRING), CHECKS(MAX_ITEMS(RULE_COUNT))),
    FIELD("failOn",            STRING, POINTER, CHECKS(ENUM(fail_on_words))),
    FIELD("unknownFields",     STRING, POINTER, CHECKS(ENUM(unknown_fields_words))),
    FIELD("templates",         STRING, POINTER, CHECKS(ENUM(templates_words))),
};
static const struct shape configuration_shape = OBJECT(configuration_fields, SOURCE("drawbridge.yaml(5)"));

const struct kind configuration_kind = {
    .group = BYTES("drawbridge.dev"),
    .version = BYTES("v1alpha1"),
    .kind = BYTES("Configuration"),
    .resource = BYTES("configurations"),
    .shape = &configuration_shape,
};

static const struct member_words {
    const char *path, *words;
} member_words[] = {
    { "apiVersion",          "The version of this vocabulary." },
    { "kind",                "What the file is." },
    { "kubernetesVersion",   "Validate as an API server of that version does; for lint also a range, as 1.34..1.37." },
    { "featureGates",        "Feature gates of the API server, each true or false; others are as the version has them by default." },
    { "mode",                "For serve and review: what happens to findings that no policy applies to." },
    { "policies",            "Of those that apply to a finding, the first decides: its mode for serve and review, its severity for lint." },
    { "policies.namespaces", "Names of namespaces, or how they begin and a star." },
    { "policies.kinds",      "Kinds, with or without their group." },
    { "policies.rules",      "Ids of rules, as 'drawbridge rules' lists them; \"*\" is every rule." },
    { "policies.fields",     "Fields, as 'drawbridge explain' prints them, with all below." },
    { "policies.paths",      "For lint: files, as patterns of a .gitignore in the folder of this file." },
    { "policies.mode",       "For serve and review: what happens to the findings." },
    { "policies.severity",   "For lint: what the findings are." },
    { "policies.locked",     "For lint: neither options nor comments nor other policies lower the findings." },
    { "drivers",             "Files with the parameters of drivers, from the folder of this file on; see drawbridge-drivers(5)." },
    { "exclude",             "For lint: files and folders to leave out, as patterns of a .gitignore in the folder of this file." },
    { "sets",                "For lint: folders whose objects are each a set of their own, such as overlays of Kustomize." },
    { "with",                "For lint: files and folders with objects that others may refer to, from the folder of this file on." },
    { "formats",             "For lint: how findings are written, FORMAT or FORMAT=FILE; the file in the folder of this one, or below." },
    { "select",              "For lint: report findings of these rules only." },
    { "ignore",              "For lint: report no findings of these rules." },
    { "failOn",              "For lint: the mildest severity that fails, or never." },
    { "unknownFields",       "For lint: what a field is that the kind does not have." },
    { "templates",           "For lint: what becomes of templates that were not rendered." },
};

const char *configuration_member_words(const char *path)
{
    for (size_t i = 0; i < sizeof member_words / sizeof *member_words; i++)
        if (strcmp(member_words[i].path, path) == 0)
            return member_words[i].words;
    return NULL;
}
