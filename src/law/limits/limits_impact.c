/* limits_impact.c: room law/limits: velocities after an impact.
 *
 * With every touching limit held (rows N, pushing inwards only):
 *   M (u+ - u) = G^T L + N^T p,  G u+ = 0,  0 <= p  _|_  N u+ + e N u >= 0
 * Accelerations keep only rows whose speed is zero after that (limits_acceleration.c). e is the restitution of the
 * coordinate, 0 of what hardly bounces (rest_speed). At an upper limit the signs of p and of the row turn round. A limit whose
 * motion row is compliant takes no part. Friction by a coefficient has its part in the impulses (limits_rub.h).
 */
#include <math.h>
#include <string.h>

#include "law/limits/limits_problem.h"
#include "law/limits/limits_stand.h"
#include "motion/closing/project.h"
#include "motion/stance/stance.h"

/* With fixed steps what comes more slowly does not bounce (m/s, rad/s): a series of bounces ends. */
#define TN_REST_SPEED 1e-3

/* Kinetic energy an impact may seem to gain, relative. */
#define TN_IMPACT_ROUND_OFF 1e-12

/* How held coordinate i would accelerate into its limit if it were free: G u' + (dG/dt) u of one that has
 * just come, what the limit's push keeps from moving of one that lay there. */
static double urge(const tn_sim *sim, int32_t j, int32_t i)
{
    const int8_t row = (int8_t)tn_limit_row_of(sim, j, i);
    const tn_element_ops *ops = tn_element_ops_of(&sim->sys, j);
    const double push = *tn_state_held_force(sim->model, &sim->state, j, i);
    double rate = 0.0, gamma[TN_MAX_ROWS] = {0};
    ops->speeds(&sim->sys, j, sim->state.udot, (tn_row_list){&row, 1}, &rate);
    ops->accelerations(&sim->sys, j, sim->state.u, gamma);
    return tn_limit_inwards(sim, j, i) *
           (push * sim->model->joints[j].row_scale[row] - rate - gamma[row]);
}

/* A flight that lasts less than this share of a fixed step, 2 v / a, is none: the method could take its
 * parts by their Taylor series only (part.c), and rises by share^2 / 4 of what a moves in the step. */
#define TN_SHORT_FLIGHT 1e-2

/* What leaves its limit more slowly rests: it is back before it has left the deadband, v^2 / (2 a), or
 * before a fixed step can tell. */
static double rest_speed(const tn_sim *sim, int32_t j, int32_t i)
{
    const double a = fmax(0.0, urge(sim, j, i));
    return fmax(sqrt(2.0 * TN_LIMIT_TOLERANCE * a), 0.5 * TN_SHORT_FLIGHT * sim->impact->step * a);
}

/* The speed below which coordinate i, with restitution e, does not bounce. */
static double least_bounce(const tn_sim *sim, int32_t j, int32_t i, double e)
{
    return sim->traits.divides_steps ? rest_speed(sim, j, i) / e : TN_REST_SPEED;
}

/* Its restitution, if it comes fast enough to bounce. */
static double bounce_of(const tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    const double e = sim->model->joints[j].restitution[i], speed = sim->impact->came[slot];
    const bool fast = e > 0.0 && -tn_limit_inwards(sim, j, i) * speed > least_bounce(sim, j, i, e);
    return fast ? e : 0.0;
}

/* Restitution: the row is asked for -e times the speed with which it came, or so much of it as there is energy for. */
static void bounce_row(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    const tn_impact *w = sim->impact;
    sim->sys.g[slot] -= w->rebound * bounce_of(sim, j, i, slot) * w->came[slot];
}

static void negate_rows(tn_sim *sim)
{
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++)
        sim->sys.g[k] = -sim->sys.g[k];
}

/* How fast a held coordinate leaves its limit; speeds holds those of the rows. */
static double leaving_speed(const tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    return tn_limit_yields(sim, j, i) ? 0.0
                                      : tn_limit_inwards(sim, j, i) * sim->impact->speeds[slot];
}

/* Releases rows that move inwards. Those that would be back at once are counted, and stay: limits that
 * throw each other's coordinates off do so ever faster, and rest together in the end. */
static void release_leaving(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    const double inwards = leaving_speed(sim, j, i, slot);
    if (inwards <= TN_LEAVING_SPEED)
        return;
    if (sim->traits.accelerations && inwards <= rest_speed(sim, j, i)) {
        sim->impact->resting++;
    } else {
        tn_limit_release(sim, j, i);
    }
}

