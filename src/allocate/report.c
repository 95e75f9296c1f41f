#include "allocate/report.h"

static void add_name(struct text *text, struct bytes name)
{
    text_add_escaped(text, name, LIMIT_ALLOCATE_NAME_BYTES);
}

void allocate_report_add_subject(struct text *text, const struct allocate_report *report)
{
    const struct allocate_subject *subject = report->subject;
    add_name(text, subject->object->item->kind_name);
    text_add(text, " ");
    add_name(text, subject->space);
    text_add(text, subject->space.length ? "/" : "");
    add_name(text, subject->name);
    if (report->copy) {
        text_add(text, ", pod ");
        text_add_integer(text, report->copy);
    }
}

/* ---- devices ---- */

void allocate_ask_add(struct text *text, const struct allocate_claim *claim, const struct allocate_ask *ask, bool with_claim)
{
    if (with_claim) {
        add_name(text, claim->name);
        text_add(text, ".");
    }
    add_name(text, ask->request->name);
    if (ask->request->alternatives) {
        text_add(text, "/");
        add_name(text, ask->name);
    }
}

void allocate_device_add_words(struct text *text, const struct allocate_device *device)
{
    add_name(text, device->slice->pool->driver);
    text_add(text, "/");
    add_name(text, device->slice->pool->name);
    text_add(text, "/");
    add_name(text, device->name);
}

const char *allocate_devices_words(const struct allocate_attempt *attempt, struct arena *arena)
{
    const struct allocate_ask *last = NULL;
    struct text text;
    text_init(&text, arena);
    for (uint32_t i = 0; i < attempt->claims->count; i++)
        for (uint32_t j = 0; j < attempt->results[i].count; j++) {
            const struct allocate_result *result = &attempt->results[i].list[j];
            text_add(&text, !last ? "" : result->ask == last ? ", " : "; ");
            if (result->ask != last) {
                allocate_ask_add(&text, &attempt->claims->list[i], result->ask, attempt->claims->count > 1);
                text_add(&text, " = ");
            }
            allocate_device_add_words(&text, result->device);
            last = result->ask;
        }
    text_add(&text, last ? "" : "no devices are needed");
    return text_end(&text);
}

/* ---- all nodes together ---- */

enum allocate_no allocate_report_kind(const struct allocate_report *report)
{
    uint32_t counts[NO_KINDS] = { 0 };
    unsigned most = NO_MATCH;
    for (uint32_t i = 0; i < report->count; i++)
        counts[report->replies[i].why.kind]++;
    for (unsigned kind = 0; kind < NO_KINDS; kind++) {
        unsigned rank = allocate_no_rank(kind), best = allocate_no_rank(most);
        bool better = rank > best || (rank == best && counts[kind] > counts[most]);
        if (counts[kind] && (!counts[most] || better))
            most = kind;
    }
    return most;
}
