/* geometry.c: room element: an element at its nodes (geometry.h). */
#include "element/geometry.h"

#include <math.h>
#include <string.h>

#include "math/dense/jacobi_svd.h"
#include "math/m3.h"

/* dX/d(own): columns are the derivatives along the three own coordinates. */
static tn_mat3 jacobian(const tn_shape_basis *basis, const tn_vec3 *X,
                        const double dN[TN_ELEMENT_NODES][3])
{
    tn_mat3 J = {{{0.0}}};
    for (int32_t i = 0; i < basis->type->nodes; i++) {
        for (int d = 0; d < 3; d++) {
            J.m[0][d] += X[i].x * dN[i][d];
            J.m[1][d] += X[i].y * dN[i][d];
            J.m[2][d] += X[i].z * dN[i][d];
        }
    }
    return J;
}

static double determinant(const tn_mat3 *J)
{
    return v3_dot(m3_column(J, 0), v3_cross(m3_column(J, 1), m3_column(J, 2)));
}

double tn_element_gradients(const tn_shape_basis *basis, const tn_vec3 *X, const double at[3],
                            double N[TN_ELEMENT_NODES], double grad[TN_ELEMENT_NODES][3])
{
    double dN[TN_ELEMENT_NODES][3];
    tn_shape_at(basis, at, N, dN);
    const tn_mat3 J = jacobian(basis, X, dN);
    const double det = determinant(&J);
    const tn_vec3 a = m3_column(&J, 0), b = m3_column(&J, 1), c = m3_column(&J, 2);
    /* rows of the inverse */
    const tn_vec3 rows[3] = {v3_scale(1.0 / det, v3_cross(b, c)),
                             v3_scale(1.0 / det, v3_cross(c, a)),
                             v3_scale(1.0 / det, v3_cross(a, b))};
    for (int32_t i = 0; i < basis->type->nodes && det != 0.0; i++) {
        tn_vec3 g = v3_scale(dN[i][0], rows[0]);
        g = v3_axpy(g, dN[i][1], rows[1]);
        v3_store(grad[i], v3_axpy(g, dN[i][2], rows[2]));
    }
    return det;
}

int32_t tn_element_modes(const tn_element_type *type, double poisson)
{
    return poisson > type->poisson ? type->modes : 0;
}

/* mode[number] is made normal to those before it, twice for rounding, and of unit length (Gram, Schmidt). */
static void orthonormalize(double *mode, int32_t number, const double *weight, int32_t points)
{
    double *f = mode + (size_t)number * (size_t)points, square = 0.0;
    for (int32_t k = 0; k < 2 * number; k++) {
        const double *other = mode + (size_t)(k % number) * (size_t)points;
        double along = 0.0;
        for (int32_t p = 0; p < points; p++)
            along += weight[p] * f[p] * other[p];
        for (int32_t p = 0; p < points; p++)
            f[p] -= along * other[p];
    }
    for (int32_t p = 0; p < points; p++)
        square += weight[p] * f[p] * f[p];
    for (int32_t p = 0; p < points; p++)
        f[p] /= sqrt(square);
}

void tn_element_integrate(const tn_shape_basis *basis, const tn_vec3 *X, int32_t modes,
                          double *weight, double *grad, double *mode)
{
    tn_element_point points[TN_ELEMENT_POINTS];
    const int32_t count = tn_element_points(basis->type, points), n = basis->type->nodes;
    for (int32_t p = 0; p < count; p++) {
        double N[TN_ELEMENT_NODES], g[TN_ELEMENT_NODES][3],
            at[TN_ELEMENT_MODES] = {1.0, 0.0, 0.0, 0.0};
        weight[p] = points[p].weight * tn_element_gradients(basis, X, points[p].at, N, g);
        memcpy(grad + (size_t)(3 * n * p), g, sizeof(double) * (size_t)(3 * n));
        for (int32_t i = 0; i < n; i++)
            v3_store(at + 1, v3_axpy(v3_load(at + 1), N[i], v3_sub(X[i], X[0])));
        for (int32_t a = 0; a < modes; a++)
            mode[a * count + p] = at[a];
    }
    for (int32_t a = 0; a < modes; a++)
        orthonormalize(mode, a, weight, count);
}

static double jacobian_at(const tn_shape_basis *basis, const tn_vec3 *X, const double at[3])
{
    double N[TN_ELEMENT_NODES], grad[TN_ELEMENT_NODES][3];
    return tn_element_gradients(basis, X, at, N, grad);
}

