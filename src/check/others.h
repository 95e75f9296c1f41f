/* The interface through which rows ask about the other objects of the set in which an object is validated. validate/object_set.c implements
 * it. */
#ifndef DRAWBRIDGE_CHECK_OTHERS_H
#define DRAWBRIDGE_CHECK_OTHERS_H

#include "check/matched.h"
#include "doc/doc.h"
#include "schema/kind.h"

/* One object of a set. What it points to outlives the set. */
struct object {
    const struct kind *kind;
    const struct document *document;
    const struct doc_node *node;   /* bound to the kind's shape */
    const void *owner;             /* for the caller: where the object is from */
    /* Set when the object is indexed: */
    struct value root;             /* merged, and in the terms of the API version in which rules are written; unset: not a right object */
    struct bytes name, name_space; /* of its metadata */
};

/* An object that a text names. */
struct wanted {
    const char *group, *kind;
    struct bytes name;
    struct bytes space; /* the namespace of the object with the text; "" where it is not known */
};

/* Whether it is in the set. An object in a namespace must be in that of the object with the text, where both are known. */
enum presence {
    PRESENCE_UNKNOWN,   /* no object of the kind is given there; or a failure */
    PRESENCE_GIVEN,
    PRESENCE_MISSING,   /* others of the kind are */
    PRESENCE_ELSEWHERE, /* one of that name is in another namespace */
};

/* What a NAMES_OBJECT row wants of such a text. False: it is of no concern to the row. */
struct cursor;
struct evaluation;
bool check_wanted(struct evaluation *eval, const struct cursor *cursor, const struct check *check, struct bytes text,
                  struct wanted *wanted);

struct others {
    /* The first value with that key in the index; NULL: none, or a failure. */
    struct indexed *(*find)(struct others *others, const struct index_definition *definition, struct bytes key);
    /* The object of that group, kind and name, in any API version; NULL: none, or a failure. */
    struct indexed *(*named)(struct others *others, const char *group, const char *kind, struct bytes name);
    /* How many objects of that group and kind have a name. */
    uint32_t (*count)(struct others *others, const char *group, const char *kind);
    /* Whether the object is there; and the only one that may be it, NULL: none, or several. */
    enum presence (*presence)(struct others *others, const struct wanted *wanted);
    struct indexed *(*beside)(struct others *others, const struct wanted *wanted);
    /* The name that the wanted one was probably meant to be; { NULL, 0 }: none. */
    struct bytes (*near)(struct others *others, const struct wanted *wanted);
    /* Whether this is the first time that an object of that kind and name is missing; only that one is reported. */
    bool (*missed_first)(struct others *others, const char *kind, struct bytes name);
    /* Answers cross_matched() for that object. */
    bool (*matched)(struct others *others, const struct object *object, struct bytes request, struct bytes choice, struct matched *matched);
    /* FAILURE_NONE, or why the functions above cannot answer any more. */
    enum failure (*failure)(const struct others *others);
    struct arena *arena; /* lives as long as the set; not owned */
};

#endif
