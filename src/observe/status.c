#include "observe/status.h"

#include <string.h>

#include "observe/exposition.h"

enum { HTTP_OK = 200, HTTP_NOT_FOUND = 404, HTTP_SERVICE_UNAVAILABLE = 503 };

static bool reply_text(struct status_reply *reply, unsigned status, const char *text)
{
    reply->status = status;
    reply->text = text;
    return true;
}

static bool reply_metrics(struct observer *observer, struct status_reply *reply)
{
    reply->status = HTTP_OK;
    reply->type = "text/plain; version=0.0.4; charset=utf-8";
    reply->owned = exposition_text(observer);
    return reply->owned != NULL;
}

static bool reply_page(struct observer *observer, struct status_reply *reply)
{
    reply->status = HTTP_OK;
    reply->type = "text/html; charset=utf-8";
    reply->owned = page_policy(reply->policy) ? page_text(observer) : NULL;
    return reply->owned != NULL;
}

static bool is_draining(const struct observer *observer)
{
    struct gauges gauges;
    observer->config.gauges(observer->config.closure, &gauges);
    return gauges.draining;
}

bool status_reply(struct observer *observer, const char *path, struct status_reply *reply)
{
    *reply = (struct status_reply){ .owned = NULL };
    if (strcmp(path, "/livez") == 0)
        return reply_text(reply, HTTP_OK, "ok\n");
    if (strcmp(path, "/readyz") == 0 && is_draining(observer))
        return reply_text(reply, HTTP_SERVICE_UNAVAILABLE, "shutting down\n");
    if (strcmp(path, "/readyz") == 0)
        return reply_text(reply, HTTP_OK, "ok\n");
    if (strcmp(path, "/metrics") == 0)
        return reply_metrics(observer, reply);
    if (strcmp(path, "/") == 0)
        return reply_page(observer, reply);
    return reply_text(reply, HTTP_NOT_FOUND, "there is /, /livez, /readyz and /metrics\n");
}
