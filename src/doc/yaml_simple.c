/* Reads simple YAML without libyaml, which takes several times as long: mappings and sequences by indentation, values on one line, texts
 * after |, and words in brackets, as nearly all manifests are written. Whatever might be something else is left to libyaml, and so is
 * all that is wrong: then nothing is said here. */
#include "base/utf8.h"
#include "doc/yaml_reader.h"

struct simple {
    struct yaml_reader *r;
    const char *source, *at, *end;
    struct simple_place {
        uint32_t column; /* of the keys of a mapping, or the dashes of a sequence */
        uint32_t empty;  /* offset of the value after the newest key or dash, if it has none */
    } places[LIMIT_TEXT_DEPTH]; /* of the reader's levels */
};

/* A key, or a value on one line. */
struct simple_word {
    struct yaml_span span; /* with its quotes */
    bool quoted;
};

/* libyaml takes keys of up to 1,024 characters. */
enum { MOST_KEY_BYTES = 1000 };

/* ---- characters ---- */

/* Whether libyaml takes the character, and it has no meaning of its own there: it ends no line, and is no byte order mark. */
static bool is_simple_character(uint32_t code)
{
    return code >= 0xA0 && code != 0x2028 && code != 0x2029 && code != 0xFEFF && code != 0xFFFE && code != 0xFFFF;
}

static bool has_simple_characters(const struct simple *s)
{
    const unsigned char *at = (const unsigned char *)s->at, *end = (const unsigned char *)s->end;
    unsigned odd = 0, high = 0;
    for (const unsigned char *c = at; c < end; c++) {
        odd |= (unsigned)(*c < ' ' && *c != '\n') | (unsigned)(*c == 0x7F);
        high |= *c;
    }
    if (odd || !(high & 0x80))
        return !odd;
    while (at < end) {
        uint32_t code = *at;
        unsigned size = code < 0x80 ? 1 : utf8_decode(at, (size_t)(end - at), &code);
        if (!size || (code >= 0x80 && !is_simple_character(code)))
            return false;
        at += size;
    }
    return true;
}

static uint32_t offset_of(const struct simple *s, const char *at)
{
    return (uint32_t)(at - s->source);
}

static bool ends_line(const struct simple *s, const char *at)
{
    return at == s->end || *at == '\n';
}

static bool ends_word(const struct simple *s, const char *at)
{
    return ends_line(s, at) || *at == ' ';
}

static void skip_spaces(struct simple *s)
{
    while (s->at < s->end && *s->at == ' ')
        s->at++;
}

static bool is_dash(const struct simple *s)
{
    return *s->at == '-' && ends_word(s, s->at + 1);
}

static bool is_colon(const struct simple *s)
{
    return s->at < s->end && *s->at == ':' && ends_word(s, s->at + 1);
}

/* Goes to the next line, if nothing but a comment follows on this one. */
static bool end_line(struct simple *s)
{
    bool spaced = s->at < s->end && *s->at == ' ';
    skip_spaces(s);
    if (!ends_line(s, s->at) && !(spaced && *s->at == '#'))
        return false;
    const char *line_feed = memchr(s->at, '\n', (size_t)(s->end - s->at));
    s->at = line_feed ? line_feed + 1 : s->end;
    return true;
}

/* Goes to the first character of the next line that is not empty and no comment. False: there is none. */
static bool next_line(struct simple *s, uint32_t *column)
{
    while (s->at < s->end) {
        const char *line = s->at;
        skip_spaces(s);
        *column = (uint32_t)(s->at - line);
        if (!ends_line(s, s->at) && *s->at != '#')
            return true;
        const char *line_feed = memchr(s->at, '\n', (size_t)(s->end - s->at));
        s->at = line_feed ? line_feed + 1 : s->end;
    }
    return false;
}

/* ---- words ---- */

/* One line without escapes: its text is that between the quotes. */
static bool take_quoted(struct simple *s, struct simple_word *word)
{
    const char quote = *s->at, *at = s->at + 1;
    while (!ends_line(s, at) && *at != quote && !(quote == '"' && *at == '\\'))
        at++;
    if (ends_line(s, at) || *at != quote) /* '' is text, too: no end of a line follows it */
        return false;
    *word = (struct simple_word){ .span = { offset_of(s, s->at), offset_of(s, at + 1) }, .quoted = true };
    s->at = at + 1;
    return true;
}

