/* jacobi_svd.c: room math/dense: one-sided Jacobi (Hestenes 1958).
 *
 * Pairs of columns are rotated until all are orthogonal. Slower than bidiagonalisation but short,
 * needs no workspace, and small singular values come out with small relative errors (Demmel,
 * Veselic 1992), which is what a decision about rank wants. Cost: a few sweeps of n^2 (m + n).
 */
#include <math.h>

#include "real/real.h"
#include "math/dense/jacobi_svd.h"

/* Cosine between two columns that counts as a right angle: round-off of long sums. */
#define TN_JACOBI_COSINE 1e-15
/* Columns this much shorter than the whole are zero: turning them only mixes round-off. */
#define TN_JACOBI_ZERO   1e-16
#define TN_JACOBI_SWEEPS 60

static double dot(int32_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void rotate(int32_t n, double *a, double *b, double c, double s)
{
    for (int32_t i = 0; i < n; i++) {
        const double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

/* Makes columns p and q orthogonal; 0 when they were. */
static int turn_pair(int32_t m, int32_t n, double *A, double *V, double zero, int32_t p, int32_t q)
{
    double *a = A + (int64_t)p * m, *b = A + (int64_t)q * m;
    const double aa = dot(m, a, a), bb = dot(m, b, b), ab = dot(m, a, b);
    if (fabs(ab) <= TN_JACOBI_COSINE * sqrt(aa) * sqrt(bb) || fmin(aa, bb) <= zero)
        return 0;
    const double zeta = (bb - aa) / (2.0 * ab);
    const double t = (zeta >= 0.0 ? 1.0 : -1.0) / (fabs(zeta) + tn_hypot(1.0, zeta));
    const double c = 1.0 / tn_hypot(1.0, t), s = c * t;
    rotate(m, a, b, c, s);
    rotate(n, V + (int64_t)p * n, V + (int64_t)q * n, c, s);
    return 1;
}

void tn_jacobi_svd(int32_t m, int32_t n, double *A, double *V, double *sigma)
{
    double square = 0.0;
    for (int64_t i = 0; i < (int64_t)m * n; i++)
        square += A[i] * A[i];
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i < n; i++)
            V[(int64_t)j * n + i] = i == j ? 1.0 : 0.0;
    }
    const double zero = TN_JACOBI_ZERO * TN_JACOBI_ZERO * square;
    int turned = 1;
    for (int32_t sweep = 0; sweep < TN_JACOBI_SWEEPS && turned; sweep++) {
        turned = 0;
        for (int32_t p = 0; p < n; p++) {
            for (int32_t q = p + 1; q < n; q++)
                turned |= turn_pair(m, n, A, V, zero, p, q);
        }
    }
    for (int32_t j = 0; j < n; j++)
        sigma[j] = sqrt(dot(m, A + (int64_t)j * m, A + (int64_t)j * m));
}
