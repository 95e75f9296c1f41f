/* Events of audit logs: what each is, what is validated, against which old object, and what is remembered of whom. */
#include "tests/unit/unit.h"

#include "check/limits.h"
#include "review/limits.h"
#include "review/replay.h"
#include "tests/unit/workspace.h"

/* ---- a replay whose last event, and what was said of it, are kept ---- */

static struct {
    enum replay_outcome outcome;
    struct replayed replayed;
    unsigned events, troubles;
    uint32_t offset;
    char message[200], rule[64];
} last;

static void keep_event(void *self, const struct replayed *replayed)
{
    (void)self;
    last.replayed = *replayed;
    last.events++;
    last.rule[0] = '\0';
    if (replayed->review.answer_count)
        snprintf(last.rule, sizeof last.rule, "%s", rule_info(replayed->review.answers[0].finding->rule)->id);
}

static void keep_trouble(void *self, uint32_t offset, const char *message)
{
    (void)self;
    last.troubles++;
    last.offset = offset;
    snprintf(last.message, sizeof last.message, "%s", message);
}

static const struct review_settings exact = { .version = MINOR_DEFAULT, .profile = PROFILE_API_SERVER };

static struct replay begin(const struct review_settings *settings)
{
    struct replay replay;
    assert_int_equal(replay_init(&replay, &workspace, settings), FAILURE_NONE);
    replay.event = keep_event;
    replay.trouble = keep_trouble;
    memset(&last, 0, sizeof last);
    return replay;
}

static void put(struct replay *replay, const char *text)
{
    assert_int_equal(replay_text(replay, bytes_of(text)), FAILURE_NONE);
}

#define HEAD    "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\","
#define DONE    "\"stage\":\"ResponseComplete\","
#define REF     "\"objectRef\":{\"resource\":\"csidrivers\",\"name\":\"a\",\"apiGroup\":\"storage.k8s.io\",\"apiVersion\":\"v1\"}"
#define STATUS_REF "\"objectRef\":{\"resource\":\"volumeattachments\",\"name\":\"a\",\"apiGroup\":\"storage.k8s.io\",\"apiVersion\":\"v1\",\"subresource\":\"status\"}"
#define CODE(n) ",\"responseStatus\":{\"metadata\":{},\"code\":" #n "}"
#define META(more) "\"metadata\":{\"name\":\"a\"" more "}"
#define TYPE    "\"kind\":\"CSIDriver\",\"apiVersion\":\"storage.k8s.io/v1\","
#define DRIVER(meta, spec) "{" TYPE META(meta) ",\"spec\":{" spec "}}"
#define SENT(object) ",\"requestObject\":" object
#define ANSWERED(object) ",\"responseObject\":" object
#define VERB(verb) "\"verb\":\"" verb "\","
#define ON  "\"attachRequired\":true"
#define OFF "\"attachRequired\":false"
#define RV(n) ",\"resourceVersion\":\"" #n "\""
#define UID(u) ",\"uid\":\"" #u "\""

/* ---- single events ---- */

struct event_case {
    const char *text;
    enum replay_outcome outcome;
    enum replay_then then;
    const char *rule; /* of the first finding; "": none */
};

