/* What the server keeps about its work: counters by thread, the last hour by minute, and lines of the log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "observe/history.h"
#include "observe/line.h"

static struct metrics *metrics;
static struct history *history;

static int start(void **state)
{
    (void)state;
    metrics = calloc(1, sizeof *metrics);
    history = calloc(1, sizeof *history);
    return metrics && history ? history_init(history, metrics) : 1;
}

static int stop(void **state)
{
    (void)state;
    history_done(history);
    free(history);
    free(metrics);
    return 0;
}

static void count(enum review_outcome outcome, unsigned times, uint64_t nanoseconds)
{
    const struct review review = { .outcome = outcome, .operation = { "CREATE", 6 }, .rules = &kinds[0] };
    for (unsigned i = 0; i < times; i++)
        metrics_count_review(metrics, &review, PATH_INLINE, nanoseconds);
}

/* ---- metrics ---- */

/* A duration that is a bound belongs below it. */
static void test_buckets(void **state)
{
    struct metrics_totals totals;
    (void)state;
    for (int i = 0; i < METRICS_BUCKETS - 1; i++) {
        count(REVIEW_ALLOWED, 1, metrics_bounds[i]);
        count(REVIEW_ALLOWED, 1, metrics_bounds[i] + 1);
    }
    metrics_sum(metrics, &totals);
    for (int i = 0; i < METRICS_BUCKETS; i++)
        assert_int_equal(totals.durations[PATH_INLINE][i], i == 0 || i == METRICS_BUCKETS - 1 ? 1 : 2);
    for (int i = 1; i < METRICS_BUCKETS - 1; i++)
        assert_true(metrics_bounds[i] > metrics_bounds[i - 1]);
    assert_int_equal(metrics_bounds[0], 50000);
    assert_int_equal(metrics_bounds[METRICS_BUCKETS - 2], UINT64_C(10000000000));
}

enum { THREADS = 40, TIMES = 5000 }; /* more threads than shards */

static void *count_many(void *argument)
{
    (void)argument;
    count(REVIEW_DENIED, TIMES, 7);
    for (int i = 0; i < TIMES; i++)
        metrics_count_answer(metrics, i % 2 ? 200 : 599);
    return NULL;
}

static void test_threads(void **state)
{
    pthread_t threads[THREADS];
    struct metrics_totals totals;
    unsigned used = 0;
    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_many, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    metrics_sum(metrics, &totals);
    assert_int_equal(totals.reviews[OPERATION_CREATE][0][VERDICT_DENIED], THREADS * TIMES);
    assert_int_equal(totals.nanoseconds[PATH_INLINE], THREADS * TIMES * 7);
    assert_int_equal(totals.answers[0], THREADS * TIMES / 2);
    assert_int_equal(totals.answers[METRICS_STATUSES - 1], THREADS * TIMES / 2);
    for (unsigned i = 0; i < LIMIT_SHARDS; i++)
        used += atomic_load(&metrics->shards[i].answers[0]) > 0;
    assert_int_equal(used, LIMIT_SHARDS);
}

static const struct {
    const char *operation, *sub_resource;
    enum metrics_operation as;
} operation_cases[] = {
    { "CREATE", "", OPERATION_CREATE },       { "UPDATE", "", OPERATION_UPDATE },       { "UPDATE", "status", OPERATION_STATUS },
    { "CREATE", "status", OPERATION_OTHER },  { "DELETE", "", OPERATION_OTHER },        { "CONNECT", "", OPERATION_OTHER },
    { "UPDATE", "scale", OPERATION_OTHER },   { "create", "", OPERATION_OTHER },        { "", "", OPERATION_OTHER },
    { "UPDATE", "Status", OPERATION_OTHER },  { "CREATE\"} 1", "", OPERATION_OTHER },   { "DELETE", "status", OPERATION_OTHER },
};

