/* drawbridge explain cel: functions, macros and variables of the expressions in device selectors. */
#include <stdio.h>

#include "base/text.h"
#include "cli/explain.h"
#include "schema/cel.h"

static const struct cel_library *const library = &cel_device_library;

static bool print_types(struct arena *arena, const char *name, const struct cel_overload *overload)
{
    struct text text;
    text_init(&text, arena);
    unsigned first = overload->member;
    if (first) {
        cel_type_text(&text, overload->arguments[0], false);
        text_add(&text, ".");
    }
    text_add(&text, name);
    text_add(&text, "(");
    for (unsigned i = first; i < overload->count; i++) {
        text_add(&text, i > first ? ", " : "");
        cel_type_text(&text, overload->arguments[i], false);
    }
    text_add(&text, ") -> ");
    cel_type_text(&text, overload->result, false);
    const char *line = text_end(&text);
    if (line)
        printf("  %s\n", line);
    return line != NULL;
}

static void print_macro(const struct cel_macro *macro)
{
    const char *receiver = macro->receiver ? macro->receiver : "value";
    printf("  %s%s%s(), %u %s: %s\n", macro->member ? receiver : "", macro->member ? "." : "", macro->name, macro->arguments,
           macro->arguments == 1 ? "argument" : "arguments", macro->words);
}

/* ---- the list ---- */

/* False, of all below: there is no memory. */
static bool list_fields(struct arena *arena)
{
    const struct cel_message *message =
        cel_message_find(library, bytes_of(cel_name_find(library, bytes_of(library->variable))->type->name));
    puts("VARIABLE");
    for (const struct cel_field *field = message->fields; field->name; field++) {
        struct text text;
        text_init(&text, arena);
        cel_type_text(&text, field->type, false);
        const char *type = text_end(&text);
        if (!type)
            return false;
        printf("  %s.%-26s %s\n", library->variable, field->name, type);
    }
    return true;
}

static bool list_all(struct arena *arena)
{
    if (!list_fields(arena))
        return false;
    puts("\nMACROS");
    for (const struct cel_macro *macro = library->macros; macro->name; macro++)
        if (macro == library->macros || strcmp(macro[-1].name, macro->name) != 0)
            printf("  %-26s %s\n", macro->name, macro->words);
    puts("\nFUNCTIONS");
    for (unsigned i = 0; i < library->function_count; i++)
        if (cel_is_written(library->functions[i].name))
            printf("  %-26s %s\n", library->functions[i].name, library->functions[i].words);
    return true;
}

/* ---- one function ---- */

static bool explain_macros(const char *name)
{
    bool found = false;
    for (const struct cel_macro *macro = library->macros; macro->name; macro++)
        if (strcmp(macro->name, name) == 0) {
            if (!found)
                printf("%s: a macro\n", name);
            print_macro(macro);
            found = true;
        }
    return found;
}

static bool explain_function(struct arena *arena, const char *name, const struct cel_function *function)
{
    printf("%s: %s\n", name, function->words);
    for (unsigned i = 0; i < function->count; i++)
        if (!print_types(arena, name, &function->overloads[i]))
            return false;
    return true;
}

static int unknown(const struct command *command, const char *name)
{
    struct nearest nearest = { .wanted = bytes_of(name) };
    for (unsigned i = 0; i < library->function_count; i++)
        near_consider(&nearest, bytes_of(library->functions[i].name));
    for (const struct cel_macro *macro = library->macros; macro->name; macro++)
        near_consider(&nearest, bytes_of(macro->name));
    return usage_unknown(command, name, "a function of CEL", "", &nearest);
}

int explain_cel(const struct command *command, const char *name)
{
    struct arena arena;
    const struct cel_function *function = name ? cel_function_find(library, cel_environment(MINOR_NEWEST), bytes_of(name)) : NULL;
    bool macro = name && explain_macros(name);
    if (name && !macro && !function)
        return end_output(command, unknown(command, name));
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    bool good = name ? !function || explain_function(&arena, name, function) : list_all(&arena);
    arena_done(&arena);
    return end_output(command, good ? EXIT_GOOD : command_error(command, EXIT_INTERNAL, "%s", failure_text(FAILURE_MEMORY)));
}
