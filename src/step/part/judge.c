/* judge.c: room step/part: the verification of sub-steps and the verdict on a run.
 *
 * In: the energy accounting of the sub-step (books.c): B = dE - dW + dL, and X, the energy exchanged. Out: |B| / X, as
 * a factor of the allowed share. A method of second order has an error of (h w)^2 / 12 of X while something turns by
 * h w; one of first order, h w / 2. Methods of first order lose energy by design: of those only gains count.
 *
 * Limits: joints of loops that no pose closes give way as they move, and do work: they are verified by the bound of
 * methods of first order.
 */
#include "step/part/judge.h"

#include <math.h>

#include "assemble/elements.h"
#include "assemble/load/modal.h"
#include "base/base.h"
#include "law/drives/drives.h"
#include "law/limits/limits.h"
#include "math/dense/worst.h"
#include "motion/kinematics.h"
#include "motion/momentum.h"
#include "step/part/books.h"
#include "step/part/reactions.h"
#include "step/part/rows.h"

/* Largest error of a run, as a share of all energy exchanged. The error of second order comes back with the swing, so a
 * run is allowed what a step is. First order gains pi h w of the energy in each turn: at the coarsest step as much as
 * there is. A run that has gained more than it exchanged means nothing any more. */
#define TN_MADE_BY_FIRST 1.0

/* Least energy that counts as exchanged, as a share of the energies added up: changes by round-off are no motion. */
#define TN_AT_REST 1e-9

struct tn_judge {
    double balance_before; /* J: total - work + lost where the step began */
    tn_opening opening;
    tn_books books; /* of the sub-step verified last */
    double share;   /* its error, as a share of the energy exchanged */
    double power;   /* W, energy exchanged per time */
    tn_reaction_check check;
    tn_force_balance balance;
    double open; /* opening of the worst joint, as a share of its bodies' extent */
    tn_rows_check rows;
};

tn_status tn_judge_create(tn_sim *sim)
{
    tn_judge *judge = sim->judge = TN_NEW(tn_judge);
    if (!judge)
        return TN_ERROR_MEMORY;
    tn_status status = tn_books_create(sim, &judge->opening);
    if (status == TN_OK)
        status = tn_reactions_check_create(sim->model, &judge->check);
    return status == TN_OK ? tn_rows_check_create(sim, &judge->rows) : status;
}

void tn_judge_destroy(tn_sim *sim)
{
    if (!sim->judge)
        return;
    tn_books_destroy(&sim->judge->opening);
    tn_reactions_check_destroy(&sim->judge->check);
    tn_rows_check_destroy(&sim->judge->rows);
    tn_free(sim->judge);
}

void tn_judge_begin(tn_sim *sim, const tn_state *from, double step)
{
    tn_books_open(sim, from, step, &sim->judge->opening);
}

const tn_state *tn_judge_from(const tn_sim *sim)
{
    return sim->judge->opening.from;
}

void tn_judge_note_speeds(tn_sim *sim)
{
    tn_books_note_speeds(sim, &sim->judge->opening);
}

/* Allowed error of a step, as a share of the energy exchanged. */
static double allowed(bool first)
{
    return first ? TN_MISSED_SHARE_FIRST : TN_MISSED_SHARE;
}

/* Is losing energy a property of the integrator, so that losses are not errors? */
static bool lets_lose(const tn_sim *sim)
{
    return !sim->traits.accelerations;
}

/* Energy gained or lost, as a share of that exchanged. Bodies that were not assembled exactly are lifted as their
 * joints are closed: a shorter step would not help, so this energy does not count here, but the run reports it. */
static double energy_share(tn_sim *sim, bool first, double h)
{
    tn_judge *judge = sim->judge;
    const tn_books *b = &judge->books;
    judge->books = tn_books_close(sim, &judge->opening, h);
    judge->power = tn_larger(b->moved / h, TN_KEPT_POWER * sim->state.head->moving);
    const double made = b->made - tn_larger(b->corrected, 0.0), missed = first ? made : fabs(made);
    const double counted = missed - b->uncertain - TN_ENERGY_ROUND_OFF * b->size;
    return counted > 0.0 ? counted / (judge->power * h) : 0.0;
}

