/* drawbridge lint: what it was asked for, and its work. lint.c and lint_options.c have the options, lint_run.c the
 * work, lint_summary.c the last line. */
#ifndef DRAWBRIDGE_CLI_LINT_H
#define DRAWBRIDGE_CLI_LINT_H

#include "cli/cli.h"
#include "cli/report.h"
#include "cli/served.h"
#include "review/configuration.h"

/* Objects that are in no file, but stored in a cluster. */
struct lint_supply {
    /* Gives each object to `take`, as JSON, until that returns false. What cannot be read is said, and sets *status. False: that is all. */
    bool (*give)(void *self, bool (*take)(void *taker, struct bytes text), void *taker, int *status);
    void *self;
};

/* The values of the options. */
struct lint_options {
    const struct lint_supply *supply; /* NULL: files are read */
    struct lint_given { /* options that come before those of a configuration */
        bool versions, gates, unknown_fields, templates, drivers, fail_on, formats;
    } given;
    const char *config; /* NULL: .drawbridge.yaml is searched */
    const char *baseline, *write_baseline; /* NULL: none */
    bool no_config, show_config, no_suppressions;
    struct lint_rules {
        bool given, rules[RULE_COUNT];
    } select, ignore;
    enum level fail_on;
    struct versions versions; /* one, or several */
    struct gate_settings gates;
    struct option_list formats;
    struct option_list excludes; /* patterns of .gitignore */
    bool no_gitignore;
    bool helm, kustomize; /* render charts, build kustomizations */
    struct option_list values; /* files for helm */
    enum templates templates;
    bool allow_nothing;
    const char *stdin_name; /* in reports, for -; NULL: - */
    struct option_list with; /* files and directories with objects for reference */
    const char *old; /* a file or directory; NULL: none */
    const char *old_revision; /* of git, with the older objects; NULL: none */
    bool as_status;
    enum unknown_fields unknown_fields;
    bool colour;
    bool quiet, verbose, statistics;
    bool inside_configmaps;
    const struct kind *role;
    const char *drivers; /* the user's file with drivers; NULL: none */
    bool fix;            /* what can be fixed for sure; the rest is reported */
    bool diff;           /* only show what would be fixed */
    unsigned jobs;       /* threads that read; 0: as many as there are processors */
    const char *trace;   /* NULL: findings are reported */
};

/* Lints the paths: files, directories, or "-"; or what is supplied. Returns the exit status, after everything was said. */
int lint_run(const struct command *command, const struct lint_options *options, char *const *paths, int count);

/* What the last line says. */
struct lint_summary {
    const struct lint_options *options;
    struct served_notes served;
    struct report_run run;
    size_t fixed, fixed_files;
    size_t suppressed; /* findings, by comments and annotations */
    size_t known, gone; /* findings of the baseline: that there are, that are there no more */
    size_t references; /* objects for reference */
    size_t excluded;   /* files that configurations leave out */
};

/* Says on standard error, with --verbose, which objects and documents in a source are not validated, and why. */
void lint_say_skipped_items(const struct lint_options *options, struct source *source, bool skips_templates);

/* A line that says how far the work is, while it takes long. */
struct progress {
    bool on, shown;
    int64_t next; /* when it is printed next */
};

void progress_begin(struct progress *progress);
void progress_say(struct progress *progress, const char *doing, size_t files);
void progress_erase(struct progress *progress); /* before anything else is printed */

/* Prints it for people, on standard error. */
void lint_summarize(const struct lint_summary *summary);

#endif
