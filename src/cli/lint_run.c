/* The work of drawbridge lint: reads files, validates their objects together, and prints what is found. */
#include "cli/lint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/limits.h"
#include "base/text.h"
#include "cli/limits.h"
#include "cli/lint_fix.h"
#include "cli/lint_formats.h"
#include "cli/lint_job.h"
#include "cli/report.h"
#include "cli/served.h"
#include "match/in_set.h"
#include "validate/context.h"
#include "validate/limits.h"

/* ---- validation ---- */

static void count_report(struct lint_job *job, const struct report *report)
{
    const struct counts *counts = &report->counts;
    const bool found[LEVELS] = {
        [LEVEL_ERROR] = counts->errors,
        [LEVEL_WARNING] = counts->errors || counts->warnings,
        [LEVEL_INFO] = counts_findings(counts),
    };
    counts_add(&job->summary.run.counts, counts);
    lint_job_raise(job, found[job->fail_on] ? EXIT_FOUND : EXIT_GOOD);
}

static struct lint_selecting selecting(struct lint_job *job)
{
    return (struct lint_selecting){
        &job->groups.configs, &job->selection, job->options->no_suppressions, &job->workspace.arena, &job->source_set.reports,
        &job->baseline, false,
    };
}

static void validate_source(struct lint_job *job, struct source *source)
{
    struct report report;
    const struct lint_selecting about = selecting(job);
    workspace_clear(&job->workspace);
    lint_say_skipped_items(job->options, source, job->settings.skip_templates);
    job->trace.source = source;
    for (const struct item *item = source->first; item && !job->options->supply; item = item->next)
        served_note(&job->summary.served, item->kind, job->since);
    enum failure failure = source_set_validate(&job->source_set, &job->workspace, source, &report);
    if (!failure)
        failure = lint_select(&about, source, &report, &job->summary.suppressed);
    if (!failure) {
        count_report(job, &report);
        progress_say(&job->progress, "validating", job->summary.run.file_count);
        if (report.count)
            progress_erase(&job->progress);
        failure = job->options->trace ? FAILURE_NONE : reporters_report(&job->reporters, &job->workspace, source, &report);
    }
    if (failure)
        lint_job_fail(job, source->name, failure);
    else
        job->unlisted += counts_findings(&report.counts) - report.count;
}

/* After a file, or the last of its pieces in the set. */
static void say_unlisted(struct lint_job *job, const struct source *source)
{
    bool goes_on = source->is_piece && source->next && source->next->is_piece && strcmp(source->name, source->next->name) == 0;
    if (goes_on || !job->unlisted)
        return;
    fprintf(stderr, "%s: and %zu more\n", lint_job_name(job, source->name), job->unlisted);
    job->unlisted = 0;
}

/* What is not reported is not fixed. */
static enum failure hide(void *self, const struct source *source, struct report *report)
{
    struct lint_job *job = self;
    struct lint_selecting about = selecting(job);
    size_t suppressed = 0;
    about.only_looks = true;
    return lint_select(&about, source, report, &suppressed);
}

static enum failure fix_files(struct lint_job *job)
{
    struct lint_fix fix = { .command = job->command, .hide = hide, .self = job, .diff = job->options->diff };
    enum failure failure = lint_fix(&fix, &job->source_set, &job->workspace, &job->files);
    job->summary.fixed += fix.fixes;
    job->summary.fixed_files += fix.files;
    lint_job_raise(job, fix.status);
    lint_job_raise(job, fix.diff && fix.fixes ? EXIT_FOUND : EXIT_GOOD);
    return failure;
}

