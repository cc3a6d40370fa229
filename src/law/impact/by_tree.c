/* by_tree.c: room law/impact: see by_tree.h.
 *
 * All rows hold at first. Rows with multipliers beyond their bounds let go: solve/mlcp/mlcp_answers.h finds the set from the
 * responses of single rows. The tree is solved once more with that set, in which a row that has let go requires the speed
 * at which its multiplier is at its bound.
 */
#include "law/impact/by_tree.h"

#include <math.h>
#include <string.h>

#include "law/impact/problem.h"
#include "motion/tree/tree.h"
#include "solve/mlcp/mlcp_answers.h"

/* Relative to the largest multiplier: an excess beyond a bound that is rounding, and the accepted error of a multiplier at its bound. */
#define TN_BEYOND_BOUND 1e-10
#define TN_OFF_BOUND    1e-12

/* The tree whose responses are computed. */
typedef struct tn_asked {
    tn_sim *sim;
    tn_step_report *report;
} tn_asked;

/* Rows with bounds, and their multipliers with all rows held. false: they are too many. */
static bool list_bounded(const tn_sim *sim, tn_mlcp_answers *z)
{
    const tn_impact *w = sim->impact;
    z->count = z->known = 0;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        for (int32_t n = 0; !sim->state.plain[j] && n < s->active_count; n++) {
            const int64_t slot = sim->sys.layout->y_offset[j] + n;
            if ((isinf(w->lo[slot]) && isinf(w->hi[slot])) ||
                tn_active_compliance(&sim->state, j, n) > 0.0)
                continue;
            if (z->count == TN_MLCP_BOUNDED)
                return false;
            z->rows[z->count++] =
                (tn_mlcp_bounded){.lo = w->lo[slot],
                                  .hi = w->hi[slot],
                                  .lambda = sim->sys.y[slot],
                                  .scale = sqrt(sim->model->joints[j].row_scale[s->active[n]]),
                                  .slot = slot};
        }
    }
    return true;
}

/* The largest multiplier, sqrt(J). */
static double largest_of_rows(const tn_sim *sim)
{
    double largest = 0.0;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
        const double *own = sim->sys.y + sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < rows.count; n++) {
            const double scale = sim->model->joints[j].row_scale[rows.row[n]];
            largest = fmax(largest, own[n] * own[n] * scale);
        }
    }
    return sqrt(largest);
}

/* Lets rows go that are beyond their bounds by more than rounding, or whose bounds are equal. Returns how many. */
static int32_t guess(tn_mlcp_answers *z, double rounding)
{
    int32_t gone = 0;
    for (int32_t b = 0; b < z->count; b++) {
        tn_mlcp_bounded *row = &z->rows[b];
        const double below = (row->lo - row->lambda) * row->scale,
                     above = (row->lambda - row->hi) * row->scale;
        row->state = below > rounding || row->lo == row->hi ? TN_MLCP_LO
                     : above > rounding                     ? TN_MLCP_HI
                                                            : TN_MLCP_FREE;
        gone += row->state != TN_MLCP_FREE;
    }
    return gone;
}

/* Multipliers of all bounded rows for a unit speed of row b, all rows held. */
static void ask_tree(void *of, const tn_mlcp_answers *z, int32_t b, double *answer)
{
    const tn_asked *asked = of;
    tn_impact *w = asked->sim->impact;
    memset(w->g, 0, sizeof(double) * (size_t)asked->sim->sys.layout->y_size);
    w->g[z->rows[b].slot] = 1.0;
    tn_body_tree_solve(asked->sim, NULL, w->g, (double)INFINITY, w->u, w->y, asked->report);
    for (int32_t k = 0; k < z->count; k++)
        answer[k] = w->y[z->rows[k].slot];
}

/* Are those that let go at their bounds? */
static bool is_settled(const tn_mlcp_answers *z, double off, const double *y)
{
    bool good = true;
    for (int32_t b = 0; b < z->count && good; b++) {
        const tn_mlcp_bounded *row = &z->rows[b];
        const double beside = fabs(y[row->slot] - tn_mlcp_bound_of(row)) * row->scale;
        good = row->state == TN_MLCP_FREE || beside <= off;
    }
    return good;
}

/* What is at its bound is there to the last bit, and all others are between theirs. */
static void settle_rows(const tn_mlcp_answers *z, tn_impact *w, double *y)
{
    for (int32_t b = 0; b < z->count; b++) {
        const tn_mlcp_bounded *row = &z->rows[b];
        double *own = &y[row->slot];
        *own =
            row->state == TN_MLCP_FREE ? fmin(fmax(*own, row->lo), row->hi) : tn_mlcp_bound_of(row);
        w->row_state[row->slot] = row->state;
    }
}

/* The solution with the speeds at which rows that have let go are at their bounds. */
static bool solve_with_set(tn_sim *sim, const tn_mlcp_answers *z, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    double *g = sim->impact->g;
    memcpy(g, sys->g, sizeof(double) * (size_t)sys->layout->y_size);
    for (int32_t p = 0; p < z->gone; p++)
        g[z->rows[z->row[z->let_go[p]]].slot] += z->alpha[p];
    return tn_body_tree_solve(sim, sys->f, g, 0.0, sys->du, sys->y, report);
}

bool tn_impact_solve_by_tree(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    tn_asked asked = {sim, report};
    tn_mlcp_answers z; /* large: only what is counted is read */
    z.of = &asked;
    z.ask = ask_tree;
    z.gone = 0;
    if (!tn_body_tree_serves(sim) || tn_body_tree_take_hard(sim, report) != TN_OK ||
        !tn_body_tree_solve(sim, sys->f, sys->g, 0.0, sys->du, sys->y, report) ||
        !list_bounded(sim, &z))
        return false;
    const double largest = largest_of_rows(sim), rounding = TN_BEYOND_BOUND * largest;
    if (guess(&z, rounding) > 0 &&
        (!tn_mlcp_find_set(&z, rounding) || !solve_with_set(sim, &z, report)))
        return false;
    if (!is_settled(&z, TN_OFF_BOUND * largest, sys->y))
        return false;
    settle_rows(&z, sim->impact, sys->y);
    return true;
}
