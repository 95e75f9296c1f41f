/* What CEL selectors name: drivers, and attributes and capacities by domain. Only tokens are looked at; the expression is not parsed.
 * Sources: k8s.io/dynamic-resource-allocation v0.35.4 cel/compile.go for the members of device; cel-spec for the tokens. */
#include "check/cross.h"
#include "rules/tables.h"

enum token_type { TOKEN_END, TOKEN_NAME, TOKEN_TEXT, TOKEN_OTHER };

struct token {
    enum token_type type;
    struct bytes text; /* of a name; between the quotes of a text; else one character, or || && == != */
};

struct lexer {
    const char *at, *end;
};

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_space(struct lexer *lexer)
{
    while (lexer->at < lexer->end) {
        bool comment = lexer->end - lexer->at > 1 && lexer->at[0] == '/' && lexer->at[1] == '/';
        if (comment)
            while (lexer->at < lexer->end && *lexer->at != '\n')
                lexer->at++;
        else if (*lexer->at == ' ' || *lexer->at == '\t' || *lexer->at == '\n' || *lexer->at == '\r')
            lexer->at++;
        else
            return;
    }
}

/* From a quote on. Escapes stay as they are written. */
static struct token read_text(struct lexer *lexer)
{
    char quote = *lexer->at;
    const char *start;
    bool triple = lexer->end - lexer->at > 2 && lexer->at[1] == quote && lexer->at[2] == quote;
    lexer->at += triple ? 3 : 1;
    start = lexer->at;
    for (; lexer->at < lexer->end; lexer->at++) {
        if (*lexer->at == '\\' && lexer->end - lexer->at > 1) {
            lexer->at++;
            continue;
        }
        bool ends = *lexer->at == quote && (!triple || (lexer->end - lexer->at > 2 && lexer->at[1] == quote && lexer->at[2] == quote));
        if (ends)
            break;
    }
    struct token token = { TOKEN_TEXT, { start, (uint32_t)(lexer->at - start) } };
    lexer->at += lexer->at < lexer->end ? (triple ? 3 : 1) : 0;
    return token;
}

static struct token next_token(struct lexer *lexer)
{
    skip_space(lexer);
    const char *start = lexer->at;
    if (start == lexer->end)
        return (struct token){ TOKEN_END, { NULL, 0 } };
    if (*start == '"' || *start == '\'')
        return read_text(lexer);
    while (lexer->at < lexer->end && is_name_byte(*lexer->at))
        lexer->at++;
    if (lexer->at > start && lexer->at < lexer->end && (*lexer->at == '"' || *lexer->at == '\'') && lexer->at - start <= 2)
        return read_text(lexer); /* r"…", b'…' */
    if (lexer->at > start)
        return (struct token){ TOKEN_NAME, { start, (uint32_t)(lexer->at - start) } };
    bool pair = lexer->end - start > 1 && ((start[1] == '=' && (*start == '=' || *start == '!')) || (start[1] == *start && (*start == '|' || *start == '&')));
    lexer->at += pair ? 2 : 1;
    return (struct token){ TOKEN_OTHER, { start, pair ? 2 : 1 } };
}

static bool is(struct token token, const char *text)
{
    return token.type != TOKEN_TEXT && token.type != TOKEN_END && bytes_equal_text(token.text, text);
}

/* The last tokens that were read, the newest first. */
struct window {
    struct lexer lexer;
    struct token last[8];
};

static bool advance(struct window *window)
{
    memmove(window->last + 1, window->last, sizeof window->last - sizeof *window->last);
    window->last[0] = next_token(&window->lexer);
    return window->last[0].type != TOKEN_END;
}

static struct window window_of(const struct doc_node *expression)
{
    struct window window = { .lexer = { expression->text, expression->text + expression->count } };
    return window;
}

/* device.attributes["domain"].id: the tokens up to the id, or up to the domain and its bracket. */
struct use {
    struct bytes domain, id; /* the id is empty where none follows, or none that is written out */
    bool capacity;
};

