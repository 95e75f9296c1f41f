#include "doc/yaml_error.h"

#include <string.h>

static const struct wording {
    const char *problem; /* how libyaml's text begins */
    char character;      /* only for this character; 0: for any */
    const char *text;
} wordings[] = {
    { "control characters are not allowed", 0, "a control character, which YAML allows nowhere: write it as an escape in double quotes" },
    { "incomplete UTF-16", 0, "incomplete UTF-16: save the file as UTF-8" },
    { "expected low surrogate", 0, "not valid UTF-16: save the file as UTF-8" },
    { "unexpected low surrogate", 0, "not valid UTF-16: save the file as UTF-8" },
    { "invalid", 0, "not valid UTF-8: save the file as UTF-8" },
    { "incomplete", 0, "not valid UTF-8: save the file as UTF-8" },

    { "found character that cannot start any token", '\t', "a tab where the indentation should be: indent with spaces" },
    { "found character that cannot start any token", '@', "a value cannot begin with @: put it in quotes" },
    { "found character that cannot start any token", '`', "a value cannot begin with a backquote: put it in quotes" },
    { "found character that cannot start any token", '%', "a value cannot begin with %: put it in quotes" },
    { "found character that cannot start any token", 0, "no value can begin with this character: put it in quotes" },
    { "found a tab character that violates indentation", 0, "a tab where the indentation should be: indent with spaces" },
    { "found a tab character where an indentation space is expected", 0, "a tab where the indentation should be: indent with spaces" },

    { "could not find expected ':'", 0,
      "this line is not `key: value`: a colon and a space are missing, or an earlier quote or bracket is not closed" },
    { "found unexpected ':'", 0, "a colon right before a comma or bracket: put the text in quotes, or a space after the colon" },
    { "mapping values are not allowed in this context", 0,
      "a colon cannot stand here: put the text in quotes, or check the indentation and the line above" },
    { "mapping keys are not allowed in this context", 0, "a key cannot stand here: check the indentation" },
    { "block sequence entries are not allowed in this context", 0, "a list cannot begin here: put the dash on a line of its own" },
    { "did not find expected '-' indicator", 0,
      "this line is in the wrong column: it should begin with a dash like the list above it, or line up with an outer key" },
    { "did not find expected key", 0,
      "this line is in the wrong column and should line up with the keys above it; or there is text after a closing quote or bracket" },
    { "did not find expected ',' or ']'", 0, "a comma is missing, or the bracket [ is not closed" },
    { "did not find expected ',' or '}'", 0, "a comma is missing, or the brace { is not closed" },
    { "did not find expected node content", ',', "a value is missing before the comma" },
    { "did not find expected node content", '*', "an alias can have no anchor or tag of its own" },
    { "did not find expected node content", 0, "a value is missing here, or it begins with a character that needs quotes" },

    { "did not find expected alphabetic or numeric character", 0,
      "an anchor (&) or alias (*) without a valid name; a value that begins with * or & needs quotes" },
    { "found undefined tag handle", 0, "a tag with a prefix that is not defined; a value that begins with ! needs quotes" },
    { "found unknown escape character", 0, "an escape that YAML does not know: write the backslash twice, or use single quotes" },
    { "did not find expected hexdecimal number", 0, "the escape needs more hexadecimal digits" },
    { "found invalid Unicode character escape code", 0,
      "an escape for half of a surrogate pair, or beyond Unicode: write the character itself" },
    { "found unexpected end of stream", 0, "the quote is not closed" },
    { "found unexpected document indicator", 0, "the quote is not closed before the document ends" },
    { "did not find expected comment or line break", 0, "nothing may follow | or > on its line: begin the text on the next one" },
    { "found an indentation indicator equal to 0", 0, "the number after | or > must be 1 to 9" },
};

/* Every error that libyaml reports while it reads a tag is about how the tag is written. */
static bool is_about_tag(const yaml_parser_t *parser)
{
    return parser->context && (strstr(parser->context, "a tag") || strstr(parser->context, "a %TAG"));
}

bool yaml_error_at_start(const yaml_parser_t *parser)
{
    static const char *const problems[] = {
        "found unexpected end of stream",
        "found unexpected document indicator",
        "could not find expected ':'",
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        if (parser->problem && strcmp(parser->problem, problems[i]) == 0)
            return true;
    return false;
}

const char *yaml_error_text(const yaml_parser_t *parser, char character)
{
    const char *problem = parser->problem ? parser->problem : "";
    for (const struct wording *w = wordings; w < wordings + sizeof wordings / sizeof *wordings; w++)
        if (strncmp(problem, w->problem, strlen(w->problem)) == 0 && (!w->character || w->character == character))
            return w->text;
    if (is_about_tag(parser))
        return "a tag that is not well-formed; a value that begins with ! needs quotes";
    return *problem ? problem : "not YAML";
}
