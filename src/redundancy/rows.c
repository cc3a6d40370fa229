/* rows.c: room redundancy: from states of stress to rows that repeat others.
 *
 * In: independent stresses (columns N, G^T N = 0). Elimination with the rows of the last joints
 * preferred as pivots turns a set of columns into N_r = 1, N_i = -c_i: row r is the sum of c_i
 * times row i. N^T phi is the part of the errors no motion of the bodies changes:
 * the gap that remains when all else is closed.
 *
 * Stresses of one loop form a set, the coupled ones of a group of loops another. Which of them last
 * second order has said; where a witness pose has fewer still, the ones that last are those nearest
 * to the witness's; what is orthogonal to them belongs to this pose only.
 */
#include <math.h>
#include <string.h>

#include "redundancy/redundancy.h"

/* A pivot has at least this share of the largest entry: keeps coefficients small. */
#define TN_ROW_PIVOT 0.3
/* Coefficients below this share of the largest are round-off. */
#define TN_ROW_ZERO 1e-9

/* Columns of one loop or one group, moments per size of the mechanism: entries compare. */
typedef struct tn_stress_set {
    double *column; /* [count][slots] those that last first */
    int32_t count, lasting;
    int32_t loop, group;
} tn_stress_set;

typedef struct tn_slot {
    int32_t joint, row;
    double weight; /* 1 for forces, 1 / size for moments */
    double length; /* 1 / size for errors of length, 1 for turns */
} tn_slot;

typedef struct tn_row_finder {
    const tn_red_pose *pose;
    const tn_red_graph *graph;
    const tn_red_closure *here, *witness;
    tn_arena *arena;
    tn_slot *slot; /* [slots] */
    int32_t slots;
    double tolerance; /* m or rad */
    tn_dependent_row *rows;
    int32_t row_count;
    tn_red_closure *permanent;
} tn_row_finder;

static double dot(int32_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_scaled(int32_t n, double factor, const double *from, double *to)
{
    for (int32_t i = 0; i < n; i++)
        to[i] += factor * from[i];
}

static void scale(int32_t n, double factor, double *a)
{
    for (int32_t i = 0; i < n; i++)
        a[i] *= factor;
}

static tn_status name_slots(tn_row_finder *f)
{
    f->slot = TN_ARENA_ARRAY(f->arena, tn_slot, f->slots + 1);
    if (!f->slot)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < f->slots; i++)
        f->slot[i].weight = 1.0; /* slots that are not in use hold zeros */
    for (int32_t j = 0; j < f->pose->model->element_count; j++) {
        const tn_joint_type_info *info = &f->pose->model->joints[j].geometry.cls->info;
        for (int32_t n = 0; n < f->pose->state.switches[j].active_count; n++) {
            const int32_t row = tn_red_row(f->pose, j, n);
            const double weight = info->rows[row].flags & TN_ROW_LINEAR ? 1.0 : 1.0 / f->pose->size;
            f->slot[f->pose->sys.layout->y_offset[j] + n] =
                (tn_slot){j, row, weight, tn_red_weight(f->pose, j, n)};
        }
    }
    return TN_OK;
}

/* The stresses of a loop (or the coupled ones of a group), weighted. */
static tn_status collect(const tn_row_finder *f, const tn_red_closure *from, int32_t loop,
                         int32_t group, tn_stress_set *set)
{
    *set = (tn_stress_set){.loop = loop, .group = group};
    for (int32_t k = 0; k < from->count; k++)
        set->count += from->stress[k].loop == loop && from->stress[k].group == group;
    set->column = TN_NEW_ARRAY(double, (int64_t)set->count * f->slots);
    if (!set->column)
        return TN_ERROR_MEMORY;
    double *to = set->column;
    for (int momentary = 0; momentary < 2; momentary++) {
        for (int32_t k = 0; k < from->count; k++) {
            const tn_red_stress *stress = &from->stress[k];
            if (stress->loop != loop || stress->group != group || stress->momentary != momentary)
                continue;
            for (int32_t i = 0; i < f->slots; i++)
                to[i] = stress->lambda[i] * f->slot[i].weight;
            to += f->slots;
            set->lasting += !momentary;
        }
    }
    return TN_OK;
}

/* Gram-Schmidt, again for each new column, the longest remaining column first; columns from `fixed`
 * on. */
