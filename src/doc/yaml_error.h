/* libyaml's complaints in words that say what to look at. */
#ifndef DRAWBRIDGE_DOC_YAML_ERROR_H
#define DRAWBRIDGE_DOC_YAML_ERROR_H

#include <stdbool.h>
#include <yaml.h>

/* What is wrong in the text; `character` is the byte at the place of the problem, or 0. Never NULL, fixed text. */
const char *yaml_error_text(const yaml_parser_t *parser, char character);

/* Whether to look at context_mark, where the quote or the key begins, and not at problem_mark, where the parser gave up. */
bool yaml_error_at_start(const yaml_parser_t *parser);

#endif
