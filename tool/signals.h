/* signals.h: signals that ask a command to end: a user's, a scheduler's, that of a terminal that is closed.
 *
 * Every command ends by them, with exit code 128 + signal and a message. Most have nothing to keep and end at once,
 * wherever they are: files that are being written go, and what was at their places stays. Those that have, runs and
 * studies, end in order. A signal that is ignored at the start stays so (nohup).
 */
#ifndef TN_TOOL_SIGNALS_H
#define TN_TOOL_SIGNALS_H

#include <stdbool.h>

/* From now on a signal ends the program at once. */
void tool_listen(void);
/* From now on it is only noted. If `stops`, calls of the library stop by it (tn_set_stop), and a second one ends the
 * program as if none were heard. */
void tool_listen_in_order(bool stops);
/* The one that came, or 0. */
int tool_signal(void);
/* Signals do what they did before. */
void tool_listen_no_longer(void);

#endif
