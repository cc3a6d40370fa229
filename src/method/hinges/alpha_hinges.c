/* alpha_hinges.c: room method/hinges: a step of a tree of hinges, and what it remembers of the last. See alpha_hinges.h. */
#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "base/base.h"
#include "joint/rotation_about_z.h"
#include "math/lanes.h"
#include "method/hinges/alpha_hinges.h"
#include "method/method.h"
#include "motion/kinematics.h"
#include "tenon/math.h"

/* Steps for which an iteration that did not end is not tried again, so that it costs little in vain. */
#define TN_HINGE_PAUSE 24.0

/* Steps of motion from which on a prediction by them is of the order of one by speeds and accelerations. */
#define TN_HINGE_FEW 3.0

/* Links from which on threads share a step: each of its four passes takes as long as to wake them up some ten times. */
#define TN_HINGE_SHARED 4096

const tn_alpha_hinges *tn_alpha_hinges_of(const tn_sim *sim)
{
    return sim->method == &tn_method_generalized_alpha ? tn_alpha_of(sim)->hinges : NULL;
}

static const tn_quat no_turn = {1.0, 0.0, 0.0, 0.0};

/* Of what does not move, where link k hangs on that. */
typedef struct tn_hinge_base {
    tn_realq ground;
    tn_real3 ground_at;
} tn_hinge_base;

static tn_hinge_base base_of(const tn_sim *sim, int32_t k, tn_real3 inner_at)
{
    const tn_hinge_welds *welds = &tn_alpha_of(sim)->hinges->welds;
    const int32_t base = tn_alpha_of(sim)->hinges->places[k].inner_body,
                  weld = base < 0 ? -1 : welds->seats[base].weld;
    return (tn_hinge_base){base < 0   ? no_turn
                           : weld < 0 ? sim->state.q[base]
                                      : welds->all[weld].stays,
                           xf_point(tn_system_xform(&sim->sys, base), inner_at)};
}

tn_hinge_link tn_alpha_hinge_link(const tn_sim *sim, int32_t k)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    tn_hinge_link link;
    hinge_get_numbers(hinge_kind_at(&hinges->forest.world, k) + TN_KIND_FIELD(link), sizeof link,
                      &link);
    if (hinges->inner[k] < 0) {
        const tn_hinge_base base = base_of(sim, k, link.inner_at);
        link.ground = base.ground;
        link.ground_at = base.ground_at;
    }
    return link;
}

/* ---- memory ---- */

tn_hinge_memory *tn_alpha_hinge_memory(const tn_sim *sim, const tn_state *state, int32_t k)
{
    return (tn_hinge_memory *)(void *)tn_alpha_remembers(sim->model, state).hinges + k;
}

/* Cosine and sine of half the angle; of what turns by nothing 1 and 0. */
static void half_angle(const double *kind, const tn_hinge_place *place, const tn_state *s,
                       double *half)
{
    half[0] = 1.0;
    half[1] = 0.0;
    if (kind[TN_KIND_FIELD(column.spin)] == 0.0)
        return;
    tn_quat rels[2];
    hinge_get_numbers(kind + TN_KIND_FIELD(link.rel), sizeof rels, rels);
    const tn_quat inner = place->inner_body < 0 ? no_turn : s->q[place->inner_body];
    const tn_quat rel = q_mul(q_conjugate(inner), s->q[place->body]);
    for (int i = 0; i < 2; i++) {
        const tn_quat *to = &rels[i];
        half[i] = rel.w * to->w + rel.x * to->x + rel.y * to->y + rel.z * to->z;
    }
    const double by = 1.0 / sqrt(half[0] * half[0] + half[1] * half[1]);
    half[0] *= by;
    half[1] *= by;
}

