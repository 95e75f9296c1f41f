/* libyaml's errors, in words that say what to change. */
#ifndef DRAWBRIDGE_DOC_YAML_ERROR_H
#define DRAWBRIDGE_DOC_YAML_ERROR_H

#include <stdbool.h>
#include <yaml.h>

/* What is wrong with the text. `character` is the ASCII character at which libyaml reports the problem, or '\0'. Never NULL. */
const char *yaml_error_text(const yaml_parser_t *parser, char character);

/* Whether to report the error at context_mark, where the quote or key begins, and not at problem_mark, where the parser stopped. */
bool yaml_error_at_start(const yaml_parser_t *parser);

#endif