static void make_orthonormal(int32_t n, double *column, int32_t fixed, int32_t count)
{
    for (int32_t k = fixed; k < count; k++) {
        int32_t longest = k;
        double length = 0.0;
        for (int32_t q = k; q < count; q++) {
            double *a = column + (int64_t)q * n;
            for (int32_t b = 0; b < k; b++)
                add_scaled(n, -dot(n, column + (int64_t)b * n, a), column + (int64_t)b * n, a);
            const double own = sqrt(dot(n, a, a));
            if (own > length) {
                length = own;
                longest = q;
            }
        }
        double *to = column + (int64_t)k * n, *from = column + (int64_t)longest * n;
        for (int32_t i = 0; i < n; i++) {
            const double swap = to[i];
            to[i] = from[i];
            from[i] = length > 0.0 ? swap : 0.0;
        }
        if (length > 0.0)
            scale(n, 1.0 / length, to);
    }
}

/* Reorders an orthonormal set into [what lasts | what does not]: the span of the witness's columns
 * as seen in the set, then the rest of it. lasting <= set->count columns of the witness. */
static tn_status split_by_witness(int32_t n, tn_stress_set *set, const tn_stress_set *witness)
{
    const int32_t lasting = witness->count, all = lasting + set->count;
    double *work = TN_NEW_ARRAY(double, (int64_t)all *n);
    if (!work)
        return TN_ERROR_MEMORY;
    for (int32_t w = 0; w < lasting; w++) {
        double *to = work + (int64_t)w * n;
        for (int32_t k = 0; k < set->count; k++) {
            const double *own = set->column + (int64_t)k * n;
            add_scaled(n, dot(n, own, witness->column + (int64_t)w * n), own, to);
        }
    }
    make_orthonormal(n, work, 0, lasting);
    memcpy(work + (int64_t)lasting * n, set->column,
           sizeof(double) * (size_t)n * (size_t)set->count);
    make_orthonormal(n, work, lasting, all); /* the longest first: of the rest, no more than fit */
    memcpy(set->column, work, sizeof(double) * (size_t)n * (size_t)set->count);
    tn_free(work);
    return TN_OK;
}

/* Pivot for columns from..to: the last row with a large entry. */
static void choose_pivot(const tn_row_finder *f, const double *column, int32_t from, int32_t to,
                         int32_t *row, int32_t *at)
{
    double largest = 0.0;
    for (int64_t i = (int64_t)from * f->slots; i < (int64_t)to * f->slots; i++)
        largest = fmax(largest, fabs(column[i]));
    *row = 0;
    *at = from;
    for (int32_t i = f->slots - 1; i >= 0; i--) {
        double own = 0.0;
        for (int32_t k = from; k < to; k++) {
            const double entry = fabs(column[(int64_t)k * f->slots + i]);
            if (entry > own) {
                own = entry;
                *at = k;
            }
        }
        *row = i;
        if (own >= TN_ROW_PIVOT * largest)
            return;
    }
}

/* Columns from..to-1 become N_r = 1 in one row each, 0 in the rows of the others. */
static void eliminate(const tn_row_finder *f, double *column, int32_t from, int32_t to,
                      int32_t *pivot)
{
    const int32_t n = f->slots;
    for (int32_t k = from; k < to; k++) {
        int32_t at;
        choose_pivot(f, column, k, to, &pivot[k], &at);
        double *own = column + (int64_t)k * n, *other = column + (int64_t)at * n;
        for (int32_t i = 0; i < n && at != k; i++) {
            const double swap = own[i];
            own[i] = other[i];
            other[i] = swap;
        }
        if (own[pivot[k]] == 0.0)
            continue;
        scale(n, 1.0 / own[pivot[k]], own);
        for (int32_t q = from; q < to; q++) {
            if (q != k)
                add_scaled(n, -column[(int64_t)q * n + pivot[k]], own, column + (int64_t)q * n);
        }
    }
}

/* One column as row r = sum c_i row i. Weighted entries: N_i weight_i; c_i = -N_i / N_r. */
static tn_status add_row(tn_row_finder *f, const double *column, int32_t pivot, int32_t loop,
                         tn_redundancy_class kind)
{
    double largest = 0.0, gap = 0.0;
    int32_t terms = 0;
    const tn_slot *own = &f->slot[pivot];
    for (int32_t i = 0; i < f->slots; i++)
        largest = fmax(largest, fabs(column[i]));
    for (int32_t i = 0; i < f->slots; i++)
        terms += i != pivot && fabs(column[i]) > TN_ROW_ZERO * largest;
    tn_row_term *term = TN_ARENA_ARRAY(f->arena, tn_row_term, terms + 1);
    if (!term)
        return TN_ERROR_MEMORY;
    terms = 0;
    for (int32_t i = 0; i < f->slots; i++) {
        const double c = column[i] / f->slot[i].weight * own->weight;
        if (column[i] != 0.0)
            gap += c * f->pose->sys.phi[i];
        if (i != pivot && fabs(column[i]) > TN_ROW_ZERO * largest) {
            term[terms++] =
                (tn_row_term){tn_joint_of(f->pose->model, f->slot[i].joint), f->slot[i].row, -c};
        }
    }
    f->rows[f->row_count++] = (tn_dependent_row){
        .joint = tn_joint_of(f->pose->model, own->joint),
        .row = own->row,
        .loop = loop < 0 ? -1 : f->graph->loops[loop].number,
        .kind = fabs(gap) * own->length > f->tolerance ? TN_REDUNDANCY_CONFLICT : kind,
        .residual = fabs(gap),
        .terms = term,
        .term_count = terms,
    };
    return TN_OK;
}

