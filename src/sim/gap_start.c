/* gap_start.c: room sim: loops of the drawing that no pose closes (gap.c).
 *
 * In: a drawing. Out: its loops closed as far as possible, the remaining gaps accepted or refused, and a
 * diagnostic that names the joints. Small gaps come from rounded numbers and are only reported; larger ones
 * are mistakes, unless the user wants least squares. Loops that close where they are drawn may not close in other
 * poses: those keep gaps too (redundancy/loops/near.c).
 */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "motion/kinematics.h"
#include "redundancy/loops/loops.h"
#include "sim/sim_internal.h"
#include "math/box.h"
#include "motion/closing/project.h"
#include "motion/closing/gap.h"
#include "motion/closing/purge.h"

static double size_of(const tn_sim *sim)
{
    tn_box box = tn_empty_box();
    for (int32_t j = 0; j < sim->model->joint_count; j++)
        tn_box_add(&box, tn_system_place(&sim->sys, &sim->model->joints[j]));
    return tn_box_half_edge(&box);
}

/* A search goes on until errors can no longer make a gap. */
#define TN_GAP_SEARCH_ERROR (TN_ROUNDED / TN_CLEAR)
/* Searches from where the last one ended: rows that are merely weak give up their gap to them. */
#define TN_GAP_ROUNDS  8
#define TN_GAP_SETTLED 0.9

/* Closes what can be closed; the rest is the gap. */
static tn_status search(tn_sim *sim, tn_gap *gap)
{
    tn_step_report report = tn_empty_report();
    gap->relative = INFINITY;
    for (int round = 0; round < TN_GAP_ROUNDS; round++) {
        const double before = gap->relative;
        tn_status status =
            tn_project_position(sim, TN_GAP_SEARCH_ERROR * fmax(1.0, sim->size), &report);
        if (status != TN_OK)
            return status;
        *gap = tn_gap_measure(sim);
        if (gap->relative <= TN_ROUNDED || gap->relative > TN_GAP_SETTLED * before)
            break;
    }
    return TN_OK;
}

/* Takes over gaps up to largest, relative to the mechanism's size; else all is as before. */
static tn_status take_over(tn_sim *sim, double largest, double epsilon, tn_gap *gap)
{
    tn_state_copy(&sim->backup, &sim->state);
    sim->state.head->gap_epsilon = epsilon;
    tn_status status = search(sim, gap);
    if (status == TN_OK && gap->relative > TN_ROUNDED && gap->relative <= largest) {
        sim->state.head->gap_epsilon = tn_gap_epsilon(gap->relative);
        status = search(sim, gap);
    }
    if (status == TN_OK && gap->relative > TN_ROUNDED && gap->relative <= largest)
        return TN_OK;
    tn_state_copy(&sim->state, &sim->backup);
    tn_refresh_kinematics(sim);
    return status == TN_ERROR_NOT_CONVERGED ? TN_OK : status;
}

/* Names are listed in the order of the joints. */
#define TN_GAP_NAMES 8
#define TN_GAP_TEXT  240
/* A joint belongs to the circuit that stays open when its share is more than this of the worst. */
#define TN_GAP_SHARE 0.01

static double share_of(const tn_sim *sim, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    double open = 0.0;
    for (int32_t n = 0; n < s->active_count; n++)
        open = fmax(open, fabs(sim->sys.gap[sim->sys.layout->y_offset[j] + n]));
    return open;
}

/* 'a', 'b', 'c' and 4 more */
static void list_circuit(const tn_sim *sim, const tn_gap *gap, char *text, size_t size)
{
    const double least = TN_GAP_SHARE * share_of(sim, gap->worst);
    int32_t count = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        if (share_of(sim, j) < least)
            continue;
        if (count++ < TN_GAP_NAMES && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s'%s'", count > 1 ? ", " : "",
                                     tn_element_name(sim->model, j));
        }
    }
    if (count > TN_GAP_NAMES && used < size)
        snprintf(text + used, size - used, " and %d more", (int)(count - TN_GAP_NAMES));
}

static void tell(const tn_sim *sim, const tn_gap *gap, tn_diagnostics *diags)
{
    char circuit[TN_GAP_TEXT];
    list_circuit(sim, gap, circuit, sizeof circuit);
    tn_diagnostics_add(
        diags, TN_WARNING, TN_ERROR_CONFLICT, tn_model_place(sim->model, gap->worst),
        "give the numbers with more digits, or a joint of the loop more freedom",
        "a loop does not close: %.3g m, %.3g rad remain (most at joint '%s'), shared by joints %s; "
        "it runs with these gaps, in the sense of least squares",
        gap->position, gap->angle, tn_element_name(sim->model, gap->worst), circuit);
}

/* The largest error of the drawing, relative to the mechanism's size. */
static double how_open(tn_sim *sim)
{
    tn_step_report report = tn_empty_report();
    if (sim->model->loop_joints == 0)
        return 0.0;
    tn_assemble_errors(&sim->sys, &sim->state, sim->sys.phi);
    tn_measure_errors(sim, sim->sys.phi, &report);
    const double position = report.position_error;
    return fmax(position > 0.0 ? position / sim->size : 0.0, report.angle_error);
}

tn_status tn_gap_expect(tn_sim *sim, tn_diagnostics *diags)
{
    tn_red_near near;
    if (sim->model->loop_joints == 0 || tn_loops_are_long(sim->model->loop_joints) ||
        tn_gap_is_on(&sim->state))
        return TN_OK;
    const tn_status status = tn_red_near_find(sim->model, &sim->state, &near);
    if (status != TN_OK || !(near.off > 0.0))
        return status == TN_ERROR_MEMORY ? status : TN_OK;
    sim->state.head->gap_epsilon = tn_gap_epsilon(near.off);
    tn_diagnostics_add(diags, TN_WARNING, TN_ERROR_CONFLICT, tn_model_place(sim->model, near.worst),
                       "give the numbers with more digits, or a joint of the loop more freedom",
                       "a loop closes only where it is drawn: it is off by %.2g, and joint '%s' "
                       "opens by that as it moves",
                       near.off, tn_element_name(sim->model, near.worst));
    return TN_OK;
}

tn_status tn_gap_start(tn_sim *sim, double largest, tn_diagnostics *diags)
{
    tn_gap gap = {0};
    sim->size = size_of(sim);
    const double open = how_open(sim);
    if (open <= TN_ROUNDED)
        return TN_OK;
    const tn_status status = take_over(sim, largest, tn_gap_epsilon(fmin(open, largest)), &gap);
    if (status == TN_OK && tn_gap_is_on(&sim->state))
        tell(sim, &gap, diags);
    return status;
}
