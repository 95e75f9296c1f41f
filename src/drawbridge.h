/* libdrawbridge: validates Kubernetes storage and device objects as a Kubernetes API server does.
 *
 *     const struct drawbridge_text text = { data, length };
 *     struct drawbridge_context *context;
 *     struct drawbridge_report *report;
 *     if (drawbridge_context_new(NULL, &context) != DRAWBRIDGE_OK)
 *         ...
 *     if (drawbridge_validate(context, NULL, &text, NULL, &report) == DRAWBRIDGE_OK) {
 *         for (size_t i = 0; i < drawbridge_report_count(report); i++)
 *             puts(drawbridge_report_finding(report, i)->message);
 *         drawbridge_report_free(report);
 *     }
 *     drawbridge_context_free(context);
 *
 * Link with `pkg-config --cflags --libs drawbridge`. Nothing here prints, exits, or keeps state outside of what it returns.
 * `drawbridge rules` and `drawbridge explain` list what is checked, and where each rule is from.
 *
 * For all functions:
 *   NULL      Where a pointer must not be NULL, a function with a result returns DRAWBRIDGE_BAD_ARGUMENT and does nothing. Of
 *             the others, _free functions ignore NULL, and a report, or anything else that is asked of, is empty where it is NULL:
 *             0, and no finding.
 *   Freeing   What an out-parameter is set to is the caller's, who frees it with the _free function of its type. Everything else
 *             belongs to what it was asked of. What a caller passes in stays the caller's.
 *   Results   Out-parameters are set only with DRAWBRIDGE_OK, and stay as they were otherwise. After any other result nothing
 *             needs freeing, and nothing that was there before has changed.
 *   Threads   Contexts, reports, drivers, expressions, devices, matches and allocations never change: any number of threads may use one
 *             at the same time, while none frees it. A set is for one thread at a time. Functions that take none of these may be called by
 *             any thread at any time. */
#ifndef DRAWBRIDGE_H
#define DRAWBRIDGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header, of the library and of everything else that is released with it. Before 1.0 the ABI may change with the
 * minor version, after that with the major version: the shared library is libdrawbridge.so.0.MINOR, then libdrawbridge.so.MAJOR. A program
 * works with every later library of the name that it was linked with. */
#define DRAWBRIDGE_VERSION_MAJOR 0
#define DRAWBRIDGE_VERSION_MINOR 1
#define DRAWBRIDGE_VERSION_PATCH 0
#define DRAWBRIDGE_VERSION "0.1.0"

#ifndef DRAWBRIDGE_API
#define DRAWBRIDGE_API __attribute__((visibility("default")))
#endif
#define DRAWBRIDGE_MUST_USE __attribute__((warn_unused_result))

/* The most bytes of one text. */
#define DRAWBRIDGE_MAX_BYTES ((size_t)256 << 20)

/* The most bytes of all texts of a set; and of memory for them and what is read out of them, beyond which no more text is taken. */
#define DRAWBRIDGE_MAX_SET_BYTES ((size_t)512 << 20)

/* ---- types ---- */

