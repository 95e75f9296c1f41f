/* drawbridge cel repl: expressions, tried on devices one after the other. */
#include <stdio.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "cli/cel.h"
#include "cli/cel_complete.h"
#include "cli/cel_line.h"
#include "cli/cel_print.h"
#include "schema/cel.h"

struct repl_options {
    struct option_list devices;
    minor version;
};

static const struct option_row option_rows[] = {
    OPTION_LIST("devices", "PATH", struct repl_options, devices, "the devices to evaluate on; see cel eval --help"),
    OPTION_VERSION(struct repl_options, version, "compile and evaluate as that version does", .default_value = DEFAULT_VERSION),
    { .name = NULL },
};

struct repl {
    struct cel_shown shown;
    struct cel_devices devices;
    bool ended;
};

/* ---- expressions ---- */

static bool compile(struct repl *repl, struct bytes text)
{
    struct cel_shown *shown = &repl->shown;
    if (!utf8_is_valid(text)) {
        puts("error: the expression is not UTF-8");
        return false;
    }
    enum failure failure = cel_shown_compile(shown, text, cel_environment_by_default(repl->devices.version), true, &repl->devices);
    if (failure) {
        printf("error: %s\n", failure_text(failure));
        return false;
    }
    cel_print_refusal(shown);
    cel_print_hint(shown);
    return shown->compiled.class == CEL_GOOD || shown->compiled.class == CEL_TOO_COSTLY;
}

/* Whether the variable is somewhere in the expression. The tree is at most LIMIT_CEL_DEPTH deep. */
static bool asks_device(const struct cel_node *node)
{
    const struct cel_node *part;
    if (node->kind == CEL_NODE_IDENTIFIER)
        return bytes_equal_text(node->name, cel_device_library.variable);
    for (uint32_t i = 0; (part = cel_part(node, i)); i++)
        if (asks_device(part))
            return true;
    return false;
}

/* Of an expression that asks for no device: its value is the same for all. */
static enum failure print_value(struct repl *repl)
{
    struct cel_named_device nothing = { .name = "" };
    struct cel_device made;
    struct cel_result result;
    cel_device_init(&made, &repl->shown.arena, (struct bytes)BYTES(""));
    enum failure failure = cel_device_value(&made, false, repl->devices.version, &nothing.value);
    if (!failure)
        failure = cel_shown_evaluate(&repl->shown, &nothing, true, &result);
    if (!failure && result.value.type == CEL_ERROR)
        cel_print_fault(&repl->shown, &result.value.fault);
    else if (!failure)
        puts(cel_shown_value(&repl->shown, &result.value));
    return failure;
}

static void evaluate(struct repl *repl, struct bytes text)
{
    enum failure failure = FAILURE_NONE;
    if (!compile(repl, text))
        return;
    if (!asks_device(repl->shown.compiled.tree.root))
        failure = print_value(repl);
    else if (repl->devices.count)
        failure = cel_print_results(&repl->shown, &repl->devices, true);
    else
        printf("%s; there are no devices to evaluate it on: begin with --devices PATH\n", cel_shown_type(&repl->shown));
    if (failure)
        printf("error: %s\n", failure_text(failure));
}

/* ---- commands ---- */

static void show_devices(struct repl *repl, struct bytes text)
{
    (void)text;
    for (const struct cel_named_device *device = repl->devices.first; device; device = device->next)
        printf("%s: attributes %u, capacities %u%s%s\n", escape_text(device->name).text,
               value_count(match_at(device->device, "attributes")), value_count(match_at(device->device, "capacity")),
               device->fault ? "; " : "", device->fault ? device->fault : "");
    if (!repl->devices.count)
        puts("no devices: begin with --devices PATH");
}

static void show_type(struct repl *repl, struct bytes text)
{
    if (compile(repl, text))
        puts(cel_shown_type(&repl->shown));
}

static void show_cost(struct repl *repl, struct bytes text)
{
    if (!compile(repl, text))
        return;
    printf("at most %llu\n", (unsigned long long)repl->shown.compiled.estimate.cost);
    cel_print_costs(&repl->shown);
}

static void show_help(struct repl *repl, struct bytes text);

static void quit(struct repl *repl, struct bytes text)
{
    (void)text;
    repl->ended = true;
}

static const struct repl_command {
    const char *name;
    const char *words; /* with the name of an argument, if there is one */
    bool expression;   /* its argument */
    void (*run)(struct repl *repl, struct bytes text);
} commands[] = {
    { ":devices", ":devices     the devices, and how much they publish", false, show_devices },
    { ":type",    ":type EXPR   the type of the result", true, show_type },
    { ":cost",    ":cost EXPR   what it costs at most, and the share of each part", true, show_cost },
    { ":help",    ":help        this", false, show_help },
    { ":quit",    ":quit        the end", false, quit },
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void show_help(struct repl *repl, struct bytes text)
{
    (void)repl;
    (void)text;
    puts("An expression is evaluated on all devices. The result may be of any type: device.attributes");
    for (int i = 0; i < COMMANDS; i++)
        puts(commands[i].words);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct bytes trim(struct bytes text)
{
    while (text.length && is_space(text.data[0]))
        text = (struct bytes){ text.data + 1, text.length - 1 };
    while (text.length && is_space(text.data[text.length - 1]))
        text.length--;
    return text;
}

static void run_command(struct repl *repl, struct bytes line)
{
    uint32_t length = 0;
    while (length < line.length && !is_space(line.data[length]))
        length++;
    struct bytes name = { line.data, length }, rest = trim((struct bytes){ line.data + length, line.length - length });
    for (int i = 0; i < COMMANDS; i++) {
        if (!bytes_equal_text(name, commands[i].name))
            continue;
        if (commands[i].expression != (rest.length > 0))
            printf("error: %s %s\n", commands[i].name, commands[i].expression ? "needs an expression" : "takes nothing");
        else
            commands[i].run(repl, rest);
        return;
    }
    puts("error: no such command; :help lists them");
}

/* ---- lines ---- */

static void read_lines(struct repl *repl)
{
    while (!repl->ended && !ferror(stdout)) {
        struct bytes line = BYTES("");
        enum cel_line_result result = cel_line_read(&line);
        if (result == CEL_LINE_END)
            return;
        line = trim(line);
        if (result == CEL_LINE_TOO_LONG)
            puts("error: the line is too long");
        else if (line.length && line.data[0] == ':')
            run_command(repl, line);
        else if (line.length)
            evaluate(repl, line);
        fflush(stdout);
    }
}

static int run(const struct command *command, int argc, char **argv)
{
    struct repl_options values = { .version = MINOR_DEFAULT };
    struct repl repl = { .ended = false };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    for (unsigned i = 0; i < values.devices.count; i++)
        if (strcmp(values.devices.values[i], "-") == 0)
            return usage_error(command, "--devices: - is where the expressions come from");
    status = cel_devices_read(&repl.devices, command, &values.devices, NULL, values.version);
    if (!status) {
        cel_shown_init(&repl.shown);
        cel_line_start(cel_complete, &repl.devices);
        read_lines(&repl);
        cel_line_stop();
        cel_shown_done(&repl.shown);
    }
    cel_devices_done(&repl.devices);
    return end_output(command, status);
}

const struct command cel_repl_command = {
    .name = "cel repl",
    .operands = "",
    .summary = "evaluate expressions as they are typed",
    .description =
        "Evaluates each line of standard input on the devices. On a terminal with libedit, lines can be edited, the arrow\n"
        "keys bring back earlier ones, and the tabulator completes domains, names, fields and functions. :help lists what\n"
        "else there is.\n",
    .options = option_rows,
    .run = run,
};
