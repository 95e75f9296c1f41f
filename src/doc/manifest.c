#include "doc/manifest.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "doc/json.h"
#include "doc/yaml.h"

enum {
    GUESS_BYTES = 4096, /* kubectl searches that far for a brace at the beginning, which means JSON */
    RETRY_BYTES = 4,    /* with fewer bytes left kubectl does not try YAML after JSON */
};

void manifest_init(struct manifest *manifest, struct bytes source, struct arena *arena, struct map_key key)
{
    *manifest = (struct manifest){ .source = source, .arena = arena, .key = key };
}

/* The size of the white space character at `at`, as Go's unicode.IsSpace has it; 0 if there is none. */
static unsigned space_size(const struct manifest *m, uint32_t at, uint32_t end)
{
    uint32_t code = 0;
    unsigned size = utf8_decode((const unsigned char *)m->source.data + at, end - at, &code);
    bool space = code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0xA0 || code == 0x1680 ||
                 (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
                 code == 0x3000;
    return size && space ? size : 0;
}

static enum failure fail(struct manifest *m, enum failure failure, uint32_t offset, const char *message, struct doc_error *error)
{
    *error = (struct doc_error){ .message = message, .offset = offset, .in_yaml = m->mode == MANIFEST_YAML };
    return failure;
}

/* ---- YAML ---- */

/* The end of the line at `at`: its LF, or the end of the file. */
static uint32_t line_end(const struct manifest *m, uint32_t at)
{
    const char *lf = memchr(m->source.data + at, '\n', m->source.length - at);
    return lf ? (uint32_t)(lf - m->source.data) : m->source.length;
}

/* Whether the line is a valid separator: after --- only white space and a comment may follow. *wrong is the offset of what follows. */
static bool is_separator(const struct manifest *m, uint32_t at, uint32_t end, uint32_t *wrong)
{
    unsigned size;
    at += 3;
    while (at < end && (size = space_size(m, at, end)))
        at += size;
    *wrong = at;
    return at >= end || m->source.data[at] == '#';
}

/* Finds the next part. A separator ends it unless it is the first line of the part. */
static enum failure next_part(struct manifest *m, uint32_t *start, uint32_t *end, struct doc_error *error)
{
    *start = m->at;
    uint32_t at = m->at, wrong;
    while (at < m->source.length) {
        uint32_t lf = line_end(m, at), next = lf < m->source.length ? lf + 1 : lf;
        if (lf - at >= 3 && memcmp(m->source.data + at, "---", 3) == 0) {
            m->at = next;
            *end = at;
            if (!is_separator(m, at, lf, &wrong))
                return fail(m, FAILURE_SYNTAX, wrong,
                            "a line that begins with --- separates documents: only a comment may follow the three dashes", error);
            if (at > *start)
                return FAILURE_NONE;
        }
        at = next;
    }
    m->at = *end = m->source.length;
    return FAILURE_NONE;
}

static enum failure next_yaml(struct manifest *m, struct document *document, bool *more, struct doc_error *error)
{
    uint32_t start, end;
    *more = m->at < m->source.length;
    if (!*more)
        return FAILURE_NONE;
    enum failure failure = next_part(m, &start, &end, error);
    if (failure)
        return failure;
    const struct yaml_input input = { .source = m->source, .start = start, .end = end, .arena = m->arena, .key = m->key };
    return yaml_read(&input, document, error);
}

/* ---- JSON ---- */

/* A value or member whose text or name contains U+0000; NULL if there is none. Recursion is at most LIMIT_DEPTH deep, as the tree is. */
static const struct doc_node *find_nul(const struct doc_node *node)
{
    if (node->name_length && memchr(node->name, '\0', node->name_length))
        return node;
    if (node->type == DOC_STRING && node->count && memchr(node->text, '\0', node->count))
        return node;
    if (node->type != DOC_ARRAY && node->type != DOC_OBJECT)
        return NULL;
    const struct doc_node *found = NULL;
    for (const struct doc_node *child = node->first; child && !found; child = child->next)
        found = find_nul(child);
    return found;
}

/* Skips white space up to the end of the line, as kubectl does before it tries YAML. Returns false when kubectl would not try: too few
 * bytes are left, or they are not UTF-8. */
static bool can_try_yaml(struct manifest *m)
{
    for (;;) {
        uint32_t code;
        if (m->source.length - m->at < RETRY_BYTES)
            return false;
        if (!utf8_decode((const unsigned char *)m->source.data + m->at, m->source.length - m->at, &code) || code == 0xFFFD)
            return false;
        unsigned size = space_size(m, m->at, m->source.length);
        m->at += size;
        if (size == 0 || code == '\n')
            return true;
    }
}

/* After JSON that cannot be read: tries YAML, unless two JSON values were read before it. If it is not YAML either, the error in JSON is
 * reported, as kubectl does. */
static enum failure retry_as_yaml(struct manifest *m, enum failure failure, struct document *document, bool *more, struct doc_error *error)
{
    struct doc_error in_yaml;
    uint32_t start, end;
    m->mode = failure != FAILURE_MEMORY && m->json_values < MANIFEST_ONLY_JSON && can_try_yaml(m) ? MANIFEST_YAML : MANIFEST_END;
    if (m->mode == MANIFEST_END)
        return failure;
    if (failure == FAILURE_LIMIT) { /* as YAML it would be too large, too */
        (void)next_part(m, &start, &end, &in_yaml);
        return failure;
    }
    enum failure second = next_yaml(m, document, more, &in_yaml);
    if (second == FAILURE_SYNTAX && !in_yaml.stricter)
        return failure;
    if (second)
        *error = in_yaml;
    return second;
}

static enum failure next_json(struct manifest *m, struct document *document, bool *more, struct doc_error *error)
{
    uint32_t at = m->at;
    while (at < m->source.length && memchr(" \t\r\n", m->source.data[at], 4))
        at++;
    *more = at < m->source.length;
    if (!*more)
        return FAILURE_NONE;
    const struct json_input input = { .source = m->source, .start = at, .profile = JSON_STRICT, .arena = m->arena, .key = m->key };
    enum failure failure = json_read(&input, document, &m->at, error);
    if (failure)
        return retry_as_yaml(m, failure, document, more, error);
    m->json_values++;
    const struct doc_node *wrong = find_nul(document->root);
    if (wrong)
        return fail(m, FAILURE_SYNTAX, wrong->name ? wrong->name_offset : wrong->offset,
                    "U+0000 in a string, which no Kubernetes object can contain", error);
    return FAILURE_NONE;
}

/* ---- JSON or YAML ---- */

static enum manifest_mode guess_mode(const struct manifest *m)
{
    uint32_t at = 0, end = m->source.length < GUESS_BYTES ? m->source.length : GUESS_BYTES;
    unsigned size;
    while (at < end && (size = space_size(m, at, end)))
        at += size;
    return at < end && m->source.data[at] == '{' ? MANIFEST_JSON : MANIFEST_YAML;
}

enum failure manifest_next(struct manifest *m, struct document *document, bool *more, struct doc_error *error)
{
    *more = false;
    if (m->mode == MANIFEST_START && m->source.length > LIMIT_FILE_BYTES) {
        m->mode = MANIFEST_END;
        return fail(m, FAILURE_LIMIT, LIMIT_FILE_BYTES, "too long", error);
    }
    if (m->mode == MANIFEST_START)
        m->mode = guess_mode(m);
    enum failure failure = FAILURE_NONE;
    switch (m->mode) {
    case MANIFEST_START:
    case MANIFEST_END: break;
    case MANIFEST_JSON: failure = next_json(m, document, more, error); break;
    case MANIFEST_YAML: failure = next_yaml(m, document, more, error); break;
    }
    if (failure == FAILURE_MEMORY)
        m->mode = MANIFEST_END;
    return failure;
}
