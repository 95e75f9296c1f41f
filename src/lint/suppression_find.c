/* Finds suppressions: comments are searched in the text, and those that are part of a scalar are left out by the trees. */
#include <string.h>

#include "base/near.h"
#include "lint/suppression.h"

static const char mark[] = "drawbridge:";
static const char annotation[] = "drawbridge.dev/ignore";

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* ---- what is written ---- */

static struct bytes trimmed(struct bytes text)
{
    while (text.length && is_blank(*text.data)) {
        text.data++;
        text.length--;
    }
    while (text.length && is_blank(text.data[text.length - 1]))
        text.length--;
    return text;
}

static void refuse(struct suppression *suppression, struct bytes wrong, const char *mistake, struct bytes meant)
{
    if (suppression->mistake)
        return;
    suppression->wrong = wrong;
    suppression->mistake = mistake;
    suppression->meant = meant;
}

static void read_rule(struct suppression *suppression, struct bytes id)
{
    struct nearest nearest = { .wanted = id };
    enum rule rule = rule_find(id);
    if (bytes_equal_text(id, "all"))
        suppression->all = true;
    else if (rule < RULE_COUNT)
        suppression->rules[rule] = true;
    if (rule < RULE_COUNT || bytes_equal_text(id, "all"))
        return;
    rules_consider(&nearest);
    refuse(suppression, id, "is no rule: 'drawbridge rules' lists them", nearest.found);
}

/* Ids between commas. */
static void read_rules(struct suppression *suppression, struct bytes list)
{
    while (list.length) {
        const char *comma = memchr(list.data, ',', list.length);
        uint32_t length = comma ? (uint32_t)(comma - list.data) : list.length;
        read_rule(suppression, trimmed((struct bytes){ list.data, length }));
        length += comma != NULL;
        list = (struct bytes){ list.data + length, list.length - length };
    }
}

static const char *kept_reason(struct arena *arena, struct bytes text)
{
    text.length = text.length < LIMIT_REASON_BYTES ? text.length : LIMIT_REASON_BYTES;
    char *copy = arena_text(arena, text.length + 1u);
    if (!copy)
        return "";
    memcpy(copy, text.data, text.length);
    copy[text.length] = '\0';
    return copy;
}

/* What follows "drawbridge:" on its line. False: it is no suppression, nor meant to be one. */
static bool read_words(struct suppression *suppression, struct bytes text, struct arena *arena)
{
    static const struct bytes ignore = BYTES("ignore"), ignore_file = BYTES("ignore-file"), none = { "", 0 };
    uint32_t length = 0;
    text = trimmed(text);
    while (length < text.length && ((text.data[length] >= 'a' && text.data[length] <= 'z') || text.data[length] == '-'))
        length++;
    struct bytes word = { text.data, length }, rest = { text.data + length, text.length - length };
    const char *close = rest.length && *rest.data == '[' ? memchr(rest.data, ']', rest.length) : NULL;
    suppression->scope = bytes_equal(word, ignore_file) ? SUPPRESSION_FILE : SUPPRESSION_NOWHERE;
    suppression->reason = "";
    if (!bytes_equal(word, ignore) && !bytes_equal(word, ignore_file)) {
        bool file = near_is_typo(ignore_file, word);
        refuse(suppression, word, "is no word of drawbridge", file ? ignore_file : ignore);
        return file || near_is_typo(ignore, word);
    }
    if (!close) {
        refuse(suppression, word, "names no rules: write them in brackets, [rule, rule]", none);
        return true;
    }
    uint32_t size = (uint32_t)(close - rest.data);
    read_rules(suppression, (struct bytes){ rest.data + 1, size - 1 });
    if (size <= 1)
        refuse(suppression, word, "names no rules: write them in brackets, [rule, rule]", none);
    suppression->reason = kept_reason(arena, trimmed((struct bytes){ close + 1, rest.length - size - 1 }));
    return true;
}

/* ---- comments ---- */

static struct suppression *add(struct suppressions *found)
{
    if (found->count == LIMIT_SUPPRESSIONS) {
        found->more = true;
        return NULL;
    }
    found->list[found->count] = (struct suppression){ .scope = SUPPRESSION_NOWHERE };
    return &found->list[found->count];
}

/* The # before the mark, if nothing but blanks is between them; NULL: there is none. */
static const char *comment_before(const char *text, const char *at)
{
    while (at > text && is_blank(at[-1]))
        at--;
    bool found = at > text && at[-1] == '#' && (at - 1 == text || is_blank(at[-2]) || at[-2] == '\n');
    return found ? at - 1 : NULL;
}

