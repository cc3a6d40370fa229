/* serve.h: answers to browsers of this machine, by HTTP/1.1 (RFC 9112) at 127.0.0.1.
 *
 * In: a function from paths to answers. Out: a site at http://127.0.0.1:PORT/KEY/, where KEY is random: no other page that
 * a browser shows knows it, and requests with another Host, method or path are refused. Nothing is read but the request's
 * head, nothing is kept, a connection has one request.
 */
#ifndef TN_TOOL_SERVE_H
#define TN_TOOL_SERVE_H

#include <stddef.h>

/* body: freed with free; NULL: none. code: of HTTP. */
typedef struct view_answer {
    int code;
    const char *type;
    char *body;
    size_t length;
} view_answer;

/* What is behind the key: "" for the site itself, "model?3". */
typedef view_answer (*view_respond)(void *context, const char *path);

enum { VIEW_KEY = 32 }; /* hexadecimal digits: 128 bits */

typedef struct view_site {
    view_respond respond;
    void *context;
    int socket, port;
    char key[VIEW_KEY + 1];
    char url[96];
} view_site;

/* Opens the site, at a port that the system chooses. TOOL_OK, or TOOL_BAD_INPUT with a message. */
int view_site_open(view_site *site);
/* Answers requests for as long as the program runs. Returns only on failure: TOOL_BAD_INPUT with a message. */
int view_site_serve(view_site *site);

#endif
