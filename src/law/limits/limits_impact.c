/* limits_impact.c: room law/limits: the two complementarity problems of an impact.
 *
 * With every touching limit held (rows N, pushing inwards only):
 *   impact         M (u+ - u) = G^T L + N^T p,  G u+ = 0,      0 <= p  _|_  N u+ + e N u >= 0
 *   acceleration   M u' = f + G^T l + N^T t,    G u' = -gamma, 0 <= t  _|_  N u' + gamma_N >= 0
 * where the second keeps only rows whose speed is zero after the first. e is the restitution of the
 * coordinate, 0 of what hardly bounces (rest_speed). At an upper limit the signs of p, t and of the row turn round.
 * A limit whose motion row is compliant takes no part in them.
 */
#include <math.h>
#include <string.h>

#include "tenon/limits.h"

#include "base/base.h"
#include "law/limits/limits_impl.h"
#include "law/limits/limits_stand.h"
#include "solve/mlcp/mlcp.h"
#include "motion/closing/project.h"
#include "motion/closing/gap.h"
#include "motion/stance/stance.h"

struct tn_impact {
    tn_mlcp *mlcp;
    double *lo, *hi;   /* [y_size] bounds of the multipliers */
    int8_t *row_state; /* [y_size] TN_MLCP_FREE ... */
    double *speeds;    /* [y_size] of the rows after an impact */
    double *before;    /* [y_size] multipliers of the pass before */
    int32_t resting;   /* coordinates that an impact leaves slower than they can leave */
    double step;       /* s, fixed, of the impact; 0: steps are divided */
    double seconds;    /* for which caps act in the problem of impulses */
    double lost;       /* J, in limits that were hit, since it was asked for last */
    int32_t factored;  /* coordinates held in the exact factor at hand, of this pose; -1: none is */
    bool all_in;       /* the last problem was solved with the factor of all rows that held then */
    double rounding;   /* sqrt(J), of multipliers that are none */
    bool stood;        /* the last accelerations were found as it stands (motion/stance/stance.h) */
    int32_t taken;     /* coordinates held as it was looked at at this pose; -1: it was not */
    double *g, *y, *u; /* [y_size], [y_size], [u_size] what is asked of it, and answered */
    tn_xform *T;       /* [bodies] that pose */
};

tn_status tn_impact_create(tn_sim *sim)
{
    const int64_t rows = sim->sys.layout->y_size;
    tn_impact *w = sim->impact = TN_NEW(tn_impact);
    if (!w)
        return TN_ERROR_MEMORY;
    w->lo = TN_ARENA_ARRAY(&sim->seldom, double, 6 * rows + sim->sys.layout->u_size);
    w->row_state = TN_ARENA_ARRAY(&sim->seldom, int8_t, rows);
    w->T = TN_ARENA_ARRAY(&sim->seldom, tn_xform, sim->model->body_count);
    if (!w->lo || !w->row_state || !w->T)
        return TN_ERROR_MEMORY;
    w->hi = w->lo + rows;
    w->speeds = w->hi + rows;
    w->before = w->speeds + rows;
    w->g = w->before + rows;
    w->y = w->g + rows;
    w->u = w->y + rows;
    w->factored = w->taken = -1;
    return tn_mlcp_create(sim->model->kkt, &w->mlcp);
}

void tn_impact_destroy(tn_sim *sim)
{
    tn_impact *w = sim->impact;
    if (!w)
        return;
    tn_mlcp_destroy(w->mlcp);
    tn_free(w);
}

/* With fixed steps what comes more slowly does not bounce (m/s, rad/s): a series of bounces ends. */
#define TN_REST_SPEED 1e-3

/* Kinetic energy an impact may seem to gain, relative. */
#define TN_IMPACT_ROUND_OFF 1e-12

/* Calls the function for every coordinate held at a limit that only pushes in this step, with the
 * slot of its row. */
typedef void (*held_function)(tn_sim *sim, int32_t joint, int32_t coordinate, int64_t slot);

static void for_each_held(tn_sim *sim, held_function function)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches copy = sim->state.switches[j];
        const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
        for (int32_t n = 0; n < copy.active_count; n++) {
            const int32_t c = info->rows[copy.active[n]].coordinate;
            if (copy.active[n] >= info->bilateral_count && c >= 0 &&
                copy.hold[c] >= TN_HOLD_LOWER && copy.let_go[c] != TN_CAME_BACK)
                function(sim, j, c, sim->sys.layout->y_offset[j] + n);
        }
    }
}

