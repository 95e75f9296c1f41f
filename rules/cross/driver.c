/* Parameters of drivers, by the rows of rules/drivers/ and of the user's files. No API server looks into them; a driver that is not known
 * gets no word. Parameters are a map of texts, or the configuration of devices: JSON with members inside members. */
#include "rules/cross/common.h"
#include "schema/driver.h"

/* Names that are compared with the one that was meant: each takes up to NEAR_BYTES * NEAR_BYTES steps for each row. */
enum { MAX_SUGGESTIONS = 16 };

/* Parameters of one object whose partners are looked for, each among all others: rows have at most as many names. */
enum { MAX_ASKED = 256 };

/* Bytes of a configuration, in JSON or YAML; API servers take 10 KiB of JSON. Nothing is said about larger ones. */
enum { MAX_CONFIGURATION_BYTES = 65536 };

struct walk {
    struct cross *cross;
    const struct driver *driver;
    const struct parameters *table;
    bool is_map;
    unsigned suggestions, asked;
    /* What is asked about each parameter that is written; row NULL: it is not known. Of an object, by its path. Either may be NULL. */
    void (*parameter)(struct walk *walk, const struct doc_node *node, struct bytes path, const struct parameter *row);
    void (*object)(struct walk *walk, const struct doc_node *object, struct bytes path);
};

/* ---- rows ---- */

static bool same(struct bytes a, struct bytes b, bool ignores_case)
{
    if (!ignores_case || a.length != b.length)
        return bytes_equal(a, b);
    for (uint32_t i = 0; i < a.length; i++)
        if (near_lower(a.data[i]) != near_lower(b.data[i]))
            return false;
    return true;
}

static struct bytes head_of(struct bytes text, uint32_t length)
{
    return (struct bytes){ text.data, length };
}

static bool row_has(const struct parameters *table, const struct parameter *row, struct bytes name)
{
    uint32_t fixed = row->name.length - 1;
    if (row->name.data[fixed] != '*')
        return same(row->name, name, table->ignores_case);
    return name.length >= fixed && same(head_of(row->name, fixed), head_of(name, fixed), table->ignores_case);
}

static const struct parameter *find_row(const struct parameters *table, struct bytes name)
{
    for (uint32_t i = 0; i < table->count; i++)
        if (row_has(table, &table->rows[i], name))
            return &table->rows[i];
    return NULL;
}

/* The name of the driver stands beside its parameters. */
static struct bytes driver_name(struct cross *cross)
{
    static const char *const members[] = { "provisioner", "driverName", "driver" }; /* one of them */
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (value_has(cross_around(cross), members[i]))
            return value_text(cross_sibling(cross, members[i]));
    return (struct bytes)BYTES("");
}

/* The rows for the parameters at the row's place. False: no word is to be said. Of configurations of a type that is not known, the table
 * is NULL. */
static bool find_table(struct walk *walk)
{
    struct bytes name = driver_name(walk->cross);
    const struct doc_node *node = cross_value(walk->cross).node;
    walk->is_map = cross_value(walk->cross).shape->type == SHAPE_MAP;
    walk->driver = driver_find(cross_drivers(walk->cross), name);
    if (!walk->driver)
        walk->driver = driver_find(&built_in_drivers, name);
    if (!name.length || !walk->driver || (!walk->is_map && (!node || node->size > MAX_CONFIGURATION_BYTES)))
        return false;
    struct bytes kind = walk->is_map ? value_text_at(walk->cross, cross_root(walk->cross), "kind") : doc_member_text(node, "kind");
    struct bytes version = walk->is_map ? kind : doc_member_text(node, "apiVersion");
    bool any = false;
    for (uint32_t i = 0; i < walk->driver->count; i++) {
        const struct parameters *table = &walk->driver->tables[i];
        bool fits = walk->is_map ? table->of && bytes_equal_text(kind, table->of)
                                 : !table->of && (!table->kind || (bytes_equal_text(kind, table->kind) &&
                                                                    bytes_equal_text(version, table->api_version)));
        if (fits)
            walk->table = table;
        any |= fits || (!walk->is_map && !table->of);
    }
    return any;
}

/* ---- what is written ---- */

