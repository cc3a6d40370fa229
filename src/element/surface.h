/* surface.h: room element: faces of elements: what a pressure on them does to their nodes.
 *
 * With a and b the coordinates of a face and x_a, x_b the derivatives of places by them, x_a x x_b points outwards, and
 *     f_i = -p sum w N_i x_a x x_b,   -df_i/dx_j = p sum w N_i ( [x_a] dN_j/db - [x_b] dN_j/da ),   [x] y = x x y
 * Points of integration are exact for the shape functions of all types, so that a pressure around a solid has no sum and
 * no moment, and its work is -p times the change of volume.
 */
#ifndef TN_ELEMENT_SURFACE_H
#define TN_ELEMENT_SURFACE_H

#include "element/element.h"
#include "math/m3.h"

/* Of a face of a hexahedron of 27 nodes. */
#define TN_FACE_POINTS    9
#define TN_FACE_FUNCTIONS 9

/* A face of a type of element. */
typedef struct tn_face_data {
    int32_t nodes;
    int8_t node[TN_FACE_FUNCTIONS]; /* of the element */
    double weight[TN_FACE_POINTS];
    double N[TN_FACE_POINTS][TN_FACE_FUNCTIONS];
    double slope[TN_FACE_POINTS][2][TN_FACE_FUNCTIONS]; /* by a and by b */
} tn_face_data;

void tn_face_make(const tn_shape_basis *basis, int32_t face, tn_face_data *out);

/* x_a x x_b at a point, of a face whose nodes are at x. */
tn_vec3 tn_face_normal(const tn_face_data *d, const tn_vec3 *x, int32_t point);

/* N: f[nodes] += the forces of a pressure (Pa). */
void tn_face_forces(const tn_face_data *d, const tn_vec3 *x, double pressure, tn_vec3 *f);

/* K[3 nodes][3 nodes], row-major, overwritten: minus the derivatives of these forces by the places. */
void tn_face_stiffness(const tn_face_data *d, const tn_vec3 *x, double pressure, double *K);

#endif
