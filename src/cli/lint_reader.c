#include "cli/lint_reader.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/limits.h"
#include "validate/limits.h"

/* ---- readings ---- */

static void release_file(struct read_file *file)
{
    if (--file->uses)
        return;
    files_close(&file->text);
    free(file->name);
    free(file);
}

void reading_free(struct reading *reading)
{
    release_file(reading->file);
    free(reading->why);
    free(reading);
}

size_t reading_bytes(const struct reading *reading)
{
    return arena_used(&reading->source.arena) + (reading->file->text.mapped ? 0 : reading->bytes);
}

void reading_rest(const struct reading *reading)
{
    if (!reading->is_piece)
        return;
    size_t from = (size_t)(reading->piece.text.data - reading->file->text.data);
    files_forget(&reading->file->text, from, from + reading->piece.text.length);
}

static struct read_file *new_file(const char *path)
{
    struct read_file *file = malloc(sizeof *file);
    char *name = strdup(path);
    if (!file || !name) {
        free(file);
        free(name);
        return NULL;
    }
    *file = (struct read_file){ .name = name };
    return file;
}

/* What is left of a source that cannot be read is not kept. */
static void read_source(struct reading *reading)
{
    const struct lint_reader *reader = reading->reader;
    const struct bytes text = { reading->file->text.data, (uint32_t)reading->file->text.length };
    reading->failure = reading->is_piece ? source_read_piece(&reading->source, reader->context, reading->file->name, &reading->piece,
                                                             &reader->options)
                                         : source_read(&reading->source, reader->context, reading->file->name, text,
                                                       &reader->options);
    if (reading->failure)
        source_done(&reading->source);
    reading_rest(reading);
}

/* Reads a regular file of ordinary size, or a piece of a large one. In any thread. */
static void run(struct team_job *job)
{
    struct reading *reading = (struct reading *)job;
    struct file_text *text = &reading->file->text;
    struct error error;
    if (!reading->is_piece && !text->data) {
        if (!files_read(reading->file->name, LIMIT_FILE_BYTES, FILE_ANY, &text->buffer, &error)) {
            reading->failure = error.code;
            reading->why = strdup(error.text);
            return;
        }
        *text = (struct file_text){ .data = text->buffer.data, .length = text->buffer.length, .buffer = text->buffer };
        reading->bytes = text->length;
    }
    if (reading->is_piece && reading->bytes > LIMIT_FILE_BYTES) {
        reading->failure = FAILURE_LIMIT;
        reading->why = strdup("a document of more than 256 MiB, which is no List as kubectl writes it: only such a List is read in pieces");
        return;
    }
    read_source(reading);
}

/* ---- in their order ---- */

static void take_first(struct lint_reader *reader)
{
    struct reading *reading = reader->first;
    reader->first = reading->next;
    if (!reader->first)
        reader->last = NULL;
    reader->count--;
    reader->bytes -= reading->counted;
    reading->next = NULL;
    reader->take(reader->self, reading);
}

/* Takes the first readings until there is room for one more. */
static void make_room(struct lint_reader *reader, size_t bytes)
{
    const unsigned count = reader->team.most ? LIMIT_AHEAD : 0;
    while (reader->first && (reader->count > count || reader->bytes + bytes > (reader->team.most + 1) * (size_t)LIMIT_AHEAD_BYTES)) {
        team_wait(&reader->team, &reader->first->job);
        take_first(reader);
    }
}

static void add(struct lint_reader *reader, struct reading *reading)
{
    if (reader->last)
        reader->last->next = reading;
    else
        reader->first = reading;
    reader->last = reading;
    reader->count++;
    reading->counted = reading->bytes;
    reader->bytes += reading->counted;
    team_give(&reader->team, &reading->job);
    make_room(reader, 0);
}

/* A reading of the file. NULL: no memory, which is said. */
static struct reading *new_reading(struct lint_reader *reader, struct read_file *file)
{
    struct reading *reading = malloc(sizeof *reading);
    if (!reading) {
        reader->trouble(reader->self, file->name, failure_text(FAILURE_MEMORY));
        return NULL;
    }
    *reading = (struct reading){ .job.run = run, .reader = reader, .file = file };
    file->uses++;
    return reading;
}

void lint_reader_finish(struct lint_reader *reader)
{
    while (reader->first) {
        team_wait(&reader->team, &reader->first->job);
        take_first(reader);
    }
}

/* ---- large files ---- */

static void forget_passed(void *self, size_t to)
{
    files_forget(self, to > 2 * (size_t)CUT_STEP_BYTES ? to - 2 * (size_t)CUT_STEP_BYTES : 0, to);
}

static void add_pieces(struct lint_reader *reader, struct read_file *file)
{
    struct cutter cutter;
    struct piece piece;
    struct reading *reading = NULL;
    cutter_init(&cutter, reader->context, file->text.data, file->text.length, forget_passed, &file->text);
    while (cutter_next(&cutter, &piece) && (reading = new_reading(reader, file))) {
        reading->is_piece = true;
        reading->piece = piece;
        reading->bytes = piece.text.length;
        file->uncut |= cutter.uncut;
        make_room(reader, piece.text.length);
        add(reader, reading);
    }
    lint_reader_finish(reader); /* pieces point into the cutter */
    cutter_done(&cutter);
}

/* A file of any size. */
static void open_large(struct lint_reader *reader, struct read_file *file)
{
    struct error error;
    bool good = files_open(file->name, &file->text, &error);
    if (good && file->text.length > LIMIT_CUT_BYTES) {
        add_pieces(reader, file);
        return;
    }
    struct reading *reading = new_reading(reader, file);
    if (!reading)
        return;
    if (good) {
        reading->bytes = file->text.length;
        add(reader, reading);
        return;
    }
    lint_reader_finish(reader);
    reading->failure = error.code;
    reading->why = strdup(error.text);
    reader->take(reader->self, reading);
}

void lint_reader_add(struct lint_reader *reader, const char *path)
{
    struct read_file *file = new_file(path);
    if (!file) {
        reader->trouble(reader->self, path, failure_text(FAILURE_MEMORY));
        return;
    }
    int64_t size = strcmp(path, "-") == 0 ? -1 : files_size(path);
    file->uses++;
    if (size < 0 || size > LIMIT_CUT_BYTES) {
        open_large(reader, file);
    } else {
        struct reading *reading = new_reading(reader, file);
        if (reading) {
            reading->bytes = (size_t)size;
            add(reader, reading);
        }
    }
    release_file(file);
}

/* ---- threads ---- */

/* A file that is mapped was cut short: what is read of it from there on is not there. */
static void on_cut_short(int number)
{
    static const char message[] = "drawbridge lint: a file became shorter while it was read\n";
    (void)number;
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    _exit(written < 0 ? EXIT_INTERNAL : EXIT_USAGE);
}

void lint_reader_start(struct lint_reader *reader, unsigned jobs)
{
    const struct sigaction action = { .sa_handler = on_cut_short };
    (void)sigaction(SIGBUS, &action, NULL);
    team_start(&reader->team, (jobs ? jobs : team_processors()) - 1);
}

void lint_reader_stop(struct lint_reader *reader)
{
    team_stop(&reader->team);
}
