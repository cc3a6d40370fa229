/* problem.c: room law/impact: see problem.h. */
#include "law/impact/impact.h"
#include "law/impact/by_tree.h"
#include "law/impact/problem.h"

#include <math.h>
#include <string.h>

#include "tenon/limits.h"

#include "base/base.h"
#include "motion/closing/gap.h"
#include "motion/closing/project.h"

tn_status tn_impact_create(tn_sim *sim)
{
    const int64_t rows = sim->sys.layout->y_size;
    tn_impact *w = sim->impact = TN_NEW(tn_impact);
    if (!w)
        return TN_ERROR_MEMORY;
    const int64_t velocities = sim->sys.layout->u_size;
    double *at = TN_ARENA_ARRAY(&sim->seldom, double, 9 * rows + 3 * velocities);
    w->row_state = TN_ARENA_ARRAY(&sim->seldom, int8_t, rows);
    w->rubs.of = TN_ARENA_ARRAY(&sim->seldom, tn_rub, sim->model->coordinate_count);
    if (!at || !w->row_state || !w->rubs.of)
        return TN_ERROR_MEMORY;
    double **const of_rows[] = {&w->lo, &w->hi,          &w->speeds,         &w->changes,    &w->g,
                                &w->y,  &w->course.came, &w->course.bounces, &w->course.push};
    double **const of_velocities[] = {&w->u, &w->course.start, &w->course.rested};
    for (size_t n = 0; n < TN_COUNT_OF(of_rows); n++, at += rows)
        *of_rows[n] = at;
    for (size_t n = 0; n < TN_COUNT_OF(of_velocities); n++, at += velocities)
        *of_velocities[n] = at;
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

/* Rows that contradict each other, such as a limit in the way of a prescribed motion, do so however short the
 * step is: the report names the row with the largest residual. */
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

/* Removes from the required speeds of the rows the component that no motion of the bodies can reach. */
static tn_status keep_in_reach(tn_sim *sim, tn_step_report *report)
{
    const tn_status status = tn_factorize(sim, report);
    if (status == TN_OK)
        tn_gap_keep_in_reach(sim, sim->sys.g, report);
    return status;
}

/* At a change point a row may be so nearly dependent on others that its required speed is out of reach; the residual
 * is then no conflict. */
static tn_status solve_in_reach(tn_sim *sim, int impulses, tn_mlcp_stats *stats,
                                tn_step_report *report)
{
    const tn_status status = keep_in_reach(sim, report);
    return status == TN_OK ? solve_rows(sim, impulses, stats, report) : status;
}

/* From nothing, with the right-hand sides there are. */
static void prepare_matrix(tn_sim *sim)
{
    tn_assemble_hard_rows(sim);
    memset(sim->sys.du, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    memset(sim->sys.y, 0, sizeof(double) * (size_t)sim->sys.layout->y_size);
}

tn_status tn_impact_solve_rows(tn_sim *sim, int impulses, tn_step_report *report)
{
    tn_mlcp_stats stats;
    tn_impact *w = sim->impact;
    const bool gaps = tn_gap_is_on(&sim->state);
    if (report->factorizations >= TN_MOST_FACTORIZATIONS)
        return TN_ERROR_WORK;
    if (tn_is_stopped())
        return TN_ERROR_STOPPED;
    set_bounds(sim);
    tn_drives_bound(sim, impulses ? w->seconds : TN_FORCES, w->lo, w->hi);
    tn_rub_bound(sim, w->lo, w->hi);
    if (tn_impact_solve_by_tree(sim, report))
        return TN_OK;
    prepare_matrix(sim);
    const tn_status kept = gaps ? keep_in_reach(sim, report) : TN_OK;
    if (kept != TN_OK)
        return kept;
    tn_status status = solve_rows(sim, impulses, &stats, report);
    if (status == TN_ERROR_NOT_CONVERGED && !stats.conflict && !gaps && sim->model->loop_joints > 0)
        status = solve_in_reach(sim, impulses, &stats, report);
    return stats.conflict ? refuse_conflict(sim, stats.worst_row, report) : status;
}
