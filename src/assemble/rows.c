/* rows.c: room assemble: joints' part of the equations: coordinates, G, speeds, loads. */
#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "joint/turn/ball_rows.h"

/* The speed of a planar pin: the difference of its bodies' angular speeds. */
static double speed_of_pin(const tn_system *sys, const tn_state *state, const tn_model_joint *joint)
{
    const tn_model_body *bodies = sys->model->bodies;
    const double speed = state->u[bodies[joint->a].u + 2];
    return joint->b >= 0 ? speed - state->u[bodies[joint->b].u + 2] : speed;
}

/* The speed about z of a body of a hinge in space, whose frame is `frame`. */
static double speed_about_z(const tn_system *sys, const double *u, int32_t body,
                            const tn_xform *frame)
{
    if (body < 0 || sys->model->bodies[body].dim == 0)
        return 0.0;
    tn_vec3 v, w;
    tn_body_unpack(&sys->model->bodies[body], u, &v, &w);
    return v3_dot(m3_column(&frame->R, 2), w);
}

static double speed_of_hinge(const tn_system *sys, const double *u, const tn_model_joint *joint)
{
    return speed_about_z(sys, u, joint->a, &joint->geometry.T_CA) -
           speed_about_z(sys, u, joint->b, &joint->geometry.T_DB);
}

/* rad: largest tilt at which the axes of a hinge in both bodies count as one. */
#define TN_ONE_AXIS 1e-10

bool tn_joint_turning(const tn_system *sys, int32_t j, const double *u, double *speed)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_joint_kinematics *kin = &sys->kin[j];
    if (!joint->geometry.hinge || kin->off || !(fabs(kin->error[3]) < TN_ONE_AXIS) ||
        !(fabs(kin->error[4]) < TN_ONE_AXIS))
        return false;
    *speed = speed_of_hinge(sys, u, joint);
    return true;
}

/* Predicts the coordinates h seconds after the state's. */
static void predict(const tn_system *sys, const tn_state *state, int32_t j, double h,
                    double predicted[TN_MAX_COORDINATES])
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_joint_kinematics *kin = &sys->kin[j];
    const double *before = state->coordinates + (size_t)j * TN_MAX_COORDINATES;
    double twist[6], speeds[TN_MAX_ROWS];
    if (joint->geometry.pin && joint->geometry.cls->info.coordinate_count == 1) {
        predicted[0] = before[0] + h * speed_of_pin(sys, state, joint);
    } else if (joint->geometry.hinge) {
        predicted[0] = before[0] + h * speed_of_hinge(sys, state->u, joint);
    } else {
        tn_assemble_joint_twist(sys, state->u, j, twist);
        tn_joint_motion_speeds(&joint->geometry, kin, twist, speeds);
        tn_joint_predict(joint->geometry.cls, before, kin->moving->q, speeds, h, predicted);
    }
}

/* rad: below half a turn by more than rounding. */
#define TN_NEARLY_HALF_TURN (0.999 * TN_PI)

/* rad/s */
static double turning(const tn_system *sys, const double *u, int32_t body)
{
    if (body < 0 || sys->model->bodies[body].dim == 0)
        return 0.0;
    tn_vec3 v, w;
    tn_body_unpack(&sys->model->bodies[body], u, &v, &w);
    return v3_norm(w);
}

/* True if the predicted coordinates of a ball joint differ from kin's q by less than half a turn, so that no turn
 * need be counted. Bound of the speeds m . (w_A - w_B), with m the moments of its rows: |m| (|w_A| + |w_B|). */
static bool is_in_its_turn(const tn_system *sys, const tn_state *state, int32_t j, double h)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_joint_class *cls = joint->geometry.cls;
    const tn_joint_kinematics *kin = &sys->kin[j];
    const double *before = state->coordinates + (size_t)j * TN_MAX_COORDINATES;
    bool within = tn_joint_is_told_by_pose(cls) && !cls->predict && !kin->off;
    if (!within)
        return false;
    const double way = h * (turning(sys, state->u, joint->a) + turning(sys, state->u, joint->b));
    for (int32_t i = 0; i < cls->info.coordinate_count && within; i++) {
        const tn_vec3 m = v3_load(kin->moving->W[cls->info.bilateral_count + i] + 3);
        within = fabs(before[i] - kin->moving->q[i]) + way * v3_norm(m) < TN_NEARLY_HALF_TURN;
    }
    return within;
}

