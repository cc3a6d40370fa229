/* closure.c: room redundancy/loops: rank of the loop equations and the stresses they leave free.
 *
 * In: a pose and the loops. Out: rank of the constraint rows, and a basis of the multipliers that
 * balance by themselves (G^T lambda = 0). First every loop alone is split (6 columns), then what is
 * left of the loops of a group together (closing.h says how).
 *
 * Limits: dense per group of loops, so a few hundred loops that hang together; loops in different
 * groups cost only their own size.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "redundancy/loops/closing.h"

/* What a stress must keep on the rows that take part, relative to the largest one, to be one: those
 * of planar bodies may live only in rows that were dropped. */
#define TN_STRESS_LEFT 1e-7
/* Unclear: the smallest value kept is within this factor of the largest called zero ... */
#define TN_CLEAR_RATIO 10.0
/* ... or of the threshold, or the largest called zero within the other. */
#define TN_CLEAR_ABOVE 10.0
#define TN_CLEAR_BELOW 0.6

/* Refuses early what tn_red_group_stresses would not take. */
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
                moves && !tn_red_row_is_free(c->pose, j, tn_red_row(c->pose, j, n), hard_only);
            c->taking_part[c->pose->sys.layout->y_offset[j] + n] = (int8_t)part;
            c->out->rows += part;
        }
    }
    for (int32_t k = 0; k < c->pose->model->coupling_count; k++) {
        const int32_t j = c->pose->model->joint_count + k;
        const int part =
            c->graph->coupling_group[k] >= 0 && !tn_red_row_is_free(c->pose, j, 0, hard_only);
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

int tn_red_has_dropped_rows(const tn_model *model)
{
    for (int32_t i = 0; i < model->body_count; i++) {
        if (model->bodies[i].dim > 0 && model->bodies[i].dim < 6)
            return 1;
    }
    return 0;
}

tn_status tn_red_open_loops(tn_closing *c, int hard_only)
{
    *c->out = (tn_red_closure){.gap_high = 1.0};
    c->frames = TN_ARENA_ARRAY(c->arena, tn_loop_frame, c->graph->loop_count);
    tn_status status = c->frames ? choose_rows(c, hard_only) : TN_ERROR_MEMORY;
    return status == TN_OK ? tn_red_find_motions(c, hard_only) : status;
}

tn_status tn_red_split_loops(tn_closing *c)
{
    tn_status status = TN_OK;
    for (int32_t l = 0; l < c->graph->loop_count && status == TN_OK; l++)
        status = tn_red_split_loop(c, l);
    return status;
}

tn_status tn_red_closure_find(const tn_red_pose *pose, const tn_red_graph *graph, int hard_only,
                              double threshold, tn_arena *arena, tn_red_closure *out)
{
    tn_closing c = {
        .pose = pose, .graph = graph, .arena = arena, .threshold = threshold, .out = out};
    tn_status status = tn_red_open_loops(&c, hard_only);
    if (status == TN_OK)
        status = tn_red_split_loops(&c);
    if (status == TN_OK)
        status = check_size(&c);
    if (status == TN_OK)
        status = tn_red_local_stresses(&c);
    if (status == TN_OK)
        status = tn_red_group_stresses(&c);
    if (status == TN_OK && tn_red_has_dropped_rows(pose->model))
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
