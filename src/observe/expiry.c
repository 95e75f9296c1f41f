#include "observe/expiry.h"

#include <stdio.h>

#include "pki/pki.h"
#include "observe/limits.h"

void expiry_set(struct expiry *expiry, int64_t begins, int64_t ends)
{
    atomic_store(&expiry->begins, begins);
    atomic_store(&expiry->ends, ends);
}

int64_t expiry_of(const struct expiry *expiry)
{
    return atomic_load(&expiry->ends);
}

static void say(int64_t left, int64_t ends, const char *what, char *text, size_t room)
{
    char when[PKI_TIME_BYTES];
    pki_seconds_text(ends, when);
    if (left <= 0)
        snprintf(text, room, "%s ended on %s", what, when);
    else
        snprintf(text, room, "%s ends on %s, in %lld %s", what, when, (long long)(left >= 172800 ? left / 86400 : left / 60),
                 left >= 172800 ? "days" : "minutes");
}

bool expiry_is_near(const struct expiry *expiry, int64_t now)
{
    int64_t ends = expiry_of(expiry), fifth = (ends - atomic_load(&expiry->begins)) / 5;
    return ends - now <= (fifth < LIMIT_EXPIRY_SECONDS ? fifth : LIMIT_EXPIRY_SECONDS);
}

bool expiry_warn(struct expiry *expiry, const char *what, int64_t now, char *text, size_t room)
{
    int64_t ends = expiry_of(expiry), left = ends - now;
    if (ends == 0 || !expiry_is_near(expiry, now) || (expiry->warned == ends && (left > 0 || expiry->ended)))
        return false;
    expiry->warned = ends;
    expiry->ended = left <= 0;
    say(left, ends, what, text, room);
    return true;
}
