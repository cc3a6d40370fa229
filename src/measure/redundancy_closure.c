/* redundancy_closure.c: room measure: rank of the loop equations and the stresses they leave free.
 *
 * In: a pose and the loops. Out: rank of the constraint rows, and a basis of the multipliers that
 * balance by themselves (G^T lambda = 0).
 *
 * A joint's rows W (6 x 6 with its motion rows) and the columns X of W^-1 belong together: X_k is
 * the twist that breaks row k alone. Free motions are the X_k of rows that are not active; the
 * multiplier of row k in a wrench w is X_k . w.
 *
 * Each loop has an origin (middle of its joints) and a length (their largest distance from it);
 * twists count as (v / length, w) and are scaled to length 1: singular values are pure numbers,
 * those of a loop by itself between 0 and the root of its free motions. First every loop alone is
 * split (6 columns), then what is left of the loops of a group together.
 *
 * Limits: dense per group of loops, so a few hundred loops that hang together; loops in different
 * groups cost only their own size.
 */
#include <math.h>
#include <string.h>

#include "math/jacobi_svd.h"
#include "math/null_space.h"
#include "measure/redundancy.h"

/* Largest number of equations of one group: some seconds of work. */
#define TN_CLOSURE_LARGEST 1000
/* Joints within this share of the mechanism's size are at one point: their distance is no length.
 */
#define TN_ONE_POINT 1e-3
/* Share of the largest row below which a joint's rows are no basis: a motion is singular there. */
#define TN_SINGULAR_ROWS 1e-9
/* What a stress must keep on the rows that take part, relative to the largest one, to be one: those
 * of planar bodies may live only in rows that were dropped. */
#define TN_STRESS_LEFT 1e-7
/* A loop alone decides only what is clear: the rest waits for the group, where another loop may
 * make up for a value that is neither zero nor not. */
#define TN_CLEAR_LOCAL 0.3
/* Unclear: the smallest value kept is within this factor of the largest called zero ... */
#define TN_CLEAR_RATIO 10.0
/* ... or of the threshold, or the largest called zero within the other. */
#define TN_CLEAR_ABOVE 10.0
#define TN_CLEAR_BELOW 0.6

/* One edge at a pose: free motions and rows, world axes, about `at`. */
typedef struct tn_edge_motions {
    tn_vec3 at;         /* m, world */
    double twist[6][6]; /* X_k, (v, w) */
    int8_t is_free[6];
    int8_t in_use;
} tn_edge_motions;

typedef struct tn_loop_frame {
    tn_vec3 origin;    /* m */
    double length;     /* m */
    double keep[6][6]; /* keep[k]: an independent combination of the loop's equations */
    double null[6][6]; /* and those that say nothing; (f length, m) */
    int32_t kept, nulls;
} tn_loop_frame;

typedef struct tn_closing {
    const tn_red_pose *pose;
    const tn_red_graph *graph;
    tn_arena *arena;
    double threshold;
    tn_edge_motions *motions; /* [edges] */
    tn_loop_frame *frames;    /* [loops] */
    tn_red_closure *out;
    int32_t capacity;      /* of out->stress */
    int32_t slots;         /* y_size */
    int8_t *taking_part;   /* [slots] rows that are constraints here */
    double *coupling_size; /* [couplings] what its equation was divided by */
} tn_closing;

/* ---- joints ---- */

/* X = W^-1 by Gauss-Jordan with column pivots; 0 if W is singular. */
static int invert(double W[6][6], double X[6][6])
{
    double A[6][12] = {{0}};
    for (int i = 0; i < 6; i++) {
        memcpy(A[i], W[i], sizeof W[i]);
        A[i][6 + i] = 1.0;
    }
    for (int c = 0; c < 6; c++) {
        int pivot = c;
        for (int i = c; i < 6; i++)
            if (fabs(A[i][c]) > fabs(A[pivot][c]))
                pivot = i;
        if (!(fabs(A[pivot][c]) > TN_SINGULAR_ROWS))
            return 0;
        for (int k = 0; k < 12; k++) {
            const double swap = A[c][k];
            A[c][k] = A[pivot][k];
            A[pivot][k] = swap;
        }
        for (int i = 0; i < 6; i++) {
            const double factor = i == c ? 0.0 : A[i][c] / A[c][c];
            for (int k = 0; k < 12 && factor != 0.0; k++)
                A[i][k] -= factor * A[c][k];
        }
        for (int k = 11; k >= c; k--)
            A[c][k] /= A[c][c];
    }
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            X[k][i] = A[i][6 + k]; /* X[k] is column k */
    return 1;
}

