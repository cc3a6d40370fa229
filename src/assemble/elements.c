/* elements.c: room assemble: the loops over all elements: kinematics, G, errors, speeds, gamma,
 * forces.
 */
#include "assemble/elements.h"

#include <math.h>

#include "assemble/body_terms.h"
#include "assemble/holds.h"
#include "base/base.h"

void tn_assemble_poses(tn_system *sys, const tn_vec3 *x, const tn_quat *q)
{
    for (int32_t i = 0; i < sys->model->body_count; i++) {
        sys->T[i].R = tn_body_rotation(&sys->model->bodies[i], q[i]);
        sys->T[i].p = x[i];
    }
}

TN_INLINE void refresh(const tn_element_ops *ops, int32_t first, int32_t end, tn_system *sys,
                       const tn_state *state)
{
    for (int32_t j = first; j < end; j++) {
        if (tn_state_is_on(sys->model, state, j))
            ops->refresh(sys, state, j);
    }
}

void tn_assemble_joints(tn_system *sys, const tn_state *state)
{
    TN_BOTH_KINDS(refresh, sys->model, sys, state);
}

/* Only of elements that are on: off ones keep theirs. */
TN_INLINE void follow(const tn_element_ops *ops, int32_t first, int32_t end, tn_system *sys,
                      const tn_state *state, double h, double *coordinates)
{
    for (int32_t j = first; j < end; j++) {
        if (tn_state_is_on(sys->model, state, j) &&
            sys->model->joints[j].geometry.cls->info.coordinate_count > 0)
            ops->follow(sys, state, j, h, coordinates + (size_t)j * TN_MAX_COORDINATES);
    }
}

void tn_assemble_coordinates(tn_system *sys, const tn_state *state, double h, double *coordinates)
{
    sys->lead = 0.0; /* couplings read those of their joints */
    TN_BOTH_KINDS(follow, sys->model, sys, state, h, coordinates);
}

static void fill(const tn_element_ops *ops, tn_system *sys, const tn_state *state, int32_t j)
{
    sys->values->rows[j] = tn_active_rows(sys->model, state, j).count;
    ops->fill(sys, state, j);
}

void tn_assemble_jacobian(tn_system *sys, const tn_state *state)
{
    for (int32_t j = 0; j < sys->model->element_count; j++)
        fill(tn_element_ops_of(sys, j), sys, state, j);
}

double tn_element_hold_error(const tn_system *sys, const tn_state *state, int32_t j, int32_t row)
{
    const tn_switches *s = &state->switches[j];
    const int32_t c = sys->model->joints[j].geometry.cls->info.rows[row].coordinate;
    tn_dd q[TN_MAX_COORDINATES] = {{0.0, 0.0}};
    tn_element_ops_of(sys, j)->measure(sys, state, j,
                                       state->coordinates + (size_t)j * TN_MAX_COORDINATES, q);
    if (s->hold[c] == TN_HOLD_SPRING)
        return tn_soft_row_error(sys, tn_state_drive(state, j, c), s->compliance[row], q[c].hi);
    const double held_rest =
        tn_hold_kinds[s->hold[c]].moves ? tn_state_drive(state, j, c)->held_rest : 0.0;
    return (q[c].hi - s->hold_value[c]) + (q[c].lo - held_rest);
}

void tn_assemble_errors(tn_system *sys, const tn_state *state, double *phi)
{
    for (int32_t j = 0; j < sys->model->element_count; j++)
        tn_element_errors(sys, state, j, phi + sys->layout->y_offset[j]);
    tn_clear_armatures(sys, phi);
}

TN_INLINE void put_gamma(const tn_element_ops *ops, int32_t first, int32_t end,
                         const tn_system *sys, const tn_state *state, const double *u,
                         double *gamma)
{
    for (int32_t j = first; j < end; j++) {
        const tn_switches *s = &state->switches[j];
        double all[TN_MAX_ROWS];
        if (s->active_count == 0)
            continue;
        ops->active_accelerations(sys, state, j, u, all);
        for (int32_t n = 0; n < s->active_count; n++)
            gamma[sys->layout->y_offset[j] + n] = all[s->active[n]];
    }
}

void tn_assemble_gamma(tn_system *sys, const tn_state *state, const double *u, double *gamma)
{
    TN_BOTH_KINDS(put_gamma, sys->model, sys, state, u, gamma);
    tn_clear_armatures(sys, gamma);
}

TN_INLINE void add_speeds(const tn_element_ops *ops, int32_t first, int32_t end,
                          const tn_system *sys, const tn_state *state, const double *u,
                          double *speeds)
{
    for (int32_t j = first; j < end; j++)
        tn_element_speeds(ops, sys, state, j, u, speeds + sys->layout->y_offset[j]);
}

