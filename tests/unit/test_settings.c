/* Settings that are exchanged while reviews run: each review ends with what it has taken, and nothing is lost or freed too early. Worth
 * running under the sanitizers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdatomic.h>
#include <stdio.h>

#include "serve/settings.c" /* the tests are linked to what is above serve/ only */

enum { READERS = 4, RELOADS = 300 };

/* Each says the same twice: in the mode of the whole, and in its policies. */
static const char *const texts[] = {
    "apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\nkubernetesVersion: '1.33'\nmode: warn\npolicies: [{mode: warn}, {mode: warn}]\n",
    "apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\nkubernetesVersion: '1.34'\nmode: audit\npolicies: [{mode: audit}, {mode: audit}, {mode: audit}]\n",
    "apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\nkubernetesVersion: '1.35'\nmode: enforce\npolicies: [{mode: enforce}]\n",
};

static struct settings_holder holder;
static atomic_bool ended;
static atomic_uint taken, wrong;

/* All parts are of the same text. */
static bool agrees(const struct review_settings *review)
{
    static const uint32_t counts[ENFORCEMENTS] = { [ENFORCEMENT_DENY] = 1, [ENFORCEMENT_WARN] = 2, [ENFORCEMENT_AUDIT] = 3 };
    static const minor versions[ENFORCEMENTS] = { [ENFORCEMENT_DENY] = 35, [ENFORCEMENT_WARN] = 33, [ENFORCEMENT_AUDIT] = 34 };
    bool good = review->policies && review->policies->count == counts[review->mode] && review->version == versions[review->mode];
    for (uint32_t i = 0; good && i < review->policies->count; i++)
        good = review->policies->list[i].mode == review->mode;
    return good;
}

static void *read_settings(void *unused)
{
    (void)unused;
    while (!atomic_load(&ended)) {
        struct settings *settings = settings_take(&holder);
        atomic_fetch_add(&wrong, !agrees(&settings->review));
        settings_give(&holder, settings);
        atomic_fetch_add(&taken, 1);
    }
    return NULL;
}

static void test_reloads_under_load(void **state)
{
    static struct configuration_mistakes mistakes;
    const struct review_overrides none = { .version = 0 };
    pthread_t threads[READERS];
    (void)state;
    assert_int_equal(settings_init(&holder, &none, bytes_of(texts[0]), &mistakes), FAILURE_NONE);
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_settings, NULL), 0);
    for (int i = 0; i < RELOADS; i++) {
        assert_int_equal(settings_reload(&holder, bytes_of(texts[i % 3]), &mistakes), FAILURE_NONE);
        assert_int_equal(settings_reload(&holder, bytes_of("kind: x"), &mistakes), FAILURE_SYNTAX);
    }
    while (atomic_load(&taken) < 1000)
        continue;
    atomic_store(&ended, true);
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&wrong), 0);
    settings_done(&holder);
}

/* What a review has taken stays while it needs it, however often the settings change meanwhile. */
static void test_taken_stay(void **state)
{
    static struct configuration_mistakes mistakes;
    const struct review_overrides overrides = { .has_mode = true, .mode = ENFORCEMENT_AUDIT };
    (void)state;
    assert_int_equal(settings_init(&holder, &overrides, (struct bytes){ NULL, 0 }, &mistakes), FAILURE_NONE);
    struct settings *first = settings_take(&holder), *again = settings_take(&holder);
    assert_ptr_equal(first, again);
    assert_true(first->review.profile == PROFILE_UNKNOWN_VERSION && first->review.mode == ENFORCEMENT_AUDIT && !first->review.policies);
    assert_int_equal(settings_reload(&holder, bytes_of("mode: x"), &mistakes), FAILURE_SYNTAX);
    assert_true(mistakes.count > 0);
    struct settings *same = settings_take(&holder);
    assert_ptr_equal(first, same);
    settings_give(&holder, same);
    assert_int_equal(settings_reload(&holder, bytes_of(texts[0]), &mistakes), FAILURE_NONE);
    struct settings *second = settings_take(&holder);
    assert_true(second != first && second->review.profile == PROFILE_WEBHOOK && second->review.version == 33);
    assert_int_equal(second->review.mode, ENFORCEMENT_AUDIT); /* the option comes before every configuration */
    settings_give(&holder, first);
    assert_int_equal(again->review.mode, ENFORCEMENT_AUDIT);
    settings_give(&holder, again);
    settings_give(&holder, second);
    settings_done(&holder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_reloads_under_load), cmocka_unit_test(test_taken_stay) };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