/* Replaces the motion rows, singular with the others, by what completes the bilateral ones. */
static void complete_rows(double W[6][6], int32_t bilateral)
{
    double basis[6][6];
    int32_t count = 0;
    for (int32_t candidate = 0; candidate < bilateral + 6 && count < 6; candidate++) {
        double row[6] = {0}, before = 0.0, after = 0.0;
        if (candidate < bilateral)
            memcpy(row, W[candidate], sizeof row);
        else
            row[candidate - bilateral] = 1.0;
        for (int i = 0; i < 6; i++)
            before += row[i] * row[i];
        for (int32_t k = 0; k < count; k++) {
            double along = 0.0;
            for (int i = 0; i < 6; i++)
                along += basis[k][i] * row[i];
            for (int i = 0; i < 6; i++)
                row[i] -= along * basis[k][i];
        }
        for (int i = 0; i < 6; i++)
            after += row[i] * row[i];
        if (after < 0.1 * before && candidate >= bilateral)
            continue; /* of six axes some are far from the rows there are */
        for (int i = 0; i < 6; i++)
            basis[count][i] = row[i] / sqrt(after);
        if (candidate >= bilateral)
            memcpy(W[count], basis[count], sizeof basis[count]);
        count++;
    }
}

/* (v, w) from G to world axes. */
static void to_world(const tn_mat3 *R_GW, double t[6])
{
    v3_store(t, m3_mulv(R_GW, v3_load(t)));
    v3_store(t + 3, m3_mulv(R_GW, v3_load(t + 3)));
}

static int row_is_free(const tn_red_pose *pose, int32_t j, int32_t k, int hard_only)
{
    const tn_model_joint *joint = &pose->model->joints[j];
    const tn_row_info *info = &joint->geometry.cls->info.rows[k];
    const tn_switches *s = &pose->state.switches[j];
    if (hard_only && joint->compliance[k] > 0.0)
        return 1;
    return !(info->flags & TN_ROW_BILATERAL) &&
           !(info->coordinate >= 0 && s->hold[info->coordinate] >= TN_HOLD_DRIVER);
}

static void joint_motions(const tn_red_pose *pose, int32_t j, int hard_only, tn_edge_motions *m)
{
    const tn_model_joint *joint = &pose->model->joints[j];
    const tn_joint_class *cls = joint->geometry.cls;
    const tn_joint_kinematics *kin = &pose->sys.kin[j];
    double W[TN_MAX_ROWS][6];
    tn_joint_wrenches(cls, &joint->geometry.setup, &kin->T_GD, kin->q, W);
    if (!invert(W, m->twist)) {
        complete_rows(W, cls->info.bilateral_count);
        invert(W, m->twist);
    }
    m->in_use = 1;
    m->at = v3_add(tn_system_xform(&pose->sys, joint->a)->p, kin->r_A);
    for (int32_t k = 0; k < 6; k++) {
        m->is_free[k] = (int8_t)row_is_free(pose, j, k, hard_only);
        to_world(&kin->R_GW, m->twist[k]);
    }
}

/* What a body that is not rigid can do against ground. */
static void pseudo_motions(const tn_red_pose *pose, int32_t body, tn_edge_motions *m)
{
    const tn_motion_subspace *s = tn_motion_subspace_get(pose->model->bodies[body].kind);
    m->in_use = 1;
    m->at = pose->state.x[body];
    for (int i = 0; i < 6; i++)
        m->twist[i][i] = 1.0;
    for (int32_t c = 0; c < s->dim; c++)
        m->is_free[s->column[c]] = 1;
}

static tn_status find_motions(tn_closing *c, int hard_only)
{
    c->motions = TN_ARENA_ARRAY(c->arena, tn_edge_motions, c->graph->edge_count);
    if (!c->motions)
        return TN_ERROR_MEMORY;
    for (int32_t e = 0; e < c->graph->edge_count; e++) {
        const tn_red_edge *edge = &c->graph->edges[e];
        if (edge->joint >= 0)
            joint_motions(c->pose, edge->joint, hard_only, &c->motions[e]);
        else
            pseudo_motions(c->pose, edge->a, &c->motions[e]);
    }
    return TN_OK;
}

/* ---- one loop ---- */

