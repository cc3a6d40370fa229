/* joint_terms.h: room assemble: the terms of one joint in the equations.
 *
 * Inline, so that a loop can compute several terms of a joint while it is in the cache. The table of
 * elements.h is made of these.
 */
#ifndef TN_ASSEMBLE_JOINT_TERMS_H
#define TN_ASSEMBLE_JOINT_TERMS_H

#include <math.h>

#include "assemble/system.h"
#include "joint/turn/ball_rows.h"

/* bodies.c: the block of one body, of tn_assemble_mass; S: its own, or NULL. */
void tn_body_fill(tn_system *sys, int32_t i, double damping_factor, const double *S);
/* rows.c: coordinates of joint j from kin. Turns are counted from a prediction over the h seconds since the
 * state's coordinates; q may be these. */
void tn_joint_follow(tn_system *sys, const tn_state *state, int32_t j, double h, double *q);
/* The same to the last digit after any number of turns (tn_joint_turned). */
void tn_joint_follow_turns(tn_system *sys, const tn_state *state, int32_t j, double h, tn_dd *q);
/* rad/s: the speed of a hinge's coordinate, if its axis is fixed in both bodies; false: joint j is no such hinge. */
bool tn_joint_turning(const tn_system *sys, int32_t j, const double *u, double *speed);
/* G of the active rows into values. */
void tn_joint_fill(tn_system *sys, const tn_state *state, int32_t j);
/* One row, active or not, on body A (side 0) or B. */
void tn_joint_fill_row(const tn_system *sys, int32_t j, int32_t row, int32_t side, double *block);
/* (dG/dt) u of all rows at constant body velocities u. */
void tn_joint_accelerations(const tn_system *sys, int32_t j, const double *u, double *gamma);
/* The same, at least for the active rows. */
void tn_joint_active_accelerations(const tn_system *sys, const tn_state *state, int32_t j,
                                   const double *u, double *gamma);
/* Force and moment at its frame C. */
tn_wrench tn_joint_load(const tn_system *sys, const tn_state *state, int32_t j);
/* Effective mass of a row, kg or kg m^2; kin need not be current. */
double tn_joint_row_mass(const tn_system *sys, const tn_state *state, int32_t j, int32_t row);

/* rows.c: a joint whose side B is the mean frame of a set of nodes: the frame from T; its twist, and its
 * acceleration at constant velocities of the nodes; a wrench at arm r from its origin, distributed to the nodes. */
void tn_mean_refresh(tn_system *sys, int32_t mean);
tn_twist tn_mean_twist(const tn_system *sys, const double *u, int32_t mean);
tn_vec3 tn_mean_turning_rate(const tn_system *sys, const double *u, int32_t mean);
void tn_mean_add_wrench(const tn_system *sys, int32_t mean, tn_vec3 r, tn_wrench w, double *f);

static inline const tn_xform *tn_joint_xform_b(const tn_system *sys, const tn_model_joint *joint)
{
    return joint->mean > 0 ? &sys->frames[joint->mean - 1].T : tn_system_xform(sys, joint->b);
}

static inline tn_twist tn_joint_twist_b(const tn_system *sys, const double *u,
                                        const tn_model_joint *joint)
{
    return joint->mean > 0 ? tn_mean_twist(sys, u, joint->mean - 1)
                           : tn_assemble_twist(sys, u, joint->b);
}

/* Hard stops of the coordinates of joint j, for types with a pole. */
static inline tn_joint_stops tn_joint_stops_of(const tn_model *model, const tn_state *state,
                                               int32_t j)
{
    const tn_joint_class *cls = model->joints[j].geometry.cls;
    const tn_switches *s = &state->switches[j];
    unsigned held = 0;
    for (int32_t i = 0; cls->stop_at_pole && i < cls->info.coordinate_count; i++) {
        if (s->hold[i] > TN_HOLD_SPRING && s->compliance[cls->info.bilateral_count + i] <= 0.0)
            held |= 1u << i;
    }
    return (tn_joint_stops){held, s->hold_value, s->lower, s->upper};
}