void tn_joint_follow(tn_system *sys, const tn_state *state, int32_t j, double h, double *q)
{
    const tn_joint_geometry *geometry = tn_joint_geometry_now(sys, j);
    if (is_in_its_turn(sys, state, j, h)) {
        memcpy(q, sys->kin[j].moving->q, sizeof *q * (size_t)geometry->cls->info.coordinate_count);
        return;
    }
    double predicted[TN_MAX_COORDINATES];
    predict(sys, state, j, h, predicted);
    const tn_joint_stops stops = tn_joint_stops_of(sys->model, state, j);
    tn_joint_coordinates(geometry, &sys->kin[j].T_GD, &stops, predicted, q);
}

void tn_joint_follow_turns(tn_system *sys, const tn_state *state, int32_t j, double h, tn_dd *q)
{
    double predicted[TN_MAX_COORDINATES];
    predict(sys, state, j, h, predicted);
    tn_joint_measure(sys, state, j, predicted, q);
}

/* side B on nodes ------------------------------------------------------------------------------- */

void tn_mean_refresh(tn_system *sys, int32_t mean)
{
    const tn_model_mean *m = &sys->model->means[mean];
    tn_mean_moments places = {{0.0, 0.0, 0.0}, {{{0.0}}}};
    for (int32_t i = 0; i < m->count; i++)
        tn_mean_add(&places, m->weights[i], sys->T[m->bodies[i]].p, m->arms[i]);
    tn_mean_frame_make(&places, &sys->frames[mean]);
}

static tn_mean_moments rates_of(const tn_system *sys, const double *u, const tn_model_mean *m)
{
    tn_mean_moments rates = {{0.0, 0.0, 0.0}, {{{0.0}}}};
    for (int32_t i = 0; i < m->count; i++)
        tn_mean_add(&rates, m->weights[i], v3_load(u + sys->model->bodies[m->bodies[i]].u),
                    m->arms[i]);
    return rates;
}

tn_twist tn_mean_twist(const tn_system *sys, const double *u, int32_t mean)
{
    const tn_mean_frame *frame = &sys->frames[mean];
    const tn_mean_moments rates = rates_of(sys, u, &sys->model->means[mean]);
    return (tn_twist){rates.p, m3_mulv(&frame->T.R, tn_mean_spin(frame, &rates))};
}

tn_vec3 tn_mean_turning_rate(const tn_system *sys, const double *u, int32_t mean)
{
    const tn_mean_frame *frame = &sys->frames[mean];
    const tn_mean_moments rates = rates_of(sys, u, &sys->model->means[mean]);
    return m3_mulv(&frame->T.R, tn_mean_spin_rate(frame, &rates));
}

void tn_mean_add_wrench(const tn_system *sys, int32_t mean, tn_vec3 r, tn_wrench w, double *f)
{
    const tn_model_mean *m = &sys->model->means[mean];
    const tn_mean_frame *frame = &sys->frames[mean];
    const tn_vec3 moment = v3_add(w.m, v3_cross(r, w.f));
    const tn_vec3 c = tn_mean_turning(frame, m3_tmulv(&frame->T.R, moment));
    for (int32_t i = 0; i < m->count; i++) {
        double *at = f + sys->model->bodies[m->bodies[i]].u;
        v3_store(at, v3_add(v3_load(at), tn_mean_force(frame, w.f, c, m->weights[i], m->arms[i])));
    }
}

/* Adds to gamma the acceleration of the mean frame; that of its origin is zero. */
static void add_mean_rates(const tn_system *sys, int32_t j, const double *u, double *gamma)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_joint_kinematics *kin = &sys->kin[j];
    if (joint->mean == 0)
        return;
    const tn_vec3 rate = tn_mean_turning_rate(sys, u, joint->mean - 1);
    for (int32_t k = 0; k < joint->geometry.cls->info.row_count; k++) {
        tn_vec3 f, m;
        tn_joint_row_wrench(&joint->geometry, kin, k, &f, &m);
        gamma[k] -= v3_dot(f, v3_cross(rate, kin->r_B)) + v3_dot(m, rate);
    }
}

/* The G block of a node of side B: minus its force for a unit multiplier of each row. */
static void fill_mean_block(const tn_system *sys, const tn_state *state, int32_t j, int32_t node,
                            double *block)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_joint_kinematics *kin = &sys->kin[j];
    const tn_model_mean *mean = &sys->model->means[joint->mean - 1];
    const tn_mean_frame *frame = &sys->frames[joint->mean - 1];
    const tn_row_list rows = tn_active_rows(sys->model, state, j);
    for (int32_t n = 0; n < rows.count; n++) {
        tn_vec3 f, m;
        tn_joint_row_wrench(&joint->geometry, kin, rows.row[n], &f, &m);
        m = v3_add(m, v3_cross(kin->r_B, f));
        const tn_vec3 c = tn_mean_turning(frame, m3_tmulv(&frame->T.R, m));
        const tn_vec3 on_node = tn_mean_force(frame, f, c, mean->weights[node], mean->arms[node]);
        v3_store(block + 3 * n, v3_scale(-1.0, on_node));
    }
}

