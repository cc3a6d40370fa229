/* element.c: room element: the table of element types, their shape functions and points (element.h).
 *
 * The shape functions of a type are those combinations of its products of powers that are 1 at one node and 0 at the
 * others: the inverse of the matrix of the products at the nodes. Tetrahedra have all products up to degree 1 or 2,
 * hexahedra of 8 and 27 nodes those of powers up to 1 or 2 each, of 20 nodes (Ergatoudis, Irons, Zienkiewicz 1968)
 * and wedges of 15 those of the 27 and 18 whose powers above 1 add up to 2 at most. Pyramids have those of tetrahedra and x y/(1 - z), of
 * 13 nodes also this times x and y (Bedrosian 1992): on triangles they are those of tetrahedra, on the base those of hexahedra.
 */
#include "element/element.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

/* Twice the own coordinates of nodes. */
static const int8_t tet_places[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0,
                                    1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1};
static const int8_t hex_places[] = {-2, -2, -2, 2, -2, -2, 2, 2,  -2, -2, 2, -2,
                                    -2, -2, 2,  2, -2, 2,  2, 2,  2,  -2, 2, 2, /* corners */
                                    0,  -2, -2, 2, 0,  -2, 0, 2,  -2, -2, 0, -2,
                                    0,  -2, 2,  2, 0,  2,  0, 2,  2,  -2, 0, 2, /* edges */
                                    -2, -2, 0,  2, -2, 0,  2, 2,  0,  -2, 2, 0, /* upright edges */
                                    -2, 0,  0,  2, 0,  0,  0, -2, 0,  0,  2, 0,
                                    0,  0,  -2, 0, 0,  2,  0, 0,  0};
static const int8_t wedge_places[] = {0, 0, -2, 2, 0, -2, 0, 2, -2, 0, 0, 2,  2, 0, 2,
                                      0, 2, 2,  1, 0, -2, 1, 1, -2, 0, 1, -2, 1, 0, 2,
                                      1, 1, 2,  0, 1, 2,  0, 0, 0,  2, 0, 0,  0, 2, 0};

static const int8_t pyramid_places[] = {-2, -2, 0,  2,  -2, 0,  2, 2, 0, -2, 2,  0,  0,
                                        0,  2,  0,  -2, 0,  2,  0, 0, 0, 2,  0,  -2, 0,
                                        0,  -1, -1, 1,  1,  -1, 1, 1, 1, 1,  -1, 1,  1};

/* Exponents of products: those of a type with fewer nodes come first. */
static const int8_t tet_powers[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0,
                                    0, 2, 0, 0, 0, 2, 1, 1, 0, 0, 1, 1, 1, 0, 1};
static const int8_t hex_powers[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1,
                                    1, 1, 1, 2, 0, 0, 0, 2, 0, 0, 0, 2, 2, 1, 0, 2, 0, 1, 1, 2, 0,
                                    0, 2, 1, 1, 0, 2, 0, 1, 2, 2, 1, 1, 1, 2, 1, 1, 1, 2, 2, 2, 0,
                                    0, 2, 2, 2, 0, 2, 2, 2, 1, 1, 2, 2, 2, 1, 2, 2, 2, 2};
static const int8_t wedge_powers[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1,
                                      0, 1, 1, 2, 0, 0, 1, 1, 0, 0, 2, 0, 2, 0, 1,
                                      1, 1, 1, 0, 2, 1, 0, 0, 2, 1, 0, 2, 0, 1, 2};

static const int8_t pyramid_powers[] = {0, 0,  0, 1, 0, 0, 0, 1, 0, 0,  0, 1, 1,
                                        1, -1, 2, 0, 0, 0, 2, 0, 0, 0,  2, 1, 1,
                                        0, 0,  1, 1, 1, 0, 1, 2, 1, -1, 1, 2, -1};