/* Validates the files that are kept, together, and forgets them. */
static void validate_files(struct lint_job *job)
{
    const bool fixes = (job->options->fix || job->options->diff) && !job->rendering;
    enum failure failure = fixes ? fix_files(job) : FAILURE_NONE;
    if (!failure && !job->options->diff)
        failure = source_set_prepare(&job->source_set);
    if (failure)
        lint_job_raise(job, command_error(job->command, EXIT_USAGE, "%s",
                                          failure == FAILURE_LIMIT ? "too many objects for one run" : failure_text(failure)));
    for (struct source *source = source_set_first(&job->source_set); source && !failure && !job->options->diff && !ferror(stdout);
         source = source->next) {
        validate_source(job, source);
        say_unlisted(job, source);
        if (source->owner)
            reading_rest(source->owner);
    }
    if (job->source_set.apart)
        fprintf(stderr, "drawbridge %s: too many objects to compare: some were validated by themselves\n", job->command->name);
    source_set_clear(&job->source_set);
    while (job->readings) {
        struct reading *reading = job->readings;
        job->readings = reading->next;
        reading_free(reading);
    }
    kept_files_clear(&job->files);
}

/* Whether a file has nothing to validate and nothing to report: such files need not be kept. */
static bool is_of_no_interest(struct lint_job *job, struct source *source)
{
    struct report report;
    const char *name = job->options->stdin_name;
    if (strcmp(source->name, name ? name : "-") == 0) /* its text goes to standard output with --fix */
        return false;
    for (const struct item *item = source->first; item; item = item->next)
        if (item->kind || (item->type == ITEM_UNREADABLE && !item->is_template))
            return false;
    workspace_clear(&job->workspace);
    if (source_set_validate(&job->source_set, &job->workspace, source, &report) || report.count)
        return false;
    lint_say_skipped_items(job->options, source, job->settings.skip_templates);
    count_report(job, &report);
    return true;
}

/* Begins another set when what is kept is enough to be validated together. */
static void begin_set(struct lint_job *job)
{
    const unsigned limit = job->settings.versions ? LIMIT_LINT_RANGE_SET_BYTES : LIMIT_LINT_SET_BYTES;
    if (job->source_set.bytes < limit)
        return;
    if (!job->parted)
        fprintf(stderr, "drawbridge %s: files and their objects take more than %u MiB: objects are not compared with all others\n",
                job->command->name, limit >> 20);
    job->parted = true;
    validate_files(job);
}

/* A document that takes the memory of many. */
static void say_uncut(struct lint_job *job, const struct reading *reading)
{
    if (reading->file->uncut && !job->uncut)
        fprintf(stderr, "drawbridge lint: %s: more than %u MiB are read as one document, because it is no List as kubectl writes it\n",
                lint_job_name(job, reading->file->name), LIMIT_UNCUT_BYTES >> 20);
    job->uncut |= reading->file->uncut;
}

static void take_reading(void *self, struct reading *reading)
{
    struct lint_job *job = self;
    say_uncut(job, reading);
    if (lint_job_failed(job, reading))
        return;
    begin_set(job);
    reading->source.owner = reading;
    source_set_take(&job->source_set, &reading->source, reading_bytes(reading));
    if (is_of_no_interest(job, &reading->source)) {
        source_set_forget_last(&job->source_set);
        reading_free(reading);
        return;
    }
    reading->next = job->readings;
    job->readings = reading;
}

/* Keeps a file whole: one to be fixed, or with another name. */
static void lint_whole(struct lint_job *job, const char *path)
{
    begin_set(job);
    struct kept_file *before = job->files.last, *kept = lint_job_keep(job, &job->files, path);
    if (!kept)
        return;
    const char *name = job->options->stdin_name && strcmp(path, "-") == 0 ? job->options->stdin_name : kept->name;
    enum failure failure = source_set_add(&job->source_set, name, buffer_bytes(&kept->text), &kept->source);
    if (failure) {
        lint_job_fail(job, path, failure);
        kept_files_forget_last(&job->files, before);
    } else if (is_of_no_interest(job, kept->source)) {
        source_set_forget_last(&job->source_set);
        kept_files_forget_last(&job->files, before);
    }
}

