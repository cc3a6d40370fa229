/* unique.c: room redundancy: which reactions are the same whatever the redundant rows
 * share.
 *
 * In: the stresses of the hard rows. Reactions lambda and lambda + N alpha move the mechanism
 * alike; row i is unique where the row N_i is zero, a component of a joint's wrench where it is
 * zero in the wrenches that N makes there. Zero is meant relative to the largest
 * entry and to how exactly N is known: the ratio of the largest singular value called zero to the
 * smallest kept.
 *
 * Friction with a coefficient is proportional to the force of its joint's constraints, and sticking friction with a
 * static level above the kinetic one slips by its own force. If such a force is not unique, neither is the motion.
 * The same holds for joints that break under their load.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "measure/measure.h"
#include "redundancy/redundancy.h"

/* Share of the largest entry that is round-off when the geometry is exact. */
#define TN_UNIQUE_ZERO 1e-9
/* Safety on the error of N by what was called zero. */
#define TN_UNIQUE_FACTOR 30.0
/* The same for joints that do not close: axes that should be one differ by about the error. */
#define TN_UNIQUE_OPEN 100.0

/* Wrench of multipliers (slots) of joint j in C, about C's origin. */
static void wrench_in_c(const tn_red_pose *pose, int32_t j, const double *lambda, double out[6])
{
    const tn_model_joint *joint = &pose->model->joints[j];
    const tn_switches *s = &pose->state.switches[j];
    double all[TN_MAX_ROWS] = {0};
    for (int32_t n = 0; n < s->active_count; n++)
        all[s->active[n]] = lambda[pose->sys.layout->y_offset[j] + n];
    const tn_wrench w = tn_assemble_joint_wrench(&pose->sys, &pose->state, j, all);
    const tn_xform *T_A = tn_system_xform(&pose->sys, joint->a);
    const tn_xform T_CW = xf_mul(T_A, &joint->geometry.T_CA);
    const tn_vec3 arm = v3_sub(v3_add(T_A->p, pose->sys.kin[j].r_A), T_CW.p);
    v3_store(out, m3_tmulv(&T_CW.R, w.f));
    v3_store(out + 3, m3_tmulv(&T_CW.R, v3_add(w.m, v3_cross(arm, w.f))));
}

/* Square of the force to which friction in joint j is proportional, for the given multipliers (slots): that of the
 * joint's constraints, without rows that hold coordinates (assemble/drive_terms.c). */
static double squared_press(const tn_red_pose *pose, int32_t j, const double *lambda)
{
    const tn_switches *s = &pose->state.switches[j];
    const int32_t bilateral = pose->model->joints[j].geometry.cls->info.bilateral_count;
    double constraint[TN_MAX_ROWS] = {0};
    for (int32_t n = 0; n < s->active_count; n++) {
        if (s->active[n] < bilateral)
            constraint[s->active[n]] = lambda[pose->sys.layout->y_offset[j] + n];
    }
    const tn_vec3 f = tn_assemble_joint_wrench(&pose->sys, &pose->state, j, constraint).f;
    return v3_dot(f, f);
}

/* Sums of squares, over the stresses, of their parts in each row and wrench component of a joint, and in the force to
 * which friction is proportional. */
typedef struct squares {
    double rows[TN_MAX_ROWS], wrench[6], press;
} squares;

static squares sum_squares(const tn_red_pose *pose, const tn_red_closure *hard, int32_t j)
{
    const tn_switches *s = &pose->state.switches[j];
    const tn_joint_type_info *info = &pose->model->joints[j].geometry.cls->info;
    squares sum = {{0}, {0}, 0.0};
    for (int32_t k = 0; k < hard->count && s->active_count > 0; k++) {
        const double *lambda = hard->stress[k].lambda;
        double w[6] = {0};
        if (tn_model_as_coupling(pose->model, j) < 0) {
            wrench_in_c(pose, j, lambda, w);
            sum.press += squared_press(pose, j, lambda);
        }
        for (int i = 0; i < 6; i++)
            sum.wrench[i] += w[i] * w[i];
        for (int32_t n = 0; n < s->active_count; n++) {
            const double own = lambda[pose->sys.layout->y_offset[j] + n];
            sum.rows[s->active[n]] += own * own;
        }
    }
    for (int i = 3; i < 6; i++)
        sum.wrench[i] /= pose->size * pose->size;
    for (int32_t r = 0; r < info->row_count; r++) {
        if (!(info->rows[r].flags & TN_ROW_LINEAR))
            sum.rows[r] /= pose->size * pose->size;
    }
    return sum;
}

