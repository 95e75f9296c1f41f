/* A line on standard error while a long run goes on: only on a terminal, and gone before anything else is printed. */
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/lint.h"

enum { FIRST_MILLISECONDS = 1000, NEXT_MILLISECONDS = 100 };

void progress_begin(struct progress *progress)
{
    *progress = (struct progress){ .on = isatty(STDERR_FILENO), .next = clock_milliseconds() + FIRST_MILLISECONDS };
}

void progress_say(struct progress *progress, const char *doing, size_t files)
{
    int64_t now = progress->on ? clock_milliseconds() : 0;
    if (!progress->on || now < progress->next)
        return;
    progress->next = now + NEXT_MILLISECONDS;
    progress->shown = true;
    fprintf(stderr, "\r%s, %zu files\033[K", doing, files);
    fflush(stderr);
}

void progress_erase(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
