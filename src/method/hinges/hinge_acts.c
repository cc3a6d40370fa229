/* hinge_acts.c: room method/hinges: what acts along the hinges of a tree, or holds them, in a step in their angles. What acts
 * on bodies: hinge_loads.c.
 *
 * In: the switches and drives of the state, moved to the end of the step; a trial. Out: the effort of each hinge about its
 * axis and what the pivot of its angle grows by. With F the effort of all that acts along the coordinate q, and its
 * slopes k = -dF/dq and b = -dF/dq', the equation of the angle is z . M = F, and its pivot
 *     d = S^T I S + a + k / beta' + (gamma' / beta') b,
 * a the coordinate's armature, whose force is -a q''.
 * A solid joint is a hinge that is held where it is. How coordinates move: hinge_motion.c.
 * A hinge that is held turns by what is given: its pivot is infinite, so that its column leaves the elimination and what
 * hangs on it passes on whole; the multiplier of its motion row is what its joint bears about the axis.
 *
 * Limits: joints of the tree are hard in all that they hold (those that are rows may yield: hinge_cuts.c), friction does not depend on
 * reactions, and the program computes no loads.
 */
#include <math.h>
#include <string.h>

#include "assemble/drive_terms.h"
#include "assemble/holds.h"
#include "assemble/joint_terms.h"
#include "base/base.h"
#include "method/hinges/alpha_hinges.h"
#include "motion/loads.h"

/* ---- which worlds ---- */

/* Is the motion row of a coordinate, or what a solid joint has in its place, one that holds? */
static bool is_held(const tn_sim *sim, int32_t j, int32_t coordinate)
{
    return tn_tree_is_solid(&sim->model->joints[j]) ||
           sim->state.switches[j].hold[coordinate] > TN_HOLD_SPRING;
}

/* The motion row of a coordinate; of a solid joint the row that it has in its place. */
static int32_t row_of_coordinate(const tn_sim *sim, int32_t j, int32_t coordinate)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    return tn_tree_is_solid(joint) ? TN_HINGE_ROWS
                                   : joint->geometry.cls->info.bilateral_count + coordinate;
}

/* Coordinates along which something may act; a solid joint counts as one. */
static int32_t coordinates_of(const tn_sim *sim, int32_t j)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    return tn_tree_is_solid(joint) ? 1 : joint->geometry.cls->info.coordinate_count;
}

/* What drives a coordinate; TN_NO_DRIVE: nothing. */
static int32_t drive_of(const tn_sim *sim, int32_t j, int32_t coordinate)
{
    int32_t p = sim->state.switches[j].drive;
    while (p != TN_NO_DRIVE && sim->state.drives[p].coordinate != coordinate)
        p = sim->state.drives[p].next;
    return p;
}

/* Rows that hold it are hard, but for those of cuts, and soft motion rows; and what acts along it does so along links. */
static bool is_hard(const tn_sim *sim, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    const int32_t *link = tn_alpha_of(sim)->hinges->acts.link + (size_t)j * TN_MAX_COORDINATES;
    const bool is_cut = tn_tree_hangs(&sim->model->joints[j]) < 0;
    for (int32_t row = 0; row < sim->model->joints[j].geometry.cls->info.bilateral_count; row++) {
        if (s->compliance[row] > 0.0 && !is_cut)
            return false;
    }
    if (tn_hinge_is_weld(sim->model, j))
        return s->enabled;
    for (int32_t i = 0; i < coordinates_of(sim, j); i++) {
        const int32_t drive = drive_of(sim, j, i);
        if (!is_cut && !tn_hinge_moves_along(&sim->model->joints[j], i))
            continue;
        if ((link[i] < 0 && !is_cut) || (drive != TN_NO_DRIVE && sim->state.drives[drive].round) ||
            (is_held(sim, j, i) && s->compliance[row_of_coordinate(sim, j, i)] > 0.0))
            return false;
    }
    return s->enabled && (is_cut || coordinates_of(sim, j) > 0);
}

