/* hinge_acts.c: room method/hinges: what acts along the hinges of a tree, or holds them, in a step in their angles.
 *
 * In: the switches and drives of the state, moved to the end of the step; a trial. Out: the effort of each hinge about its
 * axis and what the pivot of its angle grows by. With F the effort of all that acts along the coordinate q, and its
 * slopes k = -dF/dq and b = -dF/dq', the equation of the angle is z . M = F, and its pivot
 *     d = S^T I S + k / beta' + (gamma' / beta') b.
 * A hinge that is held turns by what is given: its pivot is infinite, so that its column leaves the elimination and what
 * hangs on it passes on whole; the multiplier of its motion row is what its joint bears about the axis.
 *
 * Limits: joints are hard in all that they hold, and friction does not go by reactions.
 */
#include <math.h>
#include <string.h>

#include "assemble/drive_terms.h"
#include "assemble/holds.h"
#include "base/base.h"
#include "method/hinges/alpha_hinges.h"
#include "motion/loads.h"

/* ---- which worlds ---- */

/* Rows that hold it are hard, but for a soft motion row. */
static bool is_hard(const tn_switches *s)
{
    const int32_t rows = s->hold[0] == TN_HOLD_NONE || s->hold[0] == TN_HOLD_SPRING
                             ? TN_HINGE_ROWS
                             : TN_HINGE_ROWS + 1;
    for (int32_t row = 0; row < rows; row++) {
        if (s->compliance[row] > 0.0)
            return false;
    }
    return s->enabled;
}

/* The next joint that is not plain, from j on; -1: none. */
static int32_t next_acting(const tn_sim *sim, int32_t j)
{
    const int8_t *plain = sim->state.plain;
    const int8_t *at = memchr(plain + j, 0, (size_t)(sim->model->joint_count - j));
    return at ? (int32_t)(at - plain) : -1;
}

bool tn_hinges_bear(const tn_sim *sim)
{
    const tn_state *s = &sim->state;
    if (tn_gap_is_on(s) || !isinf(sim->options.force_tolerance) || s->head->breakable > 0 ||
        tn_loads_from_outside(sim))
        return false;
    for (int32_t j = next_acting(sim, 0); j >= 0; j = next_acting(sim, j + 1)) {
        if (!is_hard(&s->switches[j]))
            return false;
    }
    return true;
}

/* ---- the start of a step ---- */

tn_status tn_hinge_acts_create(int32_t blocks, int32_t joints, tn_hinge_acts *acts)
{
    const int64_t room = (int64_t)blocks * TN_HINGE_WIDTH;
    double *at = acts->numbers = TN_NEW_ARRAY(double, 4 * room);
    acts->all = TN_NEW_ARRAY(tn_hinge_act, room);
    acts->limb = TN_NEW_ARRAY(int32_t, joints);
    if (!at || !acts->all || !acts->limb)
        return TN_ERROR_MEMORY;
    acts->by_limb = (tn_hinge_acting){at, at + room, at + 2 * room, at + 3 * room};
    for (int64_t k = 0; k < room; k++)
        acts->by_limb.given[k] = INFINITY;
    return TN_OK;
}

void tn_hinge_acts_destroy(tn_hinge_acts *acts)
{
    tn_free(acts->numbers);
    tn_free(acts->all);
    tn_free(acts->limb);
}

/* rad/s: what does not change in the step of the speed at which a body turns about an axis of its own. */
static double coast_about(const tn_hinge_world *w, const tn_hinge_rule *c, int64_t u, tn_vec3 axis)
{
    double coast[3];
    for (int i = 0; i < 3; i++) {
        const size_t n = (size_t)u + 3 + (size_t)i;
        const double a = w->at.acc[n], acc = c->acc_udot * w->at.udot[n] + c->acc_acc * a;
        coast[i] = w->at.u[n] + (c->coast_a * a + c->coast_acc * acc);
    }
    return v3_dot(axis, v3_load(coast));
}

/* rad/s^2: the same of udot, of the trial. */
static double udot_about(const double *limb, tn_vec3 axis)
{
    return v3_dot(axis, limb_v3(limb + TN_LIMB_FIELD(udot) + 3 * TN_HINGE_WIDTH));
}

/* rad: what the hinge turns by from where it is to where it is held, of half the angles: to the last digit, however
 * many turns there were before. */
