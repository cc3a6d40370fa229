/* check_turns.c: motors that are to turn on and on, and given turnings: do they get there?
 *
 * A coordinate without a range that a motor drives at a constant speed is led once round in the
 * motor's direction, one that turns as given as far as the run takes it; where a dead point stops
 * it, that is reported. The simulation stays where it is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/check_turns.h"
#include "pick/marker.h"
#include "tenon/coords.h"

#define TURN 6.28318530717958647693 /* rad */

/* How far a drive turns its coordinate, rad, and what it is called. */
typedef struct turning {
    const char *what;
    double way; /* with its sign; 0: it does not turn at a constant speed */
    bool given; /* a prescribed motion, which holds its coordinate */
} turning;

/* Of a motor that turns on and on: a turn. */
static double way_of_motor(const tn_drive_def *drive)
{
    const tn_function_def *speed = &drive->motor.speed;
    if (speed->kind != TN_FUNCTION_CONSTANT || speed->count != 1 || speed->numbers[0] == 0.0)
        return 0.0;
    return copysign(TURN, speed->numbers[0]);
}

/* Of a motion given as a + b t: as far as the run takes it, a turn at most. */
static double way_given(const tn_drive_def *drive, double duration)
{
    const tn_function_def *position = &drive->position;
    if (position->kind != TN_FUNCTION_POLYNOMIAL || position->count != 2)
        return 0.0;
    return copysign(fmin(TURN, fabs(position->numbers[1]) * duration), position->numbers[1]);
}

static turning turning_of(const tn_drive_def *drive, double duration)
{
    const double given = way_given(drive, duration);
    return given != 0.0 ? (turning){"the prescribed motion", given, true}
                        : (turning){"the motor", way_of_motor(drive), false};
}

static bool turns_freely(const tn_sim *sim, tn_joint joint, int32_t i)
{
    double lower = -INFINITY, upper = INFINITY;
    tn_sim_get_range(sim, joint, i, &lower, &upper);
    return isinf(lower) && isinf(upper) &&
           tn_model_joint_info(tn_sim_model(sim), joint)->coordinates[i].angular;
}

/* Leads it so far; true if a dead point stops it, at *at. The simulation is as before then. */
static bool is_stopped(tn_sim *sim, const void *block, tn_joint joint, int32_t i,
                       const turning *turns, double sense, double *at)
{
    double q[TN_MAX_COORDINATES] = {0};
    tn_coordinate_answer answer;
    const double way = sense * turns->way;
    tn_sim_joint_coordinates(sim, joint, q);
    if (turns->given)
        tn_sim_set_driver(sim, joint, i, NULL);
    const tn_coordinate_request round = {.joint = joint, .coordinate = i, .value = q[i] + way};
    const bool stopped = tn_sim_set_coordinates(sim, &round, 1, NULL, &answer, NULL) == TN_OK &&
                         answer.outcome == TN_COORDINATE_LIMITED &&
                         tn_sim_find_dead_point(sim, joint, i, way, at) == TN_OK;
    tn_sim_restore(sim, block);
    return stopped;
}

/* Where a drive cannot get to, and where it could not either, the other way. */
static void check_drive(tn_sim *sim, const void *block, const tn_joint_def *def, tn_joint joint,
                        const tn_drive_def *drive, tn_diagnostics *diags)
{
    const int32_t i = drive->coordinate;
    const tn_model *model = tn_sim_model(sim);
    const turning turns = turning_of(drive, tn_model_simulation(model)->duration);
    double at, back;
    char other[64] = "";
    if (turns.way == 0.0 || !turns_freely(sim, joint, i) ||
        !is_stopped(sim, block, joint, i, &turns, 1.0, &at))
        return;
    if (!turns.given && is_stopped(sim, block, joint, i, &turns, -1.0, &back))
        snprintf(other, sizeof other, ", the other way at %.6g deg", back * TOOL_DEGREES);
    tn_diagnostics_add(diags, TN_WARNING, TN_OK, def->at, "change lengths, or give it a range",
                       "%s of '%.100s' cannot go %s: %s has a dead point at %.6g deg%s", turns.what,
                       def->name, turns.given ? "on" : "round",
                       tn_model_joint_info(model, joint)->coordinates[i].name, at * TOOL_DEGREES,
                       other);
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
            check_drive(sim, block, def, (tn_joint){j}, &def->drives[k], diags);
    }
    free(block);
    return TN_OK;
}
