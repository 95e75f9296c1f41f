/* What `drawbridge cel` prints of an expression: errors with their place, and what it is on each device. */
#ifndef DRAWBRIDGE_CLI_CEL_PRINT_H
#define DRAWBRIDGE_CLI_CEL_PRINT_H

#include <cjson/cJSON.h>

#include "cel/evaluate.h"
#include "cli/cel_devices.h"

/* An expression; `program` is NULL where there is nothing to evaluate. */
struct cel_shown {
    const char *name; /* of the file, or "<expression>" */
    struct bytes text;
    struct cel_expression compiled;
    const struct cel_program *program;
    struct arena arena;      /* of what was compiled, and of what is printed */
    struct arena evaluation; /* of one evaluation */
    uint32_t failed;         /* how many evaluations have failed */
};

void cel_shown_init(struct cel_shown *shown);
void cel_shown_done(struct cel_shown *shown);

/* Compiles the text, which must live as long: as a selector, or with a result of any type. With devices, it can be evaluated afterwards,
 * if that is possible; `devices` may be NULL. */
enum failure cel_shown_compile(struct cel_shown *shown, struct bytes text, struct cel_environment environment, bool any_type,
                               const struct cel_devices *devices) MUST_USE;

/* Why it is refused, with places; nothing of what is right. */
void cel_print_refusal(struct cel_shown *shown);

/* What was meant where it is refused. NULL: there is no guess. And its line. */
const char *cel_shown_hint(struct cel_shown *shown);
void cel_print_hint(struct cel_shown *shown);

/* The type of the result, as cel-go writes it. */
const char *cel_shown_type(struct cel_shown *shown);

/* What it costs at most, and the share of each part. */
void cel_print_costs(const struct cel_shown *shown);

/* Evaluates on a device; a failure of the evaluation is a result, too. Without `any_type` the result is true, false or an error, as of a
 * selector. It lives until the next evaluation. */
enum failure cel_shown_evaluate(struct cel_shown *shown, const struct cel_named_device *device, bool any_type,
                                struct cel_result *result) MUST_USE;

/* Why an evaluation failed, with its place. */
void cel_print_fault(struct cel_shown *shown, const struct cel_fault *fault);

/* A value in words, until the next evaluation. */
const char *cel_shown_value(struct cel_shown *shown, const struct cel_value *value);

/* Evaluates on all devices: a table with results and costs, the errors with their places, and a summary. */
enum failure cel_print_results(struct cel_shown *shown, const struct cel_devices *devices, bool any_type) MUST_USE;

/* All that is known of the expression, with its results as "eval", as members of a JSON object. False: there is no memory. */
bool cel_fill_object(struct cel_shown *shown, const struct cel_devices *devices, bool any_type, cJSON *object) MUST_USE;

/* The words of --format. */
enum cel_format { CEL_FORMAT_TEXT, CEL_FORMAT_JSON };
extern const char *const cel_formats[];

#endif
