#include "base/glob.h"

#include <ctype.h>

static const uint32_t NONE = UINT32_MAX;

uint32_t glob_plain(struct bytes pattern)
{
    uint32_t at = 0;
    while (at < pattern.length && !memchr("*?[\\", pattern.data[at], 4))
        at++;
    return at;
}

/* ---- sets of characters: [...] ---- */

static const struct class {
    const char *name;
    int (*holds)(int c);
} classes[] = {
    { "alnum", isalnum }, { "alpha", isalpha }, { "blank", isblank }, { "cntrl", iscntrl }, { "digit", isdigit }, { "graph", isgraph },
    { "lower", islower }, { "print", isprint }, { "punct", ispunct }, { "space", isspace }, { "upper", isupper }, { "xdigit", isxdigit },
};

static const struct class *find_class(struct bytes name)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (bytes_equal_text(name, classes[i].name))
            return &classes[i];
    return NULL;
}

/* A set that is being read. */
struct set {
    struct bytes pattern;
    uint32_t at;          /* of the next byte */
    unsigned char wanted; /* the character that is looked up */
    int before;           /* the character with which a range could begin; -1: none */
    bool found, broken;
};

/* The next character, without its backslash. */
static int next_character(struct set *set)
{
    if (set->at < set->pattern.length && set->pattern.data[set->at] == '\\')
        set->at++;
    set->broken |= set->at >= set->pattern.length;
    return set->broken ? -1 : (unsigned char)set->pattern.data[set->at++];
}

static void read_single(struct set *set)
{
    set->before = next_character(set);
    set->found |= set->before == set->wanted;
}

/* [:name:]. What only begins like one is a bracket. */
static void read_class(struct set *set)
{
    uint32_t start = set->at + 2, end = start;
    while (end < set->pattern.length && set->pattern.data[end] != ']')
        end++;
    if (end < set->pattern.length && (end == start || set->pattern.data[end - 1] != ':')) {
        read_single(set);
        return;
    }
    const struct class *class = end < set->pattern.length ? find_class((struct bytes){ set->pattern.data + start, end - 1 - start }) : NULL;
    set->broken |= !class;
    set->found |= class && class->holds(set->wanted) != 0;
    set->before = -1;
    set->at = end + 1;
}

static void read_member(struct set *set)
{
    const char *at = set->pattern.data + set->at;
    uint32_t left = set->pattern.length - set->at;
    if (*at == '-' && set->before >= 0 && left > 1 && at[1] != ']') {
        set->at++;
        int last = next_character(set);
        set->found |= set->before <= set->wanted && set->wanted <= last;
        set->before = -1;
    } else if (*at == '[' && left > 1 && at[1] == ':') {
        read_class(set);
    } else {
        read_single(set);
    }
}

/* Reads the set whose bracket is at *at, and sets *at to what follows it. Returns whether the character is in it. NONE in *at: the set
 * does not end, and nothing matches. */
static bool in_set(struct bytes pattern, uint32_t *at, char c)
{
    struct set set = { .pattern = pattern, .at = *at + 1, .wanted = (unsigned char)c, .before = -1 };
    bool negated = set.at < pattern.length && (pattern.data[set.at] == '!' || pattern.data[set.at] == '^');
    set.at += negated;
    uint32_t first = set.at;
    while (!set.broken && set.at < pattern.length && (set.at == first || pattern.data[set.at] != ']'))
        read_member(&set);
    set.broken |= set.at >= pattern.length;
    *at = set.broken ? NONE : set.at + 1;
    return !set.broken && set.found != negated;
}

/* ---- names ---- */

/* Whether the part of the pattern at *at, which is no star, matches the character; *at is then after it. */
static bool matches_one(struct bytes pattern, uint32_t *at, char c)
{
    uint32_t end = *at + 1;
    bool good = false;
    switch (pattern.data[*at]) {
    case '?':  good = true; break;
    case '[':  end = *at; good = in_set(pattern, &end, c); break;
    case '\\': good = end < pattern.length && pattern.data[end] == c; end++; break;
    default:   good = pattern.data[*at] == c; break;
    }
    if (good)
        *at = end;
    return good;
}

bool glob_matches_name(struct bytes pattern, struct bytes name)
{
    uint32_t p = 0, n = 0, star = NONE, mark = 0; /* what is after the last star, and where the name went on from there */
    for (;;) {
        if (p < pattern.length && pattern.data[p] == '*') {
            star = ++p;
            mark = n;
        } else if (n == name.length) {
            return p == pattern.length;
        } else if (p < pattern.length && matches_one(pattern, &p, name.data[n])) {
            n++;
        } else if (star == NONE) {
            return false;
        } else {
            p = star;
            n = ++mark;
        }
    }
}

/* ---- paths ---- */

/* The part up to the next slash that is in no set. A backslash before that slash belongs to it. */
static struct bytes pattern_part(struct bytes pattern, uint32_t start, uint32_t *next)
{
    uint32_t at = start, end = pattern.length;
    *next = pattern.length + 1;
    while (at < pattern.length) {
        uint32_t after = at + 1;
        bool escaped = pattern.data[at] == '\\' && after < pattern.length;
        if (pattern.data[at] == '/' || (escaped && pattern.data[after] == '/')) {
            end = at;
            *next = after + escaped;
            break;
        }
        if (pattern.data[at] == '[') {
            uint32_t closed = at;
            (void)in_set(pattern, &closed, '\0');
            after = closed == NONE ? after : closed;
        }
        at = after + escaped;
    }
    return (struct bytes){ pattern.data + start, end - start };
}

static struct bytes path_part(struct bytes path, uint32_t start, uint32_t *next)
{
    const char *slash = start < path.length ? memchr(path.data + start, '/', path.length - start) : NULL;
    uint32_t end = slash ? (uint32_t)(slash - path.data) : path.length;
    *next = end + 1;
    return (struct bytes){ path.data + start, end - start };
}

static bool is_any_folders(struct bytes part)
{
    uint32_t stars = 0;
    while (stars < part.length && part.data[stars] == '*')
        stars++;
    return stars == part.length && stars > 1;
}

/* Both part by part, as names are matched character by character: what could not follow the last ** is tried one folder further down. */
static bool matches_parts(struct bytes pattern, struct bytes path)
{
    uint32_t p = 0, t = 0, star = NONE, mark = 0, next_p = 0, next_t = 0;
    for (;;) {
        struct bytes part = { "", 0 };
        bool has_part = p <= pattern.length, has_folder = t <= path.length;
        if (has_part)
            part = pattern_part(pattern, p, &next_p);
        if (has_part && is_any_folders(part)) {
            if (next_p > pattern.length)
                return has_folder;
            star = p = next_p;
            mark = t;
        } else if (!has_part && !has_folder) {
            return true;
        } else if (has_part && has_folder && glob_matches_name(part, path_part(path, t, &next_t))) {
            p = next_p;
            t = next_t;
        } else if (star == NONE || mark > path.length) {
            return false;
        } else {
            (void)path_part(path, mark, &mark);
            p = star;
            t = mark;
        }
    }
}

bool glob_matches_path(struct bytes pattern, struct bytes path)
{
    uint32_t plain = glob_plain(pattern); /* taken off first, as git does: two stars after it begin a part, whatever it ends with */
    if (plain > path.length || memcmp(pattern.data, path.data, plain) != 0)
        return false;
    if (plain == pattern.length)
        return plain == path.length;
    return matches_parts((struct bytes){ pattern.data + plain, pattern.length - plain },
                         (struct bytes){ path.data + plain, path.length - plain });
}
