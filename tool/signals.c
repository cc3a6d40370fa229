/* signals.c: see signals.h. */
#include "signals.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "file/output.h"
#include "tenon/status.h"
#include "tool.h"

enum { POLITE = 3 };
static const int polite[POLITE] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[POLITE];
static bool listens;
static volatile sig_atomic_t caught;

static void note(int number)
{
    caught = number;
}

/* Calls only what handlers may call. */
static void end(int number)
{
    static const char message[] = "tenon: interrupted\n";
    tn_output_abandon();
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0) {
        /* no reader: there is no other place for it */
    }
    _exit(TOOL_SIGNALLED + number);
}

static int is_caught(void *context)
{
    (void)context;
    return caught != 0;
}

int tool_signal(void)
{
    return (int)caught;
}

static void handle(void (*handler)(int), int flags)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = flags;
    for (int i = 0; i < POLITE; i++) {
        if (!listens)
            sigaction(polite[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(polite[i], &action, NULL);
    }
    listens = true;
}

void tool_listen(void)
{
    caught = 0;
    handle(end, 0);
}

void tool_listen_in_order(bool stops)
{
    handle(note, stops ? (int)SA_RESETHAND : 0);
    if (stops)
        tn_set_stop(is_caught, NULL);
}

void tool_listen_no_longer(void)
{
    tn_set_stop(NULL, NULL);
    for (int i = 0; i < POLITE && listens; i++)
        sigaction(polite[i], &before[i], NULL);
    listens = false;
}