static const struct event_case event_cases[] = {
    { HEAD DONE VERB("create") REF CODE(201) SENT(DRIVER("", "")) "}", REPLAY_VALIDATED, THEN_ALLOWED, "" },
    { HEAD DONE VERB("create") REF CODE(201) SENT(DRIVER("", "\"fsGroupPolicy\":\"x\"")) "}", REPLAY_VALIDATED, THEN_ALLOWED, "enum" },
    { HEAD DONE VERB("create") REF CODE(422) SENT(DRIVER("", "\"fsGroupPolicy\":\"x\"")) "}", REPLAY_VALIDATED, THEN_REFUSED, "enum" },
    { HEAD DONE VERB("create") REF SENT(DRIVER("", "\"fsGroupPolicy\":\"x\"")) "}", REPLAY_VALIDATED, THEN_UNKNOWN, "enum" },
    { HEAD DONE VERB("create") REF CODE(201) SENT("{" TYPE "\"spec\":[]}") "}", REPLAY_VALIDATED, THEN_ALLOWED, "type" },
    /* members in another order, and some that nobody knows */
    { "{\"new\":{\"a\":[1]}" SENT(DRIVER("", "\"fsGroupPolicy\":\"x\"")) CODE(201) "," REF "," VERB("create") DONE
      "\"apiVersion\":\"audit.k8s.io/v1\",\"kind\":\"Event\"}", REPLAY_VALIDATED, THEN_ALLOWED, "enum" },
    /* an object of another API version of the kind, with other members; the request's version is that of the URL */
    { HEAD DONE VERB("create") "\"objectRef\":{\"resource\":\"resourceslices\",\"apiGroup\":\"resource.k8s.io\",\"apiVersion\":\"v1\"}" CODE(201)
      SENT("{\"kind\":\"ResourceSlice\",\"apiVersion\":\"resource.k8s.io/v1beta1\"," META("") ",\"spec\":{\"driver\":\"d\",\"nodeName\":\"n\",\"pool\":{\"name\":\"p\","
           "\"generation\":1,\"resourceSliceCount\":1},\"devices\":[{\"name\":\"a\",\"basic\":{\"attributes\":{\"x\":{\"int\":1,\"bool\":true}}}}]}}") "}", REPLAY_VALIDATED, THEN_ALLOWED, "exactly-one-of" },
    /* updates, of which nothing is known before: nothing is immutable, the rest counts */
    { HEAD DONE VERB("update") REF CODE(200) SENT(DRIVER("", OFF)) "}", REPLAY_VALIDATED, THEN_ALLOWED, "" },
    { HEAD DONE VERB("update") REF CODE(200) SENT(DRIVER("", "\"fsGroupPolicy\":\"x\"")) "}", REPLAY_VALIDATED, THEN_ALLOWED, "enum" },
    { HEAD DONE VERB("update") "\"objectRef\":{\"resource\":\"resourceclaims\",\"namespace\":\"n\",\"name\":\"a\",\"apiGroup\":\"resource.k8s.io\",\"apiVersion\":\"v1\"}" CODE(200)
      SENT("{\"kind\":\"ResourceClaim\",\"apiVersion\":\"resource.k8s.io/v1\"," META("") ",\"spec\":{\"devices\":{}}}") "}", REPLAY_VALIDATED, THEN_ALLOWED, "" },
    { HEAD DONE VERB("update") STATUS_REF CODE(200)
      SENT("{\"kind\":\"VolumeAttachment\",\"apiVersion\":\"storage.k8s.io/v1\"," META("") ",\"spec\":{\"attacher\":\"_\"},\"status\":{\"attached\":1}}") "}",
      REPLAY_VALIDATED, THEN_ALLOWED, "type" },
    /* patches: their results */
    { HEAD DONE VERB("patch") REF CODE(200) SENT("{}") ANSWERED(DRIVER("", "\"fsGroupPolicy\":\"x\"")) "}", REPLAY_VALIDATED, THEN_ALLOWED, "enum" },
    { HEAD DONE VERB("patch") REF CODE(422) SENT("{}") ANSWERED(DRIVER("", "\"fsGroupPolicy\":\"x\"")) "}", REPLAY_PATCH, THEN_REFUSED, "" },
    { HEAD DONE VERB("patch") REF CODE(200) SENT("{}") ANSWERED("{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\"}") "}", REPLAY_PATCH, THEN_ALLOWED, "" },
    { HEAD DONE VERB("patch") REF CODE(200) "}", REPLAY_NO_OBJECT, THEN_ALLOWED, "" },
    /* no objects */
    { HEAD DONE VERB("create") REF CODE(201) "}", REPLAY_NO_OBJECT, THEN_ALLOWED, "" },
    { HEAD DONE VERB("create") REF CODE(201) SENT("null") "}", REPLAY_NO_OBJECT, THEN_ALLOWED, "" },
    { HEAD DONE VERB("create") REF CODE(201) SENT("{\"kind\":\"Secret\",\"apiVersion\":\"v1\"}") "}", REPLAY_NO_OBJECT, THEN_ALLOWED, "" },
    { HEAD DONE VERB("create") REF CODE(201) SENT("[]") "}", REPLAY_NO_OBJECT, THEN_ALLOWED, "" },
    /* passed over */
    { HEAD DONE VERB("delete") REF CODE(200) "}", REPLAY_DELETION, THEN_ALLOWED, "" },
    { HEAD DONE VERB("deletecollection") "\"objectRef\":{\"resource\":\"csidrivers\",\"apiGroup\":\"storage.k8s.io\",\"apiVersion\":\"v1\"}" CODE(200) "}",
      REPLAY_DELETION, THEN_ALLOWED, "" },
    { HEAD DONE VERB("get") REF CODE(200) "}", REPLAY_READ, THEN_ALLOWED, "" },
    { HEAD DONE "\"verb\":\"post\"}", REPLAY_READ, THEN_UNKNOWN, "" },
    { HEAD "\"stage\":\"RequestReceived\"," VERB("create") REF "}", REPLAY_OTHER_STAGE, THEN_UNKNOWN, "" },
    { HEAD DONE VERB("create") "\"objectRef\":{\"resource\":\"pods\",\"apiVersion\":\"v1\"}" CODE(201) SENT("{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}") "}",
      REPLAY_OTHER_KIND, THEN_ALLOWED, "" },
    { HEAD DONE VERB("create") "\"objectRef\":{\"resource\":\"csidrivers\",\"apiGroup\":\"storage.k8s.io\",\"apiVersion\":\"v9\"}" CODE(201) "}", REPLAY_OTHER_KIND, THEN_ALLOWED, "" },
    { HEAD DONE VERB("create") "\"objectRef\":{\"resource\":\"persistentvolumes\",\"apiVersion\":\"v1\"}" CODE(201) "}", REPLAY_OTHER_KIND, THEN_ALLOWED, "" },
    { HEAD DONE VERB("update") "\"objectRef\":{\"resource\":\"csidrivers\",\"name\":\"a\",\"apiGroup\":\"storage.k8s.io\",\"apiVersion\":\"v1\",\"subresource\":\"scale\"}" CODE(200) "}",
      REPLAY_OTHER_KIND, THEN_ALLOWED, "" },
    { HEAD DONE VERB("create") "\"objectRef\":{\"resource\":\"csistoragecapacities\",\"apiGroup\":\"storage.k8s.io\",\"apiVersion\":\"v1beta1\"}" CODE(201) "}",
      REPLAY_OTHER_KIND, THEN_ALLOWED, "" },
};