/* Whether the tokens end with device.attributes["domain"] or device.capacity["domain"], `back` tokens ago. */
static bool is_lookup(const struct window *window, unsigned back, struct use *use)
{
    const struct token *last = window->last + back;
    bool attributes = is(last[3], "attributes"), capacity = is(last[3], "capacity");
    if (!is(last[0], "]") || last[1].type != TOKEN_TEXT || !is(last[2], "[") || !(attributes || capacity) || !is(last[4], "."))
        return false;
    *use = (struct use){ .domain = last[1].text, .capacity = capacity };
    return true;
}

/* Whether the name that was read last is called, as macros and functions are: such a name is never that of an attribute. */
static bool is_called(const struct window *window)
{
    struct lexer behind = window->lexer;
    return window->last[0].type == TOKEN_NAME && is(next_token(&behind), "(");
}

/* A lookup whose name is written out: device.attributes["domain"].id or device.attributes["domain"]["id"]. */
static bool is_named_lookup(const struct window *window, struct use *use)
{
    bool dotted = window->last[0].type == TOKEN_NAME && is(window->last[1], ".") && is_lookup(window, 2, use) && !is_called(window);
    bool indexed = !dotted && is(window->last[0], "]") && window->last[1].type == TOKEN_TEXT && is(window->last[2], "[") && is_lookup(window, 3, use);
    use->id = window->last[indexed].text;
    return dotted || indexed;
}

/* ---- domains ---- */

/* What examples that were never run write behind the name of an attribute, as if it were an object: device.attributes["type"].string. */
static bool is_member_of_value(const struct use *use)
{
    static const char *const members[] = { "string", "stringValue", "int", "intValue", "bool", "boolValue", "version", "versionValue", NULL };
    bool domain = use->domain.length && memchr(use->domain.data, '.', use->domain.length);
    for (const char *const *member = members; *member && !domain; member++)
        if (bytes_equal_text(use->id, *member))
            return true;
    return false;
}

void cross_selector_domains(struct cross *cross)
{
    const struct doc_node *expression = cross_value(cross);
    struct window window = window_of(expression);
    struct use use;
    while (advance(&window))
        if (is_lookup(&window, 0, &use) && use.domain.length && memchr(use.domain.data, '/', use.domain.length)) {
            cross_report(cross, &(struct cross_report){ .detail = "looks up a name with a slash where the domain belongs, which is there for no device: write [\"domain\"].name" });
            return;
        } else if (is_named_lookup(&window, &use) && is_member_of_value(&use)) {
            cross_report(cross, &(struct cross_report){ .detail = "looks up what is probably no domain: an attribute is device.attributes[\"domain\"].name, which is the value itself" });
            return;
        }
}

/* ---- attributes that are published ---- */

static const struct bytes attribute_sort = BYTES("attribute"), capacity_sort = BYTES("capacity"), driver_sort = BYTES("driver");

/* A name in a slice of the driver, with the domain that it has. */
static struct bytes name_key(struct cross *cross, struct bytes driver, struct bytes name, struct bytes sort)
{
    const char *slash = name.length ? memchr(name.data, '/', name.length) : NULL;
    struct bytes domain = slash ? (struct bytes){ name.data, (uint32_t)(slash - name.data) } : driver;
    uint32_t from = slash ? domain.length + 1 : 0;
    return cross_join(cross, (const struct bytes[]){ sort, domain, { name.data + from, name.length - from } }, 3);
}

static void index_published(struct cross *cross, const struct doc_node *root)
{
    const struct shape *spec = cross_member_shape(&resource_slice, "spec"), *device = cross_member_shape(spec, "devices")->of;
    const struct doc_node *driver = cross_at(cross, &resource_slice, root, "spec.driver"), *devices = cross_at(cross, &resource_slice, root, "spec.devices");
    if (!driver || !devices || cross_is_template(cross, root))
        return;
    cross_index_add(cross, cross_join(cross, (const struct bytes[]){ driver_sort, doc_text(driver) }, 2), driver);
    for (const struct doc_node *element = doc_first(devices); element && !cross_failed(cross); element = element->next) {
        doc_each(cross_member(cross, device, element, "attributes"), attribute)
            cross_index_add(cross, name_key(cross, doc_text(driver), doc_name(attribute), attribute_sort), attribute);
        doc_each(cross_member(cross, device, element, "capacity"), capacity)
            cross_index_add(cross, name_key(cross, doc_text(driver), doc_name(capacity), capacity_sort), capacity);
    }
}

