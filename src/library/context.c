/* Contexts, options and texts: what a caller brings, and results. */
#include "library/library.h"

#include "base/limits.h"
#include "match/in_set.h"
#include "validate/limits.h"

_Static_assert(DRAWBRIDGE_MAX_BYTES == LIMIT_FILE_BYTES, "the header says how much may be read");
_Static_assert(DRAWBRIDGE_MAX_SET_BYTES == LIMIT_TOGETHER_BYTES, "the header says how much may be kept");
_Static_assert(LIMIT_SOURCE_BYTES >> 30 == 1 && LIMIT_ARENA_BYTES >> 20 == 160, "so do the texts on DRAWBRIDGE_LIMIT");

const char *drawbridge_version(void)
{
    return DRAWBRIDGE_VERSION;
}

const char *drawbridge_result_text(enum drawbridge_result result)
{
    switch (result) {
    case DRAWBRIDGE_OK:           return "no failure";
    case DRAWBRIDGE_NO_MEMORY:    return "out of memory";
    case DRAWBRIDGE_LIMIT:
        return "too much: a text of more than 256 MiB, a set of more than 512 MiB, objects of a text of more than 1 GiB, findings of more "
               "than 160 MiB, a name of more than 4,096 bytes, devices or a match of more than 1 GiB, a value of more than 8 MiB, or "
               "too much to match in bounded time";
    case DRAWBRIDGE_BAD_VERSION:
        return "no Kubernetes version from " OLDEST_VERSION " to " NEWEST_VERSION
               "; nor a range of them, or one where one version is asked for";
    case DRAWBRIDGE_BAD_OPTION:   return "an option has a value that it cannot have";
    case DRAWBRIDGE_INTERNAL:     return "the library could not decide";
    case DRAWBRIDGE_BAD_ARGUMENT:
        return "a pointer is NULL that must not be, there is no such kind or device, or an expression cannot be evaluated";
    }
    return "unknown result";
}

enum drawbridge_result library_result(enum failure failure)
{
    switch (failure) {
    case FAILURE_NONE:    return DRAWBRIDGE_OK;
    case FAILURE_MEMORY:  return DRAWBRIDGE_NO_MEMORY;
    case FAILURE_LIMIT:   return DRAWBRIDGE_LIMIT;
    case FAILURE_SYNTAX:
    case FAILURE_INPUT:
    case FAILURE_PATTERN:
    case FAILURE_INTERNAL: break;
    }
    return DRAWBRIDGE_INTERNAL;
}

enum drawbridge_severity library_severity(enum severity severity)
{
    static const enum drawbridge_severity severities[] = {
        [SEVERITY_ERROR] = DRAWBRIDGE_ERROR, [SEVERITY_WARNING] = DRAWBRIDGE_WARNING, [SEVERITY_INFO] = DRAWBRIDGE_INFO,
    };
    return severities[severity];
}

/* ---- contexts ---- */

