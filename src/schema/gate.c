#include "schema/gate.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/near.h"

#define EVERY_GATE (~(gate_set)0)

enum { NEEDS_SINCE = 35 }; /* before, API servers start with a gate that is on without what it needs */

const struct gate *gate_find(const char *name)
{
    for (size_t i = 0; i < gate_count; i++)
        if (strcmp(gates[i].name, name) == 0)
            return &gates[i];
    return NULL;
}

gate_set gate_bit(const char *name)
{
    const struct gate *gate = gate_find(name);
    return gate ? (gate_set)1 << (gate - gates) : 0;
}

struct gate_settings gates_with_alpha(void)
{
    return (struct gate_settings){ .guessed = true, .all_alpha_on = EVERY_GATE, .on = gate_bit("DRAFractionalCapacityRange") };
}

struct gate_settings gates_of_webhook(void)
{
    return (struct gate_settings){ .guessed = true, .all_alpha_on = EVERY_GATE, .all_beta_on = EVERY_GATE };
}

static bool reached(minor since, minor version)
{
    return since && version >= since;
}

const char *gate_stage(const char *name, minor version)
{
    const struct gate *gate = gate_find(name);
    if (!gate)
        return "unknown";
    return reached(gate->ga, version) ? "GA" : reached(gate->beta, version) ? "beta" : "alpha";
}

static bool is_on(const struct gate *gate, gate_set bit, const struct gate_settings *settings, minor version)
{
    if (reached(gate->locked, version) || (settings->on & bit))
        return true;
    bool alpha = !reached(gate->beta, version) && !reached(gate->ga, version), beta = !alpha && !reached(gate->ga, version);
    gate_set all_on = alpha ? settings->all_alpha_on : beta ? settings->all_beta_on : 0;
    gate_set all_off = alpha ? settings->all_alpha_off : beta ? settings->all_beta_off : 0;
    return !(settings->off & bit) && !(all_off & bit) && ((all_on & bit) || reached(gate->on, version));
}

gate_set gates_off(const struct gate_settings *settings, minor version)
{
    gate_set off = 0;
    for (size_t i = 0; i < gate_count; i++) {
        gate_set bit = (gate_set)1 << i;
        off |= version >= gates[i].alpha && !is_on(&gates[i], bit, settings, version) ? bit : 0;
    }
    return off;
}

gate_set gates_off_in_expressions(const struct gate_settings *settings, minor version)
{
    return gates_off(settings, version) | (settings->guessed && version == 36 ? gate_bit("DRAListTypeAttributes") : 0);
}

/* ---- as an option ---- */

/* The words that Go reads as a truth value. */
static bool read_truth(struct bytes text, bool *value)
{
    static const char *const words[] = { "0", "1", "f", "t", "F", "T", "false", "true", "False", "True", "FALSE", "TRUE" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (bytes_equal_text(text, words[i])) {
            *value = i % 2;
            return true;
        }
    return false;
}

static struct bytes trimmed(struct bytes text)
{
    while (text.length && *text.data == ' ')
        text = (struct bytes){ text.data + 1, text.length - 1 };
    while (text.length && text.data[text.length - 1] == ' ')
        text.length--;
    return text;
}

/* The text for messages, cut and escaped. */
static struct escaped quoted(struct bytes text)
{
    char copy[2 * LIMIT_QUOTE_BYTES];
    snprintf(copy, sizeof copy, "%.*s", (int)(text.length < sizeof copy ? text.length : sizeof copy - 1), text.data);
    return escape_text(copy);
}

static bool set(gate_set bits, bool value, gate_set *on, gate_set *off)
{
    *on = value ? *on | bits : *on & ~bits;
    *off = value ? *off & ~bits : *off | bits;
    return true;
}

bool gate_settings_set(struct bytes name, bool value, struct gate_settings *settings, struct error *error)
{
    struct nearest nearest = { .wanted = name };
    if (bytes_equal_text(name, "AllAlpha"))
        return set(EVERY_GATE, value, &settings->all_alpha_on, &settings->all_alpha_off);
    if (bytes_equal_text(name, "AllBeta"))
        return set(EVERY_GATE, value, &settings->all_beta_on, &settings->all_beta_off);
    for (size_t i = 0; i < gate_count; i++) {
        if (bytes_equal_text(name, gates[i].name))
            return set((gate_set)1 << i, value, &settings->on, &settings->off);
        near_consider(&nearest, bytes_of(gates[i].name));
    }
    near_consider(&nearest, bytes_of("AllAlpha"));
    near_consider(&nearest, bytes_of("AllBeta"));
    if (!nearest.found.data)
        return true;
    return error_set(error, FAILURE_INPUT, "'%s' is no feature gate; did you mean %s?", quoted(name).text, nearest.found.data);
}

bool gate_settings_read(const char *text, struct gate_settings *settings, struct error *error)
{
    *settings = (struct gate_settings){ .on = 0 };
    while (*text) {
        struct bytes part = trimmed((struct bytes){ text, (uint32_t)strcspn(text, ",") });
        text += strcspn(text, ",");
        text += *text == ',';
        const char *equals = part.length ? memchr(part.data, '=', part.length) : NULL;
        uint32_t before = equals ? (uint32_t)(equals - part.data) : 0;
        bool value;
        if (part.length == 0)
            continue;
        if (!before || !read_truth(trimmed((struct bytes){ equals + 1, part.length - before - 1 }), &value))
            return error_set(error, FAILURE_INPUT, "'%s' does not set a feature gate, as DRAConsumableCapacity=true does",
                             quoted(part).text);
        if (!gate_settings_set(trimmed((struct bytes){ part.data, before }), value, settings, error))
            return false;
    }
    return true;
}

bool gate_settings_check(const struct gate_settings *settings, minor version, struct error *error)
{
    gate_set off = gates_off(settings, version);
    for (size_t i = 0; i < gate_count; i++) {
        const struct gate *gate = &gates[i];
        gate_set bit = (gate_set)1 << i;
        if ((settings->off & bit) && reached(gate->locked, version))
            return error_set(error, FAILURE_INPUT, "the feature gate %s is locked: it cannot be off in 1.%u", gate->name, version);
        bool needs = version >= NEEDS_SINCE && version >= gate->alpha && !(off & bit);
        for (const char *const *need = gate->needs; needs && *need; need++)
            if (off & gate_bit(*need)) /* whichever word of the settings has put it off; by default nothing is so */
                return error_set(error, FAILURE_INPUT, "the feature gate %s needs %s, which is off in 1.%u", gate->name, *need, version);
    }
    return true;
}

bool gate_settings_check_all(const struct gate_settings *settings, struct versions versions, struct error *error)
{
    for (minor version = versions.since; version <= versions.until; version++)
        if (!gate_settings_check(settings, version, error))
            return false;
    return true;
}
