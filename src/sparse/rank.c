/* rank.c: rank of the constraint rows, the rows that repeat others, and how they are composed.
 *
 * Room sparse. In: values. Out: report, and one call per dependent row.
 *
 * Rank needs only G, so the system is put in units where H = I: columns of G are divided by
 * sqrt(H_jj), rows by their length. Then
 *   1. candidates: eliminate with E = 1e-12; inside each dual block pivot on the diagonal and drop
 * at once the rows whose pivot is small (one of 1e-12 would drown its neighbours). Small is meant
 *      relative to what the block began with: behind a long chain all of a block is small, because
 *      the chain is heavy. Pivots see only the nodes eliminated before, so a dropped row need not
 * be dependent;
 *   2. confirm: with the candidates out, solve [I G^T; G -0] (x, c) = (g_r, 0) for each candidate:
 *      x is the part of g_r outside the span of the rows kept, g_r = x + sum c_i g_i. Shorter than
 *      1e-6: dependent. Otherwise it goes back in, unless those put back before it span it. Repeat
 *      until no row went back;
 *   3. verify: inverse iteration on the rows kept finds their weakest combination. If it is shorter
 *      than 1e-6, round-off has hidden a dependent row in step 1: its largest row becomes a
 * candidate.
 * Rows the caller knows to be independent (those of trees) are never candidates, however small
 * their pivots are behind a long chain.
 *
 * Limits: cost is a few solves per candidate. Rows nearly dependent over very long loops blur the
 * gap; smallest_kept and largest_dropped show it.
 */
#include "sparse/kkt_impl.h"

#include "base/base.h"
#include "sparse/dense.h"

#include <math.h>
#include <string.h>

/* Regularisation of unit rows: far below the pivot cut, far above round-off. */
#define TN_RANK_E 1e-12
/* The same for the rows kept, which need none except where a block waits for a later body; well
 * below the square of the distance that verification must see. */
#define TN_RANK_E_KEPT 1e-14
/* Pivots (squared distances) below this become candidates: relative to the row's own diagonal when
 * its block is reached, and to a unit row. The first bounds the loss of digits per block, the
 * second is above what that loss can make of a zero. */
#define TN_RANK_PIVOT 1e-6
#define TN_RANK_FLOOR 1e-9
/* Distance below which a candidate is dependent: above the error of its computation, below the
 * 1e-7 .. 1e-3 window in which overconstrained loops (Bricard, N-four-bar) are told correctly. */
#define TN_RANK_DISTANCE 1e-6
/* Rows put back per round. */
#define TN_RANK_RETURNS 32
/* Refinement of a unit right-hand side. */
#define TN_RANK_PASSES    40
#define TN_RANK_TOLERANCE 1e-14
/* Inverse iterations per verification, and verifications in all. */
#define TN_RANK_INVERSE 3
#define TN_RANK_VERIFY  100

struct row_id {
    int32_t dual, row;
};

struct rank {
    const tn_kkt *kkt;
    const tn_kkt_layout *l;
    tn_kkt_values *unit; /* all active rows, scaled */
    tn_kkt_values *kept; /* rows kept, moved together */
    tn_kkt_factor *factor;
    double *column_scale; /* 1/sqrt(H_jj) */
    const bool *suspect;  /* by dual: its rows may be dependent; NULL: all */
    double *row_scale;    /* 1/length of rows, layout of y */
    bool *dropped;        /* layout of y */
    struct row_id *candidate;
    int32_t count;                /* of candidates */
    double *x, *b;                /* layout of u */
    double *lambda, *coefficient; /* layout of y */
    double *basis;                /* TN_RANK_RETURNS vectors: what rows put back span */
    tn_kkt_rank_report *report;
};