/* Up to a colon, a comment or the end of the line. */
static bool take_plain(struct simple *s, struct simple_word *word)
{
    const char *at = s->at, *last = at;
    if (memchr("?:,[]{}#&*!|>'\"%@`", *at, 18) || is_dash(s))
        return false;
    for (; !ends_line(s, at); at++) {
        if (*at == ' ')
            continue;
        if ((*at == ':' && ends_word(s, at + 1)) || (*at == '#' && at[-1] == ' '))
            break;
        last = at + 1;
    }
    *word = (struct simple_word){ .span = { offset_of(s, s->at), offset_of(s, last) } };
    s->at = last;
    return true;
}

static bool take_word(struct simple *s, struct simple_word *word)
{
    return *s->at == '"' || *s->at == '\'' ? take_quoted(s, word) : take_plain(s, word);
}

static bool resolve(const struct simple *s, const struct simple_word *word, struct scalar *scalar)
{
    const uint32_t quote = word->quoted;
    const struct bytes text = { s->source + word->span.offset + quote, word->span.end - word->span.offset - 2 * quote };
    return scalar_resolve(text, quote ? SCALAR_TAG_OTHER : SCALAR_PLAIN, scalar);
}

/* ---- values ---- */

static struct simple_place *top_place(struct simple *s)
{
    return &s->places[s->r->depth - 1];
}

static bool add_scalar(struct simple *s, struct yaml_span span, const struct scalar *scalar)
{
    yaml_begin_value(s->r);
    if (!yaml_add_scalar(s->r, span, scalar))
        return false;
    yaml_end_value(s->r, span.end, 0);
    return true;
}

static bool add_word(struct simple *s, const struct simple_word *word)
{
    struct scalar scalar;
    return resolve(s, word, &scalar) && add_scalar(s, word->span, &scalar);
}

/* The value of a key or dash after which nothing is written. */
static bool add_nothing(struct simple *s)
{
    const struct scalar scalar = { .type = SCALAR_NULL };
    uint32_t at = top_place(s)->empty;
    return add_scalar(s, (struct yaml_span){ at, at }, &scalar);
}

/* A mapping or sequence begins here, with its keys or dashes in that column. */
static bool begin_level(struct simple *s, enum doc_type type, uint32_t column)
{
    const struct yaml_level *outer = yaml_top(s->r);
    const uint32_t offset = offset_of(s, s->at);
    struct yaml_level level = { .depth = (uint8_t)(outer ? outer->depth + 1 : 1), .end = offset + 1 };
    yaml_begin_value(s->r);
    level.node = yaml_add_node(s->r, (struct yaml_span){ offset, offset });
    if (!level.node)
        return false;
    level.node->type = (uint8_t)type;
    if (!yaml_open_level(s->r, &level, offset))
        return false;
    *top_place(s) = (struct simple_place){ .column = column };
    return true;
}

static bool end_level(struct simple *s)
{
    if (yaml_top(s->r)->has_key && !add_nothing(s))
        return false;
    const struct yaml_level level = *yaml_top(s->r);
    level.node->size = level.end - level.node->offset;
    if (level.node->type == DOC_OBJECT && !yaml_check_names(s->r, &level))
        return false;
    s->r->depth--;
    yaml_end_value(s->r, level.end, level.height + 1u);
    return true;
}

/* ---- texts after | ---- */

/* The column of the text: that of its first line with anything on it. 0: it has none, or libyaml has to see. */
static uint32_t text_column(const struct simple *s)
{
    uint32_t most = 0;
    for (const char *at = s->at; at < s->end; at++) {
        const char *line = at;
        while (at < s->end && *at == ' ')
            at++;
        const uint32_t column = (uint32_t)(at - line);
        if (!ends_line(s, at))
            return column >= most ? column : 0;
        most = column > most ? column : most;
    }
    return 0;
}

