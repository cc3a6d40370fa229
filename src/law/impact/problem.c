/* problem.c: room law/impact: see problem.h. */
#include "law/impact/impact.h"
#include "law/impact/problem.h"

#include <math.h>
#include <string.h>

#include "tenon/limits.h"

#include "base/base.h"
#include "motion/closing/gap.h"
#include "motion/closing/project.h"
#include "motion/stance/stance.h"

tn_status tn_impact_create(tn_sim *sim)
{
    const int64_t rows = sim->sys.layout->y_size;
    tn_impact *w = sim->impact = TN_NEW(tn_impact);
    if (!w)
        return TN_ERROR_MEMORY;
    const int64_t velocities = sim->sys.layout->u_size;
    double *at = TN_ARENA_ARRAY(&sim->seldom, double, 9 * rows + 3 * velocities);
    w->row_state = TN_ARENA_ARRAY(&sim->seldom, int8_t, rows);
    w->T = TN_ARENA_ARRAY(&sim->seldom, tn_xform, sim->model->body_count);
    w->rubs.of = TN_ARENA_ARRAY(&sim->seldom, tn_rub, sim->model->coordinate_count);
    if (!at || !w->row_state || !w->T || !w->rubs.of)
        return TN_ERROR_MEMORY;
    double **const of_rows[] = {&w->lo, &w->hi,          &w->speeds,         &w->changes,    &w->g,
                                &w->y,  &w->course.came, &w->course.bounces, &w->course.push};
    double **const of_velocities[] = {&w->u, &w->course.start, &w->course.rested};
    for (size_t n = 0; n < TN_COUNT_OF(of_rows); n++, at += rows)
        *of_rows[n] = at;
    for (size_t n = 0; n < TN_COUNT_OF(of_velocities); n++, at += velocities)
        *of_velocities[n] = at;
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

void tn_impact_for_each_held(tn_sim *sim, tn_held_function function)
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
    if (sim->impact->rubs.pushed) {
        sim->impact->lo[slot] = sim->impact->hi[slot] = sim->impact->course.push[slot];
    } else if (tn_limit_inwards(sim, j, i) > 0.0) {
        sim->impact->lo[slot] = 0.0;
    } else {
        sim->impact->hi[slot] = 0.0;
    }
}

static void set_bounds(tn_sim *sim)
{
    tn_impact *w = sim->impact;
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++) {
        w->lo[k] = -INFINITY;
        w->hi[k] = INFINITY;
        w->row_state[k] = TN_MLCP_FREE;
    }
    tn_impact_for_each_held(sim, bound_row);
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

void tn_impact_note_factor(tn_sim *sim)
{
    sim->impact->factored = keeps_factor(sim) ? tn_limits_held(sim) : -1;
}

bool tn_impact_has_factor(const tn_sim *sim)
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
    if (!keeps_factor(sim) || (!tn_impact_has_factor(sim) && tn_factorize(sim, report) != TN_OK))
        return TN_ALL_UNKNOWN;
    memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
    memset(sys->y, 0, sizeof(double) * (size_t)sys->layout->y_size);
    const tn_status status = tn_kkt_solve_refined(sim->model->kkt, sys->values, sys->factor, sys->f,
                                                  sys->g, sys->du, sys->y, &options.refine, &stats);
    report->solves += stats.passes;
    if (status != TN_OK || stats.stagnated)
        return TN_ALL_UNKNOWN;
    sim->impact->rounding = options.tolerance * largest_multiplier(sim);
    tn_impact_for_each_held(sim, bind_pulling);
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

tn_status tn_impact_solve_rows(tn_sim *sim, int impulses, tn_step_report *report)
{
    tn_mlcp_stats stats;
    tn_impact *w = sim->impact;
    const bool gaps = tn_gap_is_on(&sim->state);
    const tn_status kept = gaps ? keep_in_reach(sim, report) : TN_OK;
    if (kept != TN_OK)
        return kept;
    if (report->factorizations >= TN_MOST_FACTORIZATIONS)
        return TN_ERROR_WORK;
    if (tn_is_stopped())
        return TN_ERROR_STOPPED;
    set_bounds(sim);
    tn_drives_bound(sim, impulses ? w->seconds : TN_FORCES, w->lo, w->hi);
    tn_rub_bound(sim, w->lo, w->hi);
    const tn_all_held held = solve_all_held(sim, report);
    w->all_in = held == TN_ALL_PUSH || (held == TN_SOME_PULL && solve_by_answers(sim, report));
    if (w->all_in)
        return TN_OK;
    tn_status status = solve_rows(sim, impulses, &stats, report);
    if (status == TN_ERROR_NOT_CONVERGED && !stats.conflict && !gaps && sim->model->loop_joints > 0)
        status = solve_in_reach(sim, impulses, &stats, report);
    return stats.conflict ? refuse_conflict(sim, stats.worst_row, report) : status;
}

bool tn_impact_look(tn_sim *sim, tn_step_report *report)
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
