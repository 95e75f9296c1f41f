/* Reports for programs. */
#include "allocate/report.h"
#include "allocate/result.h"

static void member(struct text *json, const char *name, struct bytes value)
{
    text_add(json, ",\"");
    text_add(json, name);
    text_add(json, "\":");
    allocate_json_add_text(json, value);
}

static void number(struct text *json, const char *name, int64_t value)
{
    text_add(json, ",\"");
    text_add(json, name);
    text_add(json, "\":");
    text_add_integer(json, value);
}

static void add_counts(struct text *json, const struct allocate_funnel *funnel)
{
    const char *between = "";
    number(json, "needs", funnel->needs);
    text_add(json, ",\"devices\":{");
    for (unsigned obstacle = 0; obstacle < OBSTACLES; obstacle++) {
        if (!funnel->counts[obstacle])
            continue;
        text_add(json, between);
        allocate_json_add_text(json, bytes_of(allocate_obstacle_name(obstacle)));
        text_add(json, ":");
        text_add_integer(json, funnel->counts[obstacle]);
        between = ",";
    }
    text_add(json, "}");
    number(json, "elsewhere", funnel->elsewhere);
}

static void add_why(struct text *json, const struct allocate_reply *reply)
{
    const struct allocate_why *why = &reply->why;
    text_add(json, ",\"why\":{\"kind\":");
    allocate_json_add_text(json, bytes_of(allocate_no_name(why->kind)));
    if (reply->request.data) {
        member(json, "claim", reply->claim);
        member(json, "request", reply->request);
        if (reply->subrequest.data)
            member(json, "subrequest", reply->subrequest);
        add_counts(json, &why->funnel);
    }
    member(json, "text", bytes_of(why->text));
    text_add(json, "}");
}

static void add_doubts(struct text *json, const struct allocate_doubts *doubts)
{
    for (uint32_t i = 0; i < doubts->count; i++) {
        text_add(json, i ? ",{\"id\":" : ",\"doubts\":[{\"id\":");
        allocate_json_add_text(json, bytes_of(doubts->list[i].id));
        member(json, "text", bytes_of(doubts->list[i].text));
        text_add(json, "}");
    }
    text_add(json, doubts->count ? "]" : "");
}

static void add_told(struct text *json, const struct allocate_told *told)
{
    text_add(json, "{\"result\":");
    allocate_json_add_text(json, bytes_of(told->move));
    if (told->request)
        member(json, "request", bytes_of(told->request));
    if (told->device)
        member(json, "device", bytes_of(told->device));
    if (told->count > 1)
        number(json, "devices", told->count);
    if (told->refused)
        member(json, "reason", bytes_of(told->refused));
    number(json, "depth", told->depth);
    member(json, "text", bytes_of(told->text));
    text_add(json, "}");
}

static void add_story(struct text *json, const struct allocate_story *story)
{
    for (uint32_t i = 0; i < story->count; i++) {
        text_add(json, i ? "," : ",\"search\":[");
        add_told(json, &story->list[i]);
    }
    text_add(json, story->count ? "]" : "");
    if (story->more)
        number(json, "searchMore", (int64_t)story->more);
}

static void add_reply(struct text *json, const struct allocate_reply *reply)
{
    text_add(json, "{\"node\":");
    allocate_json_add_text(json, reply->node->given.name);
    text_add(json, reply->fits ? ",\"fits\":true,\"allocations\":" : ",\"fits\":false");
    if (reply->fits)
        text_add(json, reply->allocations);
    else
        add_why(json, reply);
    number(json, "steps", (int64_t)reply->steps);
    add_doubts(json, &reply->doubts);
    add_story(json, &reply->story);
    text_add(json, "}");
}

void allocate_report_add_json(struct text *json, const struct allocate_report *report)
{
    const struct allocate_subject *subject = report->subject;
    text_add(json, "{\"kind\":");
    allocate_json_add_text(json, subject->object->item->kind_name);
    if (subject->space.length)
        member(json, "namespace", subject->space);
    member(json, "name", subject->name);
    if (report->copy)
        number(json, "pod", report->copy);
    text_add(json, report->fitting ? ",\"fits\":true" : ",\"fits\":false");
    if (!report->fitting && report->count)
        member(json, "why", bytes_of(allocate_no_name(allocate_report_kind(report))));
    if (report->problem)
        member(json, "problem", bytes_of(report->problem));
    if (report->message)
        member(json, "event", bytes_of(report->message));
    text_add(json, ",\"nodes\":[");
    for (uint32_t i = 0; i < report->count; i++) {
        text_add(json, i ? "," : "");
        add_reply(json, &report->replies[i]);
    }
    text_add(json, "]}");
}

enum failure allocate_reply_read(const struct allocate_reply *reply, struct arena *arena, struct map_key key, struct document *document)
{
    const struct json_input input = {
        .source = bytes_of(reply->allocations), .alone = true, .profile = JSON_STRICT, .arena = arena, .key = key,
    };
    struct doc_error error;
    uint32_t end;
    return json_read(&input, document, &end, &error);
}
