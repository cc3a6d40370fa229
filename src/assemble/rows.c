/* rows.c: room assemble: the joints' part of the equations: kinematics, G, errors, gamma, forces.
 */
#include <math.h>

#include "assemble/body_terms.h"
#include "assemble/drive_terms.h"
#include "assemble/joint_terms.h"

void tn_assemble_poses(tn_system *sys, const tn_vec3 *x, const tn_quat *q)
{
    for (int32_t i = 0; i < sys->model->body_count; i++) {
        sys->T[i].R = tn_body_rotation(&sys->model->bodies[i], q[i]);
        sys->T[i].p = x[i];
    }
}

void tn_assemble_joints(tn_system *sys, const tn_state *state)
{
    for (int32_t j = 0; j < sys->model->element_count; j++)
        if (tn_state_is_on(sys->model, state, j))
            tn_joint_refresh(sys, state, j);
}

/* The angle of a pin, which turns by the difference of its bodies' speeds. */
static void follow_pin(const tn_system *sys, const tn_state *state, const tn_model_joint *joint,
                       const tn_joint_kinematics *kin, double before, double h, double *q)
{
    const tn_model_body *bodies = sys->model->bodies;
    double speed = state->u[bodies[joint->a].u + 2];
    if (joint->b >= 0)
        speed -= state->u[bodies[joint->b].u + 2];
    const double predicted = before + h * speed;
    joint->geometry.cls->pose_to_coordinates(&joint->geometry.setup, &kin->T_GD, &predicted, q);
}

void tn_joint_follow(const tn_system *sys, const tn_state *state, int32_t j, double h, double *q)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_joint_kinematics *kin = &sys->kin[j];
    const double *before = state->coordinates + (size_t)j * TN_MAX_COORDINATES;
    double twist[6], speeds[TN_MAX_ROWS], predicted[TN_MAX_COORDINATES];
    if (joint->geometry.pin && joint->geometry.cls->info.coordinate_count == 1) {
        follow_pin(sys, state, joint, kin, before[0], h, q);
        return;
    }
    tn_assemble_joint_twist(sys, state->u, j, twist);
    tn_joint_motion_speeds(&joint->geometry, kin, twist, speeds);
    tn_joint_predict(joint->geometry.cls, before, kin->q, speeds, h, predicted);
    tn_joint_measure(sys, state, j, predicted, q);
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
    if (joint->geometry.cls->axes && body->kind == TN_BODY_PLANAR)
        fill_planar_axis_rows(kin, joint->geometry.cls->axes, rows, r, sign, block);
    else if (joint->geometry.cls->axes && body->dim == 6)
        fill_axis_rows(kin, joint->geometry.cls->axes, rows, R, r, sign, block);
    else
        fill_sliced_rows(&joint->geometry, kin, rows, body->kind, R, r, sign, block);
}

void tn_joint_fill(tn_system *sys, const tn_state *state, int32_t j)
{
    const tn_kkt_layout *layout = sys->layout;
    sys->values->rows[j] = tn_active_rows(sys->model, state, j).count;
    if (tn_is_coupling(sys, j)) {
        if (sys->values->rows[j] > 0)
            tn_coupling_fill(sys, tn_model_as_coupling(sys->model, j));
        return;
    }
    for (int32_t k = layout->dual_start[j]; k < layout->dual_start[j + 1]; k++)
        if (layout->g_offset[k] >= 0)
            fill_block(sys, state, j, k - layout->dual_start[j],
                       sys->values->g + layout->g_offset[k]);
}

void tn_assemble_jacobian(tn_system *sys, const tn_state *state)
{
    for (int32_t j = 0; j < sys->model->element_count; j++)
        tn_joint_fill(sys, state, j);
}

double tn_joint_hold_error(const tn_system *sys, const tn_state *state, int32_t j, int32_t row)
{
    const tn_joint_geometry *geometry = &sys->model->joints[j].geometry;
    const int32_t c = geometry->cls->info.rows[row].coordinate;
    double q[TN_MAX_COORDINATES] = {0};
    if (tn_is_coupling(sys, j))
        q[0] = sys->kin[j].q[0];
    else
        tn_joint_measure(sys, state, j, state->coordinates + (size_t)j * TN_MAX_COORDINATES, q);
    const tn_switches *s = &state->switches[j];
    if (s->hold[c] == TN_HOLD_SPRING)
        return tn_soft_row_error(sys, tn_state_drive(state, j, c), s->compliance[row], q[c]);
    return q[c] - s->hold_value[c];
}

void tn_assemble_errors(tn_system *sys, const tn_state *state, double *phi)
{
    for (int32_t j = 0; j < sys->model->element_count; j++)
        tn_joint_errors(sys, state, j, phi + sys->layout->y_offset[j]);
}

