#include "cli/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/escape.h"
#include "cli/limits.h"

enum { CHUNK_BYTES = 64 * 1024, COMPLAINT_BYTES = 4096, CHECK_MILLISECONDS = 1000 };

struct running {
    const struct program *program;
    int input, complaints;    /* files in memory: what it reads, and its standard error */
    int output[2];            /* a pipe */
    char **environment;
    pid_t id;                 /* 0: it does not run */
    int64_t end;              /* of clock_milliseconds(), after which it is ended */
    char *data;
    size_t length, capacity;
};

static bool fail(struct running *running, struct error *error, int why)
{
    return error_set(error, why == ENOMEM ? FAILURE_MEMORY : FAILURE_INPUT, "%s: %s", escape_text(running->program->argv[0]).text,
                     strerror(why));
}

/* ---- environment ---- */

extern char **environ;

static bool is_named(const char *variable, const char *name, size_t length)
{
    return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

/* Whether the program gets a variable as it is here. */
static bool is_inherited(const struct program *program, const char *variable)
{
    for (const char *const *name = program->unset; name && *name; name++)
        if (is_named(variable, *name, strlen(*name)))
            return false;
    for (const char *const *set = program->set; set && *set; set++)
        if (is_named(variable, *set, strcspn(*set, "=")))
            return false;
    return true;
}

/* The variables themselves are not copied. */
static bool make_environment(struct running *running)
{
    const struct program *program = running->program;
    size_t count = 0, length = 1;
    for (char **variable = environ; variable && *variable; variable++)
        length++;
    for (const char *const *set = program->set; set && *set; set++)
        length++;
    running->environment = malloc(length * sizeof *running->environment);
    if (!running->environment)
        return false;
    for (char **variable = environ; variable && *variable; variable++)
        if (is_inherited(program, *variable))
            running->environment[count++] = *variable;
    for (const char *const *set = program->set; set && *set; set++)
        running->environment[count++] = (char *)(uintptr_t)*set; /* posix_spawn does not change it */
    running->environment[count] = NULL;
    return true;
}

/* ---- the beginning ---- */

static bool write_input(int file, struct bytes input)
{
    for (uint32_t at = 0; at < input.length;) {
        ssize_t count = write(file, input.data + at, input.length - at);
        if (count < 0 && errno != EINTR)
            return false;
        at += count > 0 ? (uint32_t)count : 0;
    }
    return lseek(file, 0, SEEK_SET) == 0;
}

static bool open_files(struct running *running)
{
    running->input = memfd_create("input", MFD_CLOEXEC);
    running->complaints = memfd_create("complaints", MFD_CLOEXEC);
    return running->input >= 0 && running->complaints >= 0 && pipe2(running->output, O_CLOEXEC) == 0 &&
           write_input(running->input, running->program->input);
}

/* The number of an error, or 0. */
static int spawn(struct running *running)
{
    posix_spawn_file_actions_t actions;
    int why = posix_spawn_file_actions_init(&actions);
    if (why)
        return why;
    why = posix_spawn_file_actions_adddup2(&actions, running->input, STDIN_FILENO);
    why = why ? why : posix_spawn_file_actions_adddup2(&actions, running->output[1], STDOUT_FILENO);
    why = why ? why : posix_spawn_file_actions_adddup2(&actions, running->complaints, STDERR_FILENO);
    why = why ? why
              : posix_spawnp(&running->id, running->program->argv[0], &actions, NULL, (char *const *)(uintptr_t)running->program->argv,
                             running->environment);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (why)
        running->id = 0;
    close(running->output[1]);
    running->output[1] = -1;
    return why;
}

/* ---- its output ---- */

/* Milliseconds until it is ended. */
static int time_left(const struct running *running)
{
    int64_t left = running->end - clock_milliseconds();
    return left > 0 ? (int)left : 0;
}

static bool make_room(struct running *running)
{
    if (running->capacity - running->length > CHUNK_BYTES)
        return true;
    size_t capacity = 2 * running->capacity + 2 * CHUNK_BYTES;
    char *data = realloc(running->data, capacity);
    if (!data)
        return false;
    running->data = data;
    running->capacity = capacity;
    return true;
}

static bool fail_time(const struct running *running, struct error *error)
{
    const unsigned seconds = running->program->seconds;
    return error_set(error, FAILURE_LIMIT, "%s: did not end within %u second%s", escape_text(running->program->argv[0]).text, seconds,
                     seconds == 1 ? "" : "s");
}

/* Its standard error is kept in memory, too. */
static bool check_complaints(const struct running *running, struct error *error)
{
    struct stat status;
    if (fstat(running->complaints, &status) == 0 && status.st_size <= LIMIT_COMPLAINTS_BYTES)
        return true;
    return error_set(error, FAILURE_LIMIT, "%s: prints more than %u MiB on standard error", escape_text(running->program->argv[0]).text,
                     LIMIT_COMPLAINTS_BYTES >> 20);
}

static bool read_output(struct running *running, struct error *error)
{
    for (;;) {
        struct pollfd wait = { .fd = running->output[0], .events = POLLIN };
        int left = time_left(running), ready = left ? poll(&wait, 1, left < CHECK_MILLISECONDS ? left : CHECK_MILLISECONDS) : 0;
        if (!check_complaints(running, error))
            return false;
        if ((ready < 0 && errno == EINTR) || (ready == 0 && left))
            continue;
        if (ready == 0)
            return fail_time(running, error);
        if (!make_room(running))
            return fail(running, error, ENOMEM);
        ssize_t count = read(running->output[0], running->data + running->length, CHUNK_BYTES);
        if (count < 0 && errno != EINTR)
            return fail(running, error, errno);
        if (count == 0)
            return true;
        running->length += count > 0 ? (size_t)count : 0;
        if (running->length > running->program->max)
            return error_set(error, FAILURE_LIMIT, "%s: prints more than %u MiB", escape_text(running->program->argv[0]).text,
                             running->program->max >> 20);
    }
}

/* ---- the end ---- */

/* A line that it wrote to standard error: the first, or the last that is not empty. */
static void complain(struct running *running, struct error *error)
{
    char text[COMPLAINT_BYTES], *line = text;
    off_t size = lseek(running->complaints, 0, SEEK_END), room = sizeof text - 1;
    ssize_t count = pread(running->complaints, text, sizeof text - 1, running->program->last_line && size > room ? size - room : 0);
    text[count > 0 ? count : 0] = '\0';
    if (running->program->last_line) {
        for (size_t length = strlen(text); length && strchr("\r\n", text[length - 1]); length--)
            text[length - 1] = '\0';
        line = strrchr(text, '\n') ? strrchr(text, '\n') + 1 : text;
    }
    line[strcspn(line, "\r\n")] = '\0';
    const char *why = *line ? line : "it failed, and does not say why";
    (void)error_set(error, FAILURE_INPUT, "%s: %s", escape_text(running->program->argv[0]).text, escape_text(why).text);
}

/* Waits for its end, which is near: its output has ended, or it is killed now. So is one that has closed its output and goes on. */
static bool wait_for_end(struct running *running, bool kill_it, struct error *error)
{
    const struct timespec pause = { .tv_nsec = 5000000 };
    int status = 0;
    while (!kill_it && waitpid(running->id, &status, WNOHANG) == 0) {
        nanosleep(&pause, NULL);
        kill_it = time_left(running) == 0;
        if (kill_it)
            (void)fail_time(running, error);
    }
    if (kill_it) {
        kill(running->id, SIGKILL);
        while (waitpid(running->id, &status, 0) < 0 && errno == EINTR)
            ;
        return false;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    complain(running, error);
    return false;
}

static void running_done(struct running *running)
{
    const int files[] = { running->input, running->complaints, running->output[0], running->output[1] };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] >= 0)
            close(files[i]);
    free(running->environment);
    free(running->data);
}

