/* eig3.c (room: math): symmetric 3 x 3 eigenproblem by cyclic Jacobi rotations.
 *
 * In: a symmetric matrix A. Out: A = V diag(values) V^T, V a rotation, values ascending.
 *
 * Jacobi: the rotation by theta in the plane (p, q) with
 *     cot 2 theta = (a_qq - a_pp) / (2 a_pq),  t = tan theta = sgn / (|cot| + sqrt(cot^2 + 1))
 * clears a_pq (Golub & Van Loan, 8.5). Chosen over the cubic's closed form because small and nearly
 * equal eigenvalues come out to full absolute accuracy (eps |A|) and V is orthogonal to round-off.
 * Quadratic convergence: 3 x 3 needs 4 to 6 sweeps.
 */
#include "real/real.h"
#include "math/dense/eig3.h"

#include <math.h>
#include <stdbool.h>

/* A guard only: convergence takes fewer than 10 sweeps. */
#define MAX_SWEEPS 40

static const int PLANES[3][2] = {{0, 1}, {0, 2}, {1, 2}};

/* Clears a[p][q] by a rotation, applied to the full symmetric matrix a and to the columns of v. */
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    double cot = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
    double t = copysign(1.0, cot) / (fabs(cot) + tn_hypot(cot, 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; k++) {
        double akp = a[k][p], akq = a[k][q];
        a[k][p] = c * akp - s * akq;
        a[k][q] = s * akp + c * akq;
    }
    for (int k = 0; k < 3; k++) {
        double apk = a[p][k], aqk = a[q][k];
        a[p][k] = c * apk - s * aqk;
        a[q][k] = s * apk + c * aqk;
    }
    a[p][q] = a[q][p] = 0.0;
    for (int k = 0; k < 3; k++) {
        double vkp = v[k][p], vkq = v[k][q];
        v[k][p] = c * vkp - s * vkq;
        v[k][q] = s * vkp + c * vkq;
    }
}

/* The largest magnitude in the upper triangle; NaN when an entry is not finite. */
static double largest_entry(const tn_mat3 *a)
{
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            if (!isfinite(a->m[i][j])) {
                return (double)NAN;
            }
            largest = fmax(largest, fabs(a->m[i][j]));
        }
    }
    return largest;
}

/* One sweep over the three planes; false when nothing was left to rotate. */
static bool sweep(double a[3][3], double v[3][3])
{
    bool rotated = false;
    for (int k = 0; k < 3; k++) {
        int p = PLANES[k][0], q = PLANES[k][1];
        /* Below this the element changes no digit of a matrix scaled to 1. */
        if (fabs(a[p][q]) > 1e-20) {
            rotate(a, v, p, q);
            rotated = true;
        }
    }
    return rotated;
}

/* Orders the pairs by value and flips the last axis when V mirrors. */
static void sort_right_handed(const double a[3][3], double v[3][3], double scale, double values[3])
{
    int order[3] = {0, 1, 2};
    for (int k = 0; k < 3; k++) { /* network 01, 12, 01 */
        int i = k == 1 ? 1 : 0, first = order[i], second = order[i + 1];
        if (a[first][first] > a[second][second]) {
            order[i] = second;
            order[i + 1] = first;
        }
    }
    double sorted[3][3];
    for (int j = 0; j < 3; j++) {
        values[j] = a[order[j]][order[j]] * scale;
        for (int i = 0; i < 3; i++) {
            sorted[i][j] = v[i][order[j]];
        }
    }
    int inversions = (order[0] > order[1] ? 1 : 0) + (order[0] > order[2] ? 1 : 0) +
                     (order[1] > order[2] ? 1 : 0);
    double sign = inversions % 2 == 0 ? 1.0 : -1.0;
    for (int i = 0; i < 3; i++) {
        v[i][0] = sorted[i][0];
        v[i][1] = sorted[i][1];
        v[i][2] = sign * sorted[i][2];
    }
}

void tn_eig3(const tn_mat3 *a, double values[3], tn_mat3 *vectors)
{
    double work[3][3], v[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double scale = largest_entry(a);
    if (isnan(scale)) {
        values[0] = values[1] = values[2] = (double)NAN;
    } else {
        /* Scaled to 1, so that neither squares nor ratios overflow or vanish. */
        double unit = scale > 0.0 ? scale : 1.0;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                work[i][j] = (i <= j ? a->m[i][j] : a->m[j][i]) / unit;
            }
        }
        for (int k = 0; k < MAX_SWEEPS && sweep(work, v); k++) {
        }
        sort_right_handed((const double(*)[3])work, v, unit, values);
    }
    if (vectors != NULL) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                vectors->m[i][j] = v[i][j];
            }
        }
    }
}
