/* held_turns.c: room motion/tree: see held_turns.h. */
#include "motion/tree/held_turns.h"

#include <math.h>

/* Sine below which rows of held coordinates do not tell turns apart: what rounding leaves of them grows as its
 * inverse, to the tolerance of a step. Squared. */
#define TN_NO_SPAN 1e-6

static bool find_dual(tn_held_turns *held)
{
    const tn_vec3 *n = held->n;
    const double first = v3_dot(n[0], n[0]);
    if (held->count == 1) {
        held->dual[0] = v3_scale(1.0 / first, n[0]);
        return first > 0.0;
    }
    const tn_vec3 across = v3_cross(n[0], n[1]);
    const double square = v3_dot(across, across), both = first * v3_dot(n[1], n[1]);
    if (held->count == 2) {
        held->dual[0] = v3_scale(1.0 / square, v3_cross(n[1], across));
        held->dual[1] = v3_scale(1.0 / square, v3_cross(across, n[0]));
        return square > TN_NO_SPAN * both;
    }
    const double volume = v3_dot(across, n[2]);
    held->dual[0] = v3_scale(1.0 / volume, v3_cross(n[1], n[2]));
    held->dual[1] = v3_scale(1.0 / volume, v3_cross(n[2], n[0]));
    held->dual[2] = v3_scale(1.0 / volume, across);
    return volume * volume > TN_NO_SPAN * both * v3_dot(n[2], n[2]);
}

bool tn_held_turns_find(const tn_sim *sim, int32_t j, tn_held_turns *held)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
    held->count = 0;
    for (int32_t i = joint->kept_bilateral; i < rows.count; i++) {
        tn_vec3 force;
        const int32_t k = held->count++;
        held->row[k] = rows.row[i];
        tn_joint_row_wrench(&joint->geometry, &sim->sys.kin[j], rows.row[i], &force, &held->n[k]);
    }
    return find_dual(held);
}

/* A unit vector square to another. */
static tn_vec3 square_to(tn_vec3 n)
{
    const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    const tn_vec3 other = x <= y && x <= z ? v3(1.0, 0.0, 0.0)
                          : y <= z         ? v3(0.0, 1.0, 0.0)
                                           : v3(0.0, 0.0, 1.0);
    const tn_vec3 across = v3_cross(n, other);
    return v3_scale(1.0 / v3_norm(across), across);
}

void tn_held_turns_leave(const tn_held_turns *held, bool is_hinge, tn_limb *limb)
{
    const tn_vec3 n = held->n[0];
    limb->joint = is_hinge || held->count == 3 ? TN_LIMB_WELD
                  : held->count == 2           ? TN_LIMB_HINGE
                                               : TN_LIMB_CROSS;
    if (limb->joint == TN_LIMB_HINGE) {
        const tn_vec3 axis = v3_cross(n, held->n[1]);
        limb->of.hinge.axis = v3_scale(1.0 / v3_norm(axis), axis);
    } else if (limb->joint == TN_LIMB_CROSS) {
        const tn_vec3 y = square_to(n);
        limb->of.cross.axis[0] = y;
        limb->of.cross.axis[1] = v3_scale(1.0 / v3_norm(n), v3_cross(n, y));
    }
}