static bool allocate(struct rank *k)
{
    int64_t nu = k->l->u_size;
    int64_t ny = k->l->y_size;
    bool good = tn_kkt_values_create(k->kkt, &k->unit) == TN_OK;
    good = tn_kkt_values_create(k->kkt, &k->kept) == TN_OK && good;
    good = tn_kkt_factor_create(k->kkt, &k->factor) == TN_OK && good;
    k->column_scale = TN_NEW_ARRAY(double, nu);
    k->row_scale = TN_NEW_ARRAY(double, ny);
    k->dropped = TN_NEW_ARRAY(bool, ny);
    k->candidate = TN_NEW_ARRAY(struct row_id, ny);
    k->x = TN_NEW_ARRAY(double, nu);
    k->b = TN_NEW_ARRAY(double, nu);
    k->lambda = TN_NEW_ARRAY(double, ny);
    k->coefficient = TN_NEW_ARRAY(double, ny);
    k->basis = TN_NEW_ARRAY(double, TN_RANK_RETURNS *nu);
    return good && k->column_scale != NULL && k->row_scale != NULL && k->dropped != NULL &&
           k->candidate != NULL && k->x != NULL && k->b != NULL && k->lambda != NULL &&
           k->coefficient != NULL && k->basis != NULL;
}

static void release(struct rank *k)
{
    tn_kkt_values_destroy(k->unit);
    tn_kkt_values_destroy(k->kept);
    tn_kkt_factor_destroy(k->factor);
    tn_free(k->column_scale);
    tn_free(k->row_scale);
    tn_free(k->dropped);
    tn_free(k->candidate);
    tn_free(k->x);
    tn_free(k->b);
    tn_free(k->lambda);
    tn_free(k->coefficient);
    tn_free(k->basis);
}

/* 1/sqrt(H_jj); a zero or negative inertia borrows the largest of its node. */
static void scale_columns(struct rank *k, const tn_kkt_values *values)
{
    for (int32_t i = 0; i < k->l->n_primal; i++) {
        int32_t d = k->l->primal_dim[i];
        const double *h = values->h + k->l->h_offset[i];
        double *scale = k->column_scale + k->l->u_offset[i];
        double largest = 0.0;
        for (int32_t j = 0; j < d; j++) {
            largest = fmax(largest, h[j * d + j]);
        }
        for (int32_t j = 0; j < d; j++) {
            double mass = h[j * d + j] > 0.0 ? h[j * d + j] : largest;
            scale[j] = mass > 0.0 ? 1.0 / sqrt(mass) : 1.0;
            k->unit->h[k->l->h_offset[i] + j * d + j] = 1.0;
            k->kept->h[k->l->h_offset[i] + j * d + j] = 1.0;
        }
    }
}

/* Is dual j part of the system at all? */
static bool present(const struct rank *k, int32_t j)
{
    return k->kkt->dual_position[j] >= 0;
}

static bool is_suspect(const struct rank *k, int32_t dual)
{
    return k->suspect == NULL || k->suspect[dual];
}

/* Has any dual of the system rows that may be dependent? */
static bool any_suspect(const struct rank *k)
{
    for (int32_t j = 0; j < k->l->n_dual; j++) {
        if (present(k, j) && k->unit->rows[j] > 0 && is_suspect(k, j)) {
            return true;
        }
    }
    return false;
}

/* unit->g: rows of length 1 in scaled columns; rows of zeros stay zero. False when not finite. */
static bool scale_rows(struct rank *k, const tn_kkt_values *values, int32_t dual)
{
    const tn_kkt_layout *l = k->l;
    for (int32_t r = 0; r < values->rows[dual]; r++) {
        double length = 0.0;
        for (int32_t t = l->dual_start[dual]; t < l->dual_start[dual + 1]; t++) {
            int32_t p = l->dual_primal[t];
            for (int32_t j = 0; j < l->primal_dim[p]; j++) {
                int64_t at = l->g_offset[t] + r * l->primal_dim[p] + j;
                double g = values->g[at] * k->column_scale[l->u_offset[p] + j];
                k->unit->g[at] = g;
                length += g * g;
            }
        }
        double scale = length > 0.0 ? 1.0 / sqrt(length) : 1.0;
        k->row_scale[l->y_offset[dual] + r] = scale;
        for (int32_t t = l->dual_start[dual]; t < l->dual_start[dual + 1]; t++) {
            int32_t d = l->primal_dim[l->dual_primal[t]];
            for (int32_t j = 0; j < d; j++) {
                k->unit->g[l->g_offset[t] + r * d + j] *= scale;
            }
        }
        k->unit->e[l->y_offset[dual] + r] = TN_RANK_E;
        k->unit->a[l->y_offset[dual] + r] = 1.0;
        if (!isfinite(length)) {
            return false;
        }
    }
    return true;
}