static void lint_file(struct lint_job *job, const char *path)
{
    progress_say(&job->progress, "reading", ++job->summary.run.file_count);
    if (job->options->fix || job->options->diff || (job->options->stdin_name && strcmp(path, "-") == 0)) {
        lint_reader_finish(&job->reader);
        lint_whole(job, path);
    } else {
        lint_reader_add(&job->reader, path);
    }
}

/* A chart or kustomization to render, when all files have been validated: each is a set of its own. */
static enum folder_use find_rendered(void *self, const char *path)
{
    struct lint_job *job = self;
    struct error error;
    enum folder_use use = rendered_find(&job->rendered, path, &error);
    if (use == FOLDER_WHOLE && error.code)
        lint_job_trouble(job, path, error.text);
    return use;
}

/* A text that is in no file; NULL: no memory, which was said. */
static struct kept_file *take_text(struct lint_job *job, const char *name, struct bytes text)
{
    struct kept_file *kept = lint_job_keep_text(job, &job->files, name, text);
    enum failure failure = kept ? source_set_add(&job->source_set, kept->name, buffer_bytes(&kept->text), &kept->source) : FAILURE_NONE;
    progress_say(&job->progress, "reading", ++job->summary.run.file_count);
    if (failure)
        lint_job_fail(job, name, failure);
    return kept;
}

static bool take_rendered(void *self, const char *name, struct bytes text)
{
    return take_text(self, name, text) != NULL;
}

/* "cluster/NAMESPACE/KIND/NAME"; NULL: no memory. */
static char *stored_name(const struct item *item)
{
    char *name = NULL;
    const struct bytes space = item->space;
    int length = asprintf(&name, "cluster/%.*s%s%.*s/%.*s", (int)space.length, space.data, space.length ? "/" : "",
                          (int)item->kind_name.length, item->kind_name.data, (int)item->name.length, item->name.data);
    return length < 0 ? NULL : name;
}

/* An object of a cluster. What it is called is known when it has been read. */
static bool take_stored(void *self, struct bytes text)
{
    struct lint_job *job = self;
    if (job->source_set.bytes >= LIMIT_LINT_SET_BYTES)
        begin_set(job);
    struct kept_file *kept = take_text(job, "cluster", text);
    const struct item *item = kept && kept->source ? kept->source->first : NULL;
    bool named = item && item->name.length;
    char *name = named ? stored_name(item) : NULL;
    if (named && !name)
        lint_job_fail(job, "cluster", FAILURE_MEMORY);
    if (name) {
        free(kept->name);
        kept->name = name;
        kept->source->name = name;
    }
    return kept;
}

static void list_file(void *self, const char *path)
{
    struct lint_job *job = self;
    lint_groups_add(&job->groups, path);
}

static void list_files(struct lint_job *job, const char *path)
{
    const struct folder_visitor visitor = {
        .file = list_file, .trouble = lint_job_trouble, .folder = find_rendered, .self = job, .filter = &job->filter,
    };
    lint_job_visit(job, &visitor, path);
}

static int nothing_to_validate(struct lint_job *job)
{
    const struct counts *counts = &job->summary.run.counts;
    char templates[64] = "";
    if (counts->templates)
        snprintf(templates, sizeof templates, ", %zu template%s", counts->templates, counts->templates == 1 ? "" : "s");
    return command_error(job->command, EXIT_USAGE,
                         "nothing to validate: no object of a kind with rules, %zu of other kinds, %zu documents that are no objects%s",
                         counts->other_kinds, counts->no_objects, templates);
}

/* Rows that are traced, or a diff, are printed in place of reports. */
static bool has_reports(const struct lint_options *options)
{
    return !options->trace && !options->diff && !options->show_config;
}

/* Whether people read on standard error what was done: not where a program reads what is printed. */
static bool says_summary(const struct lint_job *job)
{
    const struct reporter *printed = reporters_printed(&job->reporters);
    return (!printed || printed->format->summary) && !job->options->quiet;
}

