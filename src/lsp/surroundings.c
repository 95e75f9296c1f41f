#include "lsp/surroundings.h"

/* ---- YAML ---- */

/* A line of block YAML: "  - key: value". */
struct line {
    uint32_t start, end;   /* in the text, without the line's end */
    uint32_t column;       /* of the key, or of what stands there */
    uint32_t dash;         /* column of the last dash before it; NO_DASH: none */
    struct bytes key;      /* without quotes; length 0: there is no key */
    uint32_t value;        /* offset of what follows the colon and spaces */
    bool blank;            /* empty, or a comment */
};

enum { NO_DASH = UINT32_MAX };

static bool is_separator(struct bytes text, uint32_t at)
{
    return text.length - at >= 3 && memcmp(text.data + at, "---", 3) == 0;
}

/* The colon that ends a key, or `end`. */
static uint32_t find_colon(struct bytes text, uint32_t at, uint32_t end)
{
    char quote = at < end && (text.data[at] == '"' || text.data[at] == '\'') ? text.data[at] : '\0';
    if (quote)
        for (at++; at < end && text.data[at] != quote;)
            at++;
    for (; at < end; at++)
        if (text.data[at] == ':' && (at + 1 == end || text.data[at + 1] == ' '))
            return at;
        else if (text.data[at] == '#' && at && text.data[at - 1] == ' ')
            return end;
    return end;
}

static struct bytes without_quotes(struct bytes text, uint32_t from, uint32_t to)
{
    while (to > from && text.data[to - 1] == ' ')
        to--;
    bool quoted = to - from >= 2 && (text.data[from] == '"' || text.data[from] == '\'') && text.data[to - 1] == text.data[from];
    return (struct bytes){ text.data + from + quoted, to - from - 2u * quoted };
}

static struct line line_at(struct bytes text, uint32_t start)
{
    const char *end = memchr(text.data + start, '\n', text.length - start);
    struct line line = { .start = start, .end = end ? (uint32_t)(end - text.data) : text.length, .dash = NO_DASH };
    if (line.end > start && text.data[line.end - 1] == '\r')
        line.end--;
    uint32_t at = start;
    for (; at < line.end && (text.data[at] == ' ' || text.data[at] == '-'); at++)
        if (text.data[at] == '-' && (at + 1 == line.end || text.data[at + 1] == ' '))
            line.dash = at - start;
        else if (text.data[at] == '-')
            break;
    line.column = at - start;
    line.blank = (at == line.end && line.dash == NO_DASH) || (at < line.end && text.data[at] == '#');
    uint32_t colon = find_colon(text, at, line.end);
    if (colon < line.end && !line.blank) {
        line.key = without_quotes(text, at, colon);
        for (line.value = colon + 1; line.value < line.end && text.data[line.value] == ' ';)
            line.value++;
    }
    return line;
}

/* The line before; false: it is the first one of its document. */
static bool line_before(struct bytes text, const struct line *line, struct line *before)
{
    if (!line->start)
        return false;
    uint32_t start = line->start - 1;
    while (start && text.data[start - 1] != '\n')
        start--;
    *before = line_at(text, start);
    return !is_separator(text, start);
}

static bool line_after(struct bytes text, const struct line *line, struct line *after)
{
    const char *end = memchr(text.data + line->end, '\n', text.length - line->end);
    if (!end)
        return false;
    *after = line_at(text, (uint32_t)(end - text.data) + 1);
    return !is_separator(text, after->start);
}

static void add_sibling(struct surroundings *around, struct bytes key)
{
    if (key.length && around->sibling_count < LIMIT_LSP_SIBLINGS)
        around->siblings[around->sibling_count++] = key;
}

/* What the walk up knows: keys of the objects around stand in `column`, or left of it. */
struct climb {
    uint32_t column;
    bool in_item; /* below a dash in that column, beside which the list's own key may stand */
};

/* Takes the line of a parent: the climb goes on from there. */
static void climb_to(struct surroundings *around, struct climb *climb, const struct line *line)
{
    if (around->depth < LIMIT_LSP_DEPTH)
        around->path[around->depth++] = line->key;
    climb->column = line->dash != NO_DASH ? line->dash : line->column;
    climb->in_item = line->dash != NO_DASH;
}

/* Keys beside the cursor, and the keys of the objects around. */
static void climb_up(struct bytes text, const struct line *from, struct surroundings *around)
{
    struct climb climb = { from->column, false };
    struct line line = *from;
    bool beside = true;
    if (from->dash != NO_DASH) {
        climb = (struct climb){ from->dash, true };
        beside = false;
    }
    while (line_before(text, &line, &line)) {
        if (line.blank)
            continue;
        if (beside && line.column == from->column) {
            add_sibling(around, line.key);
            if (line.dash == NO_DASH)
                continue;
            climb = (struct climb){ line.dash, true };
            beside = false;
            continue;
        }
        bool above = line.column < climb.column || (climb.in_item && line.column == climb.column && line.dash == NO_DASH);
        if (!above || !line.key.length)
            continue;
        beside = false;
        climb_to(around, &climb, &line);
    }
}

/* Keys beside the cursor in the lines after it. */
static void look_down(struct bytes text, const struct line *from, struct surroundings *around)
{
    struct line line = *from;
    while (line_after(text, &line, &line)) {
        if (line.blank || line.column > from->column)
            continue;
        if (line.column < from->column || line.dash != NO_DASH)
            return;
        add_sibling(around, line.key);
    }
}

