/* drawbridge allocate: reports for people. */
#include "cli/allocate.h"

enum {
    NODES_SAID = 3, /* of those that say the same */
    DEEPEST = 8,    /* devices that are taken, and for which what follows is indented */
};

static void add_name(struct text *text, struct bytes name)
{
    text_add_escaped(text, name, LIMIT_ALLOCATE_NAME_BYTES);
}

/* ---- nodes ---- */

static bool says_the_same(const struct allocate_reply *a, const struct allocate_reply *b)
{
    return !a->fits && !b->fits && strcmp(a->why.text, b->why.text) == 0;
}

/* Whether a node before it has said the same. */
static bool was_said(const struct allocate_report *report, uint32_t reply)
{
    for (uint32_t i = 0; i < reply; i++)
        if (says_the_same(&report->replies[i], &report->replies[reply]))
            return true;
    return false;
}

static void add_node_name(struct text *text, const struct allocate_node *node)
{
    if (node->given.name.length)
        add_name(text, node->given.name);
    else
        text_add(text, "any node");
}

/* "node-1, node-2, node-3 and 4 more": those that say the same as this one. */
static void add_nodes(struct text *text, const struct allocate_report *report, uint32_t reply)
{
    uint32_t said = 0, more = 0;
    for (uint32_t i = reply; i < report->count; i++) {
        if (i != reply && !says_the_same(&report->replies[i], &report->replies[reply]))
            continue;
        if (said == NODES_SAID) {
            more++;
            continue;
        }
        text_add(text, said++ ? ", " : "");
        add_node_name(text, report->replies[i].node);
    }
    if (more) {
        text_add(text, " and ");
        text_add_integer(text, more);
        text_add(text, " more");
    }
}

static void add_headline(struct text *text, const struct allocate_report *report)
{
    allocate_report_add_subject(text, report);
    if (report->problem) {
        text_add(text, ": must wait: ");
        text_add_escaped(text, bytes_of(report->problem), 4 * LIMIT_ALLOCATE_NAME_BYTES);
    } else if (!report->count) {
        text_add(text, ": needs no devices");
    } else if (!report->fitting) {
        text_add(text, report->node_count == 1 ? ": does not fit" : ": fits on no node");
    } else if (report->one_is_enough) {
        text_add(text, ": fits");
    } else {
        text_add(text, ": fits on ");
        text_add_integer(text, report->fitting);
        text_add(text, " of ");
        text_add_integer(text, report->count);
        text_add(text, report->count == 1 ? " node" : " nodes");
    }
    text_add(text, "\n");
}

static void add_end(struct text *text, const struct allocate_report *report)
{
    if (report->fitting || !report->count)
        return;
    text_add(text, "  = ");
    text_add(text, allocate_no_advice(allocate_report_kind(report)));
    text_add(text, "\n");
    if (!report->message || report->count < report->node_count) /* it is about all nodes */
        return;
    text_add(text, "  the scheduler says: ");
    text_add_escaped(text, bytes_of(report->message), 8 * LIMIT_ALLOCATE_NAME_BYTES);
    text_add(text, "\n");
}

static void add_doubt(struct text *text, const struct allocate_doubt *doubt)
{
    text_add(text, "    ! ");
    text_add(text, doubt->text);
    text_add(text, " (");
    text_add(text, doubt->id);
    text_add(text, ")\n");
}

/* The steps of the search: what follows a device that is taken is indented. */
static void add_story(struct text *text, const struct allocate_story *story)
{
    for (uint32_t i = 0; i < story->count; i++) {
        text_add(text, "    | ");
        for (uint32_t depth = 0; depth < story->list[i].depth && depth < DEEPEST; depth++)
            text_add(text, "  ");
        text_add(text, story->list[i].text);
        text_add(text, "\n");
    }
    if (!story->more)
        return;
    text_add(text, "    | and ");
    text_add_integer(text, (int64_t)story->more);
    text_add(text, story->more == 1 ? " step more\n" : " steps more\n");
}

void allocate_report_add_table(struct text *text, const struct allocate_report *report)
{
    add_headline(text, report);
    for (uint32_t i = 0; i < report->count; i++) {
        const struct allocate_reply *reply = &report->replies[i];
        if (was_said(report, i))
            continue;
        text_add(text, "  ");
        add_nodes(text, report, i);
        text_add(text, reply->fits ? ": " : ": no: ");
        text_add(text, reply->fits ? reply->devices : reply->why.text);
        text_add(text, "\n");
        for (uint32_t j = 0; j < reply->doubts.count; j++)
            add_doubt(text, &reply->doubts.list[j]);
        add_story(text, &reply->story);
    }
    add_end(text, report);
}
