/* hinge_terms.h: room method/alpha: a hinge in space between rigid bodies without a drive, in an evaluation of the
 * generalized-alpha equations. Most joints of mechanisms with loops are such.
 *
 * The same as alpha_residual.c computes for any element, without branches: five rows, the forces along the axes of G
 * and the moments about its x and y. The wrench is kept in the world and not computed from multipliers again.
 *
 * The prediction violates the joints and is always corrected. There the axes of C are used for those of G, which
 * differ by the errors of the joint, and data that is needed at the end of a step only is not computed
 * (tn_joint_kinematics: T_GD and whether it is unique).
 */
#ifndef TN_METHOD_ALPHA_HINGE_TERMS_H
#define TN_METHOD_ALPHA_HINGE_TERMS_H

#include "assemble/joint_terms.h"
#include "joint/rotation_about_z.h"
#include "method/alpha/alpha.h"

/* Rows of a hinge. */
enum { TN_STRAIGHT_ROWS = 5 };

static inline bool hinge_is_held_by(const tn_model *model, int32_t body)
{
    return body < 0 || model->bodies[body].dim == 0 || model->bodies[body].dim == 6;
}

/* Can joint j be evaluated here while it is plain (state.h)? */
static inline bool tn_is_straight(const tn_model *model, int32_t j)
{
    const tn_model_joint *joint = &model->joints[j];
    return joint->geometry.hinge && joint->kept_bilateral == TN_STRAIGHT_ROWS &&
           hinge_is_held_by(model, joint->a) && hinge_is_held_by(model, joint->b);
}

/* Is it evaluated here in this step? */
static inline bool tn_alpha_straightens(const tn_sim *sim, const tn_alpha *c, int32_t j)
{
    return tn_alpha_of(sim)->straight[j] && sim->state.plain[j] && !c->some_rest &&
           !tn_gap_is_on(&sim->state);
}

/* Axes, arms and errors of the prediction. */
TN_INLINE void straight_predict(const tn_joint_geometry *geometry, const tn_xform *T_A,
                                const tn_xform *T_B, tn_joint_kinematics *kin)
{
    const tn_mat3 *R_CA = &geometry->T_CA.R, *R_DB = &geometry->T_DB.R;
    const tn_vec3 x = m3_mulv(&T_A->R, m3_column(R_CA, 0));
    const tn_vec3 z = m3_mulv(&T_A->R, m3_column(R_CA, 2)), y = v3_cross(z, x);
    const tn_vec3 at_C = m3_mulv(&T_A->R, geometry->T_CA.p);
    const tn_vec3 tilt = tn_tilt(m3_mulv(&T_B->R, m3_column(R_DB, 2)), z);
    kin->r_B = m3_mulv(&T_B->R, geometry->T_DB.p);
    kin->r_A = v3_add(v3_sub(T_B->p, T_A->p), kin->r_B);
    kin->R_GW = (tn_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    v3_store(kin->error, m3_tmulv(&kin->R_GW, v3_sub(at_C, kin->r_A)));
    v3_store(kin->error + 3, v3(v3_dot(x, tilt), v3_dot(y, tilt), 0.0));
}

/* The wrench of the multipliers on A, at G's origin. */
TN_INLINE tn_wrench straight_wrench(const tn_mat3 *R, const double *lambda)
{
    const tn_vec3 x = m3_column(R, 0), y = m3_column(R, 1);
    return (tn_wrench){m3_mulv(R, v3_load(lambda)), v3_axpy(v3_scale(lambda[3], x), lambda[4], y)};
}

/* The multipliers of a wrench in the world; the components that no row carries are removed from it. */
TN_INLINE void straight_take(const tn_mat3 *R, tn_wrench *w, double *lambda)
{
    const tn_vec3 z = m3_column(R, 2);
    w->m = v3_axpy(w->m, -v3_dot(z, w->m), z);
    v3_store(lambda, m3_tmulv(R, w->f));
    lambda[3] = v3_dot(m3_column(R, 0), w->m);
    lambda[4] = v3_dot(m3_column(R, 1), w->m);
}

/* Rows of G for one body with orientation R: axes in the world, then moments in the body's axes by the arm. */
TN_INLINE void straight_block(const tn_mat3 *R_GW, const tn_mat3 *R, tn_vec3 r, double sign,
                              double *block)
{
    const tn_mat3 M = m3_tmul(R, R_GW);
    const tn_vec3 arm = m3_tmulv(R, r);
    for (int a = 0; a < 3; a++, block += 6) {
        v3_store(block, v3_scale(sign, m3_column(R_GW, a)));
        v3_store(block + 3, v3_scale(sign, v3_cross(arm, m3_column(&M, a))));
    }
    for (int a = 0; a < 2; a++, block += 6) {
        v3_store(block, v3(0.0, 0.0, 0.0));
        v3_store(block + 3, v3_scale(sign, m3_column(&M, a)));
    }
}

/* G, R, E and scale of the rows, all hard. */
TN_INLINE void straight_fill(tn_system *sys, double loop_epsilon, int32_t j)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_joint_kinematics *kin = &sys->kin[j];
    const int64_t *g = sys->layout->g_offset + sys->layout->dual_start[j];
    const int64_t slot = sys->layout->y_offset[j];
    const double epsilon = joint->in_loop ? loop_epsilon * joint->softness : 0.0;
    sys->values->rows[j] = TN_STRAIGHT_ROWS;
    for (int n = 0; n < TN_STRAIGHT_ROWS; n++) {
        sys->values->a[slot + n] = joint->row_scale[n];
        sys->values->e[slot + n] = epsilon * joint->row_scale[n];
        sys->values->r[slot + n] = 0.0;
    }
    if (g[0] >= 0)
        straight_block(&kin->R_GW, &sys->T[joint->a].R, kin->r_A, 1.0, sys->values->g + g[0]);
    if (joint->b >= 0 && g[1] >= 0)
        straight_block(&kin->R_GW, &sys->T[joint->b].R, kin->r_B, -1.0, sys->values->g + g[1]);
}