static tn_status scale_all(struct rank *k, const tn_kkt_values *values)
{
    bool finite = true;
    scale_columns(k, values);
    for (int32_t j = 0; j < k->l->n_dual; j++) {
        k->unit->rows[j] = present(k, j) ? values->rows[j] : 0;
        k->report->rows += k->unit->rows[j];
        if (present(k, j)) {
            finite = scale_rows(k, values, j) && finite;
        }
    }
    for (int64_t i = 0; i < k->l->y_size; i++) {
        k->kept->e[i] = TN_RANK_E_KEPT;
        k->kept->a[i] = 1.0;
    }
    return finite ? TN_OK : TN_ERROR_NOT_FINITE;
}

/* Diagonally pivoted elimination of a full symmetric block; which rows have pivots above the cut.
 */
static void choose_rows(double *s, int d, bool *keep)
{
    double cut[TN_KKT_MAX_BLOCK];
    for (int i = 0; i < d; i++) {
        cut[i] = fmax(TN_RANK_PIVOT * s[i * d + i], TN_RANK_FLOOR);
    }
    for (int step = 0; step < d; step++) {
        int best = -1;
        for (int i = 0; i < d; i++) {
            bool good = !keep[i] && s[i * d + i] > cut[i];
            if (good && (best < 0 || s[i * d + i] > s[best * d + best])) {
                best = i;
            }
        }
        if (best < 0) {
            return;
        }
        keep[best] = true;
        for (int i = 0; i < d; i++) {
            double factor = s[i * d + best] / s[best * d + best];
            for (int j = 0; j < d && !keep[i]; j++) {
                if (!keep[j]) {
                    s[i * d + j] -= factor * s[best * d + j];
                }
            }
        }
    }
}

/* Leaves only the rows to keep in the dual node at this position. */
static void drop_rows(void *context, int32_t position, double *pivot_block)
{
    struct rank *k = context;
    const tn_kkt_node *node = &k->kkt->node[position];
    if (!is_suspect(k, node->index)) {
        return;
    }
    int d = k->factor->size[position];
    double full[TN_BLOCK_DOUBLES];
    double reduced[TN_BLOCK_DOUBLES];
    bool keep[TN_KKT_MAX_BLOCK] = {false};
    int s = tn_stride(d);
    for (int i = 0; i < d; i++) {
        for (int j = i; j < d; j++) {
            full[i * d + j] = full[j * d + i] = -pivot_block[tn_upper(i, s) + j];
        }
    }
    memcpy(reduced, full, (size_t)(d * d) * sizeof *full);
    choose_rows(reduced, d, keep);
    int list[TN_KKT_MAX_BLOCK];
    int kept = 0;
    for (int i = 0; i < d; i++) {
        if (keep[i]) {
            list[kept++] = i;
        } else {
            k->dropped[k->l->y_offset[node->index] + i] = true;
            k->candidate[k->count++] = (struct row_id){node->index, i};
        }
    }
    s = tn_stride(kept);
    memset(pivot_block, 0, (size_t)tn_upper_doubles(kept) * sizeof *pivot_block);
    for (int i = 0; i < kept; i++) {
        for (int j = i; j < kept; j++) {
            pivot_block[tn_upper(i, s) + j] = -full[list[i] * d + list[j]];
        }
    }
    for (int32_t t = node->row; t < node[1].row; t++) {
        double *v = k->factor->block + k->kkt->row[t].block;
        int width = tn_stride(k->factor->size[k->kkt->row[t].node]);
        for (int i = 0; i < kept; i++) {
            memmove(v + i * width, v + list[i] * width, (size_t)width * sizeof *v);
        }
    }
    k->factor->size[position] = (int16_t)kept;
}

/* kept <- rows of unit that are not dropped, moved together. */
static void gather_kept(struct rank *k)
{
    const tn_kkt_layout *l = k->l;
    for (int32_t j = 0; j < l->n_dual; j++) {
        int32_t to = 0;
        for (int32_t r = 0; r < k->unit->rows[j]; r++) {
            if (k->dropped[l->y_offset[j] + r]) {
                continue;
            }
            for (int32_t t = l->dual_start[j]; t < l->dual_start[j + 1]; t++) {
                int32_t d = l->primal_dim[l->dual_primal[t]];
                if (d > 0) {
                    memcpy(k->kept->g + l->g_offset[t] + to * d,
                           k->unit->g + l->g_offset[t] + r * d, (size_t)d * sizeof(double));
                }
            }
            to++;
        }
        k->kept->rows[j] = to;
    }
}

