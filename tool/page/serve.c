/* serve.c: see serve.h. */
#include "page/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tool.h"

/* Connections at a time: a browser opens up to six, and some before it has a request. The oldest goes when one more comes. */
#define CONNECTIONS 16
/* Bytes of the head of a request: those of browsers have less than 2000. */
#define HEAD_SIZE 8192
/* s: for a request to be sent, and for an answer to be taken. */
#define PATIENCE 10

typedef struct connection {
    int socket; /* -1: none */
    time_t begun;
    size_t used;
    char head[HEAD_SIZE + 1];
} connection;

/* ---- opening ---- */

static bool make_key(char *key)
{
    unsigned char bytes[VIEW_KEY / 2];
    FILE *random = fopen("/dev/urandom", "rb");
    const bool good = random != NULL && fread(bytes, 1, sizeof bytes, random) == sizeof bytes;
    if (random != NULL)
        fclose(random);
    for (size_t i = 0; good && i < sizeof bytes; i++) {
        sprintf(key + 2 * i, "%02x", bytes[i]);
    }
    return good;
}

int view_site_open(view_site *site)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    site->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (site->socket < 0 || !make_key(site->key) ||
        bind(site->socket, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(site->socket, CONNECTIONS) != 0 ||
        getsockname(site->socket, (struct sockaddr *)&at, &size) != 0) {
        tool_error("no page can be served at 127.0.0.1: %s", strerror(errno));
        if (site->socket >= 0)
            close(site->socket);
        return TOOL_BAD_INPUT;
    }
    site->port = ntohs(at.sin_port);
    snprintf(site->url, sizeof site->url, "http://127.0.0.1:%d/%s/", site->port, site->key);
    return TOOL_OK;
}

/* ---- one request ---- */

static const char *words_of(int code)
{
    return code == 200   ? "OK"
           : code == 204 ? "No Content"
           : code == 403 ? "Forbidden"
           : code == 404 ? "Not Found"
           : code == 405 ? "Method Not Allowed"
                         : "Internal Server Error";
}

/* All of it, or not: a browser that has gone needs none. */
static bool send_all(int socket, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t sent = send(socket, bytes, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

static void send_answer(int socket, const view_answer *answer)
{
    char head[512];
    const int size = snprintf(
        head, sizeof head,
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\nX-Frame-Options: DENY\r\nConnection: "
        "close\r\n\r\n",
        answer->code, words_of(answer->code), answer->type, answer->length);
    if (send_all(socket, head, (size_t)size) && answer->body != NULL)
        send_all(socket, answer->body, answer->length);
}

/* The line of the head that names the host, which another name for this address does not have (DNS rebinding). */
static bool is_for_us(const view_site *site, const char *head)
{
    char host[64];
    const int size = snprintf(host, sizeof host, "\r\nHost: 127.0.0.1:%d\r\n", site->port);
    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
        bool same = true;
        for (int i = 0; same && i < size; i++) { /* names of fields have no case */
            const char a = line[i], b = host[i];
            same = a == b || (b >= 'A' && b <= 'Z' && a == b + ('a' - 'A'));
        }
        if (same)
            return true;
    }
    return false;
}

static view_answer refuse(int code)
{
    return (view_answer){code, "text/plain", NULL, 0};
}

/* head: all lines of a request, ending in a zero. */
static view_answer respond(const view_site *site, char *head)
{
    char prefix[VIEW_KEY + 3];
    if (strncmp(head, "GET ", 4) != 0)
        return refuse(405);
    if (!is_for_us(site, head))
        return refuse(403);
    snprintf(prefix, sizeof prefix, "/%s/", site->key);
    if (strncmp(head + 4, prefix, strlen(prefix)) != 0)
        return refuse(404);
    char *path = head + 4 + strlen(prefix);
    path[strcspn(path, " \r\n")] = '\0';
    return site->respond(site->context, path);
}

/* ---- connections ---- */

static void drop(connection *c)
{
    close(c->socket);
    c->socket = -1;
}

static void take_in(const view_site *site, connection *all)
{
    const struct timeval patience = {.tv_sec = PATIENCE};
    const int socket = accept(site->socket, NULL, NULL);
    if (socket < 0)
        return;
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    connection *place = &all[0];
    for (int i = 0; i < CONNECTIONS && place->socket >= 0; i++) {
        if (all[i].socket < 0 || all[i].begun < place->begun)
            place = &all[i];
    }
    if (place->socket >= 0)
        drop(place);
    place->socket = socket;
    place->begun = time(NULL);
    place->used = 0;
}

/* Takes what has come; with the last line of the head it is answered. */
static void go_on(const view_site *site, connection *c)
{
    const ssize_t got = recv(c->socket, c->head + c->used, HEAD_SIZE - c->used, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return;
    c->used += got > 0 ? (size_t)got : 0;
    c->head[c->used] = '\0';
    if (got > 0 && strstr(c->head, "\r\n\r\n") != NULL) {
        const view_answer answer = respond(site, c->head);
        send_answer(c->socket, &answer);
        free(answer.body);
        (void)shutdown(c->socket, SHUT_WR);
        drop(c);
    } else if (got <= 0 || c->used == HEAD_SIZE) {
        drop(c);
    }
}

int view_site_serve(view_site *site)
{
    static connection all[CONNECTIONS];
    struct pollfd waits[CONNECTIONS + 1];
    for (int i = 0; i < CONNECTIONS; i++) {
        all[i].socket = -1;
    }
    for (;;) {
        waits[CONNECTIONS] = (struct pollfd){.fd = site->socket, .events = POLLIN};
        for (int i = 0; i < CONNECTIONS; i++) {
            waits[i] = (struct pollfd){.fd = all[i].socket, .events = POLLIN};
        }
        if (poll(waits, CONNECTIONS + 1, PATIENCE * 1000) < 0 && errno != EINTR) {
            tool_error("the page is no longer served: %s", strerror(errno));
            return TOOL_BAD_INPUT;
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            if (all[i].socket >= 0 && waits[i].revents != 0)
                go_on(site, &all[i]);
            if (all[i].socket >= 0 && time(NULL) - all[i].begun > PATIENCE)
                drop(&all[i]);
        }
        if (waits[CONNECTIONS].revents != 0)
            take_in(site, all);
    }
}
