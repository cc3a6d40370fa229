/* calls.c: what of the caller's own runs inside a call: callbacks, and the request to stop.
 *
 * Room base. Both belong to a thread: a thread inside a callback must not change the simulation that
 * called it (motion/simulation.h), and long calls of a thread end when its own function requires it.
 * A thread pool hands the request on to its workers (crew/crew.c).
 */
#include "base/base.h"

static _Thread_local int32_t depth;
static _Thread_local tn_stop stop;

int32_t tn_callbacks(void)
{
    return depth;
}

void tn_callback_begin(void)
{
    depth++;
}

void tn_callback_end(void)
{
    depth--;
}

void tn_set_stop(tn_stop_function function, void *context)
{
    stop = (tn_stop){function, context};
}

tn_stop tn_get_stop(void)
{
    return stop;
}

bool tn_is_stopped(void)
{
    return stop.function != NULL && stop.function(stop.context) != 0;
}

tn_status tn_spend(int32_t *work, int32_t most)
{
    if ((*work)++ >= most)
        return TN_ERROR_WORK;
    return tn_is_stopped() ? TN_ERROR_STOPPED : TN_OK;
}