void tn_assemble_gamma(tn_system *sys, const tn_state *state, const double *u, double *gamma)
{
    for (int32_t j = 0; j < sys->model->element_count; j++) {
        const tn_model_joint *joint = &sys->model->joints[j];
        const tn_switches *s = &state->switches[j];
        if (s->active_count == 0)
            continue;
        if (tn_is_coupling(sys, j)) {
            gamma[sys->layout->y_offset[j]] =
                tn_coupling_gamma(sys, tn_model_as_coupling(sys->model, j), u);
            continue;
        }
        double all[TN_MAX_ROWS];
        tn_joint_row_accelerations(&joint->geometry, &sys->kin[j], tn_system_xform(sys, joint->a),
                                   tn_system_xform(sys, joint->b),
                                   tn_assemble_twist(sys, u, joint->a),
                                   tn_assemble_twist(sys, u, joint->b), all);
        for (int32_t n = 0; n < s->active_count; n++)
            gamma[sys->layout->y_offset[j] + n] = all[s->active[n]];
    }
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
                                tn_assemble_twist(sys, u, joint->b), twist);
        return;
    }
    const tn_vec3 v = v3_sub(flat_velocity(sys, u, joint->a, kin->r_A),
                             flat_velocity(sys, u, joint->b, kin->r_B));
    v3_store(twist, m3_turn_back_z(&kin->R_GW, v3(v.x, v.y, 0.0)));
    v3_store(twist + 3, v3(0.0, 0.0, v.z));
}

void tn_assemble_speeds(const tn_system *sys, const tn_state *state, const double *u,
                        double *speeds)
{
    for (int32_t j = 0; j < sys->model->element_count; j++)
        if (state->switches[j].active_count > 0)
            tn_joint_speeds(sys, state, j, u, speeds + sys->layout->y_offset[j]);
}

/* The slot of a motion row among the active rows of its joint, -1: it is not active. */
static int64_t slot_of(const tn_system *sys, const tn_state *state, int32_t j, int32_t row)
{
    const tn_switches *s = &state->switches[j];
    for (int32_t n = 0; n < s->active_count; n++)
        if (s->active[n] == row)
            return sys->layout->y_offset[j] + n;
    return -1;
}

int64_t tn_drive_slot(const tn_system *sys, const tn_state *state, const tn_drive *drive)
{
    const tn_model_joint *joint = &sys->model->joints[drive->joint];
    return slot_of(sys, state, drive->joint, tn_motion_row(joint, drive->coordinate));
}

void tn_assemble_hold_rates(const tn_system *sys, const tn_state *state, int rate, double *g)
{
    for (int32_t k = 0; k < state->head->drive_count; k++) {
        const tn_drive *drive = &state->drives[k];
        const int8_t hold = state->switches[drive->joint].hold[drive->coordinate];
        const int64_t slot = tn_drive_slot(sys, state, drive);
        if (slot >= 0 && (hold == TN_HOLD_DRIVER || hold == TN_HOLD_MOTOR))
            g[slot] += rate == 1 ? drive->rate : drive->acceleration;
    }
}

/* R of a row that is to be left out, in units of its scale: it then carries no force. */
#define TN_LEFT_OUT 1e30

/* Share of the scale at the start that a row without slopes has. */
#define TN_LEAST_SCALE 1e-12

/* Slopes of a coupling change as it moves: its scale is that of now, if there is any. */
static double row_scale(const tn_system *sys, int32_t j, int32_t row)
{
    const double at_start = sys->model->joints[j].row_scale[row];
    if (!tn_is_coupling(sys, j))
        return at_start;
    return fmax(tn_coupling_scale(sys, tn_model_as_coupling(sys->model, j)),
                TN_LEAST_SCALE * at_start);
}

/* The rows of an element that yield or are left out. */
static void soften_rows(tn_system *sys, const tn_state *state, const tn_row_law *law, int32_t j)
{
    const tn_switches *s = &state->switches[j];
    const int64_t slot = sys->layout->y_offset[j];
    for (int32_t n = 0; n < s->active_count; n++) {
        const int32_t row = s->active[n];
        const double C = s->compliance[row], D = s->damping[row];
        const double far = TN_LEFT_OUT * sys->values->a[slot + n];
        if (C > 0.0)
            sys->values->e[slot + n] = 0.0;
        if (tn_joint_row_vanished(&sys->model->joints[j].geometry, &sys->kin[j], row))
            sys->values->r[slot + n] = far;
        else if (C > 0.0)
            sys->values->r[slot + n] =
                law->leave_out_compliant ? far : law->scale * C / (law->shift + law->rate * C * D);
    }
}

void tn_joint_fill_law(tn_system *sys, const tn_state *state, const tn_row_law *law, int32_t j)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_row_list rows = tn_active_rows(sys->model, state, j);
    const int64_t slot = sys->layout->y_offset[j];
    const double epsilon = joint->in_loop ? tn_loop_epsilon(state) * joint->softness : 0.0;
    for (int32_t n = 0; n < rows.count; n++) {
        const double A = row_scale(sys, j, rows.row[n]);
        sys->values->a[slot + n] = A;
        sys->values->e[slot + n] = epsilon * A;
        sys->values->r[slot + n] = 0.0;
    }
    if (!state->plain[j] || joint->geometry.cls->rows_may_vanish)
        soften_rows(sys, state, law, j);
}

void tn_assemble_row_law(tn_system *sys, const tn_state *state, const tn_row_law *law)
{
    for (int32_t j = 0; j < sys->model->element_count; j++)
        tn_joint_fill_law(sys, state, law, j);
}

tn_wrench tn_assemble_joint_wrench(const tn_system *sys, const tn_state *state, int32_t joint,
                                   const double *lambda)
{
    return tn_joint_wrench(&sys->model->joints[joint].geometry, &sys->kin[joint],
                           &state->switches[joint], lambda);
}

void tn_assemble_joint_forces(const tn_system *sys, const tn_state *state, double *f)
{
    for (int32_t j = 0; j < sys->model->element_count; j++)
        tn_joint_add_forces(sys, state, j, state->lambda + (size_t)j * TN_MAX_ROWS, f);
}
