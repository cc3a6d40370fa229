/* joint_terms.h: room assemble: what one element, joint or coupling, adds to the equations, for the
 * loops over all of them.
 *
 * Inline, so that a loop may compute several terms of a joint while it is in the cache and the
 * plain loops of system.h use the same code.
 */
#ifndef TN_ASSEMBLE_JOINT_TERMS_H
#define TN_ASSEMBLE_JOINT_TERMS_H

#include "assemble/system.h"

/* couplings.c: the same for coupling k, an element of its own; see there. Its joints' kinematics
 * must be current: joints come first among the elements. */
void tn_coupling_refresh(tn_system *sys, const tn_state *state, int32_t k);
double tn_coupling_speed(const tn_system *sys, int32_t k, const double *u);
double tn_coupling_gamma(const tn_system *sys, int32_t k, const double *u);
void tn_coupling_add_forces(const tn_system *sys, int32_t k, double lambda, double *f);
void tn_coupling_fill(tn_system *sys, int32_t k);
/* G M^-1 G^T of its row now, by the diagonal of M. */
double tn_coupling_scale(const tn_system *sys, int32_t k);
/* Its effective mass 1 / (G M^-1 G^T), kg or kg m^2, exactly. */
double tn_coupling_mass(const tn_system *sys, int32_t k);
/* The wrench of multiplier lambda through term t on body A of the term's joint, at its G's origin.
 */
tn_wrench tn_coupling_wrench(const tn_system *sys, int32_t t, double lambda);

static inline int tn_is_coupling(const tn_system *sys, int32_t j)
{
    return j >= sys->model->joint_count;
}

/* bodies.c: the block of one body, of tn_assemble_mass; S: its own, or NULL. */
void tn_body_fill(tn_system *sys, int32_t i, double damping_factor, const double *S);
/* rows.c: of one element, of tn_assemble_jacobian and tn_assemble_row_law. */
void tn_joint_fill(tn_system *sys, const tn_state *state, int32_t j);
void tn_joint_fill_law(tn_system *sys, const tn_state *state, const tn_row_law *law, int32_t j);

/* rows.c: coordinates of joint j from kin, turns counted from a prediction over the h seconds since
 * the state's, which q may be. */
void tn_joint_follow(const tn_system *sys, const tn_state *state, int32_t j, double h, double *q);

/* What stops coordinates of joint j hard, of types with a pole. */
static inline tn_joint_stops tn_joint_stops_of(const tn_model *model, const tn_state *state,
                                               int32_t j)
{
    const tn_joint_class *cls = model->joints[j].geometry.cls;
    const tn_switches *s = &state->switches[j];
    unsigned held = 0;
    for (int32_t i = 0; cls->stop_at_pole && i < cls->info.coordinate_count; i++)
        if (s->hold[i] > TN_HOLD_SPRING && s->compliance[cls->info.bilateral_count + i] <= 0.0)
            held |= 1u << i;
    return (tn_joint_stops){held, s->hold_value, s->lower, s->upper};
}

/* kin of element j from T. */
static inline void tn_joint_refresh(tn_system *sys, const tn_state *state, int32_t j)
{
    if (tn_is_coupling(sys, j)) {
        tn_coupling_refresh(sys, state, tn_model_as_coupling(sys->model, j));
        return;
    }
    const tn_model_joint *joint = &sys->model->joints[j];
    const double *reference = state->coordinates + (size_t)j * TN_MAX_COORDINATES;
    tn_joint_kinematics_update(&joint->geometry, tn_system_xform(sys, joint->a),
                               tn_system_xform(sys, joint->b), reference, &sys->kin[j]);
    if (joint->geometry.cls->stop_at_pole) {
        const tn_joint_stops stops = tn_joint_stops_of(sys->model, state, j);
        tn_joint_kinematics_stop(&joint->geometry, &stops, reference, &sys->kin[j]);
    }
}

/* Coordinates of joint j from kin. */
static inline void tn_joint_measure(const tn_system *sys, const tn_state *state, int32_t j,
                                    const double *reference, double *q)
{
    const tn_joint_stops stops = tn_joint_stops_of(sys->model, state, j);
    tn_joint_coordinates(&sys->model->joints[j].geometry, &sys->kin[j].T_GD, &stops, reference, q);
}