static void test_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(event_cases); i++) {
        const struct event_case *now = &event_cases[i];
        struct replay replay = begin(&exact);
        put(&replay, now->text);
        EXPECT(last.events == 1 && !last.troubles, "%u events, %s: %s", last.events, last.message, now->text);
        EXPECT(last.replayed.outcome == now->outcome && last.replayed.then == now->then && strcmp(last.rule, now->rule) == 0, "outcome %d, then %d, rule %s: %s",
               last.replayed.outcome, last.replayed.then, last.rule, now->text);
        EXPECT((last.replayed.review.outcome == REVIEW_DENIED) == (*now->rule != '\0'), "denied %d: %s", last.replayed.review.outcome, now->text);
        replay_done(&replay);
    }
    assert_rows();
}

/* An API version that another version serves. */
static void test_not_served(void **state)
{
    (void)state;
    const char *text = HEAD DONE VERB("create") "\"objectRef\":{\"resource\":\"resourceslices\",\"apiGroup\":\"resource.k8s.io\",\"apiVersion\":\"v1\"}" CODE(201) SENT("{}") "}";
    const struct review_settings old = { .version = 33, .profile = PROFILE_API_SERVER };
    struct replay replay = begin(&old);
    put(&replay, text);
    assert_int_equal(last.replayed.outcome, REPLAY_NOT_SERVED);
    replay_done(&replay);
}

