/* change.c: room redundancy: changes of joint types that would remove the redundancy.
 *
 * Giving up rows S leaves of the stresses N those that are zero in S: rank(N_S) of them go, and the
 * other |S| - rank(N_S) rows given up are new degrees of freedom. So the effect of any replacement
 * is a rank, without analysing the changed mechanism. Greedy: of the replacements that add no
 * freedom the one that ends most, the last joint first; then again with the stresses that are left.
 * A coupling is not replaced but left out. The same is done without removing joints, and of the two
 * the one that adds fewer freedoms is taken, then that of fewer joints. What is proposed is counted
 * again with its rows given up: the count says what it ends and adds.
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
    bool keeps;      /* joints are replaced, none is removed */
} tn_change_finder;

typedef struct tn_proposal {
    tn_type_change *changes; /* [count] */
    uint32_t *given_up;      /* [count] rows */
    int32_t count, freedom;  /* how many degrees of freedom are added */
    bool complete;
} tn_proposal;

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
            if (f->keeps && relief->type == TN_JOINT_free && j < f->pose->model->joint_count)
                continue;
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

static void add_change(const tn_model *model, const tn_best *best, tn_proposal *out)
{
    out->given_up[out->count] = best->relief->rows;
    out->changes[out->count++] = (tn_type_change){
        .joint = tn_joint_of(model, best->joint),
        .type = {best->relief->type},
        .turned = best->relief->turned,
        .released = best->released,
        .gained = best->gained,
    };
    out->freedom += best->released - best->gained;
}

static tn_status search(tn_change_finder *f, double *work, tn_proposal *out)
{
    tn_status status = TN_OK;
    while (f->left > 0 && status == TN_OK) {
        const tn_best best = find_best(f, work);
        if (best.joint < 0)
            break;
        f->changed[best.joint] = 1;
        add_change(f->pose->model, &best, out);
        status = reduce(f, &best);
    }
    out->complete = f->left == 0;
    return status;
}

/* Verifies a proposal: counts again with its rows given up, as if they were compliant. */
static tn_status verify(const tn_red_pose *pose, const tn_analysis *analysis, tn_proposal *p)
{
    tn_red_pose there;
    tn_arena arena = {0};
    tn_red_graph graph;
    tn_red_closure found = {0};
    tn_status status = tn_red_pose_create(pose->model, &there);
    if (status == TN_OK) {
        tn_red_pose_follow(&there, pose);
        for (int32_t k = 0; k < p->count; k++) {
            const int32_t j = tn_element_of(pose->model, p->changes[k].joint);
            tn_switches *s = tn_state_edit(&there.state, j);
            for (int32_t row = 0; row < TN_MAX_ROWS; row++)
                s->compliance[row] = p->given_up[k] >> row & 1u ? 1.0 : s->compliance[row];
        }
        tn_red_pose_yield(&there);
        status = tn_red_graph_build(&there, &arena, &graph);
    }
    if (status == TN_OK)
        status =
            tn_red_count(&there, &graph, tn_default_analysis_options().threshold, &arena, &found);
    if (status == TN_OK) {
        const int32_t added = analysis->rank - found.rank;
        p->complete = p->complete && found.count <= analysis->momentary && added == p->freedom;
        p->freedom = added;
    }
    tn_arena_free(&arena);
    tn_red_pose_destroy(&there);
    return status;
}

/* Begins with all permanent stresses and no joint changed. */
static void begin(tn_change_finder *f, const tn_red_closure *permanent, bool keeps)
{
    f->keeps = keeps;
    f->left = permanent->count;
    memset(f->changed, 0, (size_t)f->pose->model->element_count);
    for (int32_t k = 0; k < f->left; k++) {
        memcpy(f->column + (int64_t)k * f->slots, permanent->stress[k].lambda,
               sizeof(double) * (size_t)f->slots);
    }
}

static bool is_smaller(const tn_proposal *a, const tn_proposal *b)
{
    if (a->complete != b->complete)
        return a->complete;
    return a->freedom != b->freedom ? a->freedom < b->freedom : a->count < b->count;
}

static tn_status propose(tn_change_finder *f, const tn_red_closure *permanent, double *work,
                         tn_arena *arena, tn_analysis *out)
{
    tn_proposal best = {0};
    tn_status status = TN_OK;
    for (int keeps = 0; keeps < 2 && status == TN_OK; keeps++) {
        tn_proposal own = {
            .changes = TN_ARENA_ARRAY(arena, tn_type_change, permanent->count + 1),
            .given_up = TN_ARENA_ARRAY(arena, uint32_t, permanent->count + 1),
        };
        if (!own.changes || !own.given_up)
            return TN_ERROR_MEMORY;
        begin(f, permanent, keeps);
        status = search(f, work, &own);
        if (status == TN_OK && own.count > 0)
            status = verify(f->pose, out, &own);
        if (status == TN_OK && (keeps == 0 || is_smaller(&own, &best)))
            best = own;
    }
    out->changes = best.changes;
    out->change_count = best.count;
    out->change_freedom = best.freedom;
    out->change_complete = best.complete;
    return status;
}

tn_status tn_red_change_find(const tn_red_pose *pose, const tn_red_closure *permanent,
                             tn_arena *arena, tn_analysis *out)
{
    tn_change_finder f = {.pose = pose, .slots = (int32_t)pose->sys.layout->y_size};
    const int64_t count = permanent->count;
    double largest = 0.0;
    f.column = TN_NEW_ARRAY(double, count *f.slots);
    f.changed = TN_NEW_ARRAY(int8_t, pose->model->element_count);
    double *work = TN_NEW_ARRAY(double, count *TN_MAX_ROWS);
    tn_status status = TN_ERROR_MEMORY;
    if (f.column && f.changed && work) {
        for (int32_t k = 0; k < permanent->count; k++) {
            for (int32_t i = 0; i < f.slots; i++)
                largest = fmax(largest, fabs(permanent->stress[k].lambda[i]));
        }
        f.zero = largest * fmax(1e-6, out->uniqueness_tolerance);
        status = propose(&f, permanent, work, arena, out);
    }
    tn_free(f.column);
    tn_free(f.changed);
    tn_free(work);
    return status;
}