/* x = part of a unit row outside the span of the rows kept; lambda = -c. Returns its length. */
static double project(struct rank *k, struct row_id id)
{
    const tn_kkt_layout *l = k->l;
    memset(k->b, 0, (size_t)l->u_size * sizeof *k->b);
    memset(k->x, 0, (size_t)l->u_size * sizeof *k->x);
    memset(k->lambda, 0, (size_t)l->y_size * sizeof *k->lambda);
    for (int32_t t = l->dual_start[id.dual]; t < l->dual_start[id.dual + 1]; t++) {
        int32_t p = l->dual_primal[t];
        int32_t d = l->primal_dim[p];
        if (d > 0) {
            memcpy(k->b + l->u_offset[p], k->unit->g + l->g_offset[t] + id.row * d,
                   (size_t)d * sizeof *k->b);
        }
    }
    tn_kkt_refine_options options = {TN_RANK_PASSES, TN_RANK_TOLERANCE, 0.0};
    tn_kkt_refine_stats stats;
    tn_kkt_solve_refined(k->kkt, k->kept, k->factor, k->b, NULL, k->x, k->lambda, &options, &stats);
    double sum = 0.0;
    for (int64_t i = 0; i < l->u_size; i++) {
        sum += k->x[i] * k->x[i];
    }
    return sqrt(sum);
}

/* Coefficients of the original rows from those of unit rows. */
static void tell(struct rank *k, struct row_id id, double distance, tn_kkt_dependent_function found,
                 void *context)
{
    const tn_kkt_layout *l = k->l;
    k->report->largest_dropped = fmax(k->report->largest_dropped, distance);
    if (found == NULL) {
        return;
    }
    memset(k->coefficient, 0, (size_t)l->y_size * sizeof *k->coefficient);
    double own = k->row_scale[l->y_offset[id.dual] + id.row];
    for (int32_t j = 0; j < l->n_dual; j++) {
        int32_t from = 0;
        for (int32_t r = 0; r < k->unit->rows[j]; r++) {
            int64_t at = l->y_offset[j] + r;
            if (!k->dropped[at]) {
                k->coefficient[at] = -k->lambda[l->y_offset[j] + from++] * k->row_scale[at] / own;
            }
        }
    }
    tn_kkt_dependent dependent = {id.dual, id.row, distance, k->coefficient};
    found(context, &dependent);
}

/* Removes from x what the basis spans, twice for full accuracy; returns the length left. */
static double outside_basis(struct rank *k, int32_t size)
{
    int64_t n = k->l->u_size;
    double length = 0.0;
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t v = 0; v < size; v++) {
            const double *q = k->basis + v * n;
            double dot = 0.0;
            for (int64_t i = 0; i < n; i++) {
                dot += q[i] * k->x[i];
            }
            for (int64_t i = 0; i < n; i++) {
                k->x[i] -= dot * q[i];
            }
        }
    }
    for (int64_t i = 0; i < n; i++) {
        length += k->x[i] * k->x[i];
    }
    return sqrt(length);
}

/* One round of step 2 over the candidates; returns how many rows to put back. Candidates that are
 * settled leave the list; those put back are un-dropped only after the round, because the factor
 * and the meaning of lambda belong to the rows kept at its start. */
static int32_t confirm(struct rank *k, tn_kkt_dependent_function found, void *context)
{
    int32_t open = 0;
    int32_t back = 0;
    struct row_id returned[TN_RANK_RETURNS];
    for (int32_t c = 0; c < k->count; c++) {
        struct row_id id = k->candidate[c];
        double distance = project(k, id);
        if (distance < TN_RANK_DISTANCE) {
            tell(k, id, distance, found, context);
            continue;
        }
        double left = back < TN_RANK_RETURNS ? outside_basis(k, back) : 0.0;
        if (left < TN_RANK_DISTANCE) {
            k->candidate[open++] = id;
            continue;
        }
        double *q = k->basis + back * k->l->u_size;
        for (int64_t i = 0; i < k->l->u_size; i++) {
            q[i] = k->x[i] / left;
        }
        returned[back++] = id;
    }
    for (int32_t i = 0; i < back; i++) {
        k->dropped[k->l->y_offset[returned[i].dual] + returned[i].row] = false;
    }
    k->count = open;
    return back;
}