/* Ends the reports, and says on standard error what was done. */
static int end_lint(struct lint_job *job)
{
    progress_erase(&job->progress);
    const struct counts *counts = &job->summary.run.counts;
    struct error error;
    bool nothing = !job->options->diff && !job->options->allow_nothing && !counts->validated && !counts->errors &&
                   job->status == EXIT_GOOD;
    job->summary.run.status = nothing ? EXIT_USAGE : (enum exit_status)job->status;
    if (has_reports(job->options) && !reporters_end(&job->reporters, &error))
        return command_failed(job->command, reporters_status(&error), &error);
    if (end_output(job->command, EXIT_GOOD) != EXIT_GOOD)
        return EXIT_INTERNAL;
    if (nothing)
        return nothing_to_validate(job);
    if (!trace_printer_check(&job->trace, &error))
        lint_job_raise(job, command_error(job->command, EXIT_USAGE, "--trace: %s", error.text));
    if (says_summary(job))
        lint_summarize(&job->summary);
    return job->status;
}

static void take_force(struct lint_job *job, const struct lint_config *config, const struct lint_force *force)
{
    job->settings.version = force->versions.until;
    job->settings.versions = version_range(force->versions);
    job->settings.gates = force->gates;
    job->settings.unknown_fields = force->unknown_fields;
    job->settings.skip_templates = force->templates == TEMPLATES_SKIPPED;
    const struct driver_files *drivers = job->options->drivers ? &job->drivers : &config->configuration.driver_files;
    job->settings.drivers = drivers->count ? &drivers->drivers : NULL;
    job->fail_on = force->fail_on;
    job->selection = config->selection;
    job->selection.select = force->select;
    job->selection.ignore = force->ignore;
    struct versions *all = &job->summary.run.versions; /* of the options, until there is a group */
    all->since = !job->begun || force->versions.since < all->since ? force->versions.since : all->since;
    all->until = !job->begun || force->versions.until > all->until ? force->versions.until : all->until;
    job->begun = true;
    job->since = force->versions.since;
}

/* Begins to validate as that configuration says, against older objects if there are any. Returns the status; end_group ends it. */
static int begin_group(struct lint_job *job, const struct lint_config *config)
{
    struct error error;
    const struct lint_force force = lint_force_of(job->options, config);
    take_force(job, config, &force);
    source_set_init(&job->source_set, &job->context, &job->settings);
    if (!gate_settings_check_all(&force.gates, force.versions, &error))
        return command_error(job->command, EXIT_USAGE, "%s: %s",
                             job->options->given.gates ? "--feature-gates" : lint_job_name(job, config->file), error.text);
    int status = lint_job_read_old(job);
    if (status == EXIT_GOOD)
        lint_job_refer(job, config);
    return status;
}

/* With several groups, an object that is gone in one may be in another: then nothing is said. */
static void end_group(struct lint_job *job)
{
    bool alone = job->groups.first && !job->groups.first->next && !job->rendered.count;
    if (job->options->old_revision && alone && says_summary(job))
        lint_job_say_gone(job);
    source_set_done(&job->source_set);
    kept_files_clear(&job->old_files);
}

static void lint_paths(struct lint_job *job, const struct lint_path *first)
{
    lint_job_start_reader(job, &job->reader, take_reading);
    for (const struct lint_path *path = first; path && !ferror(stdout); path = path->next)
        lint_file(job, path->name);
    lint_reader_finish(&job->reader);
    lint_reader_stop(&job->reader);
    validate_files(job);
}

static int lint_group(struct lint_job *job, const struct lint_group *group)
{
    int status = begin_group(job, group->config);
    if (status == EXIT_GOOD)
        lint_paths(job, group->first);
    end_group(job);
    return status;
}

