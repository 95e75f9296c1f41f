/* Load for a webhook: classes of connections, each of which posts its bodies in turn as fast as answers come (a closed loop).
 * Prints one JSON object; times are microseconds. `load --help` says how. */
#include <arpa/inet.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "tests/bench/client.h"
#include "tests/bench/histogram.h"

enum { CLASSES = 8, BODIES = 16, STATUSES = 600, EVENTS = 256, FILE_BYTES = 16 << 20, PROCESS_TEXT_BYTES = 8 << 10, PAUSE_MS = 20 };

static const char usage[] =
    "usage: load --connect IPV4:PORT [OPTION...] CLASS...\n"
    "  CLASS            NAME=CONNECTIONS:FILE[,FILE...]  bodies are sent in rotation\n"
    "  --seconds S      how long to measure (default 3)\n"
    "  --requests N     end after so many answers in all, if that is earlier\n"
    "  --warmup S       run so long before measuring (default 0.5)\n"
    "  --handshakes     connections only shake hands and close, again and again; FILE is not needed\n"
    "  --reconnect      a new connection, with a full handshake, for every request\n"
    "  --retry-after    wait as long as an answer's Retry-After says\n"
    "  --sleep          sleep while there is no answer, instead of asking again and again, which spares the server waking us\n"
    "  --ca FILE        verify the server's certificate, for --host NAME (default localhost)\n"
    "  --pid PID        also tell that process's CPU time and memory\n";

struct class {
    char name[64];
    unsigned connections;
    struct client_request bodies[BODIES];
    unsigned body_count, next;
    struct histogram latencies;
    uint64_t answers, statuses[STATUSES];
    uint64_t handshakes, lost, refused; /* lost: requests without an answer; refused: connections that never came to be */
};

struct load {
    struct client_target target;
    struct class classes[CLASSES];
    unsigned class_count;
    struct client *clients;
    size_t client_count;
    uint64_t answers, max_answers;
    double seconds, warmup;
    bool handshakes, reconnect, retry_after, sleeps;
    unsigned waiting; /* clients that a Retry-After told to */
    int pid;
};

/* ---- options ---- */

__attribute__((noreturn)) static void fail(const char *what, const char *which)
{
    fprintf(stderr, "load: %s%s%s\n", what, *which ? ": " : "", which);
    exit(2);
}

/* The request that kube-apiserver would make of this body. */
static struct client_request make_request(const char *host, const char *file)
{
    char *body = malloc(FILE_BYTES), *data = malloc(FILE_BYTES);
    FILE *stream = fopen(file, "rb");
    if (!body || !data || !stream)
        fail("cannot read", file);
    size_t size = fread(body, 1, FILE_BYTES - 1024, stream);
    int header = snprintf(data, 1024,
                          "POST /validate?timeout=10s HTTP/1.1\r\nHost: %.200s\r\nUser-Agent: kube-apiserver-admission\r\nContent-Length: %zu\r\n"
                          "Accept: application/json, */*\r\nContent-Type: application/json\r\nAccept-Encoding: gzip\r\n\r\n",
                          host, size);
    memcpy(data + header, body, size);
    fclose(stream);
    free(body);
    return (struct client_request){ realloc(data, (size_t)header + size), (size_t)header + size };
}

/* NAME=CONNECTIONS:FILE[,FILE...] */
static void add_class(struct load *load, char *text)
{
    if (load->class_count == CLASSES)
        fail("too many classes", "");
    struct class *class = &load->classes[load->class_count++];
    char *count = strchr(text, '='), *files;
    unsigned long connections = count ? strtoul(count + 1, &files, 10) : 0;
    if (connections < 1 || connections > 10000 || count == text || (size_t)(count - text) >= sizeof class->name || (*files && *files != ':'))
        fail("no NAME=CONNECTIONS:FILE,...", text);
    memcpy(class->name, text, (size_t)(count - text));
    class->connections = (unsigned)connections;
    for (char *file = *files ? strtok(files + 1, ",") : NULL; file; file = strtok(NULL, ",")) {
        if (class->body_count == BODIES)
            fail("too many files", class->name);
        class->bodies[class->body_count++] = make_request(load->target.host, file);
    }
    if (!class->body_count && !load->handshakes)
        fail("a file is needed", class->name);
}