/* By which of its nodes Gmsh writes ours (Gmsh reference manual, node ordering). */
static const int8_t gmsh_tet10[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
static const int8_t gmsh_hex20[] = {0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                    13, 9, 16, 18, 19, 17, 10, 12, 14, 15};
static const int8_t gmsh_hex27[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  11, 13, 9,  16, 18,
                                    19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25, 26};
static const int8_t gmsh_wedge15[] = {0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11};
static const int8_t gmsh_pyramid13[] = {0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12};

#define TN_TET_FACES                                                                               \
    4,                                                                                             \
    {                                                                                              \
        {0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1},                                               \
        {                                                                                          \
            0, 3, 2, -1                                                                            \
        }                                                                                          \
    }
#define TN_HEX_FACES                                                                               \
    6,                                                                                             \
    {                                                                                              \
        {0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6},                      \
        {                                                                                          \
            3, 0, 4, 7                                                                             \
        }                                                                                          \
    }
#define TN_WEDGE_FACES                                                                             \
    5,                                                                                             \
    {                                                                                              \
        {0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4},                                  \
        {                                                                                          \
            2, 0, 3, 5                                                                             \
        }                                                                                          \
    }
#define TN_PYRAMID_FACES                                                                           \
    5,                                                                                             \
    {                                                                                              \
        {0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1},                                 \
        {                                                                                          \
            3, 0, 4, -1                                                                            \
        }                                                                                          \
    }

static const tn_element_type types[TN_ELEMENT_KIND_COUNT] = {
    [TN_TET4] = {"tet4", 4, 4, 1, TN_TET_FACES, 0, 0.45, 10, "C3D4", 4, tet_places, tet_powers,
                 NULL},
    [TN_TET10] = {"tet10", 10, 4, 4, TN_TET_FACES, 1, 0.49, 24, "C3D10", 11, tet_places, tet_powers,
                  gmsh_tet10},
    [TN_HEX8] = {"hex8", 8, 8, 8, TN_HEX_FACES, 1, -1.0, 12, "C3D8", 5, hex_places, hex_powers,
                 NULL},
    [TN_HEX20] = {"hex20", 20, 8, 27, TN_HEX_FACES, 4, 0.45, 25, "C3D20", 17, hex_places,
                  hex_powers, gmsh_hex20},
    [TN_HEX27] = {"hex27", 27, 8, 27, TN_HEX_FACES, 4, 0.45, 29, "C3D27", 12, hex_places,
                  hex_powers, gmsh_hex27},
    [TN_WEDGE6] = {"wedge6", 6, 6, 6, TN_WEDGE_FACES, 0, 0.45, 13, "C3D6", 6, wedge_places,
                   wedge_powers, NULL},
    [TN_WEDGE15] = {"wedge15", 15, 6, 9, TN_WEDGE_FACES, 1, 0.49, 26, "C3D15", 18, wedge_places,
                    wedge_powers, gmsh_wedge15},
    [TN_PYRAMID5] = {"pyramid5", 5, 5, 8, TN_PYRAMID_FACES, 0, 0.45, 14, "C3D5", 7, pyramid_places,
                     pyramid_powers, NULL},
    [TN_PYRAMID13] = {"pyramid13", 13, 5, 27, TN_PYRAMID_FACES, 1, 0.49, 27, "C3D13", 19,
                      pyramid_places, pyramid_powers, gmsh_pyramid13},
};

const tn_element_type *tn_element_type_of(tn_element_kind kind)
{
    return &types[kind];
}

const char *tn_element_kind_name(tn_element_kind kind)
{
    return TN_IN(kind, TN_ELEMENT_KIND_COUNT) ? types[kind].name : NULL;
}

int32_t tn_element_kind_nodes(tn_element_kind kind)
{
    return TN_IN(kind, TN_ELEMENT_KIND_COUNT) ? types[kind].nodes : 0;
}

int32_t tn_element_edge_node(const tn_element_type *type, int32_t a, int32_t b)
{
    const int8_t *p = type->place;
    for (int32_t i = type->corners; i < type->nodes; i++) {
        bool is = true;
        for (int k = 0; k < 3; k++)
            is = is && 2 * p[3 * i + k] == p[3 * a + k] + p[3 * b + k];
        if (is)
            return i;
    }
    return -1;
}

void tn_element_node_place(const tn_element_type *type, int32_t node, double at[3])
{
    for (int k = 0; k < 3; k++)
        at[k] = 0.5 * type->place[3 * node + k];
}

/* shape functions ------------------------------------------------------------------------------ */

/* x^n and its derivative, n up to 2; -1: 1/(1 - x). At 1, the top of a pyramid, which only goes with products that are 0 there, 0. */
static double power_of(double x, int n)
{
    if (n < 0)
        return x < 1.0 ? 1.0 / (1.0 - x) : 0.0;
    return n == 0 ? 1.0 : n == 1 ? x : x * x;
}

static double slope_of(double x, int n)
{
    if (n < 0)
        return power_of(x, n) * power_of(x, n);
    return n == 0 ? 0.0 : n == 1 ? 1.0 : 2.0 * x;
}

/* Product k, and its derivatives, which may be NULL. */
static double product_at(const int8_t *powers, int32_t k, const double at[3], double slopes[3])
{
    const int8_t *n = powers + 3 * k;
    const double p[3] = {power_of(at[0], n[0]), power_of(at[1], n[1]), power_of(at[2], n[2])};
    if (slopes) {
        slopes[0] = slope_of(at[0], n[0]) * p[1] * p[2];
        slopes[1] = p[0] * slope_of(at[1], n[1]) * p[2];
        slopes[2] = p[0] * p[1] * slope_of(at[2], n[2]);
    }
    return p[0] * p[1] * p[2];
}

/* The row at or below k with the largest entry in column k. */
static int32_t pivot_row(double A[TN_ELEMENT_NODES][2 * TN_ELEMENT_NODES], int32_t n, int32_t k)
{
    int32_t best = k;
    for (int32_t i = k + 1; i < n; i++)
        best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
    return best;
}

/* Brings A[n][2 n] to [1, inverse] (Gauss, Jordan). */
static void invert(double A[TN_ELEMENT_NODES][2 * TN_ELEMENT_NODES], int32_t n)
{
    for (int32_t k = 0; k < n; k++) {
        const int32_t p = pivot_row(A, n, k);
        for (int32_t j = 0; j < 2 * n; j++) {
            const double other = A[p][j];
            A[p][j] = A[k][j];
            A[k][j] = other;
        }
        const double pivot = A[k][k];
        for (int32_t j = 0; j < 2 * n; j++)
            A[k][j] /= pivot;
        for (int32_t i = 0; i < n; i++) {
            const double factor = i == k ? 0.0 : A[i][k];
            for (int32_t j = 0; j < 2 * n && factor != 0.0; j++)
                A[i][j] -= factor * A[k][j];
        }
    }
}

void tn_shape_basis_make(const tn_element_type *type, tn_shape_basis *basis)
{
    double A[TN_ELEMENT_NODES][2 * TN_ELEMENT_NODES];
    const int32_t n = type->nodes;
    memset(basis, 0, sizeof *basis);
    basis->type = type;
    for (int32_t i = 0; i < n; i++) {
        double at[3];
        tn_element_node_place(type, i, at);
        for (int32_t k = 0; k < n; k++) {
            A[i][k] = product_at(type->power, k, at, NULL);
            A[i][n + k] = i == k ? 1.0 : 0.0;
        }
    }
    invert(A, n);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = 0; k < n; k++)
            basis->c[i][k] = A[k][n + i];
    }
}

void tn_shape_at(const tn_shape_basis *basis, const double at[3], double N[TN_ELEMENT_NODES],
                 double dN[TN_ELEMENT_NODES][3])
{
    const int32_t n = basis->type->nodes;
    memset(N, 0, sizeof(double) * (size_t)n);
    memset(dN, 0, sizeof(double[3]) * (size_t)n);
    for (int32_t k = 0; k < n; k++) {
        double slopes[3];
        const double value = product_at(basis->type->power, k, at, slopes);
        for (int32_t i = 0; i < n; i++) {
            N[i] += basis->c[i][k] * value;
            for (int d = 0; d < 3; d++)
                dN[i][d] += basis->c[i][k] * slopes[d];
        }
    }
}