/* Step 2 until all candidates are settled; the factor is then that of the rows kept. */
static tn_status settle(struct rank *k, tn_kkt_dependent_function found, void *context)
{
    int32_t back = 1;
    while (back > 0) {
        gather_kept(k);
        tn_status status = tn_kkt_factorize(k->kkt, k->kept, k->factor, NULL);
        if (status != TN_OK) {
            return status;
        }
        back = confirm(k, found, context);
        k->report->rank += back;
    }
    return TN_OK;
}

/* A start for inverse iteration that no structure of the rows favours. */
static double spread(int64_t i)
{
    double x = 0.6180339887498949 * (double)(i + 1);
    return x - floor(x) + 0.1;
}

/* Length of the shortest combination of unit length of the rows kept, roughly; its largest row that
 * may be dependent, left alone when there is none. */
static double weakest(struct rank *k, struct row_id *row)
{
    const tn_kkt_layout *l = k->l;
    double length = 0.0;
    for (int64_t i = 0; i < l->y_size; i++) {
        k->lambda[i] = spread(i);
    }
    for (int32_t pass = 0; pass <= TN_RANK_INVERSE; pass++) {
        double sum = 0.0;
        double largest = -1.0;
        for (int32_t j = 0; j < l->n_dual; j++) {
            for (int32_t r = 0; r < k->kept->rows[j]; r++) {
                double y = k->lambda[l->y_offset[j] + r];
                sum += y * y;
                if (is_suspect(k, j) && fabs(y) > largest) {
                    largest = fabs(y);
                    *row = (struct row_id){j, r};
                }
            }
        }
        length = 1.0 / sqrt(sqrt(sum)); /* of (G G^T)^-1 times a unit vector */
        for (int64_t i = 0; i < l->y_size; i++) {
            k->lambda[i] = sum > 0.0 ? k->lambda[i] / sqrt(sum) : 0.0;
        }
        if (pass < TN_RANK_INVERSE) {
            memset(k->x, 0, (size_t)l->u_size * sizeof *k->x);
            tn_kkt_solve(k->kkt, k->factor, k->x, k->lambda);
        }
    }
    return length;
}

/* Step 3: drops the largest row of a combination that is too short. False when there is none. */
static bool drop_weakest(struct rank *k)
{
    struct row_id id = {-1, 0};
    double length = k->report->rank > 0 ? weakest(k, &id) : 1.0;
    if (length >= TN_RANK_DISTANCE || id.dual < 0) {
        k->report->smallest_kept = fmin(1.0, length);
        return false;
    }
    int64_t at = k->l->y_offset[id.dual];
    int32_t row = 0;
    for (int32_t kept = 0; kept + !k->dropped[at + row] <= id.row; row++) {
        kept += !k->dropped[at + row];
    }
    k->dropped[at + row] = true;
    k->candidate[k->count++] = (struct row_id){id.dual, row};
    k->report->rank--;
    return true;
}

static tn_status count_rank(struct rank *k, const tn_kkt_values *values,
                            tn_kkt_dependent_function found, void *context)
{
    tn_status status = scale_all(k, values);
    if (status == TN_OK && any_suspect(k)) {
        status = tn_kkt_factorize_with(k->kkt, k->unit, k->factor, NULL, drop_rows, k);
    }
    k->report->rank = k->report->rows - k->count;
    if (status == TN_OK) {
        status = settle(k, found, context);
    }
    for (int32_t i = 0; i < TN_RANK_VERIFY && status == TN_OK && drop_weakest(k); i++) {
        int32_t before = k->report->rank;
        status = settle(k, found, context);
        if (k->report->rank > before) { /* it went back: short, yet independent */
            k->report->smallest_kept = TN_RANK_DISTANCE;
            break;
        }
    }
    return status;
}

tn_status tn_kkt_rank(const tn_kkt *kkt, const tn_kkt_values *values, const bool *suspect,
                      tn_kkt_dependent_function found, void *context, tn_kkt_rank_report *report)
{
    struct rank k = {.kkt = kkt, .l = tn_kkt_get_layout(kkt), .suspect = suspect, .report = report};
    *report = (tn_kkt_rank_report){.smallest_kept = 1.0};
    tn_status status = TN_ERROR_MEMORY;
    if (allocate(&k)) {
        status = count_rank(&k, values, found, context);
    }
    release(&k);
    return status;
}
