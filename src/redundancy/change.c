/* change.c: room redundancy: joint types that would end the redundancy; idle bodies.
 *
 * Giving up rows S leaves of the stresses N those that are zero in S: rank(N_S) of them go, and the
 * other |S| - rank(N_S) rows given up are new degrees of freedom. So the effect of any replacement
 * is a rank, without analysing the changed mechanism. Greedy: of the replacements that add no
 * freedom the one that ends most, the last joint first; then again with the stresses that are left.
 * A coupling is not replaced but left out.
 *
 * Limits: greedy is least for one replacement and for the same one in many loops, not proven so
 * for mixed ones.
 */
#include <math.h>
#include <string.h>

#include "math/dense/jacobi_svd.h"
#include "redundancy/redundancy.h"

typedef struct tn_change_finder {
    const tn_red_pose *pose;
    double *column; /* [left][slots] stresses still to end */
    int32_t left, slots;
    double zero;     /* singular values of N_S below this are zero */
    int8_t *changed; /* [elements] */
} tn_change_finder;

/* Slots of a joint's rows that a relief releases. */
static int32_t released_slots(const tn_red_pose *pose, int32_t j, const tn_joint_relief *r,
                              int64_t slots[TN_MAX_ROWS])
{
    int32_t count = 0;
    for (int32_t n = 0; n < pose->state.switches[j].active_count; n++) {
        if (r->rows >> tn_red_row(pose, j, n) & 1)
            slots[count++] = pose->sys.layout->y_offset[j] + n;
    }
    return count;
}

/* rank(N_S). */
static int32_t count_gain(const tn_change_finder *f, const int64_t *slots, int32_t count,
                          double *work)
{
    double V[TN_MAX_ROWS * TN_MAX_ROWS], sigma[TN_MAX_ROWS];
    int32_t gain = 0;
    int32_t used = 0; /* stresses that reach these rows: few, as most belong to one loop */
    for (int32_t k = 0; k < f->left; k++) {
        const double *column = f->column + (int64_t)k * f->slots;
        int reaches = 0;
        for (int32_t s = 0; s < count; s++) {
            work[s * f->left + used] = column[slots[s]];
            reaches |= column[slots[s]] != 0.0;
        }
        used += reaches;
    }
    for (int32_t s = 1; s < count; s++) /* close up: columns of `used` rows */
        memmove(work + s * used, work + s * f->left, sizeof(double) * (size_t)used);
    tn_jacobi_svd(used, count, work, V, sigma);
    for (int32_t s = 0; s < count; s++)
        gain += sigma[s] > f->zero;
    return gain;
}

typedef struct tn_best {
    int32_t joint, released, gained;
    const tn_joint_relief *relief;
} tn_best;

static bool is_better(const tn_best *a, const tn_best *b)
{
    const int32_t extra_a = a->released - a->gained, extra_b = b->released - b->gained;
    if (b->gained == 0 || (extra_a == 0) != (extra_b == 0))
        return b->gained == 0 || extra_a == 0;
    if (a->gained != b->gained)
        return a->gained > b->gained;
    return extra_a != extra_b ? extra_a < extra_b : a->joint > b->joint;
}

static tn_best find_best(const tn_change_finder *f, double *work)
{
    tn_best best = {.joint = -1};
    for (int32_t j = 0; j < f->pose->model->element_count; j++) {
        const tn_joint_relief *relief = f->pose->model->joints[j].geometry.cls->reliefs;
        for (; relief && relief->rows != 0 && !f->changed[j]; relief++) {
            int64_t slots[TN_MAX_ROWS];
            const int32_t count = released_slots(f->pose, j, relief, slots);
            const tn_best own = {j, count, count_gain(f, slots, count, work), relief};
            if (own.gained > 0 && is_better(&own, &best))
                best = own;
        }
    }
    return best;
}