/* What is rendered has the configuration of its folder. */
static int lint_rendered(struct lint_job *job, unsigned index)
{
    struct lint_config *config;
    struct error error;
    struct text folder;
    const char *path = job->rendered.list[index].path;
    text_init(&folder, &job->arena);
    text_add(&folder, path);
    text_add(&folder, "/.");
    const char *end = text_end(&folder);
    if (!end || !lint_configs_find(&job->groups.configs, end, &config))
        return EXIT_USAGE;
    job->settings.parts = true;
    int status = begin_group(job, config);
    job->rendering = true;
    job->rendered.settings.version = job->settings.version;
    if (status == EXIT_GOOD && rendered_read(&job->rendered, index, take_rendered, job, &error))
        validate_files(job);
    else if (status == EXIT_GOOD)
        lint_job_trouble(job, path, error.text);
    end_group(job);
    return status;
}

/* Everything, group by group. */
static int lint_groups(struct lint_job *job)
{
    int status = EXIT_GOOD;
    for (const struct lint_group *group = job->groups.first; group && status == EXIT_GOOD && !ferror(stdout); group = group->next)
        status = lint_group(job, group);
    for (unsigned i = 0; i < job->rendered.count && status == EXIT_GOOD && !ferror(stdout); i++)
        status = lint_rendered(job, i);
    return status;
}

/* What a cluster has, with the configuration of the current folder. */
static int lint_supplied(struct lint_job *job)
{
    struct lint_config *config;
    if (!lint_configs_find(&job->groups.configs, "-", &config))
        return EXIT_USAGE;
    const struct lint_supply *supply = job->options->supply;
    int status = begin_group(job, config), unread = EXIT_GOOD;
    if (status == EXIT_GOOD && !supply->give(supply->self, take_stored, job, &unread))
        status = unread;
    if (status == EXIT_GOOD)
        validate_files(job);
    lint_job_raise(job, unread);
    end_group(job);
    return status;
}

/* Nothing is written when something could not be read. */
static int end_baseline(struct lint_job *job)
{
    job->summary.known = job->baseline.hidden;
    job->summary.gone = baseline_gone(&job->baseline.known);
    return job->baseline.fresh_path && job->status < EXIT_USAGE ? lint_baseline_write(&job->baseline, job->command) : EXIT_GOOD;
}

/* In place of the default. The first configuration with formats decides for the run. */
static bool take_configured_formats(struct lint_job *job, struct error *error)
{
    const struct lint_config *config = job->groups.configs.first;
    struct option_list formats;
    while (config && !config->configuration.formats.count)
        config = config->next;
    if (!config || job->options->given.formats || job->options->statistics)
        return true;
    reporters_done(&job->reporters);
    return lint_formats(&config->configuration, config->file, &job->arena, &formats, error) &&
           reporters_init(&job->reporters, &formats, &job->summary.run, error);
}

static int begin_reports(struct lint_job *job)
{
    struct error error;
    if (!has_reports(job->options))
        return EXIT_GOOD;
    if (!take_configured_formats(job, &error))
        return command_error(job->command, EXIT_USAGE, "%s", error.text);
    if (!reporters_begin(&job->reporters, job->rewrites_stdin ? stderr : stdout, job->options->colour, &error))
        return command_failed(job->command, reporters_status(&error), &error);
    return EXIT_GOOD;
}

/* Finds the files with their configurations, or that of a cluster. False, after what is wrong was said. */
static bool list_all(struct lint_job *job)
{
    struct lint_config *config;
    if (job->options->supply)
        return lint_configs_find(&job->groups.configs, "-", &config);
    for (int i = 0; i < job->path_count; i++)
        list_files(job, job->paths[i]);
    return !job->groups.failed;
}

