/* What CEL selectors name: drivers, and attributes and capacities by domain. Only tokens count; the expression is not parsed.
 * Sources: k8s.io/dynamic-resource-allocation v0.35.4 cel/compile.go for the members of device; cel-spec for the tokens. */
#include "cel/token.h"
#include "rules/cross/common.h"

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

static struct window window_of(struct bytes expression)
{
    struct window window = { .lexer = cel_lexer(expression) };
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
    static const char *const members[] = { 
        "string", "stringValue", "int", "intValue", "bool", "boolValue", "version", "versionValue", NULL,
    };
    bool domain = use->domain.length && memchr(use->domain.data, '.', use->domain.length);
    for (const char *const *member = members; *member && !domain; member++)
        if (bytes_equal_text(use->id, *member))
            return true;
    return false;
}

void cross_selector_domains(struct cross *cross)
{
    struct window window = window_of(value_text(cross_value(cross)));
    struct use use;
    while (advance(&window)) {
        const char *why = NULL;
        if (is_lookup(&window, 0, &use) && use.domain.length && memchr(use.domain.data, '/', use.domain.length))
            why = "looks up a name with a slash where the domain belongs, which is there for no device: write [\"domain\"].name";
        else if (is_named_lookup(&window, &use) && is_member_of_value(&use))
            why = "looks up what is probably no domain: an attribute is device.attributes[\"domain\"].name, which is the value itself";
        if (!why)
            continue;
        cross_report(cross, (struct cross_report){ .detail = why });
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
    return cross_key(cross, sort, domain, { name.data + from, name.length - from });
}

static void index_published(struct cross *cross, struct value root)
{
    struct value driver = value_at(cross, root, "spec.driver"), devices = value_at(cross, root, "spec.devices");
    struct bytes name = value_text(driver);
    if (!value_is_set(devices) || cross_is_template(cross, root))
        return;
    cross_index_add(cross, cross_key(cross, driver_sort, name), driver);
    value_each(devices, device) {
        value_each(value_at(cross, device, "attributes"), attribute)
            cross_index_add(cross, name_key(cross, name, value_name(attribute), attribute_sort), attribute);
        value_each(value_at(cross, device, "capacity"), capacity)
            cross_index_add(cross, name_key(cross, name, value_name(capacity), capacity_sort), capacity);
    }
}

static const struct index_definition published = {
    .group = "resource.k8s.io", .kind = "ResourceSlice", .add = index_published, .first_only = true,
};

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

/* Whether the expression asks itself what is there: with has(…), "name" in …, .?name or [?"name"], or by going through all names. */
static bool is_guarded(struct bytes expression)
{
    struct window window = window_of(expression);
    while (advance(&window)) {
        bool optional = ENDS_WITH(&window, 0, CEL_TOKEN_DOT, CEL_TOKEN_QUESTION) ||
                        ENDS_WITH(&window, 0, CEL_TOKEN_LEFT_BRACKET, CEL_TOKEN_QUESTION);
        if (is_name(window.last[0], "has") || window.last[0].kind == CEL_TOKEN_IN || optional || is_of_all_names(&window))
            return true;
    }
    return false;
}

/* Returns whether it reported. */
static bool is_unpublished(struct cross *cross, const struct use *use)
{
    const struct indexed *driver = cross_find(cross, &published, cross_key(cross, driver_sort, use->domain));
    if (!driver || cross_find(cross, &published, cross_key(cross, use->capacity ? capacity_sort : attribute_sort, use->domain, use->id)))
        return false;
    struct text text = cross_text(cross);
    text_add(&text, "names ");
    text_add(&text, use->capacity ? "capacity " : "attribute ");
    text_add_quoted(&text, use->id, 64);
    text_add(&text, ", which no device of driver ");
    text_add_quoted(&text, use->domain, 64);
    text_add(&text, " has in the slices that are given");
    cross_report(cross, (struct cross_report){ .text = &text, .other = driver });
    return true;
}

void cross_selector_published(struct cross *cross)
{
    struct bytes expression = value_text(cross_value(cross));
    struct window window = window_of(expression);
    struct use use;
    if (is_guarded(expression))
        return;
    while (advance(&window))
        if (is_named_lookup(&window, &use) && is_unpublished(cross, &use))
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
static bool names_one_driver(struct bytes expression, struct bytes *driver)
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
static uint32_t collect_texts(struct bytes expression, struct map *texts)
{
    struct window window = window_of(expression);
    uint32_t count = 0;
    while (advance(&window)) {
        if (window.last[0].kind != CEL_TOKEN_STRING)
            continue;
        count++;
        if (texts)
            (void)map_add(texts, cel_token_quoted(window.last[0]), expression.data);
    }
    return count;
}

/* ---- classes ---- */

/* What is known of a class, from its selectors and configuration. */
struct class_facts {
    bool one_driver;
    struct bytes driver; /* where there is one: for which all selectors are */
    struct map mentions; /* texts in selectors, and drivers of the configuration */
};

static void find_facts(struct cross *cross, struct value class, struct class_facts *facts)
{
    struct value selectors = value_at(cross, class, "spec.selectors"), configs = value_at(cross, class, "spec.config");
    uint32_t texts = value_count(configs);
    if (value_count(selectors) > MAX_SELECTORS || value_count(configs) > MAX_SELECTORS)
        return; /* no class that can be */
    value_each(selectors, selector)
        texts += collect_texts(value_text_at(cross, selector, "cel.expression"), NULL);
    if (!cross_map(cross, &facts->mentions, cross_kept_arena(cross), texts))
        return;
    value_each(selectors, selector) {
        struct bytes expression = value_text_at(cross, selector, "cel.expression");
        (void)collect_texts(expression, &facts->mentions);
        facts->one_driver = facts->one_driver || names_one_driver(expression, &facts->driver);
    }
    value_each(configs, config) {
        struct value driver = value_at(cross, config, "opaque.driver");
        if (value_is_set(driver))
            (void)map_add(&facts->mentions, value_text(driver), driver.node);
    }
}

/* NULL: there is no memory. */
static const struct class_facts *facts_of(struct cross *cross, struct indexed *class)
{
    if (class->memo)
        return class->memo;
    struct class_facts *facts = cross_alloc(cross, cross_kept_arena(cross), sizeof *facts);
    if (facts)
        find_facts(cross, indexed_root(class), facts);
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