static void set_address(struct client_target *target, char *text)
{
    char *port = strrchr(text, ':');
    if (port)
        *port = '\0';
    target->address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((uint16_t)(port ? strtoul(port + 1, NULL, 10) : 0)) };
    if (!port || inet_pton(AF_INET, text, &target->address.sin_addr) != 1)
        fail("no IPV4:PORT", text);
}

static SSL_CTX *make_tls(const char *ca)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());
    if (!tls || SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) != 1)
        fail("no TLS", "");
    if (ca && SSL_CTX_load_verify_locations(tls, ca, NULL) != 1)
        fail("cannot use", ca);
    SSL_CTX_set_verify(tls, ca ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, NULL);
    SSL_CTX_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE);
    return tls;
}

static void read_options(struct load *load, int argc, char **argv)
{
    enum { CONNECT = 1, SECONDS, REQUESTS, WARMUP, HANDSHAKES, RECONNECT, RETRY_AFTER, SLEEP, CA, HOST, PID, HELP };
    static const struct option options[] = {
        { "connect", 1, NULL, CONNECT },       { "seconds", 1, NULL, SECONDS }, { "requests", 1, NULL, REQUESTS },
        { "warmup", 1, NULL, WARMUP },         { "handshakes", 0, NULL, HANDSHAKES }, { "reconnect", 0, NULL, RECONNECT },
        { "retry-after", 0, NULL, RETRY_AFTER }, { "sleep", 0, NULL, SLEEP }, { "ca", 1, NULL, CA }, { "host", 1, NULL, HOST },
        { "pid", 1, NULL, PID },               { "help", 0, NULL, HELP }, { NULL, 0, NULL, 0 },
    };
    const char *ca = NULL;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case CONNECT:     set_address(&load->target, optarg); break;
        case SECONDS:     load->seconds = atof(optarg); break;
        case REQUESTS:    load->max_answers = strtoull(optarg, NULL, 10); break;
        case WARMUP:      load->warmup = atof(optarg); break;
        case HANDSHAKES:  load->handshakes = true; break;
        case RECONNECT:   load->reconnect = true; break;
        case RETRY_AFTER: load->retry_after = true; break;
        case SLEEP:       load->sleeps = true; break;
        case CA:          ca = optarg; break;
        case HOST:        load->target.host = optarg; break;
        case PID:         load->pid = atoi(optarg); break;
        case HELP:        fputs(usage, stdout); exit(0);
        default:          fputs(usage, stderr); exit(2);
        }
    }
    load->target.tls = make_tls(ca);
    while (optind < argc)
        add_class(load, argv[optind++]);
    if (!load->target.address.sin_port || !load->class_count)
        fail("--connect and a class are needed; see --help", "");
}

/* ---- the loop ---- */

static void reopen(struct client *client)
{
    struct class *class = client->owner;
    if (client->state != CLIENT_CLOSED)
        client_close(client);
    class->refused += !client_open(client);
}

static void next_request(struct client *client)
{
    struct class *class = client->owner;
    client_send(client, &class->bodies[class->next++ % class->body_count]);
}

static void take_answer(struct load *load, struct client *client)
{
    struct class *class = client->owner;
    uint64_t now = client_now();
    load->answers++;
    class->answers++;
    class->statuses[client->status < STATUSES ? client->status : 0]++;
    histogram_add(&class->latencies, now - client->started);
    if (load->retry_after && client->retry_after) {
        client->resume = now + client->retry_after * UINT64_C(1000000000);
        client->state = CLIENT_WAITING;
        load->waiting++;
    } else if (client->closes || load->reconnect) {
        reopen(client);
    } else {
        next_request(client);
    }
}