/* Takes the next line, with its line feed, if it belongs to the text. */
static bool take_text_line(struct simple *s, uint32_t column, struct bytes *line)
{
    const char *at = s->at, *line_feed = memchr(at, '\n', (size_t)(s->end - at)), *end = line_feed ? line_feed : s->end;
    if (at == s->end)
        return false;
    for (uint32_t i = 0; i < column && at < end && *at == ' '; i++)
        at++;
    if (at < end && at < s->at + column)
        return false;
    *line = (struct bytes){ at, (uint32_t)(end - at) };
    s->at = line_feed ? line_feed + 1 : end;
    return true;
}

/* The text and the end of what is written of it. It has at most as many bytes as its lines, and one for the last. */
static bool join_lines(struct simple *s, uint32_t column, bool stripped, struct bytes *text, uint32_t *written)
{
    struct arena *arena = s->r->input->arena;
    const char *begin = s->at;
    struct bytes line;
    while (take_text_line(s, column, &line))
        ;
    char *copy = arena_text(arena, (size_t)(s->at - begin) + 1), *at = copy, *last = copy;
    if (!copy)
        return yaml_fail_memory(s->r, offset_of(s, begin));
    for (s->at = begin; take_text_line(s, column, &line); *at++ = '\n') {
        memcpy(at, line.data, line.length);
        at += line.length;
        last = line.length ? at : last;
    }
    if (!stripped)
        *last++ = '\n';
    arena_take_back(arena, last);
    *text = (struct bytes){ copy, (uint32_t)(last - copy) };
    const char *end = s->at;
    while (end[-1] == ' ' || end[-1] == '\n')
        end--;
    *written = offset_of(s, end);
    return true;
}

static bool add_text(struct simple *s)
{
    const uint32_t begin = offset_of(s, s->at);
    uint32_t written = begin;
    struct scalar scalar = { .type = SCALAR_STRING };
    bool stripped = s->end - s->at > 1 && s->at[1] == '-';
    s->at += stripped ? 2 : 1;
    if (!end_line(s))
        return false;
    uint32_t column = text_column(s);
    return column > top_place(s)->column && join_lines(s, column, stripped, &scalar.text, &written) &&
           add_scalar(s, (struct yaml_span){ begin, written }, &scalar);
}

/* ---- brackets ---- */

static bool is_listed(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || (character >= '0' && character <= '9') ||
           memchr("_./-", character, 4);
}

/* A word of letters and digits, which means the same with and without brackets around it. */
static bool add_listed(struct simple *s)
{
    struct simple_word word = { .span = { offset_of(s, s->at), 0 } };
    if (s->at < s->end && (*s->at == '"' || *s->at == '\''))
        return take_quoted(s, &word) && add_word(s, &word);
    if (s->at == s->end || *s->at == '-' || !is_listed(*s->at))
        return false;
    while (s->at < s->end && is_listed(*s->at))
        s->at++;
    word.span.end = offset_of(s, s->at);
    return add_word(s, &word);
}

/* A list of words on one line, or nothing in brackets or braces. */
static bool add_brackets(struct simple *s)
{
    const bool object = *s->at == '{';
    if (!begin_level(s, object ? DOC_OBJECT : DOC_ARRAY, 0))
        return false;
    bool more = s->end - s->at > 1 && s->at[1] != (object ? '}' : ']');
    if (more && object)
        return false;
    for (s->at++; more; s->at += more) {
        skip_spaces(s);
        if (!add_listed(s))
            return false;
        skip_spaces(s);
        more = s->at < s->end && *s->at == ',';
    }
    if (s->at == s->end || *s->at != (object ? '}' : ']'))
        return false;
    yaml_top(s->r)->end = offset_of(s, ++s->at);
    return end_level(s);
}

/* ---- lines ---- */

/* What stands after a key or dash. */
static bool take_value(struct simple *s)
{
    struct simple_word word;
    if (*s->at == '|')
        return add_text(s);
    if (*s->at == '[' || *s->at == '{')
        return add_brackets(s) && end_line(s);
    return take_word(s, &word) && add_word(s, &word) && end_line(s);
}