static void find_comments(const struct source *source, struct arena *arena, struct suppressions *found)
{
    const char *text = source->text.data, *end = text + source->text.length, *at = text;
    while (at < end && (at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1)) && !found->more) {
        const char *start = comment_before(text, at), *after = at + sizeof mark - 1, *lf = memchr(after, '\n', (size_t)(end - after));
        const char *line_end = lf ? lf : end;
        struct suppression *suppression = start ? add(found) : NULL;
        if (suppression && read_words(suppression, (struct bytes){ after, (uint32_t)(line_end - after) }, arena)) {
            suppression->offset = (uint32_t)(start - text);
            suppression->size = (uint32_t)(line_end - start) - (line_end > start && line_end[-1] == '\r');
            found->count++;
        }
        at = suppression ? line_end : after;
    }
}

/* ---- the lines for which they count ---- */

struct lines_pass {
    struct suppressions *found;
    uint32_t next;    /* the first comment that is not behind */
    uint32_t pending; /* … that waits for the next line with content: from here up to next */
    uint32_t part, part_from; /* the first comment of this part of the file, and its offset */
    uint32_t heads;   /* comments at the head of the document: from `part` up to here */
    bool content;     /* the part has some already */
};

static void end_part(struct lines_pass *pass, uint32_t offset)
{
    for (uint32_t i = pass->part; i < pass->next; i++) {
        pass->found->list[i].part_from = pass->part_from;
        pass->found->list[i].part_to = offset;
    }
    for (uint32_t i = pass->part; i < pass->heads; i++)
        pass->found->list[i].to = offset;
}

static void take_range(struct lines_pass *pass, uint32_t first, uint32_t from, uint32_t to)
{
    for (uint32_t i = first; i < pass->next; i++) {
        struct suppression *suppression = &pass->found->list[i];
        suppression->from = from;
        suppression->to = to;
        suppression->scope = suppression->scope == SUPPRESSION_FILE ? SUPPRESSION_FILE : SUPPRESSION_LINE;
    }
}

static void take_line(struct lines_pass *pass, struct bytes text, uint32_t start, uint32_t end)
{
    const uint32_t before = pass->next;
    uint32_t first = start;
    while (first < end && is_blank(text.data[first]))
        first++;
    while (pass->next < pass->found->count && pass->found->list[pass->next].offset < end)
        pass->next++;
    bool separator = end - start >= 3 && memcmp(text.data + start, "---", 3) == 0;
    if (separator) {
        const uint32_t after = pass->next;
        pass->next = before;
        end_part(pass, start);
        if (pass->content) /* what waits stood after the end of its document */
            pass->part = pass->heads = pass->pending = before;
        pass->next = after;
        pass->part_from = start;
        pass->content = false;
    } else if (first < end && text.data[first] != '#') {
        uint32_t after = pass->next;
        pass->next = before;
        take_range(pass, pass->pending, start, end);
        pass->heads = pass->content ? pass->heads : before;
        pass->next = after;
        take_range(pass, before, start, end);
        pass->pending = after;
        pass->content = true;
    }
}

static void find_lines(struct bytes text, struct suppressions *found)
{
    struct lines_pass pass = { .found = found };
    for (uint32_t start = 0; start < text.length && found->count;) {
        const char *lf = memchr(text.data + start, '\n', text.length - start);
        uint32_t end = lf ? (uint32_t)(lf - text.data) : text.length;
        take_line(&pass, text, start, end);
        start = end + 1;
    }
    end_part(&pass, text.length);
}

/* ---- what is no comment ---- */

