/* Functions that may not be used, each with what to use instead. The compiler sees this file before every file of src/ and rules/
 * (Makefile), and refuses their names from then on. The headers that declare them come first, as the names in these are refused, too. */
#ifndef DRAWBRIDGE_BASE_BANNED_H
#define DRAWBRIDGE_BASE_BANNED_H

#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* They write without knowing the room: snprintf, memcpy, text_add (base/text.h). */
#undef sprintf /* macros in some C libraries */
#undef vsprintf
#pragma GCC poison strcpy strcat stpcpy sprintf vsprintf gets

/* They end a text without a NUL, or fill the room with zeros: snprintf. */
#pragma GCC poison strncpy strncat stpncpy

/* They take what is no number for 0: strtol, and see where it stops. */
#pragma GCC poison atoi atol atoll atof

/* They keep their state, or their result, in memory that threads share: strtok_r, gmtime_r, localtime_r, strftime. */
#pragma GCC poison strtok gmtime localtime asctime ctime

/* The stack has no bound that can be checked. */
#undef alloca /* a macro in some C libraries */
#pragma GCC poison alloca

/* Somebody else may make the file before: mkostemp. */
#pragma GCC poison tmpnam tempnam mktemp

#endif