/* Bounds of a held row: it pushes up at a lower limit, down at an upper one. */
static void bound_row(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    if (tn_limit_yields(sim, j, i))
        return; /* compliant rows are left out of both problems */
    if (tn_limit_inwards(sim, j, i) > 0.0) {
        sim->impact->lo[slot] = 0.0;
    } else {
        sim->impact->hi[slot] = 0.0;
    }
}

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

/* Restitution: the row is asked for -e times its speed, which is in sys.g (negated). */
static void bounce_row(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    const double e = sim->model->joints[j].restitution[i], speed = -sim->sys.g[slot];
    if (e > 0.0 && -tn_limit_inwards(sim, j, i) * speed > least_bounce(sim, j, i, e))
        sim->sys.g[slot] -= e * speed;
}

static void set_bounds(tn_sim *sim)
{
    tn_impact *w = sim->impact;
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++) {
        w->lo[k] = -INFINITY;
        w->hi[k] = INFINITY;
        w->row_state[k] = TN_MLCP_FREE;
    }
    for_each_held(sim, bound_row);
}

/* The element whose rows hold this slot. */
static int32_t element_of(const tn_sim *sim, int64_t slot)
{
    int32_t last = 0;
    for (int32_t j = 1; j < sim->model->element_count; j++)
        last = sim->sys.layout->y_offset[j] <= slot ? j : last;
    return last;
}

/* Rows that contradict each other, a limit in the way of a given motion say, do so however short the
 * step: the one that is met least is named. */
static tn_status refuse_conflict(const tn_sim *sim, int64_t row, tn_step_report *report)
{
    report->worst_joint.i = row >= 0 ? element_of(sim, row) : -1;
    return TN_ERROR_CONFLICT;
}

/* rad/s. */
static double fastest_turn(const tn_sim *sim)
{
    double fastest = 0.0;
    for (int32_t i = 0; i < sim->model->body_count; i++)
        fastest = fmax(fastest, v3_norm(tn_assemble_twist(&sim->sys, sim->state.u, i).w));
    return fastest;
}

/* Of what there is already: speeds, and accelerations as turning makes them of speeds. */
static double size_at_hand(const tn_sim *sim, int impulses)
{
    const double speed = tn_mlcp_velocity_norm(sim->impact->mlcp, sim->sys.values, sim->state.u);
    return impulses ? speed : speed * fastest_turn(sim);
}

/* Into sys.du, sys.y. */
static tn_status solve_rows(tn_sim *sim, int impulses, tn_mlcp_stats *stats, tn_step_report *report)
{
    tn_mlcp_options options = tn_mlcp_default_options();
    tn_impact *w = sim->impact;
    options.refine.reach = tn_reach(sim);
    options.at_hand = size_at_hand(sim, impulses);
    const tn_status status =
        tn_mlcp_solve(w->mlcp, sim->sys.values, sim->sys.factor, sim->sys.f, sim->sys.g, w->lo,
                      w->hi, w->row_state, sim->sys.du, sim->sys.y, &options, stats);
    report->factorizations += stats->factorizations;
    report->solves += stats->solves;
    return status;
}

/* What no motion can do about the rows is left out of what is asked of them. */
static tn_status keep_in_reach(tn_sim *sim, tn_step_report *report)
{
    const tn_status status = tn_factorize(sim, report);
    if (status == TN_OK)
        tn_gap_keep_in_reach(sim, sim->sys.g, report);
    return status;
}

/* At a change point a row may depend on others so nearly that the speeds it asks for are out of reach;
 * what is left then is no conflict. */
static tn_status solve_in_reach(tn_sim *sim, int impulses, tn_mlcp_stats *stats,
                                tn_step_report *report)
{
    const tn_status status = keep_in_reach(sim, report);
    return status == TN_OK ? solve_rows(sim, impulses, stats, report) : status;
}

/* Fixed steps, and an exact factor: that of all rows that hold now is worth keeping. */
static bool keeps_factor(const tn_sim *sim)
{
    return sim->impact->step > 0.0 && sim->traits.accelerations && tn_factor_is_exact(sim) &&
           sim->state.head->drive_count == 0;
}

static void note_factor(tn_sim *sim)
{
    sim->impact->factored = keeps_factor(sim) ? tn_limits_held(sim) : -1;
}

