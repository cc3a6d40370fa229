/* linkage_held.c: room method/linkage: finds the angles of a planar linkage that are held in a step. See linkage.h.
 *
 * In: the switches and drives of the state, moved to the end of the step. Out: the held angles and the moments of
 * their motion rows.
 *
 * Limits: dry friction, a spring or damping, a motor at its force limit, or an active range limit at a hinge are
 * left to the general iteration.
 */
#include <math.h>
#include <string.h>

#include "assemble/drive_terms.h"
#include "assemble/holds.h"
#include "method/alpha/hinge_terms.h"
#include "method/linkage/linkage.h"
#include "motion/loads.h"

/* The motion row of a hinge, after its constraint rows. */
enum { TN_TURN_ROW = TN_STRAIGHT_ROWS };

/* Is the drive a motor or a prescribed motion, without anything else? */
static bool is_plain_drive(const tn_drive *drive, tn_hold hold)
{
    const tn_drive_settings *set = &drive->set;
    const bool moves = hold == TN_HOLD_MOTOR    ? !set->driven
                       : hold == TN_HOLD_DRIVER ? set->motor == TN_MOTOR_OFF
                                                : false;
    return moves && !set->sprung && !tn_has_friction(set) && set->viscous == 0.0;
}

static bool is_held_plainly(const tn_sim *sim, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    const tn_hold hold = (tn_hold)s->hold[0];
    if (!s->enabled || s->compliant || s->active_count != TN_STRAIGHT_ROWS + 1)
        return false;
    if (s->drive == TN_NO_DRIVE)
        return hold == TN_HOLD_LOCK || hold == TN_HOLD_PINNED;
    return is_plain_drive(&sim->state.drives[s->drive], hold);
}

/* A drive that was removed keeps its entry, which does nothing. */
static bool is_left_alone(const tn_sim *sim, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    return s->enabled && !s->compliant && s->active_count == TN_STRAIGHT_ROWS &&
           s->drive != TN_NO_DRIVE && !tn_settings_act(&sim->state.drives[s->drive].set);
}

/* Cosine and sine of the angle at which hinge j is held; false: that is more than half a turn from the present one. */
static bool aim(const tn_sim *sim, int32_t j, tn_linkage_held *held)
{
    const tn_switches *s = &sim->state.switches[j];
    const double value = s->hold_value[0];
    const double rest =
        tn_hold_kinds[s->hold[0]].moves ? sim->state.drives[s->drive].held_rest : 0.0;
    const double cosine = tn_cos(value), sine = tn_sin(value);
    held->target = (tn_v2){cosine - rest * sine, sine + rest * cosine};
    return fabs(value - tn_state_coordinate(&sim->state, j, 0)) < 0.5 * TN_PI;
}

static bool hold_pin(const tn_sim *sim, const tn_alpha *c, int32_t j, tn_linkage *linkage)
{
    const double *rates = tn_alpha_remembers(sim->model, &sim->state).lambda_rate;
    const size_t row = (size_t)j * TN_MAX_ROWS + TN_TURN_ROW;
    if (is_left_alone(sim, j))
        return true;
    if (linkage->held_count == TN_LINKAGE_HELD || !is_held_plainly(sim, j))
        return false;
    tn_linkage_held *held = &linkage->held[linkage->held_count++];
    held->pin = linkage->along.position[j];
    held->moment = sim->state.lambda[row] + c->h * rates[row];
    held->more = 0.0;
    return aim(sim, j, held);
}

/* The next joint from j on that is not plain; -1: none. */
static int32_t next_held(const tn_sim *sim, int32_t j)
{
    const int8_t *plain = sim->state.plain;
    const int8_t *at = memchr(plain + j, 0, (size_t)(sim->model->joint_count - j));
    return at ? (int32_t)(at - plain) : -1;
}

bool tn_linkage_hold(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    const tn_state *s = &sim->state;
    linkage->held_count = 0;
    if (tn_gap_is_on(s) || !isinf(sim->options.force_tolerance) || s->head->breakable > 0 ||
        tn_loads_from_outside(sim))
        return false;
    for (int32_t j = next_held(sim, 0); j >= 0; j = next_held(sim, j + 1)) {
        if (!hold_pin(sim, c, j, linkage))
            return false;
    }
    return true;
}

void tn_linkage_show_held(tn_sim *sim, const tn_alpha *c, const tn_linkage *linkage)
{
    double *rates = tn_alpha_remembers(sim->model, &sim->state).lambda_rate;
    for (int32_t n = 0; n < linkage->held_count; n++) {
        const tn_linkage_held *held = &linkage->held[n];
        const tn_linkage_pin *pin = &linkage->pins[held->pin];
        const size_t row = (size_t)pin->joint * TN_MAX_ROWS + TN_TURN_ROW;
        if (tn_alpha_has_rates(sim))
            rates[row] = 1.0 / c->h * (held->moment - sim->state.lambda[row]);
        sim->state.lambda[row] = held->moment;
        sim->sys.phi[pin->y + TN_TURN_ROW] = held->error;
        tn_drive_apply(&sim->sys, &sim->state, pin->joint, sim->state.u);
    }
}