/* True if constraints of the joint are compliant, not only rows that hold its coordinates. */
static inline bool tn_joint_yields(const tn_model_joint *joint, const tn_switches *s)
{
    for (int32_t n = 0; n < s->active_count; n++) {
        const int32_t row = s->active[n];
        if (row < joint->geometry.cls->info.bilateral_count && s->compliance[row] > 0.0)
            return true;
    }
    return false;
}

/* The geometry of joint j as it is now. */
static inline const tn_joint_geometry *tn_joint_geometry_now(const tn_system *sys, int32_t j)
{
    return sys->pieces && sys->pieces[j] ? sys->pieces[j] : &sys->model->joints[j].geometry;
}

/* Adapts kin of joint j to its present rows: of a compliant joint away from its constraints; near a pole to the held
 * coordinates. */
static inline void tn_joint_turn_rows(tn_system *sys, const tn_state *state, int32_t j)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    if ((state->switches[j].compliant & TN_SOFT_OTHER) && !sys->legal_rows &&
        tn_joint_yields(joint, &state->switches[j]))
        tn_joint_kinematics_off(tn_joint_geometry_now(sys, j), &sys->kin[j]);
    if (joint->geometry.cls->stop_at_pole) {
        const tn_joint_stops stops = tn_joint_stops_of(sys->model, state, j);
        tn_joint_kinematics_stop(&joint->geometry, &stops,
                                 state->coordinates + (size_t)j * TN_MAX_COORDINATES, &sys->kin[j]);
    }
}

/* kin of joint j from T. */
static inline void tn_joint_refresh(tn_system *sys, const tn_state *state, int32_t j)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    if (joint->mean > 0)
        tn_mean_refresh(sys, joint->mean - 1);
    tn_joint_kinematics_update(tn_joint_geometry_now(sys, j), tn_system_xform(sys, joint->a),
                               tn_joint_xform_b(sys, joint),
                               state->coordinates + (size_t)j * TN_MAX_COORDINATES, &sys->kin[j]);
    tn_joint_turn_rows(sys, state, j);
}

/* The same for a spatial joint whose coordinates, all its motions, are known; T_GD: the pose of C in D that they
 * give. */
static inline void tn_joint_refresh_at(tn_system *sys, const tn_state *state, int32_t j,
                                       const tn_xform *T_GD)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    tn_joint_kinematics_at(tn_joint_geometry_now(sys, j), tn_system_xform(sys, joint->a),
                           tn_system_xform(sys, joint->b),
                           state->coordinates + (size_t)j * TN_MAX_COORDINATES, T_GD, &sys->kin[j]);
    tn_joint_turn_rows(sys, state, j);
}

/* True if the coordinates follow from the pose and the number of turns of a reference; also for ball joints. */
static inline bool tn_joint_is_told_by_pose(const tn_joint_class *cls)
{
    return cls->project == tn_ball_project && !cls->axes;
}

/* True if the coordinates are those stored in kin: reference and kin are in the first turn, less than pi apart. */
static inline bool tn_joint_has_measured(const tn_system *sys, int32_t j, const double *reference)
{
    const tn_joint_class *cls = sys->model->joints[j].geometry.cls;
    const double *q = sys->kin[j].moving->q;
    bool within = tn_joint_is_told_by_pose(cls);
    for (int32_t i = 0; i < cls->info.coordinate_count && within; i++)
        within = fabs(reference[i]) < TN_PI && fabs(reference[i] - q[i]) < TN_PI;
    return within;
}

/* Coordinates of joint j from kin. */
static inline void tn_joint_measure(const tn_system *sys, const tn_state *state, int32_t j,
                                    const double *reference, tn_dd *q)
{
    if (tn_joint_has_measured(sys, j, reference)) {
        for (int32_t i = 0; i < sys->model->joints[j].geometry.cls->info.coordinate_count; i++)
            q[i] = (tn_dd){sys->kin[j].moving->q[i], 0.0};
        return;
    }
    const tn_joint_stops stops = tn_joint_stops_of(sys->model, state, j);
    tn_joint_turned(tn_joint_geometry_now(sys, j), &sys->kin[j].T_GD, &stops, reference, q);
}

