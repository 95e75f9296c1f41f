/* Inside review/: an event of an API server's audit log (audit.k8s.io/v1), as far as it says what was written and what came of it. */
#ifndef DRAWBRIDGE_REVIEW_EVENT_H
#define DRAWBRIDGE_REVIEW_EVENT_H

#include "validate/validate.h"

/* Everything points into the text or the workspace's arena. Texts that are not given are empty. */
struct event {
    struct bytes audit_id, level, stage, verb, user, time;
    struct bytes group, version, resource, sub_resource, space, name; /* objectRef */
    int64_t code;                   /* of the answer; 0: not given */
    bool dry_run;
    struct document document;       /* the event itself */
    const struct doc_node *request; /* the object as it was sent, or a patch: skipped by the reader; NULL: not given */
    const struct doc_node *response; /* what was answered: the object as it was stored, or a Status; the same */
    bool is_list;                   /* it is an EventList, and nothing but the next member is set */
    const struct doc_node *items;   /* its events, each of which was skipped by the reader; NULL: none */
};

/* Reads the event that begins at `start` and ends with the source; `is_item`: it is one of a list. FAILURE_SYNTAX and FAILURE_INPUT: it is
 * none; *error says why and where. FAILURE_LIMIT: it is too large, the same. */
enum failure event_read(struct workspace *workspace, struct bytes source, uint32_t start, bool is_item, struct event *event,
                        struct doc_error *error) MUST_USE;

#endif