/* Half of a body's extent about a joint at this arm: at least its radius of gyration. */
static double reach_of(const tn_sim *sim, int32_t body, tn_vec3 arm)
{
    if (body < 0 || !(sim->model->bodies[body].mass > 0.0))
        return 0.0;
    const tn_mat3 *J = &sim->model->bodies[body].J;
    const double trace = J->m[0][0] + J->m[1][1] + J->m[2][2];
    return tn_larger(v3_norm(arm), sqrt(0.5 * trace / sim->model->bodies[body].mass));
}

/* Opening of the worst joint as a share of its bodies' extent, or rad. Bodies without extent have no such share: 0. */
static double open_share(const tn_sim *sim, const tn_step_report *report)
{
    const int32_t j = report->worst_joint.i;
    if (j < 0 || j >= sim->model->joint_count)
        return 0.0;
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const double extent =
        2.0 * tn_larger(reach_of(sim, joint->a, kin->r_A), reach_of(sim, joint->b, kin->r_B));
    return tn_larger(report->angle_error, extent > 0.0 ? report->position_error / extent : 0.0);
}

/* One check of a sub-step: the error found, the error allowed, and the body and joint that a failure names. */
typedef struct tn_check {
    tn_imbalance what;
    double off, allowed;
    int32_t body, joint;
} tn_check;

static void note_check(const tn_check *q, double *worst, tn_step_report *report)
{
    const double error = isnan(q->off) ? (double)INFINITY : q->off / q->allowed;
    if (!(error > *worst))
        return;
    *worst = error;
    if (error <= 1.0)
        return;
    report->imbalance = q->what;
    report->unbalanced = q->off;
    report->allowed = q->allowed;
    report->culprit_body.i = q->body;
    report->culprit_joint.i = q->joint;
}

/* The largest of the errors, as a factor of the allowed one; an error that is not allowed goes into the report. */
static double worst_of(const tn_check *checks, size_t count, tn_step_report *report)
{
    double worst = 0.0;
    for (size_t k = 0; k < count; k++)
        note_check(&checks[k], &worst, report);
    return worst;
}

/* Joints of loops that no pose closes do work as they give way: the bound is that of methods of first order. */
static bool is_first(const tn_sim *sim, const tn_method *method)
{
    return tn_gap_is_on(&sim->state) || !method->traits.accelerations;
}

/* Are the reactions known to balance? Reactions computed as the residual of the bodies' equations balance by
 * construction; the method may also have checked the balance of all bodies itself. */
static bool is_balance_known(const tn_sim *sim)
{
    return sim->reactions_balance || sim->told.balances;
}

static tn_force_balance check_reactions(const tn_sim *sim, const tn_part_taken *part, bool all)
{
    if (is_balance_known(sim))
        return (tn_force_balance){.worst = -1};
    return tn_reactions_check(sim, &sim->judge->check, part, all);
}

/* Allowed relative excess over a bound: a force that exceeds its bound by a share e, having begun within it, does
 * e^2 / 2 of the work that the bound does meanwhile. */
static double allowed_bound(const tn_sim *sim)
{
    return sqrt(sim->options.relative_tolerance);
}

