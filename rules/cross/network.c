/* Networks in lists, up to 1.32: those that are written in different ways are one, and so are all that are none.
 * Source: k8s.io/kubernetes v1.32.13 pkg/apis/resource/validation/validation.go validateNetworkDeviceData. */
#include "rules/cross/common.h"
#include "value/ip.h"

/* The network in one form, in scratch memory; empty where it is none, or after a failure. */
static struct bytes canonical(struct cross *cross, struct bytes text)
{
    struct ip_address address;
    unsigned bits;
    char words[IP_TEXT_BYTES];
    if (!ip_read_sloppy_network(text, &address, &bits))
        return (struct bytes)BYTES("");
    ip_write(&address, words);
    struct text form = cross_text(cross);
    text_add(&form, words);
    text_add(&form, "/");
    text_add_integer(&form, bits);
    const char *end = cross_end_text(cross, &form);
    return end ? bytes_of(end) : (struct bytes)BYTES("");
}

void cross_unique_networks(struct cross *cross)
{
    struct map seen;
    struct value list = cross_value(cross);
    if (!cross_map(cross, &seen, cross_scratch(cross), value_count(list)))
        return;
    value_each(list, element) {
        struct bytes key = canonical(cross, value_text(element));
        if (map_find(&seen, key))
            cross_report(cross, (struct cross_report){ .at = element });
        else
            (void)map_add(&seen, key, element.node);
    }
}
