/* spd_kernel.h: room method/linkage: factor and solve with blocks of SPD_SIZE rows, each an SPD_ROW. See spd.h,
 * which includes it once for each size.
 */

enum { SPD(STRIDE) = sizeof(SPD_ROW) / sizeof(double), SPD(BLOCK) = SPD_SIZE * SPD(STRIDE) };

#define SPD_AT(p, i) (((SPD_ROW *)(void *)(p))[i])
#define SPD_OF(p, i) (((const SPD_ROW *)(const void *)(p))[i])

/* U = D^-1 W. */
TN_INLINE void SPD(times)(const double *inverse, const double *W, double *U)
{
    TN_UNROLL
    for (int i = 0; i < SPD_SIZE; i++) {
        SPD_ROW sum = inverse[i * SPD(STRIDE)] * SPD_OF(W, 0);
        TN_UNROLL
        for (int l = 1; l < SPD_SIZE; l++)
            sum += inverse[i * SPD(STRIDE) + l] * SPD_OF(W, l);
        SPD_AT(U, i) = sum;
    }
}

/* A -= U^T W. */
TN_INLINE void SPD(update)(double *A, const double *U, const double *W)
{
    TN_UNROLL
    for (int i = 0; i < SPD_SIZE; i++) {
        SPD_ROW sum = SPD_OF(A, i);
        TN_UNROLL
        for (int l = 0; l < SPD_SIZE; l++)
            sum -= U[l * SPD(STRIDE) + i] * SPD_OF(W, l);
        SPD_AT(A, i) = sum;
    }
}

/* Returns the smallest pivot, in units of the diagonal that it began as; -INFINITY: one is not positive. */
TN_INLINE double SPD(factor)(tn_spd *s)
{
    const int32_t *target = s->target;
    double smallest = INFINITY;
    for (int32_t k = 0; k < s->n; k++) {
        for (int i = 0; i < SPD_SIZE; i++)
            s->scale[k * SPD(STRIDE) + i] = s->diagonal[k * SPD(BLOCK) + i * (SPD(STRIDE) + 1)];
    }
    for (int32_t k = 0; k < s->n; k++) {
        double *D = s->diagonal + k * SPD(BLOCK);
        const double pivot = SPD(invert)(D, s->scale + k * SPD(STRIDE));
        smallest = pivot > 0.0 ? spd_smaller(pivot, smallest) : -INFINITY;
        for (int32_t i = s->start[k]; i < s->start[k + 1]; i++) {
            double U[SPD(BLOCK)], *W = s->block + i * SPD(BLOCK);
            SPD(times)(D, W, U);
            SPD(update)(s->diagonal + s->row[i] * SPD(BLOCK), U, W);
            for (int32_t j = i + 1; j < s->start[k + 1]; j++)
                SPD(update)(s->block + *target++ * SPD(BLOCK), U, s->block + j * SPD(BLOCK));
            memcpy(W, U, sizeof U);
        }
    }
    return smallest;
}

/* y += sign A^T x; D is its own transpose. */
TN_INLINE void SPD(add_rows)(double *y, double sign, const double *A, const double *x)
{
    SPD_ROW sum = SPD_OF(y, 0);
    TN_UNROLL
    for (int l = 0; l < SPD_SIZE; l++)
        sum += sign * x[l] * SPD_OF(A, l);
    SPD_AT(y, 0) = sum;
}

/* y -= A x. */
TN_INLINE void SPD(take_columns)(double *y, const double *A, const double *x)
{
    TN_UNROLL
    for (int l = 0; l < SPD_SIZE; l++) {
        double sum = A[l * SPD(STRIDE)] * x[0];
        TN_UNROLL
        for (int j = 1; j < SPD_SIZE; j++)
            sum += A[l * SPD(STRIDE) + j] * x[j];
        y[l] -= sum;
    }
}

/* x <- A^-1 x, [n][stride] in the order. */
TN_INLINE void SPD(solve)(const tn_spd *s, double *x)
{
    for (int32_t k = 0; k < s->n; k++) {
        for (int32_t i = s->start[k]; i < s->start[k + 1]; i++)
            SPD(add_rows)
        (x + s->row[i] * SPD(STRIDE), -1.0, s->block + i * SPD(BLOCK), x + k * SPD(STRIDE));
    }
    for (int32_t k = s->n - 1; k >= 0; k--) {
        double y[SPD(STRIDE)] = {0.0};
        SPD(add_rows)(y, 1.0, s->diagonal + k * SPD(BLOCK), x + k * SPD(STRIDE));
        for (int32_t i = s->start[k]; i < s->start[k + 1]; i++)
            SPD(take_columns)(y, s->block + i * SPD(BLOCK), x + s->row[i] * SPD(STRIDE));
        memcpy(x + k * SPD(STRIDE), y, sizeof y);
    }
}

#undef SPD_AT
#undef SPD_OF