/* The values of apiVersion and kind at the left edge of the document. */
static void read_heading(struct bytes text, const struct line *from, struct surroundings *around)
{
    struct line line = *from, before;
    while (line_before(text, &line, &before))
        line = before;
    do {
        if (line.column || line.blank || line.start == from->start)
            continue;
        const char *comment = line.key.length ? memmem(text.data + line.value, line.end - line.value, " #", 2) : NULL;
        struct bytes value = without_quotes(text, line.value, comment ? (uint32_t)(comment - text.data) : line.end);
        if (bytes_equal_text(line.key, "apiVersion"))
            around->api_version = value;
        else if (bytes_equal_text(line.key, "kind"))
            around->kind = value;
    } while (line_after(text, &line, &line));
}

static bool find_in_yaml(struct bytes text, uint32_t cursor, struct surroundings *around)
{
    uint32_t start = cursor;
    while (start && text.data[start - 1] != '\n')
        start--;
    struct line line = line_at(text, start);
    if ((line.blank && line.column < line.end - line.start) || is_separator(text, start) || cursor < line.start + line.column)
        return false;
    around->from = line.start + line.column;
    around->to = cursor;
    if (line.key.length && cursor >= line.value) {
        around->key = line.key;
        around->from = line.value;
        if (around->from < cursor && (text.data[around->from] == '"' || text.data[around->from] == '\'')) {
            around->quoted = true;
            around->from++;
        }
    }
    read_heading(text, &line, around);
    climb_up(text, &line, around);
    look_down(text, &line, around);
    return true;
}

/* ---- JSON ---- */

/* The last key of each object or array around. */
struct nesting {
    struct bytes keys[LIMIT_LSP_DEPTH];
    bool is_array[LIMIT_LSP_DEPTH];
    unsigned depth;
    bool value; /* a colon was the last thing */
};

/* A string has ended, or the cursor is in it: a key, or a value. */
static void json_string(struct surroundings *around, struct nesting *nesting, struct bytes string)
{
    unsigned top = nesting->depth - 1;
    if (!nesting->value) {
        nesting->keys[top] = string;
        return;
    }
    if (nesting->depth == 1 && bytes_equal_text(nesting->keys[0], "apiVersion"))
        around->api_version = string;
    if (nesting->depth == 1 && bytes_equal_text(nesting->keys[0], "kind"))
        around->kind = string;
}

static void json_bracket(struct nesting *nesting, char c)
{
    if (c == '}' || c == ']')
        nesting->depth -= nesting->depth > 0;
    else if (nesting->depth < LIMIT_LSP_DEPTH) {
        nesting->is_array[nesting->depth] = c == '[';
        nesting->keys[nesting->depth++] = (struct bytes){ NULL, 0 };
    }
    nesting->value = false;
}

/* The end of the string that begins after `at`, at most `end`. */
static uint32_t string_end(struct bytes text, uint32_t at, uint32_t end)
{
    for (at++; at < end && text.data[at] != '"'; at++)
        at += text.data[at] == '\\' && at + 1 < end;
    return at < end ? at : end;
}

/* apiVersion and kind often stand after the cursor. */
static void read_json_heading(struct bytes text, uint32_t end, struct surroundings *around, struct nesting *nesting)
{
    for (uint32_t at = 0; at < end; at++) {
        char c = text.data[at];
        if (c == '"') {
            uint32_t to = string_end(text, at, end);
            if (nesting->depth)
                json_string(around, nesting, (struct bytes){ text.data + at + 1, to - at - 1 });
            at = to;
        } else if (c == '{' || c == '[' || c == '}' || c == ']') {
            json_bracket(nesting, c);
        } else if (c == ':') {
            nesting->value = true;
        } else if (c == ',') {
            nesting->value = false;
        }
    }
}

static bool find_in_json(struct bytes text, uint32_t cursor, struct surroundings *around)
{
    struct nesting nesting = { .depth = 0 }, whole = { .depth = 0 };
    uint32_t from = cursor;
    around->is_json = true;
    while (from && text.data[from - 1] != '"' && !memchr("{}[]:,\n", text.data[from - 1], 7))
        from--;
    around->quoted = from && text.data[from - 1] == '"';
    while (!around->quoted && from < cursor && text.data[from] == ' ')
        from++;
    read_json_heading(text, text.length, around, &whole);
    read_json_heading(text, from - around->quoted, around, &nesting);
    if (!nesting.depth || nesting.is_array[nesting.depth - 1])
        return false;
    around->from = from;
    around->to = cursor;
    around->key = nesting.value ? nesting.keys[nesting.depth - 1] : (struct bytes){ NULL, 0 };
    for (unsigned i = nesting.depth - 1; i-- > 0;)
        if (!nesting.is_array[i])
            around->path[around->depth++] = nesting.keys[i];
    return true;
}

bool surroundings_find(struct bytes text, uint32_t cursor, struct surroundings *around)
{
    uint32_t at = 0;
    *around = (struct surroundings){ .depth = 0 };
    while (at < text.length && (text.data[at] == ' ' || text.data[at] == '\n' || text.data[at] == '\r' || text.data[at] == '\t'))
        at++;
    bool json = at < text.length && (text.data[at] == '{' || text.data[at] == '[');
    return json ? find_in_json(text, cursor, around) : find_in_yaml(text, cursor, around);
}
