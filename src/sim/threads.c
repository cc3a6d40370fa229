/* threads.c: room sim: threads that work on the steps of one simulation (crew/crew.h). */
#include "base/base.h"
#include "crew/crew.h"
#include "motion/simulation.h"

enum { MOST_THREADS = 1024 };

tn_status tn_sim_set_threads(tn_sim *sim, int32_t threads)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    if (!sim || threads < 1 || threads > MOST_THREADS)
        return TN_ERROR_ARGUMENT;
    tn_crew_destroy(sim->crew);
    sim->crew = tn_crew_create(threads);
    return TN_OK;
}

int32_t tn_sim_threads(const tn_sim *sim)
{
    TN_DEMAND(sim, 0);
    return tn_crew_size(sim->crew);
}
