/* Types: what each node of a tree is, which overloads its calls may run, and what does not fit. */
#ifndef DRAWBRIDGE_CEL_CHECK_H
#define DRAWBRIDGE_CEL_CHECK_H

#include "cel/error.h"
#include "cel/library.h"
#include "cel/parse.h"

/* Sets the types of all nodes, and the functions and candidates of calls. Names with dots that the library knows become identifiers or
 * calls of functions without receiver. Everything is in errors->arena. Errors are added as they
 * are found, with cel-go's words. Returns errors->failure. */
enum failure cel_check(const struct cel_tree *tree, const struct cel_library *library, struct cel_environment environment,
                       struct cel_errors *errors) MUST_USE;

#endif