static const struct index_definition published = { .group = "resource.k8s.io", .kind = "ResourceSlice", .add = index_published, .first_only = true };

const struct indexed *cross_published_attribute(struct cross *cross, struct bytes driver, struct bytes name)
{
    return cross_find(cross, &published, name_key(cross, driver, name, attribute_sort));
}

/* Whether the tokens end with all names of a domain: device.attributes["domain"].exists(…), or without a name. */
static bool is_of_all_names(const struct window *window)
{
    struct lexer behind = window->lexer;
    struct use use;
    if (is_called(window))
        return is(window->last[1], ".") && is_lookup(window, 2, &use);
    if (!is_lookup(window, 0, &use))
        return false;
    struct token next = next_token(&behind);
    return !is(next, ".") && !is(next, "[");
}

/* Whether the expression asks itself what is there: with has(…), "name" in …, .?name or [?"name"], or by a look at all names. */
static bool is_guarded(const struct doc_node *expression)
{
    struct window window = window_of(expression);
    while (advance(&window)) {
        bool optional = is(window.last[0], "?") && (is(window.last[1], ".") || is(window.last[1], "["));
        if (is(window.last[0], "has") || is(window.last[0], "in") || optional || is_of_all_names(&window))
            return true;
    }
    return false;
}

/* Returns whether it reported. */
static bool look_for(struct cross *cross, const struct use *use)
{
    const struct indexed *driver = cross_find(cross, &published, cross_join(cross, (const struct bytes[]){ driver_sort, use->domain }, 2));
    struct bytes key = cross_join(cross, (const struct bytes[]){ use->capacity ? capacity_sort : attribute_sort, use->domain, use->id }, 3);
    if (!driver || cross_failed(cross) || cross_find(cross, &published, key))
        return false;
    struct text text;
    text_init(&text, cross_scratch(cross));
    text_add(&text, "names ");
    text_add(&text, use->capacity ? "capacity " : "attribute ");
    text_add_quoted(&text, use->id, 64);
    text_add(&text, ", which no device of driver ");
    text_add_quoted(&text, use->domain, 64);
    text_add(&text, " has in the slices that are given");
    const char *detail = cross_words(cross, &text);
    if (detail)
        cross_report(cross, &(struct cross_report){ .detail = detail, .other = driver });
    return true;
}

void cross_selector_published(struct cross *cross)
{
    struct window window = window_of(cross_value(cross));
    struct use use;
    if (is_guarded(cross_value(cross)))
        return;
    while (advance(&window) && !cross_failed(cross))
        if (is_named_lookup(&window, &use) && look_for(cross, &use))
            return;
}

/* ---- drivers ---- */

/* Whether the tokens end with device.driver == "name"; then *driver is that name. */
static bool is_driver(const struct window *window, struct bytes *driver)
{
    const struct token *last = window->last;
    *driver = last[0].text;
    return last[0].type == TOKEN_TEXT && is(last[1], "==") && is(last[2], "driver") && is(last[3], ".") && is(last[4], "device");
}

/* Whether the expression is true for one driver only: that one. */
static bool names_one_driver(const struct doc_node *expression, struct bytes *driver)
{
    struct window window = window_of(expression);
    struct bytes named;
    bool found = false, just_read = false; /* device.driver == "name", and what closes the parentheses around it */
    while (advance(&window)) {
        if (is(window.last[0], "||") || is(window.last[0], "!") || is(window.last[0], "?"))
            return false;
        if (just_read && (is(window.last[0], "==") || is(window.last[0], "!=") || is(window.last[0], "in")))
            return false;
        just_read = is_driver(&window, &named) || (just_read && is(window.last[0], ")"));
        if (is_driver(&window, &named) && !found) {
            *driver = named;
            found = true;
        }
    }
    return found;
}

