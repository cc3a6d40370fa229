/* surface.c: room element: faces of elements (surface.h).
 *
 * A face is flat in the own coordinates of its element: with c its corners, a point is c_0 + a (c_1 - c_0) + b (c_e - c_0), e the last one. So
 * its shape functions are those of the element there.
 */
#include "element/surface.h"

#include <math.h>
#include <string.h>

/* Shape functions below this at all points are those of nodes that are not on the face. */
#define TN_NOT_THERE 1e-9

/* Gauss points of the square 0 .. 1, squeezed onto the triangle by b (1 - a) (Stroud 1971): exact to degree 4 there. */
static void point_of(int32_t k, bool triangle, double ab[2], double *weight)
{
    static const double of[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    const double at[3] = {0.5 - 0.5 * sqrt(0.6), 0.5, 0.5 + 0.5 * sqrt(0.6)};
    const double squeeze = triangle ? 1.0 - at[k % 3] : 1.0;
    ab[0] = at[k % 3];
    ab[1] = squeeze * at[k / 3];
    *weight = squeeze * of[k % 3] * of[k / 3];
}

/* Own coordinates of a corner, and from there along both sides. */
static void sides_of(const tn_element_type *type, int32_t face, double from[3], double side[2][3])
{
    const int8_t *corner = type->face[face];
    const int32_t ends[2] = {corner[1], corner[3] < 0 ? corner[2] : corner[3]};
    tn_element_node_place(type, corner[0], from);
    for (int s = 0; s < 2; s++) {
        tn_element_node_place(type, ends[s], side[s]);
        for (int d = 0; d < 3; d++)
            side[s][d] -= from[d];
    }
}

/* Shape functions of all nodes of the element, and their slopes along the sides. */
typedef struct all_nodes {
    double N[TN_FACE_POINTS][TN_ELEMENT_NODES], slope[TN_FACE_POINTS][2][TN_ELEMENT_NODES];
} all_nodes;

static void evaluate(const tn_shape_basis *basis, int32_t face, double *weight, all_nodes *all)
{
    double from[3], side[2][3];
    sides_of(basis->type, face, from, side);
    for (int32_t p = 0; p < TN_FACE_POINTS; p++) {
        double ab[2], at[3], dN[TN_ELEMENT_NODES][3];
        point_of(p, basis->type->face[face][3] < 0, ab, &weight[p]);
        for (int d = 0; d < 3; d++)
            at[d] = from[d] + ab[0] * side[0][d] + ab[1] * side[1][d];
        tn_shape_at(basis, at, all->N[p], dN);
        for (int32_t i = 0; i < basis->type->nodes; i++) {
            for (int s = 0; s < 2; s++)
                all->slope[p][s][i] =
                    dN[i][0] * side[s][0] + dN[i][1] * side[s][1] + dN[i][2] * side[s][2];
        }
    }
}

void tn_face_make(const tn_shape_basis *basis, int32_t face, tn_face_data *out)
{
    all_nodes all;
    memset(out, 0, sizeof *out);
    evaluate(basis, face, out->weight, &all);
    for (int32_t i = 0; i < basis->type->nodes; i++) {
        double largest = 0.0;
        for (int32_t p = 0; p < TN_FACE_POINTS; p++)
            largest = fmax(largest, fabs(all.N[p][i]));
        if (largest < TN_NOT_THERE || out->nodes == TN_FACE_FUNCTIONS)
            continue;
        for (int32_t p = 0; p < TN_FACE_POINTS; p++) {
            out->N[p][out->nodes] = all.N[p][i];
            out->slope[p][0][out->nodes] = all.slope[p][0][i];
            out->slope[p][1][out->nodes] = all.slope[p][1][i];
        }
        out->node[out->nodes++] = (int8_t)i;
    }
}

static tn_vec3 along(const tn_face_data *d, const tn_vec3 *x, int32_t point, int side)
{
    tn_vec3 sum = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < d->nodes; i++)
        sum = v3_axpy(sum, d->slope[point][side][i], x[i]);
    return sum;
}

tn_vec3 tn_face_normal(const tn_face_data *d, const tn_vec3 *x, int32_t point)
{
    return v3_cross(along(d, x, point, 0), along(d, x, point, 1));
}

void tn_face_forces(const tn_face_data *d, const tn_vec3 *x, double pressure, tn_vec3 *f)
{
    for (int32_t p = 0; p < TN_FACE_POINTS; p++) {
        const tn_vec3 push = v3_scale(-pressure * d->weight[p], tn_face_normal(d, x, p));
        for (int32_t i = 0; i < d->nodes; i++)
            f[i] = v3_axpy(f[i], d->N[p][i], push);
    }
}

/* K[3][3] at stride += factor [v]. */
static void add_cross(double factor, tn_vec3 v, double *K, int32_t stride)
{
    K[1] -= factor * v.z;
    K[2] += factor * v.y;
    K[stride] += factor * v.z;
    K[stride + 2] -= factor * v.x;
    K[2 * stride] -= factor * v.y;
    K[2 * stride + 1] += factor * v.x;
}

void tn_face_stiffness(const tn_face_data *d, const tn_vec3 *x, double pressure, double *K)
{
    const int32_t size = 3 * d->nodes;
    memset(K, 0, sizeof *K * (size_t)(size * size));
    for (int32_t p = 0; p < TN_FACE_POINTS; p++) {
        const tn_vec3 a = along(d, x, p, 0), b = along(d, x, p, 1);
        for (int32_t i = 0; i < d->nodes; i++) {
            const double w = pressure * d->weight[p] * d->N[p][i];
            for (int32_t j = 0; j < d->nodes; j++) {
                double *block = K + 3 * (i * size + j);
                add_cross(w * d->slope[p][1][j], a, block, size);
                add_cross(-w * d->slope[p][0][j], b, block, size);
            }
        }
    }
}