tn_status tn_judge_part(tn_sim *sim, const tn_method *method, double h, double *error,
                        tn_step_report *report)
{
    tn_judge *judge = sim->judge;
    const bool first = is_first(sim, method);
    const bool closes =
        method->traits.closes_joints && sim->options.solver != TN_SOLVER_SEQUENTIAL_IMPULSES;
    const tn_part_taken part = {method, judge->opening.u, h};
    judge->share = energy_share(sim, first, h);
    judge->balance = check_reactions(sim, &part, report->fallbacks > 0);
    judge->open = closes ? 0.0 : open_share(sim, report);
    const double off = tn_larger(judge->balance.force, judge->balance.moment);
    int32_t holding = -1;
    const double bound = sim->traits.divides_steps ? tn_drives_beyond_bound(sim, &holding) : 0.0;
    const tn_check checks[] = {
        {TN_IMBALANCE_ENERGY, judge->share, allowed(first), -1, -1},
        {TN_IMBALANCE_REACTIONS, off, allowed(first), judge->balance.worst, -1},
        {TN_IMBALANCE_CLOSURE, judge->open, TN_OPEN_IN_A_STEP, -1, report->worst_joint.i},
        {TN_IMBALANCE_BOUND, bound, allowed_bound(sim), -1, holding},
    };
    *error = worst_of(checks, sizeof checks / sizeof *checks, report);
    if (*error <= 1.0)
        return TN_OK;
    if (report->imbalance == TN_IMBALANCE_ENERGY)
        report->culprit_body.i = tn_books_mover(sim, &judge->opening, h);
    return TN_ERROR_INACCURATE;
}

static bool is_their_turn(tn_sim *sim)
{
    int32_t *count = &sim->state.head->steps_asked;
    const bool now = *count == 0 || (*count % TN_CHECKED_EVERY == 0 && !sim->factor_is_old);
    *count = (*count + 1) % TN_CHECKED_IN_STEPS;
    return now;
}

/* Distance of the n-th active row of joint j, which yields, from where its force puts it: there the row is open by C
 * times the force, including that of its damper, or by what a velocity solve found at the end of its step. */
static double yield_of(const tn_sim *sim, const tn_method *method, int32_t j, int32_t n,
                       const double *speed)
{
    const tn_switches *s = &sim->state.switches[j];
    const int32_t row = s->active[n];
    const double force = sim->state.lambda[(size_t)j * TN_MAX_ROWS + (size_t)row];
    if (!method->traits.accelerations)
        return sim->yields[sim->sys.layout->y_offset[j] + n];
    return -s->compliance[row] * (force + s->damping[row] * speed[n]);
}

/* Checks the constraints of one joint that yield; the worst counts by the energy stored without a force that belongs
 * to it. Springs along coordinates and soft ends of ranges come and go, and have checks of their own. round_off: m
 * or rad. */
static void add_yields(tn_sim *sim, const tn_method *method, int32_t j, double round_off)
{
    tn_tally *tally = &sim->state.head->tally;
    const tn_switches *s = &sim->state.switches[j];
    double phi[TN_MAX_ROWS], speed[TN_MAX_ROWS];
    tn_element_errors(&sim->sys, &sim->state, j, phi);
    tn_element_speeds(tn_element_ops_of(&sim->sys, j), &sim->sys, &sim->state, j, sim->state.u,
                      speed);
    const int32_t constraints = sim->model->joints[j].geometry.cls->info.bilateral_count;
    for (int32_t n = 0; n < s->active_count && s->active[n] < constraints; n++) {
        const double C = s->compliance[s->active[n]];
        const double wanted = C > 0.0 ? yield_of(sim, method, j, n, speed) : 0.0;
        const double off = C > 0.0 ? tn_larger(fabs(phi[n] - wanted) - round_off, 0.0) : 0.0;
        const double energy = C > 0.0 ? 0.5 * off * off / C : 0.0;
        if (!(energy > tally->yield_energy))
            continue;
        tally->yield_energy = energy;
        tally->yield_off = off;
        tally->yield_wanted =
            fabs(C * sim->state.lambda[(size_t)j * TN_MAX_ROWS + (size_t)s->active[n]]);
        tally->yield_joint = j;
    }
}

