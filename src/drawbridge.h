/* libdrawbridge: judges Kubernetes storage and device objects as a Kubernetes API server does.
 *
 *     struct drawbridge_context *context;
 *     struct drawbridge_report *report;
 *     if (drawbridge_context_new(NULL, &context) != DRAWBRIDGE_OK)
 *         ...
 *     if (drawbridge_validate(context, NULL, text, length, NULL, 0, &report) == DRAWBRIDGE_OK) {
 *         for (size_t i = 0; i < drawbridge_report_count(report); i++)
 *             puts(drawbridge_report_finding(report, i)->message);
 *         drawbridge_report_free(report);
 *     }
 *     drawbridge_context_free(context);
 *
 * Link with `pkg-config --cflags --libs drawbridge`. Nothing here prints, exits, or keeps state outside of what it returns.
 * What it judges, and where the rules are from: `drawbridge rules`, `drawbridge explain`. */
#ifndef DRAWBRIDGE_H
#define DRAWBRIDGE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. The shared library's name carries the ABI: a program that was built with one libdrawbridge.so.N
 * works with every later one of that N. */
#define DRAWBRIDGE_VERSION_MAJOR 0
#define DRAWBRIDGE_VERSION_MINOR 1
#define DRAWBRIDGE_VERSION_PATCH 0
#define DRAWBRIDGE_VERSION "0.1.0"

#ifndef DRAWBRIDGE_API
#define DRAWBRIDGE_API __attribute__((visibility("default")))
#endif
#define DRAWBRIDGE_MUST_USE __attribute__((warn_unused_result))

/* The most bytes of one text. */
#define DRAWBRIDGE_MAX_BYTES ((size_t)8 << 20)

/* The most bytes of all texts of a set; and of memory for them and what is read out of them, beyond which no more text is taken. */
#define DRAWBRIDGE_MAX_SET_BYTES ((size_t)256 << 20)

enum drawbridge_result {
    DRAWBRIDGE_OK = 0,
    DRAWBRIDGE_NO_MEMORY = 1, /* an allocation failed; nothing was leaked */
    DRAWBRIDGE_LIMIT = 2,     /* a text is larger than DRAWBRIDGE_MAX_BYTES, a set larger than DRAWBRIDGE_MAX_SET_BYTES, objects and findings of one text
                               * need more than 64 MiB, or the name of a text has more than 4,096 bytes */
    DRAWBRIDGE_BAD_VERSION = 3, /* kubernetes_version is none that the library knows */
    DRAWBRIDGE_BAD_OPTION = 4,  /* another option has no such value */
    DRAWBRIDGE_INTERNAL = 5,    /* the library could not decide; nothing is known about the text */
};

enum drawbridge_severity {
    DRAWBRIDGE_ERROR = 0,   /* an API server refuses it */
    DRAWBRIDGE_WARNING = 1, /* documented or deprecated, but not refused */
    DRAWBRIDGE_INFO = 2,    /* worth knowing: something without effect, advice, an object that is named and not given */
};

/* What a field is that the kind does not have. API servers drop it with a warning, or refuse it when asked to be strict. */
enum drawbridge_unknown_fields {
    DRAWBRIDGE_UNKNOWN_ERROR = 0,
    DRAWBRIDGE_UNKNOWN_WARNING = 1,
    DRAWBRIDGE_UNKNOWN_IGNORE = 2,
};

/* Where the library takes memory from. Both functions are called from any thread that calls the library. Reading YAML takes some
 * from malloc, too, because libyaml does. */
struct drawbridge_allocator {
    void *(*allocate)(size_t bytes, void *data); /* aligned as malloc aligns; NULL when there is none */
    void (*release)(void *pointer, void *data);  /* accepts NULL */
    void *data;
};

struct drawbridge_options {
    size_t size;                    /* sizeof(struct drawbridge_options), so that later versions can add members */
    const char *kubernetes_version; /* such as "1.35", "v1.34.2"; NULL: 1.35. Feature gates count as on; which are off by default, only lint tells */
    int unknown_fields;             /* enum drawbridge_unknown_fields */
    int as_status;                  /* not 0: judge updates of the status subresource; without older objects, of the same without status */
    const char *judge_as;           /* a role: judge objects of its kind by what the role asks of them, such as Pods as
                                     * "recycler-pod-template"; NULL: none */
};

/* One thing that is wrong. Texts are UTF-8, never NULL but for hint, and live as long as the report. Later versions may add members
 * at the end: only pointers to these are handed out. Limits of a document (nesting, values) are findings, of the syntax rules. */
struct drawbridge_finding {
    int severity;            /* enum drawbridge_severity */
    int in_old;              /* not 0: offset, line and column are of the older text */
    const char *rule;        /* id of the rule: "required", "dns-label"; "json-syntax" and "yaml-syntax" for text that does not parse */
    const char *reason;      /* Kubernetes' cause type: "FieldValueInvalid" */
    const char *path;        /* as Kubernetes writes it: "spec.drivers[0].name"; "" is the object itself; keys of maps stand in it as they
                              * are, so a terminal should not be handed it without care */
    const char *message;     /* in Kubernetes' form: "Invalid value: \"x\": must be …" */
    const char *hint;        /* what to write instead; NULL: unknown */
    size_t offset;           /* bytes from the start of the text to the value, or to what is around it where nothing is written */
    size_t size;             /* bytes of the value; 0 where nothing is written */
    size_t line, column;     /* of offset, from 1; columns are characters */
    const char *group, *version, *kind; /* of the object, as written; "" for text that does not parse */
    const char *object_namespace, *object_name;
    const char *source;      /* name of the text in which the place is, as drawbridge_set_add was given it; "" without a set */
    const struct drawbridge_other *other; /* what the object clashes with, among those that are judged together; NULL: nothing in particular */
};

