#include "serve/clients.h"

#include <stdio.h>
#include <string.h>

#include <openssl/x509.h>

#include "base/clock.h"
#include "serve/state.h"
#include "serve/validity.h"

/* ---- the CAs ---- */

int clients_init(struct clients *clients)
{
    return pthread_mutex_init(&clients->lock, NULL);
}

void clients_done(struct clients *clients)
{
    X509_STORE_free(clients->store);
    pthread_mutex_destroy(&clients->lock);
}

/* A verification that is under way keeps the old store. */
static void replace(struct clients *clients, X509_STORE *store)
{
    pthread_mutex_lock(&clients->lock);
    X509_STORE *old = clients->store;
    clients->store = store;
    atomic_fetch_add(&clients->generation, 1);
    pthread_mutex_unlock(&clients->lock);
    X509_STORE_free(old);
}

/* Of the CA that ends first. */
static void read_validity(struct clients *clients)
{
    struct error error;
    int64_t begins, ends;
    char *text;
    if (!pki_read(clients->file, &text, &error))
        return;
    if (validity_read(text, &begins, &ends))
        expiry_set(&clients->expiry, begins, ends);
    pki_text_free(text);
}

static bool load(void *closure, char text[LIMIT_WATCH_TEXT_BYTES])
{
    struct clients *clients = closure;
    struct error error;
    X509_STORE *store;
    if (!pki_client_store(clients->file, &store, &error)) {
        snprintf(text, LIMIT_WATCH_TEXT_BYTES, "%s", error.text);
        return false;
    }
    replace(clients, store);
    read_validity(clients);
    snprintf(text, LIMIT_WATCH_TEXT_BYTES, "%s is in use", escape_text(clients->file).text);
    return true;
}

static bool due(void *closure, char text[LIMIT_WATCH_TEXT_BYTES])
{
    struct clients *clients = closure;
    if (!expiry_warn(&clients->expiry, "a CA of clients", clock_wall_seconds(), text, LIMIT_WATCH_TEXT_BYTES))
        text[0] = '\0';
    return false;
}

struct watch_source clients_source(struct clients *clients)
{
    return (struct watch_source){ .what = CLIENTS_WHAT, .files = { clients->file }, .closure = clients, .load = load, .due = due };
}

/* ---- handshakes ---- */

int clients_bear(gnutls_session_t session)
{
    unsigned count = 0;
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(session, &count);
    if (!chain || count == 0)
        return 0;
    return pki_client_bearable((struct bytes){ (const char *)chain->data, chain->size }) ? 0 : GNUTLS_E_CERTIFICATE_ERROR;
}

void clients_ask(gnutls_session_t session)
{
    gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST);
    gnutls_handshake_set_max_packet_length(session, LIMIT_CLIENT_CHAIN_BYTES);
}

/* ---- requests ---- */

static unsigned index_of(const struct clients *clients, const char *name)
{
    for (unsigned i = 0; i < clients->name_count; i++)
        if (strcmp(clients->names[i], name) == 0)
            return i;
    return NAME_OTHER;
}

static enum pki_client verify(struct clients *clients, const struct bytes *chain, size_t count, char name[PKI_CLIENT_NAME],
                              unsigned *generation)
{
    pthread_mutex_lock(&clients->lock);
    X509_STORE *store = clients->store;
    bool kept = X509_STORE_up_ref(store) == 1;
    *generation = atomic_load(&clients->generation);
    pthread_mutex_unlock(&clients->lock);
    if (!kept)
        return PKI_CLIENT_FAILED;
    enum pki_client result = pki_client_verify(store, chain, count, name);
    X509_STORE_free(store);
    return result;
}

static enum metrics_client result_of(const struct clients *clients, enum pki_client verdict, unsigned name)
{
    switch (verdict) {
    case PKI_CLIENT_GOOD:        return clients->name_count == 0 || name != NAME_OTHER ? CLIENT_ALLOWED : CLIENT_OTHER_NAME;
    case PKI_CLIENT_WRONG_USAGE: return CLIENT_WRONG_USAGE;
    case PKI_CLIENT_UNTRUSTED:
    case PKI_CLIENT_FAILED:      break;
    }
    return CLIENT_UNTRUSTED;
}

/* False: memory ran out. */
static bool validate(struct clients *clients, struct MHD_Connection *connection, struct client *client)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    struct bytes chain[LIMIT_CLIENT_CHAIN];
    char name[PKI_CLIENT_NAME];
    unsigned count = 0;
    const gnutls_datum_t *shown = info ? gnutls_certificate_get_peers(info->tls_session, &count) : NULL;
    *client = (struct client){
        .result = CLIENT_NONE, .name = NAME_NONE, .generation = atomic_load(&clients->generation), .until = INT64_MAX };
    if (!shown || count == 0)
        return true;
    for (unsigned i = 0; i < count && i < LIMIT_CLIENT_CHAIN; i++)
        chain[i] = (struct bytes){ (const char *)shown[i].data, shown[i].size };
    enum pki_client verdict = count > LIMIT_CLIENT_CHAIN ? PKI_CLIENT_UNTRUSTED : verify(clients, chain, count, name, &client->generation);
    client->name = verdict == PKI_CLIENT_GOOD ? (unsigned char)index_of(clients, name) : NAME_OTHER;
    client->result = (unsigned char)result_of(clients, verdict, client->name);
    client->until = clock_milliseconds() + LIMIT_CLIENT_KNOWN_MS;
    return verdict != PKI_CLIENT_FAILED;
}

const char *clients_check(struct server *server, struct MHD_Connection *connection, struct client *client, const struct answer **answer)
{
    static const struct answer forbidden = { .status = MHD_HTTP_FORBIDDEN, .close = true },
                               failed = { .status = MHD_HTTP_INTERNAL_SERVER_ERROR, .close = true };
    static const char *const texts[METRICS_CLIENTS] = {
        [CLIENT_NONE] = "a client certificate is needed\n", [CLIENT_UNTRUSTED] = "the client certificate is not trusted\n",
        [CLIENT_WRONG_USAGE] = "the certificate is not for clients\n", [CLIENT_OTHER_NAME] = "the client's name is not allowed\n",
    };
    struct clients *clients = server->config.clients;
    if (!clients)
        return NULL;
    if ((client->generation != atomic_load(&clients->generation) || clock_milliseconds() >= client->until) &&
        !validate(clients, connection, client)) {
        client->generation = 0;
        *answer = &failed;
        return "out of memory\n";
    }
    metrics_count_client(&server->observer.metrics, (enum metrics_client)client->result, client->name);
    if (client->result == CLIENT_ALLOWED || clients->observe)
        return NULL;
    metrics_count_rejection(&server->observer.metrics, REJECTION_CLIENT_CERTIFICATE);
    *answer = &forbidden;
    return texts[client->result];
}