static void test_operations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof operation_cases / sizeof *operation_cases; i++) {
        const struct review review = { .operation = bytes_of(operation_cases[i].operation), .sub_resource = bytes_of(operation_cases[i].sub_resource) };
        if (metrics_operation_of(&review) != operation_cases[i].as)
            fail_msg("row %zu: %s %s", i, operation_cases[i].operation, operation_cases[i].sub_resource);
    }
}

/* ---- the last hour ---- */

/* In minute i, i + 1 reviews are allowed and, in every tenth minute, one is denied. */
static void test_minutes(void **state)
{
    struct history_view *view = malloc(sizeof *view);
    (void)state;
    assert_non_null(view);
    for (unsigned minute = 0; minute < 200; minute++) {
        count(REVIEW_ALLOWED, minute + 1, 1);
        if (minute % 10 == 0)
            count(REVIEW_DENIED, 1, 1);
        history_view(history, view);
        unsigned known = minute < LIMIT_HISTORY_MINUTES ? minute + 1 : LIMIT_HISTORY_MINUTES;
        uint64_t all = 0;
        assert_int_equal(view->minutes, known);
        for (unsigned i = 0; i < known; i++) {
            unsigned of = minute - (known - 1) + i;
            assert_int_equal(view->verdicts[i][VERDICT_ALLOWED], of + 1);
            assert_int_equal(view->verdicts[i][VERDICT_DENIED], of % 10 == 0);
            all += of + 1;
        }
        assert_int_equal(view->all.verdicts[VERDICT_ALLOWED], all);
        history_turn(history);
    }
    free(view);
}

static void note(uint64_t nanoseconds, int64_t at)
{
    history_record(history, &(struct slow_review){ .nanoseconds = nanoseconds, .at = at, .bytes = 1 });
}

/* The slowest of the hour, in order; those of an hour ago are forgotten. */
static void test_slow(void **state)
{
    struct history_view *view = malloc(sizeof *view);
    (void)state;
    assert_non_null(view);
    for (uint64_t i = 0; i < 1000; i++)
        note(1 + i * 7919 % 1000, 0); /* 1 to 1,000, each once */
    history_view(history, view);
    for (unsigned i = 0; i < HISTORY_SLOW; i++)
        assert_int_equal(view->slow[i].nanoseconds, 1000 - i);
    for (unsigned minute = 1; minute < LIMIT_HISTORY_MINUTES; minute++) {
        history_turn(history);
        note(500 + minute, minute);
    }
    note(2000, 99);
    history_view(history, view);
    assert_int_equal(view->slow[0].nanoseconds, 2000);
    assert_int_equal(view->slow[1].nanoseconds, 1000);
    history_turn(history);
    history_view(history, view);
    assert_int_equal(view->slow[0].nanoseconds, 2000);
    assert_int_equal(view->slow[1].nanoseconds, 500 + LIMIT_HISTORY_MINUTES - 1);
    assert_int_equal(view->slow[1].at, LIMIT_HISTORY_MINUTES - 1);
    free(view);
}

/* ---- lines ---- */

/* What is in a line of JSON, read by another reader. */
static cJSON *parse(const struct line *line)
{
    assert_true(line->length <= LIMIT_LOG_LINE_BYTES && line->data[line->length - 1] == '\n');
    assert_null(memchr(line->data, '\n', line->length - 1));
    cJSON *json = cJSON_ParseWithLength(line->data, line->length);
    assert_non_null(json);
    return json;
}