static bool has_factor(const tn_sim *sim)
{
    return sim->impact->factored >= 0 && sim->impact->factored == tn_limits_held(sim);
}

static bool all_are_free(const tn_sim *sim)
{
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++) {
        if (sim->impact->row_state[k] != TN_MLCP_FREE)
            return false;
    }
    return true;
}

/* The square root of an energy, as the complementarity problem measures multipliers. */
static double size_of_multiplier(const tn_sim *sim, int64_t slot)
{
    return fabs(sim->sys.y[slot]) * sqrt(sim->sys.values->a[slot]);
}

static double largest_multiplier(const tn_sim *sim)
{
    double largest = 0.0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const int64_t first = sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++)
            largest = fmax(largest, size_of_multiplier(sim, first + n));
    }
    return largest;
}

/* A limit that pulls is at its bound, for a start; by rounding it pulls with nothing. */
static void bind_pulling(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    tn_impact *w = sim->impact;
    const double inwards = tn_limit_inwards(sim, j, i);
    if (tn_limit_yields(sim, j, i) || inwards * sim->sys.y[slot] >= 0.0)
        return;
    if (size_of_multiplier(sim, slot) <= w->rounding)
        sim->sys.y[slot] = 0.0;
    else
        w->row_state[slot] = inwards > 0.0 ? TN_MLCP_LO : TN_MLCP_HI;
}

typedef enum tn_all_held { TN_ALL_PUSH, TN_SOME_PULL, TN_ALL_UNKNOWN } tn_all_held;

/* The problem as if no limit let go, with the factor of that if it is at hand: where none pulls that is the
 * answer, else the start of the search for it. */
static tn_all_held solve_all_held(tn_sim *sim, tn_step_report *report)
{
    const tn_mlcp_options options = tn_mlcp_default_options();
    const tn_system *sys = &sim->sys;
    tn_kkt_refine_stats stats;
    if (!keeps_factor(sim) || (!has_factor(sim) && tn_factorize(sim, report) != TN_OK))
        return TN_ALL_UNKNOWN;
    memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
    memset(sys->y, 0, sizeof(double) * (size_t)sys->layout->y_size);
    const tn_status status = tn_kkt_solve_refined(sim->model->kkt, sys->values, sys->factor, sys->f,
                                                  sys->g, sys->du, sys->y, &options.refine, &stats);
    report->solves += stats.passes;
    if (status != TN_OK || stats.stagnated)
        return TN_ALL_UNKNOWN;
    sim->impact->rounding = options.tolerance * largest_multiplier(sim);
    for_each_held(sim, bind_pulling);
    return all_are_free(sim) ? TN_ALL_PUSH : TN_SOME_PULL;
}

/* Residuals to which what limits answer is believed, relative: ten times those that solves are refined to. */
#define TN_ANSWERED 1e-12

/* The problem with those that pull at their bounds, from the solution and the factor with all of them held. */
static bool solve_by_answers(tn_sim *sim, tn_step_report *report)
{
    const tn_system *sys = &sim->sys;
    tn_impact *w = sim->impact;
    return tn_mlcp_respond(w->mlcp, sys->values, sys->factor, sys->f, sys->g, w->lo, w->hi,
                           w->row_state, w->rounding, TN_ANSWERED, sys->du, sys->y,
                           &report->solves);
}

/* Solves the complementarity problem sys.f, sys.g with the mass metric into sys.du, sys.y. */
static tn_status solve(tn_sim *sim, int impulses, tn_step_report *report)
{
    tn_mlcp_stats stats;
    tn_impact *w = sim->impact;
    const bool gaps = tn_gap_is_on(&sim->state);
    const tn_status kept = gaps ? keep_in_reach(sim, report) : TN_OK;
    if (kept != TN_OK)
        return kept;
    if (report->factorizations >= TN_MOST_FACTORIZATIONS)
        return TN_ERROR_WORK;
    set_bounds(sim);
    tn_drives_bound(sim, impulses ? w->seconds : TN_FORCES, w->lo, w->hi);
    const tn_all_held held = solve_all_held(sim, report);
    w->all_in = held == TN_ALL_PUSH || (held == TN_SOME_PULL && solve_by_answers(sim, report));
    if (w->all_in)
        return TN_OK;
    tn_status status = solve_rows(sim, impulses, &stats, report);
    if (status == TN_ERROR_NOT_CONVERGED && !stats.conflict && !gaps && sim->model->loop_joints > 0)
        status = solve_in_reach(sim, impulses, &stats, report);
    return stats.conflict ? refuse_conflict(sim, stats.worst_row, report) : status;
}

