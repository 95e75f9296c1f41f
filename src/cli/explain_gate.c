/* drawbridge explain GATE: a feature gate of API servers. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "cli/explain.h"
#include "schema/explain.h"

/* ---- what it is, by version ---- */

static bool is_on(const struct gate *gate, minor version)
{
    const struct gate_settings none = { .guessed = false };
    return !(gates_off(&none, version) & gate_bit(gate->name));
}

/* A gate that is locked stays on, whatever an operator says. */
const char *explain_gate_state(const struct gate *gate, minor version)
{
    static const char *const states[3][3] = {
        { "alpha, off by default", "alpha, on by default", "alpha, always on" },
        { "beta, off by default", "beta, on by default", "beta, always on" },
        { "GA, off by default", "GA, on by default", "GA, always on" },
    };
    const char *stage = gate_stage(gate->name, version);
    bool locked = gate->locked && version >= gate->locked;
    return states[strcmp(stage, "GA") == 0 ? 2 : strcmp(stage, "beta") == 0][locked ? 2 : is_on(gate, version)];
}

static void print_states(const struct gate *gate)
{
    for (minor since = gate->alpha, version = since; version <= MINOR_NEWEST; version++) {
        const char *state = explain_gate_state(gate, version);
        if (version < MINOR_NEWEST && strcmp(state, explain_gate_state(gate, (minor)(version + 1))) == 0)
            continue;
        printf("  %-13s  %s\n", versions_words((struct versions){ since, version < MINOR_NEWEST ? version : 0 }).text, state);
        since = (minor)(version + 1);
    }
}

static void print_needs(const struct gate *gate)
{
    for (unsigned i = 0; gate->needs[i]; i++)
        printf("%s%s", i ? ", " : "Needs ", gate->needs[i]);
    puts(gate->needs[0] ? "" : "Needs no other gate.");
}

/* ---- what it brought ---- */

struct gate_tour {
    const struct kind *kind;
    const struct gate *gate;
    minor version;
    const char *field; /* the last one of the kind that was printed */
    uint32_t shown;
};

/* What is below a field that the gate brought came with it. */
static bool is_inside(const char *field, const char *outer)
{
    size_t length = outer ? strlen(outer) : 0;
    return outer && strncmp(field, outer, length) == 0 && strchr(".[{", field[length]);
}

static void print_field(void *self, const struct constraint *constraint)
{
    struct gate_tour *tour = self;
    if (tour->version && !versions_include(constraint->versions, tour->version))
        return;
    bool brought = constraint->rule == RULE_TYPE && constraint->gate && strcmp(constraint->gate, tour->gate->name) == 0;
    bool asked = strstr(constraint->when, tour->gate->name) != NULL;
    if ((!brought && !asked) || (brought && is_inside(constraint->field, tour->field)))
        return;
    if (!tour->shown++)
        puts("\nFields and rules:");
    printf("  %s %s", tour->kind->kind.data, *constraint->field ? constraint->field : "(object)");
    if (asked)
        printf(": %s, %s [%s]", constraint->asks, constraint->when, rule_info(constraint->rule)->id);
    const struct versions_text versions = versions_words(constraint->versions);
    printf("%s%s%s\n", *versions.text ? " (" : "", versions.text, *versions.text ? ")" : "");
    tour->field = brought ? constraint->field : tour->field;
}

int explain_gate(const struct command *command, const struct gate *gate, minor version)
{
    if (version && version < gate->alpha)
        return command_error(command, EXIT_USAGE, "Kubernetes 1.%u has no feature gate %s; it came with 1.%u", version, gate->name,
                             gate->alpha);
    printf("%s: a feature gate of API servers\n\n", gate->name);
    if (version)
        printf("  1.%-11u  %s\n", version, explain_gate_state(gate, version));
    else
        print_states(gate);
    puts("");
    print_needs(gate);
    struct gate_tour tour = { .gate = gate, .version = version };
    enum failure failure = FAILURE_NONE;
    for (size_t i = 0; i < kind_count && !failure; i++) {
        struct arena arena;
        if ((kinds[i].traits & KIND_CONTEXT) || !explain_is_first(&kinds[i]))
            continue;
        arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
        tour.kind = &kinds[i];
        tour.field = NULL;
        failure = explain_kind(&kinds[i], &arena, print_field, &tour);
        arena_done(&arena);
    }
    return failure ? command_error(command, EXIT_USAGE, "%s", failure_text(failure)) : end_output(command, EXIT_GOOD);
}