static bool run(struct running *running, struct error *error)
{
    if (!make_environment(running))
        return fail(running, error, ENOMEM);
    if (!open_files(running))
        return fail(running, error, errno);
    running->end = clock_milliseconds() + (int64_t)running->program->seconds * 1000;
    int why = spawn(running);
    if (why == ENOENT)
        return error_set(error, FAILURE_INPUT, "%s: there is no such program%s", escape_text(running->program->argv[0]).text,
                         strchr(running->program->argv[0], '/') ? "" : " in PATH");
    if (why)
        return fail(running, error, why);
    bool good = read_output(running, error);
    good = wait_for_end(running, !good, error) && good;
    return good && (make_room(running) || fail(running, error, ENOMEM));
}

bool program_run(const struct program *program, struct buffer *output, struct error *error)
{
    struct running running = { .program = program, .input = -1, .complaints = -1, .output = { -1, -1 } };
    bool good = run(&running, error);
    if (good) {
        running.data[running.length] = '\0';
        *output = (struct buffer){ running.data, (uint32_t)running.length };
        running.data = NULL;
    }
    running_done(&running);
    return good;
}

bool program_exists(const char *name)
{
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        size_t length = strcspn(path, ":");
        char *file = NULL;
        if (asprintf(&file, "%.*s/%s", length ? (int)length : 1, length ? path : ".", name) < 0)
            return false;
        found = access(file, X_OK) == 0;
        free(file);
        path += length + (path[length] == ':');
    }
    return found;
}
