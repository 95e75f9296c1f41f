/* What a shell can offer for the word that is being typed, from the tables of options. A shell's script runs `drawbridge __complete WORDS`,
 * the last word as far as it is typed, and reads a candidate a line, with a tab and what it is, and at last :0, if files fit, too, or :4.
 * These are the words of kubectl and others, so kubectl can ask for the same. */
#ifndef DRAWBRIDGE_CLI_COMPLETE_H
#define DRAWBRIDGE_CLI_COMPLETE_H

#include "cli/cli.h"

/* The word that asks for candidates. After the name of a command, it is asked for those of that command. */
#define COMPLETE_WORD "__complete"

/* Prints a candidate, if `typed` begins it. `what` may be NULL; of several lines, the first. */
void complete_word(const char *typed, const char *word, const char *what);

/* Prints what ends the candidates; returns the exit status. */
int complete_end(const struct command *command, bool files);

/* A command of a group, such as "check" of cel. */
struct group_command {
    const char *name; /* after that of the group */
    const struct command *command;
};

/* Of the words after "drawbridge GROUP __complete", which are argv + 2: the command that the first one names, if more follow it, which are
 * argv + 3; else NULL, and what fits the first one is offered. */
const struct command *complete_group(const struct group_command *commands, int count, int argc, char **argv);

/* Prints what fits the last of `count` words that follow a command's name: its options, their values, its operands. Returns the exit
 * status. */
int complete_command(const struct command *command, int count, char **words);

#endif