static void take_loss(struct load *load, struct client *client)
{
    struct class *class = client->owner;
    class->lost += client->state == CLIENT_WRITING || client->state == CLIENT_READING;
    class->refused += client->state == CLIENT_CONNECTING || client->state == CLIENT_SHAKING;
    load->waiting -= client->state == CLIENT_WAITING;
    reopen(client);
}

static void take_handshake(struct load *load, struct client *client)
{
    struct class *class = client->owner;
    class->handshakes++;
    if (load->handshakes) {
        load->answers++;
        reopen(client);
    } else {
        next_request(client);
    }
}

/* Lets one client go on until it must wait for its socket. */
static void serve(struct load *load, struct client *client)
{
    for (;;) {
        enum client_event event = client_step(client);
        switch (event) {
        case CLIENT_SHAKEN:   take_handshake(load, client); break;
        case CLIENT_ANSWERED: take_answer(load, client); break;
        case CLIENT_LOST:     take_loss(load, client); return;
        case CLIENT_NOTHING:  return;
        }
        if (client->state != CLIENT_WRITING)
            return; /* epoll says when */
    }
}

/* Those that waited long enough; those that found no socket. */
static void wake(struct load *load)
{
    uint64_t now = client_now();
    for (size_t i = 0; i < load->client_count; i++) {
        struct client *client = &load->clients[i];
        if (client->state == CLIENT_CLOSED) {
            reopen(client);
        } else if (client->state == CLIENT_WAITING && client->resume <= now) {
            load->waiting--;
            if (client->closes || load->reconnect)
                reopen(client);
            else
                next_request(client), serve(load, client);
        }
    }
}

static void run(struct load *load, double seconds, uint64_t max_answers)
{
    struct epoll_event events[EVENTS];
    uint64_t now = client_now(), end = now + (uint64_t)(seconds * 1e9), woken = now;
    while (now < end && load->answers < max_answers) {
        int count = epoll_wait(load->target.epoll, events, EVENTS, load->sleeps ? PAUSE_MS : 0);
        for (int i = 0; i < count; i++)
            serve(load, events[i].data.ptr);
        now = client_now();
        if (now - woken >= PAUSE_MS * UINT64_C(1000000)) {
            wake(load);
            woken = now;
        }
    }
}

static void start(struct load *load)
{
    load->target.epoll = epoll_create1(EPOLL_CLOEXEC);
    for (unsigned i = 0; i < load->class_count; i++)
        load->client_count += load->classes[i].connections;
    load->clients = calloc(load->client_count, sizeof *load->clients);
    if (load->target.epoll < 0 || !load->clients)
        fail("out of memory", "");
    struct client *client = load->clients;
    for (unsigned i = 0; i < load->class_count; i++)
        for (unsigned c = 0; c < load->classes[i].connections; c++, client++) {
            *client = (struct client){ .target = &load->target, .socket = -1, .owner = &load->classes[i] };
            reopen(client);
        }
}

/* Forgets what the warm-up counted. */
static void reset(struct load *load)
{
    load->answers = 0;
    for (unsigned i = 0; i < load->class_count; i++) {
        struct class *class = &load->classes[i];
        memset(&class->latencies, 0, sizeof class->latencies);
        memset(class->statuses, 0, sizeof class->statuses);
        class->answers = class->handshakes = class->lost = class->refused = 0;
    }
}

/* ---- the server's process ---- */

static bool read_process(int pid, const char *file, char text[PROCESS_TEXT_BYTES])
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/%s", pid, file);
    FILE *stream = pid ? fopen(name, "re") : NULL;
    size_t size = stream ? fread(text, 1, PROCESS_TEXT_BYTES - 1, stream) : 0;
    text[size] = '\0';
    if (stream)
        fclose(stream);
    return size > 0;
}

