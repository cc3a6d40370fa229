/* rank.c: room redundancy: how many of the active rows are independent at the current pose.
 *
 * The count is that of the redundancy analysis, by the same equations and the same threshold, so
 * that the two cannot differ; it needs no stresses and takes any number of loops.
 */
#include <string.h>

#include "base/base.h"
#include "motion/simulation.h"
#include "redundancy/redundancy.h"
#include "tenon/results.h"

static tn_status count_at(tn_red_pose *pose, tn_rank *out)
{
    tn_red_closure found = {0};
    const tn_status status = tn_red_count_at(pose, &found);
    if (status != TN_OK)
        return status;
    *out = (tn_rank){
        .rows = found.rows,
        .rank = found.rank,
        .redundant = found.count,
        .dof = pose->model->size.velocities - found.rank,
        .gap_low = found.gap_low,
        .gap_high = found.gap_high,
        .unclear = tn_red_is_unclear(&found, TN_RED_ZERO),
    };
    return TN_OK;
}

tn_status tn_sim_rank(const tn_sim *sim, tn_rank *out)
{
    if (!sim || !out)
        return TN_ERROR_ARGUMENT;
    memset(out, 0, sizeof *out);
    tn_red_pose pose;
    tn_status status = tn_red_pose_create(sim->model, &pose);
    if (status == TN_OK) {
        tn_red_pose_take(&pose, &sim->state);
        const int32_t compliant = tn_red_pose_yield(&pose);
        status = count_at(&pose, out);
        out->compliant = compliant;
    }
    tn_red_pose_destroy(&pose);
    return status;
}