/* Texts in an expression; adds them to `texts`, where there is one. */
static uint32_t collect_texts(const struct doc_node *expression, struct map *texts)
{
    struct window window = window_of(expression);
    uint32_t count = 0;
    while (advance(&window)) {
        if (window.last[0].type != TOKEN_TEXT)
            continue;
        count++;
        if (texts)
            (void)map_add(texts, window.last[0].text, expression);
    }
    return count;
}

/* ---- classes ---- */

enum { MAX_SELECTORS = 32 };

/* What is known of a class, from one look at its selectors and configuration. */
struct class_facts {
    bool one_driver;
    struct bytes driver; /* where there is one: for which all selectors are */
    struct map mentions; /* texts in selectors, and drivers of the configuration */
};

static const struct doc_node *expression_of(struct cross *cross, const struct shape *selector, const struct doc_node *element)
{
    const struct doc_node *cel = cross_member(cross, selector, element, "cel");
    const struct doc_node *expression = cel ? cross_member(cross, cross_member_shape(selector, "cel"), cel, "expression") : NULL;
    return expression && expression->count <= MAX_EXPRESSION_BYTES ? expression : NULL;
}

static void look_at_class(struct cross *cross, const struct doc_node *root, struct class_facts *facts)
{
    const struct shape *spec = cross_member_shape(&device_class, "spec"), *selector = cross_member_shape(spec, "selectors")->of, *config = cross_member_shape(spec, "config")->of;
    const struct doc_node *object = cross_at(cross, &device_class, root, "spec");
    const struct doc_node *selectors = cross_member(cross, spec, object, "selectors"), *configs = cross_member(cross, spec, object, "config"), *expression;
    uint32_t texts = configs->count;
    if (selectors->count > MAX_SELECTORS || configs->count > MAX_SELECTORS)
        return; /* no class that can be */
    doc_each(selectors, element)
        texts += (expression = expression_of(cross, selector, element)) ? collect_texts(expression, NULL) : 0;
    if (!cross_map(cross, &facts->mentions, cross_kept_arena(cross), texts))
        return;
    doc_each(selectors, element) {
        expression = expression_of(cross, selector, element);
        if (!expression)
            continue;
        (void)collect_texts(expression, &facts->mentions);
        facts->one_driver = facts->one_driver || names_one_driver(expression, &facts->driver);
    }
    doc_each(configs, element) {
        const struct doc_node *opaque = cross_member(cross, config, element, "opaque");
        const struct doc_node *driver = opaque ? cross_member(cross, cross_member_shape(config, "opaque"), opaque, "driver") : NULL;
        if (driver)
            (void)map_add(&facts->mentions, doc_text(driver), driver);
    }
}

/* NULL: there is no memory. */
static const struct class_facts *facts_of(struct cross *cross, struct indexed *class)
{
    if (class->memo)
        return class->memo;
    struct class_facts *facts = cross_keep(cross, sizeof *facts);
    if (!facts)
        return NULL;
    *facts = (struct class_facts){ .one_driver = false };
    look_at_class(cross, class->root, facts);
    if (cross_failed(cross))
        return NULL;
    class->memo = facts;
    return facts;
}

bool cross_class_driver(struct cross *cross, struct indexed *class, struct bytes *driver)
{
    const struct class_facts *facts = facts_of(cross, class);
    if (facts && facts->one_driver)
        *driver = facts->driver;
    return facts && facts->one_driver;
}

bool cross_class_mentions(struct cross *cross, struct indexed *class, struct bytes driver)
{
    const struct class_facts *facts = facts_of(cross, class);
    return facts && facts->mentions.slots && map_find(&facts->mentions, driver);
}
