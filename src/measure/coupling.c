/* coupling.c: room measure: what a coupling is and does.
 *
 * Force lambda on the value c = sum f_k(q_k) is lambda f_k' on coordinate q_k: a wrench on body A
 * of its joint along the coordinate's motion row, and the opposite on B.
 */
#include <math.h>
#include "math/none.h"
#include "base/base.h"
#include "assemble/elements.h"
#include "motion/simulation.h"
#include "measure/measure.h"

static int32_t element_of(const tn_sim *sim, tn_coupling coupling)
{
    return sim->model->joint_count + coupling.i;
}

double tn_sim_coupling_value(const tn_sim *sim, tn_coupling coupling)
{
    TN_DEMAND(sim && tn_has_coupling(sim->model, coupling), NAN);
    return tn_state_coordinate(&sim->state, element_of(sim, coupling), 0);
}

double tn_sim_coupling_speed(const tn_sim *sim, tn_coupling coupling)
{
    TN_DEMAND(sim && tn_has_coupling(sim->model, coupling), NAN);
    return tn_coupling_speed(&sim->sys, element_of(sim, coupling), sim->state.u);
}

double tn_sim_coupling_force(const tn_sim *sim, tn_coupling coupling)
{
    TN_DEMAND(sim && tn_has_coupling(sim->model, coupling), NAN);
    return tn_coupling_force(&sim->state, element_of(sim, coupling));
}

double tn_sim_coupling_term_force(const tn_sim *sim, tn_coupling coupling, int32_t term)
{
    TN_DEMAND(sim && tn_has_coupling(sim->model, coupling), NAN);
    const int32_t *start = sim->model->term_start + coupling.i;
    TN_DEMAND(TN_IN(term, start[1] - start[0]), NAN);
    const int32_t t = start[0] + term;
    const tn_system sys = tn_measure_reactions(sim);
    return tn_sim_coupling_force(sim, coupling) * sys.terms[t].slope;
}

tn_wrench tn_sim_coupling_wrench(const tn_sim *sim, tn_coupling coupling, tn_body body)
{
    TN_DEMAND(sim && tn_has_coupling(sim->model, coupling) &&
                  (body.i == TN_GROUND_INDEX || tn_has_body(sim->model, body)),
              tn_no_wrench());
    const tn_model *model = sim->model;
    const tn_system sys = tn_measure_reactions(sim);
    const tn_vec3 origin = tn_measure_origin(sim, &sys, body.i);
    tn_wrench sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int32_t t = model->term_start[coupling.i]; t < model->term_start[coupling.i + 1]; t++) {
        const int32_t j = model->terms[t].joint;
        const tn_model_joint *joint = &model->joints[j];
        if (joint->a != body.i && joint->b != body.i)
            continue;
        const tn_vec3 at = v3_add(tn_system_xform(&sys, joint->a)->p, sys.kin[j].r_A);
        const tn_wrench w = tn_wrench_at(
            tn_coupling_wrench(&sys, t, tn_sim_coupling_force(sim, coupling)), at, origin);
        const double sign = joint->a == body.i ? 1.0 : -1.0;
        sum.f = v3_axpy(sum.f, sign, w.f);
        sum.m = v3_axpy(sum.m, sign, w.m);
    }
    return sum;
}