/* m: P on the body from that on the inner one, along the axis. */
static double slid(const double *kind, const tn_hinge_place *place, const tn_state *s)
{
    const int32_t i = place->body, inner = place->inner_body;
    const tn_vec3 arm = hinge_in_world(s->q[i], limb_v3(kind + TN_KIND_FIELD(link.at))),
                  axis = hinge_in_world(s->q[i], limb_v3(kind + TN_KIND_FIELD(link.axis)));
    tn_vec3 base = limb_v3(kind + TN_KIND_FIELD(link.inner_at));
    if (inner >= 0)
        base = v3_add(s->x[inner], hinge_in_world(s->q[inner], base));
    return v3_dot(axis, v3_sub(v3_add(s->x[i], arm), base));
}

static void follow_hinge(tn_sim *sim, const double *kind, const tn_hinge_place *place)
{
    tn_hinge_memory *memory = tn_alpha_hinge_memory(sim, &sim->state, place->memory);
    double before[2], *now = memory->half;
    half_angle(kind, place, &sim->state, now);
    if (kind[TN_KIND_FIELD(column.spin)] == 0.0) {
        hinge_remember(slid(kind, place, &sim->state) - slid(kind, place, tn_alpha_of(sim)->from),
                       memory, memory);
        return;
    }
    half_angle(kind, place, tn_alpha_of(sim)->from, before);
    const double c = now[0] * before[0] + now[1] * before[1];
    const double s = now[1] * before[0] - now[0] * before[1];
    hinge_remember(2.0 * tn_atan2(s, c), memory, memory);
}

static void count_step(tn_sim *sim)
{
    tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    balance->hinge_steps = fmin(balance->hinge_steps + 1.0, TN_HINGE_DEGREE);
}

void tn_alpha_hinges_follow(tn_sim *sim)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    if (!w->hinges)
        return;
    if (!w->tree->on && !tn_hinges_bear(sim)) {
        tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps = 0.0;
        return;
    }
    for (int32_t k = 0; k < w->hinges->count; k++) {
        if (w->hinges->places[k].part == TN_LIMB_WHOLE)
            follow_hinge(sim, hinge_kind_at(&w->hinges->forest.world, k), &w->hinges->places[k]);
    }
    for (int32_t m = 0; m < w->hinges->chain_count; m++)
        tn_hinge_chain_follow(sim, &w->hinges->chains[m], w->from);
    count_step(sim);
    tn_alpha_remembers(sim->model, &sim->state).balance->hinge_believed = 0.0;
}

/* ---- one step ---- */

static double steps_remembered(const tn_sim *sim)
{
    return tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps;
}

bool tn_alpha_hinges_go_on(const tn_sim *sim, double h)
{
    return tn_alpha_hinges_of(sim) && sim->options.formulation == TN_INDEX_3 &&
           tn_alpha_keeps_balance(sim, h, false) && steps_remembered(sim) >= TN_HINGE_DEGREE;
}

/* Is rounding of places more than the tolerance? What the other iteration ends with has noise of that over h^2 in its
 * forces then, and the turns that are remembered have it too. */
static bool is_rounded(const tn_sim *sim, const tn_alpha *c)
{
    return c->round_off > sim->options.position_tolerance;
}

/* Is the order of a prediction to be judged by what is remembered? What acts along hinges may answer fast, and its steps
 * need not be many. */
static bool chooses_order(const tn_sim *sim, const tn_alpha *c)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    return is_rounded(sim, c) || hinges->cuts || tn_hinges_are_acted_on(hinges);
}

/* By how many differences to predict. */
static int32_t order_of(const tn_sim *sim, const tn_alpha *c)
{
    const int32_t steps = (int32_t)steps_remembered(sim);
    return chooses_order(sim, c) ? tn_hinges_order(&tn_alpha_of(sim)->hinges->forest, steps)
                                 : TN_HINGE_DEGREE;
}

static tn_hinge_arrays arrays_of(const tn_model *model, const tn_state *s)
{
    const tn_alpha_memory m = tn_alpha_remembers(model, s);
    return (tn_hinge_arrays){&s->x->x, &s->q->w,       s->u,      s->udot,     m.acc,
                             m.hinges, s->coordinates, s->lambda, m.udot_rate, m.lambda_rate};
}

