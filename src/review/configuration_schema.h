/* The members of a configuration, drawbridge.yaml(5): the tables by which it is read, and of which its JSON Schema is made. */
#ifndef DRAWBRIDGE_REVIEW_CONFIGURATION_SCHEMA_H
#define DRAWBRIDGE_REVIEW_CONFIGURATION_SCHEMA_H

#include "review/configuration.h"
#include "schema/kind.h"

extern const struct kind configuration_kind;

/* By enum level: as severities, and as what fails; by enum unknown_fields; by enum templates. Each ended by NULL. */
extern const char *const level_words[], *const fail_on_words[], *const unknown_fields_words[], *const templates_words[];

/* What a member is for, a sentence; by its path without indexes: "policies.rules". NULL: there is no such member. */
const char *configuration_member_words(const char *path);

#endif