static void find_frame(tn_closing *c, const tn_red_loop *loop, tn_loop_frame *f)
{
    f->origin = v3(0.0, 0.0, 0.0);
    f->length = 0.0;
    for (int32_t k = 0; k < loop->count; k++)
        f->origin = v3_axpy(f->origin, 1.0 / loop->count, c->motions[loop->edge[k]].at);
    for (int32_t k = 0; k < loop->count; k++)
        f->length = fmax(f->length, v3_norm(v3_sub(c->motions[loop->edge[k]].at, f->origin)));
    if (f->length <= TN_ONE_POINT * c->pose->size)
        f->length = c->pose->size;
}

/* Free motion k of an edge about the loop's origin: (v / length, w), not yet of length 1. */
static void twist_at(const tn_edge_motions *m, int32_t k, const tn_loop_frame *f, double t[6])
{
    const tn_vec3 w = v3_load(m->twist[k] + 3);
    const tn_vec3 v = v3_add(v3_load(m->twist[k]), v3_cross(w, v3_sub(f->origin, m->at)));
    v3_store(t, v3_scale(1.0 / f->length, v));
    v3_store(t + 3, w);
}

static double length_6(const double t[6])
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++)
        sum += t[i] * t[i];
    return sqrt(sum);
}

/* Singular values of the loop's own equations: those that say something and those that do not. */
static tn_status split_loop(tn_closing *c, int32_t l)
{
    const tn_red_loop *loop = &c->graph->loops[l];
    tn_loop_frame *f = &c->frames[l];
    find_frame(c, loop, f);
    double *A = TN_NEW_ARRAY(double, 36 * (int64_t)loop->count);
    if (!A)
        return TN_ERROR_MEMORY;
    const int32_t m = 6 * loop->count; /* motions that are not free stay rows of zeros */
    for (int32_t e = 0; e < loop->count; e++) {
        const tn_edge_motions *motions = &c->motions[loop->edge[e]];
        for (int32_t k = 0; k < 6; k++) {
            double t[6];
            twist_at(motions, k, f, t);
            const double scale = motions->is_free[k] ? 1.0 / length_6(t) : 0.0;
            for (int i = 0; i < 6; i++)
                A[(int64_t)i * m + 6 * e + k] = scale * t[i];
        }
    }
    double V[36], sigma[6];
    tn_jacobi_svd(m, 6, A, V, sigma);
    tn_free(A);
    for (int i = 0; i < 6; i++) {
        const int null = sigma[i] < TN_CLEAR_LOCAL * c->threshold;
        memcpy(null ? f->null[f->nulls++] : f->keep[f->kept++], V + 6 * i, sizeof f->keep[0]);
        if (null)
            c->out->gap_low = fmax(c->out->gap_low, sigma[i]);
    }
    return TN_OK;
}

/* ---- stresses ---- */

/* lambda += the wrench mu (f length, m) flowing around loop l. */
static void add_flow(const tn_closing *c, int32_t l, const double mu[6], double *lambda)
{
    const tn_red_loop *loop = &c->graph->loops[l];
    const tn_loop_frame *f = &c->frames[l];
    const tn_vec3 force = v3_scale(1.0 / f->length, v3_load(mu)), moment = v3_load(mu + 3);
    for (int32_t e = 0; e < loop->count; e++) {
        const int32_t j = c->graph->edges[loop->edge[e]].joint;
        if (j < 0)
            continue;
        const tn_edge_motions *m = &c->motions[loop->edge[e]];
        const tn_vec3 here = v3_add(moment, v3_cross(v3_sub(f->origin, m->at), force));
        for (int32_t n = 0; n < c->pose->state.switches[j].active_count; n++) {
            const double *X = m->twist[tn_red_row(c->pose, j, n)];
            lambda[c->pose->sys.layout->y_offset[j] + n] +=
                loop->direction[e] * (v3_dot(v3_load(X), force) + v3_dot(v3_load(X + 3), here));
        }
    }
}

/* A new stress, zero. */
static double *new_stress(tn_closing *c, int32_t loop, int32_t group)
{
    tn_red_closure *out = c->out;
    if (out->count == c->capacity) {
        const int32_t larger = 2 * c->capacity + 8;
        tn_red_stress *grown = TN_ARENA_ARRAY(c->arena, tn_red_stress, larger);
        if (!grown)
            return NULL;
        if (out->count > 0)
            memcpy(grown, out->stress, sizeof *grown * (size_t)out->count);
        out->stress = grown;
        c->capacity = larger;
    }
    double *lambda = TN_ARENA_ARRAY(c->arena, double, c->slots + 1);
    if (lambda)
        out->stress[out->count++] = (tn_red_stress){lambda, loop, group};
    return lambda;
}

