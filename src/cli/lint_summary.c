/* The last line of drawbridge lint, for people: what was found, in how much, and what was skipped. */
#include <stdio.h>

#include "cli/lint.h"

static void print_skipped(FILE *out, const struct lint_summary *summary)
{
    const struct counts *counts = &summary->run.counts;
    const struct {
        size_t count;
        const char *noun, *after;
    } rows[] = {
        { counts->other_kinds, "object", " of kinds without rules" },
        { counts->no_objects, "document", " without apiVersion and kind" },
        { counts->templates, "template", "" },
        { counts->templated, "finding", " about values of templates" },
        { summary->excluded, "file", " that the configuration excludes" },
    };
    const char *before = "; skipped ";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].count)
            continue;
        fputs(before, out);
        print_count(out, rows[i].count, rows[i].noun);
        fputs(rows[i].after, out);
        before = ", ";
    }
}

/* What findings were not reported for. */
static void print_hidden(FILE *out, const struct lint_summary *summary)
{
    if (summary->suppressed) {
        fputs("; suppressed ", out);
        print_count(out, summary->suppressed, "finding");
    }
    if (summary->known)
        fprintf(out, "; %zu in the baseline", summary->known);
    if (summary->gone)
        fprintf(out, "; %zu of the baseline %s gone", summary->gone, summary->gone == 1 ? "is" : "are");
}

/* " in 3 objects of 2 files, 1 of them against older ones" */
static void print_extent(FILE *out, const struct lint_summary *summary)
{
    const struct lint_options *options = summary->options;
    fputs(" in ", out);
    print_count(out, summary->run.counts.validated, "object");
    fputs(options->supply ? " of the cluster" : " of ", out);
    if (!options->supply)
        print_count(out, summary->run.file_count, "file");
    if (summary->references) {
        fputs(", ", out);
        print_count(out, summary->references, "object");
        fputs(" for reference", out);
    }
    if (options->old || options->old_revision)
        fprintf(out, ", %zu of them against older ones", summary->run.counts.updates);
}

void lint_summarize(const struct lint_summary *summary)
{
    const struct counts *counts = &summary->run.counts;
    const struct lint_options *options = summary->options;
    FILE *out = stderr;
    if (options->diff) {
        print_count(out, summary->fixed, "thing");
        fputs(" to be fixed in ", out);
        print_count(out, summary->fixed_files, "file");
        fprintf(out, " of %zu\n", summary->run.file_count);
        return;
    }
    served_print(&summary->served, &options->gates, summary->run.versions.since);
    if (options->fix)
        fprintf(out, "%zu fixed, ", summary->fixed);
    print_count(out, counts->errors, "error");
    fputs(", ", out);
    print_count(out, counts->warnings, "warning");
    if (counts->infos) {
        fputs(", ", out);
        print_count(out, counts->infos, "info");
    }
    print_extent(out, summary);
    fprintf(out, ", validated as Kubernetes %s", versions_words(summary->run.versions).text);
    print_hidden(out, summary);
    print_skipped(out, summary);
    fputs("\n", out);
}
