/* The switch for all fast paths. A fast path is code that gives early the answer that slower code would give, too. A build with
 * -DNO_FAST_PATHS uses the slower code only; the conformance tests compare both builds. */
#ifndef DRAWBRIDGE_BASE_FAST_PATHS_H
#define DRAWBRIDGE_BASE_FAST_PATHS_H

#ifdef NO_FAST_PATHS
enum { FAST_PATHS = 0 };
#else
enum { FAST_PATHS = 1 };
#endif

#endif
