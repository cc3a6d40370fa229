/* assert.c: what happens when a caller breaks a contract.
 *
 * Room base. The default handler is the one place where the library writes to stderr and aborts: a
 * broken contract is a bug in the program, and it is only noticed in builds with assertions.
 */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

static void print_and_abort(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: tenon assertion failed: %s\n", file, line, condition);
    abort();
}

static tn_assert_handler current_handler = print_and_abort;

tn_assert_handler tn_set_assert_handler(tn_assert_handler handler)
{
    tn_assert_handler previous = current_handler;
    current_handler = handler != NULL ? handler : print_and_abort;
    return previous;
}

void tn_assert_failed(const char *condition, const char *file, int line)
{
    current_handler(condition, file, line);
}
