/* group.c: room redundancy/loops: the equations of loops and couplings that hang together
 * (closing.h), after what every loop by itself leaves out.
 *
 * Limits: dense per group, so a few hundred loops that hang together.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "math/dense/jacobi_svd.h"
#include "math/dense/null_space.h"
#include "redundancy/loops/closing.h"

typedef struct tn_group {
    int32_t equations; /* columns of the transposed matrix */
    int32_t motions;   /* its rows: free motions */
    int32_t *first;    /* [graph edges] row of the first free motion */
    double *scale; /* [motions] 1 / length of a motion in the first loop that meets it; 0: none */
    double *A, *V, *sigma;
} tn_group;

int64_t tn_red_coupling_slot(const tn_closing *c, int32_t k)
{
    return c->pose->sys.layout->y_offset[c->pose->model->joint_count + k];
}

/* Does coupling k take part in a group as a constraint? */
static int counts_in(const tn_closing *c, int32_t k, int32_t group)
{
    return c->graph->coupling_group[k] == group && c->taking_part[tn_red_coupling_slot(c, k)];
}

/* The row of the free motion along the coordinate of a term; -1: it is held. Motions of joints in
 * no loop are scaled here, as turns or in sizes of the mechanism. */
static int32_t term_motion(const tn_closing *c, const tn_model_term *term, tn_group *g)
{
    const int32_t e = c->graph->edge_of[term->joint];
    if (e < 0 || !c->motions[e].is_free[term->row])
        return -1;
    int32_t row = g->first[e];
    for (int32_t k = 0; k < term->row; k++)
        row += c->motions[e].is_free[k];
    if (g->scale[row] == 0.0) {
        const tn_loop_frame here = {.origin = c->motions[e].at, .length = c->pose->size};
        double t[6];
        tn_red_twist_at(&c->motions[e], term->row, &here, t);
        g->scale[row] = 1.0 / tn_red_twist_length(t);
    }
    return row;
}

/* Columns sum s_k q_k' = 0, of length 1, from column on. One that moves nothing stays zero: it
 * repeats nothing, and what it says is true or not. */
static void fill_couplings(tn_closing *c, int32_t group, int32_t column, tn_group *g)
{
    const tn_model *model = c->pose->model;
    for (int32_t k = 0; k < model->coupling_count; k++) {
        if (!counts_in(c, k, group))
            continue;
        double *to = g->A + (int64_t)column++ * g->motions, square = 0.0;
        for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++) {
            const int32_t row = term_motion(c, &model->terms[t], g);
            if (row >= 0)
                to[row] += c->pose->sys.terms[t].slope * g->scale[row];
        }
        for (int32_t i = 0; i < g->motions; i++)
            square += to[i] * to[i];
        c->coupling_size[k] = square > 0.0 ? sqrt(square) : 1.0;
        for (int32_t i = 0; i < g->motions; i++)
            to[i] /= c->coupling_size[k];
    }
}

static void fill_group(tn_closing *c, int32_t group, tn_group *g)
{
    const int32_t m = g->motions;
    int32_t column = 0;
    for (int32_t l = 0; l < c->graph->loop_count; l++) {
        const tn_red_loop *loop = &c->graph->loops[l];
        const tn_loop_frame *f = &c->frames[l];
        if (loop->group != group)
            continue;
        for (int32_t e = 0; e < loop->count; e++) {
            const tn_edge_motions *motions = &c->motions[loop->edge[e]];
            int32_t row = g->first[loop->edge[e]] - 1;
            for (int32_t k = 0; k < 6; k++) {
                double t[6];
                if (!motions->is_free[k])
                    continue;
                row++;
                tn_red_twist_at(motions, k, f, t);
                if (g->scale[row] == 0.0)
                    g->scale[row] = 1.0 / tn_red_twist_length(t);
                for (int32_t q = 0; q < f->kept; q++) {
                    for (int i = 0; i < 6; i++) {
                        g->A[(int64_t)(column + q) * m + row] +=
                            loop->direction[e] * g->scale[row] * f->keep[q][i] * t[i];
                    }
                }
            }
        }
        column += f->kept;
    }
    fill_couplings(c, group, column, g);
}

/* lambda += the force of coupling k; a coordinate that is held takes its part of it. */
static void add_coupling(const tn_closing *c, int32_t k, double force, double *lambda)
{
    const tn_model *model = c->pose->model;
    lambda[tn_red_coupling_slot(c, k)] += force;
    for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++) {
        const int32_t j = model->terms[t].joint;
        for (int32_t n = 0; n < c->pose->state.switches[j].active_count; n++) {
            if (tn_red_row(c->pose, j, n) == model->terms[t].row)
                lambda[c->pose->sys.layout->y_offset[j] + n] -= c->pose->sys.terms[t].slope * force;
        }
    }
}