static void check_yields(tn_sim *sim, const tn_method *method)
{
    double round_off = -1.0; /* computed only for models that have such joints */
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        if (sim->state.plain[j] || !(s->compliant & TN_SOFT_OTHER) ||
            !tn_state_is_on(sim->model, &sim->state, j) ||
            !tn_joint_yields(&sim->model->joints[j], s))
            continue;
        if (round_off < 0.0)
            round_off = TN_ROW_ROUND_OFF * tn_largest_coordinate(sim);
        add_yields(sim, method, j, round_off);
    }
}

tn_status tn_judge_end(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    const tn_judge *judge = sim->judge;
    tn_tally *tally = &sim->state.head->tally;
    check_yields(sim, method);
    const double unknown = judge->check.mass * sim->options.position_tolerance / (h * h);
    const tn_rows_ended ended =
        tn_rows_verify(sim, &judge->rows, unknown, is_their_turn(sim), &report->solves);
    const double may = allowed(is_first(sim, method)), idle = report->folds ? 0.0 : ended.idle;
    const tn_check checks[] = {
        {TN_IMBALANCE_PULL, ended.pull, may, ended.body, ended.pulling},
        {TN_IMBALANCE_RANGE, ended.beyond, TN_LIMIT_TOLERANCE, -1, ended.ranged},
        {TN_IMBALANCE_MULTIPLIERS, idle, may, -1, ended.idle_joint},
    };
    const double error = worst_of(checks, sizeof checks / sizeof *checks, report);
    tally->pull = tn_larger(tally->pull, ended.pull);
    tally->beyond = tn_larger(tally->beyond, ended.beyond);
    tally->idle = tn_larger(tally->idle, idle);
    return error <= 1.0 ? TN_OK : TN_ERROR_INACCURATE;
}

/* Adds the uncertain part of the energy error: work of powers that change within a sub-step, springs that oscillate
 * within it, errors of the method. For methods of first order the energies of whole steps contain it. */
static void add_uncertain(tn_sim *sim)
{
    const tn_books *b = &sim->judge->books;
    const double rest = fmin(fabs(b->made), b->uncertain) - b->blurred;
    if (!lets_lose(sim) && rest > 0.0)
        tn_judge_add_net(&sim->state.head->tally, copysign(rest, b->made));
}

/* Adds an energy error. made: J; certain: J, what is certain of it. */
static void add_made(tn_sim *sim, double made, double certain, tn_step_report *report)
{
    tn_tally *tally = &sim->state.head->tally;
    report->energy_made += made;
    tally->made += certain;
    tally->most_made = tn_larger(tally->most_made, tally->made);
    tally->most_lost = tn_larger(tally->most_lost, -tally->made);
}

void tn_judge_keep(tn_sim *sim, tn_step_report *report)
{
    tn_judge *judge = sim->judge;
    const tn_books *b = &judge->books;
    tn_tally *tally = &sim->state.head->tally;
    const double certain = tn_larger(0.0, fabs(b->made) - b->uncertain);
    add_made(sim, b->made + b->changed, copysign(certain, b->made) + b->changed, report);
    add_uncertain(sim);
    tally->kinetic = tn_larger(tally->kinetic, b->kinetic - tn_larger(tally->made, 0.0));
    tally->size = tn_larger(tally->size, b->size);
    tally->noise = tn_larger(tally->noise, b->noise);
    tally->force = tn_larger(tally->force, judge->balance.force);
    tally->moment = tn_larger(tally->moment, judge->balance.moment);
    tally->open = tn_larger(tally->open, judge->open);
    sim->state.head->moving = judge->power;
    if (!is_balance_known(sim))
        sim->state.head->asked = tn_reactions_next_group(sim->model, sim->state.head->asked);
    report->energy_share = tn_larger(report->energy_share, judge->share);
}

void tn_judge_add_sizes(const tn_sim *sim, tn_tally *sums)
{
    const tn_books *b = &sim->judge->books;
    sums->kinetic += b->kinetic;
    sums->size += b->size;
    sums->noise += sim->state.head->tally.noise;
}