static void release_moving(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    if (leaving_speed(sim, j, i, slot) > TN_LEAVING_SPEED)
        tn_limit_release(sim, j, i);
}

static void count_moving(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    sim->impact->resting += leaving_speed(sim, j, i, slot) > TN_LEAVING_SPEED;
}

/* J; uses sys.f. */
static double kinetic_energy(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    double sum = 0.0;
    memset(sys->f, 0, sizeof(double) * (size_t)sys->layout->u_size);
    tn_assemble_momentum(sys, sim->state.u, sys->f);
    for (int64_t k = 0; k < sys->layout->u_size; k++)
        sum += 0.5 * sim->state.u[k] * sys->f[k];
    return sum;
}

/* Share of the largest speed that is round-off. */
#define TN_SPEED_ROUND_OFF 1e-15

/* Rows that take no part, and those off by no more than round-off: what they are off would be the
 * scale of the whole solve where velocities are consistent already. */
static void drop_idle_rows(tn_sim *sim)
{
    double fastest = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        fastest = fmax(fastest, fabs(sim->state.u[k]));
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        double *g = sim->sys.g + sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
            if (fabs(g[n]) <= TN_SPEED_ROUND_OFF * fastest ||
                tn_active_compliance(&sim->state, j, n) > 0.0)
                g[n] = 0.0;
        }
    }
}

static bool solve_as_it_stands(tn_sim *sim, tn_step_report *report)
{
    const tn_impact *w = sim->impact;
    const tn_limits_asked asked = {sim, w->g, w->y, w->u, report};
    return tn_limits_look(sim, report) &&
           tn_limits_stand_impact(&asked, sim->sys.g, sim->sys.du, sim->sys.y);
}

/* The change of the velocities in sys.du, with or without restitution. */
static tn_status solve_impact(tn_sim *sim, int bouncing, tn_step_report *report)
{
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->sys.g);
    negate_rows(sim);
    if (bouncing)
        tn_limits_for_each_held(sim, bounce_row);
    tn_assemble_hold_rates(&sim->sys, &sim->state, 1, sim->sys.g);
    drop_idle_rows(sim);
    sim->impact->all_in = false;
    if (!sim->impact->rubbing && solve_as_it_stands(sim, report))
        return TN_OK;
    sim->impact->taken = -1;
    tn_prepare_hard_rows(sim);
    return tn_limits_solve(sim, 1, report);
}

/* The bounds of friction that follow from the impulses are found in so many passes, or it is told that they are not. */
#define TN_RUB_PASSES 100

/* A phase, with friction that slides all along or may stop. */
static tn_status solve_rubbing(tn_sim *sim, int bouncing, bool stops, tn_step_report *report)
{
    tn_rub_begin_phase(sim, stops);
    for (int pass = 0; pass < TN_RUB_PASSES; pass++) {
        const tn_status status = solve_impact(sim, bouncing, report);
        if (status != TN_OK || !tn_rub_follow(sim))
            return status;
    }
    report->worst_joint.i = tn_rub_culprit(sim);
    return TN_ERROR_NOT_CONVERGED;
}

/* What slides until it stops is not found where sliding presses the joint the more the more that presses: it stops at
 * once. */
static tn_status solve_phase(tn_sim *sim, int bouncing, tn_step_report *report)
{
    if (!sim->impact->rubbing)
        return solve_impact(sim, bouncing, report);
    const tn_status status = solve_rubbing(sim, bouncing, false, report);
    return status == TN_ERROR_NOT_CONVERGED ? solve_rubbing(sim, bouncing, true, report) : status;
}

static void add_change(tn_sim *sim, double sign)
{
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        sim->state.u[k] += sign * sim->sys.du[k];
}

/* What is to rest together, does if it can: of two feet on the ground under one given motion one has
 * to leave. */
