/* front_kernel.h: the kernels of front.h for TN_LANES lanes. Room sparse/front, included once a width.
 */
#include "math/lanes.h"
#include "sparse/front/front.h"

typedef double lane __attribute__((vector_size(8 * TN_LANES), aligned(8), may_alias));
typedef int64_t lane_mask __attribute__((vector_size(8 * TN_LANES), aligned(8), may_alias));

/* Rows of sums that are in registers at once, of up to so many vectors each: of AVX-512 there are twice as many. */
enum { ROWS = 3, ABREAST = 4, MOST_ROWS = 6, MOST_ABREAST = TN_LANES / 2 };

#define LANE(p)       (*(lane *)(p))
#define CONST_LANE(p) (*(const lane *)(p))
#define V4(p)         (*(tn_v4 *)(p))
#define CONST_V4(p)   (*(const tn_v4 *)(p))

/* ---- updates ---- */

/* Some rows: where they are, what is multiplied, and how often. */
struct rows {
    double *t[MOST_ROWS];
    const double *w, *u;
    int64_t w_stride, u_stride;
    int32_t depth, columns;
    bool upper;
};

#if TN_LANES == 8
#define LANE_NUMBERS                                                                               \
    {                                                                                              \
        0, 1, 2, 3, 4, 5, 6, 7                                                                     \
    }
#elif TN_LANES == 4
#define LANE_NUMBERS                                                                               \
    {                                                                                              \
        0, 1, 2, 3                                                                                 \
    }
#else
#define LANE_NUMBERS                                                                               \
    {                                                                                              \
        0, 1                                                                                       \
    }
#endif

/* Lanes first .. end - 1 of a sum. What is beside them is read now: rows of pivots overlap there. */
TN_INLINE void put_some(double *t, lane sum, int64_t first, int64_t end)
{
    const lane_mask number = LANE_NUMBERS, ours = (number >= first) & (number < end);
    const lane_mask old = *(const lane_mask *)t;
    *(lane_mask *)t = ((lane_mask)sum & ours) | (old & ~ours);
}

/* `vectors` of `rows` rows, from column c on, as far as there are columns. */
TN_INLINE void update_block(const struct rows *p, int rows, int vectors, int32_t c)
{
    lane sum[MOST_ROWS][ABREAST];
    TN_UNROLL
    for (int i = 0; i < rows; i++) {
        TN_UNROLL
        for (int v = 0; v < vectors; v++)
            sum[i][v] = CONST_LANE(p->t[i] + c + v * TN_LANES);
    }
    const double *w = p->w, *u = p->u + c;
    const int64_t w_stride = p->w_stride, u_stride = p->u_stride;
    for (int32_t l = p->depth; l > 0; l--, w += w_stride, u += u_stride) {
        TN_UNROLL
        for (int i = 0; i < rows; i++) {
            const double factor = w[i];
            TN_UNROLL
            for (int v = 0; v < vectors; v++)
                sum[i][v] -= factor * CONST_LANE(u + v * TN_LANES);
        }
    }
    const int64_t left = p->columns - c;
    const bool upper = p->upper && c == 0;
    TN_UNROLL
    for (int i = 0; i < rows; i++) {
        TN_UNROLL
        for (int v = 0; v < vectors; v++) {
            double *t = p->t[i] + c + v * TN_LANES;
            if (v == vectors - 1 || v * TN_LANES < i)
                put_some(t, sum[i][v], (upper ? i : 0) - v * TN_LANES, left - v * TN_LANES);
            else
                LANE(t) = sum[i][v];
        }
    }
}

/* All columns of some rows, so many vectors at a time. */
TN_INLINE void update_rows(const struct rows *p, int rows, int abreast)
{
    for (int32_t c = 0; c < p->columns; c += abreast * TN_LANES) {
        const int32_t vectors = (p->columns - c + TN_LANES - 1) / TN_LANES;
        if (vectors == 1)
            update_block(p, rows, 1, c);
        else if (vectors == 2 || abreast == 2)
            update_block(p, rows, 2, c);
        else if (vectors == 3)
            update_block(p, rows, 3, c);
        else
            update_block(p, rows, 4, c);
    }
}