/* N <- N restricted to the stresses that are zero in the released rows. */
static tn_status reduce(tn_change_finder *f, const tn_best *best)
{
    int64_t slots[TN_MAX_ROWS];
    const int32_t count = released_slots(f->pose, best->joint, best->relief, slots);
    const int32_t d = f->left;
    double *A = TN_NEW_ARRAY(double, (int64_t)d *TN_MAX_ROWS);
    double *V = TN_NEW_ARRAY(double, (int64_t)d *d);
    double *sigma = TN_NEW_ARRAY(double, d);
    double *next = TN_NEW_ARRAY(double, (int64_t)d * f->slots);
    const int good = A && V && sigma && next;
    if (good) {
        for (int32_t k = 0; k < d; k++) {
            for (int32_t s = 0; s < count; s++)
                A[k * count + s] = f->column[(int64_t)k * f->slots + slots[s]];
        }
        tn_jacobi_svd(count, d, A, V, sigma);
        f->left = 0;
        for (int32_t k = 0; k < d; k++) {
            if (sigma[k] > f->zero)
                continue;
            double *to = next + (int64_t)f->left++ * f->slots;
            for (int32_t q = 0; q < d; q++) {
                for (int32_t i = 0; V[(int64_t)k * d + q] != 0.0 && i < f->slots; i++)
                    to[i] += V[(int64_t)k * d + q] * f->column[(int64_t)q * f->slots + i];
            }
        }
        memcpy(f->column, next, sizeof(double) * (size_t)f->left * (size_t)f->slots);
    }
    tn_free(A);
    tn_free(V);
    tn_free(sigma);
    tn_free(next);
    return good ? TN_OK : TN_ERROR_MEMORY;
}

static void add_change(const tn_model *model, const tn_best *best, tn_type_change *changes,
                       tn_analysis *out)
{
    changes[out->change_count++] = (tn_type_change){
        .joint = tn_joint_of(model, best->joint),
        .type = {best->relief->type},
        .turned = best->relief->turned,
        .released = best->released,
        .gained = best->gained,
    };
    out->change_freedom += best->released - best->gained;
}

static tn_status search(tn_change_finder *f, tn_type_change *changes, double *work,
                        tn_analysis *out)
{
    tn_status status = TN_OK;
    while (f->left > 0 && status == TN_OK) {
        const tn_best best = find_best(f, work);
        if (best.joint < 0)
            break;
        f->changed[best.joint] = 1;
        add_change(f->pose->model, &best, changes, out);
        status = reduce(f, &best);
    }
    out->change_complete = f->left == 0;
    return status;
}

tn_status tn_red_change_find(const tn_red_pose *pose, const tn_red_closure *permanent,
                             tn_arena *arena, tn_analysis *out)
{
    tn_change_finder f = {
        .pose = pose, .left = permanent->count, .slots = (int32_t)pose->sys.layout->y_size};
    double largest = 0.0;
    f.column = TN_NEW_ARRAY(double, (int64_t)f.left *f.slots);
    f.changed = TN_NEW_ARRAY(int8_t, pose->model->element_count);
    double *work = TN_NEW_ARRAY(double, (int64_t)f.left *TN_MAX_ROWS);
    tn_type_change *changes = TN_ARENA_ARRAY(arena, tn_type_change, permanent->count + 1);
    tn_status status = TN_ERROR_MEMORY;
    if (f.column && f.changed && work && changes) {
        for (int32_t k = 0; k < f.left; k++) {
            for (int32_t i = 0; i < f.slots; i++) {
                f.column[(int64_t)k * f.slots + i] = permanent->stress[k].lambda[i];
                largest = fmax(largest, fabs(permanent->stress[k].lambda[i]));
            }
        }
        f.zero = largest * fmax(1e-6, out->uniqueness_tolerance);
        out->changes = changes;
        status = search(&f, changes, work, out);
    }
    tn_free(f.column);
    tn_free(f.changed);
    tn_free(work);
    return status;
}
