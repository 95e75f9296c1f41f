/* Semantic versions in expressions. Source: k8s.io/apiserver v0.35.4 pkg/cel/library/semverlib.go. */
#include "value/semver.h"

#include "rules/cel/calls.h"
#include "rules/cel/objects.h"

struct semver_object {
    struct cel_object head;
    struct semver version;
};

/* ---- reading ---- */

struct cel_object *semver_object(struct arena *arena, struct bytes text, bool input, const char **error)
{
    *error = NULL;
    struct semver_object *object = arena_alloc(arena, sizeof *object);
    if (!object)
        return NULL;
    object->head = (struct cel_object){ &semver_class, input };
    *error = semver_read(text, &object->version);
    return *error ? NULL : &object->head;
}

/* Appends a number without zeros before it; what is left begins with a digit. */
static void add_trimmed(struct text *text, struct bytes part)
{
    if (part.length > 1) {
        while (part.length && part.data[0] == '0') {
            part.data++;
            part.length--;
        }
        if (part.length == 0 || part.data[0] < '0' || part.data[0] > '9')
            text_add(text, "0");
    }
    text_add_bytes(text, part);
}

/* Makes a version of "v1.02": without v and zeros before numbers, with zeros for numbers that are not there. */
static const char *normalize(struct arena *arena, struct bytes *version)
{
    struct text text;
    struct bytes rest = *version, part;
    int parts = 1;
    text_init(&text, arena);
    if (rest.length && rest.data[0] == 'v') {
        rest.data++;
        rest.length--;
    }
    for (const char *dot; parts < 3 && rest.length && (dot = memchr(rest.data, '.', rest.length)); parts++) {
        part = (struct bytes){ rest.data, (uint32_t)(dot - rest.data) };
        rest = (struct bytes){ dot + 1, rest.length - part.length - 1 };
        add_trimmed(&text, part);
        text_add(&text, ".");
    }
    if (parts < 3 && rest.length && (memchr(rest.data, '+', rest.length) || memchr(rest.data, '-', rest.length)))
        return "short version cannot contain PreRelease/Build meta data";
    add_trimmed(&text, rest);
    for (; parts < 3; parts++)
        text_add(&text, ".0");
    const char *data = text_end(&text);
    *version = (struct bytes){ data, data ? (uint32_t)text.length : 0 };
    return NULL;
}

/* NULL: *error says why, or the arena failed. */
static struct cel_object *version_of(const struct cel_invocation *call, const char **error)
{
    struct bytes text = call->arguments[0].text;
    struct arena *arena = call->evaluation->arena;
    *error = call->count > 1 && call->arguments[1].boolean ? normalize(arena, &text) : NULL;
    return *error || arena->failure ? NULL : semver_object(arena, text, false, error);
}

struct cel_value call_semver(const struct cel_invocation *call)
{
    const char *error;
    struct cel_object *version = version_of(call, &error);
    return version ? cel_object_value(version) : object_fail(call->evaluation, error, call->arguments[0].text);
}

struct cel_value call_is_semver(const struct cel_invocation *call)
{
    const char *error;
    bool is = version_of(call, &error) != NULL;
    return is || error ? cel_boolean(is) : object_fail(call->evaluation, error, call->arguments[0].text);
}

/* ---- comparing ---- */

bool semver_order(struct cel_evaluation *evaluation, const struct cel_object *a, const struct cel_object *b, int *order)
{
    const struct semver *left = &((const struct semver_object *)a)->version, *right = &((const struct semver_object *)b)->version;
    *order = semver_compare(left, right);
    return cel_steps(evaluation, left->pre.length + right->pre.length);
}

static enum cel_equality_result equal(const struct cel_object *a, const struct cel_object *b)
{
    bool same = semver_equal(&((const struct semver_object *)a)->version, &((const struct semver_object *)b)->version);
    return same ? CEL_EQUAL : CEL_DIFFERENT;
}

/* ---- other functions ---- */

/* As an int, into which large numbers wrap. */
static struct cel_value number_at(const struct cel_invocation *call, int index)
{
    const struct cel_value *value = &call->arguments[0];
    if (!cel_is_object(value, &semver_class))
        return cel_no_overload(call->evaluation);
    return cel_integer((int64_t)((const struct semver_object *)value->object)->version.numbers[index]);
}

struct cel_value call_major(const struct cel_invocation *call)
{
    return number_at(call, 0);
}

struct cel_value call_minor(const struct cel_invocation *call)
{
    return number_at(call, 1);
}

struct cel_value call_patch(const struct cel_invocation *call)
{
    return number_at(call, 2);
}

static void print(const struct cel_object *object, struct text *text)
{
    text_add_bytes(text, ((const struct semver_object *)object)->version.text);
}

const struct cel_object_class semver_class = {
    .type = "kubernetes.Semver", .equal = equal, .print = print, .no_key = true
};