/* Another object, and the place in it. Later versions may add members at the end. */
struct drawbridge_other {
    const char *source;                 /* as in struct drawbridge_finding */
    size_t offset, size, line, column;
    const char *group, *version, *kind;
    const char *object_namespace, *object_name;
};

struct drawbridge_context;
struct drawbridge_report;
struct drawbridge_set;

/* "0.1.0", of the library. */
DRAWBRIDGE_API const char *drawbridge_version(void);

/* A result in English, without a final stop; never NULL. */
DRAWBRIDGE_API const char *drawbridge_result_text(enum drawbridge_result result);

/* Makes what validations share. Any number of threads may use it at the same time. allocator: NULL for malloc; copied. Sets
 * *context, to be freed with drawbridge_context_free, only on DRAWBRIDGE_OK. Otherwise DRAWBRIDGE_NO_MEMORY, or DRAWBRIDGE_INTERNAL when
 * the system gives no random numbers. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_context_new(const struct drawbridge_allocator *allocator, struct drawbridge_context **context) DRAWBRIDGE_MUST_USE;

/* Frees a context that no thread uses any more; reports may outlive it. NULL is ignored. */
DRAWBRIDGE_API void drawbridge_context_free(struct drawbridge_context *context);

/* Judges all objects in `length` bytes of YAML or JSON (any number of documents; Lists are expanded), together, as if they were created, or,
 * where `old_text` (NULL: none) has an object of the same group, kind, namespace and name, as its update. Texts are not needed
 * after the call. options: NULL for the defaults. Findings are no failure: sets *report, to be freed with drawbridge_report_free,
 * and returns DRAWBRIDGE_OK, whatever is wrong with the texts. Otherwise *report stays as it was. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_validate(const struct drawbridge_context *context, const struct drawbridge_options *options,
                                                          const char *text, size_t length, const char *old_text, size_t old_length,
                                                          struct drawbridge_report **report) DRAWBRIDGE_MUST_USE;

/* A set: several texts whose objects are judged together, so that names of objects in other texts, or two devices of one name in a pool, are
 * found. drawbridge_set_new makes an empty one, to be freed with drawbridge_set_free (NULL is ignored) before its context; options as for
 * drawbridge_validate, copied. A set is for one thread at a time. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_set_new(const struct drawbridge_context *context, const struct drawbridge_options *options,
                                                         struct drawbridge_set **set) DRAWBRIDGE_MUST_USE;
DRAWBRIDGE_API void drawbridge_set_free(struct drawbridge_set *set);

/* Adds `length` bytes of YAML or JSON; with _old, of older objects, as old_text of drawbridge_validate. Copies text and name, which is UTF-8 of at
 * most 4,096 bytes and comes back in findings: the name of a file, for example. DRAWBRIDGE_LIMIT when the text is larger than DRAWBRIDGE_MAX_BYTES or
 * its objects need more than 64 MiB, or when the texts of the set are together larger than DRAWBRIDGE_MAX_SET_BYTES: the set stays as it was. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_set_add(struct drawbridge_set *set, const char *name, const char *text, size_t length) DRAWBRIDGE_MUST_USE;
DRAWBRIDGE_API enum drawbridge_result drawbridge_set_add_old(struct drawbridge_set *set, const char *name, const char *text, size_t length) DRAWBRIDGE_MUST_USE;

/* Judges all objects of the set. Sets *report as drawbridge_validate does; findings come text by text, in the order in which they were added.
 * More texts may be added afterwards, and the set judged again. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_set_validate(struct drawbridge_set *set, struct drawbridge_report **report) DRAWBRIDGE_MUST_USE;

/* Findings that are kept: at most 1,024 of an object, 10,000 of a text, and as many as fit into 64 MiB, in the order of their places. */
DRAWBRIDGE_API size_t drawbridge_report_count(const struct drawbridge_report *report);

/* The finding with that index, from 0; NULL when there are no so many. */
DRAWBRIDGE_API const struct drawbridge_finding *drawbridge_report_finding(const struct drawbridge_report *report, size_t index);

/* All findings of that severity, kept or not. */
DRAWBRIDGE_API size_t drawbridge_report_errors(const struct drawbridge_report *report);
DRAWBRIDGE_API size_t drawbridge_report_warnings(const struct drawbridge_report *report);
DRAWBRIDGE_API size_t drawbridge_report_infos(const struct drawbridge_report *report);

/* Objects that were judged, and objects of kinds without rules, about which nothing is said. */
DRAWBRIDGE_API size_t drawbridge_report_judged(const struct drawbridge_report *report);
DRAWBRIDGE_API size_t drawbridge_report_skipped(const struct drawbridge_report *report);

/* Objects, of those that were judged, that an older one was found for; and documents that are no Kubernetes objects. */
DRAWBRIDGE_API size_t drawbridge_report_updates(const struct drawbridge_report *report);
DRAWBRIDGE_API size_t drawbridge_report_no_objects(const struct drawbridge_report *report);

/* Frees a report and everything its findings point to. NULL is ignored. */
DRAWBRIDGE_API void drawbridge_report_free(struct drawbridge_report *report);

#ifdef __cplusplus
}
#endif

#endif