/* Clears the mask of friction that depends on a force which is not unique: of the joint's constraints, or, where it
 * sticks and its static level is above the kinetic one, its own. */
static void mark_friction(const tn_red_pose *pose, int32_t j, bool pressed,
                          tn_joint_uniqueness *unique)
{
    const tn_switches *s = &pose->state.switches[j];
    for (int32_t k = s->drive; k != TN_NO_DRIVE && s->enabled; k = pose->state.drives[k].next) {
        const tn_drive *drive = &pose->state.drives[k];
        const tn_drive_settings *set = &drive->set;
        const tn_hold hold = (tn_hold)s->hold[drive->coordinate];
        const uint32_t own = 1u << tn_motion_row(&pose->model->joints[j], drive->coordinate);
        const bool by_press = pressed && set->static_share > 0.0;
        const bool lets_go =
            set->static_friction > set->friction || set->static_share > set->friction_share;
        const bool by_itself = hold == TN_HOLD_FRICTION && lets_go && !(unique->rows & own);
        if (by_press || by_itself)
            unique->friction &= ~(1u << drive->coordinate);
        if (by_press && hold != TN_HOLD_FRICTION && hold < TN_HOLD_LOCK)
            unique->rows &= ~own;
    }
}

/* Bits of wrench that are forces, and those that are moments. */
#define TN_FORCES  7u
#define TN_MOMENTS 56u

/* Thresholds with which a load is compared that is not unique; of a coupling that is its one row's. */
static void mark_breaks(const tn_red_pose *pose, int32_t j, tn_joint_uniqueness *unique)
{
    const tn_switches *s = &pose->state.switches[j];
    const bool coupling = tn_model_as_coupling(pose->model, j) >= 0;
    const bool force = coupling ? unique->rows & 1u : (unique->wrench & TN_FORCES) == TN_FORCES;
    const bool moment = coupling || (unique->wrench & TN_MOMENTS) == TN_MOMENTS;
    unique->breaks = ~0u;
    if (isfinite(s->break_force) && s->enabled && !force)
        unique->breaks &= ~1u;
    if (isfinite(s->break_torque) && s->enabled && !moment)
        unique->breaks &= ~2u;
}

tn_status tn_red_uniqueness_find(const tn_red_pose *pose, const tn_red_closure *hard,
                                 tn_red_storage *storage, tn_analysis *out)
{
    const int32_t elements = pose->model->element_count;
    tn_joint_uniqueness *unique =
        TN_ARENA_ARRAY(&storage->arena, tn_joint_uniqueness, elements + 1);
    if (!unique)
        return TN_ERROR_MEMORY;
    out->joints = unique;
    out->joint_count = pose->model->joint_count;
    out->indeterminate = hard->count;
    out->uniqueness_tolerance =
        fmax(TN_UNIQUE_ZERO, fmax(TN_UNIQUE_FACTOR * hard->gap_low / hard->gap_high,
                                  TN_UNIQUE_OPEN * pose->residual / fmin(1.0, pose->size)));
    double largest = 0.0;
    for (int32_t j = 0; j < elements; j++) {
        const squares sum = sum_squares(pose, hard, j);
        for (int i = 0; i < 6; i++)
            largest = fmax(largest, sum.wrench[i]);
        if (tn_model_as_coupling(pose->model, j) >= 0)
            largest = fmax(largest, sum.rows[0]);
    }
    storage->stresses.zero = sqrt(largest) * out->uniqueness_tolerance;
    const double zero = largest * out->uniqueness_tolerance * out->uniqueness_tolerance;
    for (int32_t j = 0; j < elements; j++) {
        const squares sum = sum_squares(pose, hard, j);
        for (int i = 0; i < 6; i++) {
            unique[j].rows |= (sum.rows[i] <= zero ? 1u : 0u) << i;
            unique[j].wrench |= (sum.wrench[i] <= zero ? 1u : 0u) << i;
        }
        unique[j].friction = ~0u;
        if (tn_model_as_coupling(pose->model, j) < 0)
            mark_friction(pose, j, sum.press > zero, &unique[j]);
        mark_breaks(pose, j, &unique[j]);
    }
    return TN_OK;
}