/* The wrench of a straight hinge after the bodies have moved, its kinematics and multipliers. */
TN_INLINE tn_wrench straight_move(tn_sim *sim, const tn_alpha *c, int32_t j, tn_trial trial)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const double *y = sim->sys.g + sim->sys.layout->y_offset[j];
    double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
    tn_joint_kinematics *kin = &sim->sys.kin[j];
    if (trial == TN_TRIAL_CORRECTED) {
        for (int n = 0; n < TN_STRAIGHT_ROWS; n++)
            lambda[n] -= c->beta_prime * y[n];
        tn_wrench w = straight_wrench(&kin->R_GW, lambda);
        tn_joint_refresh(&sim->sys, &sim->state, j);
        straight_take(&kin->R_GW, &w, lambda);
        return w;
    }
    if (tn_alpha_of(sim)->in_passing) {
        straight_predict(&joint->geometry, tn_system_xform(&sim->sys, joint->a),
                         tn_system_xform(&sim->sys, joint->b), kin);
    } else {
        tn_joint_refresh(&sim->sys, &sim->state, j);
    }
    return straight_wrench(&kin->R_GW, lambda);
}

/* Minus the symmetric part of F c^T - (c . F) 1, in body axes. */
TN_INLINE void straight_stiffen(double *S, tn_vec3 F, tn_vec3 arm)
{
    S[0] += F.y * arm.y + F.z * arm.z;
    S[1] += F.x * arm.x + F.z * arm.z;
    S[2] += F.x * arm.x + F.y * arm.y;
    S[3] -= 0.5 * (F.x * arm.y + F.y * arm.x);
    S[4] -= 0.5 * (F.x * arm.z + F.z * arm.x);
    S[5] -= 0.5 * (F.y * arm.z + F.z * arm.y);
}

/* A wrench at an arm on a rigid body, and its stiffness. */
TN_INLINE void straight_push(tn_sim *sim, double by_beta, int32_t i, tn_vec3 r, tn_wrench w)
{
    if (i < 0 || sim->model->bodies[i].dim == 0)
        return;
    const tn_mat3 *R = &sim->sys.T[i].R;
    double *f = sim->sys.f + sim->model->bodies[i].u;
    const tn_vec3 F = m3_tmulv(R, w.f), arm = m3_tmulv(R, r);
    const tn_vec3 m = v3_add(m3_tmulv(R, w.m), v3_cross(arm, F));
    v3_store(f, v3_add(v3_load(f), w.f));
    v3_store(f + 3, v3_add(v3_load(f + 3), m));
    straight_stiffen(tn_alpha_of(sim)->stiffness + 6 * (size_t)i, v3_scale(by_beta, F), arm);
}

/* Evaluates a straight hinge. */
TN_INLINE void straight_evaluate(tn_sim *sim, const tn_alpha *c, int32_t j, tn_trial trial)
{
    const int64_t slot = sim->sys.layout->y_offset[j];
    const double *error = sim->sys.kin[j].error;
    double *phi = sim->sys.phi + slot, *g = sim->sys.g + slot;
    const tn_wrench w = straight_move(sim, c, j, trial);
    if (trial == TN_TRIAL_CORRECTED) {
        tn_joint_add_wrench(&sim->sys, j, w, sim->sys.f);
    } else {
        const tn_joint_kinematics *kin = &sim->sys.kin[j];
        const tn_wrench on_b = {v3_scale(-1.0, w.f), v3_scale(-1.0, w.m)};
        const double by_beta = 1.0 / c->beta_prime;
        straight_push(sim, by_beta, sim->model->joints[j].a, kin->r_A, w);
        straight_push(sim, by_beta, sim->model->joints[j].b, kin->r_B, on_b);
    }
    for (int n = 0; n < TN_STRAIGHT_ROWS; n++) { /* in the order of G's axes */
        phi[n] = error[n];
        g[n] = -error[n];
    }
}

#endif