/* Forgets rows that are no constraint here (compliant ones, when only hard rows count). */
static void mask_rows(const tn_closing *c, double *lambda)
{
    for (int32_t i = 0; i < c->slots; i++)
        if (!c->taking_part[i])
            lambda[i] = 0.0;
}

/* Refuses early what coupled_stresses would not take. */
static tn_status check_size(const tn_closing *c)
{
    int32_t *equations = TN_NEW_ARRAY(int32_t, c->graph->group_count);
    if (!equations)
        return TN_ERROR_MEMORY;
    int32_t largest = 0;
    for (int32_t l = 0; l < c->graph->loop_count; l++) {
        int32_t *own = &equations[c->graph->loops[l].group];
        *own += c->frames[l].kept;
        largest = *own > largest ? *own : largest;
    }
    tn_free(equations);
    return largest > TN_CLOSURE_LARGEST ? TN_ERROR_UNSUPPORTED : TN_OK;
}

static tn_status local_stresses(tn_closing *c)
{
    for (int32_t l = 0; l < c->graph->loop_count; l++) {
        for (int32_t k = 0; k < c->frames[l].nulls; k++) {
            double *lambda = new_stress(c, l, c->graph->loops[l].group);
            if (!lambda)
                return TN_ERROR_MEMORY;
            add_flow(c, l, c->frames[l].null[k], lambda);
            mask_rows(c, lambda);
        }
    }
    return TN_OK;
}

/* ---- a group of loops and couplings ---- */

typedef struct tn_group {
    int32_t equations; /* columns of the transposed matrix */
    int32_t motions;   /* its rows: free motions */
    int32_t *first;    /* [graph edges] row of the first free motion */
    double *scale; /* [motions] 1 / length of a motion in the first loop that meets it; 0: none */
    double *A, *V, *sigma;
} tn_group;

static int64_t coupling_slot(const tn_closing *c, int32_t k)
{
    return c->pose->sys.layout->y_offset[c->pose->model->joint_count + k];
}

/* Does coupling k take part in a group as a constraint? */
static int counts_in(const tn_closing *c, int32_t k, int32_t group)
{
    return c->graph->coupling_group[k] == group && c->taking_part[coupling_slot(c, k)];
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
        twist_at(&c->motions[e], term->row, &here, t);
        g->scale[row] = 1.0 / length_6(t);
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
                twist_at(motions, k, f, t);
                if (g->scale[row] == 0.0)
                    g->scale[row] = 1.0 / length_6(t);
                for (int32_t q = 0; q < f->kept; q++)
                    for (int i = 0; i < 6; i++)
                        g->A[(int64_t)(column + q) * m + row] +=
                            loop->direction[e] * g->scale[row] * f->keep[q][i] * t[i];
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
    lambda[coupling_slot(c, k)] += force;
    for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++) {
        const int32_t j = model->terms[t].joint;
        for (int32_t n = 0; n < c->pose->state.switches[j].active_count; n++)
            if (tn_red_row(c->pose, j, n) == model->terms[t].row)
                lambda[c->pose->sys.layout->y_offset[j] + n] -= c->pose->sys.terms[t].slope * force;
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
        for (int32_t q = 0; q < f->kept; q++)
            for (int i = 0; i < 6; i++)
                mu[i] += v[column + q] * f->keep[q][i];
        add_flow(c, l, mu, lambda);
        column += f->kept;
    }
    for (int32_t k = 0; k < c->pose->model->coupling_count; k++)
        if (counts_in(c, k, group))
            add_coupling(c, k, -v[column++] / c->coupling_size[k], lambda);
    mask_rows(c, lambda);
}