/* Loads along coordinates, *pushes: there are some. False: one acts where no link moves. */
static bool find_pushed(const tn_sim *sim, tn_hinge_acts *acts)
{
    const size_t count = (size_t)sim->model->joint_count * TN_MAX_COORDINATES;
    acts->pushes = tn_loads_are(sim) && tn_loads_efforts(sim, acts->pushed);
    for (size_t n = 0; n < count && acts->pushes; n++) {
        if (acts->pushed[n] != 0.0 && acts->link[n] < 0 && acts->cut[n / TN_MAX_COORDINATES] < 0)
            return false;
    }
    return true;
}

bool tn_hinges_bear(const tn_sim *sim)
{
    const tn_state *s = &sim->state;
    if (tn_gap_is_on(s) || !isinf(sim->options.force_tolerance) || s->head->breakable > 0 ||
        tn_loads_are_computed(sim) || !tn_hinge_couplings_bear(sim))
        return false;
    tn_hinge_acts *acts = &tn_alpha_of(sim)->hinges->acts;
    const int32_t count = sim->model->joint_count;
    for (int32_t j = 0; j < count && !tn_same_edition(acts->borne, s->edition); j++) {
        j = tn_next_special(s, j, count);
        if (j < count && !is_hard(sim, j))
            return false;
    }
    acts->borne = s->edition;
    return find_pushed(sim, acts);
}

/* ---- the start of a step ---- */

static int64_t coordinates_of_cuts(const tn_model *model)
{
    int64_t count = 0;
    for (int32_t j = 0; j < model->joint_count; j++)
        count += tn_tree_hangs(&model->joints[j]) < 0 ? TN_MAX_COORDINATES : 0;
    return count;
}

tn_status tn_hinge_acts_create(const tn_model *model, int32_t blocks, tn_hinge_acts *acts)
{
    const int64_t room = (int64_t)blocks * TN_HINGE_WIDTH, n = model->size.velocities;
    const int64_t coordinates = (int64_t)model->joint_count * TN_MAX_COORDINATES;
    double *at = acts->numbers = TN_NEW_ARRAY(double, 6 * room + coordinates + 3 * n);
    acts->all = TN_NEW_ARRAY(tn_hinge_act, room + coordinates_of_cuts(model));
    acts->link = TN_NEW_ARRAY(int32_t, coordinates);
    acts->cut = TN_NEW_ARRAY(int32_t, model->joint_count);
    acts->turning = TN_NEW_ARRAY(int8_t, blocks);
    if (!at || !acts->all || !acts->link || !acts->cut || !acts->turning)
        return TN_ERROR_MEMORY;
    acts->by_link = (tn_hinge_acting){
        at, at + room, at + 2 * room, at + 3 * room, at + 4 * room, at + 5 * room, acts->turning};
    acts->f = at + 6 * room;
    acts->u = acts->f + n;
    acts->udot = acts->u + n;
    acts->pushed = acts->udot + n;
    for (int64_t k = 0; k < room; k++)
        acts->by_link.given[k] = INFINITY;
    return tn_hinge_loads_create(model, room, acts);
}

void tn_hinge_acts_destroy(tn_hinge_acts *acts)
{
    tn_free(acts->numbers);
    tn_free(acts->all);
    tn_free(acts->link);
    tn_free(acts->cut);
    tn_free(acts->turning);
    tn_free(acts->loaded);
    tn_free(acts->yielding);
    tn_free(acts->is_yielding);
}

/* What the joint moves by from where it is to where it is held. An angle goes by half the angles: to the last digit,
 * however many turns there were before. */
static double turn_to(const tn_sim *sim, const tn_hinge_act *act)
{
    const tn_switches *s = &sim->state.switches[act->joint];
    const double *half = tn_alpha_hinge_memory(sim, &sim->state, act->link)->half;
    const int32_t i = act->coordinate;
    const double rest = tn_hold_kinds[s->hold[i]].moves && act->drive ? act->drive->held_rest : 0.0;
    if (!act->turns || act->chained)
        return act->sign * ((s->hold_value[i] - act->start) + rest);
    const double value = 0.5 * act->sign * s->hold_value[i], more = 0.5 * act->sign * rest;
    const bool turned = value != 0.0; /* solid joints are held at 0 */
    const double cosine = turned ? tn_cos(value) : 1.0, sine = turned ? tn_sin(value) : 0.0;
    const double to[2] = {cosine - more * sine, sine + more * cosine};
    const double along = half[0] * to[0] + half[1] * to[1],
                 across = half[0] * to[1] - half[1] * to[0];
    if (across == 0.0)
        return 0.0;
    return 2.0 * (along < 0.0 ? tn_atan2(-across, -along) : tn_atan2(across, along));
}