/* Where a step begins, where it ends, and what it hangs on as it is now. */
static void begin(tn_sim *sim, const tn_alpha *alpha, const tn_hinge_rule *c)
{
    tn_hinge_world *w = &tn_alpha_of(sim)->hinges->forest.world;
    const tn_state own = tn_state_own(&sim->state);
    w->at = arrays_of(sim->model, &sim->state);
    w->to = arrays_of(sim->model, &own);
    w->frames =
        (tn_hinge_frames){sim->sys.T, sim->sys.kin, sim->sys.phi, sim->sys.layout->y_offset};
    w->has_rates = tn_alpha_has_rates(sim);
    tn_alpha_of(sim)->hinges->forest.crew =
        w->count >= TN_HINGE_SHARED && !w->loops ? sim->crew : NULL;
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    tn_hinge_chains_begin(sim, !(steps_remembered(sim) > 0.0));
    tn_hinge_welds_begin(sim, c);
    for (int32_t n = 0; n < hinges->root_count; n++) {
        const int32_t k = hinges->roots[n];
        double *kind = hinge_kind_at(w, k);
        tn_real3 inner_at;
        hinge_get_numbers(kind + TN_KIND_FIELD(link.inner_at), sizeof inner_at, &inner_at);
        const tn_hinge_base base = base_of(sim, k, inner_at);
        hinge_put_numbers(&base, sizeof base, kind + TN_KIND_FIELD(link.ground));
    }
    tn_hinges_begin_acts(sim, alpha, c);
    tn_hinge_cuts_begin(sim, alpha, c);
}

/* A correction of what was off; then, where that is not known, what it leaves. */
typedef struct tn_hinge_course {
    double enough, small; /* m, rad; rad^2 */
    double before,
        now;      /* rad: off before the last correction, and after it where that was evaluated */
    double begun; /* rad: off where the matrix is of */
    int32_t corrections;
    bool wide;     /* the first is, or was in the step before, more than of the first order */
    bool rounded;  /* rounding of places is more than the tolerance */
    bool definite; /* the matrix is: no chain is pushed together so that it gives way */
    bool led;      /* the head was iterated by itself, */
    bool behind;   /* and the rest is yet to be corrected */
    bool shown;    /* motion is there already */
    bool weighed;  /* what acts on bodies is that of the trial */
    tn_hinge_trust trust;
} tn_hinge_course;

/* `last`: where it is of the first order there is nothing else to come, and motion is shown on the way. Where the first one of
 * the step before was not, all that goes with the angles is worked out at once; lanes, which go by the correction itself, take
 * no steps where places are rounded. */
static void correct(tn_sim *sim, const tn_hinge_rule *c, bool last, tn_hinge_course *at,
                    tn_step_report *report)
{
    const tn_hinge_forest *forest = &tn_alpha_of(sim)->hinges->forest;
    const bool first = at->corrections++ == 0, wide = first && at->rounded && at->wide;
    const bool shows = last && sim->from != NULL && !wide;
    report->iterations++;
    report->solves++;
    const double widest = wide         ? tn_hinges_correct_widely(forest, c)
                          : at->behind ? tn_hinges_correct_rest(forest, c, shows)
                                       : tn_hinges_correct(forest, c, shows);
    at->behind = at->weighed = false;
    tn_hinge_cuts_take(sim, c);
    const bool done = wide || widest <= at->small;
    at->shown = shows && done;
    if (first)
        at->wide = widest > at->small;
    if (!done && shows && !sim->state.elsewhere)
        tn_state_copy_moving(&sim->state, sim->from);
    if (!done)
        tn_hinges_turn_again(forest, c);
    tn_hinge_welds_correct(tn_alpha_of(sim)->hinges, c, done && !wide);
    if (at->shown)
        tn_hinge_welds_show_motion(sim, c);
}