/* The wrench of the multipliers lambda[row] at G's origin, world axes, on A. */
static inline tn_wrench tn_joint_wrench(const tn_joint_geometry *geometry,
                                        const tn_joint_kinematics *kin, const tn_switches *s,
                                        const double *lambda)
{
    double W[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}; /* in G */
    for (int32_t n = 0; n < s->active_count; n++) {
        const int32_t row = s->active[n];
        if (geometry->cls->axes)
            W[geometry->cls->axes[row]] += lambda[row];
        else
            for (int i = 0; i < 6; i++)
                W[i] += lambda[row] * kin->W[row][i];
    }
    return (tn_wrench){m3_mulv(&kin->R_GW, v3_load(W)), m3_mulv(&kin->R_GW, v3_load(W + 3))};
}

/* The multipliers of a world wrench, for types whose rows are axes of G; what no row can carry is
 * left out. */
static inline void tn_joint_take_wrench(const tn_joint_geometry *geometry,
                                        const tn_joint_kinematics *kin, const tn_switches *s,
                                        tn_wrench w, double *lambda)
{
    double W[6];
    v3_store(W, m3_tmulv(&kin->R_GW, w.f));
    v3_store(W + 3, m3_tmulv(&kin->R_GW, w.m));
    for (int32_t n = 0; n < s->active_count; n++)
        lambda[s->active[n]] = W[geometry->cls->axes[s->active[n]]];
}

/* A wrench at arm r, as a body feels it: moment about the centre of mass in body axes. */
static inline void tn_body_add_wrench(const tn_system *sys, int32_t body, tn_vec3 r, tn_wrench w,
                                      double *f)
{
    if (body < 0 || sys->model->bodies[body].dim == 0)
        return;
    const tn_vec3 m = v3_add(w.m, v3_cross(r, w.f));
    tn_body_add(&sys->model->bodies[body], w.f, m3_tmulv(&sys->T[body].R, m), f);
}

/* A joint's wrench, on A, to both bodies. */
static inline void tn_joint_add_wrench(const tn_system *sys, int32_t j, tn_wrench on_a, double *f)
{
    const tn_wrench on_b = {v3_scale(-1.0, on_a.f), v3_scale(-1.0, on_a.m)};
    tn_body_add_wrench(sys, sys->model->joints[j].a, sys->kin[j].r_A, on_a, f);
    tn_body_add_wrench(sys, sys->model->joints[j].b, sys->kin[j].r_B, on_b, f);
}

/* G^T lambda of element j, lambda[row]. */
static inline void tn_joint_add_forces(const tn_system *sys, const tn_state *state, int32_t j,
                                       const double *lambda, double *f)
{
    if (state->switches[j].active_count == 0)
        return;
    if (tn_is_coupling(sys, j))
        tn_coupling_add_forces(sys, tn_model_as_coupling(sys->model, j), lambda[0], f);
    else
        tn_joint_add_wrench(sys, j,
                            tn_joint_wrench(&sys->model->joints[j].geometry, &sys->kin[j],
                                            &state->switches[j], lambda),
                            f);
}

/* Error of a held motion row: how far its coordinate is from where it is held. */
double tn_joint_hold_error(const tn_system *sys, const tn_state *state, int32_t j, int32_t row);

/* phi of the active rows of element j, from where gaps of the loops put their zeros. */
static inline void tn_joint_errors(const tn_system *sys, const tn_state *state, int32_t j,
                                   double *phi)
{
    const tn_joint_geometry *geometry = &sys->model->joints[j].geometry;
    const tn_switches *s = &state->switches[j];
    for (int32_t n = 0; n < s->active_count; n++) {
        const int32_t row = s->active[n];
        if (tn_joint_row_vanished(geometry, &sys->kin[j], row))
            phi[n] = 0.0;
        else
            phi[n] = row < geometry->cls->info.bilateral_count
                         ? tn_joint_row_error(geometry, &sys->kin[j], row)
                         : tn_joint_hold_error(sys, state, j, row);
    }
    if (tn_gap_is_on(state))
        for (int32_t n = 0; n < s->active_count; n++)
            phi[n] -= sys->gap[sys->layout->y_offset[j] + n];
}

/* Speeds of the active rows of element j. */
static inline void tn_joint_speeds(const tn_system *sys, const tn_state *state, int32_t j,
                                   const double *u, double *speeds)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_switches *s = &state->switches[j];
    if (s->active_count == 0)
        return;
    if (tn_is_coupling(sys, j)) {
        speeds[0] = tn_coupling_speed(sys, tn_model_as_coupling(sys->model, j), u);
        return;
    }
    double twist[6];
    tn_assemble_joint_twist(sys, u, j, twist);
    for (int32_t n = 0; n < s->active_count; n++)
        speeds[n] = tn_joint_row_speed(&joint->geometry, &sys->kin[j], s->active[n], twist);
}

#endif