static int lint(struct lint_job *job)
{
    if (!list_all(job))
        return EXIT_USAGE;
    if (job->options->show_config) {
        lint_show(job->options, &job->groups);
        return end_output(job->command, job->status);
    }
    job->summary.excluded = job->groups.excluded;
    int status = begin_reports(job);
    if (status == EXIT_GOOD)
        status = lint_baseline_begin(&job->baseline, job->command, &job->workspace);
    if (status == EXIT_GOOD)
        status = job->options->supply ? lint_supplied(job) : lint_groups(job);
    if (status == EXIT_GOOD)
        status = end_baseline(job);
    if (status != EXIT_GOOD)
        return status;
    return end_lint(job);
}

static int lint_all(struct lint_job *job)
{
    const struct lint_options *options = job->options;
    enum failure failure = lint_configs_init(&job->groups.configs, job->command, options->config, options->no_config);
    int status = failure ? command_error(job->command, EXIT_USAGE, "%s", failure_text(failure)) : lint(job);
    lint_job_forget_references(job);
    lint_baseline_end(&job->baseline);
    lint_groups_done(&job->groups);
    lint_configs_done(&job->groups.configs);
    return status;
}

static int read_drivers(struct lint_job *job)
{
    struct error error;
    return driver_files_add(&job->drivers, job->options->drivers, &error) ? EXIT_GOOD
                                                                          : command_error(job->command, EXIT_USAGE, "%s", error.text);
}

static int run_job(struct lint_job *job)
{
    enum failure failure = context_init(&job->context, &memory_malloc);
    if (!failure) {
        failure = workspace_init(&job->workspace, &job->context);
        if (!failure) {
            arena_init(&job->arena, &memory_malloc, LIMIT_ARENA_BYTES);
            trace_printer_init(&job->trace, stdout, job->options->trace, &memory_malloc);
            job->settings.trace = job->options->trace ? &job->trace.trace : NULL;
            job->status = job->options->drivers ? read_drivers(job) : EXIT_GOOD;
            if (job->status == EXIT_GOOD)
                job->status = lint_excludes(job->command, &job->options->excludes, &job->excludes, &job->arena);
            if (job->status == EXIT_GOOD)
                job->status = lint_all(job);
            driver_files_done(&job->drivers);
            ignore_done(&job->excludes);
            rendered_done(&job->rendered);
            arena_done(&job->arena);
            trace_printer_done(&job->trace);
            workspace_done(&job->workspace);
        }
        context_done(&job->context);
    }
    return failure ? command_error(job->command, EXIT_USAGE, "%s", failure_text(failure)) : job->status;
}

/* The reports around the work. */
static int run(struct lint_job *job)
{
    struct error error;
    int status;
    progress_begin(&job->progress);
    if (!reporters_init(&job->reporters, &job->options->formats, &job->summary.run, &error))
        status = usage_error(job->command, "--format: %s", error.text);
    else if (job->options->statistics && !reporters_count_rules(&job->reporters, &error))
        status = usage_error(job->command, "--statistics: %s", error.text);
    else
        status = run_job(job);
    reporters_done(&job->reporters);
    return status;
}

int lint_run(const struct command *command, const struct lint_options *options, char *const *paths, int count)
{
    struct lint_job job = {
        .command = command,
        .options = options,
        .paths = paths,
        .path_count = count,
        .settings = {
            .as_status = options->as_status,
            .fixes = !options->supply,
            .inside_configmaps = options->inside_configmaps,
            .as = options->role,
            .matcher = &match_in_set,
        },
        .rewrites_stdin = lint_rewrites_stdin(options, paths, count),
        .filter = { options->excludes.count ? &job.excludes : NULL, options->no_gitignore },
        .baseline = { .known_path = options->baseline, .fresh_path = options->write_baseline },
        .groups = { .verbose = options->verbose },
        .rendered = { .settings = { options->helm, options->kustomize, &options->values, options->versions.until } },
        .summary = { .options = options, .run = { .command = command->name, .versions = options->versions } },
    };
    return run(&job);
}