/* What is filled in later says nothing yet: a template, a variable, or a word in angle brackets, as examples have them. */
static bool is_placeholder(struct bytes text)
{
    if (!text.length || memchr(text.data, '<', text.length))
        return true;
    for (uint32_t i = 0; i + 1 < text.length; i++)
        if ((text.data[i] == '$' && (text.data[i + 1] == '{' || text.data[i + 1] == '(')) ||
            (text.data[i] == '{' && text.data[i + 1] == '{'))
            return true;
    return false;
}

static struct bytes path_below(struct walk *walk, struct bytes path, const struct doc_node *member)
{
    struct text text = cross_text(walk->cross);
    if (!path.length)
        return doc_name(member);
    text_add_bytes(&text, path);
    text_add(&text, ".");
    text_add_bytes(&text, doc_name(member));
    const char *whole = cross_end_text(walk->cross, &text);
    return (struct bytes){ whole, whole ? (uint32_t)text.length : 0 };
}

/* Goes through the members, and those of objects that have rows: as deep as names of rows have dots. */
static void walk_object(struct walk *walk, const struct doc_node *object, struct bytes path)
{
    if (walk->object)
        walk->object(walk, object, path);
    doc_each(object, member) {
        struct bytes name = path_below(walk, path, member);
        const struct parameter *row = find_row(walk->table, name);
        if (cross_failed(walk->cross))
            return;
        if (walk->parameter)
            walk->parameter(walk, member, name, row);
        if (walk->is_map || !row || row->type != PARAMETER_OBJECT)
            continue;
        if (row->list) {
            doc_each(member, element)
                walk_object(walk, element, name);
        } else {
            walk_object(walk, member, name);
        }
    }
}

static void walk_parameters(struct walk *walk)
{
    if (find_table(walk) && walk->table)
        walk_object(walk, cross_value(walk->cross).node, (struct bytes)BYTES(""));
}

/* The value of a parameter of that name; NULL: it is not written, or "". */
static const struct doc_node *find_parameter(struct walk *walk, const struct doc_node *object, struct bytes name)
{
    const struct doc_node *found = NULL;
    doc_each(object, member)
        if (same(doc_name(member), name, walk->table->ignores_case))
            found = member;
    return found && (found->type == DOC_NULL || (found->type == DOC_STRING && !found->count)) ? NULL : found;
}

/* ---- findings ---- */

/* Reports the parameter, or its name, with the document that says so, and since when the driver has the row, if there is one. */
static void say(struct walk *walk, struct cross_report about, struct bytes path, const struct parameter *row, struct text *text)
{
    const char *inside = NULL;
    if (!walk->is_map && path.length) {
        struct text whole = cross_text(walk->cross);
        text_add_escaped(&whole, path, path.length);
        inside = cross_end_text(walk->cross, &whole);
    }
    if (row && row->since) {
        text_add(text, "; since ");
        text_add_escaped(text, bytes_of(row->since), strlen(row->since));
    }
    text_add(text, "; see ");
    text_add_escaped(text, bytes_of(walk->driver->source), strlen(walk->driver->source));
    about.inside = inside;
    about.text = text;
    if (!cross_failed(walk->cross))
        cross_report(walk->cross, about);
}

static struct cross_report at_value(struct walk *walk, const struct doc_node *node, bool quoted)
{
    return (struct cross_report){ .at = { cross_value(walk->cross).shape->of, node, 0 }, .quoted = quoted };
}

static void add_names(struct text *text, const char *const *names)
{
    for (const char *const *name = names; *name; name++) {
        text_add(text, name == names ? "" : ", ");
        text_add_quoted(text, bytes_of(*name), strlen(*name));
    }
}

/* ---- names that are not known ---- */

const char *const fields_of_the_class[] = {
    "allowVolumeExpansion", "volumeBindingMode", "reclaimPolicy", "mountOptions", "allowedTopologies", NULL,
};

static bool begins(struct bytes text, const char *head)
{
    size_t length = strlen(head);
    return text.length >= length && memcmp(text.data, head, length) == 0;
}

static bool ends(struct bytes text, const char *tail)
{
    size_t length = strlen(tail);
    return text.length >= length && memcmp(text.data + text.length - length, tail, length) == 0;
}

/* What is for the sidecars of every driver, such as csi.storage.k8s.io/provisioner-secret-name and its old name csiProvisionerSecretName,
 * or a field that another row finds among the parameters; of a configuration, what says its type. */