static tn_status come_to_rest(tn_sim *sim, tn_step_report *report)
{
    const bool stands = sim->impact->taken >= 0 && tn_limits_look(sim, report);
    const bool at_hand = stands || tn_limits_has_factor(sim);
    if (stands)
        tn_stance_velocity(sim, TN_STANCE_HERE, report);
    else if (at_hand)
        tn_project_velocity_again(sim, report);
    const tn_status status = at_hand ? TN_OK : tn_project_velocity(sim, report);
    if (status != TN_OK)
        return status;
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->impact->speeds);
    if (!stands)
        tn_limits_note_factor(sim);
    sim->impact->resting = 0;
    tn_limits_for_each_held(sim, count_moving);
    if (sim->impact->resting == 0)
        return TN_OK;
    add_change(sim, -1.0);
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->impact->speeds);
    tn_limits_for_each_held(sim, release_moving);
    return TN_OK;
}

/* J, done in an impact. */
typedef struct tn_impact_work {
    double all;      /* by limits and friction */
    double limits;   /* by limits alone */
    double returned; /* what limits that bounce give back of what they have taken, e^2 of it */
} tn_impact_work;

/* This share of the change in sys.du, by which rows change their speeds, both [y_size]: y . N (u + u+) / 2. What prescribed motions and
 * motors without a cap put in at the same time is theirs: a ball may come off a racket faster than it came. */
static void add_work(const tn_sim *sim, double part, const double *before, const double *change,
                     tn_impact_work *work)
{
    const tn_system *sys = &sim->sys;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
        for (int32_t n = 0; n < s->active_count; n++) {
            const int32_t c = info->rows[s->active[n]].coordinate;
            const bool motion = s->active[n] >= info->bilateral_count && c >= 0;
            const bool limit = motion && s->hold[c] >= TN_HOLD_LOWER;
            const int64_t slot = sys->layout->y_offset[j] + n;
            if (!limit && !(motion && s->hold[c] == TN_HOLD_FRICTION))
                continue;
            const double by = part * sys->y[slot] * (before[slot] + 0.5 * part * change[slot]);
            work->all += by;
            if (!limit)
                continue;
            const double e = bounce_of(sim, j, c, slot);
            work->limits += by;
            work->returned += e * e * fmax(0.0, -by);
        }
    }
}

/* Has the impact moved anything? Not where coordinates have only come to lie on their limits. */
static bool changes_speeds(const tn_sim *sim)
{
    double most = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        most = fmax(most, fabs(sim->state.u[k] - sim->impact->start[k]));
    return most > TN_SAME_SPEED;
}

/* More often nothing stops in an impact. */
#define TN_RUB_PHASES 64

/* On from the velocities at hand to those after the impact, phase by phase. */
static tn_status go_on(tn_sim *sim, int bouncing, tn_impact_work *work, tn_step_report *report)
{
    tn_impact *w = sim->impact;
    *work = (tn_impact_work){0.0, 0.0, 0.0};
    for (int phase = 0; phase < TN_RUB_PHASES; phase++) {
        const tn_status status = solve_phase(sim, bouncing, report);
        if (status != TN_OK)
            return status;
        tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, w->speeds);
        tn_assemble_speeds(&sim->sys, &sim->state, sim->sys.du, w->before);
        const double part = tn_rub_end_phase(sim, w->speeds, w->before);
        add_work(sim, part, w->speeds, w->before, work);
        add_change(sim, part);
        if (part >= 1.0)
            return TN_OK;
    }
    report->worst_joint.i = tn_rub_culprit(sim);
    return TN_ERROR_NOT_CONVERGED;
}

static void keep_velocities(const tn_sim *sim, double *out)
{
    memcpy(out, sim->state.u, sizeof(double) * (size_t)sim->sys.layout->u_size);
}

static void set_velocities(tn_sim *sim, const double *to)
{
    memcpy(sim->state.u, to, sizeof(double) * (size_t)sim->sys.layout->u_size);
}

/* From the start. */
static tn_status go_through(tn_sim *sim, int bouncing, tn_impact_work *work, tn_step_report *report)
{
    tn_impact *w = sim->impact;
    set_velocities(sim, w->start);
    tn_rub_begin(sim);
    tn_assemble_speeds(&sim->sys, &sim->state, w->start, w->came);
    w->rebound = 1.0;
    return go_on(sim, bouncing, work, report);
}

/* The energy that comes back is found to so much of it, in so many passes. */
#define TN_SAME_ENERGY    1e-12
#define TN_REBOUND_PASSES 60