/* Where the row of an act is among those that hold; -1: it does not. */
static int32_t active_slot(const tn_switches *s, int32_t row)
{
    for (int32_t n = 0; n < s->active_count; n++) {
        if (s->active[n] == row)
            return n;
    }
    return -1;
}

/* The weld that link k hangs on, if that moves; of links that are in order. */
static const tn_hinge_weld *weld_below(const tn_hinge_welds *welds, int32_t k)
{
    int32_t first = 0, end = welds->hung_count;
    while (first < end) {
        const int32_t middle = first + (end - first) / 2;
        if (welds->hung[middle].link < k)
            first = middle + 1;
        else
            end = middle;
    }
    if (first == welds->hung_count || welds->hung[first].link != k)
        return NULL;
    const tn_hinge_weld *weld = &welds->all[welds->hung[first].weld];
    return weld->link >= 0 ? weld : NULL;
}

/* What switches and the tree say of it. */
static void list_act(const tn_sim *sim, int32_t j, int32_t i, tn_hinge_act *act)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_world *w = &hinges->forest.world;
    const int32_t k = hinges->acts.link[(size_t)j * TN_MAX_COORDINATES + (size_t)i];
    *act =
        (tn_hinge_act){.joint = j,
                       .coordinate = i,
                       .row = row_of_coordinate(sim, j, i),
                       .drive_at = drive_of(sim, j, i),
                       .slot = active_slot(&sim->state.switches[j], row_of_coordinate(sim, j, i)),
                       .armature = sim->model->joints[j].armature[i],
                       .held = is_held(sim, j, i),
                       .sign = 1.0,
                       .chained = true,
                       .link = k,
                       .inner_link = -1,
                       .cut = hinges->acts.cut[j]};
    if (k < 0)
        return;
    act->inner_link = hinges->inner[k];
    act->own = hinge_limb_at(w, k);
    act->inner = hinge_limb_at(w, act->inner_link);
    act->kind = hinge_kind_at(w, k);
    act->weld = weld_below(&hinges->welds, k);
    act->sign = act->kind[TN_KIND_FIELD(column.sign)];
    act->turns = act->kind[TN_KIND_FIELD(column.spin)] != 0.0;
    act->chained = hinges->places[k].part != TN_LIMB_WHOLE;
    if (act->turns && !act->chained && (act->drive_at != TN_NO_DRIVE || act->armature > 0.0))
        hinges->acts.turning[k / TN_HINGE_WIDTH] = 1;
}

/* Where the step begins. */
static void start_act(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_act *act)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const int32_t j = act->joint, i = act->coordinate;
    act->drive = act->drive_at == TN_NO_DRIVE ? NULL : &sim->state.drives[act->drive_at];
    act->linear = act->drive && tn_drive_is_linear(&sim->state, act->drive);
    act->start = tn_state_coordinate(&sim->state, j, i);
    act->before = sim->state.lambda[(size_t)j * TN_MAX_ROWS + (size_t)act->row];
    act->pushed =
        hinges->acts.pushes ? hinges->acts.pushed[(size_t)j * TN_MAX_COORDINATES + (size_t)i] : 0.0;
    if (act->link < 0)
        return;
    for (int32_t m = 0; m < hinges->chain_count && act->chained; m++) {
        if (hinges->chains[m].joint == j)
            act->start = hinges->chains[m].q[i];
    }
    if (!act->chained)
        tn_hinge_act_coasts(&hinges->forest.world, c, act);
}