void tn_judge_add(tn_sim *sim, double made, tn_step_report *report)
{
    add_made(sim, made, made, report);
}

double tn_judge_energy(const tn_sim *sim)
{
    double kinetic, potential;
    tn_body_energy(&sim->sys, &sim->state, &kinetic, &potential);
    return kinetic + potential + tn_stored_energy(&sim->sys, &sim->state);
}

/* total - work + lost, J. */
static double balance_of(const tn_sim *sim)
{
    return tn_judge_energy(sim) - sim->state.head->work + sim->state.head->lost;
}

static double kinetic_energy(const tn_sim *sim)
{
    double kinetic, potential;
    tn_body_energy(&sim->sys, &sim->state, &kinetic, &potential);
    return kinetic;
}

void tn_judge_begin_step(tn_sim *sim)
{
    if (!lets_lose(sim))
        return;
    if (sim->state.head->restart)
        tn_refresh_kinematics(sim);
    sim->judge->balance_before = balance_of(sim);
}

void tn_judge_add_net(tn_tally *tally, double change)
{
    tally->net += change;
    tally->risen = tn_larger(0.0, tally->risen + change);
    tally->fallen = tn_larger(0.0, tally->fallen - change);
    tally->most_risen = tn_larger(tally->most_risen, tally->risen);
    tally->most_fallen = tn_larger(tally->most_fallen, tally->fallen);
}

static void add_balance(tn_sim *sim)
{
    tn_tally *tally = &sim->state.head->tally;
    tn_judge_add_net(tally, balance_of(sim) - sim->judge->balance_before);
    tally->kinetic = tn_larger(tally->kinetic, kinetic_energy(sim) - tally->risen);
}

/* Allows for the tolerance e of poses: a motion by e in a step has a momentum of m e / h. */
static void add_momenta(tn_sim *sim, double h)
{
    tn_tally *tally = &sim->state.head->tally;
    const tn_momentum_change now = tn_momentum_changed(sim, h);
    const double blur = sim->options.position_tolerance / h;
    const double mass = sim->judge->opening.mass;
    const double reach = sqrt(mass * sim->judge->opening.inertia); /* kg m */
    tally->linear += now.linear;
    tally->angular += now.angular;
    tally->linear_size = tn_larger(tally->linear_size, tn_larger(now.linear_size, blur * mass));
    tally->angular_size = tn_larger(tally->angular_size, tn_larger(now.angular_size, blur * reach));
}

/* Largest deflection of modal bodies, as a share of their radius of gyration. A bar of length L with a uniform
 * curvature k has turned by k L / sqrt(12) in the mean square and moved by 0.129 k L radii, so its turn is 2.24
 * times this figure. Half the square of the turn is the strain that displacements linear in the modes leave out: 1 %
 * here, the bound of energies. */
#define TN_BENT_ALLOWED 0.063

static void add_bent(tn_sim *sim)
{
    const tn_model *model = sim->model;
    double *most = &sim->state.head->tally.bent;
    for (int32_t i = 0; i < model->solid_count; i++) {
        if (model->solids[i].modal)
            *most = tn_larger(*most, tn_modal_bent(model->solids[i].modal, sim->state.x));
    }
}

void tn_judge_end_step(tn_sim *sim, double h)
{
    if (lets_lose(sim)) {
        add_balance(sim);
        if (!sim->method->restores_momenta && sim->model->floating_count > 0)
            add_momenta(sim, h);
    }
    add_bent(sim);
    tn_judge_watch(sim);
}

void tn_judge_watch(tn_sim *sim)
{
    tn_state_head *head = sim->state.head;
    if (head->tally.exceeded_at == 0.0 && !tn_judge_accuracy(sim).holds)
        head->tally.exceeded_at = head->time;
}

static double share_of(double part, double whole)
{
    return part > 0.0 ? part / whole : 0.0;
}

