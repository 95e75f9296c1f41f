#include "observe/line.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/utf8.h"

enum {
    END_BYTES = 2,       /* "}\n" */
    NUMBER_BYTES = 24,
    ESCAPE_BYTES = 12,   /* what one character becomes at most: two \uXXXX */
};

enum level { INFO, WARNING, ERROR };
static const char *const level_words[] = { [INFO] = "info", [WARNING] = "warning", [ERROR] = "error" };

static const struct {
    const char *word;
    enum level level;
} events[] = {
#define EVENT(id, word, level, ...) [LOG_##id] = { word, level },
    LOG_EVENTS_TABLE(EVENT)
#undef EVENT
};
_Static_assert(sizeof events / sizeof *events == LOG_EVENTS, "a row for each event");

static void add(struct line *line, const char *text, size_t length)
{
    memcpy(line->data + line->length, text, length);
    line->length += length;
}

static void add_word(struct line *line, const char *text)
{
    add(line, text, strlen(text));
}

/* Characters that end no value in the text format. */
static bool is_plain(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;/_+@%[]()*-";
    return *text && !text[strspn(text, plain)];
}

/* As JSON has it, which people can read, too. */
static void add_escape(struct line *line, uint32_t code)
{
    char escape[ESCAPE_BYTES + 4];
    if (code == '"' || code == '\\')
        snprintf(escape, sizeof escape, "\\%c", (char)code);
    else if (code == '\n')
        snprintf(escape, sizeof escape, "\\n");
    else if (code <= 0xFFFF)
        snprintf(escape, sizeof escape, "\\u%04x", code);
    else
        snprintf(escape, sizeof escape, "\\u%04x\\u%04x", 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF));
    add_word(line, escape);
}

static void add_quoted(struct line *line, const char *text)
{
    size_t left = strnlen(text, LIMIT_LOG_FIELD_BYTES);
    add_word(line, "\"");
    while (left) {
        uint32_t code = 0xFFFD; /* for what is not UTF-8 */
        unsigned size = utf8_decode((const unsigned char *)text, left, &code);
        if (size == 0 || utf8_unsafe(code) || code == '"' || code == '\\')
            add_escape(line, code);
        else
            add(line, text, size);
        text += size ? size : 1;
        left -= size ? size : 1;
    }
    add_word(line, *text ? "...\"" : "\"");
}

/* The time in UTC, to the millisecond. */
static void add_time(struct line *line)
{
    int64_t now = clock_wall_milliseconds();
    const time_t seconds = now / 1000;
    struct tm parts;
    char text[40];
    gmtime_r(&seconds, &parts);
    size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text + length, sizeof text - length, ".%03uZ", (unsigned)(now % 1000));
    add_word(line, text);
}

void line_begin(struct line *line, enum log_format format, enum log_event event)
{
    line->format = format;
    line->length = 0;
    add_word(line, format == LOG_JSON ? "{\"time\":\"" : "");
    add_time(line);
    add_word(line, format == LOG_JSON ? "\",\"level\":\"" : " ");
    add_word(line, level_words[events[event].level]);
    add_word(line, format == LOG_JSON ? "\",\"msg\":\"" : " ");
    add_word(line, events[event].word);
    add_word(line, format == LOG_JSON ? "\"" : "");
}

static size_t room_for(const struct log_field *field)
{
    size_t value = field->text ? strnlen(field->text, LIMIT_LOG_FIELD_BYTES) * ESCAPE_BYTES / 2 + 6 : NUMBER_BYTES;
    return strlen(field->name) + value + 5;
}

void line_add(struct line *line, const struct log_field *field)
{
    bool json = line->format == LOG_JSON;
    char number[NUMBER_BYTES];
    if (room_for(field) > LIMIT_LOG_LINE_BYTES - END_BYTES - line->length)
        return;
    add_word(line, json ? ",\"" : " ");
    add_word(line, field->name);
    add_word(line, json ? "\":" : "=");
    snprintf(number, sizeof number, "%lld", (long long)field->number);
    if (!field->text)
        add_word(line, number);
    else if (json || !is_plain(field->text) || strlen(field->text) > LIMIT_LOG_FIELD_BYTES)
        add_quoted(line, field->text);
    else
        add_word(line, field->text);
}

void line_end(struct line *line)
{
    add_word(line, line->format == LOG_JSON ? "}\n" : "\n");
}
