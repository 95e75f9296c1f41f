/* What CEL selectors name: drivers, and attributes and capacities by domain. Only tokens are looked at; the expression is not parsed.
 * Sources: k8s.io/dynamic-resource-allocation v0.35.4 cel/compile.go for the members of device; cel-spec for the tokens. */
#include "cel/token.h"
#include "check/cross.h"
#include "rules/tables.h"

/* The last tokens that were read, the newest first. */
struct window {
    struct cel_lexer lexer;
    struct cel_token last[8];
};

static bool advance(struct window *window)
{
    memmove(window->last + 1, window->last, sizeof window->last - sizeof *window->last);
    window->last[0] = cel_token_next(&window->lexer);
    return window->last[0].kind != CEL_TOKEN_END;
}

static struct window window_of(const struct doc_node *expression)
{
    struct window window = { .lexer = cel_lexer(doc_text(expression)) };
    for (size_t i = 0; i < sizeof window.last / sizeof *window.last; i++)
        window.last[i].kind = CEL_TOKEN_END;
    return window;
}

static bool is_name(struct cel_token token, const char *name)
{
    return token.kind == CEL_TOKEN_IDENTIFIER && bytes_equal_text(token.text, name);
}

/* Whether the tokens end with these kinds, `back` tokens ago. */
#define ENDS_WITH(window, back, ...) ends_with(window, back, (const enum cel_token_kind[]){ __VA_ARGS__, CEL_TOKEN_END })
static bool ends_with(const struct window *window, unsigned back, const enum cel_token_kind *kinds)
{
    unsigned count = 0;
    while (kinds[count] != CEL_TOKEN_END)
        count++;
    for (unsigned i = 0; i < count; i++)
        if (window->last[back + i].kind != kinds[count - 1 - i])
            return false;
    return true;
}

/* device.attributes["domain"].id: the tokens up to the id, or up to the domain and its bracket. */
struct use {
    struct bytes domain, id; /* the id is empty where none follows, or none that is written out */
    bool capacity;
};

/* Whether the tokens end with device.attributes["domain"] or device.capacity["domain"], `back` tokens ago. */
static bool is_lookup(const struct window *window, unsigned back, struct use *use)
{
    const struct cel_token *last = window->last + back;
    bool attributes = is_name(last[3], "attributes"), capacity = is_name(last[3], "capacity");
    if (!ENDS_WITH(window, back, CEL_TOKEN_DOT, CEL_TOKEN_IDENTIFIER, CEL_TOKEN_LEFT_BRACKET, CEL_TOKEN_STRING, CEL_TOKEN_RIGHT_BRACKET))
        return false;
    if (attributes || capacity)
        *use = (struct use){ .domain = cel_token_quoted(last[1]), .capacity = capacity };
    return attributes || capacity;
}

/* Whether the name that was read last is called, as macros and functions are: such a name is never that of an attribute. */
static bool is_called(const struct window *window)
{
    struct cel_lexer after = window->lexer;
    return window->last[0].kind == CEL_TOKEN_IDENTIFIER && cel_token_next(&after).kind == CEL_TOKEN_LEFT_PARENTHESIS;
}

/* A lookup whose name is written out: device.attributes["domain"].id or device.attributes["domain"]["id"]. */
static bool is_named_lookup(const struct window *window, struct use *use)
{
    if (ENDS_WITH(window, 0, CEL_TOKEN_DOT, CEL_TOKEN_IDENTIFIER) && is_lookup(window, 2, use) && !is_called(window)) {
        use->id = window->last[0].text;
        return true;
    }
    if (ENDS_WITH(window, 0, CEL_TOKEN_LEFT_BRACKET, CEL_TOKEN_STRING, CEL_TOKEN_RIGHT_BRACKET) && is_lookup(window, 3, use)) {
        use->id = cel_token_quoted(window->last[1]);
        return true;
    }
    return false;
}

/* ---- domains ---- */

/* What examples that were never run write after the name of an attribute, as if it were an object: device.attributes["type"].string. */
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
    struct cel_lexer after = window->lexer;
    struct use use;
    if (is_called(window))
        return window->last[1].kind == CEL_TOKEN_DOT && is_lookup(window, 2, &use);
    if (!is_lookup(window, 0, &use))
        return false;
    struct cel_token next = cel_token_next(&after);
    return next.kind != CEL_TOKEN_DOT && next.kind != CEL_TOKEN_LEFT_BRACKET;
}

/* Whether the expression asks itself what is there: with has(…), "name" in …, .?name or [?"name"], or by a look at all names. */
static bool is_guarded(const struct doc_node *expression)
{
    struct window window = window_of(expression);
    while (advance(&window)) {
        bool optional = ENDS_WITH(&window, 0, CEL_TOKEN_DOT, CEL_TOKEN_QUESTION) || ENDS_WITH(&window, 0, CEL_TOKEN_LEFT_BRACKET, CEL_TOKEN_QUESTION);
        if (is_name(window.last[0], "has") || window.last[0].kind == CEL_TOKEN_IN || optional || is_of_all_names(&window))
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
    if (!ENDS_WITH(window, 0, CEL_TOKEN_IDENTIFIER, CEL_TOKEN_DOT, CEL_TOKEN_IDENTIFIER, CEL_TOKEN_EQUAL, CEL_TOKEN_STRING) ||
        !is_name(window->last[2], "driver") || !is_name(window->last[4], "device"))
        return false;
    *driver = cel_token_quoted(window->last[0]);
    return true;
}

static bool is_one_of(enum cel_token_kind kind, enum cel_token_kind a, enum cel_token_kind b, enum cel_token_kind c)
{
    return kind == a || kind == b || kind == c;
}

/* Whether the expression is true for one driver only: that one. */
static bool names_one_driver(const struct doc_node *expression, struct bytes *driver)
{
    struct window window = window_of(expression);
    struct bytes named;
    bool found = false, just_read = false; /* device.driver == "name", and what closes the parentheses around it */
    while (advance(&window)) {
        enum cel_token_kind kind = window.last[0].kind;
        if (is_one_of(kind, CEL_TOKEN_OR, CEL_TOKEN_NOT, CEL_TOKEN_QUESTION))
            return false;
        if (just_read && is_one_of(kind, CEL_TOKEN_EQUAL, CEL_TOKEN_NOT_EQUAL, CEL_TOKEN_IN))
            return false;
        bool names = is_driver(&window, &named);
        just_read = names || (just_read && kind == CEL_TOKEN_RIGHT_PARENTHESIS);
        if (names && !found)
            *driver = named;
        found |= names;
    }
    return found;
}

/* Texts in an expression; adds them to `texts`, where there is one. */
static uint32_t collect_texts(const struct doc_node *expression, struct map *texts)
{
    struct window window = window_of(expression);
    uint32_t count = 0;
    while (advance(&window)) {
        if (window.last[0].kind != CEL_TOKEN_STRING)
            continue;
        count++;
        if (texts)
            (void)map_add(texts, cel_token_quoted(window.last[0]), expression);
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
