/* freedoms.c: room redundancy: the freedoms of finite motion at a singular pose, by second
 * order.
 *
 * A velocity u that the rows allow is the beginning of a motion only if Q(u) = lambda^T (dG/dt) u =
 * 0 for every stress (second.c). In d coordinates z of the velocities these are
 * quadratic forms F_i(z) = z^T B_i z; their common zeros are the branches that meet here, each of
 * dimension d less the rank of dF. If z = 0 is the only zero, the freedoms by the rank are infinitesimal
 * motions of a rigid structure (Connelly, Whiteley 1996: second-order rigidity). Zeros are computed by
 * Newton's method from random starts.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "math/dense/jacobi_svd.h"
#include "redundancy/redundancy.h"

#define TN_FREEDOMS_SEED 13u
/* Random starts, Newton steps from each, and zeros examined. */
#define TN_FREEDOMS_STARTS 24
#define TN_FREEDOMS_STEPS  60
#define TN_FREEDOMS_ZEROS  6
/* Forms this small at unit velocity are met; at a double root z is then right to its square root,
 * which must be below the next number. */
#define TN_FREEDOMS_MET 1e-10
/* Singular values of dF, and entries of forms, below this are zero. */
#define TN_FREEDOMS_RANK 1e-4
/* Newton divides by no singular value smaller than this. */
#define TN_FREEDOMS_LEAST 1e-9

/* Forms in d coordinates of the velocities allowed, each of largest entry 1; scratch of all that is
 * done with them. */
typedef struct tn_forms {
    int32_t count, d;
    double *B;                     /* [count][d][d] */
    double *z, *F, *half;          /* [d], [count], [count][d] of dF / 2 */
    double *V, *sigma, *basis, *w; /* [count][count], [count], [d][d], [d] */
} tn_forms;

