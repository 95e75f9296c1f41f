/* libedit is loaded when the program runs: a program that only lints needs no library for it, and no package to be built. Its functions
 * are those of readline.h, as editline/readline.h declares them. */
#include "cli/cel_line.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cel/limits.h"
#include "cli/limits.h"

typedef char **completion_function(const char *word, int start, int end);

static struct editor {
    cel_line_complete *complete;
    void *self;
    bool interactive; /* standard input is a terminal, and so is the output */
    void *library;    /* NULL: there is no editor */
    char *line;       /* the newest one; from malloc */
    char history[PATH_MAX]; /* a file; empty: none */
    char *candidates[LIMIT_CEL_CANDIDATES];
    unsigned count, next;

    char *(*readline)(const char *prompt);
    int (*add_history)(const char *line);
    int (*read_history)(const char *path);
    int (*write_history)(const char *path);
    int (*stifle_history)(int count);
    char **(*completion_matches)(const char *word, char *(*next)(const char *word, int state));
    char **line_buffer;
    int *point;
} editor;

/* ---- history ---- */

/* Makes the folder for the file of the history, and sets its path: in XDG_STATE_HOME, or in .local/state of the home directory. */
static void find_history(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *path = editor.history;
    int length = -1;
    if (state && state[0] == '/')
        length = snprintf(path, sizeof editor.history, "%s/drawbridge", state);
    else if (home && home[0] == '/')
        length = snprintf(path, sizeof editor.history, "%s/.local/state/drawbridge", home);
    size_t room = sizeof editor.history - (size_t)(length > 0 ? length : 0);
    if (length < 0 || room < sizeof "/cel_history" || (mkdir(path, 0700) && errno != EEXIST))
        *path = '\0'; /* where nothing is kept, nothing has to be made */
    else
        snprintf(path + length, room, "/cel_history");
}

/* ---- completion ---- */

static void add_candidate(const char *candidate)
{
    char *copy = editor.count < LIMIT_CEL_CANDIDATES ? strdup(candidate) : NULL;
    if (copy)
        editor.candidates[editor.count++] = copy;
}

/* Hands out the candidates, which libedit frees. */
static char *next_candidate(const char *word, int state)
{
    (void)word;
    if (state == 0)
        editor.next = 0;
    return editor.next < editor.count ? editor.candidates[editor.next++] : NULL;
}

/* libedit replaces its word, which is all from byte `from` of the line on; a candidate may begin later. */
static void prepend(struct bytes line, uint32_t from, uint32_t start)
{
    for (unsigned i = 0; i < editor.count && from < start; i++) {
        size_t length = strlen(editor.candidates[i]), kept = start - from;
        char *whole = malloc(kept + length + 1);
        if (!whole)
            continue;
        memcpy(whole, line.data + from, kept);
        memcpy(whole + kept, editor.candidates[i], length + 1);
        free(editor.candidates[i]);
        editor.candidates[i] = whole;
    }
}

static char **complete(const char *word, int from, int end)
{
    struct bytes line = { *editor.line_buffer, (uint32_t)(end > 0 ? end : 0) };
    uint32_t start = line.length;
    editor.count = 0;
    editor.complete(editor.self, line, &start, add_candidate);
    if (start < (uint32_t)from) { /* it would have to change what is before the word */
        while (editor.count)
            free(editor.candidates[--editor.count]);
    }
    prepend(line, (uint32_t)from, start);
    return editor.count ? editor.completion_matches(word, next_candidate) : NULL;
}

/* In place of the names of files, which libedit completes where there is nothing else. */
static char *no_files(const char *word, int state)
{
    (void)word;
    (void)state;
    return NULL;
}

/* ---- the library ---- */

/* Sets *function, a pointer to a function or variable, to that symbol. */
static bool find(const char *name, void *function)
{
    void *symbol = dlsym(editor.library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol;
}

static bool load(void)
{
    completion_function **attempted;
    char *(**entry)(const char *, int);
    int *append;
    const char **breaks;
    editor.library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!editor.library)
        return false;
    if (!find("readline", &editor.readline) || !find("add_history", &editor.add_history) || !find("read_history", &editor.read_history) ||
        !find("write_history", &editor.write_history) || !find("stifle_history", &editor.stifle_history) ||
        !find("rl_completion_matches", &editor.completion_matches) || !find("rl_line_buffer", &editor.line_buffer) ||
        !find("rl_point", &editor.point) || !find("rl_attempted_completion_function", &attempted) ||
        !find("rl_completion_entry_function", &entry) || !find("rl_completion_append_character", &append) ||
        !find("rl_basic_word_break_characters", &breaks))
        return false;
    *attempted = complete;
    *entry = no_files;
    *append = '\0';
    *breaks = " \t\n";
    return true;
}

void cel_line_start(cel_line_complete *complete_line, void *self)
{
    editor = (struct editor){ .complete = complete_line, .self = self };
    editor.interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (!editor.interactive)
        return;
    setlocale(LC_CTYPE, ""); /* for libedit; nothing else asks */
    if (!load()) {
        editor.library = NULL; /* if it is there, it is another one */
        return;
    }
    find_history();
    editor.stifle_history(LIMIT_CEL_HISTORY);
    if (*editor.history)
        (void)editor.read_history(editor.history);
}

void cel_line_stop(void)
{
    if (editor.library && *editor.history)
        (void)editor.write_history(editor.history);
    free(editor.line);
    editor.line = NULL;
}

/* ---- lines ---- */

static enum cel_line_result read_edited(struct bytes *line)
{
    free(editor.line);
    editor.line = editor.readline("cel> ");
    if (!editor.line)
        return CEL_LINE_END;
    if (*editor.line)
        editor.add_history(editor.line);
    if (strlen(editor.line) > LIMIT_CEL_LINE_BYTES)
        return CEL_LINE_TOO_LONG;
    *line = bytes_of(editor.line);
    return CEL_LINE_READ;
}

enum cel_line_result cel_line_read(struct bytes *line)
{
    uint32_t length = 0;
    int byte;
    if (editor.library)
        return read_edited(line);
    if (!editor.line && !(editor.line = malloc(LIMIT_CEL_LINE_BYTES)))
        return CEL_LINE_END;
    if (editor.interactive) {
        fputs("cel> ", stdout);
        fflush(stdout);
    }
    while ((byte = getc(stdin)) != EOF && byte != '\n') {
        if (length < LIMIT_CEL_LINE_BYTES)
            editor.line[length] = (char)byte;
        length += length <= LIMIT_CEL_LINE_BYTES;
    }
    if (byte == EOF && !length)
        return CEL_LINE_END;
    if (length > LIMIT_CEL_LINE_BYTES)
        return CEL_LINE_TOO_LONG;
    *line = (struct bytes){ editor.line, length };
    return CEL_LINE_READ;
}
