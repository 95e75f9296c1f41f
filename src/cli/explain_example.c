/* The examples of `drawbridge explain RULE`, from the pages of rules/examples: below `## RULE` a text, and a block of lines that begin with
 * - in the bad object, + in the good one, ! before the update, and a blank in all of them. What follows the block's word diff are options
 * of lint. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/embed.h"
#include "cli/explain.h"

EMBED_FILE(examples, "examples")

static const char block_begin[] = "```diff", block_end[] = "```";

/* Takes a line off the text. False at its end. */
static bool take_line(struct bytes *text, struct bytes *line)
{
    if (!text->length)
        return false;
    *line = bytes_take_line(text);
    return true;
}

static bool begins(struct bytes line, const char *word)
{
    size_t length = strlen(word);
    return line.length >= length && memcmp(line.data, word, length) == 0;
}

/* What is below the heading, up to the next one. */
static struct bytes find_section(const char *id)
{
    struct bytes text = { help_examples_text, (uint32_t)(help_examples_end - help_examples_text) }, line, section = { text.data, 0 };
    bool inside = false;
    while (take_line(&text, &line)) {
        bool heading = begins(line, "## ");
        if (heading && inside)
            break;
        if (inside)
            section.length = (uint32_t)(line.data + line.length - section.data);
        if (heading && bytes_equal_text((struct bytes){ line.data + 3, line.length - 3 }, id)) {
            inside = true;
            section.data = text.data;
        }
    }
    return section;
}

/* Without the marks of bold text. */
static void print_prose(struct bytes line)
{
    for (uint32_t i = 0; i < line.length; i++)
        if (line.data[i] != '*')
            putchar(line.data[i]);
    puts("");
}

/* The lines of a block that have one of the signs, without it. */
static void print_object(const char *heading, struct bytes block, const char *signs)
{
    struct bytes line;
    printf("%s:\n\n", heading);
    while (take_line(&block, &line) && !begins(line, block_end))
        if (line.length && strchr(signs, line.data[0]))
            printf("  %.*s\n", (int)line.length - 1, line.data + 1);
    puts("");
}

static bool has_sign(struct bytes block, char sign)
{
    struct bytes line;
    while (take_line(&block, &line) && !begins(line, block_end))
        if (line.length && line.data[0] == sign)
            return true;
    return false;
}

/* The options without what only the tests ask for: also=RULE, which the bad object breaks, too. */
static void print_options(struct bytes info, bool update)
{
    bool any = false;
    while (info.length) {
        const char *space = memchr(info.data, ' ', info.length);
        uint32_t length = space ? (uint32_t)(space - info.data) : info.length;
        if (length && !begins(info, "also=")) {
            printf("%s %.*s", any ? "" : "Found by drawbridge lint", (int)length, info.data);
            any = true;
        }
        info = (struct bytes){ info.data + length + (space != NULL), info.length - length - (space != NULL) };
    }
    fputs(update && !any ? "Found by drawbridge lint --old" : "", stdout);
    fputs(any || update ? ".\n\n" : "", stdout);
}

bool explain_print_example(const char *id)
{
    struct bytes section = find_section(id), line = { NULL, 0 };
    while (take_line(&section, &line) && !begins(line, block_begin))
        print_prose(line);
    if (!section.length)
        return false;
    bool update = has_sign(section, '!');
    uint32_t skip = (uint32_t)strlen(block_begin);
    if (update)
        print_object("Before", section, " !");
    print_object("Bad", section, " -");
    print_object("Good", section, " +");
    print_options((struct bytes){ line.data + skip, line.length - skip }, update);
    return true;
}