/* Rows along the axes of G, for a body with all six motions: with M = R^T R_GW and the arm in body
 * axes, a force along axis a is [ R_GW e_a ; R^T r x M e_a ], a moment [ 0 ; M e_a ]. */
static void fill_axis_rows(const tn_joint_kinematics *kin, const int8_t *axes, tn_row_list rows,
                           const tn_mat3 *R, tn_vec3 r, double sign, double *block)
{
    const tn_mat3 M = m3_tmul(R, &kin->R_GW);
    const tn_vec3 arm = m3_tmulv(R, r);
    for (int32_t n = 0; n < rows.count; n++, block += 6) {
        const int axis = axes[rows.row[n]];
        if (axis < 3) {
            v3_store(block, v3_scale(sign, m3_column(&kin->R_GW, axis)));
            v3_store(block + 3, v3_scale(sign, v3_cross(arm, m3_column(&M, axis))));
        } else {
            v3_store(block, v3(0.0, 0.0, 0.0));
            v3_store(block + 3, v3_scale(sign, m3_column(&M, axis - 3)));
        }
    }
}

/* The same for a planar body: force along axis a is [ f_x, f_y, (r x f)_z ] with f = R_GW e_a. */
static void fill_planar_axis_rows(const tn_joint_kinematics *kin, const int8_t *axes,
                                  tn_row_list rows, tn_vec3 r, double sign, double *block)
{
    for (int32_t n = 0; n < rows.count; n++, block += 3) {
        const int axis = axes[rows.row[n]];
        if (axis < 3) {
            const double x = sign * kin->R_GW.m[0][axis], y = sign * kin->R_GW.m[1][axis];
            v3_store(block, v3(x, y, r.x * y - r.y * x));
        } else {
            v3_store(block, v3(0.0, 0.0, sign * kin->R_GW.m[2][axis - 3]));
        }
    }
}

/* Any rows, sliced to the body's motions. */
static void fill_sliced_rows(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                             tn_row_list rows, tn_body_kind kind, const tn_mat3 *R, tn_vec3 r,
                             double sign, double *block)
{
    const tn_motion_subspace *space = tn_motion_subspace_get(kind);
    for (int32_t n = 0; n < rows.count; n++, block += space->dim) {
        double row[6];
        tn_joint_row_covector(geometry, kin, rows.row[n], R, r, sign, row);
        for (int32_t c = 0; c < space->dim; c++)
            block[c] = row[space->column[c]];
    }
}

/* Axes of G that the active rows are, or NULL if the rows are in W. Without held coordinates the active rows of a ball
 * joint are the forces at its point. */
static const int8_t *axes_of_active_rows(const tn_system *sys, const tn_state *state, int32_t j)
{
    static const int8_t point[3] = {TN_FX, TN_FY, TN_FZ};
    const tn_joint_geometry *geometry = &sys->model->joints[j].geometry;
    const bool is_point = state->plain[j] && geometry->cls->project == tn_ball_project;
    return is_point && !sys->kin[j].off ? point : tn_joint_axes(geometry, &sys->kin[j]);
}

/* The G block of one body of a joint. */
static void fill_block(const tn_system *sys, const tn_state *state, int32_t j, int side,
                       double *block)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_joint_kinematics *kin = &sys->kin[j];
    const int32_t i = side ? joint->b : joint->a;
    const tn_model_body *body = &sys->model->bodies[i];
    const tn_mat3 *R = &sys->T[i].R;
    const tn_vec3 r = side ? kin->r_B : kin->r_A;
    const double sign = side ? -1.0 : 1.0;
    const tn_row_list rows = tn_active_rows(sys->model, state, j);
    const int8_t *axes = axes_of_active_rows(sys, state, j);
    if (axes && body->kind == TN_BODY_PLANAR) {
        fill_planar_axis_rows(kin, axes, rows, r, sign, block);
    } else if (axes && body->dim == 6) {
        fill_axis_rows(kin, axes, rows, R, r, sign, block);
    } else {
        fill_sliced_rows(&joint->geometry, kin, rows, body->kind, R, r, sign, block);
    }
}

void tn_joint_fill_row(const tn_system *sys, int32_t j, int32_t row, int32_t side, double *block)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_joint_kinematics *kin = &sys->kin[j];
    const int32_t i = side ? joint->b : joint->a;
    const int8_t only = (int8_t)row;
    fill_sliced_rows(&joint->geometry, kin, (tn_row_list){&only, 1}, sys->model->bodies[i].kind,
                     &sys->T[i].R, side ? kin->r_B : kin->r_A, side ? -1.0 : 1.0, block);
}

