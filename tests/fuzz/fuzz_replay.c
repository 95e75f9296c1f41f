/* libFuzzer target: the lines of an audit log, replayed one after the other, exactly and as a webhook. The first byte chooses the version. */
#include <stdlib.h>

#include "base/limits.h"
#include "review/replay.h"
#include "validate/context.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The line at hand, and what it has brought. */
static struct bytes line;
static unsigned events, troubles;

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Reads all that an event points to. */
static void on_event(void *self, const struct replayed *replayed)
{
    (void)self;
    events++;
    require(replayed->outcome < REPLAY_OUTCOMES && replayed->then < REPLAY_THENS && replayed->patch < REPLAY_PATCHES);
    require(replayed->kind || replayed->outcome >= REPLAY_OTHER_KIND);
    require((replayed->outcome == REPLAY_VALIDATED) == (replayed->review.outcome != REVIEW_SKIPPED));
    require(!replayed->without_old || bytes_equal_text(replayed->review.operation, "UPDATE"));
    for (uint32_t i = 0; i < replayed->review.answer_count; i++)
        require(*replayed->review.answers[i].finding->message != '\0');
}

static void on_trouble(void *self, uint32_t offset, const char *message)
{
    (void)self;
    troubles++;
    require(message && offset <= line.length);
}

static void replay(struct workspace *workspace, enum review_profile profile, minor version, struct bytes text)
{
    const struct review_settings settings = { .version = version, .profile = profile };
    struct replay replay;
    require(replay_init(&replay, workspace, &settings) == FAILURE_NONE);
    replay.event = on_event;
    replay.trouble = on_trouble;
    for (uint32_t at = 0; at < text.length; at += line.length + 1) {
        const char *end = memchr(text.data + at, '\n', text.length - at);
        line = (struct bytes){ text.data + at, (uint32_t)((end ? end : text.data + text.length) - (text.data + at)) };
        require(replay_text(&replay, line) == FAILURE_NONE);
    }
    replay_done(&replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct context context;
    static struct workspace workspace;
    static bool ready;
    if (!ready)
        ready = context_init(&context, &memory_malloc) == FAILURE_NONE && workspace_init(&workspace, &context) == FAILURE_NONE;
    require(ready);
    if (size == 0 || size > LIMIT_BODY_BYTES)
        return 0;
    minor version = (minor)(MINOR_OLDEST + data[0] % (MINOR_NEWEST - MINOR_OLDEST + 1));
    const struct bytes text = { (const char *)data + 1, (uint32_t)size - 1 };
    events = troubles = 0;
    replay(&workspace, PROFILE_API_SERVER, version, text);
    unsigned first_events = events, first_troubles = troubles;
    replay(&workspace, PROFILE_WEBHOOK, version, text);
    require(events == 2 * first_events && troubles == 2 * first_troubles); /* what is read does not depend on the verdict */
    return 0;
}
