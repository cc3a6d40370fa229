/* course.c: room law/impact: see course.h. */
#include "law/impact/course.h"

#include <math.h>
#include <string.h>

#include "law/impact/problem.h"
#include "motion/closing/project.h"

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

/* The speed below which a coordinate that leaves its limit rests there: it would return before it has left the deadband,
 * v^2 / (2 a), or within a fixed step. */
double tn_impact_rest_speed(const tn_sim *sim, int32_t j, int32_t i)
{
    const double a = fmax(0.0, urge(sim, j, i));
    return fmax(sqrt(2.0 * TN_LIMIT_TOLERANCE * a), 0.5 * TN_SHORT_FLIGHT * sim->impact->step * a);
}

/* The speed below which coordinate i, with restitution e, does not bounce. */
static double least_bounce(const tn_sim *sim, int32_t j, int32_t i, double e)
{
    return sim->traits.divides_steps ? tn_impact_rest_speed(sim, j, i) / e : TN_REST_SPEED;
}

/* Its restitution, if it is met fast enough to bounce. */
static void note_bounce(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    tn_course *w = &sim->impact->course;
    const double e = sim->model->joints[j].restitution[i];
    const double speed = -tn_limit_inwards(sim, j, i) * w->came[slot];
    w->bounces[slot] = e > 0.0 && speed > least_bounce(sim, j, i, e) ? e : 0.0;
}

/* Restitution: the speed required of the row is -e times that of its approach, or as much of it as the energy allows. */
static void bounce_row(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    (void)j;
    (void)i;
    const tn_course *w = &sim->impact->course;
    sim->sys.g[slot] -= w->rebound * w->bounces[slot] * w->came[slot];
}

static void negate_rows(tn_sim *sim)
{
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++)
        sim->sys.g[k] = -sim->sys.g[k];
}

/* J; uses sys.f. */
static double kinetic_energy(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    double sum = 0.0;
    memset(sys->f, 0, sizeof(double) * (size_t)sys->layout->u_size);
    tn_assemble_momentum(sys, &sim->state, sim->state.u, sys->f);
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

/* The change of the velocities in sys.du, with or without restitution. */
tn_status tn_impact_solve(tn_sim *sim, int bouncing, tn_step_report *report)
{
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->sys.g);
    negate_rows(sim);
    if (bouncing)
        tn_impact_for_each_held(sim, bounce_row);
    tn_assemble_hold_rates(&sim->sys, &sim->state, 1, sim->sys.g);
    drop_idle_rows(sim);
    memset(sim->sys.f, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    return tn_impact_solve_rows(sim, 1, report);
}

/* Passes in which the bounds of friction that depend on the impulses have to converge; if they do not, this is reported. */
#define TN_RUB_PASSES 100

/* A phase, with friction that slides all along or may stop. */
static tn_status solve_rubbing(tn_sim *sim, int bouncing, bool stops, tn_step_report *report)
{
    tn_rub_begin_phase(sim, stops);
    for (int pass = 0; pass < TN_RUB_PASSES; pass++) {
        const tn_status status = tn_impact_solve(sim, bouncing, report);
        if (status != TN_OK || !tn_rub_follow(sim))
            return status;
    }
    return TN_ERROR_NOT_CONVERGED;
}

/* Limits push on by the impulses of a phase in which what slides stops. */
static tn_status push_on(tn_sim *sim, int bouncing, tn_step_report *report)
{
    tn_rubbing *rubs = &sim->impact->rubs;
    const tn_status stopped = solve_rubbing(sim, bouncing, true, report);
    if (stopped != TN_OK)
        return stopped;
    memcpy(sim->impact->course.push, sim->sys.y, sizeof(double) * (size_t)sim->sys.layout->y_size);
    rubs->pushed = true;
    const tn_status status = solve_rubbing(sim, bouncing, false, report);
    rubs->pushed = status == TN_OK;
    return status == TN_ERROR_NOT_CONVERGED ? solve_rubbing(sim, bouncing, true, report) : status;
}

/* What slides all along, until something stops. */
static tn_status solve_phase(tn_sim *sim, int bouncing, tn_step_report *report)
{
    sim->impact->rubs.pushed = false;
    if (!sim->impact->rubs.on)
        return tn_impact_solve(sim, bouncing, report);
    const tn_status status = solve_rubbing(sim, bouncing, false, report);
    return status == TN_ERROR_NOT_CONVERGED ? push_on(sim, bouncing, report) : status;
}

void tn_impact_add_change(tn_sim *sim, double sign)
{
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        sim->state.u[k] += sign * sim->sys.du[k];
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
            const double e = sim->impact->course.bounces[slot];
            work->limits += by;
            work->returned += e * e * fmax(0.0, -by);
        }
    }
}

/* More often nothing stops in an impact. */
#define TN_RUB_PHASES 64

/* A phase: how much of it there is, and the speeds of rows and what they change by. */
static tn_status take_phase(tn_sim *sim, int bouncing, double *part, tn_step_report *report)
{
    tn_impact *w = sim->impact;
    tn_status status = solve_phase(sim, bouncing, report);
    if (status != TN_OK)
        return status;
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, w->speeds);
    tn_assemble_speeds(&sim->sys, &sim->state, sim->sys.du, w->changes);
    *part = tn_rub_end_phase(sim, w->speeds, w->changes);
    if (isfinite(*part))
        return TN_OK;
    w->rubs.pushed = false; /* nothing stops: all at once */
    *part = 1.0;
    status = solve_rubbing(sim, bouncing, true, report);
    tn_assemble_speeds(&sim->sys, &sim->state, sim->sys.du, w->changes);
    return status;
}

