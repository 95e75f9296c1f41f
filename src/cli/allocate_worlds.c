/* drawbridge allocate --worlds: worlds as lines of JSON in, answers as lines out. */
#include <stdio.h>
#include <unistd.h>

#include "allocate/line.h"
#include "base/clock.h"
#include "base/limits.h"
#include "cli/allocate.h"
#include "cli/stream.h"

struct worlds {
    const struct command *command;
    const struct context *context;
    const struct allocate_options *options;
};

static int answer(const struct worlds *worlds, struct bytes line)
{
    struct arena arena;
    struct text text;
    arena_init(&arena, &memory_malloc, LIMIT_FILE_BYTES);
    text_init(&text, &arena);
    const struct allocate_options *options = worlds->options;
    enum failure failure =
        allocate_line_answer(worlds->context, options->versions.since, &options->gates, clock_wall_seconds(), line, &text);
    const char *end = failure ? NULL : text_end(&text);
    if (end) {
        fwrite(end, 1, text.length, stdout);
        putchar('\n');
    }
    failure = failure || end ? failure : arena.failure;
    arena_done(&arena);
    return failure ? command_error(worlds->command, EXIT_USAGE, "%s", failure_text(failure)) : EXIT_GOOD;
}

int allocate_answer_worlds(const struct command *command, const struct context *context, const struct allocate_options *options)
{
    const struct worlds worlds = { command, context, options };
    struct stream stream;
    struct bytes line;
    bool too_long;
    int status = EXIT_GOOD;
    stream_init(&stream, STDIN_FILENO);
    stream.longest = LIMIT_FILE_BYTES;
    enum failure failure = stream_line(&stream, &line, &too_long);
    for (; !failure && line.data && !status; failure = stream_line(&stream, &line, &too_long)) {
        if (too_long)
            status = command_error(command, EXIT_USAGE, "a line is longer than 256 MiB");
        else if (line.length)
            status = answer(&worlds, line);
    }
    if (failure)
        status = command_error(command, EXIT_USAGE, "%s", failure_text(failure));
    if (!failure && stream.error && !status)
        status = command_error(command, EXIT_USAGE, "standard input cannot be read");
    stream_done(&stream);
    return status;
}