static void update(const tn_front_product *p)
{
    const int32_t most = TN_LANES > 2 ? MOST_ROWS : ROWS;
    struct rows part = {.w = p->w,
                        .w_stride = p->w_stride,
                        .u_stride = p->u_stride,
                        .depth = p->depth,
                        .upper = p->upper};
    double *t = p->t;
    for (int32_t i = 0, rows = 0; i < p->rows; i += rows, part.w += rows) {
        const int32_t left = p->rows - i, skipped = p->upper ? i : 0;
        rows = left >= most ? most : left >= ROWS ? ROWS : left;
        part.u = p->u + skipped;
        part.columns = p->columns - skipped;
        for (int32_t r = 0; r < rows; r++) {
            part.t[r] = t + skipped;
            t += p->row < 0 ? p->t_stride : p->t_stride - ((p->row + i + r + 1) & ~1);
        }
        if (TN_LANES > 2 && rows == MOST_ROWS)
            update_rows(&part, MOST_ROWS, MOST_ABREAST);
        else if (rows == ROWS)
            update_rows(&part, ROWS, ABREAST);
        else if (rows == 2)
            update_rows(&part, 2, ABREAST);
        else
            update_rows(&part, 1, ABREAST);
    }
}

/* ---- division ---- */

/* The next row of pivots, as tn_upper has it. */
TN_INLINE int32_t upper_after(int32_t at, int32_t j, int32_t s)
{
    return at + s - ((j + 1) & ~1);
}

#define DIVIDE_ROWS(name, type, lanes_of)                                                          \
    TN_INLINE void name(const double *pivots, double *v, double *w, int32_t stride, int32_t s,     \
                        int32_t j, int32_t at_j, int rows, int vectors)                            \
    {                                                                                              \
        type sum[ROWS][ABREAST];                                                                   \
        TN_UNROLL                                                                                  \
        for (int r = 0; r < rows; r++) {                                                           \
            TN_UNROLL                                                                              \
            for (int n = 0; n < vectors; n++)                                                      \
                sum[r][n] = *(const type *)(v + (j + r) * stride + n * (lanes_of));                \
        }                                                                                          \
        int32_t at = 0;                                                                            \
        for (int32_t i = 0; i < j; at = upper_after(at, i, s), i++) {                              \
            TN_UNROLL                                                                              \
            for (int r = 0; r < rows; r++) {                                                       \
                const double factor = pivots[at + j + r];                                          \
                TN_UNROLL                                                                          \
                for (int n = 0; n < vectors; n++)                                                  \
                    sum[r][n] -= factor * *(const type *)(w + i * stride + n * (lanes_of));        \
            }                                                                                      \
        }                                                                                          \
        at = at_j;                                                                                 \
        TN_UNROLL                                                                                  \
        for (int q = 0; q < rows; q++) {                                                           \
            const double inverse = pivots[at + j + q];                                             \
            TN_UNROLL                                                                              \
            for (int n = 0; n < vectors; n++) {                                                    \
                *(type *)(w + (j + q) * stride + n * (lanes_of)) = sum[q][n];                      \
                *(type *)(v + (j + q) * stride + n * (lanes_of)) = sum[q][n] * inverse;            \
            }                                                                                      \
            TN_UNROLL                                                                              \
            for (int r = q + 1; r < rows; r++) {                                                   \
                const double factor = pivots[at + j + r];                                          \
                TN_UNROLL                                                                          \
                for (int n = 0; n < vectors; n++)                                                  \
                    sum[r][n] -= factor * sum[q][n];                                               \
            }                                                                                      \
            at = upper_after(at, j + q, s);                                                        \
        }                                                                                          \
    }
DIVIDE_ROWS(divide_lanes, lane, TN_LANES)
DIVIDE_ROWS(divide_four, tn_v4, 4)

#define DIVIDE_COLUMNS(rows_of, vectors)                                                           \
    {                                                                                              \
        int32_t j = 0, at = 0;                                                                     \
        for (; j + ROWS <= depth; j += ROWS) {                                                     \
            rows_of(pivots, v + c, w + c, stride, s, j, at, ROWS, vectors);                        \
            for (int32_t r = j; r < j + ROWS; r++)                                                 \
                at = upper_after(at, r, s);                                                        \
        }                                                                                          \
        for (; j < depth; at = upper_after(at, j, s), j++)                                         \
            rows_of(pivots, v + c, w + c, stride, s, j, at, 1, vectors);                           \
    }

