/* The values of Kubernetes' own types: quantities, versions, addresses, URLs, formats. */
#ifndef DRAWBRIDGE_RULES_CEL_OBJECTS_H
#define DRAWBRIDGE_RULES_CEL_OBJECTS_H

#include "cel/evaluation.h"

extern const struct cel_object_class quantity_class, semver_class, ip_class, cidr_class, url_class, named_format_class;

/* A quantity or a version of that text, which it borrows. `input`: it is one of the input, which threads share. NULL: *error says why the
 * text is none; the arena failed if that is NULL. */
struct cel_object *quantity_object(struct arena *arena, struct bytes text, bool input, const char **error) MUST_USE;
struct cel_object *semver_object(struct arena *arena, struct bytes text, bool input, const char **error) MUST_USE;

/* The error of a call that could not make an object of that text; `error` NULL: the arena failed, and the evaluation is stopped. */
struct cel_value object_fail(struct cel_evaluation *evaluation, const char *error, struct bytes text);

struct text;
struct url_error;

/* Appends why a text is no URL, in Go's words, with at most `limit` bytes of it. */
void url_add_error(struct text *text, struct bytes url, const struct url_error *error, size_t limit);

/* Sets *order to below 0, 0 or above 0. As Kubernetes has it, this changes how the first quantity is kept. False: the evaluation is
 * stopped. */
bool quantity_order(struct cel_evaluation *evaluation, struct cel_object *a, struct cel_object *b, int *order) MUST_USE;

/* The same for the precedence of two versions, without what follows +. */
bool semver_order(struct cel_evaluation *evaluation, const struct cel_object *a, const struct cel_object *b, int *order) MUST_USE;

#endif