static bool look(tn_sim *sim, const tn_hinge_rule *c, tn_hinge_course *at)
{
    tn_hinge_sizes now;
    tn_hinges_act(sim, c, TN_HINGE_CORRECTED);
    at->weighed = true;
    const bool good = tn_hinges_look(&tn_alpha_of(sim)->hinges->forest, c, &now);
    at->now = now.largest;
    return good;
}

/* Corrections to come until so little is left, each of which leaves this share. */
static int32_t corrections_to(double left, double now, double share)
{
    int32_t count = 0;
    for (; now > left && count < TN_HINGE_DEGREE; count++)
        now *= share;
    return count;
}

/* Does another matrix save more than the two passes it takes, those of one correction? An iteration leaves a share that
 * goes by how far off the pose is that the matrix is of. Lanes, which have one matrix a step, take none where places are
 * rounded. */
static bool is_worn(const tn_hinge_course *at)
{
    const double met = TN_HINGE_MET * at->enough, share = at->now / at->before;
    return at->rounded && corrections_to(met, at->now, share) >
                              1 + corrections_to(met, at->now, share * at->now / at->begun);
}

/* The matrix of the pose found, where that of the prediction serves no longer though it has led nearer. */
static bool renew(tn_sim *sim, const tn_hinge_rule *c, int32_t iterations, tn_hinge_course *at,
                  tn_step_report *report)
{
    const tn_hinge_forest *forest = &tn_alpha_of(sim)->hinges->forest;
    tn_hinge_off now;
    if (iterations <= 0 || at->now >= at->before)
        return false;
    tn_hinges_try_again(forest, c);
    tn_hinges_act(sim, c, TN_HINGE_PREDICTED);
    report->factorizations++;
    const bool good = tn_hinges_factorize(forest, c, &now);
    at->now = at->begun = now.largest;
    at->definite = now.definite;
    return good;
}

/* From the first correction on, which is not known to be enough. */
static bool correct_on(tn_sim *sim, const tn_hinge_rule *c, tn_hinge_course *at,
                       tn_step_report *report)
{
    const int32_t most = sim->options.max_iterations;
    for (int32_t iteration = 1; look(sim, c, at); iteration++) {
        if (iteration == 1 && !at->led)
            hinge_learn(r_yes(), at->now, at->before, &at->trust);
        if (at->definite && hinge_is_met(at->now, at->before, at->enough))
            return true;
        const bool serves = at->definite && !is_worn(at) &&
                            hinge_goes_on(at->now, at->before, at->enough, most - iteration);
        if (!serves && !renew(sim, c, most - iteration, at, report))
            return false;
        const bool last = at->definite && hinge_will_be_met_now(at->now, at->before, at->enough);
        correct(sim, c, last, at, report);
        if (last)
            return true;
        at->before = at->now;
    }
    return false;
}

/* The head by itself, where one correction of all is known not to do; then the rest is to be corrected, and judged by what it is off
 * as all were. */
static void lead(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_course *at,
                 tn_step_report *report)
{
    const tn_hinge_forest *forest = &tn_alpha_of(sim)->hinges->forest;
    double rest = 0.0;
    if (!forest->head || tn_hinges_are_acted_on(tn_alpha_of(sim)->hinges) || !at->rounded ||
        !at->definite || !(at->trust.steps > 0.0) ||
        hinge_will_be_met(&at->trust, at->before, at->enough))
        return;
    report->solves++;
    if (tn_hinges_lead(forest, c, at->enough, sim->options.max_iterations, &rest))
        at->before = at->begun = rest;
    at->led = at->behind = true;
    at->wide = false;
}

