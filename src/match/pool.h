/* Pools: slices of one driver and pool name. */
#ifndef DRAWBRIDGE_MATCH_POOL_H
#define DRAWBRIDGE_MATCH_POOL_H

#include "match/world.h"

/* Sorts the slices of the world, makes their pools, and sets which slices count. */
enum failure match_pools_read(struct match_world *world) MUST_USE;

#endif
