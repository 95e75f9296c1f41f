#include "cli/kubectl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "cli/limits.h"
#include "cli/program.h"
#include "schema/shape.h"

enum { NAME_BYTES = 160, ARGUMENTS = 16 };

/* Runs it with some arguments, ended by NULL, at most seven. */
static bool run(const struct kubectl *kubectl, const char *const *arguments, uint32_t max, struct buffer *output, struct error *error)
{
    static const char *const set[] = { "LC_ALL=C", NULL };
    const char *argv[ARGUMENTS] = { kubectl->program };
    int count = 1;
    if (kubectl->kubeconfig) {
        argv[count++] = "--kubeconfig";
        argv[count++] = kubectl->kubeconfig;
    }
    if (kubectl->context) {
        argv[count++] = "--context";
        argv[count++] = kubectl->context;
    }
    for (int i = 0; arguments[i] && count + 1 < ARGUMENTS; i++)
        argv[count++] = arguments[i];
    const struct program program = { argv, set, NULL, { NULL, 0 }, max, kubectl->seconds, true };
    return program_run(&program, output, error);
}

/* ---- the server ---- */

/* The number in a member of a JSON object, "minor": "35+", as the server writes it. */
static bool read_number(const char *json, const char *name, unsigned *number)
{
    const char *at = strstr(json, name);
    at = at ? at + strlen(name) : "";
    at += strspn(at, " \t\r\n:\"");
    *number = (unsigned)strtoul(at, NULL, 10);
    return *at >= '0' && *at <= '9';
}

bool kubectl_version(const struct kubectl *kubectl, unsigned *number, struct error *error)
{
    static const char *const arguments[] = { "get", "--raw", "/version", NULL };
    struct buffer json;
    unsigned major;
    if (!run(kubectl, arguments, LIMIT_SCAN_WORDS_BYTES, &json, error))
        return false;
    bool read = read_number(json.data, "\"major\"", &major) && major == 1 && read_number(json.data, "\"minor\"", number);
    buffer_free(&json);
    return read || error_set(error, FAILURE_INPUT, "%s: the server does not say its version: give --kubernetes-version",
                             escape_text(kubectl->program).text);
}

bool kubectl_api_versions(const struct kubectl *kubectl, struct buffer *lines, struct error *error)
{
    static const char *const arguments[] = { "api-versions", NULL };
    return run(kubectl, arguments, LIMIT_SCAN_WORDS_BYTES, lines, error);
}

/* ---- objects ---- */

/* By its words, for which kubectl has no exit status. */
static enum kubectl_answer answer_of(const struct error *error)
{
    if (strstr(error->text, "Error from server (Forbidden)"))
        return KUBECTL_REFUSED;
    bool missing = strstr(error->text, "the server doesn't have a resource type") || strstr(error->text, "Error from server (NotFound)");
    return missing ? KUBECTL_MISSING : KUBECTL_FAILED;
}

/* The namespace itself is one of many, which a field selector finds: by its name kubectl would print no List. */
enum kubectl_answer kubectl_get(const struct kubectl *kubectl, const struct kind *kind, struct buffer *list, struct error *error)
{
    char name[NAME_BYTES], selector[NAME_BYTES] = "";
    bool is_namespace = bytes_equal_text(kind->resource, "namespaces") && !kind->group.length;
    bool by_space = kubectl->space && (kind->traits & KIND_NAMESPACED);
    snprintf(name, sizeof name, "%.*s.%.*s.%.*s", (int)kind->resource.length, kind->resource.data, (int)kind->version.length,
             kind->version.data, (int)kind->group.length, kind->group.data);
    const char *arguments[] = { "get", name, "--output", "json", by_space ? "--namespace" : "--all-namespaces", NULL, NULL };
    if (by_space)
        arguments[5] = kubectl->space;
    if (is_namespace && kubectl->space) {
        snprintf(selector, sizeof selector, "--field-selector=metadata.name=%s", kubectl->space);
        arguments[5] = selector;
    }
    return run(kubectl, arguments, LIMIT_SCAN_BYTES, list, error) ? KUBECTL_READ : answer_of(error);
}
