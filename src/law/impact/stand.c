/* stand.c: room law/impact: the two problems of an impact (problem.h) of a tree, by its own elimination
 * (motion/stance/stance.h).
 *
 * In: the speeds or accelerations that the rows shall have, with the holds of now. Out: the solution in which limits
 * only push, and the limits that let go. The tree is solved once with all limits held; those that pull are then released by
 * a small complementarity problem in the responses of the limits to each other (solve/mlcp/mlcp_answers.h).
 * Both functions return false where no such set is found: the general problem is then solved.
 */
#include "law/impact/stand.h"

#include <math.h>
#include <string.h>

#include "law/limits/limits_impl.h"
#include "motion/stance/stance.h"
#include "solve/mlcp/mlcp.h"
#include "solve/mlcp/mlcp_answers.h"

/* Shares of the largest multiplier: below the first a multiplier is rounding; a limit that let go may be left with the
 * second. */
#define TN_STANDS_WITH_NONE 1e-10
#define TN_STANDS_LET_GO    1e-12

/* The rows of limits, which can only push, with their multipliers. */
static bool list_pushing(const tn_sim *sim, const double *y, tn_mlcp_answers *z)
{
    z->count = z->known = 0;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
        const tn_switches *s = &sim->state.switches[j];
        for (int32_t n = sim->model->joints[j].kept_bilateral;
             !sim->state.plain[j] && n < s->active_count; n++) {
            const int32_t c = info->rows[s->active[n]].coordinate;
            if (!tn_limit_holds(sim, j, c) || s->let_go[c] == TN_CAME_BACK)
                continue;
            if (z->count == TN_MLCP_BOUNDED)
                return false;
            const bool up = tn_limit_inwards(sim, j, c) > 0.0;
            const int64_t slot = sim->sys.layout->y_offset[j] + n;
            z->rows[z->count++] =
                (tn_mlcp_bounded){.lo = up ? 0.0 : -(double)INFINITY,
                                  .hi = up ? (double)INFINITY : 0.0,
                                  .lambda = y[slot],
                                  .scale = sqrt(sim->model->joints[j].row_scale[s->active[n]]),
                                  .slot = slot};
        }
    }
    return true;
}

/* The largest multiplier, times the root of the inverse mass of its row: comparable between forces and moments. */
static double largest_of_rows(const tn_sim *sim, const double *y)
{
    double largest = 0.0;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
        const double *own = y + sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < rows.count; n++) {
            const double scale = sim->model->joints[j].row_scale[rows.row[n]];
            largest = fmax(largest, own[n] * own[n] * scale);
        }
    }
    return sqrt(largest);
}

/* Marks the rows that pull by more than rounding, as first guess of those that let go; returns how many. */
static int32_t guess(tn_mlcp_answers *z, double rounding)
{
    int32_t pulling = 0;
    for (int32_t b = 0; b < z->count; b++) {
        tn_mlcp_bounded *row = &z->rows[b];
        row->state = (row->lo - row->lambda) * row->scale > rounding   ? TN_MLCP_LO
                     : (row->lambda - row->hi) * row->scale > rounding ? TN_MLCP_HI
                                                                       : TN_MLCP_FREE;
        pulling += row->state != TN_MLCP_FREE;
    }
    return pulling;
}

/* Response of all limits to a unit change at limit b, by the factor with all limits held. */
static void ask_standing(void *of, const tn_mlcp_answers *z, int32_t b, double *answer)
{
    const tn_impact_asked *asked = of;
    memset(asked->g, 0, sizeof(double) * (size_t)asked->sim->sys.layout->y_size);
    asked->g[z->rows[b].slot] = 1.0;
    tn_stance_push(asked->sim, TN_STANCE_HERE, asked->g, false, asked->u, asked->y, asked->report);
    for (int32_t k = 0; k < z->count; k++)
        answer[k] = asked->y[z->rows[k].slot];
}

/* Sets the multipliers of released limits to 0 and clips rounding of the others; false: a released one was not near 0. */
static bool settle_rows(const tn_mlcp_answers *z, double none, double *y)
{
    bool good = true;
    for (int32_t b = 0; b < z->count; b++) {
        const tn_mlcp_bounded *row = &z->rows[b];
        double *own = &y[row->slot];
        good = good && (row->state == TN_MLCP_FREE || fabs(*own) * row->scale <= none);
        *own = row->state == TN_MLCP_FREE ? fmin(fmax(*own, row->lo), row->hi) : 0.0;
    }
    return good;
}

/* Finds the set of limits that only push. Out: in asked->g the right-hand side that releases the others. */
static bool find_pushing(const tn_impact_asked *asked, double largest, tn_mlcp_answers *z)
{
    z->gone = 0;
    z->of = (void *)asked;
    z->ask = ask_standing;
    const double rounding = TN_STANDS_WITH_NONE * largest;
    if (guess(z, rounding) > 0 && !tn_mlcp_find_set(z, rounding))
        return false;
    memset(asked->g, 0, sizeof(double) * (size_t)asked->sim->sys.layout->y_size);
    for (int32_t p = 0; p < z->gone; p++)
        asked->g[z->rows[z->row[z->let_go[p]]].slot] = z->alpha[p];
    return true;
}

bool tn_impact_stand(const tn_impact_asked *asked, const double *g, double *u, double *y)
{
    tn_sim *sim = asked->sim;
    tn_mlcp_answers z;
    if (!tn_stance_push(sim, TN_STANCE_HERE, g, true, u, y, asked->report) ||
        !list_pushing(sim, y, &z))
        return false;
    const double largest = largest_of_rows(sim, y);
    if (!find_pushing(asked, largest, &z))
        return false;
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++)
        asked->g[k] += g[k];
    return (z.gone == 0 ||
            tn_stance_push(sim, TN_STANCE_HERE, asked->g, true, u, y, asked->report)) &&
           settle_rows(&z, TN_STANDS_LET_GO * largest, y);
}

/* Adds the change of accelerations, and of the multipliers y, that the release makes. */
static bool take_change(const tn_impact_asked *asked, double *y)
{
    tn_sim *sim = asked->sim;
    if (!tn_stance_push(sim, TN_STANCE_HERE, asked->g, true, asked->u, asked->y, asked->report))
        return false;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        sim->state.udot[k] += asked->u[k];
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const int64_t slot = sim->sys.layout->y_offset[j];
        const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
        for (int32_t n = 0; n < rows.count; n++)
            y[slot + n] += asked->y[slot + n];
    }
    return true;
}

static void put_into_state(tn_sim *sim, const double *y)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const double *own = y + sim->sys.layout->y_offset[j];
        const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
        for (int32_t n = 0; n < rows.count; n++)
            sim->state.lambda[j * TN_MAX_ROWS + rows.row[n]] = own[n];
    }
}

bool tn_impact_stand_acceleration(const tn_impact_asked *asked, int8_t *row_state)
{
    tn_sim *sim = asked->sim;
    double *y = sim->sys.y;
    tn_mlcp_answers z;
    if (!tn_stance_accelerate(sim, TN_STANCE_HERE, true, asked->report))
        return false;
    tn_assemble_gather_lambda(&sim->sys, &sim->state, y);
    const double largest = largest_of_rows(sim, y);
    if (!list_pushing(sim, y, &z) || !find_pushing(asked, largest, &z) ||
        (z.gone > 0 && !take_change(asked, y)) || !settle_rows(&z, TN_STANDS_LET_GO * largest, y))
        return false;
    put_into_state(sim, y);
    for (int32_t b = 0; b < z.count; b++)
        row_state[z.rows[b].slot] = z.rows[b].state;
    return true;
}