/* Seconds of all its threads. */
static double cpu_seconds(int pid)
{
    char text[PROCESS_TEXT_BYTES];
    unsigned long user = 0, system = 0;
    const char *behind_name = read_process(pid, "stat", text) ? strrchr(text, ')') : NULL;
    if (!behind_name || sscanf(behind_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        return 0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* Bytes of memory that is its own, and of files that it has mapped. */
static double resident_bytes(int pid)
{
    static const char *const names[] = { "RssAnon:", "RssFile:" };
    char text[PROCESS_TEXT_BYTES];
    double bytes = 0;
    if (!read_process(pid, "status", text))
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *line = strstr(text, names[i]);
        bytes += line ? strtod(line + strlen(names[i]), NULL) * 1024 : 0;
    }
    return bytes;
}

/* ---- the report ---- */

static cJSON *report_statuses(const struct class *class)
{
    cJSON *object = cJSON_CreateObject();
    for (unsigned i = 0; i < STATUSES; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", i);
        if (class->statuses[i])
            cJSON_AddNumberToObject(object, name, (double)class->statuses[i]);
    }
    return object;
}

static cJSON *report_class(const struct class *class, double seconds)
{
    static const struct { const char *name; double share; } quantiles[] = { { "p50", 0.5 }, { "p99", 0.99 }, { "p999", 0.999 } };
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "connections", class->connections);
    cJSON_AddNumberToObject(object, "answers", (double)class->answers);
    cJSON_AddNumberToObject(object, "perSecond", (double)class->answers / seconds);
    cJSON_AddItemToObject(object, "statuses", report_statuses(class));
    cJSON_AddNumberToObject(object, "handshakes", (double)class->handshakes);
    cJSON_AddNumberToObject(object, "lost", (double)class->lost);
    cJSON_AddNumberToObject(object, "refused", (double)class->refused);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        cJSON_AddNumberToObject(object, quantiles[i].name, (double)histogram_quantile(&class->latencies, quantiles[i].share) / 1e3);
    cJSON_AddNumberToObject(object, "max", (double)class->latencies.max / 1e3);
    return object;
}

static bool report(const struct load *load, double seconds, double server_cpu, double own_cpu)
{
    cJSON *object = cJSON_CreateObject(), *classes = cJSON_AddObjectToObject(object, "classes");
    for (unsigned i = 0; i < load->class_count; i++)
        cJSON_AddItemToObject(classes, load->classes[i].name, report_class(&load->classes[i], seconds));
    cJSON_AddNumberToObject(object, "seconds", seconds);
    cJSON_AddNumberToObject(object, "answers", (double)load->answers);
    cJSON_AddNumberToObject(object, "perSecond", (double)load->answers / seconds);
    cJSON_AddNumberToObject(object, "loadCpu", own_cpu / seconds);
    if (load->pid) {
        cJSON_AddNumberToObject(object, "serverCpu", server_cpu / seconds);
        cJSON_AddNumberToObject(object, "cpuPerAnswer", load->answers ? server_cpu / (double)load->answers * 1e6 : 0);
        cJSON_AddNumberToObject(object, "residentBytes", resident_bytes(load->pid));
    }
    char *text = cJSON_Print(object);
    bool printed = text && puts(text) >= 0 && fflush(stdout) == 0;
    cJSON_free(text);
    cJSON_Delete(object);
    return printed;
}

int main(int argc, char **argv)
{
    static struct load load = { .target.host = "localhost", .seconds = 3, .warmup = 0.5, .max_answers = UINT64_MAX };
    signal(SIGPIPE, SIG_IGN);
    read_options(&load, argc, argv);
    start(&load);
    run(&load, load.warmup, UINT64_MAX);
    reset(&load);
    double cpu = cpu_seconds(load.pid), own = cpu_seconds(getpid());
    uint64_t begun = client_now();
    run(&load, load.seconds, load.max_answers);
    double seconds = (double)(client_now() - begun) / 1e9;
    return report(&load, seconds, cpu_seconds(load.pid) - cpu, cpu_seconds(getpid()) - own) ? 0 : 1;
}
