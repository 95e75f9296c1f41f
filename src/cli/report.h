/* Reports: a format is a row of one table, and each report that was asked for has a format and a place to go. One file a format. */
#ifndef DRAWBRIDGE_CLI_REPORT_H
#define DRAWBRIDGE_CLI_REPORT_H

#include <stdio.h>

#include "cli/cli.h"
#include "cli/output_file.h"
#include "validate/report.h"

/* A run, as far as it is known when a report begins or ends. */
struct report_run {
    const char *command;      /* "lint" */
    minor from;               /* of an upgrade; 0: of none */
    struct versions versions; /* of Kubernetes */
    struct counts counts;     /* of all sources so far */
    size_t file_count;
    enum exit_status status;
};

struct reporter {
    const struct report_format *format;
    const char *path;             /* of its file, as typed; NULL: standard output */
    FILE *out;                    /* not owned */
    bool colour;
    const struct report_run *run; /* not owned */
    struct arena arena;           /* of what the format keeps until the end */
    void *state;                  /* the format's own, in that arena */
    bool any;                     /* something was reported: for lists with commas between */
    struct output_file file;
};

/* A way to write findings. Functions return FAILURE_MEMORY or FAILURE_LIMIT; whoever calls looks at ferror. */
struct report_format {
    const char *name;
    bool summary; /* for people: the last line on standard error belongs to it */
    enum failure (*begin)(struct reporter *reporter); /* NULL: nothing to do */
    /* The findings about one source; their words are made in the workspace's arena. What was printed before a failure is whole. */
    enum failure (*report)(struct reporter *reporter, struct workspace *workspace, const struct source *source,
                           const struct report *report);
    enum failure (*end)(struct reporter *reporter); /* NULL: nothing to do */
    void (*done)(struct reporter *reporter);        /* gives back what the state holds; NULL: nothing to do */
};

/* All formats, each in a file of its own: report_ID.c; both reports for clusters are in report_policy.c. */
#define REPORT_FORMATS(ROW)                                                                            \
    ROW(text, "text")                   /* for people: place, object, message, source line, caret, hint */ \
    ROW(json, "json")                   /* one JSON object a line */                                   \
    ROW(sarif, "sarif")                 /* SARIF 2.1.0, for code scanning and editors */               \
    ROW(github, "github")               /* commands of GitHub Actions */                               \
    ROW(gitlab, "gitlab")               /* code quality of GitLab */                                   \
    ROW(junit, "junit")                 /* XML for CI systems that show tests */                       \
    ROW(tap, "tap")                     /* for test harnesses */                                       \
    ROW(markdown, "markdown")           /* for comments */                                             \
    ROW(html, "html")                   /* a page */                                                   \
    ROW(policy_report, "policy-report") /* PolicyReports, for a cluster */                             \
    ROW(open_report, "open-report")     /* the same as Reports of OpenReports */

#define REPORT_FORMAT_ROW(id, name) extern const struct report_format report_##id;
REPORT_FORMATS(REPORT_FORMAT_ROW)
#undef REPORT_FORMAT_ROW

/* In place of text and json: how often each rule was found. */
extern const struct report_format statistics_text, statistics_json;

/* ---- those that were asked for ---- */

struct reporters {
    struct reporter list[LIMIT_REPORTS];
    unsigned count;
};

/* The names of all formats, ended by NULL: shells complete them. */
extern const char *const report_format_names[];

/* A row of --format, whose values are in an option_list. kubectl, kubeconform and others call it --output. */
#define OPTION_FORMATS(values, member)                                                                              \
    OPTION_LIST("format", "FORMAT[=FILE]", values, member,                                                          \
                "how findings are written: " REPORT_FORMATS(REPORT_FORMAT_WORD) "and to which file",                \
                .default_value = "text", .words = report_format_names, .max = LIMIT_REPORTS, .alias = "output")
#define REPORT_FORMAT_WORD(id, name) name ", "

/* Takes what was typed, FORMAT or FORMAT=FILE. False with *error set: an unknown format, or two that go to one place. The reporters need
 * reporters_done then, too. */
bool reporters_init(struct reporters *reporters, const struct option_list *typed, const struct report_run *run,
                    struct error *error) MUST_USE;

/* Counts rules in place of findings. False with *error set: only text and json do that. */
bool reporters_count_rules(struct reporters *reporters, struct error *error) MUST_USE;

/* The report that goes to standard output; NULL: all have files. */
const struct reporter *reporters_printed(const struct reporters *reporters);

/* Opens the files, and begins all reports. out: where those without a file go, coloured or not. False with *error set. */
bool reporters_begin(struct reporters *reporters, FILE *out, bool colour, struct error *error) MUST_USE;

enum failure reporters_report(struct reporters *reporters, struct workspace *workspace, const struct source *source,
                              const struct report *report) MUST_USE;

/* Ends all reports, and puts the files into their places. False with *error set: a file cannot be written. Standard output is the
 * caller's to end. */
bool reporters_end(struct reporters *reporters, struct error *error) MUST_USE;

/* The exit status for an error of reporters_begin or reporters_end: no memory is EXIT_USAGE, as wherever input takes it. */
int reporters_status(const struct error *error);

/* Forgets all. Files of reports that did not end are as they were before. */
void reporters_done(struct reporters *reporters);

#endif
