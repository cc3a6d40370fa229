/* same_sims.h: two simulations of one model, bit by bit; and how far bodies are apart, and off balance. */
#ifndef TN_TESTS_SAME_SIMS_H
#define TN_TESTS_SAME_SIMS_H

#include <check.h>
#include <math.h>
#include <string.h>

#include "motion/simulation.h"
#include "saved_states.h"
#include "tenon/tenon.h"

static inline double apart(tn_vec3 a, tn_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static inline double balance_of(const tn_sim *sim)
{
    tn_balance balance;
    ck_assert_int_eq(tn_sim_balance(sim, &balance), TN_OK);
    return fmax(balance.force, balance.moment);
}

/* What is saved, the books of the last step, and poses. */
static inline bool is_same_state(const tn_sim *one, const tn_sim *other)
{
    return is_same_saved(one, other) &&
           memcmp(&one->told.moved, &other->told.moved, sizeof one->told.moved) == 0 &&
           memcmp(one->sys.T, other->sys.T, sizeof *one->sys.T * (size_t)one->model->body_count) ==
               0;
}

static inline void check_same_kinematics(const tn_sim *one, const tn_sim *other)
{
    for (int32_t j = 0; j < one->model->joint_count; j++) {
        const tn_joint_kinematics *a = &one->sys.kin[j], *b = &other->sys.kin[j];
        ck_assert(memcmp(a, b, offsetof(tn_joint_kinematics, unique)) == 0);
    }
}

#endif