static bool is_for_others(const struct walk *walk, struct bytes name)
{
    if (!walk->is_map)
        return bytes_equal_text(name, "kind") || bytes_equal_text(name, "apiVersion");
    for (const char *const *field = fields_of_the_class; *field; field++)
        if (bytes_equal_text(name, *field))
            return true;
    return begins(name, "csi.storage.k8s.io/") || same(name, (struct bytes)BYTES("fstype"), true) ||
           (begins(name, "csi") && (ends(name, "SecretName") || ends(name, "SecretNamespace")));
}

/* The row that was meant by that name; NULL: none is near. */
static const struct parameter *meant(const struct parameters *table, struct bytes name)
{
    struct nearest nearest = { .wanted = name };
    for (uint32_t i = 0; i < table->count; i++) {
        struct bytes candidate = table->rows[i].name;
        if (candidate.data[candidate.length - 1] != '*')
            near_consider(&nearest, candidate);
    }
    return nearest.found.data ? find_row(table, nearest.found) : NULL;
}

static void name_is_known(struct walk *walk, const struct doc_node *node, struct bytes path, const struct parameter *row)
{
    struct text text = cross_text(walk->cross);
    if (row || is_for_others(walk, path))
        return;
    const struct parameter *near = walk->suggestions++ < MAX_SUGGESTIONS ? meant(walk->table, path) : NULL;
    text_add(&text, walk->is_map ? "is no parameter that " : "is no member that ");
    text_add_escaped(&text, driver_name(walk->cross), walk->driver->name.length + NEAR_BYTES);
    text_add(&text, near ? " knows: " : " knows");
    if (near)
        near_add_words(&text, near->name);
    struct cross_report about = at_value(walk, node, walk->is_map);
    about.at_key = true;
    say(walk, about, path, near, &text);
}

/* Whether the driver has that kind in some version of the group. */
static bool has_kind(const struct driver *driver, struct bytes kind, struct bytes version)
{
    const char *slash = version.length ? memchr(version.data, '/', version.length) : NULL;
    struct bytes group = head_of(version, slash ? (uint32_t)(slash - version.data) + 1 : version.length);
    for (uint32_t i = 0; i < driver->count; i++)
        if (driver->tables[i].kind && bytes_equal_text(kind, driver->tables[i].kind) &&
            bytes_equal(group, head_of(bytes_of(driver->tables[i].api_version), group.length)))
            return true;
    return false;
}

/* A configuration of a type that the driver does not have. Nothing is said about another version of a type that it has. */
static void type_is_known(struct walk *walk)
{
    const struct doc_node *node = cross_value(walk->cross).node;
    struct bytes kind = doc_member_text(node, "kind"), version = doc_member_text(node, "apiVersion");
    struct text text = cross_text(walk->cross);
    const char *before = "";
    if (node->type != DOC_OBJECT || is_placeholder(kind) || is_placeholder(version) || has_kind(walk->driver, kind, version))
        return;
    text_add(&text, "is of a type that the driver does not know; it knows ");
    for (uint32_t i = 0; i < walk->driver->count; i++)
        if (walk->driver->tables[i].kind) {
            text_add(&text, before);
            text_add(&text, walk->driver->tables[i].api_version);
            text_add(&text, " ");
            text_add(&text, walk->driver->tables[i].kind);
            before = ", ";
        }
    const struct doc_node *at = find_parameter(&(struct walk){ .table = &walk->driver->tables[0] }, node, (struct bytes)BYTES("kind"));
    say(walk, at_value(walk, at, false), (struct bytes)BYTES("kind"), NULL, &text);
}

void cross_driver_names(struct cross *cross)
{
    struct walk walk = { .cross = cross, .parameter = name_is_known };
    walk_parameters(&walk);
    if (!walk.table && !walk.is_map && find_table(&walk))
        type_is_known(&walk);
}

/* ---- values ---- */

static bool is_one_of(struct bytes text, const char *const *values, bool ignores_case)
{
    for (; *values; values++)
        if (same(text, bytes_of(*values), ignores_case))
            return true;
    return false;
}

static bool is_integer(const struct parameter *row, const struct doc_node *node)
{
    int64_t value;
    if (!doc_integer(node, INT64_MIN, INT64_MAX, &value))
        return false;
    return (!row->low && !row->high) || (value >= row->low && value <= row->high);
}

