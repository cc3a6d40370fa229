/* run_signals.c: signals that ask a run to end: a user's, a scheduler's, that of a terminal that is closed.
 *
 * They are heard from before the model is read: calls of the library stop (tn_set_stop), a step is rolled
 * back, and what was recorded stays. A second one ends the program at once.
 */
#include <signal.h>
#include <string.h>

#include "runs/run.h"
#include "tenon/status.h"

enum { POLITE = 3 };
static const int polite[POLITE] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[POLITE];
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

static int is_caught(void *context)
{
    (void)context;
    return caught != 0;
}

int run_signal(void)
{
    return (int)caught;
}

/* One that is ignored stays so (nohup). */
void run_listen(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = (int)SA_RESETHAND;
    caught = 0;
    for (int i = 0; i < POLITE; i++) {
        sigaction(polite[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(polite[i], &action, NULL);
    }
    tn_set_stop(is_caught, NULL);
}

void run_listen_no_longer(void)
{
    tn_set_stop(NULL, NULL);
    for (int i = 0; i < POLITE; i++)
        sigaction(polite[i], &before[i], NULL);
}