enum drawbridge_result {
    DRAWBRIDGE_OK = 0,
    DRAWBRIDGE_NO_MEMORY = 1,    /* an allocation failed; nothing was leaked */
    DRAWBRIDGE_LIMIT = 2,        /* a text is larger than DRAWBRIDGE_MAX_BYTES, a set larger than DRAWBRIDGE_MAX_SET_BYTES, the
                                  * objects of one text need more than 1 GiB of memory or its findings more than 160 MiB, the name of a
                                  * text has more than 4,096 bytes, devices or the value of an expression are too large, or there is too
                                  * much to match or allocate */
    DRAWBRIDGE_BAD_VERSION = 3,  /* kubernetes_version is none that the library knows, or a range where one version is asked for */
    DRAWBRIDGE_BAD_OPTION = 4,   /* another option has no such value */
    DRAWBRIDGE_INTERNAL = 5,     /* the library could not decide; nothing is known about the text */
    DRAWBRIDGE_BAD_ARGUMENT = 6, /* a pointer is NULL that must not be, there is no such kind or device, or an expression is evaluated
                                  * that cannot be */
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

/* Bytes that a caller passes in: any bytes, without a NUL at their end. data may be NULL only where length is 0. */
struct drawbridge_text {
    const char *data;
    size_t length;
};

/* Where the library takes memory from. Both functions are called by any thread that calls the library, and must not be NULL. Reading
 * YAML takes some memory from malloc, too, because libyaml does; so does an expression that names a time zone, whose file is read. */
struct drawbridge_allocator {
    void *(*allocate)(size_t bytes, void *data); /* aligned as malloc aligns; NULL when there is none */
    void (*release)(void *pointer, void *data);  /* accepts NULL */
    void *data;                                  /* given to both; may be NULL */
};

struct drawbridge_context;
struct drawbridge_report;
struct drawbridge_set;
struct drawbridge_cel;
struct drawbridge_devices;
struct drawbridge_match;
struct drawbridge_allocation;
struct drawbridge_drivers;

/* Later versions add members at the end, where 0 means what it meant before. `size` tells the library what the caller knows: members
 * after it count as 0. It may be larger than what the library knows; what is there must be 0, or the result is DRAWBRIDGE_BAD_OPTION. */
struct drawbridge_options {
    size_t size;                    /* sizeof(struct drawbridge_options) */
    const char *kubernetes_version; /* such as "1.35", "v1.34.2"; NULL: "1.37". Or a range, "1.34..1.37": each object is validated as
                                     * in each of these versions, and a finding that is not in all of them says in which it is */
    enum drawbridge_unknown_fields unknown_fields;
    int as_status;                  /* not 0: validate updates of the status subresource; without older objects, of the same without
                                     * status */
    const char *validate_as;        /* a role: validate objects of its kind by what the role asks of them, such as Pods as
                                     * "recycler-pod-template"; NULL: none */
    const char *feature_gates;      /* of the API server, as its own option has them: "DRAConsumableCapacity=true,AllBeta=false"; those that
                                     * are not named are as that version has them; NULL: none is named. A field whose gate is off is
                                     * left out, with a warning, as the API server drops it */
    const struct drawbridge_drivers *drivers; /* the parameters that drivers know, beside those that the library knows. It must outlive
                                     * the call or set, and have no error; NULL: none */
    int suppressions;               /* not 0: comments of texts ("# drawbridge: ignore[RULE] reason") and the annotation
                                     * drawbridge.dev/ignore suppress findings, as for drawbridge lint: such a finding is not in the report,
                                     * and those that are wrong or suppress nothing are warnings */
};

/* Something that is wrong with an expression or an object, and where. Texts are never NULL. Later versions may add members at the end. */
struct drawbridge_error {
    const char *message;
    const char *source;  /* name of the text, as drawbridge_set_add was given it; "": an expression */
    const char *path;    /* of a member, as in struct drawbridge_finding; "": none */
    size_t offset;       /* bytes from the start of the text or expression */
    size_t line, column; /* of offset, from 1; columns are characters. Line 0: it has no place. Column 0: the whole expression */
};

/* ---- the library ---- */

/* DRAWBRIDGE_VERSION of the library, which may be newer than this header; never NULL. */
DRAWBRIDGE_API const char *drawbridge_version(void);

/* A result in English, without a full stop; never NULL, "unknown result" for other values. */
DRAWBRIDGE_API const char *drawbridge_result_text(enum drawbridge_result result);

/* Makes a context: what validations share, such as compiled patterns. allocator: copied; NULL: malloc and free.
 * Errors: BAD_ARGUMENT if context or a function of the allocator is NULL; NO_MEMORY; INTERNAL if the system gives no random numbers. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_context_new(const struct drawbridge_allocator *allocator,
                                                             struct drawbridge_context **context) DRAWBRIDGE_MUST_USE;

/* Frees a context: after its sets, and when no thread uses it any more. Its reports may outlive it. */
DRAWBRIDGE_API void drawbridge_context_free(struct drawbridge_context *context);

/* ---- validation ---- */

/* Validates all objects in the text, YAML or JSON, together: any number of documents, with Lists expanded. An object counts as
 * created, or as an update if old_text has an object of the same group, kind, namespace and name. Findings are no failure: the result is
 * DRAWBRIDGE_OK whatever is wrong with the texts; what cannot be read in old_text is a finding, too. Texts and
 * options are not needed after the call.
 * options: NULL for the defaults, all 0. old_text: NULL for none.
 * Errors: BAD_ARGUMENT if context, text or report is NULL; BAD_OPTION, BAD_VERSION; LIMIT; NO_MEMORY; INTERNAL. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_validate(const struct drawbridge_context *context,
                                                          const struct drawbridge_options *options, const struct drawbridge_text *text,
                                                          const struct drawbridge_text *old_text,
                                                          struct drawbridge_report **report) DRAWBRIDGE_MUST_USE;

/* Makes an empty set: several texts whose objects are validated together, so that names of objects in other texts, or two devices of one
 * name in a pool, are found. options: copied; NULL for the defaults. The context must outlive the set.
 * Errors: BAD_ARGUMENT if context or set is NULL; BAD_OPTION, BAD_VERSION; NO_MEMORY. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_set_new(const struct drawbridge_context *context, const struct drawbridge_options *options,
                                                         struct drawbridge_set **set) DRAWBRIDGE_MUST_USE;

/* Frees a set, with its copies of texts. Its reports may outlive it. */
DRAWBRIDGE_API void drawbridge_set_free(struct drawbridge_set *set);

/* Adds a text; with _old, one of older objects, as old_text of drawbridge_validate. Copies text and name. The name comes back in
 * findings: that of a file, for example, in UTF-8 of at most 4,096 bytes; NULL: "". After an error the set is as it was.
 * Errors: BAD_ARGUMENT if set or text is NULL; LIMIT if the text is larger than DRAWBRIDGE_MAX_BYTES, if its objects need more than 1 GiB,
 * if the texts of the set are together larger than DRAWBRIDGE_MAX_SET_BYTES, or if the name is too long; NO_MEMORY. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_set_add(struct drawbridge_set *set, const char *name,
                                                         const struct drawbridge_text *text) DRAWBRIDGE_MUST_USE;
DRAWBRIDGE_API enum drawbridge_result drawbridge_set_add_old(struct drawbridge_set *set, const char *name,
                                                             const struct drawbridge_text *text) DRAWBRIDGE_MUST_USE;

/* Validates all objects of the set, as drawbridge_validate does. Findings come text by text, in the order in which texts were added; last
 * what cannot be read in older ones. More
 * texts may be added afterwards, and the set validated again.
 * Errors: BAD_ARGUMENT if set or report is NULL; LIMIT; NO_MEMORY; INTERNAL. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_set_validate(struct drawbridge_set *set,
                                                              struct drawbridge_report **report) DRAWBRIDGE_MUST_USE;

/* ---- parameters of drivers ---- */

/* Reads a file with the parameters of drivers, YAML or JSON, as drawbridge-drivers(5) has it: at most 1 MiB. A text that is no such file is
 * no failure: see drawbridge_drivers_error. The text is not needed after the call; the context must outlive the drivers, which never
 * change. Errors: BAD_ARGUMENT if context, text or drivers is NULL; LIMIT; NO_MEMORY; INTERNAL. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_drivers_new(const struct drawbridge_context *context, const struct drawbridge_text *text,
                                                             struct drawbridge_drivers **drivers) DRAWBRIDGE_MUST_USE;

/* The first thing that is wrong with the file, with line and column; NULL: nothing. */
DRAWBRIDGE_API const struct drawbridge_error *drawbridge_drivers_error(const struct drawbridge_drivers *drivers);

/* Frees drivers: after the sets with them, and when no thread uses them any more. */
DRAWBRIDGE_API void drawbridge_drivers_free(struct drawbridge_drivers *drivers);

/* ---- reports ---- */

/* One thing that is wrong. Texts are UTF-8 and live as long as the report; they are never NULL but for hint. Later versions may add members
 * at the end: only pointers to these are handed out. Limits of a document (nesting, values) are findings, of the syntax rules. */
struct drawbridge_finding {
    enum drawbridge_severity severity;
    int in_old;              /* not 0: offset, line and column are of the older text */
    const char *rule;        /* id of the rule: "required", "dns-label"; "json-syntax" and "yaml-syntax" for text that does not parse */
    const char *reason;      /* Kubernetes' cause type: "FieldValueInvalid" */
    const char *path;        /* as Kubernetes writes it: "spec.drivers[0].name"; "" is the object itself; keys of maps stand in it as they
                              * are, so a terminal should not be handed it without care */
    const char *message;     /* in Kubernetes' form: "Invalid value: \"x\": must be …" */
    const char *hint;        /* what to write instead; NULL: unknown */
    size_t offset;           /* bytes from the start of the text to the value; to the name of a list, object or null, and of what is
                              * around it where nothing is written */
    size_t size;             /* bytes of that value or name; 0 where there is neither */
    size_t line, column;     /* of offset, from 1; columns are characters */
    const char *group, *version, *kind; /* of the object, as written; "" for text that does not parse */
    const char *object_namespace, *object_name;
    const char *source;      /* name of the text in which the place is, as drawbridge_set_add was given it; "" without a set */
    const struct drawbridge_other *other; /* what the object clashes with, of those that are validated together; NULL: nothing in
                                           * particular */
    const char *const *kubernetes_versions; /* of a range, those in which it holds, "1.36", ended by NULL; NULL: all that were asked for */
};

/* Another object, and the place in it. Of a text that does not parse it is another place there, and group, version and kind are ""; of a
 * field that must not change it is the place in the old object, whose text that is. Texts are never NULL. Later versions may add members at
 * the end. */
struct drawbridge_other {
    const char *source;                 /* as in struct drawbridge_finding */
    size_t offset, size, line, column;
    const char *group, *version, *kind;
    const char *object_namespace, *object_name;
};

/* Findings that are kept: at most 1,024 of an object, 10,000 of a text, and as many as fit into 160 MiB, in the order of their places. With
 * a range of versions they count as in the version that has most of those that are not kept. */
DRAWBRIDGE_API size_t drawbridge_report_count(const struct drawbridge_report *report);

/* The finding with that index, from 0; NULL if there are fewer. It belongs to the report. */
DRAWBRIDGE_API const struct drawbridge_finding *drawbridge_report_finding(const struct drawbridge_report *report, size_t index);

/* All findings of that severity, kept or not. */
DRAWBRIDGE_API size_t drawbridge_report_errors(const struct drawbridge_report *report);
DRAWBRIDGE_API size_t drawbridge_report_warnings(const struct drawbridge_report *report);
DRAWBRIDGE_API size_t drawbridge_report_infos(const struct drawbridge_report *report);

/* Objects that were validated, and objects of kinds without rules, which are skipped; of one in a group that is known, a warning says
 * so. */
DRAWBRIDGE_API size_t drawbridge_report_validated(const struct drawbridge_report *report);
DRAWBRIDGE_API size_t drawbridge_report_skipped(const struct drawbridge_report *report);

/* Of the validated objects those that an older one was found for; and documents that are no Kubernetes objects. */
DRAWBRIDGE_API size_t drawbridge_report_updates(const struct drawbridge_report *report);
DRAWBRIDGE_API size_t drawbridge_report_no_objects(const struct drawbridge_report *report);

/* Frees a report and everything that its findings point to. */
DRAWBRIDGE_API void drawbridge_report_free(struct drawbridge_report *report);

/* ---- expressions ---- */

/* What drawbridge_cel_new may be told. Members and `size` as in struct drawbridge_options. */
struct drawbridge_cel_options {
    size_t size;                    /* sizeof(struct drawbridge_cel_options) */
    const char *kubernetes_version; /* one, as in struct drawbridge_options */
    int any_type;                   /* not 0: the result may be of any type; 0: it must be true or false, as that of a selector */
};

/* What is known of an expression. Texts are never NULL but for hint. Later versions may add members at the end. */
struct drawbridge_cel_info {
    const char *verdict; /* "good"; or why the API server refuses it: "too-long", "syntax", "check" (a name, type or literal),
                          * "result-type", "too-costly", "too-complex" (for the library) */
    int can_evaluate;    /* not 0: "good" or "too-costly" */
    const char *type;    /* of the result, as cel-go writes it: "bool", "list(string)"; "" unless it can be evaluated */
    uint64_t max_cost;   /* the most that an evaluation may cost, by estimate; 0 unless it can be evaluated */
    const char *hint;    /* what was perhaps meant; NULL: unknown */
};

/* Compiles an expression in CEL, of a device selector, as the API server does. That it is refused is no failure: the result is
 * DRAWBRIDGE_OK then, too. The expression is copied. It may outlive the context. options: NULL for the defaults, all 0.
 * Errors: BAD_ARGUMENT if context, expression or cel is NULL; BAD_OPTION, BAD_VERSION; LIMIT; NO_MEMORY. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_cel_new(const struct drawbridge_context *context,
                                                         const struct drawbridge_cel_options *options,
                                                         const struct drawbridge_text *expression,
                                                         struct drawbridge_cel **cel) DRAWBRIDGE_MUST_USE;
DRAWBRIDGE_API void drawbridge_cel_free(struct drawbridge_cel *cel);

/* What is known of it, for as long as it lives; NULL if cel is NULL. */
DRAWBRIDGE_API const struct drawbridge_cel_info *drawbridge_cel_info(const struct drawbridge_cel *cel);

/* Why it is refused: at most 100 errors, in the order of their places. There is one at least unless it is "good". */
DRAWBRIDGE_API size_t drawbridge_cel_error_count(const struct drawbridge_cel *cel);
DRAWBRIDGE_API const struct drawbridge_error *drawbridge_cel_error(const struct drawbridge_cel *cel, size_t index);

/* A device of a ResourceSlice. Texts are as written there, and never NULL: control characters are in them as they are. Later versions may
 * add members at the end. */
struct drawbridge_device {
    const char *driver, *pool, *name;
    const char *node;   /* spec.nodeName of the slice; "": none */
    const char *source; /* name of the text, as drawbridge_set_add was given it */
};

/* Makes values for expressions of the devices of all ResourceSlices in the set, in any API version, in the order in which texts were added.
 * A text or a slice that cannot be read has no devices: drawbridge_devices_error says why. The set must outlive the devices; texts may be
 * added to it, which changes nothing here.
 * Errors: BAD_ARGUMENT if set or devices is NULL; BAD_VERSION if the set is for a range of versions; LIMIT if they need more than 1 GiB of
 * memory; NO_MEMORY. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_set_devices(struct drawbridge_set *set,
                                                             struct drawbridge_devices **devices) DRAWBRIDGE_MUST_USE;
DRAWBRIDGE_API void drawbridge_devices_free(struct drawbridge_devices *devices);

DRAWBRIDGE_API size_t drawbridge_devices_count(const struct drawbridge_devices *devices);

/* The device with that index, from 0; NULL if there are fewer. It belongs to the devices. */
DRAWBRIDGE_API const struct drawbridge_device *drawbridge_devices_device(const struct drawbridge_devices *devices, size_t index);

/* Texts that do not parse, and slices with a value of a wrong type (the first one is reported) or of an unknown API version. */
DRAWBRIDGE_API size_t drawbridge_devices_error_count(const struct drawbridge_devices *devices);
DRAWBRIDGE_API const struct drawbridge_error *drawbridge_devices_error(const struct drawbridge_devices *devices, size_t index);

/* What an expression is on a device. Later versions may add members at the end. */
struct drawbridge_evaluation {
    const char *value; /* in JSON; NULL: there is none, and `error` says why. What JSON does not have is a text: times, durations,
                        * quantities, versions, addresses, types, NaN and infinity, keys of maps; bytes in base64. An optional is its
                        * value, or null */
    const char *type;  /* of the value, as type() in CEL gives it: "bool", "kubernetes.Quantity"; "" if there is none */
    int match;         /* not 0: the value is true; the device fits */
    const struct drawbridge_error *error; /* Kubernetes' words; NULL: there is a value */
    uint64_t cost;     /* what Kubernetes counts */
};

/* Evaluates the expression on the device with that index, from 0, as the scheduler does. That it fails there is no failure: the evaluation
 * has an error then. Unless any_type was set, a value that is neither true nor false is such an error. The evaluation may outlive
 * everything else. It is bounded: cost as in Kubernetes, memory 128 MiB, time about a second.
 * Errors: BAD_ARGUMENT if cel, devices or evaluation is NULL, if there are fewer devices, or if the expression cannot be evaluated
 * (drawbridge_cel_info); LIMIT if the value has more than 8 MiB in JSON, or more than 64 lists and maps inside each other; NO_MEMORY. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_cel_evaluate(const struct drawbridge_cel *cel, const struct drawbridge_devices *devices,
                                                              size_t index,
                                                              struct drawbridge_evaluation **evaluation) DRAWBRIDGE_MUST_USE;
DRAWBRIDGE_API void drawbridge_evaluation_free(struct drawbridge_evaluation *evaluation);

/* ---- claims and devices ---- */

/* What drawbridge_set_match may be told. `size` as in struct drawbridge_options. */
struct drawbridge_match_options {
    size_t size;          /* sizeof(struct drawbridge_match_options) */
    const char *node;     /* only devices that can be used on the node of that name; NULL: any. Its labels are those of the Node in the set;
                           * if there is none, what node selectors ask of labels counts as fulfilled */
    const char *subjects; /* name of a text: only what is in texts of that name is matched; NULL: what is in all of them */
};

/* One device and one request. Texts are never NULL but where it is said. */
struct drawbridge_candidate {
    const struct drawbridge_device *device;
    const char *reason;      /* "match"; or why it is not for the request: "old-generation", "other-node", "selector-false",
                              * "selector-fails", "capacity", "pool-incomplete", "pool-invalid", "taint" */
    const char *label;       /* the reason in two or three words: "wrong model", "tainted" */
    const char *words;       /* all that keeps it out, with values; "" where it matches */
    const char *selector_of; /* where a selector decides: "class" or "request", the list in which it is; NULL: none does */
    size_t selector;         /* its index there */
    const char *const *also; /* further reasons, ended by NULL */
};

/* How many devices have the same label. */
struct drawbridge_group {
    const char *label;
    size_t count;
};

/* A request, or one of those to choose from. */
struct drawbridge_request {
    const char *name;         /* "": that of a DeviceClass, which is matched as a request for one of its devices */
    const char *choice;       /* of one in firstAvailable: its name; NULL: it is none */
    const char *class_name;
    const char *mode;         /* "ExactCount" or "All" */
    int64_t count;            /* how many devices it asks for; 0 with "All" */
    int admin_access;         /* not 0: it asks for it */
    int enough;               /* not 0: there are enough devices */
    const char *outcome;      /* "enough", "too-few", "too-few-on-a-node", "too-many", "not-all", "selector-fails", "selector-refused",
                               * "class-missing" or "mode-unknown"; after the last three, nothing is known of devices */
    const char *words;        /* the outcome, for people */
    size_t matching;          /* devices that match */
    size_t group_count, candidate_count;
    const struct drawbridge_group *const *groups;         /* those that match first, then the largest one */
    const struct drawbridge_candidate *const *candidates; /* every device, in the scheduler's order */
};

/* A ResourceClaim, ResourceClaimTemplate or DeviceClass. */
struct drawbridge_claim {
    const char *group, *version, *kind, *object_namespace, *object_name;
    const char *source;          /* name of the text, as drawbridge_set_add was given it */
    size_t offset, line, column; /* where it begins */
    int enough;                  /* not 0: every request has enough devices, or one of those to choose from has */
    const char *refusal;         /* why there are no requests: the API server does not take it; NULL: it does */
    size_t request_count;
    const struct drawbridge_request *const *requests;
};

/* Matches the ResourceClaims and ResourceClaimTemplates in a set, or if it has none, its DeviceClasses, with the devices of its
 * ResourceSlices, as `drawbridge match` does: by the DeviceClasses, DeviceTaintRules and Nodes in the set, in any API version. Each request
 * is looked at alone; what other claims have taken does not count. That devices are missing is no failure. Everything that a match gives
 * belongs to it, and later versions may add members at the end of the structures; it may outlive set and context.
 * options: NULL for the defaults, all 0.
 * Errors: BAD_ARGUMENT if set or match is NULL; BAD_OPTION; BAD_VERSION if the set is for a range of versions; LIMIT if there is too much
 * to match in bounded time and memory, or the match is larger than 1 GiB; NO_MEMORY. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_set_match(struct drawbridge_set *set, const struct drawbridge_match_options *options,
                                                           struct drawbridge_match **match) DRAWBRIDGE_MUST_USE;
DRAWBRIDGE_API void drawbridge_match_free(struct drawbridge_match *match);

/* Whether there are claims, and each has enough devices: 1 or 0. */
DRAWBRIDGE_API int drawbridge_match_enough(const struct drawbridge_match *match);

/* The claims, in the order in which texts were added; NULL if there are fewer. */
DRAWBRIDGE_API size_t drawbridge_match_count(const struct drawbridge_match *match);
DRAWBRIDGE_API const struct drawbridge_claim *drawbridge_match_claim(const struct drawbridge_match *match, size_t index);

/* Texts and objects that count as not given, because they cannot be read: as drawbridge_devices_error. */
DRAWBRIDGE_API size_t drawbridge_match_error_count(const struct drawbridge_match *match);
DRAWBRIDGE_API const struct drawbridge_error *drawbridge_match_error(const struct drawbridge_match *match, size_t index);

/* ---- pods and nodes ---- */

/* What drawbridge_set_allocate may be told. `size` as in struct drawbridge_options. Lists end with NULL, and have at most 1,000 names. */
struct drawbridge_allocate_options {
    size_t size;                     /* sizeof(struct drawbridge_allocate_options) */
    const char *const *nodes;        /* only these nodes; NULL or empty: all */
    const char *const *pods;         /* only these pods, workloads, claims or templates: "name", "namespace/name", "kind/name" or
                                      * "kind/namespace/name"; NULL or empty: all that wait for devices */
    const char *const *without_pods; /* as if these pods, "name" or "namespace/name", were gone, with the claims that only they have */
    const char *feature_gates;       /* of the scheduler, as in struct drawbridge_options; NULL: as the version has them */
    size_t replicas;                 /* so many pods of each workload, or so many claims, 1 to 10,000; 0: as many as they say */
};

/* A device that a claim gets. Texts of all that follows are never NULL but where it is said. */
struct drawbridge_allocated_device {
    const char *request;              /* for which request; of one in firstAvailable "request/choice" */
    const char *driver, *pool, *name; /* the device */
    const char *share;                /* share-0, share-1, … where it is shared: Kubernetes draws them by chance; NULL: it is not */
    int admin_access;                 /* not 0: it stays free for others */
};

/* A claim, or one that would be made of a template. */
struct drawbridge_allocated_claim {
    const char *object_namespace, *object_name;
    size_t device_count;
    const struct drawbridge_allocated_device *const *devices; /* in the order of status.allocation.devices.results */
};

/* What makes an answer uncertain: how a release may answer otherwise. */
struct drawbridge_doubt {
    const char *id; /* "kubernetes#138882" */
    const char *text;
};

/* What a node says to a pod or claim. */
struct drawbridge_allocation_node {
    const char *name;
    int fits;
    size_t claim_count; /* where it fits: claims that get devices there; those that have some already are not among them */
    const struct drawbridge_allocated_claim *const *claims;
    const char *why;    /* the kind of "no", of `drawbridge help allocate`: "no-match", "in-use", …; NULL: it fits */
    const char *words;  /* why it does not fit, for people; "" where it fits */
    size_t doubt_count;
    const struct drawbridge_doubt *const *doubts;
    uint64_t steps;     /* of the search */
};

/* A pod, one of the pods of a workload, or a claim or template by itself. */
struct drawbridge_subject {
    const char *kind, *object_namespace, *object_name;
    size_t pod;           /* which one of a workload's pods, from 1; 0: there is one */
    int fits;             /* not 0: somewhere, or it needs no devices */
    const char *why;      /* of all nodes together: the kind of "no"; NULL: it fits, or no node was tried */
    const char *problem;  /* why no node was tried, in the scheduler's words; NULL: they were, or it needs no devices */
    const char *event;    /* what the scheduler says about a pod that does not fit; NULL: nothing */
    const char *json;     /* all of it as `drawbridge allocate --output json` prints it, with whole allocations */
    size_t node_count;
    const struct drawbridge_allocation_node *const *nodes; /* those that were tried: where several pods or claims are allocated, up to the
                                                            * first on which it fits */
};

/* Finds out where the Pods in a set that wait for devices fit, and the pods of its workloads, or if it has none of them, its
 * ResourceClaims and ResourceClaimTemplates, with which devices, and if not, why not: as `drawbridge allocate` does, in the version of the
 * set. Its Nodes, ResourceSlices, DeviceClasses, DeviceTaintRules, other ResourceClaims and Pods are the cluster. What one gets, the next
 * one does not. Of a workload pods are tried up to the first that fits nowhere. That something does not fit is no failure, nor that there
 * is nothing to allocate: see drawbridge_allocation_problem. The set stays as it is. Everything that an allocation gives belongs to it,
 * and later versions may add members at the end of the structures; it may outlive set and context. For each pod and node a search takes at
 * most 4,000,000 steps, which may be seconds.
 * options: NULL for the defaults, all 0.
 * Errors: BAD_ARGUMENT if set or allocation is NULL; BAD_OPTION; BAD_VERSION if the set is for a range of versions, or for none of 1.35 to
 * 1.37; LIMIT if there is too much to allocate in bounded time and memory, or the allocation is larger than 1 GiB; NO_MEMORY. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_set_allocate(struct drawbridge_set *set,
                                                              const struct drawbridge_allocate_options *options,
                                                              struct drawbridge_allocation **allocation) DRAWBRIDGE_MUST_USE;
DRAWBRIDGE_API void drawbridge_allocation_free(struct drawbridge_allocation *allocation);

/* Why there are no subjects: nothing waits for devices, no node is known, or nothing has a name of the options; NULL: there are some. */
DRAWBRIDGE_API const char *drawbridge_allocation_problem(const struct drawbridge_allocation *allocation);

/* Whether there are subjects, and all of them fit: 1 or 0. */
DRAWBRIDGE_API int drawbridge_allocation_fits(const struct drawbridge_allocation *allocation);

/* Whether no Node is given: nodes are then those that slices name, and what slices ask of labels counts as fulfilled. 1 or 0. */
DRAWBRIDGE_API int drawbridge_allocation_guesses_nodes(const struct drawbridge_allocation *allocation);

/* What was tried, in the order in which it was; NULL if there are fewer. */
DRAWBRIDGE_API size_t drawbridge_allocation_count(const struct drawbridge_allocation *allocation);
DRAWBRIDGE_API const struct drawbridge_subject *drawbridge_allocation_subject(const struct drawbridge_allocation *allocation,
                                                                              size_t index);

/* Texts and objects that count as not given, because they cannot be read: as drawbridge_devices_error. */
DRAWBRIDGE_API size_t drawbridge_allocation_error_count(const struct drawbridge_allocation *allocation);
DRAWBRIDGE_API const struct drawbridge_error *drawbridge_allocation_error(const struct drawbridge_allocation *allocation, size_t index);

/* ---- what is checked ---- */

/* These functions call `visit` for each of something, with `data` as it is, until there are no more or it returns anything but 0, which
 * is no error. What it is given lives until it returns. It may call the library, but not free the context, and it must return. Later
 * versions may add members at the end of the structures. Errors of all: BAD_ARGUMENT if visit is NULL. */

/* A rule: generic, such as "required". Findings name it. */
struct drawbridge_rule {
    const char *id;     /* "dns-label" */
    const char *reason; /* Kubernetes' cause type, where a constraint gives no other: "FieldValueInvalid" */
    const char *asks;   /* a clause in English: "the field is set" */
};

/* A kind in one API version. */
struct drawbridge_kind {
    const char *group, *version, *kind; /* "storage.k8s.io", "v1", "CSIDriver"; the core group is "" */
    const char *role;          /* these rules count only where options validate as this role; NULL: always */
    const char *resource;      /* as in URLs: "csidrivers" */
    const char *since, *until; /* first and last version of Kubernetes that serves it, "1.34"; NULL: no bound among those known */
    const char *replaced_by;   /* "storage.k8s.io/v1 CSIDriver", where no API server has this API version by itself any more; NULL: it is
                                * current */
    int namespaced;            /* not 0: objects are in a namespace; 0: in the cluster */
    int partial;               /* not 0: only the fields of its constraints are checked */
    int has_rules;             /* 0: objects of others refer to it, and it has no constraints */
};

/* One rule at one field of a kind. Each field has a constraint of the rule "type", the first one there: these list the fields. */
struct drawbridge_constraint {
    const struct drawbridge_kind *kind;
    const char *field;         /* "spec.drivers[].name"; {} stands for values of a map, {key} for its keys; "" is the object itself */
    const char *type;          /* of the field: "string", "list of objects" */
    const char *rule;          /* id of the rule */
    enum drawbridge_severity severity;
    const char *reason;        /* Kubernetes' cause type: "FieldValueInvalid" */
    const char *asks;          /* "must be one of a, b" */
    const char *when;          /* "on create, if spec.x is set"; "": always */
    const char *since, *until; /* first and last version of Kubernetes in which it holds, "1.34"; NULL: no bound among those known */
    const char *gate;          /* the feature gate that brought the field or one around it; NULL: none */
    const char *default_value; /* of the rule "type": what counts where the field is not set; NULL: nothing in particular */
    int defaulted;             /* not 0: the API server writes the default into the object; 0: it means the same */
    const char *const *values; /* texts that the constraint names, ended by NULL: errors of "enum" name all that are allowed; NULL: none */
    const char *const *members; /* names of members, ended by NULL; NULL: none */
    const char *key;           /* a single member, path or key; NULL: none */
    int has_min, has_max;      /* not 0: there is that bound */
    int64_t min, max;          /* of a number, bytes or entries, included */
    const char *source;        /* document or file that it is from, with version */
};

typedef int (*drawbridge_rule_visitor)(const struct drawbridge_rule *rule, void *data);
typedef int (*drawbridge_kind_visitor)(const struct drawbridge_kind *kind, void *data);
typedef int (*drawbridge_constraint_visitor)(const struct drawbridge_constraint *constraint, void *data);

/* All rules. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_rules_each(drawbridge_rule_visitor visit, void *data) DRAWBRIDGE_MUST_USE;

/* All kinds, each API version by itself, ordered by group, version and kind. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_kinds_each(drawbridge_kind_visitor visit, void *data) DRAWBRIDGE_MUST_USE;

/* All constraints of a kind, field by field. kind: as a drawbridge_kind_visitor is given it, or made by the caller: only group, version,
 * kind and role are read, in which NULL is ""; NULL: those of all kinds. Takes memory from the context while it runs.
 * Errors: BAD_ARGUMENT also if context is NULL or there is no such kind; NO_MEMORY, perhaps after some visits. */
DRAWBRIDGE_API enum drawbridge_result drawbridge_constraints_each(const struct drawbridge_context *context,
                                                                  const struct drawbridge_kind *kind, drawbridge_constraint_visitor visit,
                                                                  void *data) DRAWBRIDGE_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