/* Whether a text, in a map, is that of a value of the type. What drivers read as a boolean is what Go's strconv.ParseBool does. */
static bool text_fits(const struct parameter *row, const struct doc_node *node)
{
    static const char *const booleans[] = { "true", "false", "t", "f", "1", "0", NULL };
    switch (row->type) {
    case PARAMETER_BOOLEAN: return is_one_of(doc_text(node), booleans, true);
    case PARAMETER_INTEGER: return is_integer(row, node);
    default:                return true;
    }
}

static bool value_fits(const struct parameter *row, const struct doc_node *node)
{
    switch (row->type) {
    case PARAMETER_STRING:   return node->type == DOC_STRING;
    case PARAMETER_BOOLEAN:  return node->type == DOC_TRUE || node->type == DOC_FALSE;
    case PARAMETER_INTEGER:  return node->type == DOC_NUMBER && is_integer(row, node);
    case PARAMETER_QUANTITY: return node->type == DOC_STRING || node->type == DOC_NUMBER;
    case PARAMETER_OBJECT:   return node->type == DOC_OBJECT;
    default:                 return true;
    }
}

static void add_wanted(struct text *text, const struct parameter *row, bool is_text)
{
    static const char *const words[PARAMETER_TYPES] = {
        [PARAMETER_STRING] = "a text", [PARAMETER_INTEGER] = "a whole number", [PARAMETER_QUANTITY] = "a quantity",
        [PARAMETER_OBJECT] = "an object", [PARAMETER_ANY] = "a value",
    };
    text_add(text, "should be ");
    if (row->type == PARAMETER_BOOLEAN)
        text_add(text, is_text ? "\"true\" or \"false\"" : "true or false");
    else
        text_add(text, words[row->type]);
    if (row->type != PARAMETER_INTEGER || (!row->low && !row->high))
        return;
    if (row->low != INT64_MIN) {
        text_add(text, " from ");
        text_add_integer(text, row->low);
    }
    if (row->high != INT64_MAX) {
        text_add(text, row->low == INT64_MIN ? " up to " : " to ");
        text_add_integer(text, row->high);
    }
}

/* Of one value, which is no list. */
static void check_value(struct walk *walk, const struct doc_node *node, struct bytes path, const struct parameter *row)
{
    struct text text = cross_text(walk->cross);
    bool is_text = node->type == DOC_STRING;
    if (node->type == DOC_NULL || (is_text && is_placeholder(doc_text(node))))
        return;
    if (!(walk->is_map ? text_fits(row, node) : value_fits(row, node))) {
        add_wanted(&text, row, walk->is_map);
    } else if (is_text && row->values && !is_one_of(doc_text(node), row->values, walk->table->ignores_case)) {
        text_add(&text, "should be one of ");
        add_names(&text, row->values);
    } else if (is_text && row->pattern && !cross_matches_pattern(walk->cross, row->pattern, doc_text(node))) {
        text_add(&text, "should match ");
        text_add_escaped(&text, bytes_of(row->pattern), strlen(row->pattern));
    } else {
        return;
    }
    say(walk, at_value(walk, node, true), path, row, &text);
}

static void value_is_good(struct walk *walk, const struct doc_node *node, struct bytes path, const struct parameter *row)
{
    if (!row)
        return;
    if (walk->is_map || !row->list) {
        check_value(walk, node, path, row);
    } else if (node->type == DOC_ARRAY) {
        doc_each(node, element)
            check_value(walk, element, path, row);
    } else if (node->type != DOC_NULL) {
        struct text text = cross_text(walk->cross);
        text_add(&text, "should be a list");
        say(walk, at_value(walk, node, true), path, row, &text);
    }
}

void cross_driver_values(struct cross *cross)
{
    walk_parameters(&(struct walk){ .cross = cross, .parameter = value_is_good });
}

/* ---- parameters that are missing ---- */

/* Whether one of the parameters is there that stand for a required one. */
static bool is_replaced(struct walk *walk, const struct doc_node *object, const struct parameter *row)
{
    for (const char *const *name = row->unless; name && *name; name++)
        if (find_parameter(walk, object, bytes_of(*name)))
            return true;
    return false;
}

/* Rows that the object needs: those of its own members. An empty object needs nothing: a class without parameters may be just a name, for
 * volumes that are made by hand. */
