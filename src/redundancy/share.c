/* share.c: room redundancy: sharing the indeterminate part of reactions.
 *
 * Of all lambda + N alpha, which move the mechanism alike, the one of least sum w lambda^2. With
 * W = diag(sqrt w) and Q an orthonormal basis of W N it is W^-1 (I - Q Q^T) W lambda. No matrix is
 * inverted and nothing regularised, so symmetric loads give symmetric reactions to round-off. The
 * forces of couplings stay as they are: stresses that would change them are left out.
 */
#include <math.h>
#include <string.h>

#include "redundancy/redundancy.h"

/* A stress of length 1 that has less of a coupling has none of it. */
#define TN_SHARE_ZERO 1e-9

/* The largest entry of a row among columns from..count-1, and whose it is. */
static double largest_in(const tn_red_closure *hard, double *const *column, int32_t from,
                         int64_t slot, int32_t *whose)
{
    double largest = 0.0;
    for (int32_t k = from; k < hard->count; k++) {
        if (fabs(column[k][slot]) > largest) {
            largest = fabs(column[k][slot]);
            *whose = k;
        }
    }
    return largest;
}

/* Combines the stresses so that only the first few move couplings; returns how many. */
static int32_t move_couplings_first(const tn_red_pose *pose, const tn_red_closure *hard,
                                    double **column)
{
    const tn_model *model = pose->model;
    const int64_t slots = pose->sys.layout->y_size;
    int32_t first = 0;
    for (int32_t k = 0; k < hard->count; k++)
        column[k] = hard->stress[k].lambda;
    for (int32_t j = model->joint_count; j < model->element_count && first < hard->count; j++) {
        const int64_t slot = pose->sys.layout->y_offset[j];
        int32_t pivot = first;
        if (pose->state.switches[j].active_count == 0 ||
            largest_in(hard, column, first, slot, &pivot) <= TN_SHARE_ZERO)
            continue;
        double *own = column[pivot];
        column[pivot] = column[first];
        column[first++] = own;
        for (int32_t k = first; k < hard->count; k++) {
            const double factor = column[k][slot] / own[slot];
            for (int64_t i = 0; i < slots && factor != 0.0; i++)
                column[k][i] -= factor * own[i];
        }
    }
    return first;
}

tn_status tn_red_share_keep(const tn_red_pose *pose, const tn_red_closure *hard,
                            tn_red_storage *storage)
{
    tn_red_share *share = &storage->share;
    const int32_t slots = (int32_t)pose->sys.layout->y_size;
    share->joint = TN_ARENA_ARRAY(&storage->arena, int32_t, slots + 1);
    share->row = TN_ARENA_ARRAY(&storage->arena, int32_t, slots + 1);
    share->column = TN_ARENA_ARRAY(&storage->arena, double, (int64_t)hard->count *slots + 1);
    if (!share->joint || !share->row || !share->column)
        return TN_ERROR_MEMORY;
    double **column = TN_ARENA_ARRAY(&storage->arena, double *, hard->count + 1);
    if (!column)
        return TN_ERROR_MEMORY;
    const int32_t first = move_couplings_first(pose, hard, column);
    share->count = hard->count - first;
    for (int32_t j = 0; j < pose->model->joint_count; j++) {
        for (int32_t n = 0; n < pose->state.switches[j].active_count; n++) {
            share->joint[share->size] = j;
            share->row[share->size++] = tn_red_row(pose, j, n);
        }
    }
    for (int32_t k = 0; k < share->count; k++) {
        double *to = share->column + (int64_t)k * share->size;
        for (int32_t j = 0; j < pose->model->joint_count; j++) {
            for (int32_t n = 0; n < pose->state.switches[j].active_count; n++)
                *to++ = column[first + k][pose->sys.layout->y_offset[j] + n];
        }
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

static void take_away(int32_t n, const double *q, double *a)
{
    const double along = dot(n, q, a);
    for (int32_t i = 0; i < n; i++)
        a[i] -= along * q[i];
}

/* Gram-Schmidt, each column twice. */
static void make_orthonormal(int32_t n, int32_t count, double *Q)
{
    for (int32_t k = 0; k < count; k++) {
        double *own = Q + (int64_t)k * n;
        for (int32_t i = 0; i < 2 * k; i++)
            take_away(n, Q + (int64_t)(i % k) * n, own);
        const double length = sqrt(dot(n, own, own));
        for (int32_t i = 0; i < n && length > 0.0; i++)
            own[i] /= length;
    }
}

/* sqrt of a row's weight; 0 when it is not a positive number. */
static double root_weight(const tn_model *model, const double *weights, int32_t joint, int32_t row)
{
    const tn_model_joint *j = &model->joints[joint];
    const double weight =
        weights ? weights[(int64_t)joint * TN_MAX_ROWS + row] : j->softness * j->row_scale[row];
    return weight > 0.0 && isfinite(weight) ? sqrt(weight) : 0.0;
}

static void share_reactions(const tn_red_share *share, const double *root, double *Q,
                            double *scaled, double *multipliers)
{
    const int32_t n = share->size;
    for (int32_t k = 0; k < share->count; k++) {
        for (int32_t i = 0; i < n; i++)
            Q[(int64_t)k * n + i] = share->column[(int64_t)k * n + i] * root[i];
    }
    make_orthonormal(n, share->count, Q);
    for (int32_t i = 0; i < n; i++)
        scaled[i] = multipliers[(int64_t)share->joint[i] * TN_MAX_ROWS + share->row[i]] * root[i];
    for (int32_t k = 0; k < 2 * share->count; k++) /* twice: for the last digits */
        take_away(n, Q + (int64_t)(k % share->count) * n, scaled);
    for (int32_t i = 0; i < n; i++)
        multipliers[(int64_t)share->joint[i] * TN_MAX_ROWS + share->row[i]] = scaled[i] / root[i];
}

tn_status tn_analysis_share(const tn_analysis *analysis, const tn_model *model,
                            const double *weights, double *multipliers)
{
    if (!analysis || !analysis->storage || !model || !multipliers)
        return TN_ERROR_ARGUMENT;
    const tn_red_share *share = &((const tn_red_storage *)analysis->storage)->share;
    double *root = TN_NEW_ARRAY(double, share->size);
    double *scaled = TN_NEW_ARRAY(double, share->size);
    double *Q = TN_NEW_ARRAY(double, (int64_t)share->size * share->count);
    tn_status status = root && scaled && Q ? TN_OK : TN_ERROR_MEMORY;
    for (int32_t i = 0; i < share->size && status == TN_OK; i++) {
        root[i] = root_weight(model, weights, share->joint[i], share->row[i]);
        if (root[i] == 0.0)
            status = TN_ERROR_ARGUMENT;
    }
    if (status == TN_OK)
        share_reactions(share, root, Q, scaled, multipliers);
    tn_free(root);
    tn_free(scaled);
    tn_free(Q);
    return status;
}
