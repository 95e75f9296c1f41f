/* Feature gates: the table, what is on in a version, and how an operator sets them. */
#include "schema/gate.h"
#include "unit.h"

#include <string.h>

static bool read(const char *text, struct gate_settings *settings)
{
    struct error error;
    return gate_settings_read(text, settings, &error);
}

static bool is_on(const char *text, const char *gate, minor version)
{
    struct gate_settings settings;
    assert_true(read(text, &settings));
    assert_int_not_equal(gate_bit(gate), 0);
    return !(gates_off(&settings, version) & gate_bit(gate));
}

static void test_rows_are_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < gate_count; i++) {
        const struct gate *gate = &gates[i];
        assert_true(i == 0 || strcmp(gates[i - 1].name, gate->name) < 0);
        assert_true(gate->alpha && (!gate->beta || gate->alpha <= gate->beta));
        assert_true(!gate->on || (gate->beta && gate->on >= gate->beta)); /* no alpha gate is on by default */
        assert_true(!gate->ga || (gate->on && gate->ga >= gate->on));
        assert_true(!gate->locked || (gate->ga && gate->locked >= gate->ga));
        for (const char *const *need = gate->needs; *need; need++)
            assert_int_not_equal(gate_bit(*need), 0);
    }
    assert_int_equal(gate_bit("DRA"), 0);
}

static void test_defaults_by_version(void **state)
{
    (void)state;
    assert_false(is_on("", "DRAConsumableCapacity", 35));
    assert_true(is_on("", "DRAConsumableCapacity", 36));
    assert_false(is_on("", "MutableCSINodeAllocatableCount", 34)); /* beta, and off */
    assert_true(is_on("", "MutableCSINodeAllocatableCount", 35));
    assert_true(is_on("", "DRAListTypeAttributes", 35)); /* not there: none of its fields is */
    assert_false(is_on("", "DRAListTypeAttributes", 37));
    assert_string_equal(gate_stage("DRAConsumableCapacity", 34), "alpha");
    assert_string_equal(gate_stage("DRAConsumableCapacity", 37), "beta");
    assert_string_equal(gate_stage("DRADeviceTaints", 37), "GA");
}

static void test_what_is_said(void **state)
{
    (void)state;
    assert_true(is_on("DRAConsumableCapacity=true", "DRAConsumableCapacity", 34));
    assert_false(is_on(" DRAConsumableCapacity = false ,, DRADerivedAttributes=1", "DRAConsumableCapacity", 36));
    assert_true(is_on("AllAlpha=true", "DRADerivedAttributes", 37));
    assert_false(is_on("AllAlpha=true", "MutableCSINodeAllocatableCount", 34));
    assert_true(is_on("AllBeta=true", "MutableCSINodeAllocatableCount", 34));
    assert_false(is_on("AllBeta=false", "DRAConsumableCapacity", 36));
    assert_true(is_on("AllBeta=false,DRAConsumableCapacity=true", "DRAConsumableCapacity", 36)); /* the name comes first, in any order */
    assert_true(is_on("DRAConsumableCapacity=true,AllBeta=false", "DRAConsumableCapacity", 36));
    assert_false(is_on("DRAConsumableCapacity=true,DRAConsumableCapacity=f", "DRAConsumableCapacity", 36)); /* the last one counts */
    assert_true(is_on("NodeSwap=true", "DRAConsumableCapacity", 36)); /* concerns no field */
}

static void expect_error(const char *text, minor version, const char *words)
{
    struct gate_settings settings;
    struct error error;
    bool good = gate_settings_read(text, &settings, &error) && gate_settings_check(&settings, version, &error);
    EXPECT(!good && strstr(error.text, words), "%s: %s", text, good ? "accepted" : error.text);
}

static void test_mistakes(void **state)
{
    (void)state;
    expect_error("DRAConsumableCapacity", 36, "'DRAConsumableCapacity' does not set a feature gate");
    expect_error("DRAConsumableCapacity=yes", 36, "does not set a feature gate");
    expect_error("=true", 36, "'=true' does not set a feature gate");
    expect_error("DRAConsumableCapacty=true", 36, "did you mean DRAConsumableCapacity?");
    expect_error("allalpha=true", 36, "did you mean AllAlpha?");
    expect_error("\x1b[31mDRA=", 36, "\\x1b[31mDRA=");
    expect_error("DRAAdminAccess=false", 36, "DRAAdminAccess is locked: it cannot be off in 1.36");
    expect_error("DRADeviceTaints=false,DRADeviceTaintRules=true", 36, "DRADeviceTaintRules needs DRADeviceTaints, which is off in 1.36");
    expect_error("AllAlpha=true,AllBeta=false", 37, "DRADeviceCompatibilityGroups needs DRAPartitionableDevices");
    expect_error("DRAConsumableCapacity=false,DRAFractionalCapacityRange=true", 37, "needs DRAConsumableCapacity");
    assert_rows();
}

static void test_webhooks_guess(void **state)
{
    struct gate_settings webhook = gates_of_webhook(), guess = gates_with_alpha();
    (void)state;
    for (minor version = MINOR_OLDEST; version <= MINOR_NEWEST; version++)
        assert_int_equal(gates_off(&webhook, version), 0);
    assert_int_equal(gates_off(&guess, 37), 0);
    assert_int_equal(gates_off(&guess, 34), gate_bit("MutableCSINodeAllocatableCount"));
    assert_int_equal(gates_off_in_expressions(&guess, 36) & ~gates_off(&guess, 36), gate_bit("DRAListTypeAttributes"));
    assert_int_equal(gates_off_in_expressions(&guess, 37), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_in_order), cmocka_unit_test(test_defaults_by_version), cmocka_unit_test(test_what_is_said),
        cmocka_unit_test(test_mistakes), cmocka_unit_test(test_webhooks_guess),
    };
    return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