/* Takes the word as the key in the mapping at the top, and the colon after it. */
static bool take_key(struct simple *s, const struct simple_word *key)
{
    struct yaml_level *level = yaml_top(s->r);
    struct scalar scalar;
    if (!is_colon(s) || key->span.end - key->span.offset > MOST_KEY_BYTES || !resolve(s, key, &scalar))
        return false;
    if (scalar.type == SCALAR_STRING && bytes_equal_text(scalar.text, "<<"))
        return false;
    level->end = key->span.end > level->end ? key->span.end : level->end;
    s->at++;
    top_place(s)->empty = offset_of(s, s->at);
    return yaml_take_key(s->r, key->span, &scalar);
}

/* Whether nothing but a comment follows a colon or dash; goes to the next line then. */
static bool take_nothing(struct simple *s)
{
    const char *at = s->at;
    if (end_line(s))
        return true;
    s->at = at;
    skip_spaces(s);
    return false;
}

/* Takes the dashes at the top's column and further right; *column is that of what follows them. *done: nothing does. */
static bool take_dashes(struct simple *s, uint32_t *column, bool *done)
{
    while (!*done && is_dash(s)) {
        if (top_place(s)->column != *column && !begin_level(s, DOC_ARRAY, *column))
            return false;
        const char *dash = s->at++;
        yaml_top(s->r)->has_key = true;
        top_place(s)->empty = offset_of(s, s->at);
        *done = take_nothing(s);
        *column += (uint32_t)(s->at - dash);
    }
    return true;
}

/* The rest of a line whose level is at the top. */
static bool take_line(struct simple *s, uint32_t column)
{
    struct simple_word word;
    bool done = false;
    if (!take_dashes(s, &column, &done) || done)
        return done;
    if (memchr("|[{", *s->at, 3))
        return yaml_top(s->r)->node->type == DOC_ARRAY && take_value(s);
    const char *begin = s->at;
    if (!take_word(s, &word))
        return false;
    bool array = yaml_top(s->r)->node->type == DOC_ARRAY;
    if (array && !is_colon(s))
        return add_word(s, &word) && end_line(s);
    const char *end = s->at;
    s->at = begin;
    if (array && !begin_level(s, DOC_OBJECT, column))
        return false;
    s->at = end;
    return take_key(s, &word) && (take_nothing(s) || take_value(s));
}

/* Closes levels further right than the line, and opens one if it begins one. False also for a line in a column of no level. */
static bool find_level(struct simple *s, uint32_t column)
{
    const bool dash = is_dash(s);
    while (s->r->depth && top_place(s)->column > column)
        if (!end_level(s))
            return false;
    const struct yaml_level *top = yaml_top(s->r);
    if (!top)
        return !s->r->root && begin_level(s, dash ? DOC_ARRAY : DOC_OBJECT, column);
    if (top_place(s)->column < column)
        return top->has_key && begin_level(s, dash ? DOC_ARRAY : DOC_OBJECT, column);
    const bool array = top->node->type == DOC_ARRAY;
    if (dash && !array)
        return top->has_key && begin_level(s, DOC_ARRAY, column); /* the list of a key in the column of the key */
    if (array && !dash) {
        if (!end_level(s) || !s->r->depth || top_place(s)->column != column)
            return false;
    }
    return !yaml_top(s->r)->has_key || add_nothing(s);
}

static bool begins_with(const struct simple *s, const char *three)
{
    return s->end - s->at >= 3 && memcmp(s->at, three, 3) == 0;
}

/* Goes past the line that separates the document from the one before it. */
static bool skip_separator(struct simple *s)
{
    if (!begins_with(s, "---"))
        return true;
    s->at += 3;
    return end_line(s);
}

static bool is_separator(const struct simple *s, uint32_t column)
{
    return column == 0 && (begins_with(s, "---") || begins_with(s, "..."));
}

bool yaml_read_simple(struct yaml_reader *r)
{
    struct simple s; /* not cleared: places are set as levels open */
    uint32_t column;
    s.r = r;
    s.source = r->input->source.data;
    s.at = s.source + r->chunk.start;
    s.end = s.source + r->chunk.end;
    if (!has_simple_characters(&s) || !skip_separator(&s))
        return false;
    while (next_line(&s, &column))
        if (is_separator(&s, column) || !find_level(&s, column) || !take_line(&s, column))
            return false;
    while (r->depth)
        if (!end_level(&s))
            return false;
    return r->root;
}
