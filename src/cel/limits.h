/* Bounds on what a CEL expression can make the program do. */
#ifndef DRAWBRIDGE_CEL_LIMITS_H
#define DRAWBRIDGE_CEL_LIMITS_H

/* Bytes of an expression. The API server refuses longer ones. Reading its tokens takes time in proportion: a string that goes wrong is
 * tried between three quotes and between one, and read again after the first two of three. */
#define LIMIT_CEL_BYTES 10240u

#endif