static void test_what_is_told(void **state)
{
    (void)state;
    struct replay replay = begin(&exact);
    put(&replay, HEAD DONE VERB("update") "\"auditID\":\"id\",\"requestURI\":\"/x?a=b&dryRun=All\",\"user\":{\"username\":\"jane\",\"groups\":[]},"
                 "\"requestReceivedTimestamp\":\"2026-01-01T00:00:00.000000Z\"," REF CODE(200) SENT(DRIVER("", "")) "}");
    const struct replayed *replayed = &last.replayed;
    assert_true(bytes_equal_text(replayed->audit_id, "id") && bytes_equal_text(replayed->user, "jane") && bytes_equal_text(replayed->verb, "update"));
    assert_true(bytes_equal_text(replayed->time, "2026-01-01T00:00:00.000000Z") && replayed->dry_run && replayed->without_old);
    assert_true(bytes_equal_text(replayed->review.name, "a") && bytes_equal_text(replayed->review.kind, "CSIDriver") && replayed->code == 200);
    put(&replay, HEAD DONE VERB("update") "\"requestURI\":\"/x?dryRun=Allx&x=dryRun=All\"," REF CODE(200) SENT(DRIVER("", "")) "}");
    assert_false(replayed->dry_run);
    put(&replay, HEAD DONE VERB("create") "\"requestURI\":\"/x\",\"objectRef\":{\"resource\":\"csidrivers\",\"apiGroup\":\"storage.k8s.io\",\"apiVersion\":\"v1\"}" CODE(201)
                 SENT("{" TYPE "\"metadata\":{\"generateName\":\"b-\"},\"spec\":{}}") "}");
    assert_true(bytes_equal_text(replayed->review.name, "b-") && !replayed->without_old);
    replay_done(&replay);
}

static void test_forms_of_patches(void **state)
{
    (void)state;
    static const struct {
        const char *patch;
        enum replay_patch form;
    } forms[] = {
        { "[{\"op\":\"remove\",\"path\":\"/spec\"}]", PATCH_JSON },
        { "{\"spec\":{}}", PATCH_MERGE },
        { "{\"kind\":\"CSIDriver\"}", PATCH_MERGE },
        { DRIVER("", ""), PATCH_APPLY },
        { "\"text\"", PATCH_MERGE },
    };
    for (size_t i = 0; i < COUNT(forms); i++) {
        char text[1000];
        struct replay replay = begin(&exact);
        snprintf(text, sizeof text, HEAD DONE VERB("patch") REF CODE(200) SENT("%s") "}", forms[i].patch);
        put(&replay, text);
        EXPECT(last.replayed.outcome == REPLAY_PATCH && last.replayed.patch == forms[i].form, "form %d: %s", last.replayed.patch, forms[i].patch);
        replay_done(&replay);
    }
    assert_rows();
}

/* ---- what was written before ---- */

struct sequence {
    const char *first, *between; /* NULL: nothing */
    const char *update;
    bool known;
    const char *rule;
};

#define CREATED HEAD DONE VERB("create") REF CODE(201) SENT(DRIVER("", ON)) ANSWERED(DRIVER(UID(u) RV(1), ON)) "}"
#define UPDATED(meta, spec) HEAD DONE VERB("update") REF CODE(200) SENT(DRIVER(meta, spec)) "}"
#define PATCHED(meta, spec) HEAD DONE VERB("patch") REF CODE(200) SENT("{}") ANSWERED(DRIVER(meta, spec)) "}"