void tn_joint_fill(tn_system *sys, const tn_state *state, int32_t j)
{
    const tn_kkt_layout *layout = sys->layout;
    for (int32_t k = layout->dual_start[j]; k < layout->dual_start[j + 1]; k++) {
        const int32_t side = k - layout->dual_start[j];
        double *block = sys->values->g + layout->g_offset[k];
        if (layout->g_offset[k] < 0)
            continue;
        if (side > 0 && sys->model->joints[j].mean > 0) {
            fill_mean_block(sys, state, j, side - 1, block);
        } else {
            fill_block(sys, state, j, side, block);
        }
    }
}

void tn_joint_accelerations(const tn_system *sys, int32_t j, const double *u, double *gamma)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    tn_joint_row_accelerations(tn_joint_geometry_now(sys, j), &sys->kin[j],
                               tn_system_xform(sys, joint->a), tn_joint_xform_b(sys, joint),
                               tn_assemble_twist(sys, u, joint->a), tn_joint_twist_b(sys, u, joint),
                               gamma);
    add_mean_rates(sys, j, u, gamma);
}

/* True if the active rows are fixed in G: of a joint that constrains a point or an axis and holds no coordinate. */
static bool rows_are_still(const tn_system *sys, const tn_state *state, int32_t j)
{
    const tn_joint_class *cls = sys->model->joints[j].geometry.cls;
    return state->plain[j] && sys->model->joints[j].mean == 0 && !(sys->pieces && sys->pieces[j]) &&
           !sys->kin[j].off && (cls->project == tn_ball_project || !cls->wrench_rates);
}

void tn_joint_active_accelerations(const tn_system *sys, const tn_state *state, int32_t j,
                                   const double *u, double *gamma)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    if (!rows_are_still(sys, state, j)) {
        tn_joint_accelerations(sys, j, u, gamma);
        return;
    }
    tn_joint_still_row_accelerations(&joint->geometry, &sys->kin[j], tn_system_xform(sys, joint->a),
                                     tn_system_xform(sys, joint->b),
                                     tn_assemble_twist(sys, u, joint->a),
                                     tn_assemble_twist(sys, u, joint->b), gamma);
}

double tn_joint_row_mass(const tn_system *sys, const tn_state *state, int32_t j, int32_t row)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_xform *T_A = tn_system_xform(sys, joint->a), *T_B = tn_system_xform(sys, joint->b);
    if (joint->mean > 0)
        return 1.0 / joint->row_scale[row];
    tn_joint_moving moving;
    tn_joint_kinematics kin = {
        .moving = &moving}; /* those of the system are old while the joint is switched off */
    tn_joint_kinematics_update(&joint->geometry, T_A, T_B,
                               state->coordinates + (size_t)j * TN_MAX_COORDINATES, &kin);
    int acts;
    return 1.0 / tn_model_row_scale(sys->model, joint, &kin, &T_A->R, &T_B->R, row, &acts);
}

tn_wrench tn_joint_load(const tn_system *sys, const tn_state *state, int32_t j)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_wrench w = tn_element_total(sys, state, j, j);
    const tn_xform T_CW = xf_mul(&sys->T[joint->a], &joint->geometry.T_CA);
    const tn_vec3 at = v3_add(sys->T[joint->a].p, sys->kin[j].r_A);
    return (tn_wrench){w.f, v3_add(w.m, v3_cross(v3_sub(at, T_CW.p), w.f))};
}

/* The velocity of a planar body at arm r: (v_x, v_y, w). */
static tn_vec3 flat_velocity(const tn_system *sys, const double *u, int32_t body, tn_vec3 r)
{
    if (body < 0)
        return v3(0.0, 0.0, 0.0);
    const double *at = u + sys->model->bodies[body].u;
    return v3(at[0] - at[2] * r.y, at[1] + at[2] * r.x, at[2]);
}

void tn_assemble_joint_twist(const tn_system *sys, const double *u, int32_t j, double twist[6])
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_joint_kinematics *kin = &sys->kin[j];
    if (!joint->geometry.flat) {
        tn_joint_relative_twist(kin, tn_assemble_twist(sys, u, joint->a),
                                tn_joint_twist_b(sys, u, joint), twist);
        return;
    }
    const tn_vec3 v = v3_sub(flat_velocity(sys, u, joint->a, kin->r_A),
                             flat_velocity(sys, u, joint->b, kin->r_B));
    v3_store(twist, m3_turn_back_z(&kin->R_GW, v3(v.x, v.y, 0.0)));
    v3_store(twist + 3, v3(0.0, 0.0, v.z));
}