/* Columns from..to-1, in order of their rows. */
static tn_status add_rows(tn_row_finder *f, const tn_stress_set *set, const int32_t *pivot,
                          int32_t from, int32_t to, tn_redundancy_class kind)
{
    tn_status status = TN_OK;
    int32_t last = -1;
    for (int32_t n = from; n < to && status == TN_OK; n++) {
        int32_t next = from;
        for (int32_t k = from; k < to; k++) {
            if (pivot[k] > last && (pivot[next] <= last || pivot[k] < pivot[next]))
                next = k;
        }
        last = pivot[next];
        status = add_row(f, set->column + (int64_t)next * f->slots, last, set->loop, kind);
    }
    return status;
}

static tn_status keep_permanent(tn_row_finder *f, const tn_stress_set *set, int32_t lasting)
{
    for (int32_t k = 0; k < lasting; k++) {
        double *lambda = TN_ARENA_ARRAY(f->arena, double, f->slots + 1);
        if (!lambda)
            return TN_ERROR_MEMORY;
        memcpy(lambda, set->column + (int64_t)k * f->slots, sizeof(double) * (size_t)f->slots);
        f->permanent->stress[f->permanent->count++] =
            (tn_red_stress){.lambda = lambda, .loop = set->loop, .group = set->group};
    }
    return TN_OK;
}

static tn_status rows_of_set(tn_row_finder *f, int32_t loop, int32_t group)
{
    tn_stress_set set = {0}, witness = {0};
    tn_status status = collect(f, f->here, loop, group, &set);
    int32_t lasting = set.lasting;
    if (status == TN_OK && lasting < set.count) {
        make_orthonormal(f->slots, set.column, 0, lasting);
        make_orthonormal(f->slots, set.column, lasting, set.count);
    }
    if (status == TN_OK && f->witness && set.count > 0) {
        status = collect(f, f->witness, loop, group, &witness);
        if (status == TN_OK && witness.count < set.count) {
            lasting = witness.count;
            make_orthonormal(f->slots, set.column, 0, set.count);
            status = split_by_witness(f->slots, &set, &witness);
        }
    }
    int32_t *pivot = TN_NEW_ARRAY(int32_t, set.count);
    if (status == TN_OK && pivot)
        status = keep_permanent(f, &set, lasting);
    if (status == TN_OK && pivot) {
        eliminate(f, set.column, 0, lasting, pivot);
        eliminate(f, set.column, lasting, set.count, pivot);
        status = add_rows(f, &set, pivot, 0, lasting, TN_REDUNDANCY_PERMANENT);
        if (status == TN_OK)
            status = add_rows(f, &set, pivot, lasting, set.count, TN_REDUNDANCY_MOMENTARY);
    }
    tn_free(set.column);
    tn_free(witness.column);
    tn_free(pivot);
    return pivot ? status : TN_ERROR_MEMORY;
}

tn_status tn_red_rows_find(const tn_red_pose *pose, const tn_red_graph *graph,
                           const tn_red_closure *here, const tn_red_closure *witness,
                           double tolerance, tn_arena *arena, tn_red_closure *permanent,
                           tn_analysis *out)
{
    tn_row_finder f = {.pose = pose,
                       .graph = graph,
                       .here = here,
                       .witness = witness,
                       .arena = arena,
                       .slots = (int32_t)pose->sys.layout->y_size,
                       .tolerance = tolerance,
                       .permanent = permanent};
    *permanent = (tn_red_closure){.rows = here->rows};
    f.rows = TN_ARENA_ARRAY(arena, tn_dependent_row, here->count + 1);
    permanent->stress = TN_ARENA_ARRAY(arena, tn_red_stress, here->count + 1);
    if (!f.rows || !permanent->stress)
        return TN_ERROR_MEMORY;
    tn_status status = name_slots(&f);
    for (int32_t l = 0; l < graph->loop_count && status == TN_OK; l++)
        status = rows_of_set(&f, l, graph->loops[l].group);
    for (int32_t g = 0; g < graph->group_count && status == TN_OK; g++)
        status = rows_of_set(&f, -1, g);
    out->dependents = f.rows;
    out->dependent_count = f.row_count;
    for (int32_t k = 0; k < f.row_count; k++)
        out->conflicts += f.rows[k].kind == TN_REDUNDANCY_CONFLICT;
    return status;
}
