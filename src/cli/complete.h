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

/* Prints what fits the last of `count` words that follow a command's name: its options, their values, its operands. Returns the exit
 * status. */
int complete_command(const struct command *command, int count, char **words);

#endif
