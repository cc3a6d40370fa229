/* kinematics.c: room motion: moving bodies, refreshing kinematics, counting turns. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/dense/worst.h"
#include "assemble/body_terms.h"
#include "assemble/elements.h"
#include "assemble/joint_terms.h"
#include "base/base.h"
#include "math/box.h"
#include "math/lanes.h"
#include "motion/kinematics.h"

/* m: size of a model whose bodies and joints are all at one point. */
#define TN_NO_SIZE 1.0

/* Points this close, relative to their distance from the origin and to the extent of bodies, are one point but for
 * round-off. */
#define TN_ONE_PLACE (64.0 * DBL_EPSILON)

/* m: distance from the origin, or from the body's centre, within which it has mass. */
static double reach_of(const tn_model_body *body)
{
    const double J = fmax(body->J.m[0][0], fmax(body->J.m[1][1], body->J.m[2][2]));
    const double turning = body->mass > 0.0 ? sqrt(J / body->mass) : 0.0;
    return fmax(v3_norm(body->x0), isfinite(turning) ? turning : 0.0);
}

double tn_size_of_mechanism(const tn_model *model)
{
    tn_box box = tn_empty_box();
    double reach = 0.0;
    for (int32_t i = 0; i < model->body_count; i++) {
        tn_box_add(&box, model->bodies[i].x0);
        reach = fmax(reach, reach_of(&model->bodies[i]));
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_xform T = tn_model_initial_xform(model, model->joints[j].a);
        tn_box_add(&box, xf_point(&T, model->joints[j].geometry.T_CA.p));
    }
    const double half = tn_box_half_edge(&box);
    return half > TN_ONE_PLACE * reach ? half : TN_NO_SIZE;
}

tn_step_report tn_empty_report(void)
{
    static const tn_step_report empty = {.smallest_pivot = INFINITY,
                                         .worst_joint = {-1},
                                         .fold_joint = {-1},
                                         .culprit_body = {-1},
                                         .culprit_joint = {-1},
                                         .culprit_load = {-1}};
    return empty;
}

void tn_report_ids(tn_sim *sim, tn_step_report *report)
{
    tn_name_element(sim->model, &report->worst_joint);
    tn_name_element(sim->model, &report->fold_joint);
    tn_name_element(sim->model, &report->culprit_joint);
    for (int32_t k = 0; k < sim->log.count && k < TN_EVENTS_KEPT; k++)
        tn_name_element(sim->model, &sim->log.events[k].joint);
}

void tn_refresh_kinematics(tn_sim *sim)
{
    tn_assemble_poses(&sim->sys, sim->state.x, sim->state.q);
    tn_assemble_joints(&sim->sys, &sim->state);
}

void tn_refresh_special_kinematics(tn_sim *sim)
{
    const int32_t count = sim->model->joint_count;
    tn_assemble_poses(&sim->sys, sim->state.x, sim->state.q);
    for (int32_t j = tn_next_special(&sim->state, 0, count); j < count;
         j = tn_next_special(&sim->state, j + 1, count))
        tn_joint_refresh(&sim->sys, &sim->state, j);
}

tn_status tn_reactions_create(tn_sim *sim)
{
    const tn_model *model = sim->model;
    sim->reactions = (tn_snapshot){
        .T = TN_NEW_ARRAY(tn_xform, model->body_count),
        .kin = tn_joint_kinematics_create(model->element_count),
        .terms = TN_NEW_ARRAY(tn_term_state, model->term_start[model->coupling_count])};
    const tn_snapshot *r = &sim->reactions;
    return r->T && r->kin && r->terms ? TN_OK : TN_ERROR_MEMORY;
}

void tn_reactions_destroy(tn_sim *sim)
{
    tn_free(sim->reactions.T);
    tn_free(sim->reactions.kin);
    tn_free(sim->reactions.terms);
}

void tn_keep_reaction_kinematics(tn_sim *sim)
{
    memcpy(sim->reactions.T, sim->sys.T, sizeof(tn_xform) * (size_t)sim->model->body_count);
    for (int32_t j = 0; j < sim->model->element_count; j++)
        tn_joint_kinematics_copy(&sim->reactions.kin[j], &sim->sys.kin[j]);
    memcpy(sim->reactions.terms, sim->sys.terms,
           sizeof(tn_term_state) * (size_t)sim->model->term_start[sim->model->coupling_count]);
}