static void needed_are_there(struct walk *walk, const struct doc_node *object, struct bytes path)
{
    for (uint32_t i = 0; i < walk->table->count && object && object->count; i++) {
        const struct parameter *row = &walk->table->rows[i];
        struct bytes name = row->name;
        uint32_t before = path.length ? path.length + 1 : 0;
        if (!row->required || name.length <= before || !same(head_of(name, path.length), path, false))
            continue;
        const struct bytes last = { name.data + before, name.length - before };
        if ((!walk->is_map && memchr(last.data, '.', last.length)) || find_parameter(walk, object, last) || is_replaced(walk, object, row))
            continue;
        struct text text = cross_text(walk->cross);
        text_add(&text, "should be set: the driver needs it");
        struct cross_report about = { .key = walk->is_map ? name : (struct bytes){ NULL, 0 } };
        if (!walk->is_map)
            about.at = at_value(walk, object, false).at;
        say(walk, about, name, row, &text);
    }
}

/* The value at a path of members, which may go through no list. *known: that is so. */
static const struct doc_node *find_path(struct walk *walk, const struct doc_node *object, const char *path, bool *known)
{
    *known = true;
    while (!walk->is_map && object) {
        size_t length = strcspn(path, ".");
        if (!path[length])
            break;
        object = doc_member_named(object, (struct bytes){ path, (uint32_t)length });
        path += length + 1;
        if (object && object->type == DOC_ARRAY)
            *known = false;
    }
    return *known ? find_parameter(walk, object, bytes_of(path)) : NULL;
}

static bool need_is_met(struct walk *walk, const struct parameter_need *need)
{
    bool known;
    const struct doc_node *node = find_path(walk, cross_value(walk->cross).node, need->name, &known);
    static const char *const truths[] = { "true", "t", "1", NULL };
    if (!known)
        return true;
    if (!node || !need->values)
        return node || (need->values && is_one_of((struct bytes)BYTES(""), need->values, false));
    struct bytes text = node->type == DOC_STRING || node->type == DOC_NUMBER ? doc_text(node) : (struct bytes)BYTES("false");
    bool is_true = node->type == DOC_TRUE || is_one_of(text, truths, true);
    return (node->type == DOC_STRING && is_placeholder(text)) || is_one_of(text, need->values, walk->table->ignores_case) ||
           (is_true && is_one_of((struct bytes)BYTES("true"), need->values, false));
}

static void say_need(struct walk *walk, const struct doc_node *node, struct bytes path, const struct parameter *row,
                     const struct parameter_need *need)
{
    struct text text = cross_text(walk->cross);
    const char *before = "";
    text_add(&text, "needs ");
    text_add_quoted(&text, bytes_of(need->name), strlen(need->name));
    text_add(&text, need->values ? " to be " : " beside it");
    for (const char *const *value = need->values; value && *value; value++) {
        text_add(&text, before);
        if (**value)
            text_add_quoted(&text, bytes_of(*value), strlen(*value));
        else
            text_add(&text, "left out");
        before = " or ";
    }
    say(walk, at_value(walk, node, false), path, row, &text);
}

/* The first parameter of the row with needs. Rows that stand for many names are not asked again for each. */
static void partners_are_there(struct walk *walk, const struct doc_node *node, struct bytes path, const struct parameter *row)
{
    const struct parameter_need *need = row ? row->needs : NULL;
    bool many = row && row->name.data[row->name.length - 1] == '*';
    if (many || !need || (node->type == DOC_STRING && !node->count) || node->type == DOC_FALSE || node->type == DOC_NULL)
        return;
    if (walk->is_map && row->type == PARAMETER_BOOLEAN && !same(doc_text(node), (struct bytes)BYTES("true"), true))
        return;
    for (; need->name && walk->asked < MAX_ASKED; need++, walk->asked++)
        if (!need_is_met(walk, need))
            say_need(walk, node, path, row, need);
}

void cross_driver_needs(struct cross *cross)
{
    walk_parameters(&(struct walk){ .cross = cross, .parameter = partners_are_there, .object = needed_are_there });
}

/* ---- deprecated ones ---- */

static void name_is_current(struct walk *walk, const struct doc_node *node, struct bytes path, const struct parameter *row)
{
    struct text text = cross_text(walk->cross);
    if (!row || !row->deprecated)
        return;
    text_add(&text, "is deprecated: ");
    text_add_escaped(&text, bytes_of(row->deprecated), strlen(row->deprecated));
    struct cross_report about = at_value(walk, node, walk->is_map);
    about.at_key = true;
    say(walk, about, path, row, &text);
}

void cross_driver_deprecated(struct cross *cross)
{
    walk_parameters(&(struct walk){ .cross = cross, .parameter = name_is_current });
}
