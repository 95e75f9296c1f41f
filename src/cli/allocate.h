/* drawbridge allocate: what its files share. */
#ifndef DRAWBRIDGE_CLI_ALLOCATE_H
#define DRAWBRIDGE_CLI_ALLOCATE_H

#include "allocate/run.h"
#include "cli/cli.h"
#include "cli/inputs.h"

enum allocate_format { ALLOCATE_TABLE, ALLOCATE_JSON, ALLOCATE_YAML };

struct allocate_options {
    struct versions versions;
    struct gate_settings gates;
    struct option_list nodes, pods, without_pods, new_nodes;
    unsigned replicas, count, jobs;
    enum allocate_format format;
    bool worlds, explain;
};

/* Adds a report for people; the allocations of a report's first node that fits as YAML. */
void allocate_report_add_table(struct text *text, const struct allocate_report *report);
enum failure allocate_report_add_yaml(struct text *yaml, const struct allocate_report *report, struct map_key key) MUST_USE;

/* Adds `count` copies of the nodes and slices of a file to the inputs: of nodes that do not exist yet. False: what is wrong was said. */
bool allocate_add_nodes(struct inputs *inputs, struct arena *arena, const char *path, unsigned count);

/* What an allocate_spreader does: with threads. At most LIMIT_TEAM. */
void allocate_spread(void *self, unsigned count, void (*work)(void *of, unsigned number), void *of);

/* Answers worlds on standard input; returns the exit status. */
int allocate_answer_worlds(const struct command *command, const struct context *context, const struct allocate_options *options);

#endif