void tn_swap_reaction_kinematics(tn_sim *sim)
{
    const tn_snapshot kept = {sim->sys.T, sim->sys.kin, sim->sys.terms};
    sim->sys.T = sim->reactions.T;
    sim->sys.kin = sim->reactions.kin;
    sim->sys.terms = sim->reactions.terms;
    sim->reactions = kept;
}

/* Updates the largest error of its kind, and of all, by that of a row of element j. NaN counts as large. */
static inline void note_error(double error, int32_t j, double *largest, double *worst,
                              tn_step_report *report)
{
    if (error <= *largest) /* true of most rows; *largest <= *worst */
        return;
    *largest = tn_worst(*largest, error);
    if (tn_worst(*worst, error) != *worst) {
        *worst = tn_worst(*worst, error);
        report->worst_joint.i = j;
    }
}

/* Is it a hinge in space with all of its rows? */
static inline bool is_whole_hinge(const tn_model_joint *joint)
{
    return joint->geometry.hinge && joint->kept_bilateral == 5;
}

/* Are the five errors of a whole hinge within the largest so far? True of most. */
static inline bool is_nearer(const double *slot, const tn_step_report *report)
{
    const double position = report->position_error, angle = report->angle_error;
    return fabs(slot[0]) <= position && fabs(slot[1]) <= position && fabs(slot[2]) <= position &&
           fabs(slot[3]) <= angle && fabs(slot[4]) <= angle;
}

/* Adds the errors of element j, which are at slot. */
static inline void add_errors(const tn_sim *sim, int32_t j, const double *slot, double *worst,
                              tn_step_report *report)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    if (sim->state.plain[j] && joint->geometry.pin) { /* two lengths, always active */
        note_error(fabs(slot[0]), j, &report->position_error, worst, report);
        note_error(fabs(slot[1]), j, &report->position_error, worst, report);
        return;
    }
    if (sim->state.plain[j] && is_whole_hinge(joint)) {
        if (is_nearer(slot, report))
            return;
        const tn_vec3 apart = v3_load(slot);
        const double across = tn_worst(fabs(slot[3]), fabs(slot[4]));
        const double off = tn_worst(tn_worst(fabs(apart.x), fabs(apart.y)), fabs(apart.z));
        note_error(off, j, &report->position_error, worst, report);
        note_error(across, j, &report->angle_error, worst, report);
        return;
    }
    const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
    for (int32_t n = 0; n < rows.count; n++) {
        const int32_t row = rows.row[n];
        report->skipped_rows += tn_joint_row_vanished(&joint->geometry, &sim->sys.kin[j], row);
        if (!sim->state.plain[j] && sim->state.switches[j].compliance[row] > 0.0)
            continue;
        double *largest = joint->geometry.cls->info.rows[row].flags & TN_ROW_LINEAR
                              ? &report->position_error
                              : &report->angle_error;
        note_error(fabs(slot[n]), j, largest, worst, report);
    }
}

void tn_add_errors(const tn_sim *sim, int32_t j, const double *phi, double *worst,
                   tn_step_report *report)
{
    add_errors(sim, j, phi + sim->sys.layout->y_offset[j], worst, report);
}

void tn_measure_errors(const tn_sim *sim, const double *phi, tn_step_report *report)
{
    double worst = 0.0;
    report->position_error = 0.0;
    report->angle_error = 0.0;
    report->worst_joint.i = -1;
    report->skipped_rows = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++)
        add_errors(sim, j, phi + sim->sys.layout->y_offset[j], &worst, report);
}

/* Largest term of couplings: its round-off is that of their values, and it grows with the coordinate. */
static double largest_term(const tn_sim *sim)
{
    const int32_t count = sim->model->term_start[sim->model->coupling_count];
    double largest = 0.0;
    for (int32_t t = 0; t < count; t++)
        largest = fmax(largest, sim->sys.terms[t].rounded);
    return largest;
}

double tn_largest_place(const tn_sim *sim)
{
    return tn_largest_size(&sim->state.x->x, 3 * (size_t)sim->model->body_count);
}

double tn_largest_coordinate(const tn_sim *sim)
{
    return fmax(1.0, fmax(tn_largest_place(sim), largest_term(sim)));
}

/* Units of round-off, of a position or a rotation, that a correction may have and still be round-off. */
#define TN_ROUNDINGS 4.0

bool tn_move_is_rounding(const tn_sim *sim)
{
    const double place = TN_ROUNDINGS * DBL_EPSILON * tn_largest_place(sim);
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        const tn_motion_subspace *space = tn_motion_subspace_get(body->kind);
        for (int32_t k = 0; k < body->dim; k++) {
            if (fabs(sim->sys.du[body->u + k]) >
                (space->column[k] < 3 ? place : TN_ROUNDINGS * DBL_EPSILON))
                return false;
        }
    }
    return true;
}