/* From a prediction on. What rows that yield leave turns with their forces: it is evaluated. */
static bool iterate(tn_sim *sim, const tn_hinge_rule *c, double round_off, tn_hinge_course *at,
                    tn_step_report *report)
{
    const tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    const double tolerance = sim->options.position_tolerance;
    tn_hinge_off before;
    *at = (tn_hinge_course){
        .enough = fmax(tolerance, round_off),
        .wide = balance->hinge_wide > 0.0,
        .rounded = round_off > tolerance,
        .trust = {balance->hinge_rate, balance->hinge_growth, balance->hinge_believed}};
    at->small = hinge_small(at->enough, round_off / TN_ROUND_OFF);
    tn_hinges_act(sim, c, TN_HINGE_PREDICTED);
    report->factorizations++;
    if (!tn_hinges_factorize(&tn_alpha_of(sim)->hinges->forest, c, &before))
        return false;
    at->before = at->begun = before.largest;
    at->definite = before.definite;
    if (!at->definite && at->before > TN_HINGE_NEAR)
        return false;
    lead(sim, c, at, report);
    const bool last = at->definite && !tn_alpha_of(sim)->hinges->acts.yields &&
                      hinge_will_be_met(&at->trust, at->before, at->enough);
    correct(sim, c, last, at, report);
    if (!last)
        return correct_on(sim, c, at, report);
    hinge_learn(0, 0.0, 1.0, &at->trust);
    return true;
}

/* ---- the end ---- */

/* By how much joints are off that were not shown with others. */
static void add_errors_of_others(const tn_sim *sim, double worst, tn_step_report *report)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_world *w = &hinges->forest.world;
    const double *phi = sim->sys.phi;
    for (int32_t k = 0; k < w->count; k++) {
        if (w->apart[k] && w->places[k].part == TN_LIMB_WHOLE)
            tn_add_errors(sim, hinges->places[k].joint, phi, &worst, report);
    }
    for (int32_t m = 0; m < hinges->chain_count; m++) {
        if (hinges->chains[m].joint >= 0)
            tn_add_errors(sim, hinges->chains[m].joint, phi, &worst, report);
    }
    for (int32_t n = 0; hinges->cuts && n < hinges->loops->cut_count; n++)
        tn_add_errors(sim, hinges->cuts[n].joint, phi, &worst, report);
}

/* For the report: sums of energy, whether all is finite, and what joints are off. */
static void tell(tn_sim *sim, const tn_hinge_acted *acted, double others, tn_step_report *report)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_told all = tn_hinges_told(&hinges->forest);
    const double *b = all.books;
    const tn_body_books *welded = &hinges->welds.told;
    sim->told.moved = (tn_moved){.made = b[0] + welded->made,
                                 .moved = b[1] + welded->moved,
                                 .size = b[2] + welded->size,
                                 .run = 0.25 * (b[3] + welded->run),
                                 .pushed = b[4] + welded->pushed,
                                 .spun = 0.25 * b[5],
                                 .twisted = b[6]};
    sim->told.moves = sim->told.errors = sim->told.speeds = true;
    sim->told.sound = !hinges->cuts && isfinite(all.sum + acted->sum + others);
    report->position_error = all.position;
    report->angle_error = fmax(all.angle, acted->angle);
    report->worst_joint.i = all.worst_limb < 0 ? -1 : hinges->places[all.worst_limb].joint;
    if (acted->angle > all.worst)
        report->worst_joint.i = acted->worst_joint;
    report->skipped_rows = 0;
    if (!all.joints || hinges->cuts)
        add_errors_of_others(sim, fmax(all.worst, acted->angle), report);
}

/* What it has learned. */
static void keep_course(const tn_hinge_course *found, tn_alpha_balance *balance)
{
    balance->hinge_rate = found->trust.rate;
    balance->hinge_growth = found->trust.growth;
    balance->hinge_believed = found->trust.steps;
    if (found->rounded)
        balance->hinge_wide = found->wide;
}

/* What acts on bodies where they are found, how far rows that were left out are open there, and what they may bear. False: some are
 * open, or what they may bear goes too far. */
static bool is_closed(tn_sim *sim, const tn_hinge_rule *c, tn_hinge_course *found)
{
    const tn_hinge_trial_kind trial = found->shown ? TN_HINGE_SHOWN : TN_HINGE_CORRECTED;
    if (!found->weighed) {
        tn_hinges_load(sim, c, trial);
        tn_hinge_cuts_weigh(sim, c, trial);
    }
    found->weighed = true;
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    return tn_hinge_cuts_are_closed(hinges, found->enough) && tn_hinge_shares_find(hinges);
}

