/* wrench.c: room measure: the constraint wrench of a joint, seen from where it is asked for.
 *
 * The multipliers give one wrench at G's origin in world axes, on A; B feels the opposite at the
 * same place. Moving a wrench (f, m) from point P to Q: m_Q = m_P + (P - Q) x f.
 */
#include "integrate/sim_internal.h"
#include "measure/measure.h"

static tn_wrench in_frame(tn_wrench w, tn_vec3 from, const tn_xform *T)
{
    w = tn_wrench_at(w, from, T->p);
    return (tn_wrench){m3_tmulv(&T->R, w.f), m3_tmulv(&T->R, w.m)};
}

tn_system tn_measure_reactions(const tn_sim *sim)
{
    tn_system sys = sim->sys;
    if (sim->options.integrator != TN_GENERALIZED_ALPHA) {
        sys.T = sim->reactions.T;
        sys.kin = sim->reactions.kin;
        sys.terms = sim->reactions.terms;
    }
    return sys;
}

tn_vec3 tn_measure_origin(const tn_sim *sim, const tn_system *sys, int32_t body)
{
    if (body < 0)
        return v3(0.0, 0.0, 0.0);
    const tn_xform *T = &sys->T[body];
    return v3_sub(T->p, m3_mulv(&T->R, sim->model->bodies[body].com));
}

tn_wrench tn_measure_wrench(const tn_sim *sim, int32_t joint, const double *lambda,
                            tn_wrench_frame frame)
{
    const tn_model_joint *j = &sim->model->joints[joint];
    const tn_system sys = tn_measure_reactions(sim);
    const tn_xform *T_A = tn_system_xform(&sys, j->a);
    const tn_xform *T_B = tn_system_xform(&sys, j->b);
    const tn_vec3 at = v3_add(T_A->p, sys.kin[joint].r_A);
    tn_wrench w = tn_assemble_joint_wrench(&sys, &sim->state, joint, lambda);
    switch (frame) {
    case TN_WRENCH_IN_C: {
        const tn_xform T_CW = xf_mul(T_A, &j->geometry.T_CA);
        return in_frame(w, at, &T_CW);
    }
    case TN_WRENCH_IN_D: {
        const tn_xform T_DW = xf_mul(T_B, &j->geometry.T_DB);
        return in_frame(w, at, &T_DW);
    }
    case TN_WRENCH_ON_A:
        return tn_wrench_at(w, at, tn_measure_origin(sim, &sys, j->a));
    case TN_WRENCH_ON_B:
        w = (tn_wrench){v3_scale(-1.0, w.f), v3_scale(-1.0, w.m)};
        return tn_wrench_at(w, at, tn_measure_origin(sim, &sys, j->b));
    }
    return w;
}

tn_wrench tn_sim_joint_wrench(const tn_sim *sim, tn_joint joint, tn_wrench_frame frame)
{
    TN_ASSERT(joint.i >= 0 && joint.i < sim->model->joint_count);
    return tn_measure_wrench(sim, joint.i, sim->state.lambda + (size_t)joint.i * TN_MAX_ROWS,
                             frame);
}

/* Which part a row of a joint belongs to. */
static tn_wrench_part part_of(const tn_sim *sim, int32_t j, int32_t row)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_row_info *info = &joint->geometry.cls->info.rows[row];
    if (info->flags & TN_ROW_BILATERAL)
        return sim->state.switches[j].compliance[row] > 0.0 ? TN_WRENCH_COMPLIANCE
                                                            : TN_WRENCH_CONSTRAINT;
    const int8_t hold = sim->state.switches[j].hold[info->coordinate];
    return hold == TN_HOLD_LOCK || hold == TN_HOLD_PINNED ? TN_WRENCH_LOCK : TN_WRENCH_LIMIT;
}

tn_wrench tn_sim_joint_wrench_part(const tn_sim *sim, tn_joint joint, tn_wrench_part part,
                                   tn_wrench_frame frame)
{
    TN_ASSERT(joint.i >= 0 && joint.i < sim->model->joint_count);
    const tn_switches *s = &sim->state.switches[joint.i];
    double lambda[TN_MAX_ROWS] = {0};
    for (int32_t n = 0; n < s->active_count; n++) {
        const int32_t row = s->active[n];
        if (part_of(sim, joint.i, row) == part)
            lambda[row] = sim->state.lambda[joint.i * TN_MAX_ROWS + row];
    }
    return tn_measure_wrench(sim, joint.i, lambda, frame);
}