/* The wrench of the multipliers lambda[row] at G's origin, world axes, on A. */
static inline tn_wrench tn_joint_wrench(const tn_joint_geometry *geometry,
                                        const tn_joint_kinematics *kin, const tn_switches *s,
                                        const double *lambda)
{
    const int8_t *axes = tn_joint_axes(geometry, kin);
    double W[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}; /* in G */
    for (int32_t n = 0; n < s->active_count; n++) {
        const int32_t row = s->active[n];
        if (axes) {
            W[axes[row]] += lambda[row];
        } else {
            for (int i = 0; i < 6; i++)
                W[i] += lambda[row] * kin->moving->W[row][i];
        }
    }
    return (tn_wrench){m3_mulv(&kin->R_GW, v3_load(W)), m3_mulv(&kin->R_GW, v3_load(W + 3))};
}

/* The multipliers of a world wrench, for types whose rows are axes of G; components without a row are left
 * out. */
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

/* Adds a wrench at arm r to the forces of a body: moment about the centre of mass in body axes. */
static inline void tn_body_add_wrench(const tn_system *sys, int32_t body, tn_vec3 r, tn_wrench w,
                                      double *f)
{
    if (body < 0 || sys->model->bodies[body].dim == 0)
        return;
    const tn_vec3 m = v3_add(w.m, v3_cross(r, w.f));
    tn_body_add(&sys->model->bodies[body], w.f, m3_tmulv(&sys->T[body].R, m), f);
}

/* Adds a joint's wrench on A, and its opposite on B. */
static inline void tn_joint_add_wrench(const tn_system *sys, int32_t j, tn_wrench on_a, double *f)
{
    const tn_wrench on_b = {v3_scale(-1.0, on_a.f), v3_scale(-1.0, on_a.m)};
    const tn_model_joint *joint = &sys->model->joints[j];
    tn_body_add_wrench(sys, joint->a, sys->kin[j].r_A, on_a, f);
    if (joint->mean > 0) {
        tn_mean_add_wrench(sys, joint->mean - 1, sys->kin[j].r_B, on_b, f);
    } else {
        tn_body_add_wrench(sys, joint->b, sys->kin[j].r_B, on_b, f);
    }
}

/* Speeds of rows that are axes of G of a spatial joint; computes only the needed components of the twist of C in D. */
static inline void tn_joint_speeds_along(const tn_system *sys, int32_t j, const double *u,
                                         const int8_t *axes, tn_row_list rows, double *speeds)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_joint_kinematics *kin = &sys->kin[j];
    const tn_twist A = tn_assemble_twist(sys, u, joint->a), B = tn_joint_twist_b(sys, u, joint);
    const tn_vec3 w = v3_sub(A.w, B.w);
    bool shifts = false;
    for (int32_t n = 0; n < rows.count; n++)
        shifts |= axes[rows.row[n]] < TN_MX;
    const tn_vec3 v = shifts
                          ? v3_sub(tn_point_velocity(A, kin->r_A), tn_point_velocity(B, kin->r_B))
                          : v3(0.0, 0.0, 0.0);
    for (int32_t n = 0; n < rows.count; n++) {
        const int axis = axes[rows.row[n]];
        speeds[n] = v3_dot(m3_column(&kin->R_GW, axis % 3), axis < TN_MX ? v : w);
    }
}

/* Speeds of rows of joint j. */
static inline void tn_joint_speeds(const tn_system *sys, int32_t j, const double *u,
                                   tn_row_list rows, double *speeds)
{
    const tn_joint_geometry *geometry = &sys->model->joints[j].geometry;
    const int8_t *axes = tn_joint_axes(geometry, &sys->kin[j]);
    double twist[6];
    if (axes && !geometry->flat) {
        tn_joint_speeds_along(sys, j, u, axes, rows, speeds);
        return;
    }
    tn_assemble_joint_twist(sys, u, j, twist);
    for (int32_t n = 0; n < rows.count; n++)
        speeds[n] = tn_joint_row_speed(geometry, &sys->kin[j], rows.row[n], twist);
}

#endif