/* What was found, to the state and the kinematics of the system. Out: the sum of what is shown of single joints. */
static double show(tn_sim *sim, const tn_hinge_rule *c, const tn_hinge_course *found)
{
    tn_hinges_show(&tn_alpha_of(sim)->hinges->forest, c, found->shown);
    if (!found->shown)
        tn_hinge_welds_show_motion(sim, c);
    keep_course(found, tn_alpha_arrive(sim));
    const double others = tn_hinges_show_others(sim, c) + tn_hinge_welds_show_forces(sim, c);
    tn_hinge_cuts_show(sim, c->h);
    sim->coordinates_known = true;
    sim->factor_is_old = tn_alpha_of(sim)->hinges->cuts != NULL;
    return others;
}

/* Where no step is remembered: the angles of the start. */
static void take_angles(const tn_sim *sim)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    for (int32_t k = 0; k < hinges->count; k++) {
        const tn_hinge_place *place = &hinges->places[k];
        if (place->part == TN_LIMB_WHOLE)
            half_angle(hinge_kind_at(&hinges->forest.world, k), place, &sim->state,
                       tn_alpha_hinge_memory(sim, &sim->state, place->memory)->half);
    }
}

/* In a plane, do fixed bodies that links hang on stand in it, turned about its normal alone? */
static bool stands_in_plane(const tn_sim *sim)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    bool level = true;
    for (int32_t n = 0; n < hinges->root_count && hinges->forest.world.flat && level; n++) {
        const int32_t base = hinges->places[hinges->roots[n]].inner_body;
        const tn_quat q = base < 0 ? no_turn : sim->state.q[base];
        level = q.x == 0.0 && q.y == 0.0;
    }
    return level;
}

/* *tried: an iteration has not ended from a prediction that remembered steps gave. Large trees and joints that advance gather these by the
 * other iteration. */
static bool take(tn_sim *sim, const tn_alpha *c, bool *tried, tn_step_report *report)
{
    tn_hinge_forest *forest = &tn_alpha_of(sim)->hinges->forest;
    if (c->index_2 || c->needs_reactions || steps_remembered(sim) < 0.0 ||
        !tn_alpha_keeps_balance(sim, c->h, false) || !tn_hinges_bear(sim) || !stands_in_plane(sim))
        return false;
    const tn_hinge_rule rule = tn_hinge_rule_of(c);
    if (!(steps_remembered(sim) > 0.0))
        take_angles(sim);
    begin(sim, c, &rule);
    const bool remembers =
        steps_remembered(sim) >= (chooses_order(sim, c) ? TN_HINGE_FEW : TN_HINGE_DEGREE);
    if (!remembers && (tn_alpha_of(sim)->hinges->advances || forest->world.count >= TN_HINGE_LONG))
        return false;
    forest->world.order = remembers ? order_of(sim, c) : 1;
    if (!remembers)
        tn_hinges_predict_by_motion(sim, &rule);
    const tn_hinge_onset onset = tn_hinges_predict(forest, &rule);
    if (remembers && !hinge_is_near(onset.change))
        return false;
    tn_hinge_course found;
    const bool ended =
        iterate(sim, &rule, c->round_off, &found, report) && is_closed(sim, &rule, &found);
    *tried = remembers && !ended;
    if (!ended)
        return false;
    const double others = show(sim, &rule, &found);
    const tn_hinge_acted acted = tn_hinges_end_acts(sim, &rule);
    tn_hinge_shares_take(sim, c->h);
    tell(sim, &acted, others, report);
    count_step(sim);
    return true;
}

bool tn_alpha_hinges_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    bool tried = false;
    if (!tn_alpha_of(sim)->hinges)
        return false;
    if (take(sim, c, &tried, report))
        return true;
    tn_state_copy_start(sim->crew, &sim->state, &sim->backup);
    if (tried)
        tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps = -TN_HINGE_PAUSE;
    return false;
}
