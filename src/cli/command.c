/* What all commands say in the same way: errors, --help, and the end of the output. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* ---- errors ---- */

/* "drawbridge lint"; the program itself is the command "". */
static void print_name(FILE *out, const struct command *command)
{
    fprintf(out, "drawbridge%s%s", *command->name ? " " : "", command->name);
}

static void begin_error(const struct command *command)
{
    print_name(stderr, command);
    fputs(": ", stderr);
}

int usage_error(const struct command *command, const char *format, ...)
{
    va_list arguments;
    begin_error(command);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\nTry '", stderr);
    print_name(stderr, command);
    fputs(" --help'.\n", stderr);
    return EXIT_USAGE;
}

int usage_unknown(const struct command *command, const char *typed, const char *what, const char *prefix, const struct nearest *nearest)
{
    struct error error;
    (void)option_unknown(&error, typed, what, prefix, nearest);
    return usage_error(command, "%s", error.text);
}

int command_error(const struct command *command, int status, const char *format, ...)
{
    va_list arguments;
    begin_error(command);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return status;
}

int command_failed(const struct command *command, int status, const struct error *error)
{
    return command_error(command, status, "%s", error->text);
}

int end_output(const struct command *command, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    return command_error(command, EXIT_INTERNAL, "cannot write to standard output: %s", strerror(errno));
}

void *memory_or_end(void *memory, int status)
{
    static const char text[] = "drawbridge: out of memory\n";
    if (memory)
        return memory;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(status);
}

/* ---- help ---- */

static const struct {
    const char *command;
    enum exit_status status;
    const char *words;
} ends[] = {
#define EXIT(command, status, words) { command, EXIT_##status, words },
#include "cli/exit.def"
#undef EXIT
};

void command_help(const struct command *command)
{
    printf("Usage: drawbridge %s [options]%s%s\n\n", command->name, *command->operands ? " " : "", command->operands);
    printf("%s\nOptions:\n", command->description);
    options_print(command->options);
    puts("\nExit status:");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(ends[i].command, command->name) == 0)
            printf("  %d  %s\n", ends[i].status, ends[i].words);
    printf("\n'drawbridge help %.*s' prints the manual page.\n", (int)strcspn(command->name, " "), command->name);
}

void print_count(FILE *out, size_t count, const char *noun)
{
    fprintf(out, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}
