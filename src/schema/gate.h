/* Feature gates of API servers. The table is rules/gates.def. */
#ifndef DRAWBRIDGE_SCHEMA_GATE_H
#define DRAWBRIDGE_SCHEMA_GATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "schema/rule.h"

enum { GATE_NEEDS_MAX = 3 };

struct gate {
    const char *name;
    minor alpha;  /* the first minor that has it, as alpha if that ever was; … */
    minor beta;   /* … in which it is beta, */
    minor on;     /* on by default, */
    minor ga;     /* GA, */
    minor locked; /* on for ever; 0: none that is known */
    const char *needs[GATE_NEEDS_MAX + 1]; /* gates without which it must not be on; NULL ends them */
};

extern const struct gate gates[];
extern const size_t gate_count;

/* Gates as bits: the lowest one for the first row of the table. */
typedef uint32_t gate_set;

/* The gate of that name; NULL: there is none. */
const struct gate *gate_find(const char *name);

/* Its bit; 0: there is none. */
gate_set gate_bit(const char *name);

/* "alpha", "beta" or "GA": what the gate is in that version, which has it. */
const char *gate_stage(const char *name, minor version);

/* What the operator of an API server says of gates, as --feature-gates does; all zero: nothing. */
struct gate_settings {
    gate_set on, off;
    bool guessed; /* nobody has said anything: see gates_of_webhook(), gates_with_alpha() */
    gate_set all_alpha_on, all_alpha_off, all_beta_on, all_beta_off; /* every bit or none: AllAlpha=true, AllAlpha=false, … */
};

/* The gates of a webhook's API server where nobody says how they are set: all on, as it drops fields whose gates are off before it calls a
 * webhook, so what is there has its gate on. */
struct gate_settings gates_of_webhook(void);

/* The gates of an API server that is asked for a verdict where nobody says how they are set: as AllAlpha=true, and the gate whose default
 * follows the version that is emulated. */
struct gate_settings gates_with_alpha(void);

/* The gates that are off in that version. Those that the version does not have are not among them: it has none of their fields. */
gate_set gates_off(const struct gate_settings *settings, minor version);

/* The same for what expressions may use. That one looks up lists proves nothing: where it is guessed, 1.36 is taken to have them off, as by
 * default. */
gate_set gates_off_in_expressions(const struct gate_settings *settings, minor version);

/* Reads "A=true,B=false", as kube-apiserver does, into *settings. Gates that are not in the table concern no field of the kinds, and are
 * passed over, unless they are nearly the name of one that does. */
bool gate_settings_read(const char *text, struct gate_settings *settings, struct error *error) MUST_USE;

/* Sets one gate, AllAlpha or AllBeta; the same holds for others. */
bool gate_settings_set(struct bytes name, bool value, struct gate_settings *settings, struct error *error) MUST_USE;

/* Whether an API server of that version would start so: no locked gate is off, and, since 1.35, what a gate needs is on. */
bool gate_settings_check(const struct gate_settings *settings, minor version, struct error *error) MUST_USE;

/* The same for each version of a range with both bounds. */
bool gate_settings_check_all(const struct gate_settings *settings, struct versions versions, struct error *error) MUST_USE;

#endif