static const struct sequence sequences[] = {
    { NULL, NULL, UPDATED(UID(u) RV(1), OFF), false, "" },
    { CREATED, NULL, UPDATED(UID(u) RV(1), OFF), true, "immutable" },
    { CREATED, NULL, UPDATED(UID(u) RV(1), ON), true, "" },
    { CREATED, NULL, UPDATED("", OFF), true, "immutable" },
    /* of another version, or another object */
    { CREATED, NULL, UPDATED(UID(u) RV(2), OFF), false, "" },
    { CREATED, NULL, UPDATED(UID(v), OFF), false, "" },
    { CREATED, NULL, PATCHED(UID(u) RV(2), OFF), true, "immutable" },
    { CREATED, NULL, PATCHED(UID(v) RV(2), OFF), false, "" },
    { CREATED, NULL, PATCHED(UID(u) RV(2) ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"", OFF), false, "" },
    /* a creation is none of an update, whatever the verb */
    { CREATED, NULL, HEAD DONE VERB("patch") REF CODE(201) ANSWERED(DRIVER(UID(u) RV(2), OFF)) "}", false, "" },
    /* what was stored in between */
    { CREATED, HEAD DONE VERB("update") REF CODE(200) SENT(DRIVER("", ON)) ANSWERED(DRIVER(UID(u) RV(5), ON)) "}", UPDATED(RV(5), OFF), true, "immutable" },
    { CREATED, HEAD DONE VERB("patch") REF CODE(200) SENT("[]") ANSWERED(DRIVER(UID(u) RV(5), ON)) "}", UPDATED(RV(5), OFF), true, "immutable" },
    { CREATED, HEAD DONE VERB("update") REF CODE(200) SENT(DRIVER("", ON)) "}", UPDATED("", OFF), false, "" },
    { CREATED, HEAD DONE VERB("update") REF CODE(200) "}", UPDATED("", OFF), false, "" },
    { CREATED, HEAD DONE VERB("delete") REF CODE(200) ANSWERED("{\"kind\":\"Status\"}") "}", UPDATED("", OFF), false, "" },
    { CREATED, HEAD DONE VERB("patch") REF CODE(200) SENT("[]") ANSWERED("{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\"}") "}", UPDATED("", OFF), false, "" },
    /* what waits for its finalizers */
    { CREATED, HEAD DONE VERB("delete") REF CODE(200) ANSWERED(DRIVER(UID(u) RV(5) ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"", ON)) "}",
      PATCHED(UID(u) RV(6) ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"", OFF), true, "immutable" },
    { CREATED, HEAD DONE VERB("delete") REF CODE(200) "}", UPDATED("", OFF), false, "" },
    /* what was not stored */
    { CREATED, HEAD DONE VERB("update") REF CODE(409) SENT(DRIVER("", ON)) ANSWERED("{\"kind\":\"Status\"}") "}", UPDATED(RV(1), OFF), true, "immutable" },
    { CREATED, HEAD DONE VERB("delete") "\"requestURI\":\"/?dryRun=All\"," REF CODE(200) "}", UPDATED(RV(1), OFF), true, "immutable" },
    { CREATED, HEAD DONE VERB("get") REF CODE(200) ANSWERED(DRIVER(RV(9), OFF)) "}", UPDATED(RV(1), OFF), true, "immutable" },
    /* a name that the server has made */
    { HEAD DONE VERB("create") "\"objectRef\":{\"resource\":\"csidrivers\",\"apiGroup\":\"storage.k8s.io\",\"apiVersion\":\"v1\"}" CODE(201)
      SENT("{" TYPE "\"metadata\":{\"generateName\":\"a\"},\"spec\":{}}") ANSWERED(DRIVER(RV(1), ON)) "}", NULL, UPDATED(RV(1), OFF), true, "immutable" },
};

static void test_old_objects(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sequences); i++) {
        const struct sequence *now = &sequences[i];
        struct replay replay = begin(&exact);
        if (now->first)
            put(&replay, now->first);
        if (now->between)
            put(&replay, now->between);
        put(&replay, now->update);
        bool created = last.replayed.code == 201;
        EXPECT(last.replayed.outcome == REPLAY_VALIDATED && last.replayed.without_old == (!now->known && !created) && strcmp(last.rule, now->rule) == 0,
               "row %zu: outcome %d, without old %d, rule %s", i, last.replayed.outcome, last.replayed.without_old, last.rule);
        replay_done(&replay);
    }
    assert_rows();
}