/* After all has come to rest at the limits: as fast off them as the energy lasts that they give back. */
static tn_status rebound(tn_sim *sim, double returned, double *work, tn_step_report *report)
{
    tn_impact *w = sim->impact;
    tn_impact_work back = {0.0, 0.0, 0.0};
    double off = HUGE_VAL;
    keep_velocities(sim, w->rested);
    for (int pass = 0; pass < TN_REBOUND_PASSES && off > TN_SAME_ENERGY; pass++) {
        set_velocities(sim, w->rested);
        tn_rub_begin(sim);
        const tn_status status = go_on(sim, 1, &back, report);
        if (status != TN_OK)
            return status;
        if (!(back.limits > 0.0)) { /* nothing that bounces has come to rest */
            *work += back.all;
            return TN_OK;
        }
        off = fabs(back.limits / returned - 1.0);
        if (off > TN_SAME_ENERGY)
            w->rebound *= sqrt(returned / back.limits);
    }
    *work += back.all;
    return off <= sqrt(TN_SAME_ENERGY) ? TN_OK : TN_ERROR_NOT_CONVERGED;
}

/* Newton's restitution with different coefficients at once may create energy, or contradict itself; then nothing bounces. */
static tn_status change_as_newton(tn_sim *sim, double *work, tn_step_report *report)
{
    const double before = kinetic_energy(sim);
    tn_impact_work done = {INFINITY, 0.0, 0.0};
    const tn_status bounced = go_through(sim, 1, &done, report);
    *work = done.all;
    if (bounced == TN_OK && done.all <= TN_IMPACT_ROUND_OFF * before)
        return TN_OK;
    const tn_status status = go_through(sim, 0, &done, report);
    *work = done.all;
    return status;
}

/* Where something rubs, limits give back e^2 of the energy that they have taken until all has come to rest (Stronge 1990): the same as
 * Newton's where what slides goes on, and what a stiff spring does where it stops or turns back, in which Newton's may create
 * energy. */
static tn_status change_as_stronge(tn_sim *sim, double *work, tn_step_report *report)
{
    tn_impact_work done;
    const tn_status status = go_through(sim, 0, &done, report);
    *work = done.all;
    return status == TN_OK && done.returned > 0.0 ? rebound(sim, done.returned, work, report)
                                                  : status;
}

static tn_status change_velocities(tn_sim *sim, tn_step_report *report)
{
    double work = 0.0;
    keep_velocities(sim, sim->impact->start);
    const bool rubs = tn_rub_begin(sim);
    const tn_status status =
        rubs ? change_as_stronge(sim, &work, report) : change_as_newton(sim, &work, report);
    sim->impact->lost += fmax(0.0, -work);
    return status;
}

static tn_status collide(tn_sim *sim, tn_step_report *report)
{
    sim->impact->factored = sim->impact->taken = -1;
    const tn_status status = change_velocities(sim, report);
    tn_rub_end(sim);
    if (status != TN_OK)
        return status;
    sim->impact->struck = changes_speeds(sim);
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->impact->speeds);
    if (sim->impact->all_in)
        tn_limits_note_factor(sim);
    sim->impact->resting = 0;
    tn_limits_for_each_held(sim, release_leaving);
    return sim->impact->resting > 0 ? come_to_rest(sim, report) : TN_OK;
}

/* Methods of first order have speeds to a step's error only: what a cap can stop in a step, with all that hangs on it,
 * it holds; what it cannot is stopped in its own time. */
static tn_status sort_by_impulses(tn_sim *sim, double step, tn_step_report *report)
{
    sim->impact->seconds = step;
    const tn_status status = solve_impact(sim, 0, report);
    sim->impact->seconds = 0.0;
    if (status != TN_OK)
        return status;
    add_change(sim, 1.0);
    tn_drives_sort(sim, 0.0);
    add_change(sim, -1.0);
    return TN_OK;
}

tn_status tn_limits_impact(tn_sim *sim, double step, tn_step_report *report)
{
    sim->impact->step = sim->traits.divides_steps ? 0.0 : step;
    tn_status status = collide(sim, report);
    if (status != TN_OK || sim->state.head->drive_count == 0)
        return status;
    if (!sim->traits.accelerations)
        status = sort_by_impulses(sim, step, report);
    else if (sim->impact->struck) /* else what has just let go at rest would be held again */
        tn_drives_sort(sim, 0.0);
    return status == TN_OK ? tn_project_velocity(sim, report) : status;
}

double tn_limits_take_lost(tn_sim *sim)
{
    const double lost = sim->impact->lost;
    sim->impact->lost = 0.0;
    return lost;
}