/* On from the velocities at hand to those after the impact, phase by phase. */
static tn_status go_on(tn_sim *sim, int bouncing, tn_impact_work *work, tn_step_report *report)
{
    tn_impact *w = sim->impact;
    *work = (tn_impact_work){0.0, 0.0, 0.0};
    for (int phase = 0; phase < TN_RUB_PHASES; phase++) {
        double part = 1.0;
        const tn_status status = take_phase(sim, bouncing, &part, report);
        if (status != TN_OK)
            return status;
        add_work(sim, part, w->speeds, w->changes, work);
        tn_impact_add_change(sim, part);
        if (part >= 1.0 && !w->rubs.pushed)
            return TN_OK;
    }
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
    tn_course *w = &sim->impact->course;
    set_velocities(sim, w->start);
    tn_assemble_speeds(&sim->sys, &sim->state, w->start, w->came);
    memset(w->bounces, 0, sizeof(double) * (size_t)sim->sys.layout->y_size);
    tn_impact_for_each_held(sim, note_bounce);
    w->rebound = 1.0;
    return go_on(sim, bouncing, work, report);
}

/* The energy that comes back is found to so much of it, in so many passes. */
#define TN_SAME_ENERGY    1e-12
#define TN_REBOUND_PASSES 60

/* Shares of the speeds of Newton's restitution between which the energy is that which comes back, and how much too little and too much
 * it is there, in units of it. */
typedef struct tn_rebound {
    double lo, hi;
    double lacks, exceeds;
    int last; /* which of them was found last: -1, 1 */
} tn_rebound;

/* Where the energy is off by this share: the next one (Illinois; energy grows with the square of speeds as long as nothing stops). */
static double next_share(tn_rebound *b, double share, double off)
{
    const int side = off > 0.0 ? 1 : -1;
    if (side > 0) {
        b->hi = share;
        b->exceeds = off;
        b->lacks *= b->last == side ? 0.5 : 1.0;
    } else {
        b->lo = share;
        b->lacks = -off;
        b->exceeds *= b->last == side ? 0.5 : 1.0;
    }
    const bool begins = b->last == 0 || isinf(b->hi);
    b->last = side;
    return begins ? share / sqrt(1.0 + off)
                  : b->lo + (b->hi - b->lo) * (b->lacks / (b->lacks + b->exceeds));
}

/* After all has come to rest at the limits: as fast off them as the energy lasts that they give back. */
static tn_status rebound(tn_sim *sim, double returned, double *work, tn_step_report *report)
{
    tn_course *w = &sim->impact->course;
    tn_impact_work back = {0.0, 0.0, 0.0};
    tn_rebound shares = {0.0, HUGE_VAL, 1.0, HUGE_VAL, 0};
    double off = HUGE_VAL;
    keep_velocities(sim, w->rested);
    for (int pass = 0; pass < TN_REBOUND_PASSES && fabs(off) > TN_SAME_ENERGY; pass++) {
        if (pass > 0)
            w->rebound = next_share(&shares, w->rebound, off);
        set_velocities(sim, w->rested);
        tn_rub_begin(sim);
        const tn_status status = go_on(sim, 1, &back, report);
        if (status != TN_OK)
            return status;
        off = back.limits / returned - 1.0;
        if (!(back.limits > 0.0)) /* nothing that bounces has come to rest */
            off = 0.0;
    }
    *work += back.all;
    return fabs(off) <= sqrt(TN_SAME_ENERGY) ? TN_OK : TN_ERROR_NOT_CONVERGED;
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

/* Restitution with friction (Stronge 1990): a limit returns e^2 of the energy that it took until the end of compression. This equals
 * Newton's restitution where sliding goes on. Where sliding stops or turns back it is the result of a stiff spring, while Newton's
 * may create energy. Where no friction has an impulse Newton's is used. */
static tn_status change_as_stronge(tn_sim *sim, double *work, tn_step_report *report)
{
    tn_impact_work done;
    sim->impact->rubs.took = false;
    const tn_status status = go_through(sim, 0, &done, report);
    *work = done.all;
    if (status != TN_OK || done.returned == 0.0)
        return status;
    if (sim->impact->rubs.took)
        return rebound(sim, done.returned, work, report);
    set_velocities(sim, sim->impact->course.start);
    tn_rub_end(sim);
    return change_as_newton(sim, work, report);
}

tn_status tn_impact_change(tn_sim *sim, tn_step_report *report)
{
    double work = 0.0;
    keep_velocities(sim, sim->impact->course.start);
    const tn_status status = tn_rub_begin(sim) ? change_as_stronge(sim, &work, report)
                                               : change_as_newton(sim, &work, report);
    if (status == TN_ERROR_NOT_CONVERGED && sim->impact->rubs.on)
        report->culprit_joint.i = report->worst_joint.i = tn_rub_culprit(sim);
    tn_rub_end(sim);
    sim->impact->lost += fmax(0.0, -work);
    return status;
}