/* The status of an attachment, with the object before it. */
static void test_status(void **state)
{
    (void)state;
#define ATTACHMENT(meta, attacher) "{\"kind\":\"VolumeAttachment\",\"apiVersion\":\"storage.k8s.io/v1\"," META(meta) ",\"spec\":{\"attacher\":\"" attacher "\",\"nodeName\":\"n\"," \
    "\"source\":{\"persistentVolumeName\":\"p\"}},\"status\":{\"attached\":true}}"
    struct replay replay = begin(&exact);
    put(&replay, HEAD DONE VERB("update") STATUS_REF CODE(200) SENT(ATTACHMENT("", "a.b")) ANSWERED(ATTACHMENT(RV(1), "a.b")) "}");
    put(&replay, HEAD DONE VERB("update") STATUS_REF CODE(200) SENT(ATTACHMENT(RV(1), "b.c")) "}");
    assert_int_equal(last.replayed.outcome, REPLAY_VALIDATED);
    assert_true(!last.replayed.without_old && last.replayed.review.outcome == REVIEW_ALLOWED); /* the spec stays as it was */
    replay_done(&replay);
}

static struct bytes name_of(char *room, unsigned i)
{
    sprintf(room, "object-%u", i);
    return bytes_of(room);
}

/* What was used last stays; what does not fit is forgotten; nothing leaks. */
static void test_written(void **state)
{
    (void)state;
    struct counted_memory counted;
    struct written written;
    char room[32], json[400];
    const struct bytes text = { json, sizeof json };
    memset(json, 'x', sizeof json);
    counted_init(&counted, 0);
    written_init(&written, &counted.memory, context.key, 64 * 1024);
    assert_null(written_find(&written, bytes_of("a")).data);
    written_forget(&written, bytes_of("a"));
    for (unsigned i = 0; i < 1000; i++) {
        assert_int_equal(written_keep(&written, name_of(room, i), text), FAILURE_NONE);
        assert_int_equal(written_find(&written, bytes_of("object-0")).length, sizeof json);
        assert_true(written.held <= written.limit);
    }
    assert_null(written_find(&written, bytes_of("object-1")).data);
    assert_non_null(written_find(&written, bytes_of("object-999")).data);
    assert_int_equal(written_keep(&written, bytes_of("object-0"), (struct bytes){ "y", 1 }), FAILURE_NONE);
    assert_memory_equal(written_find(&written, bytes_of("object-0")).data, "y", 1);
    assert_int_equal(written_keep(&written, bytes_of("object-0"), (struct bytes){ json, 0 }), FAILURE_NONE);
    assert_non_null(written_find(&written, bytes_of("object-0")).data);
    char *large = calloc(1, 64 * 1024);
    assert_int_equal(written_keep(&written, bytes_of("object-0"), (struct bytes){ large, 64 * 1024 }), FAILURE_NONE);
    free(large);
    assert_null(written_find(&written, bytes_of("object-0")).data);
    assert_non_null(written_find(&written, bytes_of("object-999")).data);
    counted.failing = counted.calls + 1;
    assert_int_equal(written_keep(&written, bytes_of("object-999"), text), FAILURE_MEMORY);
    assert_null(written_find(&written, bytes_of("object-999")).data);
    written_done(&written);
    assert_int_equal(counted.live, 0);
}

/* ---- lists, and what is no event ---- */

#define LIST_OF(items) "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"metadata\":{},\"items\":" items "}"
#define ITEM "{" DONE VERB("create") REF CODE(201) SENT(DRIVER("", "\"fsGroupPolicy\":\"x\"")) "}"