void tn_assemble_speeds(const tn_system *sys, const tn_state *state, const double *u,
                        double *speeds)
{
    TN_BOTH_KINDS(add_speeds, sys->model, sys, state, u, speeds);
    tn_clear_armatures(sys, speeds);
}

/* The slot of a motion row among the active rows of its joint, -1: it is not active. */
static int64_t slot_of(const tn_system *sys, const tn_state *state, int32_t j, int32_t row)
{
    const tn_switches *s = &state->switches[j];
    for (int32_t n = 0; n < s->active_count; n++) {
        if (s->active[n] == row)
            return sys->layout->y_offset[j] + n;
    }
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
        const int64_t slot = tn_drive_slot(sys, state, drive);
        if (slot >= 0 && tn_hold_kind_of(state, drive->joint, drive->coordinate)->moves)
            g[slot] += rate == 1 ? drive->rate : drive->acceleration;
    }
}

/* R of a row that is to be left out, in units of its scale: it then carries no force. */
#define TN_LEFT_OUT 1e30

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
        if (tn_joint_row_vanished(&sys->model->joints[j].geometry, &sys->kin[j], row)) {
            sys->values->r[slot + n] = far;
        } else if (C > 0.0) {
            sys->values->r[slot + n] =
                law->leave_out_compliant ? far : law->scale * C / (law->shift + law->rate * C * D);
        }
    }
}

/* R, E and scale of the active rows of one element. */
TN_INLINE void fill_law(const tn_element_ops *ops, tn_system *sys, const tn_state *state,
                        const tn_row_law *law, int32_t j)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    const tn_row_list rows = tn_active_rows(sys->model, state, j);
    const int64_t slot = sys->layout->y_offset[j];
    const double epsilon = joint->in_loop ? tn_rows_epsilon(sys, state) * joint->softness : 0.0;
    for (int32_t n = 0; n < rows.count; n++) {
        const double A = ops->scale(sys, j, rows.row[n]);
        sys->values->a[slot + n] = A;
        sys->values->e[slot + n] = epsilon * A;
        sys->values->r[slot + n] = 0.0;
    }
    if (!state->plain[j] || joint->geometry.cls->rows_may_vanish)
        soften_rows(sys, state, law, j);
}

TN_INLINE void fill_laws(const tn_element_ops *ops, int32_t first, int32_t end, tn_system *sys,
                         const tn_state *state, const tn_row_law *law)
{
    for (int32_t j = first; j < end; j++)
        fill_law(ops, sys, state, law, j);
}

void tn_assemble_row_law(tn_system *sys, const tn_state *state, const tn_row_law *law)
{
    TN_BOTH_KINDS(fill_laws, sys->model, sys, state, law);
}

void tn_element_fill(tn_system *sys, const tn_state *state, const tn_row_law *law, int32_t j)
{
    const tn_element_ops *ops = tn_element_ops_of(sys, j);
    fill(ops, sys, state, j);
    if (ops == &tn_joint_ops) {
        fill_law(&tn_joint_ops, sys, state, law, j);
    } else {
        fill_law(&tn_coupling_ops, sys, state, law, j);
    }
}

tn_wrench tn_assemble_joint_wrench(const tn_system *sys, const tn_state *state, int32_t joint,
                                   const double *lambda)
{
    return tn_joint_part_wrench(sys, state, joint, joint, lambda);
}

TN_INLINE void add_forces(const tn_element_ops *ops, int32_t first, int32_t end,
                          const tn_system *sys, const tn_state *state, double *f)
{
    for (int32_t j = first; j < end; j++)
        tn_element_add_forces(ops, sys, state, j, state->lambda + (size_t)j * TN_MAX_ROWS, f);
}

void tn_assemble_joint_forces(const tn_system *sys, const tn_state *state, double *f)
{
    TN_BOTH_KINDS(add_forces, sys->model, sys, state, f);
}

tn_wrench tn_element_total(const tn_system *sys, const tn_state *state, int32_t j, int32_t p)
{
    const tn_element_ops *ops = tn_element_ops_of(sys, j);
    const tn_wrench w = ops->wrench(sys, state, j, p, state->lambda + (size_t)j * TN_MAX_ROWS);
    if (state->switches[j].drive == TN_NO_DRIVE)
        return w;
    const tn_wrench known = ops->known(sys, state, j, p);
    return (tn_wrench){v3_add(w.f, known.f), v3_add(w.m, known.m)};
}

void tn_element_add_known(const tn_system *sys, const tn_state *state, int32_t j, double *f)
{
    const tn_element_ops *ops = tn_element_ops_of(sys, j);
    for (int32_t p = sys->model->through_start[j]; p < sys->model->through_start[j + 1]; p++)
        tn_joint_add_wrench(sys, sys->model->through[p], ops->known(sys, state, j, p), f);
}