/* A null combination of the group's equations. */
static tn_status take_null(tn_closing *c, int32_t group, double sigma, const double *v)
{
    c->out->gap_low = fmax(c->out->gap_low, sigma);
    double *lambda = new_stress(c, -1, group);
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
        if (g->sigma[i] >= c->threshold)
            c->out->gap_high = fmin(c->out->gap_high, g->sigma[i]);
        else
            status = take_null(c, group, g->sigma[i], g->V + (int64_t)i * g->equations);
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

static tn_status coupled_stresses(tn_closing *c)
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

/* ---- all together ---- */

/* Which rows count, and how many. */
static tn_status choose_rows(tn_closing *c, int hard_only)
{
    c->slots = (int32_t)c->pose->sys.layout->y_size;
    c->taking_part = TN_ARENA_ARRAY(c->arena, int8_t, c->slots + 1);
    if (!c->taking_part)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < c->pose->model->joint_count; j++) {
        const tn_model_joint *joint = &c->pose->model->joints[j];
        const int moves = joint->b < 0 ? c->pose->model->bodies[joint->a].dim > 0
                                       : c->pose->model->bodies[joint->a].dim > 0 ||
                                             c->pose->model->bodies[joint->b].dim > 0;
        for (int32_t n = 0; n < c->pose->state.switches[j].active_count; n++) {
            const int part =
                moves && !row_is_free(c->pose, j, tn_red_row(c->pose, j, n), hard_only);
            c->taking_part[c->pose->sys.layout->y_offset[j] + n] = (int8_t)part;
            c->out->rows += part;
        }
    }
    for (int32_t k = 0; k < c->pose->model->coupling_count; k++) {
        const int32_t j = c->pose->model->joint_count + k;
        const int part = c->graph->coupling_group[k] >= 0 && !row_is_free(c->pose, j, 0, hard_only);
        if (c->pose->state.switches[j].active_count > 0)
            c->taking_part[c->pose->sys.layout->y_offset[j]] = (int8_t)part;
        c->out->rows += part;
    }
    return TN_OK;
}

static double dot(int32_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Drops the stresses the rows do not see. Only bodies with fewer than
 * six motions have such. */
static tn_status drop_unseen(tn_closing *c)
{
    tn_red_closure *out = c->out;
    double *basis = TN_NEW_ARRAY(double, (int64_t)out->count * c->slots);
    if (!basis)
        return TN_ERROR_MEMORY;
    int32_t kept = 0;
    for (int32_t k = 0; k < out->count; k++) {
        double *q = basis + (int64_t)kept * c->slots, *lambda = out->stress[k].lambda;
        memcpy(q, lambda, sizeof(double) * (size_t)c->slots);
        for (int pass = 0; pass < 2; pass++) {
            for (int32_t i = 0; i < kept; i++) {
                const double *b = basis + (int64_t)i * c->slots;
                const double along = dot(c->slots, b, q);
                for (int32_t s = 0; s < c->slots; s++)
                    q[s] -= along * b[s];
            }
        }
        const double left = sqrt(dot(c->slots, q, q));
        if (!(left > TN_STRESS_LEFT * fmin(1.0, 1.0 / c->pose->size)))
            continue;
        for (int32_t s = 0; s < c->slots; s++)
            q[s] /= left;
        out->stress[kept++] = out->stress[k];
    }
    out->count = kept;
    tn_free(basis);
    return TN_OK;
}

static void scale_stresses(const tn_closing *c)
{
    for (int32_t k = 0; k < c->out->count; k++) {
        double *lambda = c->out->stress[k].lambda;
        const double length = sqrt(dot(c->slots, lambda, lambda));
        for (int32_t s = 0; s < c->slots && length > 0.0; s++)
            lambda[s] /= length;
    }
}

static int has_dropped_rows(const tn_model *model)
{
    for (int32_t i = 0; i < model->body_count; i++)
        if (model->bodies[i].dim > 0 && model->bodies[i].dim < 6)
            return 1;
    return 0;
}

tn_status tn_red_closure_find(const tn_red_pose *pose, const tn_red_graph *graph, int hard_only,
                              double threshold, tn_arena *arena, tn_red_closure *out)
{
    tn_closing c = {
        .pose = pose, .graph = graph, .arena = arena, .threshold = threshold, .out = out};
    *out = (tn_red_closure){.gap_high = 1.0};
    tn_status status = choose_rows(&c, hard_only);
    c.frames = TN_ARENA_ARRAY(arena, tn_loop_frame, graph->loop_count);
    if (!c.frames)
        status = TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = find_motions(&c, hard_only);
    for (int32_t l = 0; l < graph->loop_count && status == TN_OK; l++)
        status = split_loop(&c, l);
    if (status == TN_OK)
        status = check_size(&c);
    if (status == TN_OK)
        status = local_stresses(&c);
    if (status == TN_OK)
        status = coupled_stresses(&c);
    if (status == TN_OK && has_dropped_rows(pose->model))
        status = drop_unseen(&c);
    scale_stresses(&c);
    out->rank = out->rows - out->count;
    return status;
}

int tn_red_is_unclear(const tn_red_closure *closure, double threshold)
{
    return closure->gap_high < TN_CLEAR_RATIO * closure->gap_low ||
           closure->gap_high < TN_CLEAR_ABOVE * threshold ||
           closure->gap_low > TN_CLEAR_BELOW * threshold;
}