static void test_lists(void **state)
{
    (void)state;
    struct replay replay = begin(&exact);
    put(&replay, LIST_OF("[" ITEM "," ITEM ",3," ITEM ",{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\"}," CREATED "]"));
    assert_int_equal(last.events, 4);
    assert_int_equal(last.troubles, 2);
    assert_string_equal(last.message, "not an Event or EventList of audit.k8s.io/v1");
    put(&replay, LIST_OF("[]"));
    put(&replay, LIST_OF("null"));
    put(&replay, "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\"}");
    assert_int_equal(last.events, 4);
    assert_int_equal(last.troubles, 2);
    replay_done(&replay);
}

static void test_no_events(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t offset;
        const char *message;
    } cases[] = {
        { "", 0, "the text ends too early" },
        { "{\"kind\":\"Event\"", 15, "the text ends too early" },
        { "nonsense", 1, "a value must be" },
        { "3", 0, "Event: Invalid value: 3: must be an object" },
        { "{}", 0, "not an Event" },
        { "[]", 0, "Event: Invalid value" },
        { " {\"kind\":\"Event\",\"apiVersion\":\"v1\"}", 1, "not an Event" },
        { "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1beta1\"}", 0, "not an Event" },
        { "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}", 0, "not an Event" },
        { HEAD "\"verb\":1}", 54, "verb: Invalid value: 1: must be a string" },
        { HEAD "\"objectRef\":[]}", 47, "objectRef: Invalid value" },
        { HEAD "\"verb\":\"get\"} x", 61, "only one value is allowed here" },
        { LIST_OF("{}"), 65, "items: Invalid value" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct replay replay = begin(&exact);
        put(&replay, cases[i].text);
        EXPECT(last.events == 0 && last.troubles == 1 && last.offset == cases[i].offset && strstr(last.message, cases[i].message), "at %u: %s: %s", last.offset,
               last.message, cases[i].text);
        replay_done(&replay);
    }
    assert_rows();
}

/* A mode decides about events as about reviews. */
static void test_modes(void **state)
{
    (void)state;
    const struct review_settings warning = { .version = MINOR_DEFAULT, .profile = PROFILE_WEBHOOK, .mode = ENFORCEMENT_WARN };
    struct replay replay = begin(&warning);
    put(&replay, HEAD DONE VERB("create") REF CODE(201) SENT(DRIVER("", "\"fsGroupPolicy\":\"x\"")) "}");
    assert_int_equal(last.replayed.review.outcome, REVIEW_ALLOWED);
    assert_int_equal(last.replayed.review.actions[ACTION_WARN], 1);
    replay_done(&replay);
}

/* ---- failing memory ---- */

/* Lets one allocation after the other fail, once or for ever: the denial is found, or the failure is returned; and all is given back. */
static void test_memory(void **state)
{
    (void)state;
    bool failed = true;
    for (size_t at = 1; failed; at++) {
        struct counted_memory counted;
        struct context own;
        struct workspace room;
        struct replay replay;
        counted_init(&counted, 0);
        counted.failing = at;
        failed = context_init(&own, &counted.memory);
        if (!failed) {
            failed = workspace_init(&room, &own);
            if (!failed) {
                failed = replay_init(&replay, &room, &exact);
                if (!failed) {
                    replay.event = keep_event;
                    replay.trouble = keep_trouble;
                    memset(&last, 0, sizeof last);
                    failed = replay_text(&replay, bytes_of(CREATED)) || replay_text(&replay, bytes_of(LIST_OF("[" UPDATED(RV(1), "\"fsGroupPolicy\":\"x\"") "]")));
                    assert_true(failed || last.replayed.review.outcome == REVIEW_DENIED);
                    assert_int_equal(last.troubles, 0);
                    replay_done(&replay);
                }
                workspace_done(&room);
            }
            context_done(&own);
        }
        assert_int_equal(counted.live, 0);
        failed = failed || counted.calls >= at;
        assert_true(at < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_not_served),
        cmocka_unit_test(test_what_is_told),
        cmocka_unit_test(test_forms_of_patches),
        cmocka_unit_test(test_old_objects),
        cmocka_unit_test(test_status),
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_no_events),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, start_workspace, stop_workspace);
}
