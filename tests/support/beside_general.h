/* beside_general.h: test support: loops that have an iteration of their own (method/linkage,
 * method/space) beside themselves without it.
 */
#ifndef TENON_TESTS_BESIDE_GENERAL_H
#define TENON_TESTS_BESIDE_GENERAL_H

#include "alpha_sims.h"
#include "assemble/joint_terms.h"
#include "method/alpha/alpha.h"
#include "method/hinges/alpha_hinges.h"
#include "method/linkage/linkage.h"
#include "method/space/space.h"
#include "same_sims.h"

#define STEP 1e-3 /* s */

/* m: what iterations leave in poses is a force by h^2 in reactions. */
#define TOLERANCE 1e-13
/* m, and rad by ten: what they leave over all steps. */
#define SAME_PLACE 1e-10
/* Of the largest force. */
#define SAME_FORCE 1e-7
/* Share of the forces by which bodies may be off balance. */
#define SAME_BALANCE 1e-9
/* Rounding of kinematics, of coordinates of some metres. */
#define ROUNDED 1e-13

/* Not in coordinates of joints, which test_hinge_loops.c looks at. */
static inline void forget_coordinates(tn_sim *sim)
{
    tn_alpha_hinges_destroy(tn_alpha_of(sim)->hinges);
    tn_alpha_of(sim)->hinges = NULL;
}

static inline tn_sim *tight_sim(const tn_model *model)
{
    tn_sim *sim = alpha_sim_to(model, TOLERANCE);
    forget_coordinates(sim);
    return sim;
}

/* From here on by the general iteration. */
static inline void forget_linkage(tn_sim *sim)
{
    forget_coordinates(sim);
    tn_linkage_destroy(tn_alpha_of(sim)->linkage);
    tn_space_destroy(tn_alpha_of(sim)->space);
    tn_alpha_of(sim)->linkage = NULL;
    tn_alpha_of(sim)->space = NULL;
}

/* Both a step on, with the same status. */
static inline tn_status step_both(tn_sim *one, tn_sim *other, double h)
{
    const tn_status status = tn_sim_step(one, h, NULL);
    ck_assert_int_eq(tn_sim_step(other, h, NULL), status);
    return status;
}

/* After step k. */
static inline void expect_same_places(const tn_sim *one, const tn_sim *other, const char *name,
                                      int k)
{
    for (int32_t i = 0; i < one->model->body_count; i++) {
        const double off = apart(one->state.x[i], other->state.x[i]);
        ck_assert_msg(off <= SAME_PLACE, "%s, step %d: body %d off by %g m", name, k, i, off);
    }
}

/* In the same place, and off balance by little, or no more than twice as much. */
static inline void expect_as_general(const tn_sim *sim, const tn_sim *general, int k)
{
    expect_same_places(sim, general, "beside the general iteration", k);
    ck_assert_double_le(balance_of(sim), fmax(SAME_BALANCE, 2.0 * balance_of(general)));
}

/* Both a step on, with the same bits in all that is saved, told and shown; false: they have failed. */
static inline bool step_alike(tn_sim *one, tn_sim *other, double h, int k)
{
    if (step_both(one, other, h) != TN_OK)
        return false;
    ck_assert_msg(is_same_state(one, other), "step %d", k);
    if (one->coordinates_known)
        check_same_kinematics(one, other);
    return true;
}

/* Largest of what joints bear, what this differs by (N, N m), and what their first coordinates do (rad). */
typedef struct joints_off {
    double size, wrench, angle;
} joints_off;

static inline joints_off compare_joints(const tn_sim *one, const tn_sim *other)
{
    const tn_vec3 none = {0.0, 0.0, 0.0};
    joints_off off = {0.0, 0.0, 0.0};
    for (int32_t j = 0; j < one->model->joint_count; j++) {
        const tn_wrench a = tn_sim_joint_wrench(one, (tn_joint){j}, TN_WRENCH_ON_A);
        const tn_wrench b = tn_sim_joint_wrench(other, (tn_joint){j}, TN_WRENCH_ON_A);
        off.size = fmax(off.size, fmax(apart(a.f, none), apart(a.m, none)));
        off.wrench = fmax(off.wrench, fmax(apart(a.f, b.f), apart(a.m, b.m)));
        off.angle = fmax(off.angle, fabs(tn_state_coordinate(&one->state, j, 0) -
                                         tn_state_coordinate(&other->state, j, 0)));
    }
    return off;
}

/* Kinematics are as the general function finds them, but for rounding. */
static inline void check_kinematics(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_joint_kinematics seen = sim->sys.kin[j];
        tn_joint_refresh(&sim->sys, &sim->state, j);
        const tn_joint_kinematics *kin = &sim->sys.kin[j];
        const double *one[] = {&seen.R_GW.m[0][0],   &seen.r_A.x,    &seen.r_B.x,
                               &seen.T_GD.R.m[0][0], &seen.T_GD.p.x, seen.error};
        const double *other[] = {&kin->R_GW.m[0][0],   &kin->r_A.x,    &kin->r_B.x,
                                 &kin->T_GD.R.m[0][0], &kin->T_GD.p.x, kin->error};
        const int counts[] = {9, 3, 3, 9, 3, 6};
        for (int p = 0; p < 6; p++) {
            for (int n = 0; n < counts[p]; n++)
                ck_assert_double_le(fabs(one[p][n] - other[p][n]), ROUNDED);
        }
    }
}

#endif