enum drawbridge_result drawbridge_context_new(const struct drawbridge_allocator *allocator, struct drawbridge_context **context)
{
    struct memory memory = memory_malloc;
    if (!context || (allocator && (!allocator->allocate || !allocator->release)))
        return DRAWBRIDGE_BAD_ARGUMENT;
    if (allocator)
        memory = (struct memory){ allocator->allocate, allocator->release, allocator->data };
    struct drawbridge_context *made = memory.allocate(sizeof *made, memory.data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    made->memory = memory;
    enum failure failure = context_init(&made->context, &made->memory);
    if (failure) {
        memory.release(made, memory.data);
        return failure == FAILURE_MEMORY ? DRAWBRIDGE_NO_MEMORY : DRAWBRIDGE_INTERNAL;
    }
    *context = made;
    return DRAWBRIDGE_OK;
}

void drawbridge_context_free(struct drawbridge_context *context)
{
    if (!context)
        return;
    struct memory memory = context->memory;
    context_done(&context->context);
    memory.release(context, memory.data);
}

/* ---- options ---- */

/* What the first version of the structure had. */
enum { FIRST_OPTIONS_BYTES = offsetof(struct drawbridge_options, as_status) + sizeof(int) };

/* Whether the structure of the caller has all of a member that was added later. */
#define HAS_OPTION(options, member) ((options)->size >= offsetof(struct drawbridge_options, member) + sizeof (options)->member)

/* No later version has more. Whatever a caller says, so much memory is read at most. */
enum { MAX_OPTIONS_BYTES = 4096 };

bool library_copy_options(const void *options, size_t first, size_t known, void *copy)
{
    const char *bytes = options;
    size_t size;
    memcpy(&size, bytes, sizeof size);
    if (size < first || size > MAX_OPTIONS_BYTES)
        return false;
    for (size_t i = known; i < size; i++)
        if (bytes[i])
            return false; /* asks for what is not known here */
    memset(copy, 0, known);
    memcpy(copy, options, first);
    return true;
}

/* Brings the options of a caller who was built with an older or newer header to this version. */
static bool copy_options(const struct drawbridge_options *options, struct drawbridge_options *copy)
{
    if (!library_copy_options(options, FIRST_OPTIONS_BYTES, sizeof *copy, copy))
        return false;
    if (HAS_OPTION(options, validate_as))
        copy->validate_as = options->validate_as;
    if (HAS_OPTION(options, feature_gates))
        copy->feature_gates = options->feature_gates;
    if (HAS_OPTION(options, drivers))
        copy->drivers = options->drivers;
    if (HAS_OPTION(options, suppressions))
        copy->suppressions = options->suppressions;
    return true;
}

enum drawbridge_result library_options(const struct drawbridge_options *options, struct validate_settings *settings, bool *suppressions)
{
    static const enum unknown_fields unknown_fields[] = {
        [DRAWBRIDGE_UNKNOWN_ERROR] = UNKNOWN_REFUSED,
        [DRAWBRIDGE_UNKNOWN_WARNING] = UNKNOWN_WARNED,
        [DRAWBRIDGE_UNKNOWN_IGNORE] = UNKNOWN_IGNORED,
    };
    struct drawbridge_options copy;
    struct versions versions = { MINOR_DEFAULT, MINOR_DEFAULT };
    *settings = (struct validate_settings){ .version = MINOR_DEFAULT, .unknown_fields = UNKNOWN_REFUSED, .matcher = &match_in_set };
    *suppressions = false;
    if (!options)
        return DRAWBRIDGE_OK;
    if (!copy_options(options, &copy) || (unsigned)copy.unknown_fields > DRAWBRIDGE_UNKNOWN_IGNORE)
        return DRAWBRIDGE_BAD_OPTION;
    if (copy.kubernetes_version && !versions_read(copy.kubernetes_version, &versions))
        return DRAWBRIDGE_BAD_VERSION;
    settings->version = versions.until;
    settings->versions = version_range(versions);
    struct error error;
    if (copy.feature_gates && (!gate_settings_read(copy.feature_gates, &settings->gates, &error) ||
                               !gate_settings_check_all(&settings->gates, versions, &error)))
        return DRAWBRIDGE_BAD_OPTION;
    settings->unknown_fields = unknown_fields[copy.unknown_fields];
    settings->as_status = copy.as_status != 0;
    *suppressions = copy.suppressions != 0;
    if (copy.drivers && copy.drivers->is_wrong)
        return DRAWBRIDGE_BAD_OPTION;
    settings->drivers = copy.drivers ? &copy.drivers->file.drivers : NULL;
    if (copy.validate_as && !(settings->as = kind_find_role(copy.validate_as)))
        return DRAWBRIDGE_BAD_OPTION;
    return DRAWBRIDGE_OK;
}

/* ---- texts ---- */

enum drawbridge_result library_text(const struct drawbridge_text *text, struct bytes *bytes)
{
    if (!text->data && text->length)
        return DRAWBRIDGE_BAD_ARGUMENT;
    if (text->length > DRAWBRIDGE_MAX_BYTES)
        return DRAWBRIDGE_LIMIT;
    *bytes = (struct bytes){ text->data, (uint32_t)text->length };
    return DRAWBRIDGE_OK;
}