/* A hinge that nothing acts along any more is as all others. */
static void forget(tn_hinge_acts *acts, int32_t blocks)
{
    for (int32_t n = 0; n < acts->count; n++) {
        const int32_t k = acts->all[n].link;
        if (k < 0)
            continue;
        acts->by_link.effort[k] = acts->by_link.yield[k] = 0.0;
        acts->by_link.given[k] = INFINITY;
    }
    memset(acts->turning, 0, (size_t)blocks);
    acts->count = 0;
    acts->on_chains = false;
}

bool tn_hinge_link_rests(const tn_sim *sim, const tn_alpha *c, int32_t k)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    double u[6] = {0.0};
    bool rests = true;
    if (k >= 0)
        hinge_get_six(&hinges->forest.world, hinges->forest.world.at.u, hinges->places[k].u, u);
    for (int n = 0; n < 6 && rests; n++)
        rests = c->h * fabs(u[n]) <= c->round_off;
    return rests;
}

/* Where the bodies rest, rounding of where it is held is no motion: by h^2 it would be a force. */
static double turn_of(const tn_sim *sim, const tn_alpha *c, const tn_hinge_act *act)
{
    const double turn = turn_to(sim, act);
    const bool still = fabs(turn) <= c->round_off && tn_hinge_link_rests(sim, c, act->link) &&
                       tn_hinge_link_rests(sim, c, act->inner_link);
    return still ? 0.0 : turn;
}

static bool pushes_some(const double *pushed)
{
    bool some = false;
    for (int32_t i = 0; i < TN_MAX_COORDINATES && pushed; i++)
        some |= pushed[i] != 0.0;
    return some;
}

/* Along which coordinates something acts. */
static void list_acts(const tn_sim *sim, tn_hinge_acts *acts)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const double *pushed = acts->pushes ? acts->pushed + (size_t)j * TN_MAX_COORDINATES : NULL;
        const bool is_solid = tn_tree_is_solid(&sim->model->joints[j]);
        if (is_solid &&
            (tn_tree_hangs(&sim->model->joints[j]) < 0 || tn_hinge_is_weld(sim->model, j)))
            continue; /* all of it holds */
        if (sim->state.plain[j] && !is_solid && !pushes_some(pushed))
            continue;
        for (int32_t i = 0; i < coordinates_of(sim, j); i++) {
            if (acts->cut[j] < 0 && acts->link[(size_t)j * TN_MAX_COORDINATES + (size_t)i] < 0)
                continue;
            tn_hinge_act *act = &acts->all[acts->count++];
            list_act(sim, j, i, act);
            acts->on_chains |= act->chained;
        }
    }
    acts->listed = acts->pushes ? (tn_edition){NULL, 0} : sim->state.edition;
}

void tn_hinges_begin_acts(const tn_sim *sim, const tn_alpha *alpha, const tn_hinge_rule *c)
{
    tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    tn_hinge_acts *acts = &hinges->acts;
    for (int32_t k = 0; k < hinges->count && acts->on_all; k++)
        acts->by_link.given[k] = INFINITY;
    acts->on_all = false;
    if (acts->pushes || !tn_same_edition(acts->listed, sim->state.edition)) {
        forget(acts, hinges->forest.world.blocks);
        list_acts(sim, acts);
    }
    for (int32_t n = 0; n < acts->count; n++) {
        tn_hinge_act *act = &acts->all[n];
        start_act(sim, c, act);
        if (act->held && act->cut < 0)
            acts->by_link.given[act->link] = turn_of(sim, alpha, act);
    }
    hinges->forest.world.acting = acts->count > 0 ? &acts->by_link : NULL;
    acts->on_any = tn_loads_are_applied(sim);
    acts->on_bodies = acts->on_any || acts->yielding;
    hinges->forest.world.yielding = acts->yielding;
    hinges->forest.world.is_yielding = acts->is_yielding;
}