static const struct {
    const char *text, *json, *plain;
} escape_cases[] = {
    { "plain", "\"plain\"", "plain" },
    { "", "\"\"", "\"\"" },
    { "two words", "\"two words\"", "\"two words\"" },
    { "a\"b\\c\nd", "\"a\\\"b\\\\c\\nd\"", "\"a\\\"b\\\\c\\nd\"" },
    { "\t\x1b\x7f", "\"\\u0009\\u001b\\u007f\"", "\"\\u0009\\u001b\\u007f\"" },
    { "\xe2\x80\xae\xe2\x80\xa8", "\"\\u202e\\u2028\"", "\"\\u202e\\u2028\"" },
    { "\xc3\xa9\xf0\x9f\x98\x80", "\"\xc3\xa9\xf0\x9f\x98\x80\"", "\"\xc3\xa9\xf0\x9f\x98\x80\"" },
    { "\xff\xc3", "\"\\ufffd\\ufffd\"", "\"\\ufffd\\ufffd\"" },
    { "\xf3\xa0\x80\x81", "\"\\udb40\\udc01\"", "\"\\udb40\\udc01\"" }, /* a tag character, U+E0001 */
};

static void test_escapes(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof escape_cases / sizeof *escape_cases); i++) {
        enum log_format format = i % 2 ? LOG_JSON : LOG_TEXT;
        const char *value = format == LOG_JSON ? escape_cases[i / 2].json : escape_cases[i / 2].plain;
        struct line line;
        char end[256];
        int length = snprintf(end, sizeof end, format == LOG_JSON ? ",\"x\":%s}\n" : " x=%s\n", value);
        line_begin(&line, format, LOG_STARTED);
        line_add(&line, &(struct log_field){ .name = "x", .text = escape_cases[i / 2].text });
        line_end(&line);
        if (line.length < (size_t)length || memcmp(line.data + line.length - length, end, (size_t)length) != 0)
            fail_msg("row %zu: %.*s", i / 2, (int)line.length, line.data);
    }
}

/* Any bytes, any length: a line stays within its room, and JSON stays JSON. */
static void test_long(void **state)
{
    static char text[3 * LIMIT_LOG_FIELD_BYTES];
    (void)state;
    srand(5);
    for (int round = 0; round < 3000; round++) {
        struct line line;
        line_begin(&line, round % 2 ? LOG_JSON : LOG_TEXT, (enum log_event)(round % LOG_EVENTS));
        for (int field = 0; field < round % 40; field++) {
            size_t length = (size_t)rand() % (sizeof text - 1);
            for (size_t i = 0; i < length; i++)
                text[i] = (char)(1 + rand() % 255 % (round % 3 ? 255 : 31));
            text[length] = '\0';
            line_add(&line, &(struct log_field){ .name = "some_field", .text = field % 5 ? text : NULL, .number = INT64_MIN });
        }
        line_end(&line);
        assert_true(line.length <= LIMIT_LOG_LINE_BYTES);
        if (round % 2)
            cJSON_Delete(parse(&line));
        for (size_t i = 0; i < line.length - 1; i++)
            assert_true((unsigned char)line.data[i] >= ' ' && line.data[i] != 0x7F);
    }
}

static void test_cut(void **state)
{
    char text[LIMIT_LOG_FIELD_BYTES + 2];
    struct line line;
    (void)state;
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    line_begin(&line, LOG_JSON, LOG_DENIED);
    line_add(&line, &(struct log_field){ .name = "x", .text = text });
    line_add(&line, &(struct log_field){ .name = "n", .number = -5 });
    line_end(&line);
    cJSON *json = parse(&line);
    const char *x = cJSON_GetObjectItemCaseSensitive(json, "x")->valuestring;
    assert_int_equal(strlen(x), LIMIT_LOG_FIELD_BYTES + 3);
    assert_string_equal(x + LIMIT_LOG_FIELD_BYTES, "...");
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(json, "n")->valueint, -5);
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(json, "msg")->valuestring, "denied");
    cJSON_Delete(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_buckets, start, stop), cmocka_unit_test_setup_teardown(test_threads, start, stop),
        cmocka_unit_test_setup_teardown(test_operations, start, stop), cmocka_unit_test_setup_teardown(test_minutes, start, stop),
        cmocka_unit_test_setup_teardown(test_slow, start, stop),    cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_long),                                cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