/* m: coordinates up to this have a round-off well below the tolerances, which suit machines of some metres. Larger
 * ones, of a bridge or a drawing in micrometres, have proportionally more. */
#define TN_LARGE 1e3

double tn_length_unit(const tn_sim *sim)
{
    return fmax(1.0, tn_largest_place(sim) / TN_LARGE);
}

/* The same factor for angles. */
static double angle_unit(const tn_sim *sim)
{
    return fmax(1.0, largest_term(sim) / TN_LARGE);
}

double tn_measure_position(tn_sim *sim, tn_step_report *report)
{
    tn_assemble_errors(&sim->sys, &sim->state, sim->sys.phi);
    tn_measure_errors(sim, sim->sys.phi, report);
    return tn_worst(report->position_error / tn_length_unit(sim),
                    report->angle_error / angle_unit(sim));
}

/* Accuracy of the linear equations in a Newton pass: a pass leaves at least the square of the error (in sizes of the
 * mechanism, or rad), so a share of that is enough. A share of the tolerance is enough too; it is small because such
 * errors may add up over thousands of steps. */
#define TN_SHARE_OF_SQUARE    1e-2
#define TN_SHARE_OF_TOLERANCE 1e-5

double tn_worth_solving(const tn_sim *sim, double error, double tolerance)
{
    const double square = TN_SHARE_OF_SQUARE * error / fmax(sim->size, 1.0);
    const double enough = fmax(square, TN_SHARE_OF_TOLERANCE * tolerance / error);
    return fmin(fmax(enough, TN_SOLVE_TOLERANCE), TN_SHARE_OF_SQUARE);
}

void tn_update_coordinates(tn_sim *sim, double h)
{
    tn_assemble_coordinates(&sim->sys, &sim->state, h, sim->state.coordinates);
}

void tn_update_special_coordinates(tn_sim *sim, double h)
{
    const int32_t count = sim->model->joint_count;
    sim->sys.lead = 0.0;
    for (int32_t j = tn_next_special(&sim->state, 0, count); j < count;
         j = tn_next_special(&sim->state, j + 1, count)) {
        if (tn_state_is_on(sim->model, &sim->state, j) &&
            sim->model->joints[j].geometry.cls->info.coordinate_count > 0)
            tn_joint_follow(&sim->sys, &sim->state, j, h,
                            sim->state.coordinates + (size_t)j * TN_MAX_COORDINATES);
    }
}

void tn_coordinate_speeds(const tn_sim *sim, int32_t j, double *qdot)
{
    if (tn_joint_turning(&sim->sys, j, sim->state.u, qdot))
        return;
    const tn_row_list rows = tn_motion_rows(&sim->model->joints[j]);
    tn_element_ops_of(&sim->sys, j)->speeds(&sim->sys, j, sim->state.u, rows, qdot);
}

double tn_coordinate_acceleration(const tn_sim *sim, int32_t j, int32_t coordinate)
{
    const tn_system *sys = &sim->sys;
    const tn_element_ops *ops = tn_element_ops_of(sys, j);
    const int8_t row = (int8_t)tn_motion_row(&sim->model->joints[j], coordinate);
    double rate, gamma[TN_MAX_ROWS];
    ops->speeds(sys, j, sim->state.udot, (tn_row_list){&row, 1}, &rate);
    ops->accelerations(sys, j, sim->state.u, gamma);
    return rate + gamma[row];
}

bool tn_sim_moves(const tn_sim *sim)
{
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++) {
        if (sim->state.u[k] != 0.0)
            return true;
    }
    return false;
}

double tn_motion_of_joint(const tn_sim *sim, const double *v, int32_t j)
{
    double twist[6];
    tn_assemble_joint_twist(&sim->sys, v, j, twist);
    const double shift = v3_norm(v3_load(twist)), turn = v3_norm(v3_load(twist + 3));
    return turn + (sim->size > 0.0 ? shift / sim->size : 0.0);
}

void tn_move_bodies(const tn_model *model, const tn_vec3 *x, const tn_quat *q, const double *d,
                    double scale, tn_vec3 *x_out, tn_quat *q_out)
{
    for (int32_t i = 0; i < model->body_count; i++) {
        x_out[i] = x[i];
        q_out[i] = q[i];
        tn_body_move(&model->bodies[i], d, scale, &x_out[i], &q_out[i]);
    }
}
