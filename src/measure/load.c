/* load.c: room measure: what the loads of the model do at the present state. */
#include <math.h>

#include "math/none.h"
#include "base/base.h"
#include "assemble/load/loads.h"
#include "measure/measure.h"
#include "motion/simulation.h"
#include "tenon/load.h"

tn_wrench tn_sim_load_wrench(const tn_sim *sim, tn_load load, tn_body body)
{
    TN_DEMAND(sim && tn_has_load(sim->model, load), tn_no_wrench());
    tn_wrench w = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (body.i == TN_GROUND_INDEX)
        return w;
    TN_DEMAND(tn_has_body(sim->model, body), tn_no_wrench());
    if (!tn_assemble_load_wrench(&sim->sys, &sim->state, sim->state.u, tn_sim_time(sim), load.i,
                                 body.i, &w))
        w.f.x = w.f.y = w.f.z = w.m.x = w.m.y = w.m.z = NAN;
    return tn_wrench_at(w, sim->sys.T[body.i].p, tn_measure_origin(sim, &sim->sys, body.i));
}

double tn_sim_load_power(const tn_sim *sim, tn_load load)
{
    TN_DEMAND(sim && tn_has_load(sim->model, load), NAN);
    return tn_assemble_load_power(&sim->sys, &sim->state, sim->state.u, tn_sim_time(sim), load.i,
                                  NULL);
}

double tn_sim_load_work(const tn_sim *sim, tn_load load)
{
    TN_DEMAND(sim && tn_has_load(sim->model, load), NAN);
    return sim->state.load_work[load.i];
}