void tn_hinges_predict_by_motion(const tn_sim *sim, const tn_hinge_rule *c)
{
    static const int8_t row[] = {TN_HINGE_ROWS};
    tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    double *given = hinges->acts.by_link.given;
    for (int32_t m = 0; m < hinges->chain_count; m++) {
        double ways[TN_MAX_ROWS];
        tn_hinge_chain_foresee(sim, &hinges->chains[m], c->h, ways);
        for (int32_t n = 0; n < hinges->chains[m].count; n++) {
            double *to = &given[hinges->chains[m].first + n];
            *to = isfinite(*to) ? *to : ways[n];
        }
    }
    for (int32_t k = 0; k < hinges->count; k++) {
        const int32_t j = hinges->places[k].joint;
        double speed, rate, turning[TN_MAX_ROWS];
        if (isfinite(given[k]) || hinges->places[k].part != TN_LIMB_WHOLE)
            continue;
        tn_joint_speeds(&sim->sys, j, sim->state.u, (tn_row_list){row, 1}, &speed);
        tn_joint_speeds(&sim->sys, j, sim->state.udot, (tn_row_list){row, 1}, &rate);
        tn_joint_accelerations(&sim->sys, j, sim->state.u, turning);
        const double way = c->h * (speed + 0.5 * c->h * (rate + turning[TN_HINGE_ROWS]));
        given[k] = hinges->places[k].is_a ? way : -way;
    }
    hinges->acts.on_all = true;
    hinges->forest.world.acting = &hinges->acts.by_link;
}

/* ---- a trial ---- */

/* N, N m: what its armature opposes. */
static double force_of_armature(const tn_hinge_acting *by_link, const tn_hinge_rule *c,
                                const tn_hinge_act *act)
{
    return act->armature > 0.0 ? -act->armature * tn_hinge_act_acceleration(by_link, c, act) : 0.0;
}

/* By how much a held coordinate is off. */
static double off_of(const tn_sim *sim, const tn_hinge_act *act, double q)
{
    const tn_switches *s = &sim->state.switches[act->joint];
    const int32_t i = act->coordinate;
    const double rest = tn_hold_kinds[s->hold[i]].moves ? act->drive->held_rest : 0.0;
    return (q - s->hold_value[i]) - rest;
}

/* To the link, or to the rows of the cut. */
static void put_along(const tn_sim *sim, const tn_hinge_act *act, bool predicted, double effort,
                      double yield)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_acting *by_link = &hinges->acts.by_link;
    const int32_t i = act->coordinate;
    if (act->cut >= 0) {
        tn_hinge_cut *cut = &hinges->cuts[act->cut];
        cut->effort[i] = effort;
        cut->off[i] = act->held ? off_of(sim, act, act->at) : 0.0;
        if (predicted)
            cut->yield[i] = yield;
        return;
    }
    by_link->effort[act->link] = act->sign * effort;
    if (predicted)
        by_link->yield[act->link] = yield;
}

/* By how much what drives it falls with its coordinate, in units of the matrix. */
static double yield_of(const tn_sim *sim, const tn_hinge_rule *c, const tn_hinge_act *act, double q,
                       double speed)
{
    const tn_drive_slopes slopes =
        act->linear ? (tn_drive_slopes){act->drive->set.sprung ? act->drive->set.stiffness : 0.0,
                                        act->drive->damping}
                    : tn_drive_slopes_at(&sim->sys, &sim->state, act->drive, q, speed);
    return c->by_beta * slopes.stiffness + c->eps * slopes.damping;
}

/* N, N m: of what drives it, but for what holds it. */
static double effort_of(const tn_sim *sim, const tn_hinge_act *act, double q, double speed)
{
    if (act->linear)
        return tn_linear_row_force(act->drive, q, speed);
    tn_drive_apply_at(&sim->sys, &sim->state, act->drive, q, speed);
    return tn_drive_applied(act->drive) +
           tn_soft_row_force(&sim->sys, &sim->state, act->drive, q, speed);
}

/* Of one hinge. */
static void act_along(const tn_sim *sim, const tn_hinge_rule *c, const tn_hinge_act *act,
                      bool predicted)
{
    const tn_hinge_acting *by_link = &tn_alpha_of(sim)->hinges->acts.by_link;
    double yield = act->held ? INFINITY : act->armature,
           effort = act->pushed + force_of_armature(by_link, c, act);
    if (act->drive) {
        const double q = tn_hinge_act_coordinate(act), speed = tn_hinge_act_speed(by_link, c, act);
        effort += effort_of(sim, act, q, speed);
        if (predicted && !act->held)
            yield += yield_of(sim, c, act, q, speed);
    }
    put_along(sim, act, predicted, effort, yield);
}