static void negate_rows(tn_sim *sim)
{
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++)
        sim->sys.g[k] = -sim->sys.g[k];
}

/* Releases rows that carry no force: they leave, or could. */
static void release_unloaded(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    if (sim->impact->row_state[slot] != TN_MLCP_FREE)
        tn_limit_release(sim, j, i);
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

/* With all that is held now, at this pose. */
static bool look_as_it_stands(tn_sim *sim, tn_step_report *report)
{
    tn_impact *w = sim->impact;
    const size_t bytes = sizeof(tn_xform) * (size_t)sim->model->body_count;
    const int32_t held = tn_limits_held(sim);
    if (w->taken == held && memcmp(w->T, sim->sys.T, bytes) == 0)
        return true;
    w->taken = -1;
    if (!tn_stance_serves(sim) || tn_stance_take(sim, TN_STANCE_HERE, report) != TN_OK)
        return false;
    memcpy(w->T, sim->sys.T, bytes);
    w->taken = held;
    return true;
}

static bool solve_as_it_stands(tn_sim *sim, tn_step_report *report)
{
    const tn_impact *w = sim->impact;
    const tn_limits_asked asked = {sim, w->g, w->y, w->u, report};
    return look_as_it_stands(sim, report) &&
           tn_limits_stand_impact(&asked, sim->sys.g, sim->sys.du, sim->sys.y);
}

/* The change of the velocities in sys.du, with or without restitution. */
static tn_status solve_impact(tn_sim *sim, int bouncing, tn_step_report *report)
{
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->sys.g);
    negate_rows(sim);
    if (bouncing)
        for_each_held(sim, bounce_row);
    tn_assemble_hold_rates(&sim->sys, &sim->state, 1, sim->sys.g);
    drop_idle_rows(sim);
    sim->impact->all_in = false;
    if (solve_as_it_stands(sim, report))
        return TN_OK;
    sim->impact->taken = -1;
    tn_prepare_hard_rows(sim);
    return solve(sim, 1, report);
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
    const bool stands = sim->impact->taken >= 0 && look_as_it_stands(sim, report);
    const bool at_hand = stands || has_factor(sim);
    if (stands)
        tn_stance_velocity(sim, TN_STANCE_HERE, report);
    else if (at_hand)
        tn_project_velocity_again(sim, report);
    const tn_status status = at_hand ? TN_OK : tn_project_velocity(sim, report);
    if (status != TN_OK)
        return status;
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->impact->speeds);
    if (!stands)
        note_factor(sim);
    sim->impact->resting = 0;
    for_each_held(sim, count_moving);
    if (sim->impact->resting == 0)
        return TN_OK;
    add_change(sim, -1.0);
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->impact->speeds);
    for_each_held(sim, release_moving);
    return TN_OK;
}

/* J that limits have done to all by the change in sys.du, y . N (u + u+) / 2; what prescribed motions and motors
 * without a cap put in at the same time is theirs: a ball may come off a racket faster than it came. */
static double work_of_limits(tn_sim *sim)
{
    const tn_system *sys = &sim->sys;
    const double *before = sim->impact->speeds, *change = sim->impact->before;
    double work = 0.0;
    tn_assemble_speeds(sys, &sim->state, sim->state.u, sim->impact->speeds);
    tn_assemble_speeds(sys, &sim->state, sys->du, sim->impact->before);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
        for (int32_t n = 0; n < s->active_count; n++) {
            const int32_t c = info->rows[s->active[n]].coordinate;
            const int64_t slot = sys->layout->y_offset[j] + n;
            if (s->active[n] >= info->bilateral_count && c >= 0 && s->hold[c] >= TN_HOLD_LOWER)
                work += sys->y[slot] * (before[slot] + 0.5 * change[slot]);
        }
    }
    return work;
}

/* Newton's restitution with different coefficients at once may create energy, or contradict
 * itself; then nothing bounces. */