/* Sets the figures of energy, gained and lost: from the sums over sub-steps, or, for methods of first order, from
 * the energies at the ends of steps. A gain is not counted as exchanged, wherever that energy has gone since. */
static void put_energy(const tn_sim *sim, tn_accuracy *a)
{
    const tn_state_head *head = sim->state.head;
    const tn_tally *tally = &head->tally;
    const double noise = tally->noise;
    const double made =
        a->loses ? tally->most_risen : tn_larger(tally->most_made, tally->most_lost);
    const double paid = a->loses ? tally->most_risen : 0.0;
    a->energy_made = tn_larger(0.0, made - noise);
    const double faded =
        a->loses ? tally->most_fallen : tn_larger(tally->most_risen, tally->most_fallen);
    a->energy_faded = tn_larger(0.0, faded - noise);
    a->energy_turnover = tn_larger(tn_larger(tally->kinetic, fabs(head->work)),
                                   tn_larger(head->lost - paid, TN_AT_REST * tally->size));
    a->energy_share = share_of(a->energy_made, a->energy_turnover);
    a->energy_allowed = a->loses ? TN_MADE_BY_FIRST : TN_MISSED_SHARE;
}

/* If all figures are within their bounds, the verdict depends on the method: accuracy controlled, or only balanced. */
static tn_verdict verdict_of(const tn_sim *sim, const tn_accuracy *a)
{
    const double faded = share_of(a->energy_faded, a->energy_turnover);
    const double off =
        tn_larger(tn_larger(a->energy_share, faded), tn_larger(a->linear, a->angular));
    if (!a->holds)
        return TN_VERDICT_EXCEEDED;
    if (sim->traits.divides_steps)
        return TN_VERDICT_WITHIN;
    return off <= TN_MISSED_SHARE ? TN_VERDICT_BALANCES : TN_VERDICT_UNBALANCED;
}

tn_accuracy tn_judge_accuracy(const tn_sim *sim)
{
    const tn_tally *tally = &sim->state.head->tally;
    const bool first = lets_lose(sim);
    tn_accuracy a = {
        .force = tally->force,
        .moment = tally->moment,
        .balance_allowed = allowed(first),
        .open = tally->open,
        .open_allowed = TN_OPEN_IN_A_RUN,
        .pull = tally->pull,
        .beyond = tally->beyond,
        .beyond_allowed = TN_LIMIT_TOLERANCE,
        .idle = tally->idle,
        .unwatched = tally->unwatched,
        .bent = tally->bent,
        .bent_allowed = TN_BENT_ALLOWED,
        .loses = first,
        .linear = share_of(tally->linear, tally->linear_size),
        .angular = share_of(tally->angular, tally->angular_size),
        .momentum_allowed = allowed(first),
        .exceeded_at = tally->exceeded_at > 0.0 ? tally->exceeded_at : (double)NAN,
        .order = tn_integrator_order(sim->options.integrator),
    };
    put_energy(sim, &a);
    a.yield_share =
        share_of(tally->yield_energy - TN_ENERGY_ROUND_OFF * tally->size, a.energy_turnover);
    a.yield_allowed = TN_MISSED_SHARE;
    a.yield_off = tally->yield_off;
    a.yield_wanted = tally->yield_wanted;
    a.yield_joint =
        tn_joint_of(sim->model, tally->yield_energy > 0.0 ? (int32_t)tally->yield_joint : -1);
    a.holds =
        a.energy_share <= a.energy_allowed && a.yield_share <= a.yield_allowed &&
        a.open <= a.open_allowed &&
        tn_larger(tn_larger(a.force, a.moment), tn_larger(a.pull, a.idle)) <= a.balance_allowed &&
        tn_larger(a.linear, a.angular) <= a.momentum_allowed && a.beyond <= a.beyond_allowed &&
        a.unwatched == 0 && a.bent <= a.bent_allowed;
    a.verdict = verdict_of(sim, &a);
    return a;
}