static double dot(int32_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void forms_free(tn_forms *f)
{
    tn_free(f->B);
    tn_free(f->z);
}

static tn_status forms_create(int32_t count, int32_t d, tn_forms *f)
{
    const int64_t m = count, n = d;
    *f = (tn_forms){.count = count, .d = d, .B = TN_NEW_ARRAY(double, m *n *n)};
    f->z = TN_NEW_ARRAY(double, n + m + m * n + m * m + m + n * n + n);
    if (!f->B || !f->z) {
        forms_free(f);
        return TN_ERROR_MEMORY;
    }
    f->F = f->z + n;
    f->half = f->F + m;
    f->V = f->half + m * n;
    f->sigma = f->V + m * m;
    f->basis = f->sigma + m;
    f->w = f->basis + n * n;
    return TN_OK;
}

/* Forms to largest entry 1; those that are zero go. */
static void tidy(tn_forms *f, double zero)
{
    const int32_t size = f->d * f->d;
    int32_t kept = 0;
    for (int32_t i = 0; i < f->count; i++) {
        double *from = f->B + (int64_t)i * size, *to = f->B + (int64_t)kept * size, largest = 0.0;
        for (int32_t k = 0; k < size; k++)
            largest = fmax(largest, fabs(from[k]));
        for (int32_t k = 0; k < size && largest > zero; k++)
            to[k] = from[k] / largest;
        kept += largest > zero;
    }
    f->count = kept;
}

/* ---- a zero ---- */

static double evaluate(tn_forms *f)
{
    double largest = 0.0;
    for (int32_t i = 0; i < f->count; i++) {
        double *half = f->half + (int64_t)i * f->d;
        for (int32_t a = 0; a < f->d; a++)
            half[a] = dot(f->d, f->B + ((int64_t)i * f->d + a) * f->d, f->z);
        f->F[i] = dot(f->d, half, f->z);
        largest = fmax(largest, fabs(f->F[i]));
    }
    return largest;
}

/* z moves by the least that takes F away to first order. half = U S V^T becomes U S. */
static void step(tn_forms *f)
{
    tn_jacobi_svd(f->d, f->count, f->half, f->V, f->sigma);
    for (int32_t c = 0; c < f->count; c++) {
        if (f->sigma[c] <= TN_FREEDOMS_LEAST)
            continue;
        const double miss = dot(f->count, f->V + (int64_t)c * f->count, f->F);
        for (int32_t a = 0; a < f->d; a++)
            f->z[a] -= 0.5 * miss / (f->sigma[c] * f->sigma[c]) * f->half[(int64_t)c * f->d + a];
    }
}

/* z of unit length with F = 0 from a random start; 0: none was found. */
static int find_zero(tn_forms *f, uint64_t *seed)
{
    for (int32_t a = 0; a < f->d; a++)
        f->z[a] = tn_red_random(seed);
    for (int32_t k = 0; k < TN_FREEDOMS_STEPS; k++) {
        const double length = sqrt(dot(f->d, f->z, f->z));
        if (!(length > 0.0) || !isfinite(length))
            return 0;
        for (int32_t a = 0; a < f->d; a++)
            f->z[a] /= length;
        if (evaluate(f) <= TN_FREEDOMS_MET)
            return 1;
        step(f);
    }
    return 0;
}

/* ---- the directions across it ---- */

/* Adds v to the orthonormal basis, or leaves it out when little of it is new. */
static int add_to_basis(tn_forms *f, int32_t size, const double *v, double least)
{
    double *to = f->basis + (int64_t)size * f->d;
    memcpy(to, v, sizeof(double) * (size_t)f->d);
    for (int32_t k = 0; k < 2 * size; k++) {
        const double *q = f->basis + (int64_t)(k % size) * f->d;
        const double along = dot(f->d, q, to);
        for (int32_t a = 0; a < f->d; a++)
            to[a] -= along * q[a];
    }
    const double length = sqrt(dot(f->d, to, to));
    for (int32_t a = 0; a < f->d && length > least; a++)
        to[a] /= length;
    return length > least;
}

/* An orthonormal basis: z, the directions dF(z) sees, the rest from `*across` on. */
static int32_t fill_basis(tn_forms *f, int32_t *across)
{
    int32_t size = add_to_basis(f, 0, f->z, 0.0), rank = 0;
    for (int32_t c = 0; c < f->count; c++) {
        if (f->sigma[c] <= TN_FREEDOMS_RANK || size == f->d)
            continue;
        size += add_to_basis(f, size, f->half + (int64_t)c * f->d, 0.0);
        rank++;
    }
    *across = size;
    for (int32_t a = 0; a < f->d && size < f->d; a++) {
        memset(f->w, 0, sizeof(double) * (size_t)f->d);
        f->w[a] = 1.0;
        size += add_to_basis(f, size, f->w, 1e-3 / f->d);
    }
    return rank;
}

/* The combination c of the forms between directions p and q of the basis. */
static double between(const tn_forms *f, int32_t c, int32_t p, int32_t q)
{
    double sum = 0.0;
    for (int32_t i = 0; i < f->count; i++) {
        for (int32_t a = 0; a < f->d; a++) {
            sum += f->V[(int64_t)c * f->count + i] * f->basis[(int64_t)p * f->d + a] *
                   dot(f->d, f->B + ((int64_t)i * f->d + a) * f->d, f->basis + (int64_t)q * f->d);
        }
    }
    return sum;
}

/* What is left to ask across z. */
static tn_status cross(tn_forms *f, tn_forms *next)
{
    int32_t across;
    evaluate(f);
    tn_jacobi_svd(f->d, f->count, f->half, f->V, f->sigma);
    const int32_t rank = fill_basis(f, &across), d = f->d - across;
    const tn_status status = forms_create(f->count - rank, d, next);
    if (status != TN_OK)
        return status;
    for (int32_t c = 0, to = 0; c < f->count; c++) {
        if (f->sigma[c] > TN_FREEDOMS_RANK)
            continue;
        double *B = next->B + (int64_t)to++ * d * d;
        for (int32_t p = 0; p < d; p++) {
            for (int32_t q = 0; q < d; q++)
                B[p * d + q] = between(f, c, across + p, across + q);
        }
    }
    tidy(next, TN_FREEDOMS_RANK);
    return TN_OK;
}

/* Dimension of the common zeros of the forms, which it frees: the largest at so many zeros. Calls
 * itself with fewer coordinates. */
static tn_status count_zeros(tn_forms f, int32_t zeros, int32_t *freedoms)
{
    uint64_t seed = TN_FREEDOMS_SEED;
    tn_status status = TN_OK;
    *freedoms = f.count == 0 ? f.d : 0;
    if (f.count == 0 || f.d == 0)
        zeros = 0;
    for (int32_t k = 0; k < TN_FREEDOMS_STARTS && zeros > 0 && status == TN_OK; k++) {
        tn_forms next;
        int32_t more = 0;
        if (!find_zero(&f, &seed))
            continue;
        status = cross(&f, &next);
        if (status == TN_OK)
            status = count_zeros(next, 1, &more);
        *freedoms = 1 + more > *freedoms ? 1 + more : *freedoms;
        zeros--;
    }
    forms_free(&f);
    return status;
}

/* B_i by polarisation, from a basis of the velocities. */
static void fill_forms(tn_red_pose *pose, const tn_red_closure *closure, const double *basis,
                       double *u, double *gamma, tn_forms *f)
{
    const int64_t n = pose->sys.layout->u_size;
    const int32_t slots = (int32_t)pose->sys.layout->y_size, d = f->d;
    for (int32_t a = 0; a < d; a++) {
        for (int32_t b = 0; b <= a; b++) {
            for (int64_t i = 0; i < n; i++)
                u[i] = basis[a * n + i] + (b < a ? basis[b * n + i] : 0.0);
            tn_assemble_gamma(&pose->sys, &pose->state, u, gamma);
            for (int32_t q = 0, i = 0; q < closure->count; q++) {
                if (closure->stress[q].momentary) {
                    f->B[((int64_t)i++ * d + a) * d + b] =
                        dot(slots, closure->stress[q].lambda, gamma);
                }
            }
        }
    }
    for (int32_t i = 0; i < f->count; i++) {
        double *B = f->B + (int64_t)i * d * d;
        for (int32_t a = 0; a < d; a++) {
            for (int32_t b = 0; b < a; b++)
                B[b * d + a] = B[a * d + b] = 0.5 * (B[a * d + b] - B[a * d + a] - B[b * d + b]);
        }
    }
    tidy(f, 0.0);
}

tn_status tn_red_freedoms(tn_red_pose *pose, const tn_red_closure *closure, const double *basis,
                          int32_t dof, int32_t *freedoms)
{
    tn_forms f;
    int32_t count = 0;
    for (int32_t q = 0; q < closure->count; q++)
        count += closure->stress[q].momentary;
    double *u = TN_NEW_ARRAY(double, pose->sys.layout->u_size);
    double *gamma = TN_NEW_ARRAY(double, pose->sys.layout->y_size);
    tn_status status = u && gamma ? forms_create(count, dof, &f) : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        fill_forms(pose, closure, basis, u, gamma, &f);
        status = count_zeros(f, TN_FREEDOMS_ZEROS, freedoms);
    }
    tn_free(u);
    tn_free(gamma);
    return status;
}
