#include "cli/complete.h"

#include <stdio.h>
#include <string.h>

void complete_word(const char *typed, const char *word, const char *what)
{
    if (strncmp(typed, word, strlen(typed)) != 0)
        return;
    printf("%s", word);
    if (what && *what)
        printf("\t%.*s", (int)strcspn(what, "\n"), what);
    puts("");
}

int complete_end(const struct command *command, bool files)
{
    puts(files ? ":0" : ":4");
    return end_output(command, EXIT_GOOD);
}

/* ---- values of options ---- */

/* A candidate with what stands before it in the same word: "--format=json". */
static void complete_value(const char *typed, const char *before, const char *word)
{
    char whole[LIMIT_COMPLETE_BYTES];
    if ((size_t)snprintf(whole, sizeof whole, "%s%s", before, word) < sizeof whole && strncmp(typed, word, strlen(typed)) == 0)
        puts(whole);
}

static void complete_versions(const char *typed, const char *before)
{
    for (unsigned version = MINOR_OLDEST; version <= MINOR_NEWEST; version++) {
        char word[16];
        snprintf(word, sizeof word, "1.%u", version);
        complete_value(typed, before, word);
    }
}

/* The last one of several gates: "A=true,B=". */
static void complete_gates(const char *typed, const char *before)
{
    const char *comma = strrchr(typed, ','), *last = comma ? comma + 1 : typed;
    for (size_t i = 0; i < gate_count; i++)
        for (int on = 1; on >= 0; on--) {
            char word[LIMIT_COMPLETE_BYTES], all[LIMIT_COMPLETE_BYTES];
            snprintf(word, sizeof word, "%s=%s", gates[i].name, on ? "true" : "false");
            if (strncmp(last, word, strlen(last)) == 0 &&
                (size_t)snprintf(all, sizeof all, "%s%.*s%s", before, (int)(last - typed), typed, word) < sizeof all)
                puts(all);
        }
}

/* Returns whether files fit. */
static bool complete_option_value(const struct option_row *row, const char *typed, const char *before)
{
    for (unsigned i = 0; row->words && row->words[i]; i++)
        complete_value(typed, before, row->words[i]);
    if (row->type == OPTION_TYPE_VERSION || row->type == OPTION_TYPE_VERSIONS)
        complete_versions(typed, before);
    if (row->parse == option_gates)
        complete_gates(typed, before);
    bool path = row->argument && (strstr(row->argument, "FILE") || strstr(row->argument, "DIR") || strstr(row->argument, "PATH"));
    return path && !row->words;
}

/* ---- words ---- */

static bool is_name(const char *name, const char *word, size_t length)
{
    return name && strlen(name) == length && strncmp(name, word, length) == 0;
}

/* The row of "--name" or "--name=value"; NULL: it is none. */
static const struct option_row *find_row(const struct command *command, const char *word)
{
    if (strncmp(word, "--", 2) != 0)
        return NULL;
    size_t length = strcspn(word + 2, "=");
    for (const struct option_row *row = command->options; row->name; row++)
        if (is_name(row->name, word + 2, length) || is_name(row->alias, word + 2, length))
            return row;
    return NULL;
}

static void complete_options(const struct command *command, const char *typed)
{
    char word[LIMIT_COMPLETE_BYTES];
    for (const struct option_row *row = command->options; row->name; row++)
        if ((size_t)snprintf(word, sizeof word, "--%s", row->name) < sizeof word)
            complete_word(typed, word, row->help);
    complete_word(typed, "--help", "show the options");
}

/* bash makes three words of --format=json; others leave it one. */
static bool complete_value_of(const struct command *command, int count, char **words, bool *files)
{
    const char *typed = words[count - 1], *equals = strchr(typed, '=');
    int at = count - 2;
    if (strcmp(typed, "=") == 0 && at >= 0 && find_row(command, words[at])) {
        *files = complete_option_value(find_row(command, words[at]), "", "");
        return true;
    }
    if (equals && find_row(command, typed)) {
        char before[LIMIT_COMPLETE_BYTES];
        snprintf(before, sizeof before, "%.*s", (int)(equals + 1 - typed), typed);
        *files = complete_option_value(find_row(command, typed), equals + 1, before);
        return true;
    }
    at -= at > 0 && strcmp(words[at], "=") == 0;
    const struct option_row *row = at >= 0 && !strchr(words[at], '=') ? find_row(command, words[at]) : NULL;
    if (!row || row->type == OPTION_TYPE_FLAG)
        return false;
    *files = complete_option_value(row, typed, "");
    return true;
}

int complete_command(const struct command *command, int count, char **words)
{
    static char none[] = "";
    char *const last = count ? words[count - 1] : none;
    bool files = false;
    if (count && complete_value_of(command, count, words, &files))
        return complete_end(command, files);
    if (last[0] == '-') {
        complete_options(command, last);
        return complete_end(command, false);
    }
    if (command->complete)
        command->complete(last);
    return complete_end(command, !command->complete && command->operands && *command->operands);
}

const struct command *complete_group(const struct group_command *commands, int count, int argc, char **argv)
{
    const char *typed = argc > 2 ? argv[2] : "";
    for (int i = 0; i < count; i++)
        if (argc > 3 && strcmp(typed, commands[i].name) == 0)
            return commands[i].command;
        else if (argc <= 3)
            complete_word(typed, commands[i].name, commands[i].command->summary);
    return NULL;
}