static double turn_to(const tn_sim *sim, const tn_hinge_act *act)
{
    const tn_switches *s = &sim->state.switches[act->joint];
    const double *half = tn_alpha_hinge_memory(sim, &sim->state, act->joint)->half;
    const double rest = tn_hold_kinds[s->hold[0]].moves && act->drive ? act->drive->held_rest : 0.0;
    const double value = 0.5 * act->sign * s->hold_value[0], more = 0.5 * act->sign * rest;
    const double cosine = tn_cos(value), sine = tn_sin(value);
    const double to[2] = {cosine - more * sine, sine + more * cosine};
    const double along = half[0] * to[0] + half[1] * to[1],
                 across = half[0] * to[1] - half[1] * to[0];
    return 2.0 * (along < 0.0 ? tn_atan2(-across, -along) : tn_atan2(across, along));
}

static void put_act(const tn_sim *sim, const tn_hinge_rule *c, int32_t j, tn_hinge_act *act)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_world *w = &hinges->forest.world;
    const tn_switches *s = &sim->state.switches[j];
    const int32_t k = hinges->acts.limb[j], inner = hinges->inner[k];
    const double *kind = hinge_kind_at(w, k);
    *act = (tn_hinge_act){.limb = k,
                          .inner = inner,
                          .joint = j,
                          .drive = s->drive == TN_NO_DRIVE ? NULL : &sim->state.drives[s->drive],
                          .sign = hinges->places[k].is_a ? 1.0 : -1.0,
                          .axis = limb_v3(kind + TN_KIND_FIELD(link.axis)),
                          .inner_axis = limb_v3(kind + TN_KIND_FIELD(axes.inner[2])),
                          .start = tn_state_coordinate(&sim->state, j, 0),
                          .before = *tn_state_held_force(sim->model, &sim->state, j, 0),
                          .held = s->hold[0] > TN_HOLD_SPRING};
    act->coast = coast_about(w, c, hinges->places[k].u, act->axis);
    if (inner >= 0)
        act->coast -= coast_about(w, c, hinges->places[inner].u, act->inner_axis);
}

/* A hinge that nothing acts along any more is as all others. */
static void forget(tn_hinge_acts *acts)
{
    for (int32_t n = 0; n < acts->count; n++) {
        const int32_t k = acts->all[n].limb;
        acts->by_limb.effort[k] = acts->by_limb.yield[k] = 0.0;
        acts->by_limb.given[k] = INFINITY;
    }
    acts->count = 0;
}

static bool limb_rests(const tn_sim *sim, const tn_alpha *c, int32_t k)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    double speed = 0.0;
    for (int n = 0; k >= 0 && n < 6; n++)
        speed = fmax(fabs(hinges->forest.world.at.u[hinges->places[k].u + n]), speed);
    return c->h * speed <= c->round_off;
}

/* Where the bodies rest, rounding of where it is held is no motion: by h^2 it would be a force. */
static double turn_of(const tn_sim *sim, const tn_alpha *c, const tn_hinge_act *act)
{
    const double turn = turn_to(sim, act);
    const bool still = fabs(turn) <= c->round_off && limb_rests(sim, c, act->limb) &&
                       limb_rests(sim, c, act->inner);
    return still ? 0.0 : turn;
}

void tn_hinges_begin_acts(const tn_sim *sim, const tn_alpha *alpha, const tn_hinge_rule *c)
{
    tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    tn_hinge_acts *acts = &hinges->acts;
    forget(acts);
    for (int32_t j = next_acting(sim, 0); j >= 0; j = next_acting(sim, j + 1)) {
        tn_hinge_act *act = &acts->all[acts->count++];
        put_act(sim, c, j, act);
        if (act->held)
            acts->by_limb.given[act->limb] = turn_of(sim, alpha, act);
    }
    hinges->forest.world.acting = acts->count > 0 ? &acts->by_limb : NULL;
}

bool tn_hinges_some_rest(const tn_sim *sim, const tn_alpha *c)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    double *still = hinges->acts.by_limb.borne; /* until that is found */
    for (int32_t k = 0; k < hinges->count; k++) {
        const int32_t inner = hinges->inner[k];
        still[k] = hinges->acts.by_limb.given[k] == 0.0 && (inner < 0 || still[inner] > 0.0);
        if (!(still[k] > 0.0) && limb_rests(sim, c, k))
            return true;
    }
    return false;
}