/* The first comment at or after that byte. */
static uint32_t first_from(const struct suppressions *found, uint32_t offset)
{
    uint32_t low = 0, high = found->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (found->list[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Comments in there are text. Aliases bring the same bytes again: then they are marked already. */
static void leave_out(const struct suppressions *found, uint32_t from, uint32_t to)
{
    uint32_t i = first_from(found, from);
    if (i < found->count && found->list[i].inside >= to)
        return;
    for (; i < found->count && found->list[i].offset < to; i++)
        found->list[i].inside = to;
}

/* What begins on the line of a comment counts whole. */
static void extend(const struct suppressions *found, uint32_t offset, uint32_t end)
{
    uint32_t low = 0, high = found->count;
    while (low < high) { /* targets are in the order of the comments */
        uint32_t middle = low + (high - low) / 2;
        if (found->list[middle].from <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low; i > 0 && found->list[i - 1].from <= offset && found->list[i - 1].to > offset; i--) {
        if (found->list[i - 1].to >= end)
            break;
        found->list[i - 1].to = end;
    }
}

static void visit_scalar(const struct source *source, const struct doc_node *node, const struct suppressions *found)
{
    const char *text = source->text.data;
    uint32_t from = node->offset, end = node->offset + node->size;
    const char *lf = node->size ? memchr(text + from, '\n', node->size) : NULL;
    if (!node->size || end > source->text.length)
        return;
    if (lf)
        extend(found, from, end);
    if (lf && (text[from] == '|' || text[from] == '>')) /* a comment may follow the header of a block scalar */
        from = (uint32_t)(lf - text);
    leave_out(found, from, end);
}

/* A name in quotes may contain anything. */
static void visit_name(const struct source *source, const struct doc_node *member, const struct suppressions *found)
{
    const uint32_t at = member->name_offset;
    const char *text = source->text.data;
    if (!member->name_length || at >= source->text.length || (text[at] != '"' && text[at] != '\''))
        return;
    uint32_t next = first_from(found, at), end = at + 1;
    uint32_t room = source->text.length - at, limit = at + (room < 8 * member->name_length + 2 ? room : 8 * member->name_length + 2);
    if (next == found->count || found->list[next].offset > limit)
        return;
    while (end < limit && text[end] != text[at])
        end += text[end] == '\\' && text[at] == '"' ? 2 : 1;
    leave_out(found, at, end);
}

/* Trees are at most LIMIT_DEPTH deep. */
static void visit(const struct source *source, const struct doc_node *node, const struct suppressions *found)
{
    if (node->name)
        visit_name(source, node, found);
    if (node->type == DOC_STRING || node->type == DOC_SKIPPED)
        visit_scalar(source, node, found);
    doc_each(node, child)
        visit(source, child, found);
}

/* Nobody knows what is a comment in a part that cannot be read. */
static void leave_out_unreadable(const struct source *source, struct suppressions *found)
{
    for (const struct item *item = source->first; item; item = item->next)
        for (uint32_t i = 0; item->type == ITEM_UNREADABLE && i < found->count; i++)
            if (item->error.offset >= found->list[i].part_from && item->error.offset <= found->list[i].part_to)
                found->list[i].inside = UINT32_MAX;
}

static void forget_text(struct suppressions *found)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < found->count; i++)
        if (!found->list[i].inside)
            found->list[kept++] = found->list[i];
    found->count = kept;
}

/* ---- annotations ---- */

static void find_annotation(const struct item *item, struct suppressions *found)
{
    const struct doc_node *list = doc_member(doc_member(item->node, "metadata"), "annotations"), *value = doc_member(list, annotation);
    struct suppression *suppression = value && value->type == DOC_STRING ? add(found) : NULL;
    if (!suppression)
        return;
    suppression->scope = SUPPRESSION_OBJECT;
    suppression->item = item;
    suppression->offset = value->offset;
    suppression->size = value->size;
    suppression->reason = "";
    read_rules(suppression, trimmed(doc_text(value)));
    if (!trimmed(doc_text(value)).length)
        refuse(suppression, bytes_of(annotation), "names no rules", (struct bytes){ "", 0 });
    found->count++;
}

static bool has(struct bytes text, const char *word)
{
    return text.length && memmem(text.data, text.length, word, strlen(word));
}

enum failure suppressions_find(const struct source *source, struct arena *arena, struct suppressions *found)
{
    bool comments = has(source->text, mark), annotations = has(source->text, annotation);
    *found = (struct suppressions){ .list = NULL };
    if (!comments && !annotations)
        return FAILURE_NONE;
    found->list = arena_alloc(arena, LIMIT_SUPPRESSIONS * sizeof *found->list);
    if (!found->list)
        return arena->failure;
    if (comments) {
        const struct document *before = NULL;
        find_comments(source, arena, found);
        find_lines(source->text, found);
        for (const struct item *item = source->first; item && found->count; item = item->next) {
            if (item->document && item->document != before)
                visit(source, item->document->root, found);
            before = item->document;
        }
        leave_out_unreadable(source, found);
        forget_text(found);
    }
    for (const struct item *item = annotations ? source->first : NULL; item; item = item->next)
        if (item->type != ITEM_UNREADABLE && item->node)
            find_annotation(item, found);
    return arena->failure;
}