static void divide(const double *pivots, int32_t depth, double *v, double *w, int32_t stride)
{
    const int32_t s = (depth + 1) & ~1;
    int32_t c = 0;
    for (; c + ABREAST * TN_LANES <= stride; c += ABREAST * TN_LANES)
        DIVIDE_COLUMNS(divide_lanes, ABREAST)
    if (c + 3 * TN_LANES <= stride) {
        DIVIDE_COLUMNS(divide_lanes, 3)
        c += 3 * TN_LANES;
    } else if (c + 2 * TN_LANES <= stride) {
        DIVIDE_COLUMNS(divide_lanes, 2)
        c += 2 * TN_LANES;
    } else if (c + TN_LANES <= stride) {
        DIVIDE_COLUMNS(divide_lanes, 1)
        c += TN_LANES;
    }
    if (c < stride)
        DIVIDE_COLUMNS(divide_four, 1)
}

/* ---- solves ---- */

/* Lines of the cache; the hardware's own prefetch stops at every page. */
TN_INLINE void ask_ahead(const double *v, int32_t stride, int rows, int64_t ahead)
{
    if (ahead != 0) {
        const double *begin = v + ahead;
        for (int32_t at = 0; at < rows * stride; at += 8)
            __builtin_prefetch(begin + at);
    }
}

TN_INLINE void push_rows(const double *v, int32_t stride, const double *x, double *y, int rows,
                         int64_t ahead)
{
    int32_t c = 0;
    ask_ahead(v, stride, rows, ahead);
    for (; c + TN_LANES <= stride; c += TN_LANES) {
        lane sum = CONST_LANE(y + c);
        TN_UNROLL
        for (int l = 0; l < rows; l++)
            sum -= x[l] * CONST_LANE(v + l * stride + c);
        LANE(y + c) = sum;
    }
    for (; c < stride; c += 4) {
        tn_v4 sum = CONST_V4(y + c);
        TN_UNROLL
        for (int l = 0; l < rows; l++)
            sum -= x[l] * CONST_V4(v + l * stride + c);
        V4(y + c) = sum;
    }
}

static void push(const double *v, int32_t stride, int32_t depth, const double *x, double *y,
                 int64_t ahead)
{
    int32_t l = 0;
    for (; l + 6 <= depth; l += 6)
        push_rows(v + l * stride, stride, x + l, y, 6, ahead);
    for (; l + 3 <= depth; l += 3)
        push_rows(v + l * stride, stride, x + l, y, 3, ahead);
    for (; l < depth; l++)
        push_rows(v + l * stride, stride, x + l, y, 1, ahead);
}

enum { SUM_LANES = 8, SUM_VECTORS = SUM_LANES / TN_LANES };

TN_INLINE void pull_rows(const double *v, int32_t stride, const double *y, double *products,
                         int rows, int64_t ahead)
{
    lane sum[6][SUM_VECTORS];
    tn_v4 rest[6];
    TN_UNROLL
    for (int l = 0; l < rows; l++) {
        rest[l] = (tn_v4){0.0};
        TN_UNROLL
        for (int n = 0; n < SUM_VECTORS; n++)
            sum[l][n] = (lane){0.0};
    }
    int32_t c = 0;
    ask_ahead(v, stride, rows, ahead);
    for (; c + SUM_LANES <= stride; c += SUM_LANES) {
        TN_UNROLL
        for (int l = 0; l < rows; l++) {
            TN_UNROLL
            for (int n = 0; n < SUM_VECTORS; n++)
                sum[l][n] += CONST_LANE(v + l * stride + c + n * TN_LANES) *
                             CONST_LANE(y + c + n * TN_LANES);
        }
    }
    if (c < stride) {
        TN_UNROLL
        for (int l = 0; l < rows; l++)
            rest[l] = CONST_V4(v + l * stride + c) * CONST_V4(y + c);
    }
    TN_UNROLL
    for (int l = 0; l < rows; l++) {
        double all[SUM_LANES];
        TN_UNROLL
        for (int n = 0; n < SUM_VECTORS; n++)
            LANE(all + n * TN_LANES) = sum[l][n];
        const tn_v4 four = (CONST_V4(all) + rest[l]) + CONST_V4(all + 4);
        products[l] = (four[0] + four[2]) + (four[1] + four[3]);
    }
}

static void pull(const double *v, int32_t stride, int32_t depth, const double *y, double *products,
                 int64_t ahead)
{
    int32_t l = 0;
    for (; l + 6 <= depth; l += 6)
        pull_rows(v + l * stride, stride, y, products + l, 6, ahead);
    for (; l + 3 <= depth; l += 3)
        pull_rows(v + l * stride, stride, y, products + l, 3, ahead);
    for (; l < depth; l++)
        pull_rows(v + l * stride, stride, y, products + l, 1, ahead);
}
