/* libFuzzer target: a configuration of answers. Whatever the bytes are: it is read, or each mistake has a place in the text and words fit to
 * print; and a review can be validated by what was read. */
#include <stdlib.h>

#include "review/configuration.h"
#include "validate/context.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_mistakes(const struct configuration_mistakes *mistakes, size_t size)
{
    require(mistakes->count > 0);
    for (uint32_t i = 0; i < mistakes->count && i < LIMIT_CONFIGURATION_MISTAKES; i++) {
        const struct configuration_mistake *mistake = &mistakes->list[i];
        require(mistake->line >= 1 && mistake->column >= 1 && mistake->line + mistake->column <= size + 2 && *mistake->text);
        for (const char *c = mistake->text; *c; c++)
            require((unsigned char)*c >= ' ' && *c != 127);
    }
}

static void check_policies(const struct policies *policies)
{
    require(policies->count <= LIMIT_POLICIES);
    for (uint32_t i = 0; i < policies->count; i++) {
        const struct policy *policy = &policies->list[i];
        require(policy->mode < ENFORCEMENTS && policy->namespace_count <= LIMIT_POLICY_NAMESPACES && policy->kind_count <= LIMIT_POLICY_ENTRIES);
        for (uint32_t j = 0; j < policy->field_count; j++)
            require(policy->fields[j].length > 0 && policies->have_fields);
        for (uint32_t j = 0; j < policy->kind_count; j++)
            require(policy->kinds[j].kind.length > 0);
    }
}

static void validate(const struct configuration *configuration)
{
    static const char body[] =
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\",\"kind\":{\"group\":\"storage.k8s.io\",\"version\":\"v1\","
        "\"kind\":\"StorageClass\"},\"operation\":\"CREATE\",\"namespace\":\"a\",\"object\":{\"kind\":\"StorageClass\",\"apiVersion\":\"storage.k8s.io/v1\","
        "\"metadata\":{\"name\":\"A\"},\"provisioner\":\"a.b\",\"reclaimPolicy\":\"x\",\"parameters\":{\"reclaimPolicy\":\"x\"}}}}";
    static struct context context;
    static struct workspace workspace;
    static bool ready;
    const struct review_overrides none = { .version = 0 };
    const struct review_settings settings = configuration_settings(configuration, &none);
    struct review review;
    if (!ready)
        ready = context_init(&context, &memory_malloc) == FAILURE_NONE && workspace_init(&workspace, &context) == FAILURE_NONE;
    require(ready);
    review_validate(&workspace, &settings, bytes_of(body), 0, true, &review);
    require((review.outcome == REVIEW_ALLOWED || review.outcome == REVIEW_DENIED) && review.answer_count == 3);
    char *json = review_response(&workspace, &review);
    require(json != NULL);
    free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct configuration_mistakes mistakes;
    struct configuration configuration;
    enum failure failure = configuration_read(&memory_malloc, (struct bytes){ (const char *)data, (uint32_t)size }, &configuration, &mistakes);
    require(failure == FAILURE_NONE || failure == FAILURE_SYNTAX || failure == FAILURE_LIMIT);
    if (failure == FAILURE_SYNTAX)
        check_mistakes(&mistakes, size);
    if (failure)
        return 0;
    check_policies(&configuration.policies);
    validate(&configuration);
    configuration_done(&configuration);
    return 0;
}
