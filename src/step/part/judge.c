/* judge.c: room step/part: is the energy of a part of a step right?
 *
 * In: the books of the part (books.c), B = dE - dW + dL and X, the energy that it moved about. Out:
 * |B| as a share of X, in units of what may be. A method of second order misses (h w)^2 / 12 of X
 * while something turns by h w; of first order, h w / 2. Methods of first order lose energy by
 * design: of those only what is made counts.
 *
 * Limits: joints of loops that no pose closes give way as they move, and work: they are judged as
 * methods of first order are.
 */
#include "step/part/judge.h"

#include <math.h>

#include "base/base.h"
#include "law/drives/drives.h"
#include "law/limits/limits.h"
#include "step/part/books.h"
#include "step/part/reactions.h"
#include "step/part/rows.h"

/* What second order misses comes back with the swing, and a run may be off by what a step may, of
 * all it turned over. First order makes pi h w of it in each turn: at the coarsest step as much as
 * there is. A run that has made more than it turned over tells nothing any more. */
#define TN_MADE_BY_FIRST 1.0

struct tn_judge {
    tn_opening opening;
    tn_books books; /* of the part judged last */
    double share;   /* of the energy moved that it missed */
    double power;   /* W, that it moved */
    tn_reaction_check check;
    tn_force_balance balance;
    double open; /* share of the worst joint's extent */
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

void tn_judge_note_speeds(tn_sim *sim)
{
    tn_books_note_speeds(sim, &sim->judge->opening);
}

/* What a step may miss of what it moves. */
static double allowed(bool first)
{
    return first ? TN_MISSED_SHARE_FIRST : TN_MISSED_SHARE;
}

bool tn_judge_lets_lose(const tn_sim *sim)
{
    return !sim->traits.accelerations;
}

double tn_judge_allowed(const tn_sim *sim)
{
    return tn_judge_lets_lose(sim) ? TN_MADE_BY_FIRST : TN_MISSED_SHARE;
}

double tn_judge_allowed_balance(const tn_sim *sim)
{
    return allowed(tn_judge_lets_lose(sim));
}

double tn_judge_allowed_beyond(void)
{
    return TN_LIMIT_TOLERANCE;
}

/* The energy made or lost, as a share of what was moved about. Bodies that were left apart are lifted
 * when they are put together: no shorter step would do better, and the run tells what it was. */
static double energy_share(tn_sim *sim, bool first, double h)
{
    tn_judge *judge = sim->judge;
    const tn_books *b = &judge->books;
    judge->books = tn_books_close(sim, &judge->opening, h);
    judge->power = fmax(b->moved / h, TN_KEPT_POWER * sim->state.head->moving);
    const double made = b->made - fmax(b->corrected, 0.0), missed = first ? made : fabs(made);
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
    return fmax(v3_norm(arm), sqrt(0.5 * trace / sim->model->bodies[body].mass));
}

/* How far the worst joint is open. Of bodies that have no extent nothing can be said. */
static double open_share(const tn_sim *sim, const tn_step_report *report)
{
    const int32_t j = report->worst_joint.i;
    if (j < 0 || j >= sim->model->joint_count)
        return 0.0;
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const double extent =
        2.0 * fmax(reach_of(sim, joint->a, kin->r_A), reach_of(sim, joint->b, kin->r_B));
    return fmax(report->angle_error, extent > 0.0 ? report->position_error / extent : 0.0);
}

/* What a part is asked: how far it is off, what may be, and who is to be named. */
typedef struct tn_question {
    tn_imbalance what;
    double off, allowed;
    int32_t body, joint;
} tn_question;

static void answer(const tn_question *q, double *worst, tn_step_report *report)
{
    const double error = q->off / q->allowed;
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

/* In units of what may be; what is beyond it, into the report. */
static double worst_of(const tn_question *questions, size_t count, tn_step_report *report)
{
    double worst = 0.0;
    for (size_t k = 0; k < count; k++)
        answer(&questions[k], &worst, report);
    return worst;
}

/* Joints of loops that no pose closes work as they give way: as methods of first order do. */
static bool is_first(const tn_sim *sim, const tn_method *method)
{
    return tn_gap_is_on(&sim->state) || !method->traits.accelerations;
}

/* That of reactions found as what is left of the bodies' equations is in how they were found; that of others may have
 * been looked at by the method, of all bodies. */
static bool is_balance_known(const tn_sim *sim)
{
    return sim->reactions_balance || sim->told.balances;
}

static tn_force_balance ask_reactions(const tn_sim *sim, const tn_part_taken *part, bool all)
{
    if (is_balance_known(sim))
        return (tn_force_balance){.worst = -1};
    return tn_reactions_check(sim, &sim->judge->check, part, all);
}

/* What holds beyond its bound by a share e, and began within it, pushes by e^2 / 2 of what the bound does meanwhile. */
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
    judge->balance = ask_reactions(sim, &part, report->fallbacks > 0);
    judge->open = closes ? 0.0 : open_share(sim, report);
    const double off = fmax(judge->balance.force, judge->balance.moment);
    int32_t holding = -1;
    const double bound = sim->traits.divides_steps ? tn_drives_beyond_bound(sim, &holding) : 0.0;
    const tn_question questions[] = {
        {TN_IMBALANCE_ENERGY, judge->share, allowed(first), -1, -1},
        {TN_IMBALANCE_REACTIONS, off, allowed(first), judge->balance.worst, -1},
        {TN_IMBALANCE_CLOSURE, judge->open, TN_OPEN_IN_A_STEP, -1, report->worst_joint.i},
        {TN_IMBALANCE_BOUND, bound, allowed_bound(sim), -1, holding},
    };
    *error = worst_of(questions, sizeof questions / sizeof *questions, report);
    if (*error <= 1.0)
        return TN_OK;
    if (report->imbalance == TN_IMBALANCE_ENERGY)
        report->culprit_body.i = tn_books_mover(sim, &judge->opening, h);
    return TN_ERROR_INACCURATE;
}

static bool is_their_turn(tn_sim *sim)
{
    int32_t *count = &sim->state.head->steps_asked;
    const bool now = *count == 0 || (*count % TN_ASKED_EVERY == 0 && !sim->factor_is_old);
    *count = (*count + 1) % TN_ASKED_IN_STEPS;
    return now;
}

tn_status tn_judge_end(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    const tn_judge *judge = sim->judge;
    tn_tally *tally = &sim->state.head->tally;
    const double unknown = judge->check.mass * sim->options.position_tolerance / (h * h);
    const tn_rows_ended ended =
        tn_rows_ask(sim, &judge->rows, unknown, is_their_turn(sim), &report->solves);
    const double may = allowed(is_first(sim, method)), idle = report->folds ? 0.0 : ended.idle;
    const tn_question questions[] = {
        {TN_IMBALANCE_PULL, ended.pull, may, ended.body, ended.pulling},
        {TN_IMBALANCE_RANGE, ended.beyond, TN_LIMIT_TOLERANCE, -1, ended.ranged},
        {TN_IMBALANCE_MULTIPLIERS, idle, may, -1, ended.idle_joint},
    };
    const double error = worst_of(questions, sizeof questions / sizeof *questions, report);
    tally->pull = fmax(tally->pull, ended.pull);
    tally->beyond = fmax(tally->beyond, ended.beyond);
    tally->idle = fmax(tally->idle, idle);
    return error <= 1.0 ? TN_OK : TN_ERROR_INACCURATE;
}

/* J, and how much of it is certain. */
static void add_made(tn_sim *sim, double made, double told, tn_step_report *report)
{
    tn_tally *tally = &sim->state.head->tally;
    report->energy_made += made;
    tally->made += told;
    tally->most_made = fmax(tally->most_made, tally->made);
    tally->most_lost = fmax(tally->most_lost, -tally->made);
}

void tn_judge_keep(tn_sim *sim, tn_step_report *report)
{
    const tn_judge *judge = sim->judge;
    const tn_books *b = &judge->books;
    tn_tally *tally = &sim->state.head->tally;
    const double told = fmax(0.0, fabs(b->made) - b->uncertain);
    add_made(sim, b->made + b->changed, copysign(told, b->made) + b->changed, report);
    tally->kinetic = fmax(tally->kinetic, b->kinetic - fmax(tally->made, 0.0));
    tally->size = fmax(tally->size, b->size);
    tally->noise = fmax(tally->noise, b->noise);
    tally->force = fmax(tally->force, judge->balance.force);
    tally->moment = fmax(tally->moment, judge->balance.moment);
    tally->open = fmax(tally->open, judge->open);
    sim->state.head->moving = judge->power;
    if (!is_balance_known(sim))
        sim->state.head->asked = tn_reactions_asked_next(sim->model, sim->state.head->asked);
    report->energy_share = fmax(report->energy_share, judge->share);
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
    tn_body_energy(sim->model, &sim->state, &kinetic, &potential);
    return kinetic + potential + tn_store_of(&sim->sys, &sim->state, 0.0, NULL).energy;
}