double tn_element_least_jacobian(const tn_shape_basis *basis, const tn_vec3 *X)
{
    tn_element_point points[TN_ELEMENT_POINTS];
    const int32_t count = tn_element_points(basis->type, points);
    double least = INFINITY;
    for (int32_t k = 0; k < count; k++)
        least = fmin(least, jacobian_at(basis, X, points[k].at));
    for (int32_t i = 0; i < basis->type->corners; i++) {
        double at[3];
        tn_element_node_place(basis->type, i, at);
        least = fmin(least, jacobian_at(basis, X, at));
    }
    return least;
}

double tn_element_masses(const tn_shape_basis *basis, const tn_vec3 *X, double density,
                         double masses[TN_ELEMENT_NODES])
{
    tn_element_point points[TN_MASS_POINTS];
    const int32_t count = tn_element_mass_points(basis->type, points), n = basis->type->nodes;
    const bool linear = n == basis->type->corners;
    double volume = 0.0, sum = 0.0;
    memset(masses, 0, sizeof(double) * (size_t)n);
    for (int32_t k = 0; k < count; k++) {
        double N[TN_ELEMENT_NODES], grad[TN_ELEMENT_NODES][3];
        const double dV = points[k].weight * tn_element_gradients(basis, X, points[k].at, N, grad);
        volume += dV;
        for (int32_t i = 0; i < n; i++)
            masses[i] += dV * (linear ? N[i] : N[i] * N[i]);
    }
    for (int32_t i = 0; i < n; i++)
        sum += masses[i];
    for (int32_t i = 0; i < n; i++)
        masses[i] *= density * volume / sum;
    return volume;
}

void tn_element_mass_matrix(const tn_shape_basis *basis, const tn_vec3 *X, double density,
                            double *M)
{
    tn_element_point points[TN_MASS_POINTS];
    const int32_t count = tn_element_mass_points(basis->type, points), n = basis->type->nodes;
    memset(M, 0, sizeof(double) * (size_t)(n * n));
    for (int32_t k = 0; k < count; k++) {
        double N[TN_ELEMENT_NODES], grad[TN_ELEMENT_NODES][3];
        const double dm =
            density * points[k].weight * tn_element_gradients(basis, X, points[k].at, N, grad);
        for (int32_t i = 0; i < n * n; i++)
            M[i] += dm * N[i / n] * N[i % n];
    }
}

double tn_element_least_mass(const tn_shape_basis *basis, const tn_vec3 *X)
{
    enum { MOST = TN_ELEMENT_NODES * TN_ELEMENT_NODES };
    const int32_t n = basis->type->nodes;
    double M[MOST], V[MOST], value[TN_ELEMENT_NODES], masses[TN_ELEMENT_NODES], least = INFINITY;
    tn_element_mass_matrix(basis, X, 1.0, M);
    tn_element_masses(basis, X, 1.0, masses);
    for (int32_t i = 0; i < n * n; i++)
        M[i] /= sqrt(masses[i / n] * masses[i % n]);
    tn_jacobi_svd(n, n, M, V, value);
    for (int32_t i = 0; i < n; i++)
        least = fmin(least, value[i]);
    return least;
}

/* The three corners that edges lead to from one. */
static int32_t neighbours_of(const tn_element_type *type, int32_t corner, int32_t to[3])
{
    int32_t found = 0;
    for (int32_t f = 0; f < type->faces; f++) {
        const int32_t around = type->face[f][3] < 0 ? 3 : 4;
        for (int32_t k = 0; k < around; k++) {
            /* each edge is met in both directions, in one face each */
            if (type->face[f][k] == corner && found < 3)
                to[found++] = type->face[f][(k + 1) % around];
        }
    }
    return found;
}

/* Of a regular element: a cube 1, a tetrahedron and a pyramid 1/sqrt(2), a wedge sqrt(3)/2. */
static double regular(const tn_element_type *type)
{
    return type->corners == 8 ? 1.0 : type->corners < 6 ? sqrt(0.5) : sqrt(0.75);
}

double tn_element_quality(const tn_element_type *type, const tn_vec3 *X)
{
    double worst = INFINITY;
    for (int32_t i = 0; i < type->corners; i++) {
        int32_t to[3];
        if (neighbours_of(type, i, to) < 3)
            continue;
        const tn_vec3 a = v3_sub(X[to[0]], X[i]), b = v3_sub(X[to[1]], X[i]),
                      c = v3_sub(X[to[2]], X[i]);
        const double volume = fabs(v3_dot(a, v3_cross(b, c)));
        worst = fmin(worst, volume / (v3_norm(a) * v3_norm(b) * v3_norm(c)));
    }
    return worst / regular(type);
}