/* ---- a trial ---- */

/* rad/s: of its coordinate. */
static double speed_of(const tn_hinge_world *w, const tn_hinge_rule *c, const tn_hinge_act *act)
{
    double udot = udot_about(hinge_limb_at(w, act->limb), act->axis);
    if (act->inner >= 0)
        udot -= udot_about(hinge_limb_at(w, act->inner), act->inner_axis);
    return act->sign * (act->coast + c->u_udot * udot);
}

void tn_hinges_act(const tn_sim *sim, const tn_hinge_rule *c, bool yields)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_acts *acts = &hinges->acts;
    const tn_hinge_world *w = &hinges->forest.world;
    for (int32_t n = 0; n < acts->count; n++) {
        const tn_hinge_act *act = &acts->all[n];
        const int32_t k = act->limb;
        double yield = act->held ? INFINITY : 0.0;
        if (act->drive) {
            const double turn = hinge_limb_at(w, k)[TN_LIMB_FIELD(turn)];
            const double q = act->start + act->sign * turn, speed = speed_of(w, c, act);
            tn_drive_apply_at(&sim->sys, &sim->state, act->drive, q, speed);
            const double soft = tn_soft_row_force(&sim->sys, &sim->state, act->drive, q, speed);
            acts->by_limb.effort[k] = act->sign * (tn_drive_applied(act->drive) + soft);
            if (yields && !act->held) {
                const tn_drive_slopes slopes =
                    tn_drive_slopes_at(&sim->sys, &sim->state, act->drive, q, speed);
                yield = c->by_beta * slopes.stiffness + c->eps * slopes.damping;
            }
        }
        if (yields)
            acts->by_limb.yield[k] = yield;
    }
}

/* ---- the end ---- */

/* Multiplier and error of a motion row. */
typedef struct tn_hinge_motion_row {
    double force, error;
} tn_hinge_motion_row;

static tn_hinge_motion_row row_of(const tn_sim *sim, const tn_hinge_rule *c,
                                  const tn_hinge_act *act)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_switches *s = &sim->state.switches[act->joint];
    const double q = tn_state_coordinate(&sim->state, act->joint, 0);
    tn_hinge_motion_row row = {act->before, 0.0};
    double known = 0.0;
    if (act->drive) {
        const double speed = speed_of(&hinges->forest.world, c, act);
        tn_drive_apply_at(&sim->sys, &sim->state, act->drive, q, speed);
        known = tn_drive_applied(act->drive);
        if (s->hold[0] == TN_HOLD_SPRING) {
            row.force = tn_soft_row_force(&sim->sys, &sim->state, act->drive, q, speed);
            row.error = tn_soft_row_error(&sim->sys, act->drive, s->compliance[TN_HINGE_ROWS], q);
        }
    }
    if (act->held) {
        const double rest = tn_hold_kinds[s->hold[0]].moves ? act->drive->held_rest : 0.0;
        row.force = act->sign * hinges->acts.by_limb.borne[act->limb] - known;
        row.error = (q - s->hold_value[0]) - rest;
    }
    return row;
}

tn_hinge_acted tn_hinges_end_acts(const tn_sim *sim, const tn_hinge_rule *c)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_world *w = &hinges->forest.world;
    tn_hinge_acted all = {.worst_joint = -1};
    for (int32_t n = 0; n < hinges->acts.count; n++) {
        const tn_hinge_act *act = &hinges->acts.all[n];
        const size_t at = (size_t)act->joint * TN_MAX_ROWS + TN_HINGE_ROWS;
        const tn_hinge_motion_row row = row_of(sim, c, act);
        w->to.lambda[at] = row.force;
        if (w->has_rates)
            w->to.lambda_rate[at] = 1.0 / c->h * (row.force - act->before);
        all.sum += row.force;
        if (sim->state.switches[act->joint].active_count > TN_HINGE_ROWS)
            sim->sys.phi[sim->sys.layout->y_offset[act->joint] + TN_HINGE_ROWS] = row.error;
        if (act->held && fabs(row.error) > all.angle) {
            all.angle = fabs(row.error);
            all.worst_joint = act->joint;
        }
    }
    return all;
}
