/* body.h: room element: one element that is deformed: its forces, energy and stiffness.
 *
 * In: what compilation made of an element, its nodes as they are. Out: sums over its points of integration, with
 * the gradients g_i = dN_i/dX of the reference shape:
 *     F = sum x_i g_i^T,   f_i = -sum w P g_i,   K_ij = sum w g_i . dP/dF . g_j
 */
#ifndef TN_ELEMENT_BODY_H
#define TN_ELEMENT_BODY_H

#include "element/element.h"
#include "element/material.h"
#include "math/m3.h"

typedef struct tn_element_data {
    int32_t nodes, points;
    const double *weight; /* [points] m^3, of the reference shape */
    const double *grad;   /* [points][nodes][3] 1/m */
    /* [modes][points] functions, orthonormal over the reference shape, onto which changes of volume are projected
     * (dilatation.h); modes 0: they are not. */
    const double *mode;
    int32_t modes;
} tn_element_data;

/* An element with its nodes: x (m), and v (m/s), which may be NULL: at rest. */
typedef struct tn_deformed {
    const tn_element_data *element;
    const tn_elastic *material;
    const tn_vec3 *x, *v;
} tn_deformed;

/* An element at its points: F, P in Pa, W in J/m^3. */
typedef struct tn_element_state {
    double F[TN_ELEMENT_POINTS][9], P[TN_ELEMENT_POINTS][9], W[TN_ELEMENT_POINTS];
} tn_element_state;

/* Without what is viscous. 0: it is turned inside out somewhere. */
int tn_element_stresses(const tn_deformed *e, tn_element_state *state);

/* Pa, of displacements u[nodes] so small that turns do not count, by Hooke's law. */
void tn_element_small_stresses(const tn_element_data *d, const tn_elastic *m, const tn_vec3 *u,
                               double stress[TN_ELEMENT_POINTS][9]);

/* f[nodes] += elastic and viscous forces. 0: it is turned inside out somewhere, and f is left alone. */
int tn_element_forces(const tn_deformed *e, tn_vec3 *f);

/* J; NaN: it is turned inside out. W that damping takes. */
double tn_element_energy(const tn_deformed *e);
double tn_element_losses(const tn_deformed *e);

/* elastic factor and viscous factor times K, K[3 nodes][3 nodes] row-major, overwritten: minus the derivatives of the forces by x
 * and by v. `positive`: for the elastic part a matrix that is positive semidefinite whatever the stress, which is the same without
 * stress. 0: it is turned inside out. */
int tn_element_stiffness(const tn_deformed *e, double elastic, double viscous, bool positive,
                         double *K);

/* F at a point of integration. */
void tn_element_deformation(const tn_deformed *e, const tn_vec3 *x, int32_t point, double F[9]);

#endif