static tn_status collide(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    sim->impact->factored = sim->impact->taken = -1;
    const double before = kinetic_energy(sim);
    tn_status status = solve_impact(sim, 1, report);
    double work = status == TN_OK ? work_of_limits(sim) : INFINITY;
    if (work > TN_IMPACT_ROUND_OFF * before) {
        status = solve_impact(sim, 0, report);
        if (status != TN_OK)
            return status;
        work = work_of_limits(sim);
    }
    add_change(sim, 1.0);
    sim->impact->lost += fmax(0.0, -work);
    tn_assemble_speeds(sys, &sim->state, sim->state.u, sim->impact->speeds);
    if (sim->impact->all_in)
        note_factor(sim);
    sim->impact->resting = 0;
    for_each_held(sim, release_leaving);
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
    if (sim->traits.accelerations)
        tn_drives_sort(sim, 0.0);
    else
        status = sort_by_impulses(sim, step, report);
    return status == TN_OK ? tn_project_velocity(sim, report) : status;
}

double tn_limits_take_lost(tn_sim *sim)
{
    const double lost = sim->impact->lost;
    sim->impact->lost = 0.0;
    return lost;
}

/* Bounds of friction that follow from the reactions are found in so many passes ... */
#define TN_REACTION_PASSES 20
/* ... or when no multiplier changes by more than this share of the largest. */
#define TN_SAME_REACTION 1e-12

/* Takes the solution; returns 1 if the multipliers are still those of the pass before. */
static int take_solution(tn_sim *sim)
{
    double change = 0.0, largest = 0.0;
    tn_assemble_gather_lambda(&sim->sys, &sim->state, sim->impact->before);
    tn_take_acceleration(sim);
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const double *before = sim->impact->before + sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            const double now = sim->state.lambda[j * TN_MAX_ROWS + s->active[n]];
            largest = fmax(largest, fabs(now));
            change = fmax(change, fabs(now - before[n]));
        }
    }
    return change <= TN_SAME_REACTION * largest;
}

/* As the mechanism stands. */
static bool accelerate_as_it_stands(tn_sim *sim, tn_step_report *report)
{
    tn_impact *w = sim->impact;
    const tn_limits_asked asked = {sim, w->g, w->y, w->u, report};
    const bool good =
        look_as_it_stands(sim, report) && tn_limits_stand_acceleration(&asked, w->row_state);
    w->taken = -1;
    return good;
}

/* Accelerations and multipliers with what holds now. */
static tn_status solve_accelerations(tn_sim *sim, tn_step_report *report)
{
    sim->impact->stood = accelerate_as_it_stands(sim, report);
    if (sim->impact->stood) {
        sim->impact->factored = -1;
        return TN_OK;
    }
    const int passes = tn_drives_need_reactions(sim) ? TN_REACTION_PASSES : 1;
    for (int pass = 0, same = 0; pass < passes && !same; pass++) {
        if (has_factor(sim))
            memset(sim->sys.f, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
        else
            tn_prepare_hard_rows(sim);
        tn_prepare_acceleration(sim);
        const tn_status status = solve(sim, 0, report);
        sim->impact->factored = -1;
        if (status != TN_OK)
            return status;
        same = take_solution(sim);
    }
    return TN_OK;
}

/* The direction in which what has round bounds starts is found in so many passes at most. */
#define TN_DIRECTION_PASSES 100

/* What lets go gives less from then on where it has slipped, so that more may let go: each at most
 * once. */
static tn_status settle_accelerations(tn_sim *sim, tn_step_report *report)
{
    tn_status status = solve_accelerations(sim, report);
    for (int32_t k = 0; status == TN_OK && k < sim->state.head->drive_count + TN_DIRECTION_PASSES;
         k++) {
        if (tn_drives_settle(sim, sim->impact->row_state) == 0)
            break;
        status = solve_accelerations(sim, report);
    }
    return status;
}

/* What leaves its limit is taken by its motor or friction again, which may hold it or not: with them
 * it is solved once more. Limits only let go here, so that it ends. */
tn_status tn_limits_acceleration(tn_sim *sim, tn_step_report *report)
{
    int32_t held, left;
    do {
        const tn_status status = settle_accelerations(sim, report);
        if (status != TN_OK)
            return status;
        held = tn_limits_held(sim);
        for_each_held(sim, release_unloaded);
        left = tn_limits_held(sim);
    } while (left < held && sim->state.head->drive_count > 0);
    tn_assemble_drive_forces(&sim->sys, &sim->state, sim->state.u, sim->sys.f);
    return TN_OK;
}

bool tn_limits_stood(const tn_sim *sim)
{
    return sim->impact->stood;
}