void tn_hinges_act(tn_sim *sim, const tn_hinge_rule *c, tn_hinge_trial_kind trial)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_acts *acts = &hinges->acts;
    if (trial == TN_HINGE_PREDICTED)
        tn_hinge_welds_predict(hinges, c);
    tn_hinges_put_motions(sim, c, trial);
    tn_hinges_measure_chains(sim, acts->u, acts->udot, c->h, false);
    tn_hinges_spin(&hinges->forest);
    for (int32_t n = 0; n < acts->count; n++)
        act_along(sim, c, &acts->all[n], trial == TN_HINGE_PREDICTED);
    tn_hinges_weigh_loads(sim, c, trial);
    tn_hinge_cuts_weigh(sim, c, trial);
}

/* ---- the end ---- */

/* Multiplier and error of a motion row. */
typedef struct tn_hinge_motion_row {
    double force, error;
} tn_hinge_motion_row;

/* Of the drive of a joint that is found: its known force, into the drive, and the row that its spring has. Out: that force. */
static double end_drive(const tn_sim *sim, const tn_hinge_rule *c, const tn_hinge_act *act,
                        double q, tn_hinge_motion_row *row)
{
    tn_drive *d = act->drive;
    const tn_switches *s = &sim->state.switches[act->joint];
    const double speed = tn_hinge_act_speed(&tn_alpha_of(sim)->hinges->acts.by_link, c, act);
    if (act->linear) {
        tn_drive_apply_linear(d, speed);
        row->force = tn_linear_row_force(d, q, speed);
        row->error =
            d->set.sprung ? -s->compliance[act->row] * tn_linear_row_force_at_rest(d, q) : 0.0;
        return 0.0;
    }
    tn_drive_apply_at(&sim->sys, &sim->state, d, q, speed);
    if (s->hold[act->coordinate] == TN_HOLD_SPRING) {
        row->force = tn_soft_row_force(&sim->sys, &sim->state, d, q, speed);
        row->error = tn_soft_row_error(&sim->sys, d, s->compliance[act->row], q);
    }
    return tn_drive_applied(d);
}

static tn_hinge_motion_row row_of(const tn_sim *sim, const tn_hinge_rule *c,
                                  const tn_hinge_act *act)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const double q = tn_state_coordinate(&sim->state, act->joint, act->coordinate);
    tn_hinge_motion_row row = {act->before, 0.0};
    double known = act->pushed + force_of_armature(&hinges->acts.by_link, c, act);
    if (act->drive)
        known += end_drive(sim, c, act, q, &row);
    if (act->held) {
        row.force = act->cut < 0 ? act->sign * hinges->acts.by_link.borne[act->link] - known
                                 : hinges->cuts[act->cut].lambda[act->row];
        row.error =
            act->turns && !act->chained ? -act->sign * turn_to(sim, act) : off_of(sim, act, q);
    }
    return row;
}

tn_hinge_acted tn_hinges_end_acts(tn_sim *sim, const tn_hinge_rule *c)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_world *w = &hinges->forest.world;
    tn_hinge_acted all = {.worst_joint = -1};
    tn_hinges_measure_chains(sim, sim->state.u, sim->state.udot, c->h, true);
    tn_hinges_spin(&hinges->forest);
    for (int32_t n = 0; n < hinges->acts.count; n++) {
        const tn_hinge_act *act = &hinges->acts.all[n];
        const size_t at = (size_t)act->joint * TN_MAX_ROWS + (size_t)act->row;
        const tn_hinge_motion_row row = row_of(sim, c, act);
        w->to.lambda[at] = row.force;
        if (w->has_rates)
            w->to.lambda_rate[at] = 1.0 / c->h * (row.force - act->before);
        all.sum += row.force;
        if (act->slot >= 0)
            sim->sys.phi[sim->sys.layout->y_offset[act->joint] + act->slot] = row.error;
        if (act->held && fabs(row.error) > all.angle) {
            all.angle = fabs(row.error);
            all.worst_joint = act->joint;
        }
    }
    return all;
}
