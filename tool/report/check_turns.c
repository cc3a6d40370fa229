/* check_turns.c: motors that are to turn on and on: do they get round?
 *
 * A coordinate that a motor drives at a constant speed and that has no range is led once round in
 * the motor's direction; where a dead point stops it, that is told. The simulation stays where it
 * is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/check_turns.h"
#include "pick/marker.h"
#include "tenon/coords.h"

#define TURN 6.28318530717958647693 /* rad */

/* The direction of a motor at constant speed; 0: none. */
static double direction_of(const tn_drive_def *drive)
{
    const tn_function_def *speed = &drive->motor.speed;
    if (speed->kind != TN_FUNCTION_CONSTANT || speed->count != 1 || speed->numbers[0] == 0.0)
        return 0.0;
    return copysign(1.0, speed->numbers[0]);
}

static bool turns_freely(const tn_sim *sim, tn_joint joint, int32_t i)
{
    double lower = -INFINITY, upper = INFINITY;
    tn_sim_get_range(sim, joint, i, &lower, &upper);
    return isinf(lower) && isinf(upper) &&
           tn_model_joint_info(tn_sim_model(sim), joint)->coordinates[i].angular;
}

/* Leads it once round; true if a dead point stops it, at *at. The simulation is as before then. */
static bool is_stopped(tn_sim *sim, const void *block, tn_joint joint, int32_t i, double direction,
                       double *at)
{
    double q[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_coordinates(sim, joint, q);
    const tn_coordinate_request round = {
        .joint = joint, .coordinate = i, .value = q[i] + direction * TURN};
    tn_coordinate_answer answer;
    const bool stopped = tn_sim_set_coordinates(sim, &round, 1, NULL, &answer, NULL) == TN_OK &&
                         answer.outcome == TN_COORDINATE_LIMITED &&
                         tn_sim_find_dead_point(sim, joint, i, direction, at) == TN_OK;
    tn_sim_restore(sim, block);
    return stopped;
}

/* Where a motor cannot get to, and where it could not either, the other way. */
static void check_motor(tn_sim *sim, const void *block, const tn_joint_def *def, tn_joint joint,
                        const tn_drive_def *drive, tn_diagnostics *diags)
{
    const int32_t i = drive->coordinate;
    const double direction = direction_of(drive);
    double at, back;
    char other[64] = "";
    if (direction == 0.0 || !turns_freely(sim, joint, i) ||
        !is_stopped(sim, block, joint, i, direction, &at))
        return;
    if (is_stopped(sim, block, joint, i, -direction, &back))
        snprintf(other, sizeof other, ", the other way at %.6g deg", back * TOOL_DEGREES);
    tn_diagnostics_add(diags, TN_WARNING, TN_OK, def->at, "change lengths, or give it a range",
                       "the motor of '%.100s' cannot go round: %s has a dead point at %.6g deg%s",
                       def->name,
                       tn_model_joint_info(tn_sim_model(sim), joint)->coordinates[i].name,
                       at * TOOL_DEGREES, other);
}

tn_status tool_check_turns(tn_sim *sim, const tn_spec *spec, tn_diagnostics *diags)
{
    void *block = malloc(tn_sim_state_size(sim));
    if (!block)
        return TN_ERROR_MEMORY;
    tn_sim_save(sim, block);
    for (int32_t j = 0; j < tn_spec_joint_count(spec); j++) {
        const tn_joint_def *def = tn_spec_joint(spec, (tn_joint){j});
        for (int32_t k = 0; k < def->drive_count; k++)
            check_motor(sim, block, def, (tn_joint){j}, &def->drives[k], diags);
    }
    free(block);
    return TN_OK;
}