/* The wrenches of null combination v, spread over the loops of the group. */
static void add_combination(const tn_closing *c, int32_t group, const double *v, double *lambda)
{
    int32_t column = 0;
    for (int32_t l = 0; l < c->graph->loop_count; l++) {
        const tn_loop_frame *f = &c->frames[l];
        double mu[6] = {0};
        if (c->graph->loops[l].group != group)
            continue;
        for (int32_t q = 0; q < f->kept; q++) {
            for (int i = 0; i < 6; i++)
                mu[i] += v[column + q] * f->keep[q][i];
        }
        tn_red_add_flow(c, l, mu, lambda);
        column += f->kept;
    }
    for (int32_t k = 0; k < c->pose->model->coupling_count; k++) {
        if (counts_in(c, k, group))
            add_coupling(c, k, -v[column++] / c->coupling_size[k], lambda);
    }
    tn_red_mask_rows(c, lambda);
}

/* A null combination of the group's equations. */
static tn_status take_null(tn_closing *c, int32_t group, double sigma, const double *v)
{
    c->out->gap_low = fmax(c->out->gap_low, sigma);
    double *lambda = tn_red_new_stress(c, -1, group);
    if (!lambda)
        return TN_ERROR_MEMORY;
    add_combination(c, group, v, lambda);
    return TN_OK;
}

/* Where the rank is clear; *done is 0 where it is not. */
static tn_status split_clear_group(tn_closing *c, int32_t group, const tn_group *g, int *done)
{
    double kept = INFINITY;
    double *work = TN_NEW_ARRAY(double, tn_null_work(g->motions, g->equations));
    int32_t *pivot = TN_NEW_ARRAY(int32_t, g->equations);
    tn_status status = work && pivot ? TN_OK : TN_ERROR_MEMORY;
    *done = 0;
    if (status == TN_OK) {
        const tn_null_problem problem = {g->motions, g->equations, g->A,  c->threshold, g->V,
                                         g->sigma,   &kept,        pivot, work};
        const int32_t nulls = tn_null_space(&problem);
        *done = nulls >= 0;
        for (int32_t i = 0; i < nulls && status == TN_OK; i++)
            status = take_null(c, group, g->sigma[i], g->V + (int64_t)i * g->equations);
        if (*done)
            c->out->gap_high = fmin(c->out->gap_high, kept);
    }
    tn_free(work);
    tn_free(pivot);
    return status;
}

static tn_status split_group(tn_closing *c, int32_t group, tn_group *g)
{
    g->A = TN_NEW_ARRAY(double, (int64_t)g->equations * g->motions);
    g->V = TN_NEW_ARRAY(double, (int64_t)g->equations * g->equations);
    g->sigma = TN_NEW_ARRAY(double, g->equations);
    g->scale = TN_NEW_ARRAY(double, g->motions);
    if (!g->A || !g->V || !g->sigma || !g->scale)
        return TN_ERROR_MEMORY;
    fill_group(c, group, g);
    int done;
    tn_status status = split_clear_group(c, group, g, &done);
    if (status != TN_OK || done)
        return status;
    tn_jacobi_svd(g->motions, g->equations, g->A, g->V, g->sigma);
    for (int32_t i = 0; i < g->equations && status == TN_OK; i++) {
        if (g->sigma[i] >= c->threshold) {
            c->out->gap_high = fmin(c->out->gap_high, g->sigma[i]);
        } else {
            status = take_null(c, group, g->sigma[i], g->V + (int64_t)i * g->equations);
        }
    }
    return status;
}

static void count_group(const tn_closing *c, int32_t group, tn_group *g)
{
    g->motions = 0;
    g->equations = 0;
    for (int32_t e = 0; e < c->graph->edge_count; e++) {
        if (c->graph->edges[e].group != group)
            continue;
        g->first[e] = g->motions;
        for (int k = 0; k < 6; k++)
            g->motions += c->motions[e].is_free[k];
    }
    for (int32_t l = 0; l < c->graph->loop_count; l++)
        g->equations += c->graph->loops[l].group == group ? c->frames[l].kept : 0;
    for (int32_t k = 0; k < c->pose->model->coupling_count; k++)
        g->equations += counts_in(c, k, group);
}

tn_status tn_red_group_stresses(tn_closing *c)
{
    tn_group g = {0};
    g.first = TN_ARENA_ARRAY(c->arena, int32_t, c->graph->edge_count + 1);
    c->coupling_size = TN_ARENA_ARRAY(c->arena, double, c->pose->model->coupling_count + 1);
    if (!g.first || !c->coupling_size)
        return TN_ERROR_MEMORY;
    tn_status status = TN_OK;
    for (int32_t group = 0; group < c->graph->group_count && status == TN_OK; group++) {
        count_group(c, group, &g);
        status =
            g.equations > TN_CLOSURE_LARGEST ? TN_ERROR_UNSUPPORTED : split_group(c, group, &g);
        tn_free(g.A);
        tn_free(g.V);
        tn_free(g.sigma);
        tn_free(g.scale);
        g.A = g.V = g.sigma = g.scale = NULL;
    }
    return status;
}
