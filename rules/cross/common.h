/* What the files of rules/cross/ tell each other. */
#ifndef DRAWBRIDGE_RULES_CROSS_COMMON_H
#define DRAWBRIDGE_RULES_CROSS_COMMON_H

#include "check/cross.h"
#include "rules/tables.h"

/* What there is more of is refused by other rows, and not gone through. */
enum { MAX_REQUESTS = 32, MAX_CHOICES = 8, MAX_TAINTS = 16, MAX_SELECTORS = 32 };

/* request.c: the requests of the claim or template that is validated; nothing, if there are too many. Whether "request" or
 * "request/subrequest" is written for that request. */
struct value cross_requests(struct cross *cross);
bool cross_refers_to(struct bytes reference, struct bytes request);

/* class_facts.c: whether a DeviceClass is for one driver only, and that driver. Whether its selectors or configuration name a driver. */
bool cross_class_driver(struct cross *cross, struct indexed *class, struct bytes *driver);
bool cross_class_mentions(struct cross *cross, struct indexed *class, struct bytes driver);

/* class_facts.c: whether selectors of the class are true for all devices of a driver, whatever they have; without data: of every driver. */
bool cross_class_takes_all(struct cross *cross, struct indexed *class, struct bytes *driver);

/* pool.c, of a slice: whether it is of a template that is not rendered, whether all slices of its pool are given, and whether it is of the
 * newest generation that is given. */
bool cross_is_template(struct cross *cross, struct value slice);
bool cross_pool_is_whole(struct cross *cross, struct value slice);
bool cross_pool_is_newest(struct cross *cross, struct value slice);

/* pool.c, of an object with members driver, pool and device: whether all slices of the pool are given; the device (NULL: it is not
 * given). */
bool cross_pool_is_given(struct cross *cross, struct value named);
const struct indexed *cross_pool_device(struct cross *cross, struct value named);

/* allocation.c: whether the toleration tolerates the taint. */
bool cross_tolerates(struct cross *cross, struct value one, struct value taint);

#endif
