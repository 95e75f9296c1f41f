/* Guesses at what was meant: which names are slips of others. */
#include "unit.h"

#include "base/near.h"

struct pair {
    const char *name, *given;
    bool typo;
};

static const struct pair pairs[] = {
    /* a letter wrong, missing, doubled or too many, two letters exchanged, in a word that is long enough to tell */
    { "gpu.exmple.com", "gpu.example.com", true },
    { "gpu.exammple.com", "gpu.example.com", true },
    { "gpu.exmaple.com", "gpu.example.com", true },
    { "gpu.axample.com", "gpu.example.com", true },
    { "acelerator.acme.dev", "accelerator.acme.dev", true },
    { "disk.csi.accme.dev", "disk.csi.acme.dev", true },
    { "slowe", "slow", true },
    { "premium-storrage", "premium-storage", true },
    { "acclerater.acme.dev", "accelerator.acme.dev", true },
    { "GPU.Examplee.com", "gpu.example.com", true },
    { "disk.csi.amce.dev", "disk.csi.acme.dev", true },
    { "gup.acme.dev", "gpu.acme.dev", true },
    /* the mark between two words */
    { "gpu-example.com", "gpu.example.com", true },
    { "fast.storage", "fast-storage", true },
    /* another word */
    { "cpu.example.com", "gpu.example.com", false },
    { "efs.csi.aws.com", "ebs.csi.aws.com", false },
    { "nfs.csi.k8s.io", "smb.csi.k8s.io", false },
    { "dpu.nvidia.com", "gpu.nvidia.com", false },
    { "gpus.nvidia.com", "gpu.nvidia.com", false },
    { "gpu.acme.de", "gpu.acme.dev", false },
    { "premium-rwx", "premium-rwo", false },
    { "fast-hdd", "fast-ssd", false },
    { "rack-north", "rack-south", false },
    { "zone-a", "zone-b", false },
    { "zone-a.acme.dev", "zone-b.acme.dev", false },
    { "gold", "cold", false },
    { "ue-central", "eu-central", false },
    { "gtx4090.acme.dev", "rtx4090.acme.dev", false },
    { "pool-east", "pool-west", false },
    { "disk.csi.azure.com", "file.csi.azure.com", false },
    { "a100.gpu.acme.dev", "h100.gpu.acme.dev", false },
    /* another number, or one more */
    { "node-1", "node-2", false },
    { "node-12", "node-1", false },
    { "gpu.acme2.dev", "gpu.acme1.dev", false },
    { "gb200.nvidia.com", "gb300.nvidia.com", false },
    { "storage-v2", "storage-v1", false },
    { "storage10", "storage", false },
    { "storrage1", "storage2", false },
    { "storrage1", "storage1", true },
    /* too far, or the same */
    { "gpu.other.com", "gpu.example.com", false },
    { "gpu.example.com", "gpu.example.com", false },
    { "", "gpu.example.com", false },
    { "gpu.example.com", "", false },
};

static void test_typos(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        struct bytes name = bytes_of(pairs[i].name), given = bytes_of(pairs[i].given);
        EXPECT(near_is_name_typo(name, given) == pairs[i].typo, "%s, %s", pairs[i].name, pairs[i].given);
        EXPECT(near_is_name_typo(given, name) == pairs[i].typo, "%s, %s", pairs[i].given, pairs[i].name);
    }
    assert_rows();
}

static bool is_near(const char *text, const char *meant)
{
    return near_is_typo(bytes_of(text), bytes_of(meant));
}

static void test_two_letters_that_changed_places_are_one_edit(void **state)
{
    (void)state;
    assert_true(is_near("spce", "spec"));
    assert_true(is_near("emtadaat", "metadata"));
    assert_true(is_near("NDOENAME", "nodeName"));
    assert_false(is_near("cspe", "spec"));
    assert_false(is_near("emtadtaaa", "metadata"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_typos),
        cmocka_unit_test(test_two_letters_that_changed_places_are_one_edit),
    };
    return cmocka_run_group_tests_name("near", tests, NULL, NULL);
}
